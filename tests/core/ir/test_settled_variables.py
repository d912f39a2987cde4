"""Which uses of shared variables follow all that may change them."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.ir.settled_variables import settled_uses
from coalint.frontend.cuda.load import load

BEFORE = "__device__ void by_reference(int &x) { x = 7; } __device__ int by_value(int x) { return x; }\n"


@pytest.mark.parametrize(
    ("body", "settled"),
    [
        ("s = n; __syncthreads(); a[s] = s;", 2),
        ("if (threadIdx.x == 0) s = a[0]; __syncthreads(); for (int i = s; i < s; i += s) a[i] = i;", 3),
        ("s = n; t = s; a[t] = s;", 3),
        ("if (n > 3) { s = n; } else { s = 1; a[s] = 1; } a[by_value(s)] = 1;", 1),
        ("s = n; a[s] = 1; s = 2 * n; a[s] = s;", 2),
        ("a[0] = s;", 1),
        ("s = n; a[min(s, 4)] = s;", 2),
        ("for (int i = 0; i < n; i++) s = i; a[0] = s;", 0),
        ("s = n; a[s++] = 1;", 0),
        ("s = n; s += n; a[s] = 1;", 0),
        ("s = n; by_reference(s); a[s] = 1;", 0),
        ("s = n; int &other = s; other = 2; a[s] = 1;", 0),
        ("s = n; int *other = &s; *other = 2; a[s] = 1;", 0),
        ("s = n; auto set = [&] { s = 4; }; set(); a[s] = 1;", 0),
        ("s = n; again: a[s] = 1; s = 2; if (n-- > 0) goto again; a[s] = 1;", 0),
        ("s = n; atomicAdd(&s, 1); a[s] = 1;", 0),
        ('s = n; asm("mov.u32 %0, %1;" : "=r"(s) : "r"(n)); a[s] = 1;', 0),
        ('s = n; int x; asm("mov.u32 %0, %1;" : "=r"(x) : "r"(s)); a[s] = x;', 2),
        ("s = n; { int x = s; by_reference(x); a[x] = s; }", 2),
        ("tile[0] = n; a[tile[0]] = 1;", 0),
        ("{ s = n; __syncthreads(); a[s] = 1; }", 0),
    ],
)
def test_they_follow_the_last_statement_that_sets_it(tmp_path: Path, body: str, settled: int) -> None:
    file = tmp_path / "k.cu"
    head = "__global__ void k(float *a, int n) { __shared__ int s, t, tile[4];"
    file.write_text(f"{BEFORE}{head} {body} }}\n")
    module = load(str(file), headers=shared_headers())
    (kernel,) = module.kernels
    assert len(settled_uses(kernel.function, module.functions)) == settled
