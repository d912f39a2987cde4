"""What a declaration is, read off its cursor alone."""

from __future__ import annotations

from typing import Any

from clang.cindex import CursorKind as K

from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.lowering.objects import classes

FUNCTIONS = frozenset(
    kind.value
    for kind in (K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE, K.DESTRUCTOR)
)
"""The kinds of cursors that declare functions."""
SCOPES = frozenset({kinds.NAMESPACE, kinds.LINKAGE_SPEC, kinds.UNEXPOSED_DECL})
"""The kinds of cursors that hold declarations and declare no type: namespaces, and what stands in `extern "C"`."""


def is_constant_reference(type_: Any) -> bool:
    """Whether a type is a reference to what is constant."""
    canonical = type_.get_canonical()
    is_reference = canonical._kind_id in (type_kinds.LVALUEREFERENCE, type_kinds.RVALUEREFERENCE)
    return is_reference and bool(canonical.get_pointee().is_const_qualified())


def declaration_key(cursor: Any) -> str:
    """Return what tells one declaration of the unit from all others."""
    return str(cursor.data[0])


def around_lambdas(cursor: Any) -> Any:
    """Return the function that a lambda's body is part of: `this` in it is that function's.

    Other functions as they are.
    """
    while cursor.spelling == "operator()" and classes.is_lambda(cursor.semantic_parent):
        cursor = cursor.semantic_parent.semantic_parent
    return cursor


def runs_on_device(cursor: Any) -> bool:
    """Whether a function is marked to run on the GPU."""
    attributes = {child._kind_id for child in direct_children(cursor)}
    return bool(attributes & {kinds.CUDADEVICE_ATTR, kinds.CUDAGLOBAL_ATTR})


def is_kernel(cursor: Any) -> bool:
    """Whether a function is a `__global__` one, however the source spells it."""
    return any(child._kind_id == kinds.CUDAGLOBAL_ATTR for child in direct_children(cursor))


def symbols(cursor: Any) -> tuple[str, str]:
    """Return the names that a function goes by in a module: as written, and mangled."""
    return cursor.spelling, cursor.mangled_name


def is_host_only(cursor: Any) -> bool:
    """Whether the body of a definition of the bundled headers is the one that stands for a body that is not there."""
    for child in direct_children(cursor):
        if child._kind_id == kinds.COMPOUND_STMT:
            statements = direct_children(child)
            return len(statements) == 1 and statements[0].spelling == "__builtin_trap"
    return False


def has_body(cursor: Any) -> bool:
    """Whether a declaration is a definition."""
    return any(child._kind_id == kinds.COMPOUND_STMT for child in direct_children(cursor))
