"""Contiguous runs of lanes: where they begin and how long they are."""

from __future__ import annotations

from synthetic import lanes_of

from coalint.machine.global_memory.runs import runs_of


def test_rows_of_a_narrow_block_are_runs() -> None:
    lanes = lanes_of([[[100 * (t // 16) * 4 + 4 * (t % 16) for t in range(32)]]])
    runs = runs_of(lanes, 4)
    assert runs.starts.tolist() == [0, 400]
    assert runs.lengths.tolist() == [64, 64]
    assert runs.warps.tolist() == [0, 0]


def test_order_broadcasts_and_idle_lanes_do_not_part_a_run() -> None:
    lanes = lanes_of([[[4 * (31 - t // 2) for t in range(30)] + [None, None]]])
    runs = runs_of(lanes, 4)
    assert (runs.starts.tolist(), runs.lengths.tolist()) == ([4 * 17], [60])


def test_lanes_of_different_groups_are_in_different_runs() -> None:
    row = [4 * t for t in range(32)]
    runs = runs_of(lanes_of([[row]], groups=[[t // 8 for t in range(32)]]), 4)
    assert runs.starts.tolist() == [0, 32, 64, 96]


def test_each_warp_has_its_own_runs() -> None:
    runs = runs_of(lanes_of([[[4 * t for t in range(32)], [128 + 4 * t for t in range(32)]]]), 4)
    assert runs.warps.tolist() == [0, 1]
