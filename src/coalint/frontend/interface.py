"""What a front end is: the files that it owns, how it loads one, and how its language spells things in messages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import ClassVar

from coalint.core import ir
from coalint.core.facts.profiled_launch import ProfiledLaunch
from coalint.core.records import record
from coalint.core.source.spans import Span

FLAGS = "(flags)"
"""The file of a ParserMessage for which no file is at fault."""


class FrontendError(Exception):
    """A source file cannot be read at all; `remedy` says what to do."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


@record(frozen=True, slots=True)
class Scope:
    """Whose kernels are wanted of a translation unit.

    Those of the file itself, of the `fragments` (real paths) that it includes, and those that it launches; only those
    of the fragments where it is not wanted `itself`; only those of the names in `only` where there are any.
    Instances of templates that were `profiled` are among them, however many others there are.
    """

    fragments: tuple[str, ...] = ()
    itself: bool = True
    only: tuple[str, ...] = ()
    profiled: tuple[ProfiledLaunch, ...] = ()


WHOLE = Scope()


@record(frozen=True, slots=True)
class BuildMacro:
    """A macro that a build file of the repository gives a value in some build.

    `values` are all that it may have, the one to try first. `place` is where, as `setup.py:12`: macros of one place are
    given together.
    """

    name: str
    values: tuple[str, ...]
    place: str

    @property
    def definition(self) -> str:
        """What `-D` takes: `NAME=VALUE`."""
        return f"{self.name}={self.values[0]}"


@record(frozen=True, slots=True)
class LoadRequest:
    """One file to load, and how it is compiled.

    `arguments` are the flags of its plan. `headers` is a folder for precompiled headers; None for none. `supposing`
    allows to suppose that the build defines the macros with which the file's headers declare what it lacks; `built` are
    macros to which some build gives a value. `installed` are folders of headers on this machine that serve what the
    front end's own lack; `ahead` are those of its own that come before the file's first line.
    """

    path: str
    arguments: tuple[str, ...] = ()
    headers: str | None = None
    scope: Scope = WHOLE
    supposing: bool = False
    built: tuple[BuildMacro, ...] = ()
    installed: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Loaded:
    """The IR of a file, with the files that were opened for it and the names of those that were not found.

    Files that belong to the front end itself are not among them. `sought` are paths at which a file was looked for.
    """

    module: ir.Module
    opened: tuple[str, ...] = ()
    missing: frozenset[str] = frozenset()
    sought: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class ParserMessage:
    """One error of the parser; the file of its span is FLAGS where no file is at fault.

    `include` is the name of a file to include that was not found.
    """

    message: str
    span: Span
    include: str | None = None


@record(frozen=True, slots=True)
class ParseExplanation:
    """What the parser says of a file as it stands, and the IR that comes out."""

    messages: tuple[ParserMessage, ...]
    module: ir.Module


class FrontEnd(ABC):
    """Reads the files of one language and hands over the IR.

    `suffixes` are those of the files that a run looks for, `marked_suffixes` those of files of which it looks for the
    ones that `may_hold_kernels`. `takes_flags` says that files are planned with the flags
    and compile commands of a build; the others are loaded without arguments. `header_suffixes` are those of files that
    others include and that hold kernels too, `included_suffixes` those of `suffixes` that others include. `bundled` is
    the folder of the front end's own headers, with a separator at its end; empty where there are none.
    """

    suffixes: ClassVar[tuple[str, ...]]
    marked_suffixes: ClassVar[tuple[str, ...]] = ()
    header_suffixes: ClassVar[tuple[str, ...]] = ()
    included_suffixes: ClassVar[tuple[str, ...]] = ()
    spelling: ClassVar[ir.Spelling]
    takes_flags: ClassVar[bool] = False
    bundled: ClassVar[str] = ""

    def is_header(self, path: str) -> bool:
        """Whether a file is written to be included by others, as its suffix says."""
        return path.endswith((*self.header_suffixes, *self.included_suffixes))

    @abstractmethod
    def load(self, request: LoadRequest) -> Loaded:
        """Load one file. Raises FrontendError for what is no readable source file."""

    @abstractmethod
    def explain(self, request: LoadRequest) -> ParseExplanation:
        """Return what the parser says of a file. Raises FrontendError, as `load` does."""

    def command_line(self, arguments: Sequence[str]) -> tuple[str, ...]:
        """Return the whole command line of the parser for these arguments."""
        return tuple(arguments)

    @abstractmethod
    def prepare(self, arguments: Collection[tuple[str, ...]], headers: str | None) -> None:
        """Do what loading files with these arguments has in common: once, before worker processes are forked.

        `headers` is the folder of precompiled headers, as for `load`.
        """

    @abstractmethod
    def may_hold_kernels(self, text: str) -> bool:
        """Whether a source text may define or launch kernels, for all that is seen without a parser."""

    def computes_with(self, macro: str, texts: Iterable[str]) -> bool:
        """Whether sources compute something with a macro, and do not only ask for it in conditions."""
        return False

    def written_kernels(self, text: str, file: str) -> Iterator[tuple[str, Span]]:
        """Yield name and place of each kernel that a text defines, whatever a parser would make of it."""
        return iter(())
