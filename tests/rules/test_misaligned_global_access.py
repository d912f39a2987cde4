"""COA105: rows that begin within a sector."""

from __future__ import annotations

from rule_findings import findings, kept, only
from synthetic import access

from coalint.core.findings import Severity


def test_off_by_one() -> None:
    shifted = access(lambda x, y, z: 4 * x + 4, block=(256, 1, 1), offset_bytes=4, expression="in[i + 1]")
    finding = only(kept(shifted), "COA105")
    assert finding.message == (
        "the load of `in[i + 1]` starts 4 bytes past a sector boundary and takes 5 sectors per request (ideal: 4)"
    )
    assert finding.severity is Severity.INFO


def test_a_negative_offset() -> None:
    shifted = access(lambda x, y, z: 4 * x - 4, block=(256, 1, 1), offset_bytes=-4)
    assert "starts 28 bytes past a sector boundary" in only(kept(shifted), "COA105").message


def test_an_aligned_offset_is_silent() -> None:
    assert not findings(access(lambda x, y, z: 4 * x + 32, block=(256, 1, 1), offset_bytes=32))


def test_an_offset_that_no_constant_part_tells() -> None:
    """`in[n - i]`: a warp's lowest address is that of its last lane."""
    falling = access(lambda x, y, z: 4096 - 4 * x, block=(256, 1, 1), offset_bytes=4096)
    (reason, *_) = only(kept(falling), "COA105").notes
    assert reason.message == "the first address of each warp is that far past a multiple of 32 bytes"


def test_rows_of_an_odd_length() -> None:
    """A pitch of 1001 floats puts seven rows of eight off the boundary."""
    rows = access(lambda x, y, z: 4004 * y + 4 * x, offset_bytes=0)
    finding = only(kept(rows), "COA105")
    assert "mostly starts off a sector boundary and takes 4.88 sectors per request (ideal: 4)" in finding.message
    assert "differ by distances that are not multiples of 32 bytes" in finding.notes[0].message


def test_an_offset_that_is_not_the_cause_is_silent() -> None:
    """Rows of 28 floats straddle sectors by themselves; taking the offset away would not help."""
    rows = access(lambda x, y, z: 112 * y + 4 * x + 16, block=(16, 16, 1), offset_bytes=16)
    assert "COA105" not in findings(rows)
