"""What is taken for known of launches: assumptions in comments and options, bounds, launches, and the fallback."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.launches.assumptions import Assumption, AssumptionError, assumption_problems, parse_assumption
from coalint.analysis.launches.specializations import specialize
from coalint.core.facts.access import Access
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.frontend.cuda.load import load
from coalint.frontend.cuda.spelling import CUDA
from coalint.machine.architecture import architecture


def specializations(folder: Path, source: str, *assumptions: str) -> dict[str, list[Specialization]]:
    file = folder / "k.cu"
    file.write_text(source)
    found: dict[str, list[Specialization]] = {}
    for kernel, specialization in specialize(
        load(str(file), (), shared_headers()), [parse_assumption(text, CUDA) for text in assumptions]
    ):
        found.setdefault(kernel.name, []).append(specialization)
    return found


def accesses(folder: Path, source: str, *assumptions: str) -> list[Access]:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(
        Source(str(file)), Job(assumptions, architecture("sm_80"), (), keep=True, headers=shared_headers())
    )
    return [access for kernel in result.checked if kernel.analysis for access in kernel.analysis.accesses]


KERNEL = "__global__ void k(float *out, int pitch) { out[threadIdx.x * pitch] = 0; }\n"


@pytest.mark.parametrize(
    ("text", "facts", "multiples"),
    [
        ("blockDim.x == 256", (("blockDim.x", 256),), ()),
        ("256 == blockDim.x && n == 1 << 20", (("blockDim.x", 256), ("n", 1 << 20)), ()),
        ("n == 0x10 && m == 3 * (4 + 1) && k == -2", (("n", 16), ("m", 15), ("k", -2)), ()),
        ("pitch % 32 == 0 && n == 7u", (("n", 7),), (("pitch", 32),)),
    ],
)
def test_assumptions_are_c_expressions(
    text: str, facts: tuple[tuple[str, int], ...], multiples: tuple[tuple[str, int], ...]
) -> None:
    assert parse_assumption(text, CUDA) == Assumption(facts, text, multiples)


@pytest.mark.parametrize(
    "text", ["", "n", "n > 0", "n == m", "n ==", "n == 4 || m == 4", "n == 1 << -1", "n = 4", "); int x = (1"]
)
def test_what_is_no_fact_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(AssumptionError, match="no C expression|write equalities such as"):
        parse_assumption(text, CUDA)


def test_a_launch_gives_shape_grid_and_constant_arguments(tmp_path: Path) -> None:
    host = "int main() { const int w = 8; dim3 block(w * 4, 8); k<<<dim3(3, 2), block>>>(nullptr, w * w); }"
    (found,) = specializations(tmp_path, KERNEL + host)["k"]
    assert (found.block, found.grid, found.arguments) == ((32, 8, 1), (3, 2, 1), (("pitch", 64),))
    assert (found.source, found.line) == (LaunchSource.LAUNCH, 2)


def test_two_unknown_quantities_are_never_taken_for_one(tmp_path: Path) -> None:
    """Each pair is loaded through pointers that only it holds: what is freed must not lend them its identity."""
    pairs = [
        f"const long a{n} = d->ne[{n}], b{n} = d->src[0]->ne[{n}]; k<<<1, a{n} / b{n}>>>(0, 1);" for n in range(20)
    ]
    host = f"struct T; void run(const T *d) {{ {' '.join(pairs)} }}"
    assert {s.source for s in specializations(tmp_path, KERNEL + host)["k"]} == {LaunchSource.ASSUMED}


def test_every_distinct_launch_is_one_specialization(tmp_path: Path) -> None:
    host = "int main() { for (int i = 0; i < 9; ++i) k<<<1, 64>>>(nullptr, 1); k<<<1, 128>>>(nullptr, 1); }"
    assert [s.block[0] for s in specializations(tmp_path, KERNEL + host)["k"]] == [64, 128]


@pytest.mark.parametrize(
    ("host", "block"),
    [
        ("dim3 b; b.x = 16; b.y = 4;", (16, 4, 1)),
        ("dim3 b = dim3(16, 4);", (16, 4, 1)),
        ("const int n = 1000; int t = n > 256 ? 256 : n; dim3 b(t);", (256, 1, 1)),
        ("dim3 b(min(1000, 256));", (256, 1, 1)),
        ("auto make = [](int x) { return dim3(x, 2); }; dim3 b = make(64);", (64, 2, 1)),
    ],
)
def test_block_shapes_are_followed_through_host_code(tmp_path: Path, host: str, block: tuple[int, int, int]) -> None:
    source = f"{KERNEL}int main() {{ {host} k<<<1, b>>>(nullptr, 1); }}"
    assert [s.block for s in specializations(tmp_path, source)["k"]] == [block]


def test_a_launch_in_a_host_helper_is_seen_with_the_callers_arguments(tmp_path: Path) -> None:
    host = "void run(float *p, int threads) { k<<<1, threads>>>(p, 2); }\nint main() { run(nullptr, 96); }"
    assert [s.block for s in specializations(tmp_path, KERNEL + host)["k"]] == [(96, 1, 1)]


@pytest.mark.parametrize(
    ("attributes", "block"),
    [
        ("__launch_bounds__(512)", (512, 1, 1)),
        ("__launch_bounds__(THREADS, 2)", (384, 1, 1)),
        ("__launch_bounds__(4 * 32)", (128, 1, 1)),
        ("__launch_bounds__(kThreads)", (192, 1, 1)),
    ],
)
def test_bounds_serve_where_nothing_launches(tmp_path: Path, attributes: str, block: tuple[int, int, int]) -> None:
    source = f"#define THREADS 384\nconstexpr int kThreads = 192;\n{KERNEL.replace('void k', f'void {attributes} k')}"
    (found,) = specializations(tmp_path, source)["k"]
    assert (found.block, found.source) == (block, LaunchSource.BOUNDS)


def test_bounds_that_no_block_has_are_no_shape(tmp_path: Path) -> None:
    (found,) = specializations(tmp_path, KERNEL.replace("void k", "void __launch_bounds__(3 * 1024) k"))["k"]
    assert (found.block, found.source) == ((256, 1, 1), LaunchSource.ASSUMED)


@pytest.mark.parametrize(
    ("body", "block"),
    [
        ("p[threadIdx.x] = 0;", (256, 1, 1)),
        ("p[threadIdx.x + 32 * threadIdx.y] = 0;", (32, 8, 1)),
        ("p[threadIdx.x + 8 * (threadIdx.y + 8 * threadIdx.z)] = 0;", (8, 8, 4)),
        ("uint3 t = threadIdx; p[t.x + 32 * t.y] = 0;", (32, 8, 1)),
        ("uint3 data = ((const uint3 *)p)[threadIdx.x]; p[threadIdx.x] = data.y + data.z;", (256, 1, 1)),
    ],
)
def test_the_assumed_shape_follows_the_axes_in_use(tmp_path: Path, body: str, block: tuple[int, int, int]) -> None:
    (found,) = specializations(tmp_path, f"__global__ void k(float *p) {{ {body} }}")["k"]
    assert (found.block, found.source) == (block, LaunchSource.ASSUMED)
    assert "assumed" in found.basis


def test_comments_beat_options_and_belong_to_their_kernel_alone(tmp_path: Path) -> None:
    source = f"// coalint: assume(blockDim.x == 96)\n{KERNEL}{KERNEL.replace('void k', 'void other')}"
    found = specializations(tmp_path, source, "blockDim.x == 64")
    assert [(s.block, s.source) for s in found["k"]] == [((96, 1, 1), LaunchSource.COMMENT)]
    assert [(s.block, s.source) for s in found["other"]] == [((64, 1, 1), LaunchSource.OPTION)]


def test_an_assumed_argument_makes_a_symbolic_stride_exact(tmp_path: Path) -> None:
    (symbolic,) = accesses(tmp_path, KERNEL)
    (known,) = accesses(tmp_path, KERNEL, "pitch == 2")
    assert (symbolic.stride, symbolic.result.exact, symbolic.result.symbolic) == ("4*pitch", False, ("pitch",))
    assert (known.stride, known.result.exact) == ("8", True)


def test_an_assumed_divisor_spares_the_assumption_about_alignment(tmp_path: Path) -> None:
    source = "__global__ void k(float *p, int pitch) { p[blockIdx.x * pitch + threadIdx.x] = 0; }"
    (without,) = accesses(tmp_path, source)
    (stated,) = accesses(tmp_path, source, "pitch % 8 == 0")
    assert any("multiple of 32 bytes" in text for text in without.result.assumed)
    assert stated.result.assumed == ()


def test_a_comment_that_says_nothing_is_a_problem_of_its_kernel(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"// coalint: assume(pitch > 0)\n{KERNEL}")
    (problem,) = assumption_problems(load(str(file), (), shared_headers()))
    assert problem.kernel == "k"
    assert "assume(pitch > 0)` has no effect" in problem.message


@pytest.mark.parametrize(
    ("comment", "named"),
    [
        ("assume(foo == 3)", "foo"),
        ("assume(pitch == 4 && rows % 2 == 0)", "rows"),
        ("assume(sizes.width == 4)", "sizes.width"),
        ("assume(pitch == 4)", ""),
        ("assume(blockDim.x == 64 && gridDim.y == 2)", ""),
    ],
)
def test_a_comment_about_what_the_kernel_does_not_have_is_said_to_have_no_effect(
    tmp_path: Path, comment: str, named: str
) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        f"// coalint: {comment}\n__global__ void k(float *x, int pitch) {{ x[threadIdx.x * pitch] = 1; }}\n"
    )
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), headers=shared_headers()))
    said = [f"the comment `coalint: {comment}` has no effect: k has no parameter `{named}`"] if named else []
    assert [problem.message for problem in result.problems] == said
