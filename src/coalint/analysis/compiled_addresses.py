"""The addresses of a kernel as a compiler sees them: without the numbers of a launch, whatever the block is.

Seen in the machine code of nvcc 13.2 for sm_90: from the range of `threadIdx.x` nothing follows for a remainder, as
`(4 * t) % 4096`. That `threadIdx.y` is 0 and `blockDim.x` 128 in all launches of the file is nothing that nvcc knows.
"""

from __future__ import annotations

import weakref

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly, TooManyAtoms
from coalint.analysis.domain.algebra.functions import function_names
from coalint.analysis.domain.algebra.polynomial import CONSTANT
from coalint.analysis.domain.registers import Registers, kernel_registers
from coalint.analysis.interpreter.effects.escape import StoreThroughUnknownPointer
from coalint.analysis.interpreter.statements.control_flow import NotFollowed
from coalint.analysis.recorder.instruction_recorder import TooLarge
from coalint.analysis.recorder.known_alignment import KnownAlignment
from coalint.analysis.recorder.recorder import Recorder
from coalint.analysis.recorder.source_lines import lines_of
from coalint.analysis.running import run
from coalint.analysis.warps.model import WarpModel
from coalint.core import ir
from coalint.core.facts.access import Space
from coalint.core.facts.compiled_address import CompiledAddress, CompiledAddresses, Place, place_of
from coalint.core.facts.launch import LaunchSource, Specialization

_BLOCK = (1024, 1, 1)
_latest: list[tuple[weakref.ref[ir.Module], dict[str, CompiledAddresses]]] = []
"""The module that was evaluated last, with what is known of its kernels by their keys."""


def compiled_addresses(module: ir.Module, kernel: ir.Kernel) -> CompiledAddresses:
    """Return the addresses of a kernel's accesses to shared memory; none where it cannot be followed."""
    if not _latest or _latest[0][0]() is not module:
        _latest[:] = [(weakref.ref(module), {})]
    known = _latest[0][1]
    if kernel.key not in known:
        known[kernel.key] = _evaluated(module, kernel)
    return known[kernel.key]


def _evaluated(module: ir.Module, kernel: ir.Kernel) -> CompiledAddresses:
    try:
        try:
            return _addresses(module, kernel, may_store_unknown=False)
        except StoreThroughUnknownPointer:
            return _addresses(module, kernel, may_store_unknown=True)
    except (TooManyAtoms, TooLarge, NotFollowed, RecursionError):
        return {}


def _addresses(module: ir.Module, kernel: ir.Kernel, *, may_store_unknown: bool) -> CompiledAddresses:
    algebra = Algebra(function_names(module.spelling))
    algebra.differences = {}
    specialization = Specialization(kernel.name, kernel.template_arguments, _BLOCK, LaunchSource.ASSUMED)
    zeros = (algebra.zero,) * len(ir.AXES)
    model = WarpModel(algebra, _BLOCK, zeros)
    recorder = Recorder(algebra, lines_of(module), specialization, model, zeros)
    recorder.in_body(kernel.function.body.span, module.spelling)
    recorder.with_lanes, recorder.as_compiled, recorder.volatile = False, True, module.volatile
    registers = {**kernel_registers(algebra, module.spelling, specialization, zeros), **_open(algebra, module.spelling)}
    run(module, kernel, specialization, recorder, registers, may_store_unknown=may_store_unknown)
    alignment, forms = KnownAlignment(algebra), dict[Poly, int]()
    found: dict[Place, CompiledAddress] = {}
    for access, (offset, _) in zip(recorder.accesses.values(), recorder.places, strict=True):
        if access.space is not Space.SHARED:
            continue
        moving, start = _moving(algebra, offset)
        known, possible = alignment.of(moving)
        address = CompiledAddress(
            known=known,
            possible=possible,
            always=alignment.always(moving),
            first=alignment.at_first(moving),
            forms=frozenset({forms.setdefault(moving, len(forms))}),
            starts=frozenset({("" if access.memory is None else access.memory.name, start)}),
        )
        place = place_of(access)
        found[place] = found[place].or_else(address) if place in found else address
    return found


def _moving(algebra: Algebra, offset: Poly) -> tuple[Poly, int]:
    """Return an address without its constant part, and that, as if no unsigned number wrapped: 2**32 is aligned."""
    while wrapped := [atom for atom in algebra.atoms_of(offset) if atom.operator == "wrap" and not atom.signed]:
        offset = offset.substituted([(atom.index, atom.operands[0]) for atom in wrapped])
    start = offset.coefficient(CONSTANT)
    return offset - start, start


def _open(algebra: Algebra, spelling: ir.Spelling) -> Registers:
    """Return the index of the thread and the extents of the block, of which nothing is known."""
    registers: Registers = {}
    for axis in ir.AXES:
        thread, extent = (
            spelling.component_of(register, axis) for register in (ir.Register.THREAD_INDEX, ir.Register.BLOCK_EXTENT)
        )
        registers |= {
            (ir.Register.THREAD_INDEX, axis): algebra.atom(AtomKind.THREAD, thread, Level.DIVERGENT, low=0),
            (ir.Register.BLOCK_EXTENT, axis): algebra.atom(AtomKind.UNIFORM, extent, Level.UNIFORM, low=1),
        }
    return registers
