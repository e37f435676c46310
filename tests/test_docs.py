"""What the documentation shows is run: code blocks of the README and the guides, and examples in docstrings."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
MODULES = [
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCES.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))], ids=lambda page: page.name
)
def test_code_on_pages_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, str(page), "exec"), names)


def test_promises_name_tests_that_are_there():
    named = re.findall(r"`([a-z]+/test_[a-z_]+\.py)`", (ROOT / "docs" / "security.md").read_text(encoding="utf-8"))
    assert len(named) > 20
    assert [name for name in named if not (ROOT / "tests" / name).is_file()] == []


def test_the_readme_has_code():
    assert len(BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))) >= 5


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module):
    """Read from the source, because compiled modules keep no examples."""
    path = SOURCES.joinpath(*module.split("."))
    source = path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"
    text = source.read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(
        "\n".join(_docstrings(text)), vars(importlib.import_module(module)).copy(), module, str(source), 0
    )
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(examples)
    assert runner.summarize(verbose=False).failed == 0


def _docstrings(source: str) -> list[str]:
    import ast

    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node)
            if text and ">>>" in text:
                found.append(text + "\n")
    return found
