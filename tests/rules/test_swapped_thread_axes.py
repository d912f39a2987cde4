"""COA103: threadIdx.x along the slow axis, and what exchanging the axes brings."""

from __future__ import annotations

import json

import pytest
from project import Project
from rule_findings import findings, kept, only, text
from synthetic import access, changed

from coalint.core.facts.access import Operation
from coalint.core.findings import Confidence


def test_swapped_axes() -> None:
    swapped = access(lambda x, y, z: 2048 * x + 4 * y, expression="in[row * width + col]")
    finding = only(kept(swapped), "COA103")
    assert finding.message == (
        "threadIdx.x steps over rows in the load of `in[row * width + col]`: it takes 32 sectors per request (ideal: 4)"
    )
    assert "2048 bytes apart, while threadIdx.y moves by 4 bytes" in text(finding)
    assert "swap the axes" in finding.help


def test_swapped_axes_with_a_symbolic_pitch() -> None:
    swapped = access(lambda x, y, z: 4096 * x + 4 * y, strides=(None, 4, 0), exact=False, symbolic=("width",))
    finding = only(kept(changed(swapped, stride="4*width", stride_texts=("4*width", "4", "0"))), "COA103")
    assert "`4*width` bytes apart" in text(finding)
    assert finding.confidence is Confidence.MEDIUM


STRUCTS = """\
struct Entry {{ int index; float weight; }};
__global__ void k(float *out, Entry *m, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = threadIdx.y;
    {body}
}}
void run(float *out, Entry *m, int n) {{ k<<<n / 32, dim3(32, 16)>>>(out, m, n); }}
"""


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("Entry r = m[i * 16 + j]; atomicAdd(out + r.index, r.weight);", {"COA103"}),
        ("m[i * 16 + j].index = n;", {"COA103"}),
        ("m[i + j * n].index = n;", {"COA102"}),
        ("Entry r = m[i * 16]; atomicAdd(out + r.index, r.weight);", {"COA101"}),
    ],
)
def test_structs_that_another_axis_walks_are_swapped_too(project: Project, body: str, codes: set[str]) -> None:
    project.put("k.cu", STRUCTS.format(body=body))
    found = [one for one in project.lint("k.cu").report["diagnostics"] if one["severity"] == "warning"]
    assert {one["code"] for one in found} == codes
    assert not any(
        "other pieces" in note["message"] or "alternate" in one["help"] for one in found for note in one["notes"]
    )


def test_a_transpose_is_sent_through_shared_memory() -> None:
    read = access(lambda x, y, z: 2048 * y + 4 * x, expression="in[y * width + x]")
    write = access(lambda x, y, z: 1024 * x + 4 * y, op=Operation.STORE, expression="out[x * height + y]")
    finding = findings(read, write)["COA103"][0]
    assert "shared memory" in finding.help
    assert "`in[y * width + x]` runs along the rows" in finding.help


def test_a_transpose_by_16x16_blocks_shares_sectors_between_two_rows() -> None:
    write = access(lambda x, y, z: 1024 * x + 4 * y, block=(16, 16, 1), op=Operation.STORE)
    assert "takes 16 sectors per request (ideal: 4)" in only(kept(write), "COA103").message


def test_one_dimensional_blocks_have_no_axes_to_swap() -> None:
    flat = access(lambda x, y, z: 2048 * x, block=(256, 1, 1), strides=(2048, 4, 0))
    only(kept(flat), "COA101")


SWAPPED = """\
__global__ void scale(float *out, const float *in, int width) {{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    {statement}
}}
void run(float *a) {{ scale<<<dim3(4, 4), dim3(32, 8)>>>(a, a, 1024); }}
"""


def test_an_exchange_of_the_axes_says_what_to_write_and_what_it_brings(project: Project) -> None:
    project.put("k.cu", SWAPPED.format(statement="out[row * width + col] = in[row * width + col];"))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert finding["code"] == "COA103"
    assert len(finding["places"]) == 2
    assert "`int row = blockIdx.y * blockDim.y + threadIdx.y`" in finding["help"]
    assert "`int col = blockIdx.x * blockDim.x + threadIdx.x`" in finding["help"]
    assert "its global accesses take 8 sectors in total instead of 64" in finding["help"]
    exchanged = SWAPPED.replace("int row", "int R").replace("int col", "int row").replace("int R", "int col")
    project.put("k.cu", exchanged.format(statement="out[row * width + col] = in[row * width + col];"))
    counted = json.loads(project.coalint("inspect", "--output-format=json", "k.cu").out)
    assert sum(access["sectors"] for access in counted["kernels"][0]["accesses"]) == 8


def test_an_exchange_that_brings_nothing_is_given_no_numbers(project: Project) -> None:
    project.put(
        "k.cu", SWAPPED.format(statement="out[row * width + col] += in[col * width + row] * in[col * 9 + row];")
    )
    found = project.lint("--select", "COA103", "k.cu").report["diagnostics"]
    assert found
    assert not any("in total instead of" in finding["help"] for finding in found)
