"""COA304: shared memory that threads write and read with no barrier between."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.access import Operation
from coalint.core.facts.causes import Cause, CauseKind, cause
from coalint.core.facts.launch import LaunchSource
from coalint.core.facts.synchronization import Party, Race
from coalint.core.findings import Finding, Note, Severity
from coalint.core.ir.spelling import Spelling
from coalint.core.source.spans import Span
from coalint.rule import Context, Rule

_DOES = {Operation.LOAD: "reads", Operation.STORE: "writes", Operation.ATOMIC: "updates"}


class MissingBarrier(Rule):
    """Two threads access one element of shared memory, one of them writes it, and no barrier separates them.

    ## What it does
    Reports two accesses to one element of shared memory by two threads of a block, at least one of which writes, when
    no barrier separates them: in one iteration, or in one and the next. Both threads and the element are named.
    Addresses and guards are computed thread by thread for the launched block; what is not known exactly is not
    reported, nor what follows a function, an inline assembly or a waiting loop that may order threads in a way that is
    not followed, up to the next barrier. A guard that compares with a parameter, as `i < n`, is evaluated for a large
    one, and the finding says so.

    Atomics among each other are not a race, nor are stores of the same value, nor a read of what the thread has stored
    itself while others stored the same, or what is not known, nor a read that only decides what an atomic then does.
    Nor is a thread's copy of an element to itself, as `s[8 * warp + lane] = s[lane]` in the first warp.
    Values that threads have loaded from different addresses are assumed to be different, which the finding says.
    Between lanes of one warp, what one has written and another then reads, or the other way round, is reported unless
    `__syncwarp()` is between; `s[t] += s[t + 16]` is such a read and write in one line.

    ## Why is this bad
    The warps of a block run in any order. Which value is read, the old or the new one, depends on which warp comes
    first: on the architecture, the compiler, and what else runs on the multiprocessor. Since compute capability 7.0 the
    lanes of a warp need not run in lockstep either; `volatile` keeps a value out of a register, but lets no lane wait
    for another, and neither do shuffles and votes order what lanes do to memory.

    ## Example
    ```cuda
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = in[t * 256 + threadIdx.x];
        __syncthreads();
        sum += tile[255 - threadIdx.x];
    }
    ```

    ## Use instead
    A warp that is early writes the next tile while others still read this one. A second barrier keeps it back:
    ```cuda
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = in[t * 256 + threadIdx.x];
        __syncthreads();
        sum += tile[255 - threadIdx.x];
        __syncthreads();
    }
    ```
    Between lanes of one warp, `__syncwarp()` is enough.

    ## What the hardware counts
    No counter shows this. `compute-sanitizer --tool racecheck` reports the races that happened in one run.
    """

    name = "missing-barrier"
    code = "COA304"
    severity = Severity.WARNING
    wants_races = True

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each place where a barrier is missing."""
        for race in context.analysis.races:
            if race.same_warp and context.arch.compute_capability < (7, 0):
                continue
            spelling = context.spelling
            yield self.finding(
                race,
                _message(race, spelling),
                help=_help(race, spelling),
                notes=(*_notes(race, spelling), *_one_warp(race, context)),
                cause=_cause(race),
            )


def _cause(race: Race) -> Cause | None:
    """Return what races of one array have in common; None for one that needs a barrier of its own."""
    if not race.array:
        return None
    if race.same_warp:
        return cause(CauseKind.LOCKSTEP, array=race.array)
    first, second = race.sites
    is_in_place = first.line == second.line and race.loop is None
    return cause(CauseKind.IN_PLACE, array=race.array) if is_in_place else None


def _message(race: Race, spelling: Spelling) -> str:
    barrier = _barrier(race, spelling)
    first, second = race.first, race.second
    if first.span == second.span and first.operation is second.operation and race.loop is None:
        return f"{_thread(first)} and {_thread(second)} write different values to `{race.element}` at once"
    then = f" in the next iteration of the loop at {_line(race.loop, race)}" if race.loop is not None else ""
    return (
        f"{_thread(second)} {_DOES[second.operation]} `{race.element}`{then}, which {_thread(first)} "
        f"{_DOES[first.operation]} at {_line(first.span, race)}, with no {barrier} between"
    )


def _barrier(race: Race, spelling: Spelling) -> str:
    """Return the barrier that is missing, as it is called."""
    return spelling.called(spelling.warp_barrier if race.same_warp else spelling.block_barrier)


def _line(span: Span, race: Race) -> str:
    return f"line {span.line}" if span.file == race.span.file else f"{span.file}:{span.line}"


def _thread(party: Party) -> str:
    return f"thread ({', '.join(map(str, party.thread))})"


def _notes(race: Race, spelling: Spelling) -> tuple[Note, ...]:
    first, second = race.first, race.second
    notes = [
        Note(f"{_thread(first)} {_DOES[first.operation]} it here: `{first.expression}`", first.span),
        Note(f"{_thread(second)} {_DOES[second.operation]} it here: `{second.expression}`", second.span),
    ]
    if race.same_warp:
        volatile = f", with `{spelling.volatile}` or without" if spelling.volatile else ""
        notes.append(
            Note(f"both are lanes of one warp: since compute capability 7.0 lanes need not run in lockstep{volatile}")
        )
    notes += [Note(f"supposed: {text}") for text in race.assumed]
    return tuple(notes)


def _one_warp(race: Race, context: Context) -> tuple[Note, ...]:
    """Return what is enough if the block, which is only assumed, has no more than one warp."""
    if race.same_warp or context.analysis.specialization.source is not LaunchSource.ASSUMED:
        return ()
    barrier = context.spelling.called(context.spelling.warp_barrier)
    return (Note(f"the block's shape is assumed: in a block of one warp {barrier} is enough"),)


def _help(race: Race, spelling: Spelling) -> str:
    first, second = (_line(span, race) for span in race.sites)
    barrier = _barrier(race, spelling)
    who = "the lanes of the warp" if race.same_warp else "all threads of the block"
    if race.loop is not None:
        last = _line(race.first.span, race)
        return f"put {barrier} at the end of the loop's body, after {last}, where {who} reach it"
    if first == second:
        if race.first.operation is Operation.STORE and race.second.operation is Operation.STORE:
            return "let one thread write the element, or use an atomic operation"
        return f"do {first} in two steps, with {barrier} between them, where {who} reach it"
    return f"put {barrier} between {first} and {second}, where {who} reach it"
