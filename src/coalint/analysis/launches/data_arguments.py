"""Which arguments of a launch only go into numbers that a kernel stores, and so decide no address, guard or bound."""

from __future__ import annotations

from coalint.core import ir

_ARITHMETIC = frozenset("+-*/")


def deciding_parameters(module: ir.Module, function: ir.Function) -> frozenset[str]:
    """Return the names of parameters that an address, a guard, a bound or a barrier may depend on.

    All of them but those whose every use is arithmetic whose floating-point result is stored through a pointer at
    once, and those without a use: no address is followed through floating-point numbers in memory.
    """
    by_key = {parameter.key: parameter.name for parameter in function.parameters}
    names: set[str] = set()
    seen: set[str] = {function.key}
    pending: list[tuple[ir.Expression | ir.Statement, bool]] = [(function.body, False)]
    while pending:
        node, is_data = pending.pop()
        match node:
            case ir.Name(variable=variable):
                if not is_data and variable.key in by_key:
                    names.add(by_key[variable.key])
            case ir.Assign() if _is_stored_number(node):
                pending += [(node.target, False), (node.value, True)]
            case ir.Binary() if is_data and node.operator in _ARITHMETIC:
                pending += [(node.left, True), (node.right, True)]
            case ir.Unary() if is_data and node.operator in _ARITHMETIC:
                pending.append((node.operand, True))
            case ir.Cast() if is_data and isinstance(node.type, ir.Floating | ir.Integer):
                pending.append((node.operand, True))
            case ir.Lambda() if node.function not in seen and node.function in module.functions:
                seen.add(node.function)  # its body sees the parameters
                pending.append((module.functions[node.function].body, False))
            case _:
                pending += [(part, False) for part in ir.children(node)]
    return frozenset(names)


def _is_stored_number(node: ir.Assign) -> bool:
    """Whether a floating-point number is stored where a pointer leads."""
    if not (isinstance(node.type, ir.Floating) and isinstance(node.value.type, ir.Floating)):
        return False
    match node.target:
        case ir.Subscript(base=base):
            return isinstance(base.type, ir.Pointer) and not _is_array(base)
        case ir.Dereference(pointer=pointer):
            return isinstance(pointer.type, ir.Pointer) and not _is_array(pointer)
    return False


def _is_array(base: ir.Expression) -> bool:
    """Whether an address is that of a variable's array, or rests on one."""
    pending: list[ir.Expression | ir.Statement] = [base]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Name) and isinstance(node.variable.type, ir.Array):
            return True
        pending.extend(ir.children(node))
    return False


def makes_integers(module: ir.Module, kernel: ir.Kernel) -> bool:
    """Whether a kernel, or what it calls, makes integers of floating-point numbers: they may be indices."""
    seen = {kernel.key}
    pending: list[ir.Expression | ir.Statement] = [kernel.function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Cast) and isinstance(node.type, ir.Integer):
            if isinstance(node.operand.type, ir.Floating):
                return True
        elif isinstance(node, ir.Call | ir.Lambda):
            arguments = node.arguments if isinstance(node, ir.Call) else ()
            if isinstance(node.type, ir.Integer) and any(isinstance(a.type, ir.Floating) for a in arguments):
                return True
            if node.function is not None and node.function not in seen and node.function in module.functions:
                seen.add(node.function)
                pending.append(module.functions[node.function].body)
        pending.extend(ir.children(node))
    return False
