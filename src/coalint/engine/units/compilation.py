"""How one file is compiled: its arguments, and where each of them comes from."""

from __future__ import annotations

from enum import Enum

from coalint.core.records import record
from coalint.core.source.boundary import Boundary
from coalint.engine.check.records import Source
from coalint.frontend.cuda.build.compile_commands import Entry
from coalint.frontend.cuda.build.includes import Closure
from coalint.frontend.cuda.build.translation import Dropped, Translation
from coalint.frontend.interface import BuildMacro


class Why(Enum):
    """How the command was found that a file is parsed with."""

    EXACT = "the command that compiles this file"
    INCLUDER = "the command of a file that includes this one"
    SIBLING = "the command of the nearest file that has one"
    BUILD_FILES = "what the repository's build files give every build"
    NONE = "no command"


@record(frozen=True, slots=True)
class Compilation:
    """One file with the arguments that it is parsed with, and where each of them comes from.

    `entry` is the command taken, one of `entries` for its file; `given` what the user's own flags became. `flags` also
    hold the folders of `includes.located`, and the macros by which a source knows its GPU. `boundary` is what
    reading the file may not leave. `build_files` are those that `translation` is from where no command is known;
    `built` are macros of the source to which some build gives a value. `installed` are folders of CUDA headers on this
    machine, for what coalint's own lack.
    """

    path: str
    flags: tuple[str, ...]
    architecture: str | None
    why: Why
    entry: Entry | None
    entries: int
    translation: Translation | None
    given: Translation
    includes: Closure
    root: str
    boundary: Boundary
    assume: tuple[str, ...] = ()
    build_files: tuple[str, ...] = ()
    built: tuple[BuildMacro, ...] = ()
    installed: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        """What the run needs of it."""
        supposing = self.why in (Why.NONE, Why.BUILD_FILES)
        return Source(
            self.path,
            self.flags,
            self.architecture,
            supposing=supposing,
            assume=self.assume,
            boundary=self.boundary,
            hidden=self.includes.unfit,
            built=self.built if supposing else (),
            installed=self.installed,
            ahead=tuple(sorted(self.includes.ahead)),
        )

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What is not handed on of the command, then of the user's flags."""
        return (*(self.translation.dropped if self.translation else ()), *self.given.dropped)
