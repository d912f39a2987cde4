"""ACME001: an atomic on global memory in a loop."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.access import Operation, Space
from coalint.core.findings import Finding, Note, Severity
from coalint.rule import Context, Rule


class AtomicInLoop(Rule):
    """An atomic on global memory stands in a loop at an address that the loop does not move.

    ## What it does
    Reports an atomic on global memory whose address is the same in all iterations of the loop around it.

    ## Why is this bad
    Each iteration goes to the L2 cache and back, where a register would do until the loop ends.

    ## Example
    ```cuda
    for (int k = 0; k < n; ++k)
        atomicAdd(&total[blockIdx.x], in[k * blockDim.x + threadIdx.x]);
    ```

    ## Use instead
    ```cuda
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += in[k * blockDim.x + threadIdx.x];
    atomicAdd(&total[blockIdx.x], sum);
    ```

    ## What the hardware counts
    One request for each warp and iteration, where one for each warp would do.
    """

    name = "atomic-in-loop"
    code = "ACME001"
    severity = Severity.WARNING

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each atomic that a loop does not move."""
        for access in context.analysis.accesses:
            if access.space is not Space.GLOBAL or access.op is not Operation.ATOMIC or not access.loops:
                continue
            loop = access.loops[-1]
            if loop.bytes == 0:
                yield self.finding(
                    access,
                    f"`{access.expression}` goes to the same address in each iteration",
                    help="add up in a local variable, and do the atomic once, after the loop",
                    notes=(Note(f"the loop over `{loop.variable}` does not move it", loop.span),),
                )
