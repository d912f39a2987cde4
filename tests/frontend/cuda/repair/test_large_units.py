"""Files with thousands of instances: what is asked of each error and each unit does not multiply."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_analysis import replaces_what_is_compiled

from coalint.frontend.cuda import load as loading
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.repair import relevant_errors
from coalint.frontend.cuda.repair.repaired_file import RepairedFile
from coalint.frontend.cuda.unit.translation_unit import LoweredUnit

WRONG = "template <int N> void lone(int *p) { p[N] = Unknown<N>::value; }\n"


def test_the_instances_of_a_host_template_stand_at_one_place_however_many_there_are(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    calls = " ".join(f"lone<{n}>(p);" for n in range(40))
    text = f"{WRONG}__global__ void k() {{}}\nvoid run(int *p) {{ k<<<1, 1>>>(); {calls} }}\nint wrong = missing;\n"
    path.write_text(text)
    unit = parse(str(path), (), text)
    locations = Locations(str(path), text)
    locations.take((), unit)
    assert relevant_errors._hosts(unit, locations) == {str(path): [((1, 1), (1, 65)), ((1, 18), (1, 65))]}
    own = relevant_errors.own_errors(RepairedFile(str(path), (), text, None), unit)
    assert {error.location.line for error in own} == {4}


@replaces_what_is_compiled
def test_a_unit_too_large_for_instances_is_lowered_once_for_what_is_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered = []
    make = LoweredUnit.__init__

    def counted(unit: LoweredUnit, *arguments: object) -> None:
        lowered.append(unit)
        make(unit, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(LoweredUnit, "__init__", counted)
    monkeypatch.setattr(loading, "LARGEST_TREE", 0)
    (tmp_path / "helper.cuh").write_text("__device__ inline int helper(int i) { return Unknown::of(i); }\n")
    path = tmp_path / "k.cu"
    template = "template <typename T> __global__ void k(T *out) { out[helper(threadIdx.x)] = 0; }"
    kernel = "__global__ void l(float *out) { out[helper(threadIdx.x)] = 0; }"
    path.write_text(f'#include "helper.cuh"\n{template}\n{kernel}\n')
    module = loading.load(str(path))
    assert {kernel.name for kernel in module.kernels} == {"k", "l"}
    assert len(lowered) == 2
