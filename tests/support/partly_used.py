"""Random kernels that copy structs of which they use some fields, in the ways that sources do."""

from __future__ import annotations

import random

_VECTORS = {
    "float4": ("x", "y", "z", "w"),
    "float2": ("x", "y"),
    "int3": ("x", "y", "z"),
    "double2": ("x", "y"),
    "uchar4": ("x", "y", "z", "w"),
    "short4": ("x", "y", "z", "w"),
    "short2": ("x", "y"),
}
_SCALARS = ("float", "float", "int", "unsigned", "double")
_WAYS = ("declared", "assigned", "argument", "reference", "returned", "copied", "returned copy", "method", "lambda")


def program(seed: int, count: int) -> str:
    """Kernels `k0` to `k<count - 1>`, each with one load to look at; none reads another array."""
    random_ = random.Random(seed)
    return "\n".join(_kernel(random_, number) for number in range(count))


def _kernel(random_: random.Random, number: int) -> str:
    if random_.random() < 0.4:
        type_, fields = random_.choice(list(_VECTORS.items()))
        struct = ""
    else:
        type_, names = f"S{number}", "abcdefgh"[: random_.randint(2, 8)]
        aligned = random_.choice(("", "", "__align__(16) "))
        members = []
        paths: list[str] = []
        for name in names:
            inner = random_.choice(("float2", "float4")) if random_.random() < 0.15 and not aligned else ""
            count = random_.randint(2, 5) if random_.random() < 0.15 and not inner else 0
            members.append(f"{inner or random_.choice(_SCALARS)} {name}{f'[{count}]' if count else ''};")
            if inner:
                paths += [f"{name}.{axis}" for axis in "xyzw"[: int(inner[-1])]]
            else:
                paths += [f"{name}[{index}]" for index in range(count)] if count else [name]
        used = " + ".join(paths)
        method = f"__device__ double all() const {{ return {used}; }}"
        struct = f"struct {aligned}{type_} {{ {' '.join(members)} {method} }};\n"
        fields = tuple(paths)
    used_fields = random_.sample(fields, random_.randint(1, len(fields)))
    way = random_.choice(_WAYS if struct else _WAYS[:-2])
    term = _sum(used_fields, "t")
    at = "p[blockIdx.x * blockDim.x + threadIdx.x]"
    helper = ""
    match way:
        case "declared":
            body = f"{type_} t = {at}; double s = {term};"
        case "assigned":
            body = f"{type_} t; t = {at}; double s = {term};"
        case "argument":
            helper = f"__device__ double f{number}({type_} t) {{ return {term}; }}\n"
            body = f"double s = f{number}({at});"
        case "reference":
            helper = f"__device__ double f{number}(const {type_} &t) {{ return {term}; }}\n"
            body = f"{type_} u = {at}; double s = f{number}(u);"
        case "returned":
            helper = f"__device__ {type_} f{number}(const {type_} *p) {{ return *p; }}\n"
            body = f"{type_} t = f{number}(&{at}); double s = {term};"
        case "returned copy":
            helper = f"__device__ {type_} f{number}(const {type_} *p) {{ {type_} q = *p; return q; }}\n"
            body = f"auto t = f{number}(&{at}); double s = {term};"
        case "copied":
            body = f"{type_} u = {at}; const {type_} t(u); double s = {term};"
        case "method":
            body = f"{type_} t = {at}; double s = t.all();"
        case _:
            body = f"{type_} t = {at}; auto f = [&](double more) {{ return more + {term}; }}; double s = f(2);"
    kernel = f"__global__ void k{number}(double *o, const {type_} *p) {{ {body} o[threadIdx.x] = s; }}\n"
    return struct + helper + kernel


def _sum(fields: list[str], name: str) -> str:
    return " + ".join(f"{2 * position + 3} * {name}.{field}" for position, field in enumerate(fields))
