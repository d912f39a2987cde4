"""The sources as mypyc takes them: a copy of the package in which records and protocols are rewritten."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

from record_methods import Record, records, written

COMPILED = ("analysis", "core", "frontend", "machine")
"""The packages of coalint whose modules are compiled."""
SYMPY = "it computes with sympy, whose values have no types"
CTYPES = "it is made of ctypes, of which mypyc makes no C that compiles"
PLAIN = {
    "analysis/counts/forms/": SYMPY,
    "analysis/formulas/": SYMPY,
    "analysis/interpreter/host/grid_formulas.py": SYMPY,
    "core/facts/arithmetic.py": SYMPY,
    "core/described.py": "it makes compiled records dataclasses",
    "core/lazy.py": "it loads numpy in an own way",
    "core/records.py": "it makes classes",
    "core/version.py": "`coalint --version` needs little else",
    "core/facts/suppositions.py": "a compiled class cannot derive from str",
    "core/ir/module.py": "modules are referenced weakly",
    "core/serialization.py": "it is about types at run time",
    "core/source/reading.py": "a compiled class cannot derive from OSError",
    "core/source/source_lines.py": "a compiled class cannot derive from Mapping",
    "frontend/cuda/build/": "it is read once for a run",
    "frontend/cuda/libclang/bindings.py": CTYPES,
    "frontend/cuda/libclang/compiled.py": CTYPES,
    "frontend/cuda/libclang/cursor_numbers.py": CTYPES,
    "frontend/cuda/libclang/diagnostics.py": CTYPES,
    "frontend/cuda/libclang/inclusions.py": CTYPES,
    "frontend/cuda/libclang/outermost.py": CTYPES,
    "frontend/cuda/libclang/results.py": CTYPES,
    "frontend/cuda/libclang/skipped.py": CTYPES,
    "frontend/cuda/libclang/trees.py": CTYPES,
    "frontend/cuda/lowering/objects/destructors.py": "mypyc fails at what is reversed of a type that it does not know",
    "frontend/interface.py": "what is loaded is generic",
    "frontend/python/": "programs in Python are read once for a run",
    "frontend/registry.py": "its records are generic",
}
"""Modules and folders that stay as they are, with the reason."""
PROTOCOLS = {
    "analysis/domain/site.py": {"Site": "coalint.analysis.interpreter.interpreter.Interpreter"},
    "analysis/interpreter/state.py": {"State": "coalint.analysis.interpreter.interpreter.Interpreter"},
    "analysis/interpreter/loops/state.py": {
        "LoopState": "coalint.analysis.interpreter.loops.evaluation.LoopEvaluation"
    },
    "analysis/warps/lanes/evaluation.py": {
        "Assuming": "coalint.analysis.warps.lanes.lane_values.LaneEvaluator",
        "Evaluation": "coalint.analysis.warps.lanes.lane_values.LaneEvaluator",
    },
}
"""Protocols of which there is one class, which mypyc calls directly: the modules stay as they are at run time."""


def rewrite(package: Path, target: Path, compiled: Collection[str] = COMPILED) -> list[str]:
    """Copy what is compiled of a package to `target`, which is made anew; return the modules there that mypyc is given.

    Args:
        package: The folder `coalint` of the sources.
        target: The folder that gets the copy. Paths that are returned are relative to the folder around it.
        compiled: The packages whose modules are compiled; the others of `COMPILED` stay as they are.
    """
    shutil.rmtree(target, ignore_errors=True)
    for name in COMPILED:
        shutil.copytree(package / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    (target / "__init__.py").touch()  # the package's own names what is not compiled
    texts = {path: path.read_text(encoding="utf-8") for name in compiled for path in (target / name).rglob("*.py")}
    names = {path: path.relative_to(target).as_posix() for path in texts}
    own = {
        path: list(records(names[path], ast.parse(text))) for path, text in texts.items() if _is_compiled(names[path])
    }
    by_name: dict[str, Record] = {record.node.name: record for found in own.values() for record in found}
    for path, found in own.items():
        path.write_text(with_numbers(written(texts[path], found, by_name)), encoding="utf-8")
    for name, classes in PROTOCOLS.items() if "analysis" in compiled else ():
        path = target / name
        path.write_text(with_classes(name, path.read_text(encoding="utf-8"), classes), encoding="utf-8")
    return sorted(f"{target.name}/{names[path]}" for path in own)


def with_classes(name: str, text: str, classes: Mapping[str, str]) -> str:
    """Return the text of a module with aliases of classes in place of its protocols."""
    defined = {node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    if not classes.keys() <= defined:
        raise LookupError(f"{name} has no protocol {', '.join(sorted(classes.keys() - defined))}")
    lines = ["from typing import TYPE_CHECKING", "", "if TYPE_CHECKING:"]
    for protocol, place in classes.items():
        module, _, own = place.rpartition(".")
        lines.append(f"    from {module} import {own} as {protocol}")
    return "\n".join([*lines, ""])


def with_numbers(text: str) -> str:
    """Return the text of a module with `float | int` for each `float` of its types.

    Where a type says `float`, mypyc makes a floating-point number of an integer; Python leaves it what it is.
    """
    lines = [line.encode() for line in text.split("\n")]
    places = {
        (node.lineno, node.col_offset)
        for outer in ast.walk(ast.parse(text))
        for annotation in (getattr(outer, "annotation", None), getattr(outer, "returns", None))
        if isinstance(annotation, ast.expr)
        for node in ast.walk(annotation)
        if isinstance(node, ast.Name) and node.id == "float"
    }
    for line, column in sorted(places, reverse=True):
        before = lines[line - 1]
        lines[line - 1] = before[:column] + b"(float | int)" + before[column + len("float") :]
    return b"\n".join(lines).decode()


def _is_compiled(name: str) -> bool:
    return not name.startswith(tuple(PLAIN)) and name not in PROTOCOLS and not name.endswith("__init__.py")
