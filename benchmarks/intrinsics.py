"""Writes tests/data/intrinsics.txt: the names of the device functions that CUDA's own headers declare.

    python benchmarks/intrinsics.py

A test holds the bundled headers against the file. Needs, of PyPI, the `dev` extra and nvidia-curand.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAMES = ROOT / "tests" / "data" / "intrinsics.txt"
HEADERS = """
cuda_fp16.h cuda_bf16.h cuda_fp8.h cuda_fp6.h cuda_fp4.h crt/math_functions.h crt/device_functions.h
crt/device_double_functions.h device_atomic_functions.h sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h
sm_32_atomic_functions.h sm_32_intrinsics.h sm_35_intrinsics.h sm_60_atomic_functions.h sm_61_intrinsics.h
cuda_pipeline_primitives.h cuda_awbarrier_primitives.h cuComplex.h curand_kernel.h vector_functions.h
""".split()
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_DECLARED = re.compile(r"[\w>*&]\s*[*&]*\s+\b(?P<name>\w+)\s*\((?=[^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:[A-Za-z_;{:]))")
# What kernels do not call: helpers of the headers, C++ operators, the host's own classification functions.
_OWN = re.compile(
    r"_[A-Za-z]\w*|__(internal|cuda|curand|float_simpl|get_|pm\d|func|cmath|fmaf_ieee|pow_helper|hcos_|hsin_)\w*"
    r"|__builtin\w*|__libcpp\w*|functions|of|syncthreads_\w+"
    r"|__nv_(memcpy_async|aligned_device|associate|bswap)\w*|curn?and_MRG\w*|__\w+l|operator|if|return|for|while|switch"
    r"|(bool|char|double|float|int|long|short|uint|ull|ll)\w*|[A-Z_0-9]+|rnorm\w*|d(add|sub|mul|div)|fdivide"
)


def include() -> Path:
    """The folder of CUDA's headers among the installed packages."""
    nvidia = importlib.util.find_spec("nvidia")
    for folder in (nvidia and nvidia.submodule_search_locations) or ():
        for header in Path(folder).glob("cu*/include/cuda_fp16.h"):
            return header.parent
    raise SystemExit("no CUDA headers among the installed packages: pip install '.[dev]' nvidia-curand")


def names() -> Iterator[str]:
    """The functions that the headers declare, once for each declaration."""
    for header in HEADERS:
        text = _COMMENT.sub("", (include() / header).read_text(errors="replace"))
        yield from (found["name"] for found in _DECLARED.finditer(text) if not _OWN.fullmatch(found["name"]))


if __name__ == "__main__":
    found = sorted(set(names()))
    NAMES.write_text("# device functions of CUDA's headers: benchmarks/intrinsics.py\n" + "\n".join(found) + "\n")
    print(f"{len(found)} names")
