"""Turns YAML nodes into plain values; refuses tags, keys given twice and values inside themselves."""

from collections.abc import Callable
from pathlib import Path

import yaml

from chunkgap.config.wording import quoted, shown

STANDARD = "tag:yaml.org,2002:"
"""What the tags of YAML's own kinds begin with."""

_SCALARS: dict[str, Callable[[str], object]] = {
    f"{STANDARD}null": lambda _text: None,
    f"{STANDARD}bool": lambda text: text.lower() == "true",
    f"{STANDARD}int": int,
    f"{STANDARD}float": float,
    f"{STANDARD}str": str,
}


class YamlTree:
    """Turns nodes into values, each node once, so that aliases of aliases share one value and cost nothing.

    Attributes:
        lines: The 1-based line of each key or item, by the `id` of the dict or list that holds it.
        problems: What cannot be used, one line each.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[int, dict[str | int, int]] = {}
        self.problems: list[str] = []
        self._values: dict[int, object] = {}
        self._open: set[int] = set()

    def value(self, node: yaml.Node) -> object:
        """The value of a node; None where a problem was noted."""
        if id(node) in self._open:
            self._note(node, "expected a value, got an alias to what contains it. Write the value out.")
            return None
        if id(node) not in self._values:
            self._open.add(id(node))
            self._values[id(node)] = self._built(node)
            self._open.discard(id(node))
        return self._values[id(node)]

    def _built(self, node: yaml.Node) -> object:
        if isinstance(node, yaml.MappingNode) and node.tag == f"{STANDARD}map":
            return self._mapping(node)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{STANDARD}seq":
            return self._list(node)
        if isinstance(node, yaml.ScalarNode) and node.tag in _SCALARS:
            return self._scalar(node)
        if node.tag == f"{STANDARD}merge":
            return str(node.value)
        tag = quoted(node.tag.replace(STANDARD, "!!"))
        self._note(node, f"expected plain YAML, got the tag {tag}. Delete the tag.")
        return None

    def _scalar(self, node: yaml.ScalarNode) -> object:
        try:
            return _SCALARS[node.tag](node.value)
        except ValueError:
            self._note(
                node, f"expected a number, got {shown(node.value)}. Write it in digits, fewer than 4,000."
            )
            return None

    def _list(self, node: yaml.SequenceNode) -> list[object]:
        items = [self.value(item) for item in node.value]
        self.lines[id(items)] = {place: item.start_mark.line + 1 for place, item in enumerate(node.value)}
        return items

    def _mapping(self, node: yaml.MappingNode) -> dict[str, object]:
        own: dict[str, object] = {}
        lines: dict[str | int, int] = {}
        merged: list[yaml.Node] = []
        for key_node, value_node in node.value:
            key = self._key(key_node)
            line = key_node.start_mark.line + 1
            if key in lines:
                first = lines[key]
                self._note(
                    key_node,
                    f"expected each key once, got {quoted(key)} again (first on line {first}). Delete one.",
                )
                continue
            lines[key] = line
            if key_node.tag == f"{STANDARD}merge":
                merged.append(value_node)
            else:
                own[key] = self.value(value_node)
        lines.pop("<<", None)
        for value_node in merged:
            self._merge(value_node, own, lines)
        self.lines[id(own)] = lines
        return own

    def _merge(self, node: yaml.Node, own: dict[str, object], lines: dict[str | int, int]) -> None:
        """Add what `<<` names to the keys that `own` lacks; of several mappings the first wins."""
        value = self.value(node)
        for mapping in value if isinstance(value, list) else [value]:
            if not isinstance(mapping, dict):
                self._note(
                    node, f"expected a mapping to merge, got {shown(mapping)}. Name one with `<<: *name`."
                )
                continue
            for key in [key for key in mapping if key not in own]:
                own[key] = mapping[key]
                lines[key] = self.lines.get(id(mapping), {}).get(key, node.start_mark.line + 1)

    def _key(self, node: yaml.Node) -> str:
        """A key as it is written: `64` and `on` stay text."""
        if isinstance(node, yaml.ScalarNode) and (node.tag in _SCALARS or node.tag == f"{STANDARD}merge"):
            return str(node.value)
        self._note(node, "expected text as a key, got a collection or a tag. Write a plain key.")
        return f"?{node.start_mark.index}"

    def _note(self, node: yaml.Node, problem: str) -> None:
        self.problems.append(f"{self.path}:{node.start_mark.line + 1}: {problem}")
