"""Files in several processes: order, and a process that dies."""

from __future__ import annotations

import os

from coalint.workers import map_items

MAIN = os.getpid()


def square(item: int) -> int:
    if item == 3 and os.getpid() != MAIN:
        os._exit(1)
    return item * item


def lost(item: int) -> int:
    return -item


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(map_items(lambda item: item + 1, range(20), 2, lost)) == list(range(1, 21))


def test_a_process_that_dies_costs_its_item_only() -> None:
    expected = [item * item for item in range(12)]
    expected[3] = -3
    assert list(map_items(square, range(12), 2, lost)) == expected


def test_few_items_stay_in_this_process() -> None:
    assert list(map_items(square, [3], 8, lost)) == [9]
    assert list(map_items(square, range(5), 1, lost)) == [0, 1, 4, 9, 16]
