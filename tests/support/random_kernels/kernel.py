"""A kernel: its text in CUDA, its program in Python, and what each of its accesses costs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from reference import WARP, Lanes, ideal_sectors, ideal_wavefronts, sectors, wavefronts

from random_kernels.c_integers import (
    checked,
    quotient,
    remainder,
    shifted,
    shifted_back,
    trip,
    wrapped,
)
from random_kernels.memory import BUFFERS, SHARED_ROWS, Buffer, Logged
from random_kernels.statements import Statement, cuda_lines, python_lines


@dataclass
class Kernel:
    name: str
    block: tuple[int, int, int]
    grid: tuple[int, int, int]
    arguments: dict[str, int]
    unknown: tuple[str, ...]
    shared: list[Buffer]
    helpers: list[tuple[str, str]]  # CUDA and Python text
    body: list[Statement]
    accesses: list[Logged]

    def cuda(self) -> str:
        parameters = [f"{b.element}* {b.name}" for b in BUFFERS] + [f"int {name}" for name in self.arguments]
        lines = [text for text, _ in self.helpers]
        lines.append(f"__global__ void {self.name}({', '.join(parameters)}) {{")
        for b in self.shared:
            shape = f"[{SHARED_ROWS}][{b.row}]" if b.row else f"[{SHARED_ROWS * WARP}]"
            lines.append(f"    __shared__ {b.element} {b.name}{shape};")
        lines.append("    float sum = 0.0f;")
        lines.extend(cuda_lines(self.body))
        lines.append("}")
        return "\n".join(lines)

    def launch(self) -> str:
        given = [b.name for b in BUFFERS]
        given += [name if name in self.unknown else str(value) for name, value in self.arguments.items()]
        block, grid = (", ".join(map(str, shape)) for shape in (self.block, self.grid))
        return f"    {self.name}<<<dim3({grid}), dim3({block})>>>({', '.join(given)});"

    def python(self) -> str:
        lines = [text for _, text in self.helpers]
        lines.append(f"def kernel(log, tx, ty, tz, bx, by, bz, {', '.join(self.arguments)}):")
        lines.extend(python_lines(self.body))
        return "\n".join(lines)

    def costs(self) -> dict[tuple[str, str], tuple[Fraction, Fraction] | None]:
        """Mean cost and ideal of every access (by mark and operation); None where no lane arrives. Raises Discard."""
        names: dict[str, Any] = {
            f.__name__: f for f in (wrapped, checked, quotient, remainder, shifted, shifted_back, trip)
        }
        exec(compile(self.python(), f"<{self.name}>", "exec"), names)
        run: Callable[..., None] = names["kernel"]
        touched: dict[tuple[str, str], dict[tuple[object, ...], list[int | None]]] = defaultdict(dict)
        x, y, z = self.block
        for at in product(*(range(n) for n in reversed(self.grid))):
            for linear in range(x * y * z):
                warp, lane = divmod(linear, WARP)

                def log(
                    mark: str, op: str, key: object, address: int, where: object = (at, warp), lane: int = lane
                ) -> None:
                    lanes = touched[(mark, op)].setdefault((where, key), [None] * WARP)
                    lanes[lane] = address

                thread = (linear % x, linear // x % y, linear // (x * y))
                run(log, *thread, at[2], at[1], at[0], *self.arguments.values())
        return {(a.mark, a.op): _mean(touched[(a.mark, a.op)].values(), a) for a in self.accesses}


def _mean(instructions: Any, access: Logged) -> tuple[Fraction, Fraction] | None:
    requests: list[Lanes] = list(instructions)
    if not requests:
        return None
    if access.space == "global":
        counts = [sectors(lanes, access.bytes) for lanes in requests]
        ideals = [ideal_sectors(lanes, access.bytes) for lanes in requests]
    else:
        counts = [wavefronts(lanes, access.bytes) for lanes in requests]
        ideals = [min(ideal_wavefronts(lanes, access.bytes), c) for lanes, c in zip(requests, counts, strict=True)]
    return Fraction(sum(counts), len(counts)), Fraction(sum(ideals), len(ideals))
