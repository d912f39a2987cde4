"""What returns from a lambda leaves no loop around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_analysis import replaces_what_is_compiled
from evaluated import access, count_runs

LOOP = "for (int i = 0; i < n; i++) {{ auto twice = [](int x) {{ return 2 * x; }}; {0} out[twice(threadIdx.x)] = i; }}"


@replaces_what_is_compiled
@pytest.mark.parametrize(("way_out", "most"), [("", 1), ("if (i * threadIdx.x > 9) return;", 2)])
def test_only_a_loop_that_threads_leave_is_run_for_those_that_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way_out: str, most: int
) -> None:
    runs = count_runs(monkeypatch)
    found, _ = access(tmp_path, LOOP.format(way_out))
    assert sum(runs.values()) == most
    assert found.stride == "8"
