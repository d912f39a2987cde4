"""Templates whose arguments no launch gives: numbers, classes of the file, or unknown classes."""

from __future__ import annotations

from pathlib import Path

from outcomes import accesses, check, outcome


def test_a_template_whose_parameter_no_class_fits_is_read_with_an_unknown_one(tmp_path: Path) -> None:
    source = """
template <class Op, class R = typename Op::result_type>
__global__ void k(Op op, R *r, float *out) {
    typename Op::state s = op(threadIdx.x);
    out[2 * threadIdx.x] = s.level;
    r[threadIdx.x] = op(s.level);
}
template <class Table> __global__ void look(Table table, int *out) { out[threadIdx.x] = table[threadIdx.x]; }
"""
    found = {access.expression: outcome(access) for access in accesses(check(tmp_path, source))}
    assert found["out[2 * threadIdx.x]"] == "8"
    assert found["out[threadIdx.x]"] == "4"
    assert "not declared" in found["r[threadIdx.x]"]


def test_a_template_reads_constants_of_an_unknown_class(tmp_path: Path) -> None:
    source = """
template <class T, class Op> __global__ void k(T *p, const T *q) {
    T sum = 0;
    if (Op::uses_both) sum += Op::of(q[threadIdx.x], q[2 * threadIdx.x]);
    p[threadIdx.x] = sum;
}
"""
    result = check(tmp_path, source)
    (kernel,) = result.checked
    assert kernel.specialization.guessed == ("T = float", "Op = any")
    assert [outcome(access) for access in accesses(result)] == ["4", "8", "4"]


def test_what_is_read_with_an_unknown_class_says_so(tmp_path: Path) -> None:
    source = "template <class F> __global__ void k(F f, float *out) { out[threadIdx.x] = f(typename F::type()); }\n"
    (kernel,) = check(tmp_path, source).checked
    assert kernel.specialization.guessed == ("F = any",)


def test_templates_over_an_enumeration_of_the_file_are_read(tmp_path: Path) -> None:
    source = """
namespace lib { namespace { enum class mode { fast, safe };
template <mode m> __global__ void k(float *out) { out[m == mode::safe ? 0 : threadIdx.x] = 0; } } }
"""
    assert [access.stride for access in accesses(check(tmp_path, source))] == ["4"]


def test_an_instance_that_calls_what_nothing_declares_is_kept(tmp_path: Path) -> None:
    source = """
template <class T> __global__ void k(T *out, T v) { out[2 * threadIdx.x] = draw(v); }
void run(float *out) { k<<<1, 32>>>(out, 1.0f); }
"""
    assert [outcome(access) for access in accesses(check(tmp_path, source))] == ["8"]


def test_a_number_that_fits_is_preferred_to_an_unknown_class(tmp_path: Path) -> None:
    source = """
template <class T> __global__ void k(T *p) {
    T v = p[threadIdx.x];
    if constexpr (sizeof(T) > 8) v(1);
    p[threadIdx.x] = v;
}
"""
    (kernel,) = check(tmp_path, source).checked
    assert kernel.specialization.guessed == ("T = float",)
