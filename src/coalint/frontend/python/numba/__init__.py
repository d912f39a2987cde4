"""Kernels that Numba compiles: functions under `@cuda.jit`, read by Python's own `ast` and lowered to the IR.

Nothing is imported or run. Imports core, the front-end interface and the Python package beside it.
"""
