"""Imports run one way, from floor to floor, and no two modules import each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"coalint": ROOT / "src/coalint", "coalint.rules": ROOT / "rules"}

MAY_IMPORT = {
    "core": frozenset(),
    "machine": frozenset({"core"}),
    "frontend": frozenset({"core"}),
    "analysis": frozenset({"core", "machine"}),
    "rules": frozenset({"core", "machine", "rule"}),
    "rule": frozenset({"core", "machine"}),
    "engine": frozenset({"core", "machine", "frontend", "analysis", "rules", "rule"}),
    "reporters": frozenset({"core", "machine", "frontend", "analysis", "rules", "rule", "engine"}),
    "api": frozenset({"core", "machine", "frontend", "analysis", "rules", "rule", "engine", "reporters"}),
    "pytest_plugin": frozenset({"core", "engine"}),  # the engine for its types; the package loads `api`
    "cli": frozenset({"core", "machine", "frontend", "analysis", "rules", "rule", "engine", "reporters"}),
}
LIBCLANG = tuple(f"coalint.frontend.cuda.{name}" for name in ("libclang", "lowering", "repair", "templates", "load"))
WITHOUT_LIBCLANG = ("core", "machine", "analysis", "rules", "rule", "engine")


@cache
def modules() -> dict[str, Path]:
    """Every module of coalint by its name, with its file."""
    found: dict[str, Path] = {}
    for package, folder in PACKAGES.items():
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            name = ".".join((package, *parts[: -1 if parts[-1] == "__init__" else None]))
            found[name] = path
    return found


@cache
def imports(module: str) -> frozenset[str]:
    """The modules of coalint that one imports: anywhere in it, for type checkers too, by name or as a string."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8"))):
        found.update(name for name in _imported(node) if name in modules())
    return frozenset(found - {module})


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module is not None:
        for alias in node.names:
            full = f"{node.module}.{alias.name}"
            yield full if full in modules() else node.module
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("coalint."):
        yield node.value


def floor(module: str) -> str:
    """The floor that a module stands on: its first name below `coalint`; empty for the package itself."""
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("name", sorted(MAY_IMPORT))
def test_a_floor_imports_only_those_below(name: str) -> None:
    allowed = MAY_IMPORT[name] | {name, ""}
    wrong = [
        f"{module} imports {other}"
        for module in modules()
        if floor(module) == name
        for other in imports(module)
        if floor(other) not in allowed
    ]
    assert not wrong, "\n".join(sorted(wrong))


def test_every_module_stands_on_a_floor() -> None:
    others = {floor(module) for module in modules()} - set(MAY_IMPORT)
    assert others == {"", "__main__"}


def test_no_modules_import_each_other() -> None:
    graph = {module: imports(module) for module in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("modules import each other: " + " <- ".join(error.args[1]))


def test_libclang_is_reached_through_the_front_end_interface_alone() -> None:
    wrong = [
        f"{module} imports {other}"
        for module in modules()
        if floor(module) in WITHOUT_LIBCLANG
        for other in imports(module)
        if other.startswith(LIBCLANG)
    ]
    assert not wrong, "\n".join(sorted(wrong))


def test_every_package_says_what_lives_there() -> None:
    silent = [
        name
        for name, path in modules().items()
        if path.name == "__init__.py" and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not silent
