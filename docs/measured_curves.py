"""The measured curves, and what the model predicts for each of their points."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from coalint.core.facts.access import Operation
from coalint.core.facts.lanes import Lanes
from coalint.machine.architecture import architecture
from coalint.machine.traffic import Traffic, global_traffic, shared_traffic

ARCHITECTURE = "sm_90"
ARCH = architecture(ARCHITECTURE)


@dataclass(frozen=True)
class Curves:
    """The points of one file of measurements, and what they were measured on."""

    value: dict[str, Any]

    def points(self, curve: str, **wanted: str | int) -> list[dict[str, Any]]:
        """The points of one curve with these properties, in the order of the measurement."""
        points: list[dict[str, Any]] = self.value["points"]
        return [p for p in points if p["curve"] == curve and all(p[key] == value for key, value in wanted.items())]

    def bandwidth(self, curve: str, **wanted: str | int) -> float:
        """Useful bytes per second of one point, in TB/s."""
        (point,) = self.points(curve, **wanted)
        return float(point["bytes"] / point["ms"] / 1e9)

    def strided(self, source: str, stride: int) -> float:
        """Useful TB/s at a stride of floats, from `dram` or from `l2`."""
        wanted: dict[str, str | int] = {"from": source, "stride": stride}
        return self.bandwidth("stride", **wanted)

    def load_ns(self, ways: int) -> float:
        """How long a processor takes for one warp's load from shared memory with a conflict, in nanoseconds."""
        (point,) = self.points("conflicts", ways=ways)
        return float(point["ms"] / point["loads"] * 1e6)

    @property
    def processors(self) -> int:
        """How many multiprocessors the GPU has."""
        return int(self.points("device")[0]["processors"])

    @property
    def machine(self) -> str:
        """What it was measured on."""
        v = self.value
        return f"an {v['gpu']} ({v['architecture']}), driver {v['driver']}, CUDA {v['cuda']}, on {v['date']}"


def read(root: Path, name: str) -> Curves:
    """One of the files of measurements."""
    path = root / "docs" / "data" / f"{name}.{ARCHITECTURE}.json"
    return Curves(json.loads(path.read_text(encoding="utf-8")))


def warp(offset: Callable[[int], int]) -> Lanes:
    """One warp of which each lane touches the byte offset given."""
    offsets = np.array([[[offset(lane) for lane in range(32)]]], dtype=np.int64)
    return Lanes(offsets, np.ones_like(offsets, dtype=np.bool_), np.ones(1, dtype=np.int64), 256)


def sectors(offset: Callable[[int], int]) -> float:
    """Sectors per request of a load of 4 bytes per lane, as predicted."""
    return _count(global_traffic(warp(offset), 4, Operation.LOAD, ARCH))


def wavefronts(offset: Callable[[int], int]) -> float:
    """Wavefronts per request of a shared load of 4 bytes per lane, as predicted."""
    return _count(shared_traffic(warp(offset), 4, Operation.LOAD, ARCH))


def _count(cost: Traffic | None) -> float:
    if cost is None:
        raise ValueError("no lane is active")
    return cost.count


def strided_sectors(bytes_apart: int) -> float:
    """Sectors per request where neighbouring lanes are so many bytes apart."""
    return sectors(lambda lane: bytes_apart * lane)


def conflict_wavefronts(ways: int) -> float:
    """Wavefronts of the access that benchmarks/curves/curves.cu times for this conflict."""
    return wavefronts(lambda lane: 4 * (lane % ways * 32 + lane // ways))


def slope_ns(curves: Curves) -> float:
    """What each further wavefront costs a processor, in nanoseconds: the mean slope of the measured line."""
    return (curves.load_ns(32) - curves.load_ns(1)) / 31


def transpose_prediction(curves: Curves, kernel: str, n: int) -> float:
    """TB/s that the model lets expect: the copy's traffic scaled by sectors, or what the wavefronts leave time for."""
    copied = curves.bandwidth("transpose", kernel="copy", n=n)
    row, column = strided_sectors(4), strided_sectors(4 * n)
    by_sectors = copied * 2 * row / (row + (column if kernel == "naive" else row))
    if kernel == "naive":
        return by_sectors
    pitch = 33 if kernel == "padded" else 32
    fronts = wavefronts(lambda lane: 4 * lane) + wavefronts(lambda lane: 4 * pitch * lane)
    ns = n * n / 32 * fronts * slope_ns(curves) / curves.processors
    return min(by_sectors, 8 * n * n / ns / 1e3)


# ---- SVG as text.
