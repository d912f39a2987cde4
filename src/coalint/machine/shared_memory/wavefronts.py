"""Shared memory: which lanes each wavefront of one warp's request serves, and from which word of which bank.

`banks` and `copies` count wavefronts for many warps at once; here they are taken apart for one warp, by the same
phases and the same merging of phases, so that their number is that count. Of several words that a phase asks of one
bank it is not documented which comes first: they stand in the order of the lanes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from coalint.core.records import record
from coalint.machine.shared_memory.async_copies import served_together
from coalint.machine.shared_memory.banks import merges, phase_lanes

if TYPE_CHECKING:
    from coalint.core.facts.lanes import Lanes
    from coalint.machine.architecture import Architecture

LANES = 32


@record(frozen=True, slots=True)
class BankWord:
    """One word (4 bytes) that a bank gives in one wavefront, and the lanes that get it.

    `word` counts words from the common base of the lanes; `group` is that of the lanes (see `Lanes`).
    """

    bank: int
    word: int
    lanes: tuple[int, ...]
    group: int = 0


@record(frozen=True, slots=True)
class Wavefront:
    """One wavefront: a word of every bank at most.

    `first` and `last` are the lanes that are served together with it, a phase or two that are merged; `words` are in
    the order of their banks. `times` is how many wavefronts a turn of an atomic takes.
    """

    first: int
    last: int
    words: tuple[BankWord, ...]
    times: int = 1

    @property
    def lanes(self) -> tuple[int, ...]:
        """The lanes that get something."""
        return tuple(sorted({lane for word in self.words for lane in word.lanes}))


def plain_wavefronts(lanes: Lanes, bytes_per_lane: int, arch: Architecture, *, load: bool) -> tuple[Wavefront, ...]:
    """Return those of a load or store of one warp (`lanes` has one row and one warp)."""
    wavefronts: list[Wavefront] = []
    for first, last in _stretches(lanes, bytes_per_lane, arch, load):
        asked: dict[int, dict[tuple[int, int], list[int]]] = defaultdict(dict)
        for lane in _active(lanes, first, last):
            for word in _words(lanes, lane, bytes_per_lane, arch):
                asked[word % arch.banks].setdefault((_group(lanes, lane), word), []).append(lane)
        for turn in range(max(map(len, asked.values()), default=0)):
            served = {bank: list(words.items())[turn] for bank, words in asked.items() if turn < len(words)}
            words = [BankWord(bank, word, tuple(who), group) for bank, ((group, word), who) in served.items()]
            wavefronts.append(Wavefront(first, last, _in_order(words)))
    return tuple(wavefronts)


def turn_wavefronts(lanes: Lanes, bytes_per_lane: int, arch: Architecture, times: int) -> tuple[Wavefront, ...]:
    """Return those of an atomic of one warp whose lanes take turns at a bank, `times` wavefronts for each turn."""
    width = phase_lanes(bytes_per_lane)
    turns: list[Wavefront] = []
    for first in range(0, LANES, width):
        last = first + width - 1
        turns += (
            Wavefront(first, last, _in_order(_each(lanes, served, bytes_per_lane, arch)), times)
            for served in _in_turn(_queues(lanes, first, last, arch))
        )
    return tuple(turns)


def copy_wavefronts_of(source: Lanes, target: Lanes, bytes_per_lane: int, arch: Architecture) -> tuple[Wavefront, ...]:
    """Return those of a copy of one warp through L1, whose lanes meet in the banks of one side at most.

    Lanes of the target that are none of the source fill in zeros: they are served with the first of their phase.
    """
    width = phase_lanes(bytes_per_lane)
    turns: list[Wavefront] = []
    for first in range(0, LANES, width):
        last = first + width - 1
        sides = [_queues(side, first, last, arch) for side in (target, source)]
        queues = max(sides, key=lambda side: max(map(len, side.values()), default=0))
        queued = {lane for queue in queues.values() for lane in queue}
        filling = [lane for lane in _active(target, first, last) if lane not in queued]
        for turn, served in enumerate(_in_turn(queues)):
            words = _each(target, sorted([*served, *(filling if turn == 0 else ())]), bytes_per_lane, arch)
            turns.append(Wavefront(first, last, _in_order(words)))
    return tuple(turns)


def bypass_wavefronts_of(source: Lanes, target: Lanes, arch: Architecture) -> tuple[Wavefront, ...]:
    """Return those of a copy of one warp past L1.

    For each line that is read and each that is written, one or several.
    """
    return tuple(
        Wavefront(0, LANES - 1, _in_order(_each(target, served, arch.bank_bytes * 4, arch)))
        for served in served_together(source, target)
    )


def _stretches(lanes: Lanes, bytes_per_lane: int, arch: Architecture, load: bool) -> Iterable[tuple[int, int]]:
    """Return the first and last lane of each stretch that is served together."""
    width = phase_lanes(bytes_per_lane)
    if not (load and bytes_per_lane > 4 and arch.merges_paired_loads):
        return [(first, first + width - 1) for first in range(0, LANES, width)]
    stretches: list[tuple[int, int]] = []
    for number, merged in enumerate(merges(lanes, bytes_per_lane, arch)[0, 0].tolist()):
        first = 2 * width * number
        stretches += (
            [(first, first + 2 * width - 1)]
            if merged
            else [(first, first + width - 1), (first + width, first + 2 * width - 1)]
        )
    return stretches


def _queues(lanes: Lanes, first: int, last: int, arch: Architecture) -> dict[int, list[int]]:
    """Return the lanes of a phase that ask for a word of each bank."""
    queues: dict[int, list[int]] = defaultdict(list)
    for lane in _active(lanes, first, last):
        queues[int(lanes.offsets[0, 0, lane]) // arch.bank_bytes % arch.banks].append(lane)
    return queues


def _in_turn(queues: Mapping[int, Sequence[int]]) -> Iterator[list[int]]:
    """Yield the lanes that are served at once: one of each queue."""
    for turn in range(max(map(len, queues.values()), default=0)):
        yield sorted(queue[turn] for queue in queues.values() if turn < len(queue))


def _each(lanes: Lanes, served: Sequence[int], bytes_per_lane: int, arch: Architecture) -> list[BankWord]:
    """Return the words of these lanes."""
    by_word: dict[tuple[int, int], list[int]] = {}
    for lane in served:
        for word in _words(lanes, lane, bytes_per_lane, arch):
            by_word.setdefault((_group(lanes, lane), word), []).append(lane)
    return [BankWord(word % arch.banks, word, tuple(who), group) for (group, word), who in by_word.items()]


def _in_order(words: Iterable[BankWord]) -> tuple[BankWord, ...]:
    return tuple(sorted(words, key=lambda word: (word.bank, word.lanes)))


def _active(lanes: Lanes, first: int, last: int) -> list[int]:
    return [lane for lane in range(first, last + 1) if lanes.active[0, 0, lane]]


def _words(lanes: Lanes, lane: int, bytes_per_lane: int, arch: Architecture) -> range:
    offset = int(lanes.offsets[0, 0, lane])
    return range(offset // arch.bank_bytes, (offset + bytes_per_lane - 1) // arch.bank_bytes + 1)


def _group(lanes: Lanes, lane: int) -> int:
    return 0 if lanes.groups is None else int(lanes.groups[..., lane].reshape(-1)[0])


def ways_of(wavefronts: Iterable[Wavefront]) -> Mapping[int, int]:
    """Return for each bank that is asked, the most wavefronts in which one phase needs it."""
    counts: dict[tuple[int, int], int] = defaultdict(int)
    for wavefront in wavefronts:
        for bank in {word.bank for word in wavefront.words}:
            counts[bank, wavefront.first] += 1
    ways: dict[int, int] = defaultdict(int)
    for (bank, _), count in counts.items():
        ways[bank] = max(ways[bank], count)
    return dict(sorted(ways.items()))
