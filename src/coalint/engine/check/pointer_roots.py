"""The variable that an address begins at, through what other pointers of the function are made of."""

from __future__ import annotations

from collections.abc import Mapping

from coalint.core import ir

_STEPS = 64


class PointerRoots:
    """The variables at which addresses in a function begin: a pointer made of another begins where that does.

    An address may be a number, as in inline assembly.
    """

    def __init__(self, body: ir.Statement) -> None:
        self._made_of: Mapping[str, ir.Expression] = {
            node.variable.key: node.initializer
            for node in ir.nodes(body)
            if isinstance(node, ir.Declare) and node.initializer is not None
            if isinstance(node.variable.type, ir.Pointer | ir.Reference | ir.Integer)
        }

    def of(self, node: ir.Expression | ir.Statement) -> ir.Variable | None:
        """Return the variable at which an address begins; None where there is none."""
        known = None
        for _ in range(_STEPS):
            match node:
                case (
                    ir.AddressOf(target=ir.Subscript(base=inner)) | ir.AddressOf(target=inner) | ir.Cast(operand=inner)
                ):
                    node = inner
                case ir.Subscript(base=inner) if isinstance(node.type, ir.Pointer | ir.Array):
                    node = inner
                case ir.Dereference(pointer=inner) if isinstance(inner.type, ir.Pointer):
                    node = inner
                case ir.Call(arguments=(inner,), function=None):  # as `__cvta_generic_to_shared` does
                    node = inner
                case ir.Binary(operator="+" | "-", left=left, right=right):
                    node = left if isinstance(left.type, ir.Pointer) else right
                case ir.Name(variable=variable):
                    is_address = isinstance(variable.type, ir.Pointer | ir.Reference | ir.Array | ir.Record)
                    known = variable if is_address else known
                    if variable.key not in self._made_of:
                        return known or variable
                    node = self._made_of[variable.key]
                case _:
                    return known
        return known
