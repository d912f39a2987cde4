"""Bounds on kernels' threads that functions compute, as `__launch_bounds__(threads(type, 8))`: evaluated."""

from __future__ import annotations

from dataclasses import replace

from coalint.analysis.launches.cut_short import LIMITS
from coalint.analysis.launches.host_interpreter import host_interpreter
from coalint.core import ir

MAX_STEPS = 10_000  # expressions that one bound may take


def with_bounds(module: ir.Module) -> ir.Module:
    """Return the module with the bounds on its kernels' threads that calls compute, as far as they are known."""
    if not any(kernel.thread_bound is not None for kernel in module.kernels):
        return module
    return replace(module, kernels=tuple(_bounded(module, kernel) for kernel in module.kernels))


def _bounded(module: ir.Module, kernel: ir.Kernel) -> ir.Kernel:
    if kernel.thread_bound is None:
        return kernel
    threads = _number(module, kernel.key, kernel.thread_bound)
    bounds = (threads, 1, 1) if threads is not None and threads > 0 else None
    return replace(kernel, bounds=bounds, thread_bound=None)


def _number(module: ir.Module, key: str, expression: ir.Expression) -> int | None:
    """Return what an expression of constants comes to; None where that is not known."""
    interpreter = host_interpreter(module, key, MAX_STEPS)
    try:
        return interpreter.scalar(expression).number
    except LIMITS:
        return None
    finally:
        interpreter.recorder.release()
