"""COA301: a block barrier that only some threads of the block reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.core.findings import Finding, Fix, Note, Severity
from coalint.rule import Context, Rule
from coalint.rules.support.parting import place, severity_of, unless, why
from coalint.rules.support.wording import called


class DivergentBarrier(Rule):
    """A block barrier is under a condition or in a loop that can differ between the threads of a block.

    ## What it does
    Reports a barrier of the block where a condition or the number of iterations depends on the thread, so that only
    part of the block arrives, or arrives a different number of times: `__syncthreads()` with its `_count`, `_and` and
    `_or` forms, `sync()` of cooperative groups' blocks, grids and clusters, `bar.sync` in inline PTX, and what calls
    them.
    Two barriers in the two arms of a branch are two: by CUDA's rules neither counts for the other. Those of inline PTX
    have numbers, and whole warps meet at one of the same number wherever they wait for it. Where a parameter
    keeps threads from the branch that the kernel ends with, they have left the kernel: that is COA302.

    It is a warning where threads part only if they have read different values from memory, which the finding says. From
    compute capability 7.0 on it is one in the branch that the kernel ends with, since nvcc lets the others leave the
    kernel there, in a branch that whole warps take or not and after which no barrier of the block follows, and where
    whole warps take each arm of a branch with a barrier in both, whose threads an H200 counts.

    ## Why is this bad
    A block barrier waits until all threads of the block that have not exited arrive at it. CUDA allows it under a
    condition only if the condition has the same value in the whole block. Otherwise the behaviour is undefined: the
    kernel may hang, or run on with data that is not there yet. Most of the time it happens to work, which is worse,
    since another compiler version or architecture may not be so forgiving.

    ## Example
    ```cuda
    if (threadIdx.x < 16) {
        tile[threadIdx.x] = in[i];
        __syncthreads();
    }
    ```

    ## Use instead
    Keep the work under the condition and take the barrier out of it:
    ```cuda
    if (threadIdx.x < 16)
        tile[threadIdx.x] = in[i];
    __syncthreads();
    ```
    For a loop, let all threads make the same number of iterations and put the condition around the work inside.
    Threads of one warp can be synchronised by themselves with `__syncwarp(mask)`.
    `coalint lint --fix --unsafe-fixes` moves a barrier from the end of a branch to after it, where no thread leaves
    the branch before and a second analysis shows that all then reach it.

    ## What the hardware counts
    No counter shows this. Of 14 kernels with a divergent block barrier, compute-sanitizer's `synccheck` on an H200
    reported one and one more hung; the others ran to the end unreported, because the compiler predicates short
    branches. A kernel with a barrier in each arm of a branch read what it should where whole warps took each
    (`threadIdx.x < 32` and 128), although `synccheck` reported it, and hung where a warp parted (16, 5 and 200).
    Barriers of a block's first warp, as at the end of a reduction, let it go on though the other warps went on to the
    kernel's end, at once or after 1000 iterations of work.
    """

    name = "divergent-barrier"
    code = "COA301"
    severity = Severity.ERROR

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each block barrier whose threads part before it."""
        for barrier in context.analysis.barriers:
            if barrier.scope != "block" or barrier.verdict is not Verdict.DIVERGENT:
                continue
            help = (
                "move the barrier out of the condition or loop, so that every thread of the block reaches it "
                "equally often, and keep only the work inside"
            )
            if barrier.settled:
                help += (
                    f"; if this always holds, so that no block diverges, say so: "
                    f"`{context.spelling.assumption(barrier.settled)}`"
                )
            function = called(barrier.function, context.spelling)
            message = f"only part of the block may reach {function}{unless(barrier)}: {why(barrier)}"
            other = _in_other_arm(barrier, context.analysis.barriers)
            if other is not None and barrier.whole_warps and barrier.number == other.number is not None:
                continue
            if other is not None:
                message += (
                    f"; the rest waits at another barrier, at {place(other.span, barrier)}, which is not this one"
                )
            elif barrier.at_end:
                message += "; the others come to the kernel's end"
            severity = severity_of(barrier, early_exit_legal=context.arch.early_exit_legal)
            unnumbered = other is not None and barrier.number is None
            if unnumbered and barrier.whole_warps and context.arch.early_exit_legal:
                severity = severity or Severity.WARNING
            yield self.finding(
                barrier,
                message,
                severity=severity,
                help=help,
                notes=(
                    Note("a block barrier under a condition that is not uniform over the block is undefined behaviour"),
                    *barrier.provenance,
                ),
                fix=Fix("put the barrier after the branch", barrier.hoisted) if barrier.hoisted else None,
            )


def _in_other_arm(barrier: Barrier, barriers: Sequence[Barrier]) -> Barrier | None:
    """Return a barrier in the other arm of the branch that parts the threads before this one."""
    if barrier.fork is None:
        return None
    place, condition = barrier.fork
    for other in barriers:
        if other.scope == "block" and other.fork is not None and other.fork[0] == place and other.fork[1] != condition:
            return other
    return None
