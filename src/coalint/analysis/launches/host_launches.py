"""The launches that host functions make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from coalint.analysis.domain.frames import Frame
from coalint.analysis.domain.values import Address
from coalint.analysis.interpreter.interpreter import Interpreter
from coalint.analysis.interpreter.parameters import declare_parameters
from coalint.analysis.launches.cut_short import LIMITS, CutShort, lost_launches, reason_of
from coalint.analysis.launches.host_interpreter import host_interpreter
from coalint.analysis.launches.up_to_launches import Reach, up_to_launches
from coalint.core import ir
from coalint.core.facts.launch import LaunchRecord
from coalint.core.records import record
from coalint.core.source.spans import Span

MAX_HOST_STEPS = 150_000


@record
class HostSteps:
    """How many more expressions of a file's host functions are evaluated."""

    left: int = MAX_HOST_STEPS


def _evaluate(
    module: ir.Module,
    function: ir.Function,
    reach: Reach,
    steps: HostSteps,
    cut: list[CutShort],
    follow_loops: bool = False,
    arguments: Mapping[str, int] | None = None,
) -> tuple[list[LaunchRecord], bool]:
    """Return the launches in a host function; where it cannot be followed to the last of them, those up to there.

    `arguments` are known values of its parameters, by name, of a function that the program starts with. A function that
    was not followed to its end is added to `cut`. And whether the function has asked for a number that it is given, or
    for what a global variable holds at the start.
    """
    wanted, shortened = up_to_launches(module, function, reach)
    interpreter = host_interpreter(wanted, function.key, steps.left)
    frame, recorder = interpreter.frame, interpreter.recorder
    interpreter.follows_host_loops = follow_loops
    try:
        declare_parameters(interpreter, function, arguments)
        if arguments is not None:
            _start(interpreter, module)
        interpreter.execute(shortened.body)
    except LIMITS as error:
        cut.append(CutShort(function, reason_of(error)))
    steps.left = max(0, steps.left - interpreter.steps)
    recorder.release()
    guessed = module.guesses.get(function.key, ())
    launches = [replace(launch, guessed=guessed) for launch in recorder.launches] if guessed else recorder.launches
    return launches, _asks(interpreter, frame, function)


def _asks(interpreter: Interpreter, frame: Frame, function: ir.Function) -> bool:
    """Whether the evaluation has come to anything that another start of the function may change."""
    given = {frame.variables.get(p.key) for p in function.parameters if isinstance(p.type, ir.Integer)}
    return not interpreter.store.asked.isdisjoint(given) or any(
        variable.key in interpreter.globals for variable, _ in interpreter.module.initial
    )


def launch_records(
    module: ir.Module, *, follow_loops: bool = False, problems: list[ir.Problem] | None = None
) -> dict[str, list[LaunchRecord]]:
    """Return the launches that the host functions make, by the kernel's key.

    `follow_loops` runs the iterations of loops around launches one after the other, as far as they are few. `problems`
    are added to where launches are lost, since a host function is not followed to its end.
    """
    records: dict[str, list[LaunchRecord]] = {}
    roots = _roots(module)
    seen: set[tuple[Span, str | None]] = set()
    steps, reach = HostSteps(), Reach(module)
    cut: list[CutShort] = []
    for host in (*roots, *(host for host in module.hosts if host not in roots), *_named(module)):
        if host not in roots and _launch_places(host.body) <= seen:
            continue
        launches, asks = _evaluate(module, host, reach, steps, cut, follow_loops)
        options = _no_options(host)
        if options and any(None in launch.block or None in launch.arguments for launch in launches):
            again = asks and any(_lacks_a_number(module, launch) for launch in launches)
            default = _evaluate(module, host, reach, steps, cut, follow_loops, options)[0] if again else launches
            launches = _with_defaults(launches, default)
        for launch in launches:
            records.setdefault(launch.kernel, []).append(launch)
            seen |= {(launch.span, launch.kernel), (launch.span, None)}
    if problems is not None:
        problems.extend(lost_launches(module, cut, {span for span, _ in seen}))
    return records


def _start(interpreter: Interpreter, module: ir.Module) -> None:
    """Set the global variables to what they hold when a program starts."""
    for variable, value in module.initial:
        place = interpreter.place(ir.Name(value.span, variable.type, variable))
        if isinstance(place.address, Address):
            interpreter.store.write(
                place.address.base.storage, place.address.offset, variable.type.size, interpreter.value(value)
            )


def _no_options(host: ir.Function) -> dict[str, int]:
    """Return the number of arguments, by the parameter's name, of a program that is started without options."""
    is_main = host.name == "main" and len(host.parameters) >= 2 and isinstance(host.parameters[0].type, ir.Integer)
    return {host.parameters[0].name: 1} if is_main else {}


def _with_defaults(launches: Sequence[LaunchRecord], default: Sequence[LaunchRecord]) -> list[LaunchRecord]:
    """Return the launches, and those that a program makes without options where options leave others open.

    They take the place of launches with an open block shape; what else is open stays open beside them. A program that
    does nothing without options has none of them.
    """
    by_place: dict[tuple[str, Span], list[LaunchRecord]] = {}
    for launch in default:
        by_place.setdefault((launch.kernel, launch.span), []).append(launch)
    kept: list[LaunchRecord] = []
    for launch in launches:
        known = by_place.get((launch.kernel, launch.span), [])
        sure = [one for one in known if _open_numbers(one) < _open_numbers(launch)]
        has_shape = None not in launch.block
        kept += [launch] if has_shape or not sure else []
        kept += [one if has_shape else replace(one, one_of=True) for one in sure]
    return list(dict.fromkeys(kept))


def _lacks_a_number(module: ir.Module, launch: LaunchRecord) -> bool:
    """Whether an extent of the block is open, or an argument that is an integer for the kernel: no pointer is known."""
    function = module.functions.get(launch.kernel)
    types = [parameter.type for parameter in function.parameters] if function is not None else []
    open_ = (at for at, number in enumerate(launch.arguments) if number is None)
    return None in launch.block or any(at >= len(types) or isinstance(types[at], ir.Integer) for at in open_)


def _open_numbers(launch: LaunchRecord) -> int:
    return sum(number is None for number in (*launch.block, *launch.arguments))


def _roots(module: ir.Module) -> list[ir.Function]:
    """Return the host functions that no other one calls; they evaluate the others, with their arguments."""
    if len(module.hosts) < 2:
        return list(module.hosts)
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


def _named(module: ir.Module) -> list[ir.Function]:
    """Return the functions that host code names, or makes of lambdas: what is not followed may call them."""
    found: dict[str, ir.Function] = {}
    kernels = {kernel.function.key for kernel in module.kernels}
    pending: list[ir.Expression | ir.Statement] = [host.body for host in module.hosts]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Lambda | ir.FunctionName) and node.function is not None and node.function not in found:
            function = module.functions.get(node.function)
            if function is not None and not function.bundled and function.key not in kernels:
                found[node.function] = function
                pending.append(function.body)
        pending.extend(ir.children(node))
    return list(found.values())


def _launch_places(node: ir.Expression | ir.Statement) -> set[tuple[Span, str | None]]:
    """Return where a host function itself launches kernels, with the kernel of each launch where it is named."""
    places = {(node.span, node.kernel)} if isinstance(node, ir.Launch) else set[tuple[Span, str | None]]()
    for child in ir.children(node):
        places |= _launch_places(child)
    return places
