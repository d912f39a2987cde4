"""Of several instances that one launch has, those at which an access would end the kernel may never run."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
#include <cuda_fp16.h>
template <typename T> __global__ void four(const T *in, T *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 x = ((const float4 *)(in + 4 * i))[0];
    out[i] = (T)(x.x + x.y + x.z + x.w);
}
template <typename T> void launch(const void *in, void *out, int bytes) {
    if (bytes == 4) four<T><<<64, 256>>>((const T *)in, (T *)out);
}
"""
BOTH = "void run(void *a, int n) { if (n == 4) launch<float>(a, a, n); else launch<half>(a, a, n); }\n"
ALONE = "void run(void *a, int n) { launch<half>(a, a, n); }\n"
OTHER = "void more(void *a) { four<half><<<8, 256>>>((const half *)a, (half *)a); }\n"


def test_a_launch_with_an_open_block_is_one_too(project: Project) -> None:
    open_ = KERNEL.replace("int bytes)", "int bytes, int threads)").replace("<<<64, 256>>>", "<<<64, threads>>>")
    calls = "launch<float>(a, a, n, m); else launch<half>(a, a, n, m);"
    project.put("k.cu", f"{open_}void run(void *a, int n, int m) {{ if (n == 4) {calls} }}\n")
    (found,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA402"]
    assert found["severity"] == "info"


@pytest.mark.parametrize("condition", ["if (bytes > 0) ", ""])
def test_a_launch_that_no_number_chooses_makes_all_of_its_instances(project: Project, condition: str) -> None:
    project.put("k.cu", KERNEL.replace("if (bytes == 4) ", condition) + BOTH)
    (found,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA402"]
    assert found["severity"] == "error"


@pytest.mark.parametrize("choice", ["if (bytes == 4 && more > 0) ", "switch (bytes) case 4: "])
def test_a_number_chooses_by_a_condition_or_a_switch(project: Project, choice: str) -> None:
    kernel = KERNEL.replace("if (bytes == 4) ", choice).replace("int bytes)", "int bytes, int more = 1)")
    project.put("k.cu", kernel + BOTH)
    (found,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA402"]
    assert found["severity"] == "info"


@pytest.mark.parametrize(
    ("hosts", "severity"), [(BOTH, "info"), (ALONE, "error"), (BOTH + OTHER, "error"), (OTHER, "error")]
)
def test_a_launch_of_a_sound_instance_may_never_have_the_other(project: Project, hosts: str, severity: str) -> None:
    project.put("k.cu", KERNEL + hosts)
    (found,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA402"]
    assert found["severity"] == severity
    told = [note["message"] for note in found["notes"] if "which is sound here" in note["message"]]
    assert [text.startswith("the same launch has `four<float>` too") for text in told] == (
        [True] if severity == "info" else []
    )
