"""Each fixture compiles, and its machine code holds accesses and barriers at just the lines that say so."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cuda_compiler import (
    Instruction,
    compile_to_cubin,
    compile_together,
    disassemble,
    find_compiler,
    with_the_same_includes,
)
from expectations import FIXTURES, Op, Scope, Space, fixture_files, read_expectations

Disassembly = tuple[Instruction, ...] | str

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def disassemblies(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Disassembly]:
    """The machine code of every fixture, or the compiler's words where it refused one."""
    compiler, folder = find_compiler(), tmp_path_factory.mktemp("cubins")

    def alone(source: Path) -> Disassembly:
        cubin = folder / f"{source.parent.name}.{source.stem}.cubin"
        try:
            compile_to_cubin(compiler, source, cubin)
            return disassemble(compiler, cubin, source)
        except subprocess.CalledProcessError as error:
            return str(error.stderr)

    def compiled(numbered: tuple[int, list[Path]]) -> dict[Path, Disassembly]:
        number, sources = numbered
        try:
            return dict(compile_together(compiler, sources, folder / f"unit{number}.cu"))
        except subprocess.CalledProcessError:
            return {source: alone(source) for source in sources}

    groups = [part for group in with_the_same_includes(fixture_files()) for part in _halves(group)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return {source: code for done in pool.map(compiled, enumerate(groups)) for source, code in done.items()}


def _halves(group: list[Path]) -> list[list[Path]]:
    """A large group in two, which two processors compile at once."""
    return [group] if len(group) < 8 else [group[::2], group[1::2]]


@pytest.fixture(params=fixture_files(), ids=lambda file: str(file.relative_to(FIXTURES)))
def fixture_file(request: pytest.FixtureRequest) -> Path:
    assert isinstance(request.param, Path)
    return request.param


@pytest.fixture
def instructions(fixture_file: Path, disassemblies: dict[Path, Disassembly]) -> tuple[Instruction, ...]:
    result = disassemblies[fixture_file]
    if isinstance(result, str):
        pytest.fail(f"{fixture_file} does not compile:\n{result}")
    return result


def test_the_compiler_writes_each_access_that_a_line_reveals(
    fixture_file: Path, instructions: tuple[Instruction, ...]
) -> None:
    written = _accesses_by_line(instructions)
    missing = []
    for expectation in read_expectations(fixture_file):
        revealed = Counter((access.space, access.op, access.width) for access in expectation.written)
        for (space, op, width), count in revealed.items():
            at_line = {kind: n for kind, n in written.items() if kind[0] == expectation.line}
            if op is None:
                found = sum(n for kind, n in at_line.items() if (kind[1], kind[3]) == (space, width))
            else:
                found = at_line.get((expectation.line, space, op, width), 0)
            if found < count:
                what = f"{count} {space.value} {op.value if op else 'access'} of {width} bytes"
                missing.append(f"{fixture_file}:{expectation.line}: {what}, written: {_spell(at_line)}")
    assert not missing, "\n".join(missing)


def test_each_access_that_the_compiler_writes_is_revealed(
    fixture_file: Path, instructions: tuple[Instruction, ...]
) -> None:
    revealed = {
        (expectation.line, access.space, access.op, access.width)
        for expectation in read_expectations(fixture_file)
        for access in expectation.written
    }
    silent = sorted(
        f"{fixture_file}:{line}: {space.value} {op.value} of {width} bytes"
        for line, space, op, width in _accesses_by_line(instructions)
        if not {(line, space, op, width), (line, space, None, width)} & revealed
    )
    assert not silent, "\n".join(silent)


def test_the_compiler_writes_a_barrier_where_a_line_reveals_one(
    fixture_file: Path, instructions: tuple[Instruction, ...]
) -> None:
    revealed = {
        expectation.line
        for expectation in read_expectations(fixture_file)
        if any(barrier.scope is Scope.BLOCK for barrier in expectation.barriers)
    }
    assert revealed == {instruction.line for instruction in instructions if instruction.is_block_barrier}


def test_no_access_is_generic(instructions: tuple[Instruction, ...]) -> None:
    generic = {"LD", "ST", "ATOM"}
    assert not [instruction for instruction in instructions if instruction.opcode.split(".")[0] in generic]


def _accesses_by_line(instructions: tuple[Instruction, ...]) -> Counter[tuple[int, Space, Op, int]]:
    """How many instructions there are per (line, space, operation, bytes per lane)."""
    found: Counter[tuple[int, Space, Op, int]] = Counter()
    for instruction in instructions:
        for access in instruction.accesses:
            assert instruction.line is not None, f"{instruction} belongs to no line of the fixture"
            found[(instruction.line, *access)] += 1
    return found


def _spell(accesses: dict[tuple[int, Space, Op, int], int]) -> str:
    spelled = (f"{n} {space.value} {op.value} of {width}" for (_, space, op, width), n in accesses.items())
    return ", ".join(spelled) or "nothing"
