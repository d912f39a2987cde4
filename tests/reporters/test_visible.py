"""What a source or a path holds cannot steer the terminal or the log that a report is shown in."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from project import Project

from coalint.reporters.shared.escape_controls import escape_controls

KERNEL = (
    "__global__ void k(float *out, const float *in) {\n"
    "    out[threadIdx.x] = in[/*\x1b[2J \x9b31m \b\x07 \N{RIGHT-TO-LEFT OVERRIDE}*/ 8 * threadIdx.x];\n"
    "}\n"
    "void run(float *a) { k<<<4, 256>>>(a, a); }\n"
)
NAME = "kern\x1b[1mel.cu" if sys.platform != "win32" else "kernel.cu"


_OF_WRITING = {"ZERO WIDTH SPACE", "ZERO WIDTH NON-JOINER", "ZERO WIDTH JOINER", "WORD JOINER"}


def steering(text: str) -> list[str]:
    """The characters of a text that are not to be shown, but obeyed."""
    return [c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t"]


def test_every_character_is_replaced_by_one() -> None:
    every = "".join(map(chr, range(0xD800))) + "\ufeff\ufff9\ufffa\ufffb\ufffe\uffff\U000e0001\U000e0041\U000e007f"
    assert len(escape_controls(every)) == len(every)
    left = {unicodedata.name(c) for c in steering(escape_controls(every))}
    assert {name for name in left if not name.startswith(("ARABIC", "SYRIAC"))} == _OF_WRITING
    assert len(escape_controls(every).splitlines()) == 2, "no character but the line feed ends a line"
    kept = "a `float4` at 8 \N{MULTIPLICATION SIGN} 4\tbytes\n\N{CJK UNIFIED IDEOGRAPH-6F22}"
    assert escape_controls(kept) == kept


@pytest.mark.parametrize("output_format", ["full", "concise"])
def test_reports_do_not_steer_the_terminal(project: Project, output_format: str) -> None:
    project.put(NAME, KERNEL)
    done = project.coalint("lint", f"--output-format={output_format}", "--color=never", NAME)
    assert "8 * threadIdx.x]" in done.out
    assert steering(done.out) == []


def test_colours_are_still_coalints_own(project: Project) -> None:
    project.put(NAME, KERNEL)
    out = project.coalint("lint", "--color=always", NAME).out
    assert "\x1b[1;33mwarning[uncoalesced-global-access]\x1b[0m" in out
    assert "\x1b[2J" not in out
    assert "\x9b" not in out


@pytest.mark.parametrize("command", [("inspect",), ("lint",)])
def test_neither_listings_nor_errors_steer_it(project: Project, command: tuple[str, ...]) -> None:
    project.put(NAME, KERNEL)
    done = project.coalint(*command, "--color=never", NAME)
    assert steering(done.out + done.err) == []
    done = project.coalint(*command, "no\x1b[1m.cu")
    assert done.code == 2
    assert steering(done.err) == []


@pytest.mark.parametrize("output_format", ["full", "concise", "github"])
def test_no_character_but_the_line_feed_begins_a_line(
    project: Project, output_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # nothing is wrapped
    forged = "".join(f"{c}forged.cu:1:1: error[x] y" for c in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
    project.put("k.cu", KERNEL.replace("8 * threadIdx.x", f'"{forged}"[threadIdx.y] * threadIdx.x'))
    done = project.coalint("lint", f"--output-format={output_format}", "--show-info", "--color=never", "k.cu")
    assert "forged" in done.out
    assert not any(line.lstrip().startswith("forged") for line in done.out.splitlines())
