"""Loops of which the header alone tells how often they run."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core import ir
from coalint.core.ir.counters import is_counted
from coalint.frontend.cuda.load import load


@pytest.mark.parametrize(
    ("loop", "is_told"),
    [
        ("for (int i = 0; i < n; ++i) s += a[i];", True),
        ("for (int i = n; i > 0; i -= 2) s += a[i];", True),
        ("for (int i = 0; (long)i != m * 4; i++) s += a[i];", True),
        ("for (int i = 0; n >= i; i++) { if (a[i] > 0) continue; s += a[i]; }", True),
        ("for (int i = 0; i < n; ++i) switch (m) { case 1: s += a[i]; break; default: s += 2; }", True),
        ("for (int i = 0; i < n; ++i) switch (m) { case 1: s += a[i]; break; default: return; }", False),
        ("for (int i = 0; i < n; ++i) { s += a[i]; n = 4; }", False),
        ("for (int i = 0; i < n; ++i) { s += a[i]; i += 2; }", False),
        ("for (int i = 0; i < n; ++i) { if (a[i] > 0) break; s += a[i]; }", False),
        ("for (int i = 0; i < n; ++i) { if (a[i] > 0) return; s += a[i]; }", False),
        ("for (int i = 0; i < n--; ++i) s += a[i];", False),
        ("for (int i = 0; i < n && a[i] > 0; ++i) s += a[i];", False),
        ("for (int i = 0; a[i] > 0; ++i) s += a[i];", False),
        ("int i = 0; while (i < n) s += a[i++];", False),
        ("int i = 0, k = n; for (; i < k; ++i, --k) s += a[i];", False),
    ],
)
def test_a_header_tells_it_unless_something_else_ends_the_loop(tmp_path: Path, loop: str, is_told: bool) -> None:
    file = tmp_path / "k.cu"
    body = f"float s = 0; {loop} a[0] = s;"
    file.write_text(f"__global__ void k(float *a, int n, int m) {{ {body} }}\n", encoding="utf-8")
    (kernel,) = load(str(file), headers=shared_headers()).kernels
    (found,) = (node for node in ir.nodes(kernel.function.body) if isinstance(node, ir.Loop))
    assert is_counted(found) == is_told
