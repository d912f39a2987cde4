"""Launches with `<<<>>>`, and calls of the CUDA runtime or driver that launch or name kernels."""

from __future__ import annotations

from typing import Any

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.cursors import FUNCTIONS
from coalint.frontend.cuda.lowering.functions.arguments import Arguments
from coalint.frontend.cuda.lowering.gpu import launch_calls


class KernelLaunches:
    """Lowers them; `low` holds what the whole module shares."""

    def __init__(self, low: Context, arguments: Arguments) -> None:
        self.low = low
        self.lib = library()
        self.expressions, self.arguments = low.expressions, arguments

    def configured(self, node: CursorNode, parts: list[CursorNode], span: Span, type_: ir.Type) -> ir.Expression:
        """Return `kernel<<<grid, block>>>(arguments)`."""
        configuration = self.arguments.of_call(parts[1], self.lib.clang_getCursorReferenced(parts[1].cursor))
        callee = self.lib.clang_getCursorReferenced(node.cursor)
        kernel: str | None = None
        pointer: ir.Expression | None = None
        if callee is not None and callee._kind_id in FUNCTIONS and self.low.is_kernel(callee):
            kernel = self.low.kernel_key(callee)
        else:
            pointer = self.expressions.lower(parts[0])
        arguments = tuple(self.expressions.lower(part) for part in parts[2:])
        if len(configuration) < 2:
            return ir.Unresolved(span, type_, "a launch whose configuration libclang could not resolve", arguments)
        return ir.Launch(span, type_, kernel, pointer, configuration[0], configuration[1], arguments)

    def called(
        self, node: CursorNode, callee: Any, arguments: list[ir.Expression], span: Span, type_: ir.Type
    ) -> ir.Expression | None:
        """Return what a function of the CUDA runtime or driver means for launches; None for all others."""
        name = callee.spelling
        if name in launch_calls.LAUNCHERS and callee._kind_id == kinds.FUNCTION_DECL:
            launch = launch_calls.launch(name, arguments, span, type_)
            if launch is not None:
                return launch
        return self._named(node, arguments, span) if name == "cuModuleGetFunction" else None

    def _named(self, node: CursorNode, arguments: list[ir.Expression], span: Span) -> ir.Expression | None:
        """Return `cuModuleGetFunction(&function, module, "name")`: the kernel of the file that has this name."""
        last = self.expressions.parts(node)[-1]
        while last.kind == kinds.UNEXPOSED_EXPR and last.children:
            last = last.children[0]
        if last.kind != kinds.STRING_LITERAL:
            return None
        key = self.low.kernel_named(last.cursor.spelling.strip('"'))
        return None if key is None else launch_calls.handle(arguments[0], key, span)
