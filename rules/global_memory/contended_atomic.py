"""COA109: lanes of a warp update the same address with an atomic."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.access import Access, Atomic, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.facts.lanes import Lanes
from coalint.core.facts.suppositions import Supposed, kind_of
from coalint.core.findings import Finding, Severity
from coalint.core.ir.intrinsics import Intrinsic
from coalint.core.ir.spelling import Spelling
from coalint.machine.shared_memory.contention import most_at_address
from coalint.machine.traffic import mean_per_request, shares_words, takes_turns
from coalint.rule import Context, Rule
from coalint.rules.support import wording

_LEAST_LANES = 8
"""Lanes at one address, in the mean over the warps, from which it is worth a change where no wavefronts are known."""

_FEW = 0.5
"""Lanes that a mean may miss of the most, as in the last warp of a grid, and still be called by its number."""

_REDUCING = {
    Intrinsic.ATOMIC_ADD: "add",
    Intrinsic.ATOMIC_SUB: "add",
    Intrinsic.ATOMIC_MIN: "min",
    Intrinsic.ATOMIC_MAX: "max",
    Intrinsic.ATOMIC_AND: "and",
    Intrinsic.ATOMIC_OR: "or",
    Intrinsic.ATOMIC_XOR: "xor",
}


class ContendedAtomic(Rule):
    """Lanes of a warp update the same address with an atomic, and are served one after the other.

    ## What it does
    Reports an atomic function whose lanes share addresses, where nvcc does not combine them: in global memory when
    8 or more lanes of a warp share one on average, in shared memory when that costs wavefronts. What only data could
    tell (the bins of a histogram, a condition on a loaded value) is not reported, nor is the exchange that gives back a
    lock which a compare-and-swap takes.

    nvcc combines the lanes of a warp itself, and the rule is silent, where it knows that their address is the same and
    the function is on integers: sums of one value for all lanes (`atomicAdd(count, 1)`), used or not, and on 4-byte
    integers every sum, minimum, maximum and bitwise function whose old value is not used. It does not for `float` and
    `double`, exchanges and compare-and-swaps, `atomicInc` and `atomicDec`, nor where `threadIdx` stands in the address
    as in `sums[threadIdx.x / 32]`.

    ## Why is this bad
    An atomic is one read, change and write of its address, so that lanes which share it wait for each other: a warp
    whose lanes add to one sum makes 32 operations instead of one. In shared memory each lane takes a turn of its
    own; `atomicAdd` on `float` is a loop there in which each round serves one lane. In global memory the operations
    are carried out by the L2 cache, where all other warps of the grid that add to the same sum wait as well.

    ## Example
    ```cuda
    __global__ void total(float *sum, const float *in) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        atomicAdd(sum, in[i]);
    }
    ```

    ## Use instead
    Sum over the warp in registers, and let one lane add:
    ```cuda
    __global__ void total(float *sum, const float *in) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        float value = in[i];
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffff, value, step);
        if (threadIdx.x % 32 == 0)
            atomicAdd(sum, value);
    }
    ```
    For 4-byte integers `__reduce_add_sync()` and its kin do the same in one instruction (compute capability 8.0). One
    atomic per block, after a reduction through shared memory, is fewer still. Where each thread sets a bit of its own
    in a word that the warp shares (`atomicOr(&valid[i / 32], 1u << i % 32)`), `__ballot_sync()` gives the whole word,
    and one lane stores it.

    ## What the hardware counts
    Wavefronts per request on an H200, where 32 lanes update the same word of shared memory: `atomicOr` 32, `atomicCAS`
    and `atomicAdd` on `float` 64. In global memory the sectors do not show it; time does. Nanoseconds per request of a
    whole grid on an H100, for 1, 8 and 32 lanes of each warp: 1.8, 14 and 56 where all warps add to the same `float`,
    0.06, 0.28 and 0.67 where each warp has its own; 0.8, 5.9 and 23 for integers at one address. A kernel that loads
    and stores a float for each bit that it sets so took 6.5 times as long on an H200 as with a vote and one store
    (`benchmarks/validity_bits.cu`).
    """

    name = "contended-atomic"
    code = "COA109"
    severity = Severity.WARNING

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each atomic whose lanes share addresses and are not combined by the compiler."""
        locks = {made.written.memory for made in context.instructions if _takes_lock(made.written.atomic)}
        for made in context.instructions:
            access, traffic = made.written, made.cost
            atomic, lanes = access.atomic, access.result.lanes
            if atomic is None or lanes is None or access.result.data_dependent or atomic.is_combined:
                continue
            if access.memory in locks and _ends_lock(atomic):
                continue
            counts = most_at_address(lanes)
            mean, most = mean_per_request(counts, lanes), int(counts.max(initial=0))
            if mean is None or most < 2 or not _is_certain(access):
                continue
            if takes_turns(access):
                if traffic is not None and traffic.excess >= 0.5 and shares_words(access, context.arch):
                    yield self._finding(access, atomic, lanes, most, traffic, context.spelling)
            elif mean >= _LEAST_LANES and atomic.is_combined is False:
                yield self._finding(access, atomic, lanes, most, None, context.spelling)

    def _finding(
        self, access: Access, atomic: Atomic, lanes: Lanes, most: int, cost: Cost | None, spelling: Spelling
    ) -> Finding:
        message = f"in {wording.subject(access)}, {_who(lanes, most)} of a warp update the same address"
        if cost is not None:
            message += f", which takes {wording.cost(cost, most)}"
        place = "shared memory" if access.space is Space.SHARED else "the L2 cache"
        served = f"{place} serves lanes that share an address one after the other"
        notes = wording.because(access, served, _why_not_combined(atomic, spelling))
        return self.finding(
            access,
            message,
            help=_help(access, atomic, spelling, whole=_is_whole_warp(lanes, most)),
            notes=notes,
            cost=cost,
            cause=cause(CauseKind.MEETING_LANES, lanes=most, function=atomic.function),
        )


def _takes_lock(atomic: Atomic | None) -> bool:
    """Whether an atomic may be how a thread takes a lock: a comparison with what it finds there."""
    return atomic is not None and atomic.intrinsic is Intrinsic.ATOMIC_COMPARE_AND_SWAP


def _ends_lock(atomic: Atomic) -> bool:
    """Whether an atomic may be how the thread that has a lock gives it back: lanes come to it one by one."""
    return atomic.intrinsic is Intrinsic.ATOMIC_EXCHANGE and atomic.is_used is not True


def _is_certain(access: Access) -> bool:
    """Whether the lanes that meet are known: where only the law of a loop is not, or who goes with whom, they are."""
    kinds = {kind_of(text) for text in access.result.assumed}
    return access.result.exact or (bool(kinds) and kinds <= {Supposed.TURNS, Supposed.UNROLLING})


def _is_whole_warp(lanes: Lanes, most: int) -> bool:
    """Whether all active lanes update the same address."""
    return most == int(lanes.active.sum(axis=2).max(initial=0))


def _who(lanes: Lanes, most: int) -> str:
    """Return which lanes meet: `all 32 lanes`, `16 lanes`; `up to 16 lanes` where not every request has so many."""
    mean = mean_per_request(most_at_address(lanes), lanes)
    if mean is not None and mean < most - _FEW:
        return f"up to {most} lanes"
    return "all 32 lanes" if most == 32 else f"{most} lanes"


def _why_not_combined(atomic: Atomic, spelling: Spelling) -> str:
    """Return why the compiler does not let one lane act for the others."""
    compiler, index = spelling.compiler, spelling.thread_index
    if not atomic.is_integer:
        return f"{compiler} combines the lanes of a warp for integers only, not for `{atomic.type_name}`"
    if atomic.intrinsic not in _REDUCING:
        called = spelling.called(atomic.function)
        return f"{compiler} combines the lanes of sums, minima, maxima and bitwise functions, not of `{called}`"
    if atomic.bytes == 8:
        return f"of 8-byte integers {compiler} combines only sums whose address and operand hold no {index}"
    if atomic.is_used:
        where = f"where their address holds no {index} and the old value is not used"
        return f"{compiler} combines the lanes of a warp {where}"
    return f"{compiler} combines the lanes of a warp only where their address holds no {index}"


def _help(access: Access, atomic: Atomic, spelling: Spelling, *, whole: bool) -> str:
    among, called = "the warp" if whole else "the lanes that share an address", spelling.called(atomic.function)
    reducing = None if atomic.intrinsic is None else _REDUCING.get(atomic.intrinsic)
    if reducing is None:
        shuffle = f" (`{spelling.shuffle}`)" if spelling.shuffle else ""
        returned = "" if atomic.is_used is False else f", and pass its result to the others{shuffle}"
        return f"let one lane of {among} call `{called}`{returned}"
    if atomic.is_used and reducing == "add":
        return (
            f"add up over {among} first, let one lane call `{called}` with the sum, and find each lane's "
            f"place by a scan over the lanes before it (`{spelling.shuffle_up}`, or `{spelling.population_count}` of a "
            f"`{spelling.ballot}`)"
        )
    how = f"`{spelling.shuffle_down}`"
    if atomic.is_integer and atomic.bytes == 4 and spelling.warp_reduction:
        how = f"{wording.reduction(reducing, spelling)}or {how} before compute capability 8.0"
    elif spelling.group_reduction:
        how += f", or `{spelling.group_reduction}`"
    help = f"combine the values of {among} in registers ({how}) and let one lane call `{called}`"
    if access.space is Space.GLOBAL and whole:
        help += "; where the whole block updates it, combine the warps in shared memory and let one thread call it"
    return help
