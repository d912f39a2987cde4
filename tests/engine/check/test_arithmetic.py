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


MIX = "for (int r = 0; r < 256; r++) x = ((x << 7) | (x >> 25)) + (x ^ 0x9e37u * w[r % 16]);"
ROW = "unsigned w[16]; unsigned x = i; for (int j = 0; j < 16; j++) w[j] = m;"
ASSEMBLY = 'asm("xor.b32 %0, %0, %1; add.u32 %0, %0, 5;" : "+r"(x) : "r"(w[r % 16]));'
FUNCTIONS = (
    "__device__ unsigned turned(unsigned x, int n) { return (x << n) | (x >> (32 - n)); }"
    "__device__ unsigned mixed(unsigned x, unsigned y) { x += y; return (turned(x, 7) ^ turned(x, 18)) * x; }"
)
TABLE = "__constant__ unsigned table[16];"

ENDED = "if (m > 3) return x; for (int r = 0; r < 512; r++) x = ((x << 7) | (x >> 25)) + (x ^ 0x9e37u); return x;"


def of_integers(tmp_path: Path, body: str, helper: str = "") -> Severity:
    """Return the severity of all findings of a kernel of integers."""
    path = tmp_path / "k.cu"
    path.write_text(
        f"{helper}\n__global__ void k(unsigned *a, const unsigned *b, int n, int m) {{\n"
        f"int i = blockIdx.x * blockDim.x + threadIdx.x; {body} }}\n"
        "void run(unsigned *a, unsigned *b, int n, int m) { k<<<n / 256, 256>>>(a, b, n, m); }\n"
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), load_rules().rules, headers=shared_headers()))
    assert not result.failures
    (found,) = {item.finding.severity for kernel in result.checked for item in kernel.findings}
    return found


@pytest.mark.parametrize(
    ("body", "helper"),
    [
        (f"{ROW} {MIX} a[8 * i] = x;", ""),
        (f"{ROW} x = b[i]; {MIX} a[8 * i] = x;", ""),
        (f"{ROW} for (int s = 0; s < 8; s++) {{ {MIX} }} for (int j = 0; j < 8; j++) a[8 * i + j] = x + w[j];", ""),
        (f"{ROW} for (int r = 0; r < 256; r++) x = mixed(x, w[r % 16]); a[8 * i] = x;", FUNCTIONS),
        (f"{ROW} long long y = m; for (int r = 0; r < 512; r++) y = (y ^ (y << 9)) + w[r % 16]; a[8 * i] = y;", ""),
        (f"{ROW} for (int r = 0; r < 256; r++) x = __byte_perm(x, w[r % 16], 0x123) ^ __brev(x); a[8 * i] = x;", ""),
        (f"{ROW} for (int r = 0; r < 256; r++) {ASSEMBLY} a[8 * i] = x;", ""),
        (
            f"{ROW} x = b[i]; for (int r = 0; r < 99; r++) do {{ {{ x = mixed(x, 7); }} }} while (0); a[8 * i] = x;",
            FUNCTIONS,
        ),
        (f"{ROW} if (i >= n) return; {MIX} if (x == 7) return; a[8 * i] = x;", ""),
        (f"{ROW} {MIX} kept(a, i, x);", "__device__ void kept(unsigned *a, int i, unsigned x) { a[8 * i] = x; }"),
        (f"{ROW} for (int r = 0; r < 512; r++) x = (x + table[(x >> 3) & 15]) ^ (x << 2); a[8 * i] = x;", TABLE),
    ],
    ids=[
        "rounds",
        "of-loaded",
        "row-of-constant-length",
        "functions",
        "64-bit",
        "intrinsics",
        "assembly",
        "macros",
        "exits",
        "kept",
        "table",
    ],
)
def test_rounds_of_a_hash_cover_the_rows_of_its_input_and_result(tmp_path: Path, body: str, helper: str) -> None:
    assert of_integers(tmp_path, body, helper) is Severity.INFO


@pytest.mark.parametrize(
    ("body", "helper"),
    [
        ("for (int j = 0; j < 64; j++) a[8 * i + 8 * n * j] = b[i];", ""),
        ("unsigned s = 0; for (int j = 0; j < 16; j++) s += b[i + j * n]; a[8 * i] = s;", ""),
        ("unsigned s = b[i]; a[8 * i] = (s * 77 + (s >> 8) * 150 + (s >> 16) * 29) >> 8;", ""),
        (f"int x = 1, w[16] = {{m}}; {MIX} a[8 * i + (x & 0)] = 1;", ""),
        (f"int x = 1, w[16] = {{m}}; {MIX} unsigned *p = a + 8 * i; p += x & 0; *p = 1;", ""),
        (f"int x = 1, w[16] = {{m}}, at[2]; {MIX} at[1] = x; a[8 * i + (at[1] & 0)] = 1;", ""),
        (f"{ROW} for (int r = 0; r < 256; r++) x = mixed(x, w[r % 16]); a[8 * i + (x & 0)] = 1;", FUNCTIONS),
        (f"int x = 1, w[16] = {{m}}; {MIX} for (int j = 0; j < x; j += 8) m += b[i]; a[8 * i] = m;", ""),
        (f"{ROW} if (m > 3) {{ {MIX} }} a[8 * i] = x;", ""),
        (f"{ROW} for (int r = 0; r < 2; r++) if (w[r] > 3) {{ {MIX} }} a[8 * i] = x;", ""),
        (f"{ROW} {MIX.replace('256', 'm')} a[8 * i] = x;", ""),
        (f"{ROW} {MIX.replace('; r++) x', '; r++) { x')} if (x == 7) break; }} a[8 * i] = x;", ""),
        (f"{ROW} x = b[8 * i]; if (x != 7) return; {MIX} a[i] = x;", ""),
        (f"{ROW} for (int r = 0; r < 2; r++) {{ x += b[8 * i + r * n]; if (x != 7) continue; {MIX} }} a[i] = x;", ""),
        (f"{ROW} a[8 * i] = ended(x, m);", f"__device__ unsigned ended(unsigned x, int m) {{ {ENDED} }}"),
        (f"{ROW} {MIX.replace('256', '4096')} unsigned v[40]; v[0] = x; memcpy(a + 40 * i, v, 160);", ""),
        (f"{ROW} {MIX} for (int j = 0; j < m; j++) a[8 * i + 8 * n * j] = x;", ""),
        (f"{ROW} {MIX} for (int j = 0; j < 64; j++) a[8 * i + 8 * n * j] = x;", ""),
        (f"{ROW} {MIX} for (int j = 0; j < 64; j++) x += b[i + n * j]; a[8 * i] = x;", ""),
    ],
    ids=[
        *("copy", "sum", "pixel", "of-an-index", "of-a-pointer", "of-an-index-in-an-array", "of-an-index-in-functions"),
        *("of-a-bound", "branch", "branch-in-the-loop", "open-rounds", "rounds-with-an-end"),
        *("after-an-exit", "after-a-jump", "after-an-exit-in-a-function", "bytes"),
        *("open-loop", "long-loop", "other-loads"),
    ],
)
def test_integers_of_addresses_and_few_of_data_cover_nothing(tmp_path: Path, body: str, helper: str) -> None:
    assert of_integers(tmp_path, body, helper) is Severity.WARNING
