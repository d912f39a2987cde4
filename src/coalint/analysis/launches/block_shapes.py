"""Block shapes of kernels without a launch of a known shape."""

from __future__ import annotations

from math import isqrt, prod

from coalint.core import ir
from coalint.core.facts.launch import MAX_THREADS, LaunchSource
from coalint.core.ir.folding import standing

Shape = tuple[int, int, int]
Extents = tuple[int | None, int | None, int | None]

USUAL_THREADS = 256  # of a block of which nothing is known
WARP = 32


def complete_shape(extents: Extents) -> Shape | None:
    """Return the extents where all of them are known."""
    x, y, z = extents
    return None if x is None or y is None or z is None else (x, y, z)


def positive_shape(shape: Shape | None) -> Shape | None:
    """Return the shape where no extent is zero or negative."""
    return shape if shape is not None and min(shape) > 0 else None


def shape_without_launch(
    module: ir.Module,
    kernel: ir.Kernel,
    facts: dict[str, int],
    noted: dict[str, int],
    known: Extents = (None, None, None),
) -> tuple[Shape, LaunchSource]:
    """Return a block shape and its source: bounds, then comments and options, then what the indices used suggest.

    `facts` are values that options state, `noted` those that comments state, by name. `known` are the extents that a
    launch gives; the others are chosen around them.
    """
    assumed = _assumed(module, kernel)
    if kernel.bounds is not None and prod(kernel.bounds) <= MAX_THREADS:  # guessed arguments may give more
        shape, source = _bounded(module, kernel, kernel.bounds, assumed), LaunchSource.BOUNDS
    else:
        shape, source = assumed, LaunchSource.ASSUMED
    if is_partly_known(known):
        most = min(MAX_THREADS, prod(kernel.bounds)) if kernel.bounds is not None else USUAL_THREADS
        shape = _around(known, shape, most)
    for named, origin in ((facts, LaunchSource.OPTION), (noted, LaunchSource.COMMENT)):
        extents = (module.spelling.component_of(ir.Register.BLOCK_EXTENT, axis) for axis in ir.AXES)
        given = [named.get(extent) for extent in extents]
        if any(given):
            has_width = given[0] is not None
            x, y, z = (g if g is not None else (1 if has_width else d) for g, d in zip(given, shape, strict=True))
            shape, source = (x, y, z), origin
    return shape, source


def is_partly_known(extents: Extents) -> bool:
    """Whether a launch gives some extents of a block that can be, but not all of them."""
    given = [extent for extent in extents if extent is not None]
    return 0 < len(given) < len(extents) and min(given) > 0 and prod(given) <= MAX_THREADS


def _around(known: Extents, shape: Shape, threads: int) -> Shape:
    """Return a shape with the known extents, of about this many threads; the others as in `shape` if they fit.

    The block has no layers where the kernel does not use them, unless nothing else is open.
    """
    left = max(1, threads // prod(extent for extent in known if extent is not None))
    extents: list[int] = []
    is_open = [given is None and (axis < 2 or shape[axis] > 1) for axis, given in enumerate(known)]
    if not any(is_open):
        is_open = [given is None for given in known]
    unknown = is_open.count(True)
    for axis, given in enumerate(known):
        if given is not None or not is_open[axis]:
            extents.append(1 if given is None else given)
            continue
        unknown -= 1
        usual = WARP if axis == 0 and shape[0] > WARP else shape[axis]
        extents.append(left if unknown == 0 else min(left, usual))
        left = max(1, left // extents[-1])
    x, y, z = extents
    return x, y, z


def _bounded(module: ir.Module, kernel: ir.Kernel, bounds: Shape, assumed: Shape) -> Shape:
    """Return the block shape for a bound on the number of threads, spread over the axes that the kernel uses.

    A square tile in shared memory with one element for each thread is as wide as the block.
    """
    if bounds[1] != 1 or bounds[2] != 1 or assumed[1:] == (1, 1):
        return bounds
    threads = bounds[0]
    if assumed[2] > 1 and threads % (x := assumed[0] * assumed[1]) == 0:
        return (assumed[0], assumed[1], threads // x)
    x = min(WARP, threads)
    if (width := isqrt(threads)) ** 2 == threads and width in _square_tiles(module, kernel.function, set()):
        x = width
    return (x, max(1, threads // x), 1)


def _square_tiles(module: ir.Module, function: ir.Function, seen: set[str]) -> set[int]:
    """Return the widths of the square tiles in shared memory that a kernel and its helpers declare."""
    seen.add(function.key)
    widths = set[int]()
    for node in ir.nodes(function.body):
        if isinstance(node, ir.Declare) and node.variable.storage is ir.Storage.SHARED:
            tile = node.variable.type
            if isinstance(tile, ir.Array) and isinstance(tile.element, ir.Array) and tile.count is not None:
                is_square = tile.count == tile.element.count and not isinstance(tile.element.element, ir.Array)
                widths |= {tile.count} if is_square else set()
        elif isinstance(node, ir.Call) and node.function and node.function not in seen:
            callee = module.functions.get(node.function)
            if callee is not None and not callee.bundled:
                widths |= _square_tiles(module, callee, seen)
    return widths


def _assumed(module: ir.Module, kernel: ir.Kernel) -> Shape:
    """Return the block shape that the indices used by a kernel suggest."""
    used, copied = _axes(module, kernel.function, set())
    used |= copied if "" in used else set()
    if "z" in used:
        return (8, 8, 4)
    if "y" in used:
        return (32, 8, 1)
    return (256, 1, 1)


def _axes(module: ir.Module, function: ir.Function, seen: set[str]) -> tuple[set[str], set[str]]:
    """Return the axes of the thread index that a kernel and its helpers use, and those of structs that may be copies.

    An empty name stands for the thread index as a whole.
    """
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
        pending.extend(standing(node))
    return used, copied
