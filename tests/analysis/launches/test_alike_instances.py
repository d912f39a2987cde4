"""Instances of a kernel that differ in floating-point types of one size alone are evaluated once, and said alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_analysis import replaces_what_is_compiled
from project import shared_headers

from coalint.engine.check import kernel, kernel_check
from coalint.engine.check.file import check_file
from coalint.engine.check.records import CheckedKernel, Job, Source
from coalint.machine.architecture import architecture

HEAD = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\ntemplate <class T, int N> __global__ void k(T *a, int n) "
BODY = "{ if (threadIdx.x < n) a[N * threadIdx.x] = a[threadIdx.x]; }"


def check(folder: Path, source: str) -> list[CheckedKernel]:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), headers=shared_headers()))
    assert not result.failures, result.failures
    return list(result.checked)


def launches(*arguments: str) -> str:
    """A host function that launches these instances."""
    calls = [f"k<{one}><<<1, 64>>>(({one.partition(',')[0]} *)a, 9);" for one in arguments]
    return f"\nvoid run(void *a) {{ {' '.join(calls)} }}\n"


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The template arguments of the kernels that are evaluated from now on."""
    made: list[str] = []
    analyse = kernel.analyse_kernel

    def counted(path, module, kernel, *rest):  # type: ignore[no-untyped-def]
        made.append(", ".join(kernel.template_arguments))
        return analyse(path, module, kernel, *rest)

    monkeypatch.setattr(kernel_check, "analyse_kernel", counted)
    return made


@replaces_what_is_compiled
def test_types_of_one_size_are_evaluated_once(tmp_path: Path, evaluations: list[str]) -> None:
    both = check(tmp_path, HEAD + BODY + launches("__half, 2", "__nv_bfloat16, 2"))
    assert evaluations == ["__half, 2"]
    assert [one.specialization.template_arguments for one in both] == [("__half", "2"), ("__nv_bfloat16", "2")]


@replaces_what_is_compiled
@pytest.mark.parametrize(
    "arguments",
    [("__half, 2", "float, 2"), ("__half, 2", "__nv_bfloat16, 3"), ("__half, 2", "unsigned short, 2")],
)
def test_others_are_evaluated_each(tmp_path: Path, evaluations: list[str], arguments: tuple[str, str]) -> None:
    check(tmp_path, HEAD + BODY + launches(*arguments))
    assert len(evaluations) == 2


@replaces_what_is_compiled
def test_code_for_one_type_alone_is_seen(tmp_path: Path, evaluations: list[str]) -> None:
    chosen = (
        "template <class T> struct By { static const int n = 1; };\n"
        "template <> struct By<__nv_bfloat16> { static const int n = 5; };\n"
    )
    head = HEAD.replace("template <class T, int", f"{chosen}template <class T, int", 1)
    both = check(tmp_path, head + BODY.replace("N *", "By<T>::n *") + launches("__half, 2", "__nv_bfloat16, 2"))
    assert len(evaluations) == 2
    assert len({one.outcome for one in both}) == 2


@replaces_what_is_compiled
def test_overloads_of_a_helper_are_evaluated_each(tmp_path: Path, evaluations: list[str]) -> None:
    """A finding in one stands at its line, though both read alike."""
    types = ("__half", "__nv_bfloat16")
    helpers = "".join(f"__device__ {one} far(const {one} *p) {{ return p[3 * threadIdx.x]; }}\n" for one in types)
    includes, template = HEAD.split("template", 1)
    body = BODY.replace("= a[threadIdx.x]", "= far(a)")
    both = check(tmp_path, f"{includes}{helpers}template{template}{body}{launches('__half, 2', '__nv_bfloat16, 2')}")
    assert len(evaluations) == 2
    assert both[0].moves != both[1].moves


@replaces_what_is_compiled
@pytest.mark.parametrize(
    "statement",
    ["__shared__ T s[32]; s[threadIdx.x] = a[0]; __syncthreads(); a[threadIdx.x] = s[0];", "atomicAdd(a, a[n]);"],
)
def test_a_shared_array_and_an_atomic_are_said_of_each_type(
    tmp_path: Path, evaluations: list[str], statement: str
) -> None:
    """What is said of them names the type."""
    body = BODY.removesuffix("}") + statement + " }"
    check(tmp_path, HEAD + body + launches("__half, 2", "__nv_bfloat16, 2"))
    assert len(evaluations) == 2


def test_what_is_said_is_what_each_says_alone(tmp_path: Path) -> None:
    pair = ("__half, 2", "__nv_bfloat16, 2")
    together = check(tmp_path, HEAD + BODY + launches(*pair))
    alone = [check(tmp_path, HEAD + BODY + launches(one))[0] for one in pair]
    assert [(one.outcome, one.coverage, one.moves) for one in together] == [
        (one.outcome, one.coverage, one.moves) for one in alone
    ]
