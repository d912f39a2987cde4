"""A stride that counts bytes makes an access good where it is the size of an element, not where it is 1."""

from __future__ import annotations

import pytest
from project import Project

SOURCE = """\
__global__ void k(char *out, long step) {{
    int i = blockIdx.x * 256 + threadIdx.x;
    *({type} *)(out + {factor}i * step) = {type}();
}}
void f(char *o, long s) {{ k<<<4, 256>>>(o, s); }}
"""


@pytest.mark.parametrize(
    ("type_name", "factor", "number"),
    [("char", "", 1), ("short", "", 2), ("float", "", 4), ("double", "", 8), ("float4", "", 16), ("float", "2 * ", 2)],
)
def test_the_number_that_makes_it_coalesced_is_an_elements_size(
    project: Project, type_name: str, factor: str, number: int
) -> None:
    project.put("k.cu", SOURCE.format(type=type_name, factor=factor))
    (found,) = project.lint("--select=COA101", "--show-info", "k.cu").report["diagnostics"]
    assert f"`step` is {number}" in found["notes"][0]["message"]
    project.put("k.cu", SOURCE.format(type=type_name, factor=factor))
    assert project.lint("--select=COA101", f"--assume=step == {number}", "k.cu").report["diagnostics"] == []
