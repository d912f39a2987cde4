"""What the parts of variables are called."""

from __future__ import annotations

from pathlib import Path

from project import shared_headers

from coalint.analysis.domain.store.part_names import Parts
from coalint.core import ir
from coalint.frontend.cuda.load import load

EMPTY = "__global__ void k() {}"


def test_of_two_structs_that_seem_to_be_bases_of_each_other_no_part_is_named(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(EMPTY)
    parts = Parts(load(str(file), (), shared_headers()))
    one, base = ir.Record("One", 8, 4), ir.Record("Base", 8, 4)
    parts._fields = {("One", 8): {(0, "Base", base)}, ("Base", 8): {(0, "One", one)}}
    assert parts.path(one, 4, 4) == ""
    assert parts.path(ir.Array(one, 4), 20, 4) == "[2]"
