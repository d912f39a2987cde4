"""A launch that a profiler saw, as far as it tells one from others."""

from __future__ import annotations

from collections.abc import Iterable

from coalint.core.facts.launch import Specialization
from coalint.core.records import record


@record(frozen=True, slots=True)
class ProfiledLaunch:
    """The instance and the extents of a launch that is to be analysed, whatever bounds there are on their number.

    Attributes:
        kernel: The kernel's name without namespaces.
        template_arguments: The arguments of the instance, as the profiler spells them.
        block: Threads in x, y and z; None where that is not known.
        grid: Blocks in x, y and z; None where that is not known.
    """

    kernel: str
    template_arguments: tuple[str, ...] = ()
    block: tuple[int, int, int] | None = None
    grid: tuple[int, int, int] | None = None

    def is_instance(self, kernel: str, template_arguments: Iterable[str]) -> bool:
        """Whether a kernel with these template arguments is the instance, as far as both spell them alike."""
        return self.kernel == kernel.rsplit("::", 1)[-1] and same_arguments(self.template_arguments, template_arguments)

    def has_shape_of(self, specialization: Specialization) -> bool:
        """Whether a specialization has the block and the grid, as far as they are known."""
        return self.block in (None, specialization.block) and self.grid in (None, specialization.grid)


def same_arguments(a: Iterable[str], b: Iterable[str]) -> bool:
    """Whether two spellings of template arguments differ in spaces alone."""
    return ["".join(argument.split()) for argument in a] == ["".join(argument.split()) for argument in b]
