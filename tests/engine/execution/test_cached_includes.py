"""Headers that turn up, change, or are named by a macro: a result that rests on them is not used again."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from cached_runs import (
    KERNEL,
    LINE,
    RULES,
    entries,
    results_of,
    settle,
)

from coalint.engine.check.records import FileResult
from coalint.engine.config.settings import Settings
from coalint.engine.execution.cache.include_names import digest_of
from coalint.engine.linter import lint
from coalint.engine.request import RunRequest


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ('#include "late.cuh"\n', "late.cuh"),
        ("#include <late.cuh>\n", "include/late.cuh"),
        ('#if __has_include("late.cuh")\n#include "late.cuh"\n#endif\n', "include/late.cuh"),
        ('#include \\\n "late.cuh"\n', "include/late.cuh"),
        ('  #  include  "sub/late.cuh"\n', "include/sub/late.cuh"),
    ],
)
def test_a_header_that_turns_up_is_seen(text: str, missing: str, folder: Path) -> None:
    (folder / "k.cu").write_text("#define N 2\n" + text + KERNEL.replace("STRIDE", "N"))
    settle()
    before, _ = results_of()
    assert results_of()[1] == 0
    path = folder / missing
    path.parent.mkdir(exist_ok=True)
    path.write_text("#undef N\n#define N 8\n")
    settle()
    after, checked = results_of()
    assert checked == 1
    assert any("32 sectors" in message for message in after)
    assert not any("32 sectors" in message for message in before)


COMPUTED = '#define HEADER "stride.cuh"\n#include HEADER\n' + KERNEL.partition("\n")[2]


def test_an_include_that_a_macro_names_is_kept_until_its_file_changes(folder: Path) -> None:
    (folder / "k.cu").write_text(COMPUTED)
    settle()
    before, _ = results_of()
    assert results_of() == (before, 0)
    (folder / "include" / "stride.cuh").write_text("#define STRIDE 2\n")
    settle()
    after, checked = results_of()
    assert checked == 1
    assert after != before


@pytest.mark.parametrize("missing", ["stride.cuh", "first/stride.cuh"])
def test_a_header_that_a_macro_names_is_seen_where_it_turns_up(missing: str, folder: Path) -> None:
    (folder / "k.cu").write_text(COMPUTED)
    settings = Settings(flags=("-Ifirst", "-Iinclude"))
    settle()
    before, _ = results_of(settings)
    assert results_of(settings) == (before, 0)
    path = folder / missing
    path.parent.mkdir(exist_ok=True)
    path.write_text("#define STRIDE 2\n")
    settle()
    after, checked = results_of(settings)
    assert checked == 1
    assert after != before


def test_a_header_that_a_macro_names_in_vain_is_seen_when_it_turns_up(folder: Path) -> None:
    (folder / "k.cu").write_text("#define HEADER <sub/late.cuh>\n#include HEADER\n" + KERNEL.replace("STRIDE", "2"))
    settle()
    before, _ = results_of()
    assert results_of() == (before, 0)
    (folder / "include" / "sub").mkdir()
    (folder / "include" / "sub" / "late.cuh").write_text("")
    settle()
    assert results_of()[1] == 1


def test_a_file_that_asks_for_a_header_that_a_macro_names_is_not_kept(folder: Path) -> None:
    (folder / "k.cu").write_text('#define HEADER "late.cuh"\n#if __has_include(HEADER)\n#endif\n' + KERNEL)
    settle()
    results_of()
    assert results_of()[1] == 1


def test_an_entry_makes_no_file_be_shown_that_the_check_did_not_read(folder: Path) -> None:
    results_of()
    (entry,) = entries(folder)
    (folder / "secret").write_text("the launch codes")
    data = json.loads(entry.read_text().partition("\n")[2])
    data[[field.name for field in fields(FileResult)].index("sources")]["secret"] = ""
    text = json.dumps(data)
    name = entry.parent.name + entry.stem
    entry.write_text(f"{digest_of((name + LINE + text).encode())}\n{text}")
    report = lint(RunRequest(files=["k.cu"], settings=Settings(flags=("-Iinclude",))), RULES)
    assert report.diagnostics
    assert "launch codes" not in "".join(report.sources.values())
