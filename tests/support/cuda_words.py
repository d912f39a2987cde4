"""What only CUDA and its kin call so: no such word stands below the front end, or in a report on another language."""

from __future__ import annotations

import re

_NAMES = "threadIdx blockIdx blockDim gridDim warpSize dim3 memcpy nvcc cooperative_groups".split()
_VECTORS = r"(?:u?(?:char|short|int|long|longlong)|float|double|half|bfloat16)[1-4]"
CUDA_WORD = re.compile(
    r"(?<!\w)__(?!(?:init|main|path|pycache)__)\w+"  # __syncthreads, __shared__, __coalint_...: not Python's own
    r"|(?<!\w)(?:cuda|hip|nv)[A-Z]\w*|\bcurand\w*|\batomic[A-Z]\w*|\bcg::|\bcuda::|<<<"
    rf"|\b(?:{'|'.join(_NAMES)})\b|\b{_VECTORS}\b"
)
