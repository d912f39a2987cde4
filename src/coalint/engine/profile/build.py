"""Makes profiles of inspected kernels."""

from __future__ import annotations

from dataclasses import replace

from coalint.core import ir
from coalint.core.facts.access import Space
from coalint.core.facts.launch import BLOCK_EXTENTS
from coalint.engine.linter import inspect
from coalint.engine.profile.barriers import profiled_barriers
from coalint.engine.profile.instruction import ProfiledInstruction
from coalint.engine.profile.records import KernelProfile, Profile
from coalint.engine.report import Inspected
from coalint.engine.request import RunRequest
from coalint.machine.nvcc.instructions import MachineInstruction


def profile(request: RunRequest) -> Profile:
    """Count the instructions of the launches in files. Raises PlanError."""
    inspection = inspect(replace(request, with_forms=True))
    kernels = [_with_formulas(profiled_kernel(item)) for item in inspection.kernels]
    kernels.sort(key=lambda kernel: -kernel.excess_bytes)
    return Profile(tuple(kernels), inspection.coverage, inspection.failures, inspection.remarks)


def profiled_kernel(item: Inspected) -> KernelProfile:
    """Return the profile of an inspected kernel."""
    supposed = () if item.block_forms is None else item.block_forms.supposed
    barriers = profiled_barriers(item.analysis.barriers, item.block_forms)
    return KernelProfile(item.analysis, _instructions(item), barriers=barriers, supposed_block=supposed)


def _with_formulas(kernel: KernelProfile) -> KernelProfile:
    """Return the profile with formulas; sympy is loaded only where there are any."""
    if not any(item.executions.form is not None or item.in_block is not None for item in kernel.instructions):
        return kernel
    from coalint.engine.profile.formulas import kernel_formulas

    specialization, spelling = kernel.analysis.specialization, kernel.analysis.spelling
    block = dict(zip(BLOCK_EXTENTS, specialization.block, strict=True))
    extents = {
        spelling.component_of(ir.Register.GRID_EXTENT, ir.AXES[axis]): formula.where(block)
        for axis, formula in specialization.grid_formulas
    }
    return replace(kernel, formulas=kernel_formulas(kernel.instructions, extents, dict(kernel.supposed_block)))


def _instructions(item: Inspected) -> tuple[ProfiledInstruction, ...]:
    """Return each machine instruction once, at the first access that it is made of."""
    profiled = []
    for number, made in enumerate(item.instructions):
        if made.access.space not in (Space.GLOBAL, Space.SHARED) or number != min(made.members, default=number):
            continue
        profiled.append(_profiled(made, item))
    return tuple(profiled)


def _profiled(made: MachineInstruction, item: Inspected) -> ProfiledInstruction:
    executions = made.executions(lambda number: item.analysis.accesses[number].executions)
    traffic, warps = made.traffic, executions.warps
    in_block = None if item.block_forms is None else item.block_forms.instructions.get(made.members[0])
    if traffic is None or warps is None:
        return ProfiledInstruction(made, executions, in_block=in_block)
    return ProfiledInstruction(made, executions, traffic.count * warps, traffic.ideal * warps, in_block)
