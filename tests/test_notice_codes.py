"""docs/files.md tells every code that a notice can have, and no other."""

import ast
import re
from pathlib import Path

import chunkgap

PAGE = Path(__file__).parent.parent / "docs" / "files.md"
PACKAGE = Path(chunkgap.__file__).parent


def codes_in(path: Path) -> set[str]:
    """The first argument of every `Notice(...)`; a code that is no plain text fails here."""
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    return {
        ast.literal_eval(call.args[0])
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "Notice"
    }


def test_the_table_of_codes_is_that_of_the_program() -> None:
    section = PAGE.read_text("utf-8").split("### Codes of notices\n")[1].split("\n## ")[0]
    told = re.findall(r"^\| `([a-z-]+)` \| \S", section, re.MULTILINE)
    assert told == sorted({code for path in PACKAGE.rglob("*.py") for code in codes_in(path)})
