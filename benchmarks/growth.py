"""Processor time of one kernel's check as it grows: statements, accesses, loops side by side and nested, branches.

    python benchmarks/growth.py [--most 2000] [--only SHAPE...] [-o growth.json]

Kernels of n parts are written and checked with all built-in rules, nothing cached. The slope of log(time) over log(n)
is fitted to the larger half of the sizes: 1 is linear, n log n comes out as about 1.1 to 1.2, 2 is quadratic.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from coalint.engine.check.file import check_file
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

_LONG = 20.0  # seconds, beyond which no larger kernel of a shape is tried


def _lines(n: int, line: Callable[[int], str]) -> str:
    return "\n".join("    " + line(i) for i in range(n))


def _nested(n: int) -> str:
    """Loops that each hold the next, an access to global and one to shared memory, and a variable that they carry."""
    heads = "".join(
        f"    for (int i{k} = 0; i{k} < m; i{k}++) {{\n"
        f"    s += in[threadIdx.x + i{k}]; x += y; y += i{k}; tile[(threadIdx.x + x) % 256] = s;\n"
        for k in range(n)
    )
    return f"{heads}    out[y] = s;{'}' * n}"


def _nest(n: int, before: str, innermost: str) -> str:
    """Loops that each hold the next, with one statement or a few in the innermost."""
    heads = " ".join(f"for (int i{k} = 0; i{k} < m; i{k}++) {{" for k in range(n))
    return f"    {before} {heads} {innermost} {'}' * n} out[threadIdx.x + y] = s;"


SHAPES: dict[str, Callable[[int], str]] = {
    "statements": lambda n: _lines(n, lambda i: f"x = x * 3 + {i % 7};") + "\n    out[threadIdx.x] = x;",
    "loads": lambda n: _lines(n, lambda i: f"s += in[threadIdx.x + {i} * m];") + "\n    out[threadIdx.x] = s;",
    "stores": lambda n: _lines(n, lambda i: f"out[threadIdx.x * 2 + {32 * i}] = {i};"),
    "shared": lambda n: _lines(n, lambda i: f"tile[(threadIdx.x + {i}) % 256] = {i};"),
    "shared and barriers": lambda n: (
        _lines(
            n,
            lambda i: (
                f"tile[threadIdx.x] = s; __syncthreads(); s += tile[(threadIdx.x + {i + 1}) % 256]; __syncthreads();"
            ),
        )
        + "\n    out[threadIdx.x] = s;"
    ),
    "local array": lambda n: (
        f"    float a[{n}];\n"
        + _lines(n, lambda i: f"a[{i}] = in[threadIdx.x + {i}];")
        + "\n"
        + _lines(n, lambda i: f"s += a[{i}];")
        + "\n    out[threadIdx.x] = s;"
    ),
    "branches": lambda n: (
        _lines(n, lambda i: f"if (m > {i}) x += {i}; else y += x;") + "\n    out[threadIdx.x + y] = x;"
    ),
    "exits": lambda n: _lines(n, lambda i: f"if (in[{i}] > 1.0f) return; out[threadIdx.x + {i}] = 0;"),
    "loops": lambda n: (
        _lines(n, lambda i: f"for (int i = 0; i < m; i++) s += in[threadIdx.x + i * {i + 1}];")
        + "\n    out[threadIdx.x] = s;"
    ),
    "nested loops": _nested,
    "nested steps": lambda n: _nest(n, "", "tile[threadIdx.x] = s; __syncthreads(); s += tile[y & 255]; y += m;"),
    "nested pointers": lambda n: _nest(n, "int *p = &y;", "*p += m; out[threadIdx.x + y] = s;"),
    "nested arrays": lambda n: _nest(n, "int a[4] = {};", "a[i0] += 1; s += in[threadIdx.x + a[0]];").replace(
        "< m", "< 4"
    ),
    "calls": lambda n: _lines(n, lambda i: f"s += helper(in, threadIdx.x + {i});") + "\n    out[threadIdx.x] = s;",
}
_NESTED = ("nested loops", "nested steps", "nested pointers", "nested arrays")
_SMALL = {**dict.fromkeys(_NESTED, 8), "loops": 400, "exits": 400, "branches": 800}
"""The largest n of shapes that nobody writes with more."""


def source(shape: str, n: int) -> str:
    """Return a program whose kernel has n parts of a shape."""
    return (
        "__device__ float helper(const float *p, int i) { return p[i] * 2.0f; }\n"
        "__global__ void k(float *out, const float *in, int m) {\n"
        "    __shared__ float tile[256];\n    float s = 0; int x = threadIdx.x, y = 0;\n"
        f"{SHAPES[shape](n)}\n}}\n"
        "void run(float *a, const float *b, int m) { k<<<64, 256>>>(a, b, m); }\n"
    )


def seconds(shape: str, n: int, folder: Path) -> float:
    """Return the processor time of one check in seconds."""
    path = folder / f"{shape.replace(' ', '_')}_{n}.cu"
    path.write_text(source(shape, n))
    job = Job((), architecture("sm_90"), load_rules().rules, headers=str(folder / "headers"), limits=Limits(0, 0))
    begin = time.process_time()
    result = check_file(Source(str(path)), job)
    spent = time.process_time() - begin
    if not result.checked:
        print(f"  {shape} {n}: not analysed: {[finding.message for finding in result.problems]}")
    return spent


def slope(times: Sequence[tuple[int, float]]) -> float:
    """Return the exponent of the growth over the larger half of the sizes, by least squares over the logarithms."""
    points = [(math.log(n), math.log(spent)) for n, spent in times[len(times) // 2 - 1 :]]
    x = sum(a for a, _ in points) / len(points)
    y = sum(b for _, b in points) / len(points)
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def _sizes(most: int) -> list[int]:
    if most <= 16:
        return list(range(1, most + 1))
    return [most // 2**k for k in range(6, -1, -1) if most // 2**k]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("--only", nargs="*", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("-o", dest="output", type=Path)
    options = parser.parse_args()
    found: dict[str, list[tuple[int, float]]] = {}
    with TemporaryDirectory(prefix="coalint-") as folder:
        seconds("statements", 1, Path(folder))  # imports, precompiled headers
        for shape in options.only:
            times = found[shape] = []
            for n in _sizes(min(options.most, _SMALL.get(shape, options.most))):
                times.append((n, seconds(shape, n, Path(folder))))
                if times[-1][1] > _LONG:
                    break
            exponent = f"n^{slope(times):.2f}" if shape not in _NESTED else _ratio(times)
            row = "  ".join(f"{n}: {spent:.2f}" for n, spent in times)
            print(f"{shape:<20} {exponent:<10} {row}", flush=True)
    if options.output is not None:
        options.output.write_text(json.dumps(found, indent=1) + "\n")


def _ratio(times: Sequence[tuple[int, float]]) -> str:
    """What one more loop around costs: the factor, at the deepest."""
    (_, before), (_, last) = times[-2:]
    return f"x{last / before:.2f}"


if __name__ == "__main__":
    main()
