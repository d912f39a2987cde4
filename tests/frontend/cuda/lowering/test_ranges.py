"""Range-based `for` over objects: what each iteration is given is what g++ gives it.

Random programs are run on the host; a stride that coalint gives as a number must be that of every execution.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from amounts import first
from evaluated import access, accesses, count, sectors
from executed import executed, strides
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

HEAD = """\
template <int N> struct Held {
    int v[N];
    __device__ int *begin() { return v; }
    __device__ int *end() { return v + N; }
    __device__ const int *begin() const { return v; }
    __device__ const int *end() const { return v + N - 1; }
};
struct View {
    int *p;
    int n;
    __device__ int *begin() const { return p; }
    __device__ int *end() const { return p + n; }
};
struct Later : View { __device__ int *end() const { return p + n - 1; } };
struct Count {
    int at, step;
    __device__ int operator*() const { return at; }
    __device__ Count &operator++() { at += step; return *this; }
    __device__ bool operator!=(const Count &other) const { return at < other.at; }
};
struct Steps {
    int low, high, step;
    __device__ Count begin() const { return Count{low, step}; }
    __device__ Count end() const { return {high, step}; }
};
template <typename T> struct Walk {
    T *at;
    __device__ T &operator*() const { return *at; }
    __device__ Walk &operator++() { at += 1; return *this; }
};
struct Stop { int *at; };
template <typename T> __device__ bool operator!=(const Walk<T> &walk, Stop stop) { return walk.at != stop.at; }
namespace apart {
struct Part { int *p; };
__device__ inline Walk<int> begin(Part &part) { return {part.p}; }
__device__ inline Stop end(Part &part) { return {part.p + 3}; }
__device__ inline Stop end(const Part &part) { return {part.p + 2}; }
}
namespace { struct Own { int v[2]; __device__ int *begin() { return v; } __device__ int *end() { return v + 2; } }; }
__device__ inline Steps upto(int n) { return Steps{0, n, 1}; }
"""
START = """\
int x[4] = {1, 2, 3, 4}, total = 0, last = 0;
Held<3> h; h.v[0] = 2; h.v[1] = 3; h.v[2] = 5; const Held<3> c = h;
View view{x, 3}; Later later; later.p = x; later.n = 4;
apart::Part part{x + 1}; Own own{{6, 7}};
"""
RANGES = ("h", "c", "view", "later", "part", "own", "upto(3)", "upto(n)", "Steps{1, n, 2}", "Steps{2, 9, 3}")
WRITABLE = ("h", "view", "later", "part", "own")
PLACES = ("total", "last", "x[0]", "x[1]", "x[2]", "x[3]", "h.v[1]", "h.v[2]", "c.v[2]", "own.v[0]", "own.v[1]")


class Program:
    """Loops over objects; `accesses` are what each store is indexed with."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.accesses: list[str] = []

    def loop(self, depth: int = 1) -> str:
        rng = self.rng
        one = f"e{depth}"
        over, number = rng.choice(RANGES), rng.randrange(1, 5)
        if over in WRITABLE and rng.random() < 0.5:
            variable, change = f"auto &{one}", rng.choice((f"{one} = {number}; ", f"{one} += 1; ", ""))
        else:
            variable, change = rng.choice((f"int {one}", f"auto {one}", f"const auto &{one}", f"auto &&{one}")), ""
        leave = f"if ({one} == {number}) {rng.choice(('break', 'continue'))}; " if rng.random() < 0.5 else ""
        inner = self.loop(depth + 1) if depth < 2 and rng.random() < 0.4 else ""
        counted = rng.choice((f"total += {one}; ", f"last = {one}; ", "total += 1; "))
        parts = [change, leave, counted, inner, self.access(one)]
        rng.shuffle(parts)
        return f"for ({variable} : {over}) {{ {''.join(parts)} }} {self.access(rng.choice(PLACES))} "

    def access(self, place: str) -> str:
        self.accesses.append(place)
        return f"AT({len(self.accesses) - 1}, {place}); "


def on_host(folder: Path, body: str) -> dict[int, set[int]]:
    """The values that each store is indexed with on the host, by its number."""
    main = "int main() { for (int n = 0; n < 6; ++n) k(n); }\n"
    return executed(folder, f"{HEAD}void k(int n) {{ {START} {body} }}\n{main}")


def written(folder: Path, body: str, count: int) -> Path:
    parameters = ", ".join(f"int *out{n}" for n in range(count))
    path = folder / "k.cu"
    path.write_text(
        f"{HEAD}#define AT(number, place) out##number[(place) * threadIdx.x] = 1\n"
        f"__global__ void k({parameters}, int n) {{ {START} {body} }}\n"
    )
    return path


@pytest.mark.parametrize("seed", first(range(30), 3))
def test_a_stride_that_is_a_number_is_that_of_every_execution(seed: int, tmp_path: Path) -> None:
    program = Program(random.Random(seed))
    body = "".join(program.loop() for _ in range(6)) + "".join(map(program.access, PLACES))
    seen = on_host(tmp_path, body)
    for number, found in strides(written(tmp_path, body, len(program.accesses))).items():
        for stride in found:
            if stride.lstrip("-").isdigit():
                values = {4 * value for value in seen.get(number, ())}
                assert values <= {int(stride)}, (number, program.accesses[number], stride, values, body)


OBJECTS = {
    "Steps{threadIdx.x, 512, 256}": "",
    "Steps{0, n, 1}": "",
    "upto(4)": "",
    "view": "View view{(int *)in + 4 * threadIdx.x, 4};",
    "tail": "View tail{(int *)in + threadIdx.x * n, n};",
    "held": "Held<4> held; held.v[1] = 3 * threadIdx.x;",
    "part": "apart::Part part{(int *)in + threadIdx.x};",
    "later": "Later later; later.p = (int *)in; later.n = blockDim.x;",
}
"""Ranges, with what declares them."""


@pytest.mark.slow
@pytest.mark.parametrize("over", OBJECTS)
@pytest.mark.parametrize("variable", ["int e", "auto &&e", "const auto &e"])
@pytest.mark.parametrize("leave", ["", "if (e == 2) continue;", "if (e == 2) break;"])
def test_a_loop_costs_what_the_loop_that_it_stands_for_does(
    tmp_path: Path, over: str, variable: str, leave: str
) -> None:
    body = f"{leave} out[8 * e + threadIdx.x] = 0; out[e * threadIdx.x] = 0;"
    begin, end = ("begin(range)", "end(range)") if over == "part" else ("range.begin()", "range.end()")
    plain = (
        f"auto &&range = {over}; auto position = {begin}; auto end_ = {end};"
        f"for (; position != end_; ++position) {{ {variable} = *position; {body} }}"
    )
    costs = []
    for loop in (f"for ({variable} : {over}) {{ {body} }}", plain):
        found = accesses(tmp_path, f"{OBJECTS[over]} {loop} out[3 * threadIdx.x] = 0;", before=HEAD)
        said = [(a.result.unknown or "").replace("*position", "e") for a, _ in found]
        costs.append([(a.op, a.bytes, a.result.exact, said, t and (t.count, t.ideal)) for a, t in found])
    assert costs[0] == costs[1]
    assert len(costs[0]) > 2


def test_elements_through_pointers_are_counted(tmp_path: Path) -> None:
    loop = "View view{(int *)in + 4 * threadIdx.x, 4}; for (int e : view) out[threadIdx.x] = e;"
    load, store = accesses(tmp_path, loop, before=HEAD)
    assert load[0].result.exact
    assert store[0].result.exact
    assert load[0].expression == "e"
    assert count(load) == sectors([16 * lane for lane in range(32)])
    assert count(store) == 4


def test_a_grid_stride_range_is_counted(tmp_path: Path) -> None:
    loop = "for (auto i : Steps{threadIdx.x, 1024, blockDim.x}) out[2 * i] = 0;"
    found = access(tmp_path, loop, before=HEAD)
    assert found[0].result.exact
    assert found[0].stride == "8"
    assert count(found) == 8


def test_writes_through_the_reference_are_seen_behind_the_loop(tmp_path: Path) -> None:
    start = "int x[2] = {1, 2}; View view{x, 2};"
    found = accesses(tmp_path, f"{start} for (auto &e : view) e = 4; out[x[1] * threadIdx.x] = 0;", before=HEAD)[-1]
    assert found[0].stride != "8"
    kept = accesses(tmp_path, f"{start} for (auto e : view) e = 4; out[x[1] * threadIdx.x] = 0;", before=HEAD)[-1]
    assert kept[0].stride == "8"


def test_a_reference_to_an_element_of_shared_memory_is_an_access(tmp_path: Path) -> None:
    start = "__shared__ int s[64]; View view{s + 2 * threadIdx.x, 2};"
    store, load = accesses(tmp_path, f"{start} for (auto &e : view) {{ e = 0; n += e; }}", before=HEAD, threads=32)
    assert (store[0].stride, load[0].stride) == ("8", "8")
    assert count(store) == count(load) == 2


def test_what_cannot_be_named_outside_of_its_function_stays_unknown(tmp_path: Path) -> None:
    other = "struct Inner { int v[1]; __device__ int *begin() { return v; } __device__ int *end() { return v + 1; } };"
    inner = other.replace("v[1]", "v[3]").replace("v + 1", "v + 3")
    loop = f"{inner} Inner inner; for (int e : inner) out[e * threadIdx.x] = 0;"
    (found, _), *_ = accesses(tmp_path, loop, before=other)
    assert not found.result.exact
    assert "the elements of a range-based for are not followed" in str(found.result.unknown)


def test_kernels_of_a_template_each_have_their_range(tmp_path: Path) -> None:
    kernel = "template <typename R> __global__ void k(int *out, R r) { for (int e : r) out[e + 4 * threadIdx.x] = 1; }"
    launches = "void run(int *o, View v) { k<<<1, 32>>>(o, Steps{0, 2, 1}); k<<<1, 32>>>(o, v); }"
    (tmp_path / "k.cu").write_text(f"{HEAD}{kernel}\n{launches}\n")
    result = check_file(
        Source(str(tmp_path / "k.cu")), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    )
    analyses = [kernel.analysis for kernel in result.checked if kernel.analysis is not None]
    found = [[(access.expression, access.result.unknown) for access in analysis.accesses] for analysis in analyses]
    store = ("out[e + 4 * threadIdx.x]", None)
    assert sorted(found, key=len) == [[store], [("e", None), store]]


def test_a_probe_that_comes_to_nothing_is_no_problem_of_the_file(tmp_path: Path) -> None:
    local = "struct L { int x; }; L l[2] = {{1}, {2}}; Some<L> some{l}; for (auto one : some) out[one.x] = 0;"
    kept = "View view{(int *)in, 3}; for (auto one : view) out[one + threadIdx.x] = 0;"
    some = "template <typename T> struct Some { T *p; __device__ T *begin() { return p; } __device__ T *end(); };"
    path = tmp_path / "k.cu"
    path.write_text(f"{HEAD}{some} __global__ void k(float *out, const float *in) {{ {local} {kept} }}\n")
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    (kernel,) = result.checked
    assert kernel.analysis is not None
    lost, *followed = [(found.expression, found.result.unknown) for found in kernel.analysis.accesses]
    assert lost == ("out[one.x]", "the elements of a range-based for are not followed")
    assert followed == [("one", None), ("out[one + threadIdx.x]", None)]
    assert not result.problems
