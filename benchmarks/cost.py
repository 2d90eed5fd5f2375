"""What a measurement costs: cold beside a bare `encode` of the same texts, and warm over 50,000 vectors.

    python -m benchmarks.cost

Both halves of each comparison run in processes of their own, one after the other, on the same inputs; CPU seconds of
the process and its children, median of `--repeats`.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "sample_data"
VECTORS = 50_000

MEASURE = """
import json, sys
from pathlib import Path
from chunkgap.config import load_settings
from chunkgap.measurement import measure
settings = load_settings(None, json.loads(sys.argv[1]) | {"cache": Path(sys.argv[2])})
measure(settings)
print(json.dumps([name for name in ("torch", "sentence_transformers") if name in sys.modules]))
"""

ENCODE = """
import json, sys
from pathlib import Path
from sentence_transformers import SentenceTransformer
texts = json.loads(Path(sys.argv[1]).read_text())
SentenceTransformer(sys.argv[2]).encode(texts)
"""


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--sizes", default="50,100,200,500")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold(folder, chosen.sizes, chosen.repeats)
        warm(folder, max(3, chosen.repeats))


def cold(folder: Path, sizes: str, repeats: int) -> None:
    """The whole measurement of sample_data on an empty cache, beside a bare encode of its distinct texts."""
    settings = {
        "corpus": str(SAMPLE / "corpus"),
        "queries": str(SAMPLE / "queries.jsonl"),
        "sizes": sizes,
    }
    texts, model = distinct_texts(settings)
    listed = folder / "texts.json"
    listed.write_text(json.dumps(texts))
    ratios = []
    for repeat in range(repeats):
        bare, _ = cpu_seconds(ENCODE, str(listed), str(model))
        whole, _ = cpu_seconds(MEASURE, json.dumps(settings), str(folder / f"cold{repeat}"))
        ratios.append(whole / bare)
    print(
        f"cold: {len(texts)} distinct texts, CPU of a measurement / a bare encode: {statistics.median(ratios):.3f}"
    )


def warm(folder: Path, repeats: int) -> None:
    """A measurement over 50,000 cached vectors, their indexes cached too: made again, and with its searches anew."""
    settings = write_large_corpus(folder)
    cache = folder / "warm"
    fill_cache(settings, cache)
    cpu_seconds(MEASURE, json.dumps(settings), str(cache))  # leaves the indexes in the cache
    for kind in ("made again", "searched anew"):
        seconds, imported = [], "[]"
        for _ in range(repeats):
            for answers in (cache / "indexes").glob("*.npz") if kind == "searched anew" else ():
                answers.unlink()
            started = time.perf_counter()
            _, imported = cpu_seconds(MEASURE, json.dumps(settings), str(cache))
            seconds.append(time.perf_counter() - started)
        median = statistics.median(seconds)
        print(f"warm, {kind}: about {VECTORS} vectors, {median:.1f} s; heavy libraries imported: {imported}")


def cpu_seconds(program: str, *arguments: str) -> tuple[float, str]:
    """CPU seconds of a Python program in a process of its own, and the last line that it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, (done.stdout.strip().splitlines() or [""])[-1]


def distinct_texts(settings: dict[str, str]) -> tuple[list[str], Path]:
    """Every text that a measurement embeds, slices of long chunks in place of the chunks, and the model's folder."""
    from chunkgap.config import load_settings
    from chunkgap.embedding.long_chunks import slice_text
    from chunkgap.inputs import read_inputs
    from chunkgap.placing import Cutter, open_model
    from chunkgap.progress import NO_PROGRESS

    loaded = load_settings(None, settings)
    inputs, model = read_inputs(loaded), open_model(loaded)
    cutter = Cutter.of(inputs.corpus.documents, loaded, model, NO_PROGRESS)
    chunks = [
        text
        for scale in loaded.scales()
        for cut in cutter.cut(scale, loaded.phases)
        for text in cut.table.texts(cutter.documents)
    ]
    chunks = list(dict.fromkeys(chunks))
    counts = model.count(chunks, "document")
    window = model.window or counts.max()
    pieces = [
        part
        for text, count in zip(chunks, counts, strict=True)
        for part in (slice_text(text, "document", model) if count > window else [text])
    ]
    queries = [query.text for query in inputs.labelled.evaluated]
    return list(dict.fromkeys(pieces + queries)), model.files.folder


def write_large_corpus(folder: Path) -> dict[str, object]:
    """A corpus of random words that makes about `VECTORS` vectors at two sizes and two phases."""
    import numpy as np

    random = np.random.default_rng(1)
    words = np.array([f"word{number}" for number in range(5_000)])
    corpus = folder / "corpus.jsonl"
    with corpus.open("w") as file:
        for row in range(350):
            text = " ".join(random.choice(words, 830))
            file.write(json.dumps({"_id": f"d{row:04d}", "text": text}) + "\n")
    queries = folder / "queries.jsonl"
    with queries.open("w") as file:
        for row in range(300):
            query = {"_id": f"q{row}", "text": " ".join(random.choice(words, 8)), "relevant": [f"d{row:04d}"]}
            file.write(json.dumps(query) + "\n")
    return {"corpus": str(corpus), "queries": str(queries), "sizes": [50, 100]}


def fill_cache(settings: dict[str, object], cache: Path) -> None:
    """Give every text a random vector, as if the model had made it: the warm path reads no model.

    They lie near a space of 24 dimensions, since true embeddings fill few of theirs; HNSW finds its way among neither
    fewer nor more of those easily.
    """
    import numpy as np

    from chunkgap.config import load_settings
    from chunkgap.measurement import measure
    from chunkgap.placing import open_model

    model = open_model(load_settings(None, settings))
    random = np.random.default_rng(2)
    axes = random.standard_normal((24, model.dimension))

    def embed(texts: list[str], role: str) -> "np.typing.NDArray[np.float32]":
        noise = 0.5 * random.standard_normal((len(texts), model.dimension))
        vectors = (random.standard_normal((len(texts), 24)) @ axes + noise).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    model.embed = embed  # type: ignore[method-assign]
    found = measure(load_settings(None, settings | {"cache": cache}), model=model).results
    print("vectors:", sum(phase.vectors for scale in found.scales for phase in scale.phases))


if __name__ == "__main__":
    main()
