"""The addresses of a kernel as a compiler sees them: without the numbers of a launch, whatever the block is.

Seen in the machine code of nvcc 13.2 for sm_90: from the range of `threadIdx.x` nothing follows for a remainder, as
`(4 * t) % 4096`. That `threadIdx.y` is 0 and `blockDim.x` 128 in all launches of the file is nothing that nvcc knows.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from dataclasses import replace

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly, TooManyAtoms
from coalint.analysis.domain.algebra.functions import function_names
from coalint.analysis.domain.algebra.polynomial import CONSTANT
from coalint.analysis.domain.registers import Registers, kernel_registers
from coalint.analysis.interpreter.effects.escape import StoreThroughUnknownPointer
from coalint.analysis.interpreter.statements.control_flow import NotFollowed
from coalint.analysis.recorder.compiled_recorder import CompiledRecorder
from coalint.analysis.recorder.instruction_recorder import TooLarge
from coalint.analysis.recorder.known_alignment import KnownAlignment
from coalint.analysis.recorder.source_lines import lines_of
from coalint.analysis.running import run
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.strides import without_wraps
from coalint.core import ir
from coalint.core.facts.compiled_address import CompiledAddress, CompiledAddresses, Place
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.source.spans import Span

_BLOCK = (1024, 1, 1)
_latest: list[tuple[weakref.ref[ir.Module], dict[tuple[str, int], CompiledAddresses]]] = []
"""The module that was evaluated last, with what is known of its kernels by their keys and evaluated statements."""


def compiled_addresses(module: ir.Module, kernel: ir.Kernel, places: Iterable[Span]) -> CompiledAddresses:
    """Return the addresses of a kernel's accesses to shared memory; none where it cannot be followed.

    `places` are where these stand, or the kernel's calls that lead to them: what comes after the last one of them is
    not evaluated.
    """
    if not _latest or _latest[0][0]() is not module:
        _latest[:] = [(weakref.ref(module), {})]
    known, needed = _latest[0][1], _statements_up_to(kernel.function, places)
    if (kernel.key, needed) not in known:
        statements = kernel.function.body.statements[:needed]
        function = replace(kernel.function, body=replace(kernel.function.body, statements=statements))
        known[kernel.key, needed] = _evaluated(module, replace(kernel, function=function))
    return known[kernel.key, needed]


def _statements_up_to(function: ir.Function, places: Iterable[Span]) -> int:
    """Return how many statements of a function are executed until the last of these places is passed.

    Of those that one macro makes, which stand in one place, it is the last. Of a function with labels it is all
    statements, since a jump may lead back.
    """
    statements = function.body.statements
    if any(isinstance(part, ir.Labelled) for part in ir.nodes(function.body)):
        return len(statements)
    numbers = [
        next((n for n in range(len(statements), 0, -1) if at.lies_in(statements[n - 1].span)), len(statements))
        for at in set(places)
    ]
    return max(numbers, default=len(statements))


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
    recorder = CompiledRecorder(algebra, lines_of(module), specialization, model, zeros)
    recorder.in_body(kernel.function.body, module.spelling)
    registers = {**kernel_registers(algebra, module.spelling, specialization, zeros), **_open(algebra, module.spelling)}
    run(module, kernel, specialization, recorder, registers, may_store_unknown=may_store_unknown)
    recorder.release()
    alignment, forms = KnownAlignment(algebra), dict[Poly, int]()
    found: dict[Place, CompiledAddress] = {}
    for place, offsets in recorder.offsets.items():
        for array, offset in offsets:
            moving, start = _moving(algebra, offset)
            known, possible = alignment.of(moving)
            address = CompiledAddress(
                known=known,
                possible=possible,
                always=alignment.always(moving),
                first=alignment.at_first(moving),
                forms=frozenset({forms.setdefault(moving, len(forms))}),
                starts=frozenset({(array, start)}),
            )
            found[place] = found[place].or_else(address) if place in found else address
    return found


def _moving(algebra: Algebra, offset: Poly) -> tuple[Poly, int]:
    """Return an address without its constant part, and that, as if no unsigned number wrapped: 2**32 is aligned."""
    offset = without_wraps(algebra, offset)
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
