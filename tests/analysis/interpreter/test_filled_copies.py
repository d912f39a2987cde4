"""Asynchronous copies whose lanes read, or fill their place with zeros."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import Project, shared_headers

from coalint.core.facts.access import Access, Operation
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture
from coalint.machine.traffic import Traffic

KERNEL = """\
__device__ unsigned place(const void *p) {{ return (unsigned)__cvta_generic_to_shared(p); }}
__global__ void __launch_bounds__(64) k(const float4 *in, const bool *flags, int n, int m, int pitch) {{
    __shared__ __align__(128) float4 s[64 * 9];
    int t = threadIdx.x;
    {before}
    asm volatile("{asm}" ::"r"(place(&s[{to}])), "l"(&in[{at}]), "r"({read}));
}}
"""
PAST = "cp.async.cg.shared.global [%0], [%1], 16, %2;"
THROUGH = "cp.async.ca.shared.global [%0], [%1], 16, %2;"
IGNORED = "{{ .reg .pred p; setp.{how}.b32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p; }}"


def ends(
    folder: Path, read: str, asm: str = PAST, *, to: str = "t", at: str = "t", before: str = ""
) -> dict[Operation, tuple[Access, Traffic | None]]:
    file = folder / "k.cu"
    file.write_text(KERNEL.format(asm=asm, to=to, at=at, read=read, before=before))
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    (kernel,) = result.checked
    assert kernel.analysis is not None
    found = {a.op: (a, t) for a, t in zip(kernel.analysis.accesses, kernel.traffics, strict=True) if a.bytes == 16}
    assert len(found) == 2
    return found


@pytest.mark.parametrize(
    "read",
    [
        "t % 32 < 8 ? 16 : 0",
        "(t % 32 < 8) * 16",
        "(t % 32 < 8) << 4",
        "t % 32 >= 8 ? 0 : 16",
        "t % 32 < 16 ? (t % 32 < 8 ? 16 : 0) : 0",
        "16 - 16 * (t % 32 >= 8)",
    ],
)
def test_lanes_that_read_nothing_ask_for_no_sector_but_write(tmp_path: Path, read: str) -> None:
    found = ends(tmp_path, read)
    assert found[Operation.LOAD][1] == Traffic(4, 4)
    assert found[Operation.STORE][1] == Traffic(4, 4)
    assert found[Operation.STORE][0].result.exact


@pytest.mark.parametrize(("how", "read"), [("ne", "t % 32 >= 8"), ("eq", "t % 32 < 8")])
def test_a_predicate_may_say_which_lanes_ignore_the_source(tmp_path: Path, how: str, read: str) -> None:
    found = ends(tmp_path, f"(int)({read})", IGNORED.format(how=how))
    assert found[Operation.LOAD][1] == Traffic(4, 4)
    assert found[Operation.STORE][1] == Traffic(4, 4)


@pytest.mark.parametrize("before", ["int size = 16; if (t >= n) size = 0;", "int size = 0; if (t < n) size = 16;"])
def test_a_variable_says_how_many_bytes_are_read(tmp_path: Path, before: str) -> None:
    found = ends(tmp_path, "size", before=before)
    assert found[Operation.LOAD][1] == Traffic(16, 16)
    assert not found[Operation.LOAD][0].result.exact


def test_which_lanes_read_may_rest_on_memory(tmp_path: Path) -> None:
    found = ends(tmp_path, "flags[t] ? 16 : 0")
    assert found[Operation.STORE][0].result.exact
    assert not found[Operation.LOAD][0].result.exact


def test_a_store_past_l1_costs_what_a_store_does_whatever_is_read(tmp_path: Path) -> None:
    """Rows of 9 quads: without zeros the store would take 10 wavefronts and more."""
    found = ends(tmp_path, "t < n ? 16 : 0", to="t / 8 * 9 + t % 8", at="t / 8 * pitch + t % 8")
    access, cost = found[Operation.STORE]
    assert cost == Traffic(4, 4)
    assert access.result.exact
    assert found[Operation.LOAD][1] == Traffic(24, 16)


def test_a_copy_through_l1_waits_for_the_lanes_that_read(tmp_path: Path) -> None:
    """Every second quad is read, by lanes 0 to 7 of a warp: two of them meet in each group of banks."""
    found = ends(tmp_path, "t % 32 < 8 ? 16 : 0", THROUGH, at="2 * t")
    assert found[Operation.LOAD][1] == Traffic(8, 4)
    assert found[Operation.STORE][1] == Traffic(5, 4)


@pytest.mark.parametrize("read", ["t % 32 < 8 ? 16 : 8", "n", "t % 17", "min(16, 16 * (n - t))"])
def test_some_of_the_bytes_are_read_in_a_way_that_is_not_known(tmp_path: Path, read: str) -> None:
    for access, cost in ends(tmp_path, read).values():
        assert cost is None
        assert "fills in zeros after a number of bytes" in (access.result.unknown or "")


def test_nothing_but_zeros_reads_no_memory(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(KERNEL.format(asm=PAST, to="t", at="t", read="0", before=""))
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    assert result.checked[0].analysis is not None
    assert [access.op for access in result.checked[0].analysis.accesses] == [Operation.STORE]


def test_a_warp_that_only_fills_in_zeros_is_said_not_to_count(tmp_path: Path) -> None:
    access, cost = ends(tmp_path, "t < 32 ? 16 : 0")[Operation.LOAD]
    assert cost == Traffic(16, 16)
    assert not access.result.exact
    assert "warps that only fill in zeros are not counted" in access.result.assumed


def test_lanes_that_fill_in_zeros_write_what_others_may_read(project: Project) -> None:
    project.put(
        "k.cu",
        """\
__global__ void k(float4 *out, const float4 *in, int n) {
    __shared__ float4 s[256];
    int t = threadIdx.x;
    unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(&in[t]), "r"(t < n ? 16 : 0));
    out[t] = s[255 - t];
}
void run(float4 *p) { k<<<1, 256>>>(p, p, 100); }
""",
    )
    assert "COA304" in project.lint("k.cu").codes
