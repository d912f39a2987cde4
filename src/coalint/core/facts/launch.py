"""Launches: block shapes and arguments, as found in the source and as analysed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from enum import Enum
from math import prod

from coalint.core.facts.formulas import Formula
from coalint.core.records import record
from coalint.core.serialization import VOLATILE
from coalint.core.source.spans import Span


class LaunchSource(Enum):
    """Where a block shape comes from, surest first."""

    LAUNCH = "launch"
    BOUNDS = "bounds"
    OPTION = "option"
    COMMENT = "comment"
    ASSUMED = "assumed"


MAX_THREADS = 1024  # of a block (guide, table of technical specifications)

NOT_KNOWN = "?"
"""The value of a template argument of a template that is read as it is written, without one."""


BLOCK_EXTENTS = ("block.x", "block.y", "block.z")
"""What formulas call the extents of a block that no argument gives; no parameter has such a name."""


@record(frozen=True, slots=True)
class Fork:
    """A condition around a launch, as it holds there, and where it stands. `divides`: it asks whether something
    is a multiple of a number.
    """

    place: Span
    condition: str
    divides: bool


@record(frozen=True, slots=True)
class Specialization:
    """A kernel as it is analysed: template arguments, block shape and constant arguments.

    `floats` pairs the names of floating-point parameters with what the launch passes, where a kernel makes integers of
    such. `block` counts threads in x, y, z; `line` is the launch's line where there is one; `arguments` pairs the names
    of kernel parameters with their constant values; `members` are constants inside of by-value struct parameters, as
    (parameter, byte offset, size in bytes, value). `guessed` are template arguments that nothing in the file gave, as
    `name = value`, NOT_KNOWN for none; `one_of` says that the launch has other block shapes too, by conditions that are
    not known.
    `multiples` pairs names of parameters with what the user says divides them, `shifts` names of pointer parameters
    with how many bytes after its start the launch passes an array, `divisors` names of parameters with what divides
    whatever the launch passes. `file` is the launch's, where that is not the kernel's own. `given` are numbers for
    quantities that no launch passes (counters, members), by the names that they are printed with. `constants` are those
    that nothing declares, with the numbers that were supposed for them, as `name = value`. `parts` are numbers that the
    user states for what is inside of parameters, by the names that it is printed with. `declared_by` is what
    declares the block's threads, as the language spells it, where `source` is such a declaration. `template_parameters`
    are the names that the template has for its arguments, empty for one without; a pack has one name for several.
    `extents` is what is known of the grid where the user states some of it; `stated` names the user's facts that it
    rests on. `known` are the extents of an assumed block that its launch, at `line`, gives. `cell` are the number of a
    notebook's cell and the line in it at which the launch stands. `times` is how often the launch is made, where
    launches are counted; None where loops around it are not followed. `grid_formulas` are extents of the grid that
    are no constants, (0 for x to 2 for z, formula in the names of parameters and of `BLOCK_EXTENTS`), by one of the
    launches that are alike. `chosen_by` are the names of parameters that conditions around the launch rest on, `forks`
    these conditions.
    `spread`: only the number of threads is declared, which coalint has spread over several axes. `lost` names the
    parameters for which launches pass numbers that are no longer followed, since the host code is too large.
    """

    kernel: str
    template_arguments: tuple[str, ...]
    block: tuple[int, int, int]
    source: LaunchSource
    line: int | None = None
    arguments: tuple[tuple[str, int], ...] = ()
    grid: tuple[int, int, int] | None = None
    file: str | None = None
    members: tuple[tuple[str, int, int, int], ...] = ()
    guessed: tuple[str, ...] = ()
    multiples: tuple[tuple[str, int], ...] = ()
    shifts: tuple[tuple[str, int], ...] = ()
    one_of: bool = False
    divisors: tuple[tuple[str, int], ...] = ()
    given: tuple[tuple[str, int], ...] = ()
    constants: tuple[str, ...] = ()
    parts: tuple[tuple[str, int], ...] = ()
    declared_by: str = ""
    template_parameters: tuple[str, ...] = ()
    extents: tuple[int | None, int | None, int | None] = (None, None, None)
    stated: tuple[str, ...] = ()
    known: tuple[int | None, int | None, int | None] = (None, None, None)
    floats: tuple[tuple[str, float], ...] = ()
    cell: tuple[int, int] | None = field(default=None, compare=False, metadata={VOLATILE: True})
    times: int | None = field(default=1, compare=False, metadata={VOLATILE: True})
    grid_formulas: tuple[tuple[int, Formula], ...] = field(default=(), compare=False)
    chosen_by: tuple[str, ...] = field(default=(), compare=False)
    forks: tuple[Fork, ...] = field(default=(), compare=False, metadata={VOLATILE: True})
    spread: bool = False
    lost: tuple[str, ...] = ()

    @property
    def passed(self) -> tuple[tuple[str, int | float], ...]:
        """The constant arguments that it was analysed with, integers first."""
        return (*self.arguments, *self.floats)

    @property
    def is_guessed(self) -> bool:
        """Whether it rests on template arguments or constants that coalint chose itself."""
        return bool(self.guessed or self.constants)

    @property
    def guesses_lanes(self) -> bool:
        """Whether lanes lie to each other as coalint guessed: by template arguments, or the width of the block's rows.

        In a block of one row, neighbouring threads are neighbouring lanes, however many there are; so they are where
        all extents but the last one above 1 are known.
        """
        if self.is_guessed or not self.guesses_shape:
            return self.is_guessed
        last = max((axis for axis, extent in enumerate(self.block) if extent > 1), default=0)
        return any(extent is None for extent in self.known[:last])

    @property
    def guesses_shape(self) -> bool:
        """Whether nothing gives the shape of the block, or not how its threads lie in it."""
        return self.source is LaunchSource.ASSUMED or self.spread

    @property
    def axes(self) -> int:
        """The axes up to the last one along which the block has several threads, or may have since it is left open."""
        has_launch = any(extent is not None for extent in self.known)
        may_have = (
            extent > 1 or (has_launch and given is None) for extent, given in zip(self.block, self.known, strict=True)
        )
        return max((axis for axis, several in enumerate(may_have, 1) if several), default=1)

    def other_shapes(self, shapes: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
        """Return those of the shapes that the kernel may have beside its own, with the extents that its launch gives.

        Each stands once. What is open is cut where a block would have more than MAX_THREADS threads.
        """
        fitted: dict[tuple[int, int, int], None] = {}
        for shape in shapes:
            left = MAX_THREADS // prod(extent for extent in self.known if extent is not None)
            extents: list[int] = []
            for extent, given in zip(shape, self.known, strict=True):
                extents.append(min(extent, left) if given is None else given)
                left = left if given is not None else left // extents[-1]
            x, y, z = extents
            fitted[x, y, z] = None
        return [shape for shape in fitted if shape != self.block]

    @property
    def guesses(self) -> tuple[tuple[str, str], ...]:
        """What of it nothing in the source gives, each with the name of its kind: `block_shape`, `32x8`."""
        shape = "x".join(str(n) for n in self._trimmed())
        return (
            *((("block_shape", shape),) if self.guesses_shape else ()),
            *(("template_arguments", argument) for argument in self.guessed),
            *(("constants", constant) for constant in self.constants),
        )

    @property
    def basis(self) -> str:
        """The block shape and where it comes from, as findings say it: `32x8 threads (launch at line 90)`."""
        return self.basis_by("--assume")

    def basis_by(self, option: str) -> str:
        """Return the basis, where a shape that the command line gives comes from this option."""
        shape = "x".join(str(n) for n in self._trimmed())
        threads = "1 thread" if shape == "1" else f"{shape} threads"
        where = {
            LaunchSource.LAUNCH: self._launch(),
            LaunchSource.BOUNDS: f"from {self.declared_by}",
            LaunchSource.OPTION: f"from {option}",
            LaunchSource.COMMENT: "from a coalint: assume comment",
            LaunchSource.ASSUMED: self._assumed(),
        }[self.source]
        return f"{threads} ({where}){''.join(f'; template arguments {text}' for text in self.template_basis)}"

    @property
    def template_basis(self) -> tuple[str, ...]:
        """What is said of template arguments that nothing gives: `assumed: T = float`, `not known: N`."""
        named = [text.partition(" = ") for text in self.guessed]
        assumed = [f"{name} = {value}" for name, _, value in named if value and value != NOT_KNOWN]
        unknown = [name for name, _, value in named if value == NOT_KNOWN]
        texts = [f"assumed: {', '.join(assumed)}"] if assumed else []
        if unknown or len(assumed) < len(named):
            texts.append(f"not known: {', '.join(unknown)}" if unknown else "not known")
        return tuple(texts)

    @property
    def launched(self) -> str:
        """Where the launch stands: `launch at line 90`, of a notebook `launch at cell 5, line 2`."""
        if self.cell is not None:
            return f"launch at cell {self.cell[0]}, line {self.cell[1]}"
        return f"launch at {self.file}:{self.line}" if self.file else f"launch at line {self.line}"

    def _launch(self) -> str:
        return f"{self.launched}, which has other shapes too" if self.one_of else self.launched

    def _assumed(self) -> str:
        given = [f"{axis} = {extent}" for axis, extent in zip("xyz", self.known, strict=True) if extent is not None]
        if given:
            return f"assumed: the {self.launched} gives only {' and '.join(given)}"
        return "assumed: no launch with a constant block shape was found"

    def _trimmed(self) -> tuple[int, ...]:
        x, y, z = self.block
        return (x, y, z) if z != 1 else (x, y) if y != 1 else (x,)


@record(frozen=True, slots=True)
class LaunchRecord:
    """One evaluated launch: block and grid extents and arguments, None where they are no constants.

    `floats` are floating-point constants among the arguments: (position, number).
    `members` are constants inside of struct arguments: (position, byte offset, size in bytes, value); `shifts` how many
    bytes after its start an array is passed: (position, bytes); `divisors` what divides other arguments in any case:
    (position, number), and `of_block` which are multiples of an extent of the block that is no constant: (position, 0
    for x to 2 for z). `one_of` says that the place also launches other shapes or kernels, by conditions that are not
    known. `guessed` are the template arguments, as `name = value`, that the host function around it was given without
    an instance that the file shows. `times` is how often it is made so; None where loops around it are not followed.
    `grid_formulas` are extents of the grid that are no constants: (0 for x to 2 for z, formula in the positions of
    arguments and the names of `BLOCK_EXTENTS`). `chosen_by` are positions of arguments that conditions around the
    launch rest on, as those by which a host function takes one instance of a template among several, and `forks` these
    conditions. `lost` are those
    of arguments that are no longer followed, since the host code is too large.
    """

    kernel: str
    block: tuple[int | None, int | None, int | None]
    grid: tuple[int | None, int | None, int | None]
    arguments: tuple[int | None, ...]
    span: Span
    members: tuple[tuple[int, int, int, int], ...] = ()
    shifts: tuple[tuple[int, int], ...] = ()
    one_of: bool = False
    guessed: tuple[str, ...] = ()
    divisors: tuple[tuple[int, int], ...] = ()
    of_block: tuple[tuple[int, int], ...] = ()
    times: int | None = 1
    floats: tuple[tuple[int, float], ...] = ()
    grid_formulas: tuple[tuple[int, Formula], ...] = field(default=(), compare=False)
    chosen_by: tuple[int, ...] = field(default=(), compare=False)
    forks: tuple[Fork, ...] = field(default=(), compare=False)
    lost: tuple[int, ...] = ()
