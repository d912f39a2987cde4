"""What a kernel computes beside an access makes it small; what it computes elsewhere does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.findings import Severity
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0;"
SUM = "for (int j = 0; j < m; j++) s += cosf(b[j] * i) * expf(b[j]);"
STORE = "a[8 * i] = s;"


def severity(tmp_path: Path, body: str, helper: str = "", argument: str = "m") -> Severity:
    """Return the severity of the only finding of a kernel of one line."""
    path = tmp_path / "k.cu"
    path.write_text(
        f"{helper}\n__global__ void k(float *a, const float *b, int n, int m) {{ {INDEX} {body} }}\n"
        f"void run(float *a, float *b, int n, int m) {{ k<<<n / 256, 256>>>(a, b, n, {argument}); }}\n"
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), load_rules().rules, headers=shared_headers()))
    assert not result.failures
    (finding,) = (item.finding for kernel in result.checked for item in kernel.findings)
    assert ("computes so much" in "".join(note.message for note in finding.notes)) is (
        finding.severity is Severity.INFO
    )
    return finding.severity


@pytest.mark.parametrize(
    ("body", "helper"),
    [
        (f"{SUM} {STORE}", ""),
        (f"if (i < n) {{ {SUM} {STORE} }}", ""),
        (f"if (i >= n) return; {SUM} {STORE}", ""),
        (f"for (int t = 0; t < n; t++) {{ {SUM} a[8 * i + t * m * 8] = s; }}", ""),
        (
            f"s = all(b, i, m); {STORE}",
            f"__device__ float all(const float *b, int i, int m) {{ float s = 0; {SUM} return s; }}",
        ),
        (
            f"for (int j = 0; j < m; j++) if (b[j] > 0) s += wave(b[j]); {STORE}",
            "__device__ float wave(float x) { return sinf(x) * __expf(x) + 1 / x; }",
        ),
        (
            f"for (int j = 0; j < m; j += 2) for (int k = 0; k < 24; k++) s = s * s + b[j] * s; {STORE}",
            "",
        ),
    ],
    ids=["plain", "guarded", "returned", "in-a-loop", "helper", "branch-in-the-loop", "operators"],
)
def test_what_is_made_once_beside_a_loop_of_arithmetic_is_no_warning(tmp_path: Path, body: str, helper: str) -> None:
    assert severity(tmp_path, body, helper) is Severity.INFO


@pytest.mark.parametrize(
    "body",
    [
        "for (int j = 0; j < m; j++) a[8 * i + 8 * j * n] = cosf(j) * expf(j);",
        f"if (i % 64 < 32) {{ {SUM} a[i] = s; }} else a[8 * i] = 0;",
        f"if (m > 7) {{ {SUM} }} {STORE}",
        f"s = cosf(i) * expf(i); {STORE}",
        f"for (int j = 0; j < m; j++) s += b[j] * i; {STORE}",
        f"for (int j = 0; j < 16; j++) s += cosf(b[j] * i); {STORE}",
        f"for (int j = m; j > 0; j /= 2) s += cosf(b[j] * i); {STORE}",
        "for (int j = 0; j < m; j++) a[8 * i + 8 * j * n] = 1; " + SUM + " a[i] = s;",
    ],
    ids=["hot", "other-branch", "branch", "no-loop", "few-operations", "few-trips", "halved", "other-loop"],
)
def test_an_access_that_arithmetic_does_not_stand_beside_is_a_warning(tmp_path: Path, body: str) -> None:
    assert severity(tmp_path, body) is Severity.WARNING


def test_a_bound_that_the_launch_passes_counts_the_iterations(tmp_path: Path) -> None:
    assert severity(tmp_path, f"{SUM} {STORE}", argument="4") is Severity.WARNING
    assert severity(tmp_path, f"{SUM} {STORE}", argument="200") is Severity.INFO
