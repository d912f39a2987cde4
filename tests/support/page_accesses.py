"""The accesses of the fixtures, as coalint counts them and as the page's model is to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from project import shared_headers

from coalint.analysis.evaluate import AnalysisError, analyse
from coalint.analysis.launches.specializations import specialize
from coalint.core import ir
from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.assumptions import Given
from coalint.core.facts.lanes import Service
from coalint.core.facts.launch import Specialization
from coalint.frontend.cuda.load import load
from coalint.machine.architecture import architecture
from coalint.machine.global_memory.sectors import ideal_sectors, sector_counts
from coalint.machine.nvcc.instructions import as_written
from coalint.machine.shared_memory.banks import ideal_wavefronts, turn_counts, wavefront_counts
from coalint.machine.traffic import TURN_WAVEFRONTS, settled, traffic
from coalint.reporters.html.data import Nodes, access_data, architecture_data

if TYPE_CHECKING:
    from coalint.machine.traffic import Traffic

ARCH = architecture("sm_90")
Block = tuple[int, int, int]


@dataclass
class Cases:
    """What is asked of the page, and the answers that coalint gives."""

    nodes: Nodes = field(default_factory=Nodes)
    items: list[dict[str, Any]] = field(default_factory=list)
    expected: list[Access] = field(default_factory=list)

    def add(self, data: dict[str, Any], block: Sequence[int], expected: Access, **more: bool | dict[str, int]) -> None:
        """One access at one block shape."""
        self.items.append({"access": data, "arch": ARCH.name, "block": list(block), **more})
        self.expected.append(expected)

    @property
    def input(self) -> dict[str, Any]:
        """All of them for `agreement` of agreement.js."""
        architectures = {ARCH.name: architecture_data(ARCH)}
        return {"nodes": self.nodes.written, "architectures": architectures, "items": self.items}


@cache
def _specialized(file: Path) -> tuple[ir.Module, tuple[tuple[ir.Kernel, Specialization], ...]]:
    module = load(str(file), (), shared_headers())
    return module, tuple(specialize(module))


@cache
def _modelled(file: Path) -> tuple[Analysis | None, ...]:
    """Each specialized kernel with models; None for one that is not analysed."""

    def made(kernel: ir.Kernel, specialization: Specialization) -> Analysis | None:
        try:
            return analyse(module, kernel, specialization, with_models=True)
        except AnalysisError:
            return None

    module, found = _specialized(file)
    return tuple(made(kernel, specialization) for kernel, specialization in found)


@cache
def _opened(file: Path) -> tuple[tuple[ir.Kernel, Specialization, Analysis], ...]:
    """Each kernel with models as if no launch gave numbers."""
    module, found = _specialized(file)
    opened = []
    for kernel, launched in found:
        freed = replace(launched, arguments=(), members=(), grid=None, divisors=(), multiples=())
        opened.append((kernel, freed, analyse(module, kernel, freed, with_models=True)))
    return tuple(opened)


def open_kernels(
    files: Sequence[Path], supposed: Callable[[Sequence[Access]], Sequence[dict[str, int]]]
) -> Iterator[tuple[Analysis, list[tuple[dict[str, int], Analysis]]]]:
    """Each kernel with models as if no launch gave numbers, and its analyses with those supposed for its accesses."""
    for file in files:
        module, _ = _specialized(file)
        for kernel, specialization, analysis in _opened(file):
            numbers = supposed(analysis.accesses)
            given = [Given(tuple(values.items())).applied(kernel, specialization) for values in numbers]
            yield analysis, [(v, analyse(module, kernel, g)) for v, g in zip(numbers, given, strict=True)]


def kernels(files: Sequence[Path], *blocks: Block) -> Iterator[tuple[Analysis, dict[Block, Analysis]]]:
    """Each kernel with models, and its analyses at other block shapes."""
    for file in files:
        module, found = _specialized(file)
        for (kernel, specialization), analysis in zip(found, _modelled(file), strict=True):
            if analysis is None:
                continue
            try:
                others = {block: analyse(module, kernel, replace(specialization, block=block)) for block in blocks}
            except AnalysisError:
                continue
            yield analysis, others


def counted(accesses: Sequence[Access]) -> list[Access]:
    """Those that have a count, on this architecture; not single lanes at addresses for which there is no formula."""
    found = (settled(access, ARCH) for access in accesses)
    return [access for access in found if cost(access) is not None and not _is_lone(access)]


def _is_lone(access: Access) -> bool:
    """Whether it has a count, one sector or wavefront, since one lane of a warp makes it, wherever that goes."""
    lanes = access.result.lanes
    return access.portable.model is None and lanes is not None and int(lanes.active.sum(axis=-1).max()) == 1


def cost(access: Access) -> Traffic | None:
    """What it costs in the mean."""
    return traffic(access, ARCH)


def data_of(access: Access, nodes: Nodes) -> dict[str, Any]:
    """The access as the page has it."""
    return access_data(as_written(access, ARCH), ARCH, nodes)


def paired(own: Sequence[Access], others: Sequence[Access]) -> Iterator[tuple[Access, Access]]:
    """The same access at two block shapes, where no piece of code is there more often at one of them."""
    groups: dict[object, list[Access]] = defaultdict(list)
    for other in others:
        groups[_identity(other)].append(other)
    mine: dict[object, list[Access]] = defaultdict(list)
    for access in own:
        mine[_identity(access)].append(access)
    for identity, accesses in mine.items():
        if len(accesses) == len(groups[identity]):
            yield from zip(accesses, groups[identity], strict=True)


def _identity(access: Access) -> object:
    return access.span, access.op, access.space, access.bytes, access.piece, access.memory and access.memory.name


def requests(access: Access) -> list[tuple[int, int] | None]:
    """Count and ideal of every warp at every row; None for one without an active lane."""
    lanes = access.result.lanes
    assert lanes is not None
    if access.served.service in (Service.COPY, Service.BYPASS):
        return [_alone(access, row, warp) for row, warp in np.ndindex(*lanes.active.shape[:2])]
    if access.space is Space.GLOBAL:
        counts, ideals = sector_counts(lanes, access.bytes), ideal_sectors(lanes, access.bytes)
    elif access.served.service in TURN_WAVEFRONTS:
        each = TURN_WAVEFRONTS[access.served.service]
        counts = each * turn_counts(lanes, access.bytes, ARCH)
        ideals = each * ideal_wavefronts(lanes, access.bytes, ARCH)
    else:
        load = access.op is Operation.LOAD and access.served.service is not Service.ROWS
        counts = wavefront_counts(lanes, access.bytes, ARCH, load=load)
        ideals = np.minimum(ideal_wavefronts(lanes, access.bytes, ARCH), counts)
    any_lane = lanes.active.any(axis=2).reshape(-1)
    pairs = zip(counts.reshape(-1).tolist(), ideals.reshape(-1).tolist(), any_lane.tolist(), strict=True)
    return [(count, ideal) if active else None for count, ideal, active in pairs]


def _alone(access: Access, row: int, warp: int) -> tuple[int, int] | None:
    def of(lanes: Any) -> Any:
        one = (slice(row, row + 1), slice(warp, warp + 1))
        return lanes and replace(lanes, offsets=lanes.offsets[one], active=lanes.active[one], weights=np.ones(1, int))

    found = cost(access.with_lanes(of(access.result.lanes), of(access.served.partner)))
    return None if found is None else (int(found.count), int(found.ideal))
