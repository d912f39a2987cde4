"""Lanes that run in lockstep where a makefile builds their file for old GPUs alone need no barrier."""

from __future__ import annotations

import pytest
from project import Project

from coalint.frontend.cuda.build.own_targets import capabilities_of

SUM = """__global__ void sum(float *p) {
    __shared__ volatile float s[64];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) { s[threadIdx.x] += s[threadIdx.x + 32]; s[threadIdx.x] += s[threadIdx.x + 16]; }
    p[threadIdx.x] = s[threadIdx.x];
}
void run(float *p) { sum<<<1, 64>>>(p); }
"""
OLD = "src/k.o: src/k.cu\n\t$(NVCC) -gencode=arch=compute_35,code=sm_35 -o $@ -c $<\n"


@pytest.mark.parametrize(
    ("makefile", "severity"),
    [
        (OLD, "info"),
        (OLD.replace("src/k.cu", "src/other.cu"), "warning"),
        (OLD.replace("code=sm_35", "code=sm_35 -gencode=arch=compute_80,code=sm_80"), "warning"),
        ("all:\n", "warning"),
    ],
)
def test_a_file_that_is_built_for_old_gpus_alone(project: Project, makefile: str, severity: str) -> None:
    project.put("Makefile", makefile)
    project.put("src/k.cu", SUM)
    found = [one for one in project.lint(".").report["diagnostics"] if one["code"] == "COA304"]
    assert {one["severity"] for one in found} == {severity}


@pytest.mark.parametrize(
    ("makefile", "expected"),
    [
        (OLD, (35,)),
        ("src/k.o: ./src/k.cu k.h\n\tnvcc -arch=sm_52 \\\n\t -c $<\n", (52,)),
        (
            "F = $(G)\nG += -arch=sm_60\n#G += -arch=sm_70\nsrc/k.o: src/k.cu\n\tnvcc $(F) -c $<\n",
            (60,),
        ),
        ("src/k.o: src/k.cu\n\tnvcc -arch=sm_52 $(GENCODE) -c $<\n", ()),
        ("src/k.o: src/k.cu\n\tnvcc -O3 -c $<\n", ()),
        (OLD + "fast/k.o: src/k.cu\n\tnvcc -arch=sm_80 -c $<\n", (35, 80)),
        (OLD + "fast/k.o: src/k.cu\n\tnvcc -c $<\n", ()),
        ("%.o: %.cu\n\tnvcc -arch=sm_52 -c $<\n", ()),
    ],
)
def test_the_gpus_that_a_rule_names(makefile: str, expected: tuple[int, ...]) -> None:
    assert capabilities_of(makefile, "src/k.cu") == expected
