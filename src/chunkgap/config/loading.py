"""Merges command line, file and defaults into `Settings`; each path counts from where it was written."""

import re
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from chunkgap.config.problems import Keys, Place, problem_lines
from chunkgap.config.settings import SECTIONS, Settings
from chunkgap.config.yaml_reading import YamlFile, number_or_text, read_yaml
from chunkgap.errors import ConfigError

_PATH_KEYS = ("corpus", "queries", "qrels")
_LISTS = ("sizes", "measures", "cutoffs")
_ARGUMENTS = ("corpus", "queries")
_SWITCHES = ("on", "off", "yes", "no")


def load_settings(path: Path | None = None, overrides: Mapping[str, object] | None = None) -> Settings:
    """Read a configuration; the command line wins over the file, the file over the defaults.

    Args:
        path: A YAML file: a mapping of settings or a plain list of sizes. None: defaults only.
        overrides: Options of the command line by key, nested ones as `embedding.model`; None is not given.
            Lists may be text with commas, as typed. Paths among them count from the current folder, those of
            the file from the file's folder (`out` always from the current one).

    Raises:
        ConfigError: One line for each problem, with the file and line or the option that it stands in.
    """
    file = read_yaml(path) if path is not None else None
    options = _options(overrides or {})
    merged = _merged(_located(file.value, file.path.parent) if file else {}, options)
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        lines = problem_lines(error, lambda keys: _place(keys, options, file))
    raise ConfigError(*lines)


def _options(overrides: Mapping[str, object]) -> dict[str, object]:
    """The options that were given, nested like the file."""
    nested: dict[str, object] = {}
    for key, value in overrides.items():
        if value is None:
            continue
        section, _, name = key.rpartition(".")
        holder = nested.setdefault(section, {}) if section else nested
        if isinstance(holder, dict):
            holder[name] = _typed_in(key, value)
    return nested


def _typed_in(key: str, value: object) -> object:
    """What the text of an option means."""
    if key in _LISTS and isinstance(value, str):
        return [number_or_text(part.strip()) for part in value.split(",")]
    if key == "overlap" and isinstance(value, str):
        return number_or_text(value)
    if key == "embedding.model":
        return _located_model(value, Path())
    return value


def _merged(settings: Mapping[str, object], options: Mapping[str, object]) -> dict[str, object]:
    """The file's settings with the options put over them, key by key inside sections.

    What stands where a section should be stays, so that it is reported rather than replaced.
    """
    merged = dict(settings)
    for key, value in options.items():
        under = merged.get(key, {})
        if key in SECTIONS and isinstance(value, dict):
            merged[key] = under | value if isinstance(under, dict) else under
        else:
            merged[key] = value
    return merged


def _located(settings: Mapping[str, object], folder: Path) -> dict[str, object]:
    """The file's settings with its relative paths counted from `folder`; what is no text stays as it is."""
    located = dict(settings)
    for key in _PATH_KEYS:
        if key in located:
            located[key] = _from_folder(located[key], folder)
    runs, cache, embedding = (located.get(key) for key in ("runs", "cache", "embedding"))
    if isinstance(runs, dict):
        located["runs"] = {name: _from_folder(run, folder) for name, run in runs.items()}
    if isinstance(cache, str) and cache.lower() not in _SWITCHES:
        located["cache"] = _from_folder(cache, folder)
    if isinstance(embedding, dict) and "model" in embedding:
        located["embedding"] = embedding | {"model": _located_model(embedding["model"], folder)}
    return located


def _from_folder(value: object, folder: Path) -> object:
    if isinstance(value, list):
        return [_from_folder(item, folder) if isinstance(item, str) else item for item in value]
    if not isinstance(value, str) or not value:
        return value
    return str(folder / Path(value).expanduser() if value.startswith("~/") else folder / value)


def _located_model(model: object, folder: Path) -> object:
    """A model given as a path, made absolute, so that it is never taken for the id of a model on a hub."""
    if isinstance(model, str) and re.match(r"\.{0,2}/|~/|\.{1,2}$", model):
        return str(Path(str(_from_folder(model, folder))).absolute())
    return model


def _place(keys: Keys, options: Mapping[str, object], file: YamlFile | None) -> Place:
    """Where a value was written: an option, or a line of the file."""
    holder: object = options
    for key in keys:
        if not isinstance(holder, Mapping) or key not in holder:
            return _place_in(file, keys)
        holder = holder[key]
    if keys[0] in _ARGUMENTS:
        return Place(0, str(keys[0]).upper(), is_typed=True)
    return Place(0, f"--{str(keys[-1]).replace('_', '-')}", is_typed=True)


def _place_in(file: YamlFile | None, keys: Keys) -> Place:
    if file is None:
        return Place(0, "configuration")
    line = file.line(keys)
    return Place(line, f"{file.path}:{line}" if line else f"{file.path}")
