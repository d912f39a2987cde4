"""The specialization of a launch that was profiled, where none of those that are analysed is it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from coalint.core import ir
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.facts.profiled_launch import ProfiledLaunch

Item = TypeVar("Item")


def with_profiled(
    kernel: ir.Kernel, launches: Sequence[Specialization], profiled: Sequence[ProfiledLaunch]
) -> list[Specialization]:
    """Return the launches of a kernel that were profiled; all where none was whose grid is known.

    One in another place whose grid the source leaves open may be it, too: a first launch to warm up, of one element.
    """
    asked = [
        one for one in profiled if one.is_instance(kernel.name, kernel.template_arguments) and one.grid is not None
    ]
    if not asked:
        return list(launches)
    selected = [one for one in launches if any(each.has_shape_of(one) for each in asked)]
    for each in asked:
        found = {(one.file, one.line) for one in selected if each.has_shape_of(one)}
        made = [_as_profiled(alike, each) for alike in _open_elsewhere(launches, each, found)]
        if not found:
            made = [_as_profiled(launches, each)]
        selected += [one for one in made if one is not None]
    return selected


def _open_elsewhere(
    launches: Sequence[Specialization], asked: ProfiledLaunch, found: Container[object]
) -> Iterable[list[Specialization]]:
    """Return those of each place but these whose grid the source leaves open, and whose block is what was asked for."""
    by_place: dict[object, list[Specialization]] = {}
    for one in launches:
        if one.grid is None and asked.block in (None, one.block) and (one.file, one.line) not in found:
            by_place.setdefault((one.file, one.line), []).append(one)
    return by_place.values()


def _as_profiled(launches: Sequence[Specialization], asked: ProfiledLaunch) -> Specialization | None:
    """Return one of the launches with the extents that were profiled; None where there is none.

    It is one whose grid the source leaves open; else the block and the grid are put in. What is known of the arguments
    is what all launches that it may be pass alike.
    """
    open_grids = [one for one in launches if one.grid is None and asked.block in (None, one.block)]
    candidates = open_grids or launches
    if not candidates:
        return None
    first = candidates[0]
    one = replace(
        first,
        grid=asked.grid or first.grid,
        arguments=_alike([each.arguments for each in candidates]),
        members=_alike([each.members for each in candidates]),
        floats=_alike([each.floats for each in candidates]),
        shifts=_alike([each.shifts for each in candidates]),
        divisors=_alike([each.divisors for each in candidates]),
    )
    if open_grids:
        return one
    block = asked.block or first.block
    return replace(one, block=block, source=LaunchSource.OPTION, line=None, file=None, one_of=False)


def _alike(lists: Sequence[tuple[Item, ...]]) -> tuple[Item, ...]:
    return tuple(item for item in lists[0] if all(item in others for others in lists[1:]))
