"""Headers of host libraries for nvcc, where only the compiler's own packages are installed: a file's kernels need none.

cuBLAS, cuRAND's host side and kin are declared by coalint's bundled headers, in words that nvcc accepts too.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUNDLED = ROOT / "src" / "coalint" / "frontend" / "cuda" / "headers"

_AS_BUNDLED = (
    *("cublas.h", "cublasLt.h", "cublasXt.h", "cublas_api.h", "cublas_v2.h", "cufft.h", "cufftXt.h", "curand.h"),
    *("cusolverDn.h", "cusolver_common.h", "cusparse.h", "cusparse_v2.h"),
    *("coalint/cublas.h", "coalint/cufft.h"),
)
_PROFILER = "#include <cuda_runtime.h>\nextern cudaError_t cudaProfilerStart(), cudaProfilerStop();\n"
_NVTX = """\
#ifndef NVTX_RANGES
#define NVTX_RANGES
inline int nvtxRangePush(const char *) { return 0; }
inline int nvtxRangePushA(const char *) { return 0; }
inline int nvtxRangePop() { return 0; }
inline void nvtxNameCudaStreamA(void *, const char *) {}
#endif
"""
_WRITTEN = {
    "coalint_cuda.h": """\
#pragma once
#include <cuda_runtime.h>
#define COALINT_HOST_DEVICE_BEGIN
#define COALINT_HOST_DEVICE_END
#define COALINT_HOST_ONLY {}
""",
    "coalint/complex.h": "#include <cuComplex.h>\n",
    "coalint/data_types.h": "#include <library_types.h>\n",
    "nvtx3/nvToolsExt.h": _NVTX,
    "nvtx3/nvToolsExtCudaRt.h": _NVTX,
    "nvToolsExt.h": _NVTX,
    "cuda_profiler_api.h": _PROFILER,
    # What CUDA 13 no longer declares.
    "gone.h": """\
#ifdef __cplusplus
#include <cuda_runtime.h>
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define cudaMemcpyToArray(...) cudaSuccess
#define cudaMemAdvise(...) cudaSuccess
#define cudaMemPrefetchAsync(...) cudaSuccess
#define cudaBindTexture(...) cudaSuccess
#define cudaUnbindTexture(...) cudaSuccess
#endif
""",
}


def host_headers(folder: Path) -> tuple[str, ...]:
    """Write the headers into a folder; return nvcc's options that look there last."""
    for name in _AS_BUNDLED:
        _put(folder / name, (BUNDLED / name).read_text())
    for name, text in _WRITTEN.items():
        _put(folder / name, text)
    return ("-Xcompiler", f"-idirafter,{folder}", "-include", str(folder / "gone.h"))


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
