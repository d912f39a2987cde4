"""COA301 and COA302: what is said of barriers by their verdict."""

from __future__ import annotations

import pytest
from project import Project
from rule_findings import findings, kept, only, text
from synthetic import SPAN, specialization

from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.core.findings import Note, Severity


def barrier(verdict: Verdict, scope: str = "block") -> Barrier:
    chain = (Note("`t` is threadIdx.x", SPAN),)
    because = "the condition `t < 16` differs between threads"
    return Barrier("k", specialization(), "__syncthreads", scope, SPAN, verdict, because, chain)


def test_a_divergent_barrier() -> None:
    finding = only(kept(barriers=(barrier(Verdict.DIVERGENT),)), "COA301")
    assert finding.message == (
        "only part of the block may reach `__syncthreads()`: the condition `t < 16` differs between threads"
    )
    assert finding.severity is Severity.ERROR
    assert finding.notes[-1].message == "`t` is threadIdx.x"


@pytest.mark.parametrize("verdict", [Verdict.UNIFORM, Verdict.UNKNOWN])
def test_other_barriers_are_silent(verdict: Verdict) -> None:
    assert not findings(barriers=(barrier(verdict),))


def test_warp_barriers_are_another_matter() -> None:
    assert not findings(barriers=(barrier(Verdict.DIVERGENT, "warp"), barrier(Verdict.AFTER_EXIT, "warp")))


def test_a_barrier_after_exit_is_legal_from_7_0_on() -> None:
    after = barrier(Verdict.AFTER_EXIT)
    finding = only(kept(barriers=(after,)), "COA302")
    assert finding.severity is Severity.INFO
    assert "legal since compute capability 7.0" in text(finding)
    assert only(kept(barriers=(after,), arch="sm_61"), "COA302").severity is Severity.ERROR


HELPER = """\
__device__ void helper(float *x, const float *in) {{
    float v = in[threadIdx.x];
    if (v == 0) return;
    {body} x[threadIdx.x] = __match_any_sync(0xffffffffu, threadIdx.x);
}}
__global__ void k(float *x, const float *in) {{ helper(x, in); {rest} }}
void run(float *x) {{ k<<<4, 64>>>(x, x); }}
"""


@pytest.mark.parametrize(
    ("body", "rest", "reasons"),
    [
        ("if (v > 1)", "", ["`v > 1` can differ between lanes"]),
        ("if (v > 1)", "__syncwarp();", ["`v > 1` can differ between lanes"]),
        ("", "__syncwarp();", ["lanes return early when `v == 0`"]),
        ("", "", []),
    ],
)
def test_who_has_gone_back_to_the_caller_is_no_reason_beside_another(
    project: Project, body: str, rest: str, reasons: list[str]
) -> None:
    """They come to the kernel's end, where nothing follows in the caller: a primitive does not wait for them."""
    project.put("k.cu", HELPER.format(body=body, rest=rest))
    found = [d["message"] for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA303"]
    assert len(found) == len(reasons)
    assert all(reason in message for reason, message in zip(reasons, found, strict=True))
    assert not body or not any("return early" in message for message in found)


LAST = """\
__global__ void k(float *x, int n) {{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ({condition}) {{
        tile[threadIdx.x] = x[i];
        __syncthreads();
        x[i] = __shfl_down_sync(0xffffffffu, tile[63 - threadIdx.x], 1);
    }}{rest}
}}
void run(float *x, int n) {{ k<<<4, 64>>>(x, n); }}
"""


@pytest.mark.parametrize(
    ("condition", "rest", "codes"),
    [
        ("i < n", "", {"COA302"}),
        ("i < n && x", "", {"COA302"}),
        ("i < n", " else { x[0] = 1; }", {"COA301", "COA303"}),
        ("i < n", " x[n] = 0;", {"COA301", "COA303"}),
        ("threadIdx.x < 40", "", {"COA301", "COA303"}),
    ],
)
def test_threads_that_a_parameter_keeps_from_the_last_branch_have_left_the_kernel(
    project: Project, condition: str, rest: str, codes: set[str]
) -> None:
    """As by `if (i >= n) return;`. What a number alone decides is reported as the language has it."""
    project.put("k.cu", LAST.format(condition=condition, rest=rest))
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"].startswith("COA30")]
    assert {d["code"] for d in found} == codes
    assert ("come to the kernel's end" in found[0]["message"]) == (codes == {"COA302"})


def test_a_branch_at_the_end_of_the_last_branch_is_a_last_one(project: Project) -> None:
    """After either of them the kernel does nothing."""
    inner = "if (i < n) { if (i < m) { x[i] = 1; __syncthreads(); x[i + 1] = 2; } }"
    project.put("k.cu", f"__global__ void k(float *x, int n, int m) {{ int i = threadIdx.x; {inner} }}\n")
    assert [d["code"] for d in project.lint("k.cu").report["diagnostics"] if d["code"].startswith("COA30")] == [
        "COA302"
    ]


@pytest.mark.parametrize(("launch", "said"), [("k<<<4, 64>>>(x, n);", True), ("", False)])
def test_a_size_that_ends_divergence_is_named_of_a_block_that_is_known(
    project: Project, launch: str, said: bool
) -> None:
    """Of a block whose shape is assumed no size is named, since another block asks for another one."""
    body = "if (blockIdx.x * blockDim.x + threadIdx.x < n) __syncthreads(); x[threadIdx.x] = 1;"
    project.put("k.cu", f"__global__ void k(float *x, int n) {{ {body} }}\nvoid run(float *x, int n) {{ {launch} }}\n")
    (found,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA301"]
    assert ("unless `n % 64 == 0`" in found["message"]) == said
    assert ("unless" in found["message"]) == said


MACRO = """\
#define KERNEL(NAME, BETWEEN) \\
__global__ void NAME(float *x, int n) {{ \\
    int i = blockIdx.x * blockDim.x + threadIdx.x; \\
    {first} \\
    if (i < n) {{ x[i] = 1; {last} }} \\
}}
KERNEL(k, 0)
void run(float *x, int n) {{ k<<<4, 64>>>(x, n); }}
"""


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [("if (i < n) {{ __syncthreads(); }} x[i] = 0;", "", "COA301"), ("", "__syncthreads();", "COA302")],
)
def test_of_several_branches_at_the_place_of_one_macro_none_is_taken_for_the_last(
    project: Project, first: str, last: str, code: str
) -> None:
    """They have one place; what follows an earlier one is not the kernel's end."""
    project.put("k.cu", MACRO.format(first=first.format(), last=last))
    found = [d["code"] for d in project.lint("k.cu").report["diagnostics"] if d["code"].startswith("COA30")]
    assert found == [code]


@pytest.mark.parametrize(
    ("statement", "severity"),
    [
        ("if (row % 3 != 0) continue; out[row] = __shfl_xor_sync(0xffffffff, row, 2, 4);", "warning"),
        ("if (row % 3 == 0) out[row] = __shfl_xor_sync(0xffffffff, row, 2, 4);", "error"),
        ("if (row % 3 != 0) break; out[row] = __shfl_xor_sync(0xffffffff, row, 2, 4);", "error"),
    ],
)
def test_lanes_that_skip_ahead_may_come_to_a_primitive_later(project: Project, statement: str, severity: str) -> None:
    text = f"""\
__global__ void k(const int *color, int *out, int n) {{
    for (int row = blockIdx.x * 64 + threadIdx.x / 4; row < n; row += 64 * gridDim.x) {{
        {statement}
    }}
}}
void run(int *c, int *o, int n) {{ k<<<8, 256>>>(c, o, n); }}
"""
    project.put("k.cu", text)
    (finding,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA303"]
    assert finding["severity"] == severity


@pytest.mark.parametrize("call", ["__syncthreads();", "out[i] = __shfl_xor_sync(0xffffffff, i, 2);"])
@pytest.mark.parametrize(
    ("condition", "severity"),
    [
        ("color[i] > 3", "warning"),  # all may hold the same color
        ("__popc(color[i]) == 32", "warning"),
        ("__int_as_float(color[i]) > 0.5f", "warning"),
        ("color[i] > 3 && threadIdx.x % 32 < 5", "error"),
        ("threadIdx.x % 32 < 5", "error"),
    ],
)
def test_threads_that_part_by_what_they_read_are_no_error(
    project: Project, call: str, condition: str, severity: str
) -> None:
    kernel = "__global__ void k(const int *color, int *out) { int i = blockIdx.x * 64 + threadIdx.x;"
    project.put(
        "k.cu",
        f"{kernel} if ({condition}) {{ {call} }} out[i] = 1; }}\nvoid run(int *c, int *o) {{ k<<<8, 64>>>(c, o); }}\n",
    )
    (finding,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] in ("COA301", "COA303")]
    supposed = ["the threads that part have read different values from memory"] if severity == "warning" else []
    assert (finding["severity"], finding["assumed"]) == (severity, supposed)
    basis = next(note["message"] for note in finding["notes"] if note["message"].startswith("basis"))
    assert basis == "; ".join(("basis: 64 threads (launch at line 2)", *supposed))


@pytest.mark.parametrize(
    ("lanes", "end", "severity"),
    [
        (32, "if (threadIdx.x == 0) out[0] = 1;", "warning"),
        (32, "for (int j = 0; j < out[i]; ++j) out[j] = 1;", "warning"),
        (32, "work(out);", "warning"),
        (32, "unseen(out);", "error"),
        (32, "waits(out);", "error"),
        (32, "__syncthreads();", "error"),
        (16, "if (threadIdx.x == 0) out[0] = 1;", "error"),
    ],
)
def test_whole_warps_that_meet_no_barrier_any_more_are_no_error(
    project: Project, lanes: int, end: str, severity: str
) -> None:
    """An H200 lets the others go on: the barrier counts no warp that has come to the kernel's end."""
    called = (
        "__device__ void work(int *x) { x[threadIdx.x] = 3; }\n__device__ void unseen(int *x);\n"
        "__device__ void waits(int *x) { __syncthreads(); x[0] = 1; }\n"
    )
    branch = f"if (threadIdx.x < {lanes}) {{ out[i] = 2; __syncthreads(); out[i + 1] = 3; }}"
    kernel = f"__global__ void k(int *out) {{ int i = blockIdx.x * 64 + threadIdx.x; {branch} {end} }}\n"
    project.put("k.cu", f"{called}{kernel}void run(int *o) {{ k<<<8, 64>>>(o); }}\n")
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA301" and d["line"] == 4]
    assert found[0]["severity"] == severity
    assert found[0]["message"].endswith("the others come to the kernel's end") is (severity == "warning")


@pytest.mark.parametrize(
    ("end", "arch", "severity"),
    [("", "sm_80", "warning"), ("", "sm_60", "error"), ("out[i] = 1;", "sm_80", "error")],
)
def test_threads_that_come_to_the_end_instead_of_a_barrier_are_no_error(
    project: Project, end: str, arch: str, severity: str
) -> None:
    branch = "if (threadIdx.x < 16) { out[i] = 2; __syncthreads(); }"
    kernel = f"__global__ void k(int *out) {{ int i = blockIdx.x * 64 + threadIdx.x; {branch} {end} }}\n"
    project.put("k.cu", f"{kernel}void run(int *o) {{ k<<<8, 64>>>(o); }}\n")
    (finding,) = [d for d in project.lint("k.cu", "--arch", arch).report["diagnostics"] if d["code"] == "COA301"]
    assert finding["severity"] == severity
    assert finding["message"].endswith("the others come to the kernel's end") is (not end)


@pytest.mark.parametrize(
    ("calls", "code"),
    [
        ("body(x, n);", "COA302"),
        ("wrap(x, n);", "COA302"),
        ("body(x, n); x[n] = 0;", "COA301"),
        ("body(x, n); body(x, n);", "COA301"),
        ("body(x, n); wrap(x, n);", "COA301"),
    ],
)
def test_the_last_branch_may_stand_in_a_function_that_a_kernel_calls_last(
    project: Project, calls: str, code: str
) -> None:
    """One that is called twice goes on after its branch at its first call."""
    body = "int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { x[i] += 1; __syncthreads(); }"
    project.put(
        "k.cu",
        f"__device__ void body(float *x, int n) {{ {body} }}\n"
        "__device__ void wrap(float *x, int n) { body(x, n); }\n"
        f"__global__ void k(float *x, int n) {{ {calls} }}\n"
        "void run(float *x, int n) { k<<<4, 64>>>(x, n); }\n",
    )
    found = [d["code"] for d in project.lint("k.cu").report["diagnostics"] if d["code"] in ("COA301", "COA302")]
    assert set(found) == {code}


@pytest.mark.parametrize(
    ("condition", "numbers", "severity"),
    [
        ("threadIdx.x / 32 >= 2", (15, 15), None),
        ("threadIdx.x / 32 >= 2", (15, 14), "error"),
        ("threadIdx.x / 16 >= 3", (15, 15), "error"),
    ],
)
def test_whole_warps_meet_at_a_barrier_of_one_number_wherever_they_wait_for_it(
    project: Project, condition: str, numbers: tuple[int, int], severity: str | None
) -> None:
    """PTX ISA, `barrier`: it is named by its number, and only the lanes of a warp must wait at one place."""
    first, second = numbers
    project.put(
        "k.cu",
        '__device__ void wait(int id) { asm volatile("bar.sync %0;" :: "r"(id)); }\n'
        f"__global__ void k(float *x) {{ if ({condition}) {{ wait({first}); x[threadIdx.x] = 1; }}\n"
        f"    else {{ x[threadIdx.x] = 2; wait({second}); }} }}\n"
        "void run(float *x) { k<<<4, 128>>>(x); }\n",
    )
    found = [d["severity"] for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA301"]
    assert found == ([] if severity is None else [severity])
