"""The architectures that accesses are judged for: sector, line and bank sizes by `sm_XX` name."""

from __future__ import annotations

import difflib

from coalint.core.records import record


class UnknownArchitectureError(ValueError):
    """No architecture of that name; the message names the nearest one and lists the rest."""


@record(frozen=True, slots=True)
class Architecture:
    """What one compute capability moves per request. All sizes in bytes.

    Attributes:
        name: The name of the architecture, as `sm_90`.
        compute_capability: Its major and minor number.
        sector_bytes: The unit of L2 traffic that the profiler counts, 32 on every architecture so far (CUDA C++ Best
            Practices Guide, "Coalesced Access to Global Memory").
        line_bytes: An L1 line, which has one tag: four sectors.
        banks: The banks of shared memory (CUDA C++ Programming Guide, "Shared Memory").
        bank_bytes: The width of a bank. Compute capability 3.x can widen its banks to 8 bytes at run time; 4 is its
            default and what is modelled.
        warp_lanes: The lanes of a warp.
        load_granularity_bytes: What a global load fetches at least: one sector today. Compute capability 2.x and 3.x
            load through L1 in whole lines by default, and in sectors when compiled with `-Xptxas -dlcm=cg`.
        store_granularity_bytes: The same for stores and atomics, which bypass L1: one sector everywhere.
    """

    name: str
    compute_capability: tuple[int, int]
    sector_bytes: int = 32
    line_bytes: int = 128
    banks: int = 32
    bank_bytes: int = 4
    warp_lanes: int = 32
    load_granularity_bytes: int = 32
    store_granularity_bytes: int = 32

    @property
    def merges_paired_loads(self) -> bool:
        """Whether a wide shared load whose lanes agree in pairs takes fewer wavefronts (see `banks`)."""
        return self.compute_capability >= (7, 0)

    @property
    def early_exit_legal(self) -> bool:
        """Whether threads may return before a block barrier: from 7.0 on, exited threads do not count at it."""
        return self.compute_capability >= (7, 0)


_CAPABILITIES = (
    *((2, 0), (2, 1)),
    *((3, 0), (3, 2), (3, 5), (3, 7)),
    *((5, 0), (5, 2), (5, 3)),
    *((6, 0), (6, 1), (6, 2)),
    *((7, 0), (7, 2), (7, 5)),
    *((8, 0), (8, 6), (8, 7), (8, 8), (8, 9)),
    (9, 0),
    *((10, 0), (10, 1), (10, 3), (11, 0), (12, 0), (12, 1)),
)

_LOADS_WHOLE_LINES = (2, 3)


def _build(major: int, minor: int) -> Architecture:
    name = f"sm_{major}{minor}"
    if major in _LOADS_WHOLE_LINES:
        return Architecture(name, (major, minor), load_granularity_bytes=128)
    return Architecture(name, (major, minor))


ARCHITECTURES: dict[str, Architecture] = {arch.name: arch for arch in (_build(*cc) for cc in _CAPABILITIES)}

DEFAULT_ARCHITECTURE = ARCHITECTURES["sm_90"]


def architecture(name: str) -> Architecture:
    """Look up `sm_90`; the feature-set suffixes of nvcc (`sm_90a`, `sm_100f`) name the same machine.

    Raises UnknownArchitectureError, with a suggestion, for anything else.
    """
    plain = name[:-1] if name[:3] == "sm_" and name[-1:] in ("a", "f") else name
    known = ARCHITECTURES.get(plain)
    if known is not None:
        return known
    digits = "".join(c for c in name if c.isdigit())
    near = difflib.get_close_matches(f"sm_{digits}" if digits else name, ARCHITECTURES, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}? " if near else ""
    raise UnknownArchitectureError(f"unknown architecture {name!r}: {hint}known are {', '.join(ARCHITECTURES)}")
