"""Which instances of a template are analysed, and with which launches."""

from __future__ import annotations

from pathlib import Path

import pytest
from frontend_checks import analyses, check, single
from project import Project

from coalint.core.facts.launch import LaunchSource
from coalint.frontend.cuda.libclang.bindings import ast_bytes
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.load import load


def test_a_launched_template_is_analysed_as_instantiated(tmp_path: Path) -> None:
    source = """
    template <typename T, int S> __global__ void k(T *out) { out[threadIdx.x * S] = T(); }
    void run(double *p) { k<double, 3><<<1, 64>>>(p); k<float, 2><<<1, 64>>>(nullptr); }
    """
    found = {a.specialization.template_arguments: a.accesses[0].stride for a in analyses(tmp_path, source)}
    assert found == {("double", "3"): "24", ("float", "2"): "8"}


def test_a_template_that_nothing_launches_is_probed_and_says_so(tmp_path: Path) -> None:
    source = "template <typename T, int S> __global__ void k(T *out) { out[threadIdx.x * S] = T(); }"
    access = single(tmp_path, source)
    of_type, of_size = access.specialization.guessed
    assert (of_type, access.stride) == ("T = float", str(4 * int(of_size.removeprefix("S = "))))
    assert "template arguments assumed: T = float, S = " in access.specialization.basis


def test_the_arguments_of_a_pack_are_told_one_by_one(tmp_path: Path) -> None:
    source = """
    template <int... Ns> __global__ void k(float *out) { out[threadIdx.x * sizeof...(Ns)] = 0; }
    template <typename T, int... Ns, typename... Us> __global__ void l(T *out, Us...) { out[sizeof...(Us)] = 0; }
    void run(float *p) { k<1, 2, 3><<<1, 64>>>(p); k<4><<<1, 64>>>(p); k<><<<1, 64>>>(p); }
    void more(float *p) { l<float, 5, 6><<<1, 64>>>(p, 1, 'c'); }
    """
    found = {a.specialization.template_arguments: a.accesses[0].stride for a in analyses(tmp_path, source)}
    assert found == {("1", "2", "3"): "12", ("4",): "4", (): "0", ("float", "5", "6", "int", "char"): "0"}


def test_a_pack_that_nothing_gives_is_supposed_to_be_empty_and_says_so(tmp_path: Path) -> None:
    access = single(
        tmp_path, "template <int... Ns> __global__ void k(float *p) { p[threadIdx.x * sizeof...(Ns)] = 0; }"
    )
    assert access.specialization.guessed == ("Ns = {}",)
    assert not access.result.exact


def test_a_long_helper_of_a_short_kernel_is_followed_where_a_host_function_launches_it(tmp_path: Path) -> None:
    long = "\n".join(f"    out[{step} * threadIdx.x] = {step};" for step in range(2, 18))
    source = f"""
__device__ void fill(float *out) {{
{long}
}}
__host__ __device__ inline void both(float *out) {{ fill(out); }}
__global__ void k(float *out) {{ fill(out); }}
__global__ void m(float *out) {{ both(out); }}
int main() {{ float *out; cudaMalloc(&out, 4096); k<<<1, 64>>>(out); m<<<1, 64>>>(out); both(out); }}
"""
    for analysis in analyses(tmp_path, source):
        assert [access.stride for access in analysis.accesses] == [str(4 * step) for step in range(2, 18)]


def test_a_launch_through_a_function_pointer_is_followed(tmp_path: Path) -> None:
    source = """
    template <int S> __global__ void k(float *out) { out[threadIdx.x * S] = 0; }
    void run(float *p) { auto kernel = &k<2>; kernel<<<1, 96>>>(p); }
    """
    access = single(tmp_path, source)
    assert (access.stride, access.specialization.block) == ("8", (96, 1, 1))


def test_a_function_as_template_argument_is_followed(tmp_path: Path) -> None:
    source = """
    __device__ void put(float *p, int i) { p[2 * i] = 0; }
    template <void (*F)(float *, int)> __global__ void k(float *out) { F(out, threadIdx.x); }
    void run(float *p) { k<put><<<1, 64>>>(p); }"""
    assert single(tmp_path, source).stride == "8"


def test_a_launch_that_passes_a_later_element_moves_the_base(tmp_path: Path) -> None:
    kernel = "__global__ void k(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }\n"
    (analysis,) = analyses(tmp_path, kernel + "void run(float *p) { k<<<1, 64>>>(p + 1, &p[8]); }")
    assert [access.address.offset_bytes for access in analysis.accesses] == [4, 32]


def test_a_kernel_in_a_header_is_analysed_with_the_launch_that_includes_it(tmp_path: Path) -> None:
    (tmp_path / "kernel.cuh").write_text(
        "template <int S> __global__ void k(float *out) { out[threadIdx.x * S * SCALE] = 0; }\n"
    )
    main = '#define SCALE 2\n#include "kernel.cuh"\nvoid run(float *p) { k<3><<<1, 96>>>(p); }'
    access = single(tmp_path, main)
    assert (access.stride, access.specialization.block, Path(access.span.file).name) == ("24", (96, 1, 1), "kernel.cuh")


def test_a_template_with_very_many_instances_is_sampled_and_says_so(tmp_path: Path) -> None:
    launches = " ".join(f"k<{n}><<<1, 32>>>(p);" for n in range(1, 61))
    kernel = "template <int S> __global__ void k(float *p) { p[threadIdx.x * S] = 0; }\n"
    source = f"{kernel}void run(float *p) {{ {launches} }}"
    result = check(tmp_path, source)
    assert len(result.checked) == 24
    (problem,) = result.problems
    assert "36 of the 60 instances of the kernel template k were not analysed" in problem.message


MANY = """template <class T, int S> __global__ void k(T *p) {{ p[threadIdx.x * S] = 0; }}
template <class T, int S> void launch(T *p) {{ k<T, S><<<1, S>>>(p); }}
template <class T> void dispatch(void *p) {{ {launches} }}
void run(void *p) {{ dispatch<float>(p); dispatch<double>(p); }}
"""


def test_of_very_many_host_instances_those_are_read_that_launch_what_is_analysed(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(MANY.format(launches=" ".join(f"launch<T, {n}>((T *)p);" for n in range(1, 101))))
    module = load(str(path))
    assert len(module.kernels) == 24
    assert {kernel.template_arguments[0] for kernel in module.kernels} == {"float", "double"}
    launching = [function for function in module.functions.values() if function.name == "launch"]
    assert 24 <= len(launching) < 60  # of 200
    (problem,) = module.problems
    assert "176 of the 200 instances of the kernel template k were not analysed" in problem.message
    checked = check(tmp_path, path.read_text()).checked
    assert {kernel.specialization.source for kernel in checked} == {LaunchSource.LAUNCH}
    assert all(str(kernel.specialization.block[0]) == kernel.specialization.template_arguments[1] for kernel in checked)


def test_a_host_instance_that_launches_a_kernel_of_another_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    text = MANY.format(launches=" ".join(f"launch<T, {n}>((T *)p);" for n in range(1, 101)))
    path.write_text(
        text.replace("<<<1, S>>>(p);", "<<<1, S>>>(p); other<<<1, S>>>(p);").replace(
            "template", "__global__ void other(void *p);\ntemplate", 1
        )
    )
    module = load(str(path))
    assert sum(function.name == "launch" for function in module.functions.values()) == 200


@pytest.mark.parametrize(("rows", "columns"), [(4, 12), (24, 11), (12, 4)])
def test_the_instances_of_a_sample_have_all_arguments_of_a_table(tmp_path: Path, rows: int, columns: int) -> None:
    pairs = [(row, column) for row in range(rows) for column in range(columns)]
    launches = " ".join(f"k<{row}, {column}><<<1, 32>>>(p);" for row, column in pairs)
    kernel = "template <int R, int C> __global__ void k(float *p) { p[threadIdx.x + R * 32 + C] = 0; }\n"
    checked = check(tmp_path, f"{kernel}void run(float *p) {{ {launches} }}").checked
    assert len(checked) == 24
    assert {int(kernel.specialization.template_arguments[1]) for kernel in checked} == set(range(columns))
    taken = {int(kernel.specialization.template_arguments[0]) for kernel in checked}
    assert len(taken) == rows if rows < 24 else len(taken) > 12


PATTERN = """
template <class T, int N> __global__ void k(T *out, float *in, int n) {{
    __shared__ float a[N][33]; __shared__ float b[32][N]; __shared__ T c[32][33];
    long double::type q; int t = threadIdx.x;
    {}
    lost(q, T::type::none);
}}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("in[2 * t] = 0;", "8"),
        ("in[N * t] = 0;", "4*N"),
        ("a[t][0] = 0;", "132"),
        ("a[0][t] = 0;", "4"),
        ("b[t][0] = 0;", "?"),
        ("b[0][t] = 0;", "4"),
        ("c[t][0] = 0;", "?"),
        ("out[t] = 0;", "?"),
        ("in[sizeof(T) * t] = 0;", "?"),
        ("if (T::fast) __syncthreads(); in[t] = 0;", "4"),
    ],
)
def test_a_template_that_cannot_be_instantiated_is_read_as_it_is_written(
    tmp_path: Path, body: str, expected: str
) -> None:
    (analysis,) = analyses(tmp_path, PATTERN.format(body))
    assert analysis.specialization.guessed == ("T = ?", "N = ?")
    assert analysis.specialization.basis.endswith("; template arguments not known: T, N")
    assert analysis.accesses[0].stride == expected
    assert (analysis.accesses[0].result.lanes is None) == (expected == "?")


def test_a_unit_of_a_huge_library_is_not_tried_with_guessed_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "k.cu"
    path.write_text("template <typename T> __global__ void k(T *out) { out[threadIdx.x] = 0; }\n")
    unit = parse(str(path), (), path.read_text())
    assert 1 << 20 < ast_bytes(unit) < 16 << 20
    assert [kernel.guessed for kernel in load(str(path)).kernels] == [("T = float",)]
    monkeypatch.setattr("coalint.frontend.cuda.load.LARGEST_TREE", ast_bytes(unit) - 1)
    assert [kernel.guessed for kernel in load(str(path)).kernels] == [("T = ?",)]


@pytest.mark.parametrize("base", ["cub::Uninitialized", "cub::Unheard"])
def test_what_lies_behind_the_storage_of_a_library_has_no_known_alignment(project: Project, base: str) -> None:
    """Neither the sizes of cub's storages are known, nor that of a struct whose base nothing declares."""
    source = f"""
#include <cub/cub.cuh>
template <typename T, int N> struct Reverse {{
    struct Data {{ T grid[N]; }};
    struct TempStorage : {base}<Data> {{}};
}};
template <typename T, int N> struct Traits {{
    using Scan = cub::BlockScan<T, N>;
    struct Both {{ typename Scan::TempStorage scan; char more[3]; }};
    static constexpr int size = sizeof(Both) + sizeof(typename Scan::TempStorage[2]) + 1;
    static constexpr int whole = size + sizeof(typename Reverse<T, N>::TempStorage);
}};
template <typename K> __global__ void k(float *out, int n) {{
    extern __shared__ char memory[];
    float *s = reinterpret_cast<float *>(memory + K::whole);
    s[threadIdx.x] = n;
    reinterpret_cast<float *>(memory + K::size)[threadIdx.x] = n;
    out[threadIdx.x] = s[threadIdx.x];
}}
void run(float *o, int n) {{ k<Traits<float, 128>><<<n, 128, 4096>>>(o, n); }}
"""
    project.put("k.cu", source)
    assert [one["code"] for one in project.lint("k.cu").report["diagnostics"] if one["code"] != "COA902"] == []


def test_a_size_of_the_program_leaves_the_alignment_known(project: Project) -> None:
    source = """
struct Odd { char more[3]; };
__global__ void k(float *out, int n) {
    extern __shared__ char memory[];
    reinterpret_cast<float *>(memory + sizeof(Odd))[threadIdx.x] = n;
}
void run(float *o, int n) { k<<<n, 128, 4096>>>(o, n); }
"""
    project.put("k.cu", source)
    assert [one["code"] for one in project.lint("k.cu").report["diagnostics"]] == ["COA402"]
