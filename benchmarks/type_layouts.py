"""Writes tests/data/type_layouts.txt: size and alignment in bytes of the types of CUDA's headers, as nvcc has them.

    python benchmarks/type_layouts.py

The types are those that the bundled headers declare at global scope or in a namespace of `SPACES` and nvcc knows too,
and those of `TEMPLATES`.
A test holds the bundled headers against the file. Needs g++, and of PyPI the `dev` extra and nvidia-curand.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

LAYOUTS = ROOT / "tests" / "data" / "type_layouts.txt"
INCLUDES = """
cuda_runtime.h cuda_fp16.h cuda_bf16.h cuda_fp8.h cuda_fp6.h cuda_fp4.h cuComplex.h curand_kernel.h mma.h cuda.h
cuda_pipeline.h cuda_awbarrier.h cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h
cooperative_groups/memcpy_async.h complex array tuple utility optional atomic cuda/std/complex cuda/std/array
cuda/std/tuple cuda/std/utility cuda/std/optional cuda/std/span cuda/atomic cuda/barrier cuda/pipeline cuda/iterator
random thrust/random.h thrust/complex.h thrust/pair.h thrust/tuple.h thrust/device_ptr.h cub/cub.cuh
""".split()
_SCALARS = ("char", "short", "int", "float", "long long", "double", "__half", "__nv_bfloat16")
_OF_ONE = (
    "cuda::std::complex thrust::complex std::atomic cuda::atomic cuda::std::optional std::optional cuda::atomic_ref "
    "thrust::device_ptr"
).split()
TEMPLATES = (
    *(f"{template}<{scalar}>" for template in _OF_ONE for scalar in _SCALARS if "complex" not in template),
    *(f"{template}<{scalar}>" for template in _OF_ONE[:2] for scalar in ("float", "double")),
    *(f"std::complex<{scalar}>" for scalar in ("float", "double")),
    *(f"cuda::std::complex<{scalar}>" for scalar in ("__half", "__nv_bfloat16")),
    *(
        f"{template}<{a}, {b}>"
        for space in ("std", "cuda::std", "thrust")
        for template in (f"{space}::pair", f"{space}::tuple")
        for a, b in (("int", "float"), ("char", "double"), ("float4", "int"), ("short", "__half"))
    ),
    *(f"cub::KeyValuePair<{a}, {b}>" for a, b in (("int", "float"), ("int", "double"), ("short", "float"))),
    *(f"{space}::array<{a}>" for space in ("std", "cuda::std") for a in ("char, 3", "float4, 2")),
    *(f"cuda::std::span<{a}>" for a in ("float", "double")),
    *(f"std::{name}" for name in ("mt19937", "mt19937_64", "minstd_rand", "default_random_engine")),
    *(f"thrust::{name}" for name in ("minstd_rand", "minstd_rand0", "default_random_engine")),
    *(f"thrust::{name}" for name in ("taus88", "ranlux24", "ranlux48")),
    *(
        f"thrust::{name}_distribution<{scalar}>"
        for name, scalars in (("uniform_real", "float double"), ("uniform_int", "int long"), ("normal", "float double"))
        for scalar in scalars.split()
    ),
    "cooperative_groups::thread_block",
    "cooperative_groups::grid_group",
    "cooperative_groups::coalesced_group",
    "cooperative_groups::thread_block_tile<32>",
    "cooperative_groups::thread_block_tile<8>",
    "cuda::discard_iterator",
    "cuda::barrier<cuda::thread_scope_block>",
    "cuda::barrier<cuda::thread_scope_device>",
    "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major>",
    "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>",
)
SPACES = ("cooperative_groups", "cub", "cuda", "nvcuda", "std", "thrust")
_VALUE = re.compile(r"\bt_(\d+)\[8\] = \{([\d, ]+)\}")  # bytes, without the zeros at the end
_ERROR = re.compile(r"types\.cu\((\d+)\): error")


def global_types() -> list[str]:
    """The names of complete types that the bundled headers declare at global scope."""
    from bundled_headers import FORCED
    from clang.cindex import CursorKind, Index

    from coalint.frontend.cuda.libclang.bindings import BASE

    unit = Index.create().parse("empty.cu", [*BASE, *FORCED], unsaved_files=[("empty.cu", "")])
    kinds = (
        CursorKind.STRUCT_DECL,
        CursorKind.UNION_DECL,
        CursorKind.ENUM_DECL,
        CursorKind.TYPEDEF_DECL,
        CursorKind.TYPE_ALIAS_DECL,
    )
    found = (cursor for cursor in unit.cursor.get_children() if cursor.kind in kinds and cursor.type.get_size() > 0)
    names = dict.fromkeys(cursor.spelling for cursor in found)
    return sorted(name for name in names if re.fullmatch(r"\w+", name) and not name.startswith("coalint"))


def namespace_types() -> list[str]:
    """The names of complete types that the bundled headers declare in namespaces."""
    from bundled_headers import FORCED, headers, parse
    from clang.cindex import Cursor, CursorKind

    kinds = (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.UNION_DECL, CursorKind.ENUM_DECL,
             CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL)  # fmt: skip
    found: dict[str, None] = {}

    def is_named(cursor: Cursor) -> bool:
        return cursor.type.get_size() > 0 and re.fullmatch(r"(?!coalint)\w+", cursor.spelling) is not None

    def walk(scope: Cursor, prefix: str) -> None:
        for cursor in scope.get_children():
            if cursor.kind is CursorKind.NAMESPACE and not cursor.spelling.startswith("coalint"):
                walk(cursor, f"{prefix}{cursor.spelling}::")
            elif prefix and cursor.kind in kinds and is_named(cursor):
                found[prefix + cursor.spelling] = None

    walk(parse("\n".join(f'#include "{header}"' for header in headers()), *FORCED).cursor, "")
    return [name for name in found if name.split("::")[0] in SPACES]


def layouts(types: list[str]) -> dict[str, tuple[int, int]]:
    """Size and alignment of those types that nvcc knows."""
    from cuda_compiler import find_compiler

    nvcc, known = find_compiler().nvcc, list(enumerate(types))
    with TemporaryDirectory() as folder:
        source = Path(folder) / "types.cu"
        while True:
            head = [f"#include <{name}>" for name in INCLUDES]
            lines = [f"__device__ unsigned t_{n}[2] = {{sizeof({name}), alignof({name})}};" for n, name in known]
            source.write_text("\n".join((*head, *lines)) + "\n")
            command = [str(nvcc), "-arch=sm_90", "-std=c++17", "-w", "-ptx", "-o", f"{folder}/types.ptx", str(source)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if not done.returncode:
                break
            wrong = {int(line) - len(head) - 1 for line in _ERROR.findall(done.stderr)}
            if not wrong:
                raise SystemExit(done.stderr)
            known = [pair for position, pair in enumerate(known) if position not in wrong]
        found = _VALUE.findall((Path(folder) / "types.ptx").read_text())
    return {types[int(n)]: _numbers([int(byte) for byte in data.split(",")]) for n, data in found}


def _numbers(data: list[int]) -> tuple[int, int]:
    whole = bytes(data).ljust(8, b"\0")
    return int.from_bytes(whole[:4], "little"), int.from_bytes(whole[4:], "little")


if __name__ == "__main__":
    rows = layouts(list(dict.fromkeys([*global_types(), *TEMPLATES, *namespace_types()])))
    text = "".join(f"{name}\t{size}\t{align}\n" for name, (size, align) in rows.items())
    LAYOUTS.write_text(f"# type, size and alignment in bytes, as nvcc has them: benchmarks/type_layouts.py\n{text}")
    print(f"{len(rows)} types")
