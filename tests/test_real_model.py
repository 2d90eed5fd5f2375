"""The whole measurement with the real model: sample data, real text without an effect, warm runs without torch."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from chunkgap import cli
from chunkgap.analysis.runs import Labels
from chunkgap.analysis.scores import score_run
from chunkgap.config import load_settings
from chunkgap.inputs import read_inputs
from chunkgap.oracle import oracle_gap, reproducible_gap
from chunkgap.placing import Cutter, embed_chunks, embed_queries, open_cache, open_model
from chunkgap.progress import NO_PROGRESS
from chunkgap.ranking import Cutoff
from chunkgap.records import Scale
from chunkgap.searching import lists_wanted, search_placement
from chunkgap.statistics import Resampling, query_clusters

pytestmark = pytest.mark.model

SAMPLE = Path(__file__).parent.parent / "sample_data"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A third of the sample data, with the queries about it."""
    folder = tmp_path_factory.mktemp("small")
    kept = [path for row, path in enumerate(sorted((SAMPLE / "corpus").rglob("*.md"))) if row % 3 == 0]
    names = {path.relative_to(SAMPLE / "corpus").as_posix() for path in kept}
    for path in kept:
        copy = folder / "corpus" / path.relative_to(SAMPLE / "corpus")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    queries = [
        json.loads(line) for line in (SAMPLE / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    about = [query for query in queries if set(query["relevant"]) <= names]
    (folder / "queries.jsonl").write_text(
        "".join(json.dumps(query) + "\n" for query in about), encoding="utf-8"
    )
    return folder


def test_real_text_without_an_effect_of_size_has_a_raw_gap_and_no_reproducible_one(small: Path) -> None:
    """Three "sizes" that are three pairs of phases of one size: whatever differs between them is luck."""
    settings = load_settings(
        None,
        {
            "corpus": small / "corpus",
            "queries": small / "queries.jsonl",
            "sizes": [100],
            "cache": small / "cache",
        },
    )
    inputs, model = read_inputs(settings), open_model(settings)
    documents, queries = inputs.corpus.documents, inputs.labelled.evaluated
    labels = Labels.of(queries, [document.doc_id for document in documents])
    texts = Cutter.of(documents, settings, model, NO_PROGRESS).cut(Scale("100", 100), 6)
    with open_cache(settings) as cache:
        asked = embed_queries([query.text for query in queries], model, cache, settings, NO_PROGRESS).each
        placements = embed_chunks(texts, documents, model, cache, settings, NO_PROGRESS).placements
    scores = (
        np.stack(
            [
                score_run(
                    "recall",
                    Cutoff(1, "documents"),
                    search_placement(
                        placement, asked, settings.retrieval, lists_wanted(settings), seed=13, cache=None
                    ).run,
                    labels,
                )
                for placement in placements
            ]
        )
        .reshape(2, 3, len(queries))
        .transpose(1, 0, 2)
    )
    resampling = Resampling.draw(
        query_clusters([sorted(query.relevant) for query in queries]), resamples=2000
    )
    assert oracle_gap(scores[:, 0]) > 0.02
    assert resampling.interval(reproducible_gap(scores, [1, 1, 1], resampling)).contains(0.0)


def test_a_warm_measurement_is_the_same_and_imports_neither_torch_nor_sentence_transformers(
    small: Path,
) -> None:
    arguments = [
        "measure", str(small / "corpus"), str(small / "queries.jsonl"), "--sizes", "100,200", "--phases", "1",
        "--cache", str(small / "cache"),
    ]  # fmt: skip
    with pytest.raises(SystemExit) as done:
        cli.main([*arguments, "--out", str(small / "cold")])
    assert done.value.code == 0
    program = (
        "import sys\nfrom chunkgap.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit as done: assert done.code == 0\n"
        "assert not {'torch', 'sentence_transformers', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program, *arguments, "--out", str(small / "warm")], check=True)
    for name in ("summary.csv", "per_query.csv", "hits.parquet", "runs/fused.run"):
        assert (small / "warm" / name).read_bytes() == (small / "cold" / name).read_bytes()
