// See coalint/torch.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/torch.h"
#include "coalint/libraries.h"

COALINT_HOST_DEVICE_BEGIN
namespace at { namespace cuda { cublasHandle_t getCurrentCUDABlasHandle(); cusparseHandle_t getCurrentCUDASparseHandle(); cusolverDnHandle_t getCurrentCUDASolverDnHandle(); } }
COALINT_HOST_DEVICE_END
