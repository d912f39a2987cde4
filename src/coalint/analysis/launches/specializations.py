"""What is known of launches: block shapes, constant arguments, the user's assumptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, lcm
from typing import Any

from coalint.analysis import evaluate
from coalint.core import ir
from coalint.core.facts.launch import LaunchRecord, LaunchSource, Specialization
from coalint.core.source.spans import Span

MAX_SPECIALIZATIONS = 6  # launches of one kernel that are analysed one by one
MAX_OF_TEMPLATE = 32  # instances of one template, times the launches of each
MAX_SHAPES = 3  # block shapes that one launch in a loop over sizes is analysed with
MAX_THREADS = 1024  # of a block (guide, table of technical specifications)

Shape = tuple[int, int, int]


class AssumptionError(ValueError):
    """An assumption that is no fact coalint can use, with the remedy."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """What `blockDim.x == 256 && pitch % 32 == 0` states of registers' components and of kernel parameters.

    `facts` are known values, `multiples` known divisors, each by name.
    """

    facts: tuple[tuple[str, int], ...]
    text: str
    multiples: tuple[tuple[str, int], ...] = ()


def parse_assumption(text: str) -> Assumption:
    """The facts in a C expression: `a == 4` and `a % 4 == 0`, joined by `&&`. Raises AssumptionError."""
    from pycparser import c_parser
    from pycparser.c_parser import ParseError

    try:
        tree = c_parser.CParser().parse(f"int coalint_fact = ({text});")
    except (ParseError, AssertionError) as error:
        raise AssumptionError(f"`{text}` is no C expression ({error})") from None
    found = list(_facts(tree.ext[0].init, text))
    values = tuple((name, value) for name, value, divides in found if not divides)
    return Assumption(values, text, tuple((name, value) for name, value, divides in found if divides))


def _facts(node: Any, text: str) -> Iterator[tuple[str, int, bool]]:
    """Names with their values, or (last) with what divides them."""
    from pycparser import c_ast as ast

    if isinstance(node, ast.BinaryOp) and node.op == "&&":
        yield from _facts(node.left, text)
        yield from _facts(node.right, text)
        return
    if isinstance(node, ast.BinaryOp) and node.op == "==":
        for left, right in ((node.left, node.right), (node.right, node.left)):
            name, value = _name(left), _number(right)
            if name is not None and value is not None:
                yield name, value, False
                return
            if value == 0 and isinstance(left, ast.BinaryOp) and left.op == "%":
                name, divisor = _name(left.left), _number(left.right)
                if name is not None and divisor is not None and divisor > 0:
                    yield name, divisor, True
                    return
    raise AssumptionError(
        f"`{text}` is not understood: write equalities such as `blockDim.x == 256 && pitch % 32 == 0 && n == 1024`"
    )


def _name(node: Any) -> str | None:
    from pycparser import c_ast

    if isinstance(node, c_ast.ID):
        return str(node.name)
    if isinstance(node, c_ast.StructRef) and isinstance(node.name, c_ast.ID):
        return f"{node.name.name}.{node.field.name}"
    return None


def _number(node: Any) -> int | None:
    from pycparser import c_ast

    if isinstance(node, c_ast.Constant) and "int" in node.type:
        return int(node.value.rstrip("uUlL"), 0)
    if isinstance(node, c_ast.UnaryOp) and node.op == "-":
        inner = _number(node.expr)
        return None if inner is None else -inner
    if isinstance(node, c_ast.BinaryOp):
        a, b = _number(node.left), _number(node.right)
        if a is None or b is None:
            return None
        match node.op:
            case "*":
                return a * b
            case "+":
                return a + b
            case "-":
                return a - b
            case "<<" if 0 <= b < 64:
                return a << b
            case "/" if b:
                return a // b
    return None


def assumption_problems(module: ir.Module) -> tuple[ir.Problem, ...]:
    """The `// coalint: assume(...)` comments that say nothing coalint understands."""
    found = []
    for kernel in module.kernels:
        for text in kernel.assumptions:
            try:
                parse_assumption(text)
            except AssumptionError as error:
                message = f"the comment `coalint: assume({text})` has no effect: {error}"
                found.append(
                    ir.Problem(ir.ProblemKind.TRANSLATION_UNIT_ERROR, message, kernel.span, kernel.name, severe=True)
                )
    return tuple(found)


def _understood(text: str) -> Assumption | None:
    try:
        return parse_assumption(text)
    except AssumptionError:
        return None


def launch_records(module: ir.Module) -> dict[str, list[LaunchRecord]]:
    """The launches that the host functions make, by the kernel's key."""
    records: dict[str, list[LaunchRecord]] = {}
    roots = _roots(module)
    seen: set[Span] = set()
    steps = evaluate.HostSteps()
    for host in (*roots, *(host for host in module.hosts if host not in roots)):
        if host not in roots and _launch_places(host.body) <= seen:
            continue
        for record in evaluate.launches(module, host, steps):
            records.setdefault(record.kernel, []).append(record)
            seen.add(record.span)
    return records


def specialize(
    module: ir.Module,
    assumptions: Sequence[Assumption] = (),
    records: Mapping[str, Sequence[LaunchRecord]] | None = None,
) -> tuple[tuple[ir.Kernel, Specialization], ...]:
    """Every kernel with the launches, bounds or assumptions that it is to be analysed under.

    `records` are the launches by the kernels' keys; the module's own where they are not given.
    """
    if records is None:
        records = launch_records(module)
    found: list[tuple[ir.Kernel, Specialization]] = []
    launched = {
        kernel.span for kernel in module.kernels if any(None not in r.block for r in records.get(kernel.key, ()))
    }
    instances = Counter(kernel.span for kernel in module.kernels)
    for kernel in module.kernels:
        if kernel.span in launched and kernel.key not in records and kernel.template_arguments and not kernel.named:
            continue  # an instance that only code which never runs would launch
        most = max(1, MAX_OF_TEMPLATE // instances[kernel.span])
        specializations = _of_kernel(module, kernel, records.get(kernel.key, ()), assumptions)[:most]
        found.extend((kernel, specialization) for specialization in specializations)
    return tuple(found)


def _roots(module: ir.Module) -> list[ir.Function]:
    """The host functions that no other one calls: the rest is evaluated within these, with the arguments it gets."""
    called: set[str] = set()
    for host in module.hosts:
        pending: list[ir.Expression | ir.Statement] = [host.body]
        seen: set[str] = set()
        while pending:
            node = pending.pop()
            if isinstance(node, ir.Call | ir.Lambda) and node.function is not None and node.function not in seen:
                seen.add(node.function)
                callee = module.functions.get(node.function)
                if callee is not None and not callee.bundled:
                    pending.append(callee.body)
            pending.extend(ir.children(node))
        called |= seen - {host.key}
    roots = [host for host in module.hosts if host.key not in called]
    return roots or list(module.hosts)


def _launch_places(node: ir.Expression | ir.Statement) -> set[Span]:
    """Where a host function itself launches kernels."""
    places = {node.span} if isinstance(node, ir.Launch) else set[Span]()
    for child in ir.children(node):
        places |= _launch_places(child)
    return places


def _of_kernel(
    module: ir.Module, kernel: ir.Kernel, records: Sequence[LaunchRecord], assumptions: Sequence[Assumption]
) -> list[Specialization]:
    facts = {name: value for assumption in assumptions for name, value in assumption.facts}
    comments = [assumption for assumption in map(_understood, kernel.assumptions) if assumption is not None]
    noted = {name: value for assumption in comments for name, value in assumption.facts}
    divisors = {name: value for assumption in (*assumptions, *comments) for name, value in assumption.multiples}
    multiples = tuple(divisors.items())
    names = [parameter.name for parameter in kernel.function.parameters]
    stated = {name: value for name, value in {**facts, **noted}.items() if name in names}
    found: dict[tuple[object, ...], Specialization] = {}
    for record in _surest(records):
        block = _complete(record.block)
        if block is None or not 0 < block[0] * block[1] * block[2] <= MAX_THREADS:
            continue
        arguments = {n: v for n, v in zip(names, record.arguments, strict=False) if n and v is not None}
        arguments.update(stated)
        specialization = Specialization(
            kernel.name,
            kernel.template_arguments,
            block,
            LaunchSource.ASSUMED if _guesses_a_number(record) else LaunchSource.LAUNCH,
            record.span.line,
            tuple(arguments.items()),
            _positive(_complete(record.grid)),
            record.span.file if record.span.file != kernel.span.file else None,
            tuple((names[position], at, size, n) for position, at, size, n in record.members if position < len(names)),
            guessed=record.guessed,
            multiples=multiples,
            shifts=tuple((names[position], by) for position, by in record.shifts if position < len(names)),
            one_of=record.one_of,
            divisors=tuple((names[position], d) for position, d in record.divisors if position < len(names)),
        )
        identity = (
            block,
            specialization.arguments,
            specialization.grid,
            specialization.members,
            specialization.shifts,
        )
        before = found.get(identity)
        if before is not None:
            specialization = replace(before, divisors=_common(before.divisors, specialization.divisors))
        found[identity] = specialization
    if found:
        return _distinct(list(found.values()))
    block, source = _fallback(module, kernel, facts, noted)
    passed, common = _always(names, _surest(records), block)
    return [
        Specialization(
            kernel.name,
            kernel.template_arguments,
            block,
            source,
            arguments=tuple({**passed, **stated}.items()),
            guessed=kernel.guessed,
            multiples=multiples,
            divisors=common,
        )
    ]


def _always(
    names: Sequence[str], records: Sequence[LaunchRecord], block: Shape
) -> tuple[dict[str, int], tuple[tuple[str, int], ...]]:
    """What all launches with blocks of unknown shapes pass alike: constants, and what divides the other arguments."""
    passed: dict[str, int] = {}
    divisors: list[tuple[str, int]] = []
    for position, name in enumerate(names):
        given = [record.arguments[position] if position < len(record.arguments) else None for record in records]
        if given and given[0] is not None and len(set(given)) == 1:
            passed[name] = given[0]
        found = gcd(*(_divisor(record, position, block) for record in records))
        if found > 1:
            divisors.append((name, found))
    return passed, tuple(divisors)


def _divisor(record: LaunchRecord, position: int, block: Shape) -> int:
    """What divides an argument if the block has this shape."""
    known = record.arguments[position] if position < len(record.arguments) else None
    found = dict(record.divisors).get(position, 1) if known is None else abs(known)
    return lcm(found, *(block[axis] for at, axis in record.of_block if at == position))


def _common(a: tuple[tuple[str, int], ...], b: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """What divides the parameters at both of two launches."""
    others = dict(b)
    return tuple((name, d) for name, number in a if (d := gcd(number, others.get(name, 1))) > 1)


def _surest(records: Sequence[LaunchRecord]) -> Sequence[LaunchRecord]:
    """Without the launches of guessed instances, where others are known."""
    sure = [record for record in records if not record.guessed and None not in record.block]
    return sure or records


def _guesses_a_number(record: LaunchRecord) -> bool:
    """Whether the block shape may come from a template argument that is a guess."""
    values = [argument.partition(" = ")[2] for argument in record.guessed]
    return any(value.lstrip("-").isdigit() for value in values)


def _distinct(found: list[Specialization]) -> list[Specialization]:
    """At most MAX_SPECIALIZATIONS: different block shapes first, and of one launch the least, middle and largest."""
    places: dict[tuple[str | None, int | None], dict[Shape, Specialization]] = {}
    for specialization in found:
        shapes = places.setdefault((specialization.file, specialization.line), {})
        shapes.setdefault(specialization.block, specialization)
    kept = [s for shapes in places.values() for s in _spread(sorted(shapes.values(), key=_threads))]
    if len(found) > len(kept) and all(len(shapes) <= MAX_SHAPES for shapes in places.values()):
        kept = found
    first: dict[Shape, Specialization] = {}
    for specialization in kept:
        first.setdefault(specialization.block, specialization)
    rest = [s for s in kept if s not in first.values()]
    return [*first.values(), *rest][:MAX_SPECIALIZATIONS]


def _spread(shapes: list[Specialization]) -> list[Specialization]:
    if len(shapes) <= MAX_SHAPES:
        return shapes
    return [shapes[0], shapes[len(shapes) // 2], shapes[-1]]


def _threads(specialization: Specialization) -> tuple[int, Shape]:
    x, y, z = specialization.block
    return x * y * z, specialization.block


def _complete(extents: tuple[int | None, int | None, int | None]) -> Shape | None:
    x, y, z = extents
    return None if x is None or y is None or z is None else (x, y, z)


def _positive(shape: Shape | None) -> Shape | None:
    return shape if shape is not None and min(shape) > 0 else None


def _fallback(
    module: ir.Module, kernel: ir.Kernel, facts: dict[str, int], noted: dict[str, int]
) -> tuple[Shape, LaunchSource]:
    """A block shape without a launch: bounds, then comments and options, then what the indices used suggest."""
    assumed = _assumed(module, kernel)
    if kernel.bounds is not None:
        shape, source = _bounded(kernel.bounds, assumed), LaunchSource.BOUNDS
    else:
        shape, source = assumed, LaunchSource.ASSUMED
    for named, origin in ((facts, LaunchSource.OPTION), (noted, LaunchSource.COMMENT)):
        extents = (module.spelling.component_of(ir.Register.BLOCK_EXTENT, axis) for axis in ir.AXES)
        given = [named.get(extent) for extent in extents]
        if any(given):
            known = given[0] is not None
            x, y, z = (g if g is not None else (1 if known else d) for g, d in zip(given, shape, strict=True))
            shape, source = (x, y, z), origin
    return shape, source


def _bounded(bounds: Shape, assumed: Shape) -> Shape:
    """`__launch_bounds__` counts threads; spread them over y and z where the kernel uses these."""
    if bounds[1] != 1 or bounds[2] != 1 or assumed[1:] == (1, 1):
        return bounds
    threads = bounds[0]
    x = min(32, threads)
    return (x, max(1, threads // x), 1)


def _assumed(module: ir.Module, kernel: ir.Kernel) -> Shape:
    used, copied = _axes(module, kernel.function, set())
    used |= copied if "" in used else set()
    if "z" in used:
        return (8, 8, 4)
    if "y" in used:
        return (32, 8, 1)
    return (256, 1, 1)


def _axes(module: ir.Module, function: ir.Function, seen: set[str]) -> tuple[set[str], set[str]]:
    """Which components of threadIdx a kernel and its helpers use (empty: all of it), and which of what may copy it."""
    seen.add(function.key)
    used, copied = set[str](), set[str]()
    pending: list[ir.Expression | ir.Statement] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Builtin) and node.register is ir.Register.THREAD_INDEX:
            used.add("" if node.axis is None else node.axis.value)
        elif isinstance(node, ir.Member) and isinstance(node.object.type, ir.Record):
            if node.object.type.holds_extents:
                copied.add(node.field)
        elif isinstance(node, ir.Call) and node.function and node.function not in seen:
            callee = module.functions.get(node.function)
            if callee is not None and not callee.bundled:
                inside = _axes(module, callee, seen)
                used, copied = used | inside[0], copied | inside[1]
        pending.extend(ir.children(node))
    return used, copied
