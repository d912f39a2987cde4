"""What findings say of a whole launch: executions, their part in the waste, and what is too little for a warning."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from project import shared_headers

from coalint.core.facts.launch_costs import Basis, LaunchCost
from coalint.core.findings import Finding, Severity
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture
from coalint.reporters.shared.launch_costs import launch_cost_text

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def findings(tmp_path: Path, body: str, launch: str) -> dict[int, Finding]:
    """Return the finding of each line of a kernel `k(float *a, const float *b, int n)`; the body begins in line 2."""
    path = tmp_path / "k.cu"
    path.write_text(f"__global__ void k(float *a, const float *b, int n) {{\n{body}\n}}\n{launch}\n")
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), load_rules().rules, headers=shared_headers()))
    assert not result.failures
    return {item.finding.span.line: item.finding for kernel in result.checked for item in kernel.findings}


def in_order(tmp_path: Path, parameters: str, body: str, names: str) -> list[Finding]:
    """Return the findings of a kernel with these parameters, in order; the launch passes `names`, of `n` threads."""
    path = tmp_path / "k.cu"
    path.write_text(
        f"__global__ void k({parameters}) {{\n{body}\n}}\n"
        f"void run({parameters}) {{ k<<<(n + 255) / 256, 256>>>({names}); }}\n"
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), load_rules().rules, headers=shared_headers()))
    (kernel,) = result.checked
    return [item.finding for item in kernel.findings]


def cost(finding: Finding) -> LaunchCost:
    assert finding.launch_cost is not None
    return finding.launch_cost


def test_known_sizes_give_exact_shares(tmp_path: Path) -> None:
    body = f"{INDEX}\nif (i < n) a[i] = b[8 * i];\nif (threadIdx.x < 16) a[9 * threadIdx.x] = 3;"
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<100, 256>>>(a, b, 25600); }")
    load, store = found[3], found[4]
    assert cost(load) == LaunchCost(
        800, 800 * 28, 800 * 28 / (800 * 28 + 100 * 14), cost(load).share, Basis.EXACT, (), 800
    )
    assert cost(store).executed == 100
    assert cost(store).excess == 1400
    assert load.severity is store.severity is Severity.WARNING


def test_what_one_block_does_once_is_no_warning(tmp_path: Path) -> None:
    body = f"{INDEX}\na[i] = b[8 * i];\nif (blockIdx.x == 0 && threadIdx.x < 8) a[9 * threadIdx.x] = 3;"
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<100, 256>>>(a, b, 25600); }")
    assert found[3].severity is Severity.WARNING
    assert found[4].severity is Severity.INFO
    assert cost(found[4]).executed == 1


def test_open_sizes_are_weighed_at_stated_ones(tmp_path: Path) -> None:
    body = f"{INDEX}\nint n4 = n / 4;\nif (i < n4) a[i] = b[8 * i];\nif (i >= 4 * n4 && i < n) a[i] = b[9 * i];"
    found = findings(tmp_path, body, "void run(float *a, float *b, int n) { k<<<(n + 255) / 256, 256>>>(a, b, n); }")
    assert found[4].severity is Severity.WARNING
    assert cost(found[4]).basis is Basis.SAMPLE
    assert cost(found[4]).sizes == (("n", 100_003),)
    assert cost(found[4]).executed == -(-(100_003 // 4) // 32)
    assert found[5].severity is Severity.INFO
    assert cost(found[5]).executed == 1


def test_sizes_for_which_nothing_is_executed_weigh_nothing(tmp_path: Path) -> None:
    body = f"{INDEX}\nif (i < n - m) a[8 * i] = 1;"
    (store,) = in_order(tmp_path, "float *a, int n, int m", body, "a, n, m")
    assert (cost(store).executed, cost(store).basis) == (None, Basis.OPEN)
    assert store.severity is Severity.WARNING


def test_flags_and_pointers_that_may_be_null_are_1_where_open_sizes_are_large(tmp_path: Path) -> None:
    body = f"{INDEX}\nif (i >= n) return;\nif (f) a[8 * i] = 1;\nif (b != nullptr) a[9 * i] = b[i]; else a[9 * i] = 2;"
    flag, pointer, null = in_order(tmp_path, "float *a, const float *b, bool f, int n", body, "a, b, f, n")
    assert dict(cost(flag).sizes) == {"n": 100_003, "f": 1, "b != nullptr": 1}
    assert cost(flag).executed == cost(pointer).executed == 3126
    assert launch_cost_text(cost(flag)).endswith("executed 3,126 times at n = 100,003, f = 1, b != nullptr")
    assert (cost(null).executed, cost(null).basis, null.severity) == (None, Basis.OPEN, Severity.WARNING)


def test_what_rests_on_the_compiler_is_executed_about_so_many_times(tmp_path: Path) -> None:
    body = f"{INDEX}\nfloat v = b[8 * i];\nfor (int k = 0; k < 4; k++) v += b[8 * i + k];\na[i] = v;"
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<4, 256>>>(a, b, 9); }")
    in_loop = cost(found[4])  # of its four loads nvcc leaves out the first, which line 3 has made
    assert (in_loop.executed, in_loop.basis) == (128, Basis.SUPPOSED)
    assert launch_cost_text(in_loop).endswith("executed about 128 times")
    assert launch_cost_text(replace(in_loop, basis=Basis.EXACT)).endswith("executed 128 times")


def test_what_stated_sizes_never_execute_is_not_slight(tmp_path: Path) -> None:
    body = f"{INDEX}\nif (i < n) a[9 * i] = 2;\nif (m == 3 && i < n) a[8 * i] = 1;"
    always, of_mode = in_order(tmp_path, "float *a, int n, int m", body, "a, n, m")
    assert (cost(always).share, always.severity) == (1, Severity.WARNING)
    assert (cost(of_mode).executed, cost(of_mode).share, of_mode.severity) == (None, None, Severity.WARNING)


def test_the_inner_loop_outweighs_what_stands_before_it(tmp_path: Path) -> None:
    body = f"{INDEX}\nfloat s = b[3 * i];\nfor (int j = 0; j < 1000; j++) s += b[8 * i + j * n];\na[i] = s;"
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<10, 256>>>(a, b, 25600); }")
    assert found[4].severity is Severity.WARNING
    assert cost(found[4]).executed == 80 * 1000
    assert found[3].severity is Severity.INFO


def test_what_data_decide_is_open(tmp_path: Path) -> None:
    body = f"{INDEX}\nif (b[i] > 0) a[8 * i] = 1;"
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<10, 256>>>(a, b, 25600); }")
    assert cost(found[3]).basis is Basis.OPEN
    assert cost(found[3]).executed is None
    assert found[3].severity is Severity.WARNING


def test_a_share_is_at_most_what_it_is_of_the_known(tmp_path: Path) -> None:
    body = f"{INDEX}\nif (b[i] > 0) a[8 * i] = 1;\nfloat s = b[5 * i];\nif (i < 64) s += b[9 * i];\na[i] = s;"
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<100, 256>>>(a, b, 25600); }")
    assert cost(found[5]).share is None
    assert found[5].severity is Severity.INFO


def test_little_of_what_a_kernel_moves_is_no_warning_though_all_its_waste(tmp_path: Path) -> None:
    body = f"{INDEX}\nfloat s = b[8 * i];\nfor (int j = 0; j < 300; j++) s += b[i + 1024 * j];\na[i] = s;"
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<10, 256>>>(a, b, 25600); }")
    assert cost(found[3]).share == 1
    assert found[3].severity is Severity.INFO
    assert found[3].notes[-1].message == "less than 3% of the kernel's sectors and wavefronts could be saved here"


def test_what_one_rule_says_of_an_array_is_weighed_together(tmp_path: Path) -> None:
    stores = "\n".join(f"a[9 * i + {number}] = s;" for number in range(3))
    body = f"{INDEX}\nfloat s = 0;\nfor (int j = 0; j < 400; j++) s += b[i + 1024 * j];\n{stores}"
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<10, 256>>>(a, b, 25600); }")
    assert {number: one.severity for number, one in found.items()} == dict.fromkeys((5, 6, 7), Severity.WARNING)
    assert all(cost(one).executed == 80 for one in found.values())


def test_loops_weigh_where_data_decide_how_often_they_run(tmp_path: Path) -> None:
    walk = "for (int j = 0; b[j] > 0; j++) for (int l = 0; b[l] > j; l++) s += b[i + j + 4 * l];"
    body = f"{INDEX}\nfloat s = 0;\n{walk}\nif (s > 0) a[8 * i] = s;"
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<10, 256>>>(a, b, 25600); }")
    assert cost(found[5]).executed is None
    assert found[5].severity is Severity.WARNING
    deeper = walk.replace("s += ", "for (int m = 0; b[m] > l; m++) s += ")
    body = body.replace(walk, deeper)
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<10, 256>>>(a, b, 25600); }")
    assert found[5].severity is Severity.INFO


def test_shared_conflicts_are_weighed_against_sectors_too(tmp_path: Path) -> None:
    body = (
        f"__shared__ float t[512];\n{INDEX}\nt[2 * threadIdx.x] = i;\n__syncthreads();\n"
        "float s = 0;\nfor (int j = 0; j < 100; j++) s += b[i + 1024 * j];\na[i] = s + t[threadIdx.x];"
    )
    found = findings(tmp_path, body, "void run(float *a, float *b) { k<<<10, 256>>>(a, b, 25600); }")
    assert found[4].severity is Severity.INFO
    few = body.replace("j < 100", "j < 3")
    assert (
        "less than"
        not in findings(tmp_path, few, "void run(float *a, float *b) { k<<<10, 256>>>(a, b, 25600); }")[4]
        .notes[-1]
        .message
    )


def test_a_kernel_that_is_evaluated_once_more_is_weighed(tmp_path: Path) -> None:
    """What is stored through a pointer that is not followed may change `local`: the first evaluation denies it."""
    path = tmp_path / "k.cu"
    body = "float local[4] = {0, 1, 2, 3}; p[0] = local; float *u = get(n); *u = 4;"
    path.write_text(
        "__device__ float *get(int n);\n__global__ void k(float *a, float **p, int n) {\n"
        f"{body}\na[8 * (blockIdx.x * blockDim.x + threadIdx.x)] = local[1];\n}}\n"
        "void run(float *a, float **p, int n) { k<<<16, 256>>>(a, p, n); }\n"
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), load_rules().rules, headers=shared_headers()))
    (kernel,) = result.checked
    (found,) = [item.finding for item in kernel.findings if item.finding.span.line == 4]
    assert (cost(found).executed, cost(found).share) == (128, 1)
