"""What a user supposes of a launch: numbers by name, and another block shape."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.core import ir


@record(frozen=True, slots=True)
class Given:
    """Numbers for kernel parameters, counters and other quantities, by the names that coalint prints; a block shape.

    They win over what the source, its comments and the other options say. A loop's counter numbers its iterations from
    0. `block` counts threads in x, y, z.
    """

    values: tuple[tuple[str, int], ...] = ()
    block: tuple[int, int, int] | None = None

    def applied(self, kernel: ir.Kernel, specialization: Specialization) -> Specialization:
        """Return the specialization with what is given: integer parameters as arguments, the rest by name."""
        from coalint.core.ir import Integer

        if self.block is not None:
            source = LaunchSource.OPTION
            specialization = replace(
                specialization, block=self.block, source=source, line=None, file=None, one_of=False
            )
        integers = {p.name for p in kernel.function.parameters if isinstance(p.type, Integer)}
        arguments = dict(specialization.arguments) | {n: v for n, v in self.values if n in integers}
        rest = tuple((name, value) for name, value in self.values if name not in integers)
        return replace(specialization, arguments=tuple(arguments.items()), given=rest)


NOTHING = Given()
