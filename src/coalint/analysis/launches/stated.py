"""What the user states about one kernel, by options and by comments, and what of it is used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from coalint.analysis.launches.assumptions import Assumption, understood_assumption
from coalint.core import ir
from coalint.core.facts.launch import Specialization
from coalint.core.records import record

Extents = tuple[int | None, int | None, int | None]


@record(frozen=True, slots=True)
class Stated:
    """What the user states about one kernel: by options, by comments, and by both for its parameters.

    `options` and `comments` are values by name, `parameters` those of kernel parameters, `multiples` divisors by name,
    `extents` the components of the grid's extent, `names` those that these have in the language. `parts` are values of
    what is inside of parameters: `alphas.stride(3)`, `v.pitch`, `sizes[1]`.
    """

    options: dict[str, int]
    comments: dict[str, int]
    parameters: dict[str, int]
    multiples: tuple[tuple[str, int], ...]
    extents: Extents
    names: tuple[str, str, str]
    parts: tuple[tuple[str, int], ...] = ()

    def of_grid(self, known: Extents = (None, None, None)) -> Extents:
        """Return the grid's extent: what the launch says, then what the user states; nothing if that adds nothing."""
        x, y, z = (k if k is not None else s for k, s in zip(known, self.extents, strict=True))
        return (x, y, z) if (x, y, z) != known else (None, None, None)

    def used(self, known: Extents = (None, None, None)) -> tuple[str, ...]:
        """Return the names of the facts that matter for a launch of which this much of the grid is known."""
        pairs = zip(self.names, known, self.extents, strict=True)
        extents = (name for name, k, s in pairs if k is None and s is not None)
        return (*self.parameters, *(name for name, _ in (*self.multiples, *self.parts)), *extents)


def stated_about(module: ir.Module, kernel: ir.Kernel, assumptions: Sequence[Assumption]) -> Stated:
    """Return what options (`assumptions`) and the kernel's comments state about it."""
    read = (understood_assumption(text, module.spelling) for text in kernel.assumptions)
    comments = [assumption for assumption in read if assumption is not None]
    by_option = {name: value for assumption in assumptions for name, value in assumption.facts}
    by_comment = {name: value for assumption in comments for name, value in assumption.facts}
    both = {**by_option, **by_comment}
    parameters = [parameter.name for parameter in kernel.function.parameters]
    divisors = {name: value for assumption in (*assumptions, *comments) for name, value in assumption.multiples}
    x, y, z = (module.spelling.component_of(ir.Register.GRID_EXTENT, axis) for axis in ir.AXES)
    a, b, c = (value if value is not None and value > 0 else None for value in map(both.get, (x, y, z)))
    return Stated(
        options=by_option,
        comments=by_comment,
        parameters={name: value for name, value in both.items() if name in parameters},
        multiples=tuple(divisors.items()),
        extents=(a, b, c),
        names=(x, y, z),
        parts=tuple((name, value) for name, value in both.items() if _is_part(name, parameters)),
    )


def _is_part(name: str, parameters: Sequence[str]) -> bool:
    """Whether a name is that of something inside of a parameter."""
    return name not in parameters and re.split(r"[.\[]", name)[0] in parameters


def without_effect(
    assumptions: Sequence[Assumption], specialized: Sequence[tuple[ir.Kernel, Specialization]]
) -> Iterator[tuple[str, bool]]:
    """Yield each name that an option says something about, with whether that had an effect on a kernel."""
    used = {name for _, specialization in specialized for name in specialization.stated}
    for assumption in assumptions:
        for name, _ in (*assumption.facts, *assumption.multiples):
            yield name, name in used
