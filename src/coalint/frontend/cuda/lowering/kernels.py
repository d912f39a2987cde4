"""Kernels out of cursors: specializations, and templates as they are written where nothing instantiates them."""

from __future__ import annotations

from ctypes import ArgumentError
from typing import Any

from coalint.core import ir
from coalint.core.facts.launch import NOT_KNOWN
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.lowering.assumptions import assumptions
from coalint.frontend.cuda.lowering.bound_expressions import thread_bound
from coalint.frontend.cuda.lowering.unit import Lowering
from coalint.frontend.cuda.templates.constant_expressions import Constants
from coalint.frontend.cuda.templates.instances import arguments_of, guessed, parameter_names
from coalint.frontend.cuda.templates.launch_bounds import bounds
from coalint.frontend.cuda.templates.representative_arguments import PARAMETERS

# ctypes hands on a RecursionError in the midst of a call to libclang as an ArgumentError.
UNREADABLE = (RecursionError, ArgumentError, ValueError, IndexError, AttributeError, AssertionError)
"""What lowering raises for a cursor that is unlike all that it knows."""


def kernel(low: Lowering, constants: Constants, cursor: Any, *, probed: bool, named: bool) -> ir.Kernel:
    """Return the kernel of a cursor, lowered; one of UNREADABLE where that fails."""
    return _kernel(low, constants, cursor, arguments_of(cursor), guessed(cursor) if probed else (), named)


def pattern(low: Lowering, constants: Constants, template: Any) -> ir.Kernel:
    """Return a kernel template as it is written: nothing is known of its parameters, nor of what depends on them."""
    parameters = [child.spelling for child in direct_children(template) if child._kind_id in PARAMETERS]
    return _kernel(
        low,
        constants,
        template,
        (),
        tuple(f"{name} = {NOT_KNOWN}" for name in parameters if name) or (NOT_KNOWN,),
        False,
    )


def _kernel(
    low: Lowering, constants: Constants, cursor: Any, arguments: tuple[str, ...], guesses: tuple[str, ...], named: bool
) -> ir.Kernel:
    function = low.lower_function(cursor)
    declared = bounds(cursor, constants, low.locations)
    return ir.Kernel(
        key=function.key,
        name=cursor.spelling,
        function=function,
        span=function.span,
        template_arguments=arguments,
        template_parameters=parameter_names(cursor) if arguments else (),
        bounds=declared,
        thread_bound=thread_bound(low, constants, cursor) if declared is None else None,
        assumptions=assumptions(low.locations, function.span),
        guessed=guesses,
        declaration=low.declaration(cursor),
        named=named,
    )
