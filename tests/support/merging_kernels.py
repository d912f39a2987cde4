"""Random kernels whose neighbouring accesses nvcc may make one vector instruction, and what each side says of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from cuda_compiler import Compiler, compile_to_cubin, disassemble
from expectations import Op
from expectations import Space as Written

from coalint.core.facts.access import Operation, Space
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

HEAD = """\
struct __align__(8) Two { float x, y; };
struct __align__(16) Four { float x, y, z, w; };
struct Loose { float x, y, z, w; };
extern __shared__ __align__(16) float dynamic[];
extern __shared__ float unaligned[];
__device__ __noinline__ float slow(float x) { return x * 1.5f + 2; }
"""
_BASES = {  # what `s` is, and whether it lies in shared memory
    "static": "__shared__ float s[4096];",
    "aligned": "__shared__ __align__(16) float s[4096];",
    "dynamic": "float *s = dynamic;",
    "dynamic, no alignment": "float *s = unaligned;",
    "dynamic + 2048": "float *s = dynamic + 2048;",
    "dynamic + n": "float *s = dynamic + n;",
    "dynamic + 4 * n": "float *s = dynamic + 4 * n;",
    "dynamic + blockDim.x": "float *s = dynamic + blockDim.x;",
    "chars": "__shared__ char raw[16384]; float *s = (float *)raw;",
    "aligned chars": "__shared__ __align__(16) char raw[16384]; float *s = (float *)raw;",
    "static + 1": "__shared__ float base[4096]; float *s = base + 1;",
    "static + 2": "__shared__ float base[4096]; float *s = base + 2;",
    "rows": "__shared__ float rows[32][128]; float *s = rows[0];",
    "odd rows": "__shared__ float rows[31][33]; float *s = rows[2];",
    "global": "float *s = g;",
    "global records": "",
}
_BETWEEN = {
    "nothing": "",
    "barrier": "__syncthreads();",
    "warp barrier": "__syncwarp();",
    "fence": "__threadfence_block();",
    "store to another array": "r[t] = 7;",
    "load of another array": "few += r[t + 1];",
    "load of a uniform element": "few += r[0];",
    "global store": "out[t + 4096] = 3;",
    "global load": "more += g[t + 512];",
    "shuffle": "more += __shfl_down_sync(0xffffffff, more, 1);",
    "call": "more = slow(more);",
    "shared atomic": "atomicAdd(&count[t & 3], 1);",
    "exponential": "more += __expf(more);",
}
_TRIPS = ("2", "3", "4", "4", "4", "6", "8", "16", "n")
_PRAGMAS = ("", "", "#pragma unroll", "#pragma unroll", "#pragma unroll 1", "#pragma unroll 2", "#pragma unroll 4")
_INDICES = (
    *("4 * t + k", "4 * t + k", "8 * t + k", "2 * t + k", "(t << 2) + k", "16 * t + k", "4 * (t ^ 1) + k"),
    *("4 * t + 3 - k", "5 * t + k", "k * 128 + t", "4 * t + 1 + k", "n * t + k", "4 * (t / 2) + k", "t + k"),
    *("4 * t + 2 * k", "k + 4 * (t % 8)", "128 * (t & 7) + 4 * (t / 8) + k"),
)
_LEAVES = {  # how iterations may be fewer: what the loop's condition asks too, and what its body begins with
    "nothing": ("", ""),
    "condition of the counter": (" && k < n", ""),
    "condition of the thread": (" && 4 * t + k < n", ""),
    "condition of the launch": (" && n > 5", ""),
    "break by data": ("", "if (out[k + 4096] > 5) break;"),
    "break by the thread": ("", "if (t + k > n) break;"),
    "break by the launch": ("", "if (n > 500) break;"),
    "continue by data": ("", "if (out[k + 4096] > 5) continue;"),
}
_LOOPED = {
    "load": "sum += s[{i}];",
    "store": "s[{i}] = sum + k;",
    "constant": "s[{i}] = 1;",
    "update": "s[{i}] = s[{i}] * 2 + more;",
}


@dataclass(frozen=True)
class Shape:
    """One kernel: what it is made of, where in the text its accesses stand, which operations count."""

    name: str
    features: tuple[tuple[str, str], ...]
    first: int
    last: int
    space: Space

    @property
    def title(self) -> str:
        """All features in words."""
        return ", ".join(f"{name}: {value}" for name, value in self.features if value)


Widths = dict[str, frozenset[int]]
"""By operation, how many bytes per lane the instructions at a kernel's lines move."""


def program(seed: int, count: int) -> tuple[str, list[Shape]]:
    """A file with `count` kernels and their launches."""
    random_ = random.Random(seed)
    text, shapes = HEAD, []
    for number in range(count):
        name = f"k{number}"
        base = random_.choice(list(_BASES))
        is_loop = base != "global records" and random_.random() < 0.6
        declared, body, features = _looped(random_, base) if is_loop else _paired(random_, base)
        head = f"""\
__global__ void {name}(float *out, float *g, const Two *two, const Four *four, const Loose *loose, int n) {{
    __shared__ short r[256];
    __shared__ int count[4];
    {declared}
    int t = threadIdx.x, few = 0;
    float sum = 0, more = out[t];
    {_filled(base)}
    r[t] = t;
    count[t & 3] = 0;
    __syncthreads();
"""
        begin = text.count("\n") + head.count("\n") + 1
        text += f"{head}{body}"
        end = text.count("\n")
        text += f"""\
    __syncthreads();
    out[t] = sum + more + few + count[t & 3]{_drained(base)};
}}
"""
        space = Space.GLOBAL if base.startswith("global") else Space.SHARED
        shapes.append(Shape(name, (("base", base), *features), begin, end, space))
    launches = "".join(
        f"    {shape.name}<<<4, 128, 65536>>>(f, f + 65536, two, four, loose, 128);\n" for shape in shapes
    )
    text += f"void host(float *f, Two *two, Four *four, Loose *loose) {{\n{launches}}}\n"
    return text, shapes


def _filled(base: str) -> str:
    return "" if base.startswith("global") else "for (int j = t; j < 1023; j += 128) s[j] = out[j];"


def _drained(base: str) -> str:
    return "" if base == "global records" else " + s[t ^ 3]"


def _looped(random_: random.Random, base: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    kind, index = random_.choice(list(_LOOPED)), random_.choice(_INDICES)
    trips, pragma = random_.choice(_TRIPS), random_.choice(_PRAGMAS)
    between = random_.choice(list(_BETWEEN)) if random_.random() < 0.5 else "nothing"
    own = random.Random(str(random_.getstate()[1][:4]))
    leaves = own.choice(list(_LEAVES)) if own.random() < 0.4 else "nothing"
    asked, first = _LEAVES[leaves]
    body = f"{first} {_LOOPED[kind].format(i=index)} {_BETWEEN[between]}"
    lines = f"    {pragma}\n" if pragma else ""
    lines += f"    for (int k = 0; k < {trips}{asked}; ++k) {{ {body} }}\n"
    features = (
        *(("loop", kind), ("index", index), ("trips", trips), ("pragma", pragma), ("body", between)),
        ("leaves", "" if leaves == "nothing" else leaves),
    )
    return _BASES[base], lines, features


def _paired(random_: random.Random, base: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    between = random_.choice(list(_BETWEEN)) if random_.random() < 0.7 else "nothing"
    number = random_.choice((2, 2, 3, 4))
    kind = random_.choice(("load", "store"))
    if base == "global records":
        record = random_.choice(("two", "four", "loose"))
        fields = random_.sample("xy" if record == "two" else "xyzw", min(number, 2 if record == "two" else 4))
        parts = [f"float v{p} = {record}[t].{field};" for p, field in enumerate(fields)]
        kind, what = "load", f"{record}: {''.join(fields)}"
    else:
        scale = random_.choice((2, 4, 4, 8))
        steps = random_.sample(range(4), number)
        if kind == "load":
            parts = [f"float v{p} = s[{scale} * t + {step}];" for p, step in enumerate(steps)]
        else:
            parts = [f"s[{scale} * t + {step}] = more + {step};" for step in steps]
        what = f"{scale} * t + {sorted(steps) if steps != sorted(steps) else steps}"
    place = random_.randrange(1, len(parts))
    parts.insert(place, _BETWEEN[between])
    if kind == "load":
        parts.append("sum = " + " + ".join(f"v{p} * {p + 2}" for p in range(len(parts) - 1)) + ";")
    text = "".join(f"    {part}\n" for part in parts if part)
    return _BASES[base], text, (("straight", kind), ("index", what), ("between", between))


def predicted(path: Path, shapes: list[Shape], headers: str | None) -> dict[str, tuple[Widths, bool]]:
    """What coalint says of each kernel, and whether it is sure of all of it."""
    job = Job((), architecture("sm_90"), (), keep=True, headers=headers)
    result = check_file(Source(str(path)), job)
    assert not result.problems, result.problems[0].message
    found: dict[str, tuple[Widths, bool]] = {}
    of_name = {shape.name: shape for shape in shapes}
    for kernel in result.checked:
        widths: dict[str, set[int]] = {}
        shape, sure = of_name[kernel.kernel], True
        for made in kernel.instructions:
            access = made.written
            if shape.first <= access.span.line <= shape.last and access.space is shape.space and access.bytes >= 4:
                if access.op is Operation.ATOMIC or (shape.space is Space.GLOBAL and _is_other(access.expression)):
                    continue
                widths.setdefault(access.op.value, set()).add(made.access.bytes)
                sure = sure and not any("unrolls" in text for text in made.access.result.assumed)
        found[shape.name] = ({op: frozenset(sizes) for op, sizes in widths.items()}, sure)
    return found


def _is_other(expression: str) -> bool:
    return expression.startswith(("out[", "g["))


def written(compiler: Compiler, path: Path, shapes: list[Shape]) -> dict[str, Widths]:
    """What nvcc makes of each kernel."""
    cubin = path.with_suffix(".cubin")
    compile_to_cubin(compiler, path, cubin, ("-w",))
    made: dict[str, dict[str, set[int]]] = {shape.name: {} for shape in shapes}
    of_name = {f"_Z{len(shape.name)}{shape.name}P": shape for shape in shapes}
    for instruction in disassemble(compiler, cubin, path):
        shape = next((s for prefix, s in of_name.items() if instruction.function.startswith(prefix)), None)
        if shape is None or instruction.line is None or not shape.first <= instruction.line <= shape.last:
            continue
        wanted = Written.GLOBAL if shape.space is Space.GLOBAL else Written.SHARED
        for space, op, width in instruction.accesses:
            if space is wanted and op is not Op.ATOMIC and width >= 4:
                made[shape.name].setdefault(op.value, set()).add(width)
    return {name: {op: frozenset(sizes) for op, sizes in widths.items()} for name, widths in made.items()}
