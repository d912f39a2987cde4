"""The findings of rules on accesses that tests build by hand."""

from __future__ import annotations

from synthetic import access, analysis

from coalint.core.facts.access import Access, LoopStride, Memory, Space
from coalint.core.facts.synchronization import Barrier
from coalint.core.findings import Finding
from coalint.core.source.spans import Span
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture
from coalint.rule import Context

RULES = {rule.code: rule for rule in load_rules().rules}

OURS = [
    "COA101",
    "COA102",
    "COA103",
    "COA104",
    "COA105",
    "COA106",
    "COA107",
    "COA108",
    "COA109",
    "COA402",
    "COA201",
    "COA202",
    "COA203",
    "COA301",
    "COA302",
]

LOOP = Span("k.cu", 8, 5, 8, 40)


def findings(*accesses: Access, barriers: tuple[Barrier, ...] = (), arch: str = "sm_90") -> dict[str, list[Finding]]:
    """All findings of the built-in rules, by code, before any rule replaces another."""
    context = Context(analysis(*accesses, barriers=barriers), architecture(arch))
    found = {code: list(RULES[code]().check(context)) for code in OURS}
    return {code: results for code, results in found.items() if results}


def kept(*accesses: Access, **kwargs: object) -> dict[str, Finding]:
    """The finding per code that is left when the better rule has replaced the general one (one place only)."""
    found = findings(*accesses, **kwargs)  # type: ignore[arg-type]
    replaced = {name for code in found for name in RULES[code].refines}
    return {code: results[0] for code, results in found.items() if RULES[code].name not in replaced}


def only(found: dict[str, Finding], code: str) -> Finding:
    assert list(found) == [code]
    return found[code]


def text(finding: Finding) -> str:
    return "\n".join([finding.message, *(note.message for note in finding.notes), finding.help])


def strided(bytes_apart: int, **fields: object) -> Access:
    return access(lambda x, y, z: bytes_apart * x, block=(256, 1, 1), **fields)  # type: ignore[arg-type]


def in_loop(step: int | None, trips: int | None) -> tuple[LoopStride, ...]:
    return (LoopStride("col", step, "?" if step is None else str(step), trips, LOOP),)


def shared(offset: object, block: tuple[int, int, int], memory: Memory, **fields: object) -> Access:
    fields = {"bytes": memory.element_bytes, "expression": "tile[threadIdx.x][threadIdx.y]", **fields}
    return access(offset, block=block, space=Space.SHARED, memory=memory, **fields)  # type: ignore[arg-type]


def flat(offset: object, loops: tuple[LoopStride, ...] = (), **fields: object) -> Access:
    memory = Memory("As", 4, (512,))
    return shared(offset, (256, 1, 1), memory, loops=loops, **fields)
