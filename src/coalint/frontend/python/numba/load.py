"""One Python file to a module of the IR: its kernels, the functions that they reach, the hosts that launch them."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.interface import Loaded
from coalint.frontend.python.cells import CellError, parse_cells
from coalint.frontend.python.notebooks import is_cells_path
from coalint.frontend.python.numba.called_decorators import called_decorators
from coalint.frontend.python.numba.decorators import decorated
from coalint.frontend.python.numba.kernels import lowered_kernels
from coalint.frontend.python.numba.launching import launching
from coalint.frontend.python.numba.lowering.build import NOTHING
from coalint.frontend.python.numba.lowering.functions import MOST_PASSES, instance
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.lowering.whole import WholeLowering
from coalint.frontend.python.numba.problems import not_followed, unread, unread_cell
from coalint.frontend.python.numba.project import Project
from coalint.frontend.python.numba.scopes import Scope
from coalint.frontend.python.numba.spelling import NUMBA
from coalint.frontend.python.numba.types import UnknownType
from coalint.frontend.python.numba.unit import Lowered, Unit
from coalint.frontend.python.numba.values import FunctionValue


def load(path: str, text: str) -> Loaded:
    """Lower one file; what is no Python is a problem of the module."""
    errors: tuple[CellError, ...] = ()
    code = text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            if is_cells_path(path):
                cells = parse_cells(text)
                tree, code, errors = cells.tree, cells.text, cells.errors
            else:
                tree = ast.parse(text)
    except SyntaxError as error:
        return Loaded(module=unread(path, text, error.lineno or 1, error.msg), opened=(path,))
    except ValueError as error:  # null bytes
        return Loaded(module=unread(path, text, 1, str(error)), opened=(path,))
    project = Project(Lowered())
    project.lowered.imports = project
    unit = Unit(path, code, tree, project.lowered)
    project.add(unit)
    unit.lowered.problems += (unread_cell(path, error) for error in errors)
    low = WholeLowering(unit, unit.scope, "module", is_host=True)
    kernels = _merged(_kernels(low))
    hosts = _hosts(low, kernels)
    lowered = lowered_kernels(low, (*kernels, *_made(low, kernels)))
    if lowered and project.left:
        unit.lowered.problems.append(not_followed(path, tuple(project.left)))
    module = ir.Module(
        path=path,
        spelling=NUMBA,
        kernels=lowered,
        functions=unit.lowered.functions,
        hosts=hosts,
        problems=tuple(unit.lowered.problems),
        sources={**{other.path: other.text for other in unit.lowered.units.values()}, path: text},
    )
    return Loaded(module=module, opened=project.opened, sought=tuple(project.sought))


def _functions(unit: Unit) -> Iterator[tuple[ast.FunctionDef, Scope]]:
    for scope in unit.scope.all():
        for node in scope.inner:
            if isinstance(node, ast.FunctionDef):
                yield node, scope


def _kernels(low: Lowering) -> Iterator[FunctionValue]:
    """Yield the functions that a decorator makes kernels; what returns a value is for other kernels to call."""
    for node, scope in _functions(low.unit):
        if not node.decorator_list:
            continue
        value = decorated(low.outside(scope), node)
        if isinstance(value, FunctionValue) and value.is_kernel and not _gives_value(node):
            yield value
    for made in called_decorators(low):
        if isinstance(made, ir.Problem):
            low.unit.lowered.problems.append(made)
        elif isinstance(made.node, ast.FunctionDef) and not _gives_value(made.node):
            yield made


def _merged(kernels: Iterator[FunctionValue]) -> tuple[FunctionValue, ...]:
    """Return the kernels, one of each function with all of its signatures."""
    merged: dict[ast.AST, FunctionValue] = {}
    for kernel in kernels:
        before = merged.get(kernel.node)
        signatures = (*before.signatures, *kernel.signatures) if before is not None else kernel.signatures
        merged[kernel.node] = replace(kernel, signatures=signatures)
    return tuple(merged.values())


def _made(low: Lowering, decorated_ones: Sequence[FunctionValue]) -> Iterator[FunctionValue]:
    """Yield the kernels that no decorator makes and that are launched."""
    done = low.unit.lowered
    known: set[ast.AST] = {kernel.node for kernel in decorated_ones}
    for node, launched in done.launched.items():
        if node not in known:
            known.add(node)
            yield next(iter(launched.values()))


def _gives_value(node: ast.FunctionDef | ast.Lambda) -> bool:
    if isinstance(node, ast.Lambda):
        return True
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, ast.Return) and not _is_nothing(inner.value):
            return True
        if not isinstance(inner, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(inner))
    return False


def _is_nothing(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _hosts(low: Lowering, kernels: tuple[FunctionValue, ...]) -> tuple[ir.Function, ...]:
    """Return the module itself as a function, and those functions that launch kernels and that no other one calls."""
    unit = low.unit
    instances = unit.lowered.instances
    hosts = [_module_body(low)]
    on_device = {kernel.node for kernel in kernels}
    for node, scope in launching([pair for pair in _functions(low.unit) if pair[0] not in on_device]):
        if any(key[0] is node and key[2] for key in instances):
            continue
        value = decorated(low.outside(scope), node)
        if isinstance(value, FunctionValue) and value.is_compiled:
            continue
        function = FunctionValue(node, scope)
        types = tuple(UnknownType(f"`{argument.arg}` is a parameter of its host") for argument in _arguments(node))
        lowered = instance(low, function, types, is_host=True)
        if lowered is not None:
            hosts.append(unit.lowered.functions[lowered.key])
    return tuple(hosts)


def _arguments(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _module_body(low: Lowering) -> ir.Function:
    """Return what the file does when it is run."""
    unit = low.unit
    statements: tuple[ir.Statement, ...] = ()
    for _ in range(MOST_PASSES):
        low.variables.begin()
        low.launches, low.made = [], 0
        with low.block() as inside:
            low.body(unit.tree.body)
        statements = tuple(inside)
        if not low.variables.changed:
            break
    for launched, given in low.launches:
        unit.lowered.launched.setdefault(launched.node, {}).setdefault(given, launched)
    span = Span(unit.path, 1, 1, max(1, len(unit.places.lines)), 1)
    whole = ir.Block(span, (*low.variables.declarations(span), *statements))
    return ir.Function("module", "module", (), whole, NOTHING, span)
