"""The record that rules look at: one memory access or barrier of one kernel at one specialization."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from coalint.diagnostics import Edit, Note, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from coalint.analysis.models.portable import Model


class Space(Enum):
    """The memory that an access goes to, in the names of the PTX state spaces."""

    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONSTANT = "constant"
    GENERIC = "generic"  # through a pointer of which it is not known where it points


class Operation(Enum):
    """What an access does."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"


class Service(Enum):
    """How the hardware serves the lanes of one instruction (machine.traffic says what each way costs).

    `TURNS`: a native shared atomic, whose lanes take turns at a bank. `COUNTING`: a shared counter that grows by one,
    whose bank adds up its lanes. `COMPARING`: a shared compare-and-swap. `SPINNING`: a loop of such around a shared
    atomic that the hardware does not have. `ROWS`: ldmatrix and stmatrix, where a lane gives the address of a row.
    `COPY`: cp.async through L1; `BYPASS`: past it, as cp.async.cg and all copies of the pipeline's 16 bytes go.
    """

    PLAIN = "plain"
    TURNS = "turns"
    COUNTING = "counting"
    COMPARING = "comparing"
    SPINNING = "spinning"
    ROWS = "rows"
    COPY = "copy"
    BYPASS = "bypass"


class LaunchSource(Enum):
    """Where a block shape comes from, surest first."""

    LAUNCH = "launch"
    BOUNDS = "bounds"
    OPTION = "option"
    COMMENT = "comment"
    ASSUMED = "assumed"


class Verdict(Enum):
    """What is known of a barrier: every thread of its scope reaches it together, or not."""

    UNIFORM = "uniform"
    DIVERGENT = "divergent"
    AFTER_EXIT = "after-exit"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Specialization:
    """A kernel as it is analysed: template arguments, block shape and constant arguments.

    `block` counts threads in x, y, z; `line` is the launch's line where there is one; `arguments` pairs the names of
    kernel parameters with their constant values; `members` are constants inside of by-value struct parameters, as
    (parameter, byte offset, size in bytes, value). `guessed` are template arguments that nothing in the file gave, as
    `name = value`; `one_of` says that the launch has other block shapes too, by conditions that are not known.
    `multiples` pairs names of parameters with what the user says divides them, `shifts` names of pointer parameters
    with how many bytes behind its start the launch passes an array, `divisors` names of parameters with what divides
    whatever the launch passes. `file` is the launch's, where that is not the kernel's own. `given` are numbers for
    quantities that no launch passes (counters, members), by the names that they are printed with. `constants` are those
    that nothing declares, with the numbers that were supposed for them, as `name = value`.
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

    @property
    def is_guessed(self) -> bool:
        """Whether it rests on template arguments or constants that coalint chose itself."""
        return bool(self.guessed or self.constants)

    @property
    def basis(self) -> str:
        """The block shape and where it comes from, as findings say it: `32x8 threads (launch at line 90)`."""
        shape = "x".join(str(n) for n in self._trimmed())
        threads = f"{shape} threads"
        where = {
            LaunchSource.LAUNCH: self._launch(),
            LaunchSource.BOUNDS: "from __launch_bounds__",
            LaunchSource.OPTION: "from --assume",
            LaunchSource.COMMENT: "from a coalint: assume comment",
            LaunchSource.ASSUMED: "assumed: no launch with a constant block shape was found",
        }[self.source]
        guessed = f"; template arguments assumed: {', '.join(self.guessed)}" if self.guessed else ""
        return f"{threads} ({where}){guessed}"

    @property
    def launched(self) -> str:
        """Where the launch stands: `launch at line 90`."""
        return f"launch at {self.file}:{self.line}" if self.file else f"launch at line {self.line}"

    def _launch(self) -> str:
        return f"{self.launched}, which has other shapes too" if self.one_of else self.launched

    def _trimmed(self) -> tuple[int, ...]:
        x, y, z = self.block
        return (x, y, z) if z != 1 else (x, y) if y != 1 else (x,)


@dataclass(frozen=True, slots=True)
class LaunchRecord:
    """One evaluated launch: block and grid extents and arguments, None where they are no constants.

    `members` are constants inside of struct arguments: (position, byte offset, size in bytes, value); `shifts` how many
    bytes behind its start an array is passed: (position, bytes); `divisors` what divides other arguments in any case:
    (position, number), and `of_block` which are multiples of an extent of the block that is no constant: (position, 0
    for x to 2 for z). `one_of` says that the place also launches other shapes or kernels, by conditions that are not
    known. `guessed` are the template arguments, as `name = value`, that the host function around it was given without
    an instance that the file shows.
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


@dataclass(frozen=True, slots=True)
class Lanes:
    """The byte offsets that the lanes of a block's warps touch, relative to one common base per row.

    Axes: E combinations of enumerated values (loop iterations, block indices), W warps, 32 lanes. `offsets` are
    int64 bytes, shape (E, W, 32); `active` is bool of the same shape; `weights` (shape (E,)) says how many executions
    each row of the first axis stands for. The common base is a multiple of `alignment` bytes (at least 1).
    `groups` splits lanes whose addresses differ by an unknown large distance: int64, shape (W, 32) or (E, W, 32);
    lanes of different groups never share a sector or a word. None when all lanes have one base.
    `counters` pairs what is enumerated (loops by their variables, `blockIdx.x`) with its value in each row, shape (E,):
    the number of the iteration, from 0.
    """

    offsets: NDArray[np.int64]
    active: NDArray[np.bool_]
    weights: NDArray[np.int64]
    alignment: int
    groups: NDArray[np.int64] | None = None
    counters: tuple[tuple[str, NDArray[np.int64]], ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """The object that an address points into.

    `name` is the variable's (or parameter's) name; `element_bytes` the size of one innermost array element;
    `extents` the array extents, outermost first (None where unknown or dynamic); `span` the declaration;
    `type_name` the element's type as the user wrote it, empty where that is not known.
    """

    name: str
    element_bytes: int
    extents: tuple[int | None, ...] = ()
    span: Span | None = None
    dynamic: bool = False
    type_name: str = ""

    @property
    def row_pitch(self) -> int | None:
        """Bytes between consecutive rows of a multidimensional array: the innermost extent times the element."""
        if len(self.extents) < 2 or self.extents[-1] is None:
            return None
        return self.extents[-1] * self.element_bytes


@dataclass(frozen=True, slots=True)
class RecordField:
    """The field of a struct (an array's element) that an access picks out. Sizes and offsets in bytes.

    `record_align` is the struct's alignment where it is known (1 promises nothing): a struct that is aligned to 8 or 16
    bytes is one whose fields the compiler may move together.
    """

    record: str
    record_bytes: int
    field: str
    offset: int
    bytes: int
    span: Span | None = None
    record_align: int = 1


@dataclass(frozen=True, slots=True)
class Atomic:
    """What is known of an atomic function as it is called.

    `type_name` is what stands at the address (`float`, `unsigned long long`), `bytes` its size. `is_used` says whether
    the old value is used (None: not known). `is_combined` says whether nvcc lets one lane act for all that meet at the
    address, as it can where it knows the address and the function to allow it (analysis.atomics); None: not known.
    """

    function: str
    type_name: str
    bytes: int
    is_used: bool | None
    is_combined: bool | None


@dataclass(frozen=True, slots=True)
class LoopStride:
    """How an address moves with one enclosing loop.

    `bytes` per iteration (None when not a constant), `text` the same as the user would write it, `trips` the number of
    iterations when known. `values` are those of the variable at the start of each, where they are few and known.
    """

    variable: str
    bytes: int | None
    text: str
    trips: int | None
    span: Span
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Access:
    """One memory instruction of a kernel, as written in the source, at one specialization.

    `bytes` is what one lane moves in one instruction. `strides` are the forward differences of the byte address in
    threadIdx.x, .y and .z, in bytes: an int where constant, None where it is not; `stride` is the x one as text,
    symbolic where the source is (`4*width`), `?` where the address is no polynomial in threadIdx.x.
    `lanes` is None exactly when `unknown` gives the reason, or when the space is not counted (local, constant).
    `exact` says that the numbers computed from `lanes` are what the hardware counts under the launch of the
    specialization; `assumed` lists what else that rests on. `symbolic` names the unknown quantities (`pitch`) that
    the lane addresses are multiples of, and `provenance` is the chain by which threadIdx reached the address.
    `common` is the unknown part of the address that all lanes share, as text: the distance between two accesses of one
    array is known only where theirs are equal.
    `open` names the uniform quantities that address and guards rest on and the launch gives no number for: parameters,
    counters of loops, `blockIdx.x`; `lacking` those, or expressions, without whose numbers it is not known how the
    lanes lie to each other. `permuted` says that the lanes of a warp are these in an order that is not known.
    `partner` holds the lanes at the other end of an asynchronous copy, row by row those of `lanes`. `since` is the
    least compute capability for which `lanes` are right, where they are a library's or the compiler's choice. `atomic`
    is there where an atomic function was called, rather than written in PTX. `index_load` is what was loaded to make
    the address of an access that is `data_dependent`, where that is known (`index[i]`). `aggregate` names the struct
    that is moved in several pieces, of which this is one.
    `model` is what `lanes` can be computed from anew, where that was asked for; `not_portable` says why there is none.
    `doomed` says that each thread that makes it then comes to a `__trap()`, which ends the kernel with an error.
    """

    kernel: str
    specialization: Specialization
    space: Space
    op: Operation
    bytes: int
    expression: str
    span: Span
    memory: Memory | None
    stride: str
    strides: tuple[int | None, int | None, int | None] = (None, None, None)
    stride_texts: tuple[str, str, str] = ("?", "?", "?")
    lanes: Lanes | None = None
    guard: tuple[str, ...] = ()
    loops: tuple[LoopStride, ...] = ()
    field: RecordField | None = None
    provenance: tuple[Note, ...] = ()
    exact: bool = False
    assumed: tuple[str, ...] = ()
    symbolic: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    permuted: bool = False
    unknown: str | None = None
    data_dependent: bool = False
    offset_bytes: int | None = None
    common: str = ""
    piece: tuple[int, int] = (1, 1)
    service: Service = Service.PLAIN
    partner: Lanes | None = None
    since: tuple[int, int] = (0, 0)
    atomic: Atomic | None = None
    index_load: str = ""
    aggregate: str = ""
    model: Model | None = None
    not_portable: str = ""
    doomed: bool = False


@dataclass(frozen=True, slots=True)
class Barrier:
    """A barrier or warp primitive and what is known of who reaches it. `scope` is `block` or `warp`.

    `hinges` names the parameters whose values decide whether threads part before a divergent one; empty where they
    part whatever the parameters are. `settled` is a fact about them with which threads do not part, as
    `// coalint: assume(...)` takes it. `fork` is the place and the text of the branch that parts them. `masked` says
    that the lanes of a mask wait for one another; `unnamed` that what is wrong is a caller that its own mask does not
    name, not a lane that may not come.
    """

    kernel: str
    specialization: Specialization
    function: str
    scope: str
    span: Span
    verdict: Verdict
    because: str
    provenance: tuple[Note, ...] = ()
    hinges: tuple[str, ...] = ()
    settled: str = ""
    fork: tuple[Span, str] | None = None
    masked: bool = False
    unnamed: bool = False
    hoisted: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a race: what the thread (threadIdx in x, y, z) does where, and the text of it."""

    span: Span
    operation: Operation
    expression: str
    thread: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Race:
    """Two threads of a block that touch `element` of shared memory, one of them writing, with no barrier between.

    Each thread comes to `first` first, and to `second` in the same iteration of all loops around both, or in the next
    one of the loop at `loop`. `same_warp` says that all such threads are lanes of one warp. `assumed` lists conditions
    on parameters that were taken to hold.
    """

    kernel: str
    specialization: Specialization
    first: Party
    second: Party
    element: str
    same_warp: bool
    loop: Span | None = None
    assumed: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """Where it is reported: at what needs a barrier before it."""
        return self.second.span


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything known of one kernel at one specialization; `races` only where they were asked for."""

    kernel: str
    specialization: Specialization
    span: Span
    accesses: tuple[Access, ...]
    barriers: tuple[Barrier, ...]
    gaps: tuple[Note, ...] = ()
    races: tuple[Race, ...] = ()
