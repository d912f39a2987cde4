"""Exports of Nsight Compute as they are read: whole, damaged, cut short, and of several launches."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from coalint.core.facts.access import Operation, Space
from coalint.engine.verification.export.errors import ExportError
from coalint.engine.verification.export.reader import parse_export, read_export
from coalint.engine.verification.export.shapes import parse_shapes
from coalint.engine.verification.export.signatures import split_signature

DATA = Path(__file__).resolve().parents[2] / "data"
EXPORT, PLAIN = DATA / "strided.source.csv", DATA / "strided.sass.csv"


@pytest.mark.parametrize("export", [EXPORT, PLAIN], ids=lambda path: path.name)
def test_a_truncated_export_is_refused_wherever_it_ends_within_a_line(export: Path) -> None:
    text = export.read_text(encoding="utf-8")
    for end in range(1, len(text), 997):
        if text[end - 1] != "\n":
            with pytest.raises(ExportError):
                parse_export(text[:end])


@pytest.mark.parametrize("export", [EXPORT, PLAIN], ids=lambda path: path.name)
def test_a_damaged_export_is_read_or_refused_but_never_breaks_the_reader(export: Path) -> None:
    lines = export.read_text(encoding="utf-8").splitlines(keepends=True)
    choose = random.Random(5)
    for _ in range(300):
        damaged = list(lines)
        for _ in range(choose.randint(1, 3)):
            at = choose.randrange(len(damaged))
            cells = damaged[at].split(",")
            cells[choose.randrange(len(cells))] = choose.choice(
                ["", '"', '"-"', '"x"', "0x", '"7"', '"File Path"', "\0", '"\n"']
            )
            damaged[at] = choose.choice(["", ",".join(cells), damaged[at] * 2, damaged[choose.randrange(len(damaged))]])
        with contextlib.suppress(ExportError):
            parse_export("".join(damaged))


def test_rows_of_one_instruction_count_once() -> None:
    """An instruction stands at its own line, at its caller's, and in the header that holds the intrinsic."""
    atomic = [i for launch in read_export(EXPORT) for i in launch.instructions if i.operation is Operation.ATOMIC]
    (instruction,) = atomic
    assert (instruction.space, instruction.opcode) == (Space.GLOBAL, "REDG.E.ADD.STRONG.GPU")
    assert (instruction.executed, instruction.threads, instruction.cost, instruction.ideal) == (512, 16384, 16384, 2048)


def test_an_export_redirected_by_powershell_is_read(tmp_path: Path) -> None:
    path = tmp_path / "utf16.csv"
    path.write_text(EXPORT.read_text(encoding="utf-8").replace("\n", "\r\n"), encoding="utf-16", newline="")
    assert read_export(path) == read_export(EXPORT)


def test_two_launches_of_one_kernel_stay_apart() -> None:
    text = EXPORT.read_text(encoding="utf-8")
    assert len(parse_export(text + text)) == 2 * len(parse_export(text))


@pytest.mark.parametrize(
    ("signature", "parts"),
    [
        ("copy(float *, const float *)", ("copy", ())),
        ("void ns::scale<(int)8>(T1 *)", ("scale", ("8",))),
        ("void generate<ReadEvery<(int)2>, (int)-3>(float *, T1)", ("generate", ("ReadEvery<2>", "-3"))),
        ("void (anonymous namespace)::k<(unsigned long)4, (bool)1>(int)", ("k", ("4", "1"))),
        (
            "void transform<main::[lambda(float) (instance 1)]>(T1)",
            ("transform", ("main::[lambda(float) (instance 1)]",)),
        ),
        ("ns<int>::k(int (*)[4])", ("k", ())),
    ],
)
def test_signatures_are_taken_apart(signature: str, parts: tuple[str, tuple[str, ...]]) -> None:
    assert split_signature(signature) == parts


def test_shapes_come_from_the_raw_page() -> None:
    header, units = '"ID","Kernel Name","Block Size","Grid Size","sm__x"', '"","","","",""'
    raw = f'{header}\n{units}\n"0","k(int)","(32, 4, 1)","(2, 1, 1)","1"\n'
    assert parse_shapes(raw) == (("k(int)", (2, 1, 1), (32, 4, 1)),)
    with pytest.raises(ExportError, match="not the raw page"):
        parse_shapes(EXPORT.read_text(encoding="utf-8"))
