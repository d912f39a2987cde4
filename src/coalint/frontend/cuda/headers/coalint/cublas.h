// cuBLAS and cuBLASLt, host calls only: their arguments do not matter here, so most are declared to take anything.
#pragma once

#define CUBLAS_API_H_

#include "coalint/data_types.h"
#include "coalint/complex.h"

COALINT_HOST_DEVICE_BEGIN

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11, CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR = 14, CUBLAS_STATUS_NOT_SUPPORTED = 15, CUBLAS_STATUS_LICENSE_ERROR = 16 };
typedef cublasStatus_t cublasStatus;
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED };
enum cublasMath_t { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16 };
enum cublasComputeType_t { CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_64F_PEDANTIC, CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_32I_PEDANTIC, CUBLAS_COMPUTE_32F_FAST_16F, CUBLAS_COMPUTE_32F_FAST_16BF, CUBLAS_COMPUTE_32F_FAST_TF32 };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_ALGO0_TENSOR_OP = 100 };
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext* cublasHandle_t;
typedef struct cublasLtContext* cublasLtHandle_t;
typedef struct cublasXtContext* cublasXtHandle_t;
cublasStatus_t cublasCreate(cublasHandle_t*);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasGetStream(cublasHandle_t, cudaStream_t*);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
const char* cublasGetStatusString(cublasStatus_t);
const char* cublasGetStatusName(cublasStatus_t);
#define COALINT_CALL(name) cublasStatus_t name(...);
#define COALINT_TYPED(name) COALINT_CALL(cublasS##name) COALINT_CALL(cublasD##name) COALINT_CALL(cublasC##name) COALINT_CALL(cublasZ##name)
COALINT_TYPED(copy) COALINT_TYPED(swap) COALINT_TYPED(scal) COALINT_TYPED(axpy) COALINT_TYPED(dot) COALINT_TYPED(dotu) COALINT_TYPED(dotc)
COALINT_TYPED(nrm2) COALINT_TYPED(asum) COALINT_TYPED(rot) COALINT_TYPED(gemv) COALINT_TYPED(gemvBatched) COALINT_TYPED(gemvStridedBatched)
COALINT_TYPED(ger) COALINT_TYPED(symv) COALINT_TYPED(syr) COALINT_TYPED(trsv) COALINT_TYPED(trmv) COALINT_TYPED(gemm) COALINT_TYPED(gemmBatched)
COALINT_TYPED(gemmStridedBatched) COALINT_TYPED(syrk) COALINT_TYPED(symm) COALINT_TYPED(trsm) COALINT_TYPED(trsmBatched) COALINT_TYPED(trmm)
COALINT_TYPED(geam) COALINT_TYPED(dgmm) COALINT_TYPED(getrfBatched) COALINT_TYPED(getrsBatched) COALINT_TYPED(getriBatched) COALINT_TYPED(matinvBatched)
COALINT_TYPED(geqrfBatched) COALINT_TYPED(gelsBatched)
#undef COALINT_TYPED
COALINT_CALL(cublasHgemm) COALINT_CALL(cublasHgemmBatched) COALINT_CALL(cublasHgemmStridedBatched) COALINT_CALL(cublasGemmEx) COALINT_CALL(cublasGemmBatchedEx)
COALINT_CALL(cublasGemmStridedBatchedEx) COALINT_CALL(cublasSgemmEx) COALINT_CALL(cublasAxpyEx) COALINT_CALL(cublasDotEx) COALINT_CALL(cublasScalEx) COALINT_CALL(cublasNrm2Ex)
COALINT_CALL(cublasIsamax) COALINT_CALL(cublasIdamax) COALINT_CALL(cublasIsamin) COALINT_CALL(cublasIdamin)
COALINT_CALL(cublasSetMathMode) COALINT_CALL(cublasGetMathMode) COALINT_CALL(cublasSetPointerMode) COALINT_CALL(cublasGetPointerMode) COALINT_CALL(cublasSetWorkspace)
COALINT_CALL(cublasSetAtomicsMode) COALINT_CALL(cublasGetVersion) COALINT_CALL(cublasSetVector) COALINT_CALL(cublasGetVector) COALINT_CALL(cublasSetMatrix) COALINT_CALL(cublasGetMatrix)
COALINT_CALL(cublasLoggerConfigure) COALINT_CALL(cublasXtCreate) COALINT_CALL(cublasXtDestroy) COALINT_CALL(cublasXtDeviceSelect) COALINT_CALL(cublasXtSetBlockDim) COALINT_CALL(cublasXtSgemm)
COALINT_CALL(cublasInit) COALINT_CALL(cublasShutdown)

typedef struct cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;
typedef struct cublasLtMatrixTransformDescOpaque_t* cublasLtMatrixTransformDesc_t;
struct cublasLtMatmulAlgo_t { unsigned long long data[8]; };
struct cublasLtMatmulHeuristicResult_t { cublasLtMatmulAlgo_t algo; size_t workspaceSize; cublasStatus_t state; float wavesCount; int reserved[4]; };
enum cublasLtEpilogue_t { CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2, CUBLASLT_EPILOGUE_BIAS = 4, CUBLASLT_EPILOGUE_RELU_BIAS = 6, CUBLASLT_EPILOGUE_GELU = 32, CUBLASLT_EPILOGUE_GELU_BIAS = 36, CUBLASLT_EPILOGUE_GELU_AUX = 160, CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164, CUBLASLT_EPILOGUE_DGELU = 192, CUBLASLT_EPILOGUE_DGELU_BGRAD = 208, CUBLASLT_EPILOGUE_BGRADA = 256, CUBLASLT_EPILOGUE_BGRADB = 512 };
enum cublasLtMatmulDescAttributes_t { CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLASLT_MATMUL_DESC_SCALE_TYPE, CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_MATMUL_DESC_TRANSA, CUBLASLT_MATMUL_DESC_TRANSB, CUBLASLT_MATMUL_DESC_TRANSC, CUBLASLT_MATMUL_DESC_FILL_MODE, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_MATMUL_DESC_BIAS_POINTER, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, CUBLASLT_MATMUL_DESC_FAST_ACCUM };
enum cublasLtMatrixLayoutAttribute_t { CUBLASLT_MATRIX_LAYOUT_TYPE, CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_MATRIX_LAYOUT_ROWS, CUBLASLT_MATRIX_LAYOUT_COLS, CUBLASLT_MATRIX_LAYOUT_LD, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET };
enum cublasLtMatmulPreferenceAttributes_t { CUBLASLT_MATMUL_PREF_SEARCH_MODE, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES };
enum cublasLtOrder_t { CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW, CUBLASLT_ORDER_COL32, CUBLASLT_ORDER_COL4_4R2_8C, CUBLASLT_ORDER_COL32_2R_4R4 };
COALINT_CALL(cublasLtCreate) COALINT_CALL(cublasLtDestroy) COALINT_CALL(cublasLtMatmul) COALINT_CALL(cublasLtMatmulDescCreate) COALINT_CALL(cublasLtMatmulDescDestroy)
COALINT_CALL(cublasLtMatmulDescSetAttribute) COALINT_CALL(cublasLtMatrixLayoutCreate) COALINT_CALL(cublasLtMatrixLayoutDestroy) COALINT_CALL(cublasLtMatrixLayoutSetAttribute)
COALINT_CALL(cublasLtMatmulPreferenceCreate) COALINT_CALL(cublasLtMatmulPreferenceDestroy) COALINT_CALL(cublasLtMatmulPreferenceSetAttribute) COALINT_CALL(cublasLtMatmulAlgoGetHeuristic)
COALINT_CALL(cublasLtMatrixTransform) COALINT_CALL(cublasLtMatrixTransformDescCreate) COALINT_CALL(cublasLtMatrixTransformDescDestroy)
#undef COALINT_CALL

COALINT_HOST_DEVICE_END
