"""What the check of a file takes and gives: the source, the job, the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from coalint.core.facts.analysis import Analysis
from coalint.core.facts.assumptions import NOTHING, Given
from coalint.core.facts.block_forms import BlockForms
from coalint.core.facts.launch import LaunchRecord, Specialization
from coalint.core.facts.profiled_launch import ProfiledLaunch
from coalint.core.findings import Finding, Note
from coalint.core.ir.declaration import Declaration
from coalint.core.records import record
from coalint.core.serialization import VOLATILE
from coalint.core.source.boundary import Boundary
from coalint.core.source.installed_headers import InstalledHeader
from coalint.core.source.spans import Span
from coalint.engine.check.limits import UNBOUNDED, Limits
from coalint.engine.check.lines import Line
from coalint.engine.execution.cache.inputs import Inputs
from coalint.engine.report import Coverage, Failure
from coalint.frontend.interface import BuildMacro
from coalint.machine.architecture import Architecture
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.traffic import Traffic
from coalint.rule import Rule

Overlay = tuple[tuple[str, str], ...]


"""Real paths of files, each with the text that stands in for it."""


@record(frozen=True, slots=True)
class Source:
    """One file of a run with all that its result depends on beside the Job.

    `flags` are what it is parsed with, folders absolute; `arch` the GPU to count for where it is not the Job's;
    `assume` comes before what the Job assumes, which wins.
    `fragments` (real paths) are files that it includes and whose kernels are checked with its own, or without them
    where the file is not wanted `itself`. Where there are `launches`, made in other files of kernels that this one
    defines (`kernel` is the symbol), these kernels alone are checked, under these launches alone; with `only`, no other
    kernels than those of these names. The macros in `supposed` are defined on the supposition that a build does so;
    `supposing` says that nothing tells how it is built, and more of them may be.
    `boundary` is what reading it may not leave, None for no bound; `hidden` are names of files that may not be opened.
    `precompiled` says that it may be parsed with the precompiled headers, with which libclang crashes at times.
    `built` are macros to which some build gives a value, for where it cannot be read without one.
    `included` says that other files of the run include it, though it is checked by itself.
    `installed` are folders of headers on this machine that serve what the front end's own lack, `ahead` those of the
    front end's own that come before its first line.
    """

    path: str
    flags: tuple[str, ...] = ()
    arch: str | None = None
    fragments: tuple[str, ...] = ()
    itself: bool = True
    only: tuple[str, ...] = ()
    launches: tuple[LaunchRecord, ...] = ()
    supposed: tuple[str, ...] = ()
    supposing: bool = False
    assume: tuple[str, ...] = ()
    boundary: Boundary | None = None
    hidden: tuple[str, ...] = ()
    precompiled: bool = True
    built: tuple[BuildMacro, ...] = ()
    included: bool = False
    installed: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """All that it is parsed with."""
        return (*self.flags, *(f"-D{name}" for name in self.supposed))


@record(frozen=True)
class Job:
    """What is the same for every file of a run. `keep` keeps the analyses themselves, for `inspect`.

    `headers` is the folder of precompiled headers: it changes what a run costs, never what it gives. `inputs` asks for
    what the files' results rest on, so that they can be kept. `overlay` holds texts that stand in for files. `given` is
    what every launch is supposed to be, whatever the source says. `models` asks for models of the accesses, where the
    analyses are kept. `forms` asks for formulas of executions, `formulas` for those of
    what findings weigh.
    `answers` is the folder of what sympy answered about addresses, `kernels` that of results of single kernels; None
    for none.
    `line` leaves out kernels whose code does not hold it. `profiled` are launches that are analysed in any case.
    `processes` is how many may check the kernels of one file: it never changes what a run gives.
    """

    assume: tuple[str, ...]
    arch: Architecture
    rules: tuple[type[Rule], ...]
    keep: bool = False
    headers: str | None = None
    limits: Limits = UNBOUNDED
    inputs: bool = False
    overlay: Overlay = ()
    given: Given = NOTHING
    models: bool = False
    forms: bool = False
    formulas: bool = False
    answers: str | None = None
    kernels: str | None = None
    line: Line | None = None
    profiled: tuple[ProfiledLaunch, ...] = ()
    processes: int = 1


@record(frozen=True, slots=True)
class RankedFinding:
    """A finding with what ranks and explains it: the excess traffic at its place and what that was computed from.

    `moved` is the finding at the call of a helper that has no part in it, where it is reported unless it is dropped.
    """

    finding: Finding
    excess: float
    assumed: tuple[str, ...]
    moved: Finding | None = None

    def as_info(self, note: Note) -> RankedFinding:
        """Return it as an info, with a note that says why it is no more."""
        moved = None if self.moved is None else self.moved.as_info(note)
        return replace(self, finding=self.finding.as_info(note), moved=moved)


@record(frozen=True, slots=True)
class CheckedKernel:
    """One kernel at one specialization, as it costs on `arch` (`sm_90`).

    `outcome` is a digest of its accesses, their costs and its barriers. `instructions` are those of its accesses;
    `gaps` say what of it was not analysed; `block_forms` are its counts in open extents of the block, where formulas
    were asked for. `moves` are the places of its accesses to global memory, each with the open quantities that lanes
    are multiples of.
    """

    kernel: str
    span: Span
    specialization: Specialization
    findings: tuple[RankedFinding, ...]
    coverage: Coverage
    outcome: str = ""
    gaps: tuple[Note, ...] = ()
    moves: tuple[tuple[Span, tuple[str, ...]], ...] = ()
    analysis: Analysis | None = field(default=None, metadata={VOLATILE: True})
    instructions: tuple[MachineInstruction, ...] = field(default=(), metadata={VOLATILE: True})
    arch: str = ""
    block_forms: BlockForms | None = field(default=None, metadata={VOLATILE: True})

    @property
    def traffics(self) -> tuple[Traffic | None, ...]:
        """What the instruction of each access costs; None where that is unknown or not counted."""
        return tuple(made.traffic for made in self.instructions)


@record(frozen=True, slots=True)
class FileResult:
    """Everything that one file gave.

    `kernels` are those that it defines, analysed or not, by name and place; `definitions` what other files know them
    by, with the file (all files here are real paths) that holds each; `functions` where the functions stand that its
    kernels reach. `sources` are the texts that places lie in, or comments to coalint. `fragments` are those of its
    Source's that it was found to include. `launches` are those that it makes of kernels which it only declares, by
    symbol. `switched` are kernels that the preprocessor leaves out, by name and file, with the macros that may be
    wanted for them. `whole` is False where a limit on time or memory cut the check short, so that a run with another
    may give more. `facts` are the names that options say something about, with whether that had an effect. `inputs`
    are None where the Job does not ask for them, and where they are not all known.
    `in_part` are kernels, by name and file, of which something could not be parsed. `installed` are the headers that
    were read from folders on this machine, since the front end's own lack them.
    """

    path: str
    kernels: tuple[tuple[str, Span], ...] = ()
    checked: tuple[CheckedKernel, ...] = ()
    problems: tuple[Finding, ...] = ()
    failures: tuple[Failure, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    definitions: tuple[tuple[Declaration, str], ...] = ()
    fragments: tuple[str, ...] = ()
    launches: tuple[tuple[Declaration, LaunchRecord], ...] = ()
    switched: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    whole: bool = True
    inputs: Inputs | None = None
    functions: tuple[Span, ...] = ()
    facts: tuple[tuple[str, bool], ...] = ()
    in_part: tuple[tuple[str, str], ...] = ()
    installed: tuple[InstalledHeader, ...] = ()
