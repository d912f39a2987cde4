"""COA303: a warp primitive whose mask names a lane that may not come, or does not name one that calls."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.core.findings import Finding, Note, Severity
from coalint.core.ir.spelling import Spelling
from coalint.rule import Context, Rule
from coalint.rules.support.parting import severity_of, unless, why
from coalint.rules.support.wording import called


class DivergentWarpPrimitive(Rule):
    """A warp primitive waits for a lane that never arrives, or is called by a lane that its mask does not name.

    ## What it does
    Reports `__shfl_sync()`, `__ballot_sync()`, `__any_sync()`, `__match_any_sync()`, `__reduce_add_sync()`,
    `__syncwarp()` and their kin, and the functions of cooperative groups' tiles, where a condition or loop keeps a lane
    away that the mask (or the tile) names; and calls by a lane that the mask does not name. Lanes that have returned
    from the kernel, that a parameter keeps from the branch which the kernel ends with, or that the block's last warp
    does not have, are not waited for. Nor are those that have left the loop which the kernel ends with, but by
    shuffles, which would read undefined values of them. Masks that `__ballot_sync()`, `__match_any_sync()` or
    `__activemask()` have made are followed to where they were made. Where all lanes of a warp agree if a number that
    the kernel is given is the size of a warp (`threadIdx.x / size` with a `size` of 32), the
    finding is an info. It is a warning where who does not come has skipped ahead in a loop by `continue`: such lanes
    may come to the primitive in a later iteration, and where lanes part only if they have read different values from
    memory.

    ## Why is this bad
    All lanes of the mask that have not exited must execute the same primitive with the same mask, and each lane that
    calls it must be in its own mask; otherwise the result is undefined. Since compute capability 7.0 lanes of a warp
    are scheduled on their own: the missing lane may make the others wait for ever, or what they exchange is what its
    register happens to hold.

    ## Example
    ```cuda
    if (lane < 16)
        value += __shfl_down_sync(0xffffffff, value, 8);  // waits for lanes 16-31
    __syncwarp(0x55555555);                               // lanes 1, 3, 5, ... call it and are not named
    ```

    ## Use instead
    Let every lane that the mask names make the call, and keep the condition for what is done with the result:
    ```cuda
    float other = __shfl_down_sync(0xffffffff, value, 8);
    if (lane < 16)
        value += other;
    ```
    Or name exactly the lanes that arrive. A condition that is only known at run time gives its mask by a vote of
    the whole warp:
    ```cuda
    unsigned taking_part = __ballot_sync(0xffffffff, i < n);
    if (i < n)
        value += __shfl_down_sync(taking_part, value, 8);
    ```

    ## What the hardware counts
    No counter shows this. The lanes that are compared are those of the launched block shape, warp by warp.
    """

    name = "divergent-warp-primitive"
    code = "COA303"
    severity = Severity.ERROR

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each primitive that waits for a lane that may be elsewhere, or that strangers call."""
        for barrier in context.analysis.barriers:
            if not barrier.masked or barrier.verdict is not Verdict.DIVERGENT:
                continue
            fault, contract, help = _unnamed_caller() if barrier.unnamed else _absent_lane(barrier, context.spelling)
            yield self.finding(
                barrier,
                f"{called(barrier.function, context.spelling)} {fault}: {why(barrier)}",
                severity=severity_of(barrier, early_exit_legal=context.arch.early_exit_legal) or _of_doubt(barrier),
                help=help,
                notes=(Note(contract), *((_LATER,) if barrier.skipped else ()), *barrier.provenance),
                cause=cause(CauseKind.UNNAMED, lanes=barrier.because) if barrier.unnamed else None,
            )


def _of_doubt(barrier: Barrier) -> Severity | None:
    """Return the severity where lanes may yet meet, or a block may be so small that the mask names all; None else."""
    is_small = barrier.unnamed and barrier.specialization.guesses_shape
    return Severity.WARNING if barrier.skipped or is_small else None


_LATER = Note("lanes that skip ahead may come to it in a later iteration, and then exchange values of two of them")


def _absent_lane(barrier: Barrier, spelling: Spelling) -> tuple[str, str, str]:
    """Return what is wrong where a lane may be elsewhere, what the language asks for, and what to do."""
    help = (
        "let all lanes of the mask reach the call and put the condition around the use of the result, or name only the "
        f"lanes that reach it, by `{spelling.called(spelling.ballot)}` before the condition"
    )
    if barrier.settled:
        help += f"; if this always holds, so that no warp diverges, say so: `{spelling.assumption(barrier.settled)}`"
    if barrier.at_end and barrier.deciding_parameters:
        return (
            f"may read a lane that has left the kernel{unless(barrier)}",
            "what is read of a lane that does not execute the primitive is undefined",
            help,
        )
    return (
        f"waits for a lane that may not reach it{unless(barrier)}",
        "every lane that the mask names and that has not exited must execute the same primitive",
        help,
    )


def _unnamed_caller() -> tuple[str, str, str]:
    """Return the same where a lane calls it that its mask does not name."""
    help = (
        "set the bit of every lane that calls it (`0xffffffff` where the whole warp does), or let only lanes of the "
        "mask call it"
    )
    return (
        "is called by a lane that is not in its own mask",
        "each calling lane must have its own bit set in the mask, else the result is undefined",
        help,
    )
