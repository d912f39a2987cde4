"""Host functions up to the last launch that they may come to: what comes after it decides nothing of any launch."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from coalint.core import ir

_NONE = Counter[str]()


class Reach:
    """Which host functions of a module may launch, themselves or through calls, function pointers and lambdas.

    `called` says how often each function that host code reaches calls or names each other one.
    """

    def __init__(self, module: ir.Module) -> None:
        self.launching: set[str] = set()
        self.called: dict[str, Counter[str]] = {}
        callers: dict[str, list[str]] = {}
        functions = {**module.functions, **{host.key: host for host in module.hosts}}
        pending = [host.key for host in module.hosts]
        seen = set(pending)
        while pending:
            key = pending.pop()
            function = functions.get(key)
            if function is None or function.bundled:
                continue
            calls = self.called[key] = _calls(function.body)
            for called in calls:
                callers.setdefault(called, []).append(key)
            fresh = [called for called in calls if called not in seen]
            seen.update(fresh)
            pending += fresh
            if any(map(_launches, ir.nodes(function.body))):
                self.launching.add(key)
        found = list(self.launching)
        while found:
            fresh = [caller for caller in callers.get(found.pop(), ()) if caller not in self.launching]
            self.launching.update(fresh)
            found += fresh

    def leads(self, node: ir.Expression | ir.Statement) -> bool:
        """Whether a launch may be made in what a node evaluates."""
        return any(_launches(part) or _named(part) in self.launching for part in ir.nodes(node))


def _calls(body: ir.Statement) -> Counter[str]:
    """Return how often a body calls or names each function."""
    return Counter(called for called in map(_named, ir.nodes(body)) if called is not None)


def _launches(part: ir.Expression | ir.Statement) -> bool:
    """Whether a node is a launch, or calls what has no name: what a variable or a pointer holds may launch."""
    is_unnamed = isinstance(part, ir.Call) and part.function is None and part.callee is not None
    return isinstance(part, ir.Launch) or is_unnamed


def _named(part: ir.Expression | ir.Statement) -> str | None:
    """Return the function that a node calls or names."""
    return part.function if isinstance(part, ir.Call | ir.Lambda | ir.FunctionName) else None


def up_to_launches(module: ir.Module, host: ir.Function, reach: Reach) -> tuple[ir.Module, ir.Function]:
    """Return a function without what comes after its last launch; so is, in the module, a function that it calls last.

    A function with labels stays as it is, since a jump may lead back.
    """
    functions: dict[str, ir.Function] = {}
    first = tail = _shortened(host, reach)
    while (key := _called_last(tail.body, reach)) is not None and key not in functions and key != host.key:
        called = module.functions[key]
        if _times_called(key, first.body, reach) != 1:
            break
        tail = functions[key] = _shortened(called, reach)
    return (replace(module, functions={**module.functions, **functions}) if functions else module), first


def _shortened(function: ir.Function, reach: Reach) -> ir.Function:
    if any(isinstance(part, ir.Labelled) for part in ir.nodes(function.body)):
        return function
    return replace(function, body=_cut_block(function.body, reach))


def _cut(statement: ir.Statement, reach: Reach) -> ir.Statement:
    """Return a statement up to its last launch; a loop whole, since another iteration may follow."""
    match statement:
        case ir.Block():
            return _cut_block(statement, reach)
        case ir.If(then=then, otherwise=otherwise):
            rest = None if otherwise is None else _cut(otherwise, reach)
            return replace(statement, then=_cut(then, reach), otherwise=rest)
        case _:
            return statement


def _cut_block(block: ir.Block, reach: Reach) -> ir.Block:
    statements = block.statements
    last = next((at for at in reversed(range(len(statements))) if reach.leads(statements[at])), None)
    return replace(block, statements=() if last is None else (*statements[:last], _cut(statements[last], reach)))


def _called_last(body: ir.Statement, reach: Reach) -> str | None:
    """Return the function whose call is all that the last statement of a body does."""
    while isinstance(body, ir.Block) and body.statements:
        body = body.statements[-1]
    match body:
        case ir.Evaluate(expression=expression) | ir.Declare(initializer=ir.Expression() as expression):
            pass
        case ir.Return(value=ir.Expression() as expression):
            pass
        case _:
            return None
    while isinstance(expression, ir.Cast):
        expression = expression.operand
    if not isinstance(expression, ir.Call) or expression.function is None or expression.function not in reach.launching:
        return None
    return None if any(map(reach.leads, expression.arguments)) else expression.function


def _times_called(key: str, body: ir.Statement, reach: Reach) -> int:
    """Return how often a function is called, or named, in a body and in what that reaches."""
    calls = _calls(body)
    count, seen, pending = calls[key], set(calls), list(calls)
    while pending:
        calls = reach.called.get(pending.pop(), _NONE)
        count += calls[key]
        pending += [called for called in calls if called not in seen]
        seen.update(calls)
    return count
