"""Steps: assignments that move a variable by an amount that its loop does not change."""

from __future__ import annotations

from coalint.analysis.interpreter.loops.changes.records import Step
from coalint.core import ir


def expressions_of_step(step: ir.Expression | None) -> list[ir.Expression]:
    """Return the expressions that the step of a `for` evaluates: `++i, j += 2` has two."""
    match step:
        case None:
            return []
        case ir.Sequence():
            inner = [s.expression for s in step.statements if isinstance(s, ir.Evaluate)]
            return [p for e in inner for p in expressions_of_step(e)] + expressions_of_step(step.value)
    return [step]


def unconditional_expressions(body: ir.Statement) -> list[ir.Expression]:
    """Return the expressions that a body evaluates in every iteration."""
    match body:
        case ir.Evaluate():
            return expressions_of_step(body.expression)
        case ir.Block():
            return [e for statement in body.statements for e in unconditional_expressions(statement)]
    return []


def step_of(expression: ir.Expression) -> tuple[ir.Variable, Step] | None:
    """Return the variable that an expression moves, with its step; None for any other expression."""
    match expression:
        case ir.Increment(target=ir.Name(variable=variable)):
            integer = ir.Integer(32, True)
            one = ir.Literal(expression.span, integer, 1)
            return variable, Step("+" if expression.step > 0 else "-", one, variable.type)
        case ir.Assign(operator=("+" | "-") as operator, target=ir.Name(variable=variable), value=by):
            return variable, Step(operator, by, variable.type)
        case ir.Assign(operator=None, target=ir.Name(variable=variable), value=value):
            while isinstance(value, ir.Cast):
                value = value.operand
            if isinstance(value, ir.Binary) and value.operator in ("+", "-"):
                left = value.left
                while isinstance(left, ir.Cast):
                    left = left.operand
                if isinstance(left, ir.Name) and left.variable.key == variable.key:
                    return variable, Step(value.operator, value.right, variable.type)
    return None


def mentions(expression: ir.Expression | ir.Statement, keys: set[str]) -> bool:
    """Whether an expression names one of the variables, or may change something."""
    if isinstance(expression, ir.Name):
        return expression.variable.key in keys
    if isinstance(expression, ir.Call | ir.Assign | ir.Increment):
        return True
    return any(mentions(child, keys) for child in ir.children(expression))
