"""What is said of a Python file that was not read, or not in whole."""

from __future__ import annotations

import os

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.cells import CellError
from coalint.frontend.python.numba.project import MOST_CHARACTERS, MOST_FILES, MOST_PLACES
from coalint.frontend.python.numba.spelling import NUMBA

MOST_NAMED = 4


def unread(path: str, text: str, line: int, reason: str) -> ir.Module:
    """Return the module of a file that is no Python."""
    message = f"the Python file could not be parsed, so that no kernel in it was found: {reason}"
    help = "coalint reads the syntax of the Python that it runs on"
    span = Span(path, line, 1, line, 2)
    problem = ir.Problem(ir.ProblemKind.TRANSLATION_UNIT_ERROR, message, span, help=help)
    return ir.Module(path=path, spelling=NUMBA, kernels=(), functions={}, problems=(problem,), sources={path: text})


def unread_cell(path: str, error: CellError) -> ir.Problem:
    """Return what is said of a cell that is no Python."""
    message = f"this cell could not be parsed, so that nothing in it was read: {error.reason}"
    help = "the other cells were read; coalint reads the syntax of the Python that it runs on"
    span = Span(path, error.line, 1, error.line, 2)
    return ir.Problem(ir.ProblemKind.TRANSLATION_UNIT_ERROR, message, span, help=help)


def not_followed(path: str, left: tuple[str, ...]) -> ir.Problem:
    """Return what is said of imports that a bound kept from being followed."""
    named = ", ".join(f"`{os.path.relpath(one) if os.path.isabs(one) else one}`" for one in left[:MOST_NAMED])
    more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
    message = (
        f"the imports of this file were not all followed, so that what kernels take from them is unknown: {named}{more}"
    )
    bounds = f"{MOST_FILES} files, {MOST_CHARACTERS >> 20} million characters and {MOST_PLACES} places to look at"
    help = f"coalint reads {bounds} for the imports of one file"
    return ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, Span(path, 1, 1, 1, 2), help=help)
