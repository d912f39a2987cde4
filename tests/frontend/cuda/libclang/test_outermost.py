"""The outermost declarations of a unit's own files: without those of headers and macros, found once."""

from __future__ import annotations

from pathlib import Path
from weakref import ref

import pytest

from coalint.frontend.cuda.libclang import outermost
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.outermost import own_declarations
from coalint.frontend.cuda.libclang.parse import parse

TEXT = '#include "beside.h"\n#define FIVE 5\nint five = FIVE;\nnamespace n { void in(); }\n__global__ void k() {}\n'


def test_declarations_of_headers_and_macros_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "beside.h").write_text("void other();\n")
    path = tmp_path / "a.cu"
    path.write_text(TEXT)
    unit = parse(str(path))
    locations = Locations(str(path), TEXT)
    assert [cursor.spelling for cursor in own_declarations(unit, locations)] == ["five", "n", "k"]
    locations.take([str(tmp_path / "beside.h")], unit)
    assert [cursor.spelling for cursor in own_declarations(unit, locations)] == ["other", "five", "n", "k"]


def test_they_are_found_once_and_keep_no_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.cu"
    path.write_text("int a;\n")
    unit = parse(str(path))
    first = own_declarations(unit, Locations(str(path), "int a;\n"))
    monkeypatch.setattr(outermost, "_found", None)
    again = own_declarations(unit, Locations(str(path), "int a;\n"))
    assert first == again
    held = ref(unit)
    del unit, first, again
    assert held() is None
