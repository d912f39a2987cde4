"""The memory model by brute force: one address per lane, in plain integers, as HARDWARE.md's page states it.

Written once, for the tests to hold the linter against; it shares no code with the linter.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product, zip_longest

WARP = 32
SECTOR = 32
BANKS = 32
WORD = 4

Lanes = Sequence[int | None]
"""Byte addresses of the 32 lanes of a warp, None for a lane that does not take part."""


@dataclass(frozen=True)
class Thread:
    """One thread's coordinates: (x, y, z) each."""

    thread: tuple[int, int, int]
    block: tuple[int, int, int]
    block_shape: tuple[int, int, int]


@dataclass(frozen=True)
class Traffic:
    """Means per executed warp instruction."""

    counted: Fraction
    ideal: Fraction
    instructions: int


def sectors(addresses: Lanes, width: int) -> int:
    """Distinct aligned 32-byte sectors under the active lanes, `width` bytes each."""
    starts = {start for start in addresses if start is not None}
    return len({n for start in starts for n in range(start // SECTOR, (start + width - 1) // SECTOR + 1)})


def ideal_sectors(addresses: Lanes, width: int) -> int:
    return -(-_active(addresses) * width // SECTOR)


def wavefronts(addresses: Lanes, width: int) -> int:
    """Passes of the shared-memory banks: per phase, the most distinct words that one bank must give."""
    return _in_phases(addresses, width, WARP * WORD // max(width, WORD))


def paired_wavefronts(addresses: Lanes, width: int) -> int:
    """Those of a wide load whose lanes agree in pairs: two phases are served as one."""
    return _in_phases(addresses, width, 2 * WARP * WORD // width)


def _in_phases(addresses: Lanes, width: int, lanes_per_phase: int) -> int:
    total = 0
    for first in range(0, WARP, lanes_per_phase):
        words: list[set[int]] = [set() for _ in range(BANKS)]
        for start in addresses[first : first + lanes_per_phase]:
            if start is not None:
                for word in range(start // WORD, (start + width - 1) // WORD + 1):
                    words[word % BANKS].add(word)
        total += max(len(in_bank) for in_bank in words)
    return total


def turns(addresses: Lanes, width: int) -> int:
    """Wavefronts of a native shared atomic: per phase, the most lanes on any one bank, the same word or not."""
    return sum(_most_lanes(phase) for phase in _phases(addresses, width))


def compared(addresses: Lanes, width: int) -> int:
    """Wavefronts of a compare-and-swap: two for each turn."""
    return 2 * turns(addresses, width)


def copy_wavefronts(read: Lanes, written: Lanes, width: int) -> int:
    """Wavefronts of a copy through L1 whose lanes meet on one side at most."""
    total = 0
    for source, target in zip(_phases(read, width), _phases(written, width), strict=True):
        meeting = sorted((_most_lanes(source), _most_lanes(target)))
        assert meeting[0] <= 1, "lanes that meet on both sides: no law is known"
        total += meeting[1]
    return total


def bypass_sectors(read: Lanes, written: Lanes) -> int:
    """Sectors of a copy past L1: pairs of a sector read and one written, with halves in place or exchanged."""
    pairs = [(r // 16, w // 16) for r, w in zip(read, written, strict=True) if r is not None and w is not None]
    return len({(r // 2, w // 2, r % 2 == w % 2) for r, w in pairs})


def bypass_wavefronts(read: Lanes, written: Lanes) -> int:
    """Wavefronts of a copy past L1: what changes place alike between two lines, the same part of sectors."""
    pairs = {(r // 16, w // 16) for r, w in zip(read, written, strict=True) if r is not None and w is not None}
    assert len({(r, w // 8) for r, w in pairs}) == len(pairs), "a chunk goes to a line twice: no law is known"
    wavefronts = set()
    for r, w in pairs:
        whole = (r ^ 1, w ^ 1) in pairs
        part = "whole" if whole else ("first half", "second half")[r % 2]
        turned = (r % 2 != w % 2, r // 2 % 2 != w // 2 % 2)
        wavefronts.add((r // 8, w // 8, turned, part))
    return len(wavefronts)


def _phases(addresses: Lanes, width: int) -> list[Lanes]:
    lanes_per_phase = WARP * WORD // max(width, WORD)
    return [addresses[first : first + lanes_per_phase] for first in range(0, WARP, lanes_per_phase)]


def _most_lanes(addresses: Lanes) -> int:
    asked = [0] * BANKS
    for start in addresses:
        if start is not None:
            asked[start // WORD % BANKS] += 1
    return max(asked)


def ideal_wavefronts(addresses: Lanes, width: int) -> int:
    return -(-_active(addresses) * max(width, WORD) // (BANKS * WORD))


def global_traffic(threads: Sequence[Sequence[int | None]], width: int, pieces: int = 1) -> Traffic:
    return _mean(threads, width, pieces, sectors, ideal_sectors)


def shared_traffic(threads: Sequence[Sequence[int | None]], width: int, pieces: int = 1) -> Traffic:
    return _mean(threads, width, pieces, wavefronts, ideal_wavefronts)


def atomic_traffic(threads: Sequence[Sequence[int | None]], width: int, pieces: int = 1) -> Traffic:
    return _mean(threads, width, pieces, turns, ideal_wavefronts)


def paired_traffic(threads: Sequence[Sequence[int | None]], width: int, pieces: int = 1) -> Traffic:
    """A request that is served in fewer wavefronts than its bytes need is its own ideal."""
    return _mean(threads, width, pieces, paired_wavefronts, paired_wavefronts)


def comparing_traffic(threads: Sequence[Sequence[int | None]], width: int, pieces: int = 1) -> Traffic:
    return _mean(threads, width, pieces, compared, lambda lanes, size: 2 * ideal_wavefronts(lanes, size))


def copy_traffic(
    read: Sequence[Sequence[int | None]],
    written: Sequence[Sequence[int | None]],
    width: int,
    *,
    bypass: bool,
    stores: bool,
) -> Traffic:
    """The store (wavefronts) or the load (sectors) of an asynchronous copy, from both addresses of each thread."""
    total = ideal = instructions = 0
    for first in range(0, len(read), WARP):
        ends = [zip_longest(*threads[first : first + WARP]) for threads in (read, written)]
        for source, target in zip(*ends, strict=True):
            here, there = ([*end, *[None] * (WARP - len(end))] for end in (source, target))
            if not _active(here):
                continue
            if stores:
                total += bypass_wavefronts(here, there) if bypass else copy_wavefronts(here, there, width)
                ideal += ideal_wavefronts(there, width)
            else:
                total += bypass_sectors(here, there) if bypass else sectors(here, width)
                ideal += ideal_sectors(here, width)
            instructions += 1
    return Traffic(Fraction(total, instructions), Fraction(ideal, instructions), instructions)


@lru_cache(64)
def block_threads(block_shape: tuple[int, int, int], block: tuple[int, int, int] = (0, 0, 0)) -> tuple[Thread, ...]:
    """The threads of a block in the order of their linear ids, x fastest."""
    size_x, size_y, size_z = block_shape
    order = product(range(size_z), range(size_y), range(size_x))
    return tuple(Thread((x, y, z), block, block_shape) for z, y, x in order)


def addresses_of(expression: str, threads: Iterable[Thread]) -> list[list[int | None]]:
    """Each thread's byte addresses, one per execution of the access, from a `lanes` expression of a fixture.

    The expression may use tx ty tz, bx by bz (blockIdx) and bdx bdy bdz (blockDim).
    """
    generates, of = _compiled(expression)
    result = [of(*thread.thread, *thread.block, *thread.block_shape) for thread in threads]
    assert generates or all(len(values) == 1 for values in result)
    return result


@lru_cache(64)
def _compiled(expression: str) -> tuple[bool, Callable[..., list[int | None]]]:
    """A `lanes` expression as a function of a thread's coordinates, and whether it gives several addresses."""
    generates = isinstance(ast.parse(f"({expression})", mode="eval").body, ast.GeneratorExp)
    helpers: dict[str, object] = {"__builtins__": {}, "range": range, "min": min, "max": max, "abs": abs}
    names = ", ".join(prefix + axis for prefix in ("t", "b", "bd") for axis in "xyz")
    code = compile(f"lambda {names}: [{expression}]", f"<lanes: {expression}>", "eval")
    return generates, eval(code, helpers)


def _mean(
    threads: Sequence[Sequence[int | None]],
    width: int,
    pieces: int,
    count: Callable[[Lanes, int], int],
    ideal: Callable[[Lanes, int], int],
) -> Traffic:
    """Mean over the warps that have an active lane, over a loop's iterations, and over an access's pieces."""
    counted_sum = ideal_sum = instructions = 0
    for first in range(0, len(threads), WARP):
        warp = threads[first : first + WARP]
        for iteration in zip_longest(*warp):
            lanes = [*iteration, *[None] * (WARP - len(iteration))]
            if not _active(lanes):
                continue
            for piece in range(pieces):
                moved = [None if start is None else start + piece * width for start in lanes]
                counted_sum += count(moved, width)
                ideal_sum += ideal(moved, width)
                instructions += 1
    if not instructions:
        raise ValueError("no lane of any warp takes part")
    return Traffic(Fraction(counted_sum, instructions), Fraction(ideal_sum, instructions), instructions)


def _active(addresses: Lanes) -> int:
    return len(addresses) - addresses.count(None)
