"""Compiles a fixture with the CUDA compiler from PyPI and reads its machine code, with source lines."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from expectations import Op, Space
from project import program

ARCHITECTURE = "sm_90"

_LOCATION = re.compile(r'//## File "(?P<file>[^"]+)", line (?P<line>\d+)')
_FUNCTION = re.compile(r"^\.text\.(?P<name>\w+):")
_BEGIN = re.compile(r"^(?=\.text\.)", re.MULTILINE)
_NAMESPACE = "together"
_PLACE = re.compile(rf"\.text\._ZN\d+{_NAMESPACE}(\d{{3}})")
_INCLUDE = re.compile(r"^ *#include .*$", re.MULTILINE)
_MACRO = re.compile(r"^ *#define (\w+)", re.MULTILINE)
_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?(?P<opcode>[A-Z][\w.]*)")
_KINDS = {
    "LDG": (Space.GLOBAL, Op.LOAD),
    "STG": (Space.GLOBAL, Op.STORE),
    "ATOMG": (Space.GLOBAL, Op.ATOMIC),
    "REDG": (Space.GLOBAL, Op.ATOMIC),
    "RED": (Space.GLOBAL, Op.ATOMIC),
    "LDS": (Space.SHARED, Op.LOAD),
    "STS": (Space.SHARED, Op.STORE),
    "ATOMS": (Space.SHARED, Op.ATOMIC),
    "LDSM": (Space.SHARED, Op.LOAD),
    "STSM": (Space.SHARED, Op.STORE),
}
_ROW_BYTES = 16  # of the matrices that LDSM and STSM move
_WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "F64": 8, "128": 16}


@dataclass(frozen=True)
class Compiler:
    nvcc: Path
    nvdisasm: Path


@dataclass(frozen=True)
class Instruction:
    """One machine instruction; `line` is where in the source it was written, be it in an inlined helper.

    `frames` are all its files and lines, innermost first: of an inlined function, then of its call, and so on.
    """

    function: str
    line: int | None
    opcode: str
    frames: tuple[tuple[str, int], ...] = ()

    @property
    def is_block_barrier(self) -> bool:
        return self.opcode.startswith(("BAR.SYNC", "BAR.RED"))

    @property
    def accesses(self) -> tuple[tuple[Space, Op, int], ...]:
        """Space, operation and bytes per lane: none if it is no access to global or shared memory, two for cp.async."""
        name, *modifiers = self.opcode.split(".")
        width = next((_WIDTHS[word] for word in modifiers if word in _WIDTHS), 4)
        if name == "LDGSTS":
            return (Space.GLOBAL, Op.LOAD, width), (Space.SHARED, Op.STORE, width)
        if name not in _KINDS:
            return ()
        return ((*_KINDS[name], _ROW_BYTES if name in ("LDSM", "STSM") else width),)


def host_compiler() -> str:
    """g++, without which nvcc cannot even preprocess a file for the device."""
    return program("g++", package="g++")


def find_compiler() -> Compiler:
    """The compiler among the installed packages, for which the test is skipped where there is none to install."""
    if sys.platform != "linux":
        pytest.skip("no nvcc: the CUDA compiler's packages are for Linux")
    host_compiler()
    nvidia = importlib.util.find_spec("nvidia")
    for folder in (nvidia and nvidia.submodule_search_locations) or ():
        for bin_folder in sorted(Path(folder).glob("cu*/bin")):
            compiler = Compiler(bin_folder / "nvcc", bin_folder / "nvdisasm")
            if compiler.nvcc.exists() and compiler.nvdisasm.exists():
                return compiler
    pytest.fail("no nvcc and nvdisasm among the installed packages: pip install '.[dev]'")


def compile_to_cubin(
    compiler: Compiler,
    source: Path,
    cubin: Path,
    options: Sequence[str] = ("-Werror", "all-warnings"),
    seconds: float | None = None,
) -> None:
    """Raises subprocess.CalledProcessError with the compiler's words in `stderr`, TimeoutExpired after `seconds`."""
    common = [f"-arch={ARCHITECTURE}", "-lineinfo", "-cubin", *options]
    _run([str(compiler.nvcc), *common, "-o", str(cubin), str(source)], seconds)


def disassemble(compiler: Compiler, cubin: Path, source: Path) -> tuple[Instruction, ...]:
    return tuple(_instructions(_disassembly(compiler, cubin), str(source.resolve())))


def compile_together(compiler: Compiler, sources: Sequence[Path], unit: Path) -> dict[Path, tuple[Instruction, ...]]:
    """The machine code of sources that have the same `#include` lines, compiled as one unit: each in a namespace.

    A header is read once, and each tool starts once. Raises what `compile_to_cubin` does.
    """
    (includes,) = {_includes(source) for source in sources}
    parts = list(includes)
    for number, source in enumerate(sources):
        parts += [f"namespace {_NAMESPACE}{number:03} {{", f'#include "{source.resolve()}"', "}"]
        parts += [f"#undef {name}" for name in sorted(set(_MACRO.findall(source.read_text(encoding="utf-8"))))]
    unit.write_text("\n".join([*parts, ""]), encoding="utf-8")
    compile_to_cubin(compiler, unit, unit.with_suffix(".cubin"))
    functions: dict[Path, list[str]] = {source: [] for source in sources}
    for text in _BEGIN.split(_disassembly(compiler, unit.with_suffix(".cubin")))[1:]:
        place = _PLACE.match(text)
        assert place is not None, f"a function of no namespace: {text[:80]}"
        functions[sources[int(place[1])]].append(text)
    return {s: tuple(_instructions("".join(texts), str(s.resolve()))) for s, texts in functions.items()}


def with_the_same_includes(sources: Sequence[Path]) -> list[list[Path]]:
    """Groups of sources for `compile_together`."""
    groups: dict[tuple[str, ...], list[Path]] = {}
    for source in sources:
        groups.setdefault(_includes(source), []).append(source)
    return list(groups.values())


def _includes(source: Path) -> tuple[str, ...]:
    return tuple(_INCLUDE.findall(source.read_text(encoding="utf-8")))


def _disassembly(compiler: Compiler, cubin: Path) -> str:
    return _run([str(compiler.nvdisasm), "-gi", "-c", "-ndf", str(cubin)])


def _instructions(text: str, source: str) -> Iterator[Instruction]:
    function = ""
    chain: list[tuple[str, int]] = []
    chain_ended = False
    for line in text.splitlines():
        location, instruction = _LOCATION.search(line), _INSTRUCTION.match(line)
        if location:
            if chain_ended:
                chain, chain_ended = [], False
            chain.append((location["file"], int(location["line"])))
        elif instruction and "@!PT" in line:  # never executed: it keeps a distance
            chain_ended = True
        elif instruction:
            chain_ended = True
            innermost = next((number for file, number in chain if file == source), None)
            yield Instruction(function, innermost, instruction["opcode"], tuple(chain))
        elif begin := _FUNCTION.match(line):
            function, chain, chain_ended = begin["name"], [], False


def _run(command: list[str], seconds: float | None = None) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds).stdout
