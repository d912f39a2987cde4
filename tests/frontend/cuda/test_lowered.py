"""What of a translation unit is lowered, how often, and that nothing of libclang's stays behind."""

from __future__ import annotations

import weakref
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from clang.cindex import TranslationUnit
from project import shared_headers

from coalint.core import ir
from coalint.core.ir.walk import _CHILDREN
from coalint.engine.check.file import check_file
from coalint.engine.check.garbage import uncollected
from coalint.engine.check.records import Job, Source
from coalint.frontend.cuda.load import load
from coalint.machine.architecture import architecture


def lowered(folder: Path, source: str) -> ir.Module:
    path = folder / "k.cu"
    path.write_text(source)
    return load(str(path), (), shared_headers())


def times(module: ir.Module) -> Counter[str]:
    """How many functions of each name there are; kernels that are analysed are among them."""
    return Counter(function.name for function in module.functions.values())


def test_kernel_instances_that_are_not_analysed_are_not_lowered(tmp_path: Path) -> None:
    launches = " ".join(f"k<{n}><<<1, 32>>>(p);" for n in range(1, 61))
    kernel = "template <int S> __global__ void k(float *p) { p[threadIdx.x * S] = 0; }\n"
    module = lowered(tmp_path, f"{kernel}void run(float *p) {{ {launches} }}")
    assert len(module.kernels) == times(module)["k"] == 24


HOST = """
__global__ void k(float *p, int n) { p[threadIdx.x * n] = 0; }
void run(float *p, int n) {
  auto outer = [&] {
    auto inner = [&](int threads) { k<<<n, threads>>>(p, 2); };
    inner(64);
  };
  outer();
}
"""


def test_the_bodies_of_nested_lambdas_are_lowered_once(tmp_path: Path) -> None:
    module = lowered(tmp_path, HOST)
    launches = [node for function in module.functions.values() for node in walk(function.body) if is_launch(node)]
    assert len(launches) == 1
    assert times(module)["operator()"] == 2
    result = check_file(
        Source(str(tmp_path / "k.cu")), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers())
    )
    assert result.checked[0].analysis is not None
    assert result.checked[0].analysis.specialization.block == (64, 1, 1)


def test_a_lambda_is_what_its_calls_call(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(
        "template <class F> __device__ void at(F f) { f(3); }\n"
        "struct S { int by; __device__ void run(float *p) {\n"
        "  auto f = [=](int i) { p[i * by * threadIdx.x] = 0; }; f(2); } };\n"
        "__global__ void k(float *p) {\n"
        "  auto one = [&](int i) { p[i * threadIdx.x] = 1; };\n"
        "  auto any = [&](auto i) { p[4 * i] = 2; };\n"
        "  one(2); any(threadIdx.x); at(one); at([p](int i) { p[i * i * threadIdx.x] = 3; });\n"
        "  void (*plain)(float *, int) = [](float *q, int i) { q[5 * i] = 4; };\n"
        "  plain(p, threadIdx.x); S s{3}; s.run(p);\n"
        "}\n"
    )
    result = check_file(
        Source(str(tmp_path / "k.cu")), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers())
    )
    assert result.checked[0].analysis is not None
    strides = [access.stride for access in result.checked[0].analysis.accesses]
    assert strides == ["8", "16", "12", "36", "20", "24"]


def test_a_declaration_of_several_variables_is_told_apart(tmp_path: Path) -> None:
    """A name that refers to the second one gives libclang the whole declaration as its place."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(float *a, int n) {\n  for (int m = 0, i = n; m + i < n; m++, i++) a[i] = 1;\n}\n"
    )
    (kernel,) = load(str(path), headers=shared_headers()).kernels
    declared = [node for node in ir.nodes(kernel.function.body) if isinstance(node, ir.Declare)]
    assert [(node.variable.name, node.span.column, node.span.end_column) for node in declared] == [
        ("m", 8, 17),
        ("i", 19, 24),
    ]


UNKNOWN = "template <class T> __global__ void k(T *p) { p[threadIdx.x] = unknown(); }\n"


@pytest.mark.parametrize("source", [HOST, UNKNOWN])
def test_libclangs_tree_is_let_go_of_without_the_collector(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    units: list[weakref.ref[TranslationUnit]] = []
    real = TranslationUnit.__init__

    def remembered(unit: TranslationUnit, *how: Any, **named: Any) -> None:
        units.append(weakref.ref(unit))
        real(unit, *how, **named)

    monkeypatch.setattr(TranslationUnit, "__init__", remembered)
    with uncollected():
        module = lowered(tmp_path, source)
        assert module.kernels
        assert units
        assert not any(unit() for unit in units)


LEAVES = {ir.Literal, ir.Name, ir.Builtin, ir.FunctionName, ir.Lambda, ir.Jump, ir.Unanalysed}


CLASSES = [value for value in vars(ir).values() if isinstance(value, type)]
KINDS = [kind for kind in CLASSES if issubclass(kind, ir.Expression | ir.Statement)]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (ir.Expression, ir.Statement)])
def test_a_walk_comes_to_the_parts_of_every_kind_of_node(kind: type) -> None:
    assert (kind in _CHILDREN) is (kind not in LEAVES)


def walk(node: ir.Expression | ir.Statement) -> list[ir.Expression | ir.Statement]:
    return [node, *(inner for child in ir.children(node) for inner in walk(child))]


def is_launch(node: ir.Expression | ir.Statement) -> bool:
    return isinstance(node, ir.Launch)
