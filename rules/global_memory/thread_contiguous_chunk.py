"""COA106: each thread walks a chunk of its own, so the lanes of a warp are a chunk apart."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.access import Access, LoopStride, Operation, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.findings import Finding, Note, Severity
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.rule import Context, Rule
from coalint.rules.support import caching, wording


class ThreadContiguousChunk(Rule):
    """Each thread walks its own run of consecutive elements, so that a warp's lanes are far apart at every step.

    ## What it does
    Reports a global access inside a loop that moves by one element per iteration, while neighbouring threads are a
    whole run of the loop apart. The sum of each row of a matrix by one thread per row is this pattern.

    ## Why is this bad
    It is the right way to share work among CPU threads and the wrong one among GPU lanes: the 32 lanes of a warp
    execute each iteration together, and in each of them touch 32 runs, 32 sectors. The following iterations use the
    rest of these sectors if the L1 cache can hold them that long, which with many warps it cannot. Lanes should
    take turns: in one iteration, neighbouring lanes use neighbouring elements. Loads of whole chunks of at most 72
    bytes, in a loop of a known length, are only an info: their sectors are used at once. So they are where short loops
    stand in this one, up to 16 iterations of all. So are loads of all that a parameter counts whose name
    says that it is small (`dim`, `channels`, `topk`), unless the kernel shows that it is not, and what at most 8 lanes
    of a warp do whatever the sizes are, as at the end of a row, and what a few rows of the whole grid do, as at the
    border of an image.

    ## Example
    ```cuda
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int col = 0; col < width; ++col)
        sum += in[row * width + col];
    ```

    ## Use instead
    A warp per row, whose lanes walk it together, then a reduction over the warp (here in one-dimensional blocks of a
    multiple of 32 threads):
    ```cuda
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (int col = threadIdx.x % 32; col < width; col += 32)
        sum += in[row * width + col];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, lanes);
    ```
    For a chunk per thread, interleave the threads (a grid-stride loop):
    ```cuda
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = f(in[i]);
    ```

    ## What the hardware counts
    With runs of eight floats or more every lane has its own sector: 32 sectors per request (ideal: 4), measured
    on an H200 for any stride of 32 bytes and more. Runs of two and four floats cost 8 and 16.
    """

    name = "thread-contiguous-chunk"
    code = "COA106"
    severity = Severity.WARNING
    refines = ("uncoalesced-global-access",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each access whose loop walks what its lanes should."""
        for made in context.instructions:
            access, cost = made.written, made.cost
            if access.space is not Space.GLOBAL or access.result.data_dependent or cost is None or cost.excess <= 1:
                continue
            walk = _walked_chunk(access)
            if walk is not None:
                yield self._finding(context, made, cost, walk)

    def _finding(self, context: Context, made: MachineInstruction, cost: Cost, walk: LoopStride) -> Finding:
        access = made.written
        message = (
            f"each thread walks its own chunk in {wording.subject(access)}: it takes {wording.cost(cost)}"
            f"{wording.general(access)}"
        )
        step = wording.plural(abs(walk.bytes or 0), "byte")
        apart = wording.neighbours(access, context.spelling)
        reason = f"an iteration over `{walk.variable}` moves each lane by {step}, but {apart}"
        is_brief = caching.walks_briefly(access, walk) and not made.is_merged
        used = caching.absorbed(context, access) if is_brief else 0
        later = "later iterations use the rest of each sector only if the L1 cache still holds it"
        if access.op is Operation.STORE:
            later = "later iterations write the rest of each sector by requests of their own to the L2 cache"
        array = wording.name_of(access)
        help = (
            f"let the lanes of a warp walk {array} together: start `{walk.variable}` at the lane's number and step it "
            "by the number of lanes (a warp or block per row, with a reduction at the end), or store "
            f"{array} transposed, so that neighbouring threads use neighbouring elements"
        )
        is_short = bool(access.open.dense) and walk is access.loops[-1] and not made.is_merged
        if is_short:
            (short, *_), name = wording.short_rows(access), access.open.dense[0][0]
            help = f"if `{name}` is large, {help}; otherwise leave it"
            later = short.message
        is_slight = wording.is_rare(access) or bool(wording.general_case(access))
        notes = wording.because(access, reason, caching.reason(access, used) if used else later)
        return self.finding(
            access,
            message,
            help=help,
            notes=(
                *notes,
                *wording.border(access),
                *wording.general_case(access),
                Note("the loop that walks it", walk.span),
            ),
            severity=Severity.INFO if used or is_short or is_slight else None,
            instruction=made,
            cause=cause(CauseKind.CHUNK, bytes=walk.bytes, stride=access.stride, loop=walk.variable),
        )


def _walked_chunk(access: Access) -> LoopStride | None:
    """Return the innermost loop that moves by one element while the lanes move by all that the loop walks."""
    axis = wording.lane_axis(access)
    element = access.memory.element_bytes if access.memory is not None else access.bytes
    for loop in reversed(access.loops):
        if not loop.bytes or abs(loop.bytes) not in (access.bytes, element) or loop.trips == 1:
            continue  # a loop that stays at one element, as one that polls a flag, walks no chunk
        chunk = access.strides[axis]
        if chunk is None:
            return loop if access.result.symbolic and wording.has_stride(access) else None
        if abs(chunk) >= abs(loop.bytes) * max(2, loop.trips or 0):
            return loop
    return None
