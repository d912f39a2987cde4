"""Numbers for quantities of an access: which are missing, and whether those of a request fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from coalint.analysis.warps.assumed_numbers import is_expression, supposed
from coalint.core.facts.access import Access
from coalint.engine.inspection.requests import Request, ShowError
from coalint.engine.inspection.selection import ChosenAccesses


def missing_numbers(access: Access, request: Request, defaults: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the quantities that lanes depend on and that have no number yet, with the number to assume."""
    had = {*defaults, *dict(request.values), *dict(request.iteration)}
    for name in access.open.lacking:
        if name not in had:
            yield name, supposed(access.space)


def check_names(request: Request, chosen: ChosenAccesses) -> None:
    """Raise ShowError for a name that nothing has at the place, and for an iteration that a loop does not make."""
    accesses = [made.written for made in chosen.instructions]
    loops = {loop.variable: loop.trips for access in accesses for loop in access.loops}
    known = {name for access in accesses for name in access.open.names}
    loops |= {name: blocks for name, blocks in chosen.blocks.items() if name in known}
    for name, value in request.iteration:
        if name not in loops:
            hint_of_loops = f"; there {'are' if len(loops) > 1 else 'is'} {_listed(loops)}" if loops else ""
            raise ShowError(
                f"--iteration {name}={value}: no loop over `{name}` is around {request.spot}{hint_of_loops}"
            )
        _check_trips(f"--iteration {name}={value}", name, value, loops[name], chosen)
    parameters = dict(chosen.specialization.arguments)
    for name, value in request.values:
        if name in loops:
            _check_trips(f"--let {name}={value}", name, value, loops[name], chosen)
        elif name not in parameters and name not in known and not is_expression(name):
            near = get_close_matches(name, known, 1, 0.5)
            hint = f"did you mean `{near[0]}`? " if near else ""
            without_number = f"without a value are {_listed(known)}" if known else "everything has a value"
            raise ShowError(f"--let {name}={value}: nothing at {request.spot} has that name; {hint}{without_number}")


def _check_trips(option: str, name: str, value: int, trips: int | None, chosen: ChosenAccesses) -> None:
    counted = "blocks" if name in chosen.blocks else "iterations"
    if value < 0 or (trips is not None and value >= trips):
        last = "on" if trips is None else f"to {trips - 1}"
        raise ShowError(f"{option}: the {counted} of `{name}` count from 0 {last}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))
