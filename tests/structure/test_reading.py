"""Files are read through one gate: `core.source.reading`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GATE = "src/coalint/core/source/reading.py"
READERS = frozenset({"read_text", "read_bytes", "readlines", "mmap", "fromfile", "loadtxt", "cmp", "copyfile"})
ALLOWED = {
    "src/coalint/reporters/html/page.py": "resources of the package",
    "src/coalint/engine/check/clock.py": "memory that forked processes share",
    "src/coalint/engine/check/limits.py": "what the kernel says of this process",
    "src/coalint/engine/execution/workers/shared_out.py": "a pipe from a forked process",
    "src/coalint/engine/execution/workers/usage.py": "what the kernel says of processes",
    "src/coalint/engine/execution/cache/versions.py": "what the installer recorded of the package",
    "src/coalint/frontend/cuda/libclang/irregular_files.py": "what the kernel says of this process",
}


def calls(path: Path) -> Iterator[ast.Call]:
    yield from (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))


def reads(call: ast.Call) -> bool:
    """Whether a call opens a path for reading, by its name."""
    function = call.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    if name == "open" and not isinstance(function, ast.Name):
        owner = function.value if isinstance(function, ast.Attribute) else None
        if isinstance(owner, ast.Name) and owner.id == "os":
            attributes = {n.attr for n in ast.walk(call) if isinstance(n, ast.Attribute)}
            return not attributes & {"O_WRONLY", "O_PATH", "devnull"}
        return isinstance(owner, ast.Name) and owner.id in ("io", "codecs", "tokenize", "tarfile", "gzip", "Path")
    if name == "open":
        mode = next((k.value for k in call.keywords if k.arg == "mode"), call.args[1] if len(call.args) > 1 else None)
        return not (isinstance(mode, ast.Constant) and isinstance(mode.value, str) and mode.value[:1] in "wxa")
    if name in ("read_text", "read_bytes"):
        return not isinstance(function, ast.Name)  # the gate's own are functions
    return name in READERS


def sources() -> list[Path]:
    return sorted(p for folder in ("src/coalint", "rules") for p in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize(
    "text", ["open(p)", "open(p, 'rb')", "open(p, 'r+b')", "Path(p).read_text()", "os.open(p, 0)", "io.open(p)"]
)
def test_what_reads_is_recognized(text: str) -> None:
    (statement,) = ast.parse(text).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    assert reads(statement.value)


@pytest.mark.slow
def test_no_module_but_the_gate_opens_a_path_for_reading() -> None:
    found = [
        f"{name}:{call.lineno}"
        for path in sources()
        if (name := path.relative_to(ROOT).as_posix()) != GATE and name not in ALLOWED
        for call in calls(path)
        if reads(call)
    ]
    assert found == []
