"""A barrier that ends a branch is put behind it, where nothing else changes and all threads then come to it."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
__global__ void k(float *out, const float *in, int n) {{
    __shared__ float tile[128];
    int t = threadIdx.x;
{body}
    out[t] = tile[127 - t];
}}
void run(float *a) {{ k<<<1, 128>>>(a, a, 100); }}
"""


def fixed(project: Project, body: str) -> str | None:
    """The body after fixes; None where nothing was changed."""
    before = KERNEL.format(body=body)
    project.put("k.cu", before)
    project.coalint("lint", "--select", "COA301", "--fix", "--unsafe-fixes", "k.cu")
    after = (project.root / "k.cu").read_text()
    if after == before:
        return None
    head, tail = KERNEL.split("{body}")
    assert project.lint("--select", "COA301", "k.cu").codes == []
    return after.removeprefix(head.format()).removesuffix(tail.format())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "    if (t < 64) {\n        tile[t] = in[t];\n        __syncthreads();\n    }",
            "    if (t < 64) {\n        tile[t] = in[t];\n    }\n    __syncthreads();",
        ),
        (
            "    if (t < 64) { tile[t] = in[t]; __syncthreads(); }",
            "    if (t < 64) { tile[t] = in[t]; }\n    __syncthreads();",
        ),
        (
            "    for (; n;) {\n    if (t < 9) {\n    ++tile[t];\n    __syncthreads();  // all\n    }\n    }",
            "    for (; n;) {\n    if (t < 9) {\n    ++tile[t];\n      // all\n    }\n    __syncthreads();\n    }",
        ),
    ],
)
def test_a_barrier_at_the_end_of_a_branch_is_put_behind_it(project: Project, before: str, after: str) -> None:
    assert fixed(project, before) == after


@pytest.mark.parametrize(
    "body",
    [
        # it would be put behind the loop, or between an `if` and its `else`
        "    for (int s = 64; s > 0; s /= 2)\n        if (t < s) { tile[t] += tile[t + s]; __syncthreads(); }",
        "    if (n > t) out[t] = 0;\n    else if (t < 64) { tile[t] = in[t]; __syncthreads(); }",
        "    if (t < 64) { tile[t] = in[t]; __syncthreads(); } else { tile[t] = 0; }",
        # something comes after it, or only in another branch
        "    if (t < 64) { tile[t] = in[t]; __syncthreads(); out[t] = tile[63 - t]; }",
        "    if (t < 64) { if (n > 3) { tile[t] = in[t]; __syncthreads(); } }",
        # some leave before
        "    for (int s = 0; s < 4; ++s) { if (t < 64) { if (in[t] > 0) break; tile[t] = s; __syncthreads(); } }",
        "    if (t < 64) { if (in[t] > 0) return; tile[t] = in[t]; __syncthreads(); }",
        # not all would come there either
        "    if (t < 96) { if (t < 64) { tile[t] = in[t]; __syncthreads(); } tile[t] = 1; }",
        # nothing but the barrier: what it is for cannot be seen
        "    if (t < 64) { __syncthreads(); }",
    ],
)
def test_any_other_barrier_stays(project: Project, body: str) -> None:
    assert fixed(project, body) is None


def test_the_fix_is_offered_as_one_that_changes_the_meaning(project: Project) -> None:
    project.put("k.cu", KERNEL.format(body="    if (t < 64) { tile[t] = in[t]; __syncthreads(); }"))
    (found,) = project.lint("--select", "COA301", "k.cu").report["diagnostics"]
    assert found["fix"]["description"] == "put the barrier after the branch"
    assert not found["fix"]["safe"]
