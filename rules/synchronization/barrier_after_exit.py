"""COA302: a block barrier that some threads never reach because they have returned."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.synchronization import Verdict
from coalint.core.findings import Finding, Note, Severity
from coalint.rule import Context, Rule
from coalint.rules.support.parting import why
from coalint.rules.support.wording import called


class BarrierAfterExit(Rule):
    """Some threads of the block may have left the kernel before a block barrier.

    ## What it does
    Reports, at info, a `__syncthreads()` after a `return` that only some threads take; one in the kernel's last loop,
    which some threads leave earlier; and one in the kernel's last branch, from which a parameter keeps some threads
    away, as `if (i < n)` around all of the kernel does. These threads come to the kernel's end. For an architecture
    before compute capability 7.0 the severity is error.

    ## Why is this bad
    Since compute capability 7.0, threads that have exited no longer count at a barrier, so this is legal there. On
    older cards and on AMD's it is undefined. It is also fragile: the threads that left load nothing into shared
    memory, so that the others may read elements which nobody wrote, and code that is later put after the barrier
    runs without them.

    ## Example
    ```cuda
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    ```

    ## Use instead
    Guard the accesses and keep every thread until the last barrier:
    ```cuda
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    ```

    ## What the hardware counts
    No counter shows this; the barrier simply expects fewer threads. Of a last loop that single lanes leave, and of a
    last branch that they do not take, nvcc makes an `EXIT` of these lanes, as of a `return`, with and without
    optimization by ptxas: such kernels end on an H100, and `synccheck` reports nothing. Where code follows, lanes may
    wait for their warp first.
    """

    name = "barrier-after-exit"
    code = "COA302"
    severity = Severity.INFO

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each block barrier that follows a partial exit."""
        legal = context.arch.early_exit_legal
        for barrier in context.analysis.barriers:
            if barrier.scope != "block" or barrier.verdict is not Verdict.AFTER_EXIT:
                continue
            standing = (
                "legal since compute capability 7.0, where exited threads do not count; undefined before it and on AMD"
                if legal
                else f"undefined on {context.arch.name}: exited threads do not count only since compute capability 7.0"
            )
            yield self.finding(
                barrier,
                f"{called(barrier.function, context.spelling)} may wait for only part of the block: {why(barrier)}",
                help="guard the work instead of leaving, so that all threads stay until the block's last barrier",
                notes=(Note(standing), *barrier.provenance),
                severity=None if legal else Severity.ERROR,
            )
