"""COA101 and COA104: strides and gathers in global memory, where they are reported and what is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from project import Project
from rule_findings import findings, kept, only, strided, text
from severities import kernel
from synthetic import SPAN, access, changed

import coalint
from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.launch import LaunchSource
from coalint.core.findings import Confidence, Note, Severity
from coalint.core.source.spans import Span


def test_every_second_float() -> None:
    finding = only(kept(strided(8, expression="in[2 * i]")), "COA101")
    assert finding.message == "the load of `in[2 * i]` takes 8 sectors per request (ideal: 4)"
    assert "neighbouring lanes are 8 bytes apart and use 4 bytes each" in text(finding)
    assert finding.confidence is Confidence.HIGH
    assert finding.severity is Severity.WARNING


def test_ideal_accesses_are_silent() -> None:
    assert not findings(strided(0))
    assert not findings(strided(4))
    assert not findings(access(lambda x, y, z: 4 * (255 - x), block=(256, 1, 1)))
    assert not findings(access(lambda x, y, z: 4 * (x ^ 5), block=(256, 1, 1)))


def test_one_extra_sector_is_not_uncoalesced() -> None:
    """Every second byte touches two sectors where one would do, and aligning it would not help."""
    assert not findings(access(lambda x, y, z: 2 * x, block=(256, 1, 1), bytes=1))


def gather(expression: str, column: int = 5, **fields: object) -> Access:
    there = replace(SPAN, column=column, end_column=column + len(expression))
    got = access(None, expression=expression, data_dependent=True, index_load="order[i]", **fields)  # type: ignore[arg-type]
    return replace(got, span=there)


def test_a_gather_names_the_load_and_the_range() -> None:
    finding = only(kept(gather("in[order[i]]")), "COA104")
    assert (
        finding.message
        == "the load of `in[order[i]]` has an index that `order[i]` decides: 1 to 32 sectors per request"
    )
    assert finding.severity is Severity.INFO


def test_a_line_of_gathers_is_one_finding() -> None:
    found = findings(gather("b[order[i]]", 20), gather("a[order[i]]", 5), gather("a[order[i]]", 5, op=Operation.STORE))
    assert [finding.message.split("`")[1] for finding in found["COA104"]] == ["a[order[i]]"]
    assert "also affected: `b[order[i]]`" in text(found["COA104"][0])


def test_one_array_and_index_are_one_finding() -> None:
    found = findings(*(replace(gather(f"a[order[i] + {k}]"), span=replace(SPAN, line=10 + k)) for k in range(6)))
    assert [finding.span.line for finding in found["COA104"]] == [10]
    assert "also affected: `a[order[i] + 1]` (line 11), `a[order[i] + 2]` (line 12)" in text(found["COA104"][0])
    assert "and 2 more" in text(found["COA104"][0])


def test_a_gather_in_shared_memory_is_silent() -> None:
    assert not findings(gather("tile[order[i]]", space=Space.SHARED))


def test_a_gather_is_nothing_else() -> None:
    assert not findings(strided(64, data_dependent=True))
    assert not findings(access(None))


def test_the_bundled_headers_are_not_shown() -> None:
    bundled = str(Path(coalint.__file__).parent / "frontend" / "cuda" / "headers" / "coalint" / "cooperative_groups.h")
    chain = (Note("`thread_rank()`", Span(bundled, 8, 1, 8, 20, bundled=True)), Note("`int i = rank`", SPAN))
    finding = only(kept(strided(64, provenance=chain)), "COA101")
    assert [note.span for note in finding.notes if note.span is not None] == [SPAN]


def test_only_global_memory_has_sectors() -> None:
    assert not findings(strided(64, space=Space.LOCAL))
    assert not findings(strided(64, space=Space.CONSTANT))


def test_a_symbolic_stride_names_the_value_that_would_be_coalesced() -> None:
    pitch = strided(4096, strides=(None, 0, 0), exact=False, symbolic=("width",), expression="in[i * width]")
    pitch = changed(pitch, stride="4*width", stride_texts=("4*width", "0", "0"))
    finding = only(kept(pitch), "COA101")
    assert (
        finding.message == "the load of `in[i * width]` takes 32 sectors per request (ideal: 4) for a general `width`"
    )
    assert "neighbouring lanes are `4*width` bytes apart" in text(finding)
    assert finding.severity is Severity.WARNING
    assert "would be coalesced" not in text(finding)
    open_to_one = only(kept(changed(pitch, fitting=(("width", 1),))), "COA101")
    assert open_to_one.severity is Severity.INFO
    assert "would be coalesced if `width` is 1" in text(open_to_one)
    assert "--assume 'width == 1'" in open_to_one.help
    assert "say so with `// coalint: assume(width == 1)`" in open_to_one.help
    assert open_to_one.confidence is Confidence.MEDIUM
    nearly = only(kept(changed(pitch, fitting=(("width", 1),), fitting_count=5.25)), "COA101")
    assert nearly.severity is Severity.INFO
    assert "would take 5.25 sectors per request if `width` is 1" in text(nearly)


def test_an_assumed_block_lowers_the_confidence() -> None:
    assert kept(strided(8, source=LaunchSource.ASSUMED))["COA101"].confidence is Confidence.LOW


def test_short_rows_are_told_apart_from_strides() -> None:
    rows = access(lambda x, y, z: 256 * y + 4 * x, block=(4, 8, 1))
    finding = only(kept(rows), "COA101")
    assert "takes 8 sectors per request (ideal: 4)" in finding.message
    assert "blockDim.x is 4" in text(finding)
    assert "multiple of 32" in finding.help


def test_lanes_that_a_guard_leaves_are_told() -> None:
    sparse = strided(4)
    sparse = access(
        lambda x, y, z: 4 * x if x % 8 == 0 else None, block=(256, 1, 1), strides=sparse.strides, guard=("x % 8 == 0",)
    )
    finding = only(kept(sparse), "COA101")
    assert "takes 4 sectors per request (ideal: 1)" in finding.message
    assert "4 of 32 lanes are active on average, under `x % 8 == 0`" in text(finding)


def test_the_chain_of_assignments_follows_the_reason() -> None:
    chain = (Note("`i` is 2*threadIdx.x", SPAN),)
    assert kept(strided(8, provenance=chain))["COA101"].notes[-1:] == chain


@pytest.mark.parametrize(
    ("index", "reason"),
    [
        ("warp * 1000 + lane * pitch", "neighbouring lanes are `4*pitch` bytes apart and use 4 bytes each"),
        ("warp * 1000 + (lane / 4) * pitch + lane % 4 * 8", "in even steps with threadIdx.x"),
        ("warp * 1000 + (lane % 2) * 500 + lane * 5", "in even steps with threadIdx.x"),
    ],
)
def test_lanes_that_are_multiples_of_a_parameter_apart_are_not_called_scattered(
    project: Project, index: str, reason: str
) -> None:
    body = f"const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5; out[{index}] = n;"
    project.put("k.cu", kernel(body))
    [found] = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA101"]
    assert reason in found["notes"][0]["message"]


@pytest.mark.parametrize(
    ("index", "is_named"),
    [
        ("i * pitch + blockIdx.y", True),
        ("blockIdx.y + (i + n) * pitch", True),
        ("i * pitch + 2 * blockIdx.y", False),
        ("i * pitch + n * blockIdx.y", False),
        ("i * (pitch + blockIdx.y) + blockIdx.y", False),
        ("i * pitch + n", False),
    ],
)
def test_blocks_that_walk_the_elements_are_named_as_what_threads_should_count(
    project: Project, index: str, is_named: bool
) -> None:
    project.put("k.cu", kernel(f"out[{index}] = n;").replace("<<<4,", "<<<dim3(4, n),"))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert ("these are what blockIdx.y counts now, so let threadIdx.x count them" in finding["help"]) == is_named
