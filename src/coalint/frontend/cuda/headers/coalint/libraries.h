// cuSPARSE, cuSOLVER, NCCL, NVML, NVRTC, NVTX and OpenMP, as far as programs around kernels name them. Calls take anything.
#pragma once

#include "coalint/cublas.h"

COALINT_HOST_DEVICE_BEGIN

enum cusparseStatus_t { CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED, CUSPARSE_STATUS_INVALID_VALUE, CUSPARSE_STATUS_ARCH_MISMATCH, CUSPARSE_STATUS_MAPPING_ERROR, CUSPARSE_STATUS_EXECUTION_FAILED, CUSPARSE_STATUS_INTERNAL_ERROR, CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, CUSPARSE_STATUS_ZERO_PIVOT, CUSPARSE_STATUS_NOT_SUPPORTED, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES };
enum cusparseOperation_t { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE };
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I };
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE };
enum cusparseMatrixType_t { CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_MATRIX_TYPE_SYMMETRIC, CUSPARSE_MATRIX_TYPE_HERMITIAN, CUSPARSE_MATRIX_TYPE_TRIANGULAR };
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW };
enum cusparseSpMVAlg_t { CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_COO_ALG1, CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2 };
enum cusparseSpMMAlg_t { CUSPARSE_SPMM_ALG_DEFAULT, CUSPARSE_SPMM_CSR_ALG1 = 4 };
typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusparseMatDescr* cusparseMatDescr_t;
typedef struct cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef struct cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef struct cusparseSpVecDescr* cusparseSpVecDescr_t;
// Up to CUDA 10, which old programs are written for.
typedef struct cusparseHybMat* cusparseHybMat_t;
enum cusparseHybPartition_t { CUSPARSE_HYB_PARTITION_AUTO, CUSPARSE_HYB_PARTITION_USER, CUSPARSE_HYB_PARTITION_MAX };
const char* cusparseGetErrorString(cusparseStatus_t);
#define COALINT_CALL(name) cusparseStatus_t name(...);
COALINT_CALL(cusparseCreateHybMat) COALINT_CALL(cusparseDestroyHybMat) COALINT_CALL(cusparseScsr2hyb) COALINT_CALL(cusparseDcsr2hyb) COALINT_CALL(cusparseShybmv) COALINT_CALL(cusparseDhybmv) COALINT_CALL(cusparseScsrmv) COALINT_CALL(cusparseDcsrmv)
COALINT_CALL(cusparseCreate) COALINT_CALL(cusparseDestroy) COALINT_CALL(cusparseSetStream) COALINT_CALL(cusparseSetPointerMode) COALINT_CALL(cusparseCreateMatDescr) COALINT_CALL(cusparseDestroyMatDescr)
COALINT_CALL(cusparseSetMatType) COALINT_CALL(cusparseSetMatIndexBase) COALINT_CALL(cusparseCreateCsr) COALINT_CALL(cusparseCreateCoo) COALINT_CALL(cusparseDestroySpMat) COALINT_CALL(cusparseCreateDnVec)
COALINT_CALL(cusparseDestroyDnVec) COALINT_CALL(cusparseCreateDnMat) COALINT_CALL(cusparseDestroyDnMat) COALINT_CALL(cusparseSpMV) COALINT_CALL(cusparseSpMV_bufferSize) COALINT_CALL(cusparseSpMM) COALINT_CALL(cusparseSpMM_bufferSize)
#undef COALINT_CALL

enum cusolverStatus_t { CUSOLVER_STATUS_SUCCESS, CUSOLVER_STATUS_NOT_INITIALIZED, CUSOLVER_STATUS_ALLOC_FAILED, CUSOLVER_STATUS_INVALID_VALUE, CUSOLVER_STATUS_ARCH_MISMATCH, CUSOLVER_STATUS_MAPPING_ERROR, CUSOLVER_STATUS_EXECUTION_FAILED, CUSOLVER_STATUS_INTERNAL_ERROR, CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED, CUSOLVER_STATUS_NOT_SUPPORTED, CUSOLVER_STATUS_ZERO_PIVOT, CUSOLVER_STATUS_INVALID_LICENSE };
enum cusolverEigType_t { CUSOLVER_EIG_TYPE_1 = 1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3 };
enum cusolverEigMode_t { CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR };
enum cusolverEigRange_t { CUSOLVER_EIG_RANGE_ALL = 1001, CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V };
enum cusolverNorm_t { CUSOLVER_INF_NORM = 104, CUSOLVER_MAX_NORM, CUSOLVER_ONE_NORM, CUSOLVER_FRO_NORM };
enum cusolverAlgMode_t { CUSOLVER_ALG_0, CUSOLVER_ALG_1, CUSOLVER_ALG_2 };
typedef int cusolver_int_t;
typedef struct cusolverDnParams* cusolverDnParams_t;
typedef struct syevjInfo* syevjInfo_t;
typedef struct gesvdjInfo* gesvdjInfo_t;
typedef struct cusolverDnContext* cusolverDnHandle_t;
typedef struct cusolverSpContext* cusolverSpHandle_t;
#define COALINT_CALL(name) cusolverStatus_t name(...);
COALINT_CALL(cusolverDnCreate) COALINT_CALL(cusolverDnDestroy) COALINT_CALL(cusolverDnSetStream) COALINT_CALL(cusolverSpCreate) COALINT_CALL(cusolverSpDestroy)
COALINT_CALL(cusolverDnGetStream) COALINT_CALL(cusolverDnCreateParams) COALINT_CALL(cusolverDnDestroyParams) COALINT_CALL(cusolverDnCreateSyevjInfo) COALINT_CALL(cusolverDnDestroySyevjInfo) COALINT_CALL(cusolverDnXsyevjSetTolerance)
COALINT_CALL(cusolverDnXsyevjSetMaxSweeps) COALINT_CALL(cusolverDnXsyevjSetSortEig) COALINT_CALL(cusolverDnXsyevjGetResidual) COALINT_CALL(cusolverDnXsyevjGetSweeps) COALINT_CALL(cusolverDnCreateGesvdjInfo) COALINT_CALL(cusolverDnDestroyGesvdjInfo)
COALINT_CALL(cusolverDnXgesvdjSetTolerance) COALINT_CALL(cusolverDnXgesvdjSetMaxSweeps) COALINT_CALL(cusolverDnXgesvdjSetSortEig) COALINT_CALL(cusolverDnXgesvdjGetResidual) COALINT_CALL(cusolverDnXgesvdjGetSweeps)
#define COALINT_TWO(name) COALINT_CALL(name) COALINT_CALL(name##_bufferSize)
#define COALINT_REAL(name) COALINT_TWO(cusolverDnS##name) COALINT_TWO(cusolverDnD##name)
#define COALINT_COMPLEX(name) COALINT_TWO(cusolverDnC##name) COALINT_TWO(cusolverDnZ##name)
#define COALINT_ALL(name) COALINT_REAL(name) COALINT_COMPLEX(name)
COALINT_ALL(getrf) COALINT_ALL(getrs) COALINT_ALL(potrf) COALINT_ALL(potrs) COALINT_ALL(potri) COALINT_ALL(potrfBatched) COALINT_ALL(potrsBatched) COALINT_ALL(geqrf) COALINT_ALL(sytrf) COALINT_ALL(gebrd) COALINT_ALL(gesvd) COALINT_ALL(gesvdj)
COALINT_ALL(gesvdjBatched) COALINT_ALL(gesvdaStridedBatched) COALINT_REAL(orgqr) COALINT_REAL(ormqr) COALINT_REAL(orgbr) COALINT_REAL(orgtr) COALINT_REAL(ormtr) COALINT_REAL(sytrd) COALINT_COMPLEX(ungqr) COALINT_COMPLEX(unmqr) COALINT_COMPLEX(hetrd)
COALINT_REAL(syevd) COALINT_REAL(syevdx) COALINT_REAL(syevj) COALINT_REAL(syevjBatched) COALINT_REAL(sygvd) COALINT_REAL(sygvdx) COALINT_REAL(sygvj) COALINT_COMPLEX(heevd) COALINT_COMPLEX(heevdx) COALINT_COMPLEX(heevj) COALINT_COMPLEX(heevjBatched) COALINT_COMPLEX(hegvd) COALINT_COMPLEX(hegvj)
COALINT_TWO(cusolverDnXpotrf) COALINT_TWO(cusolverDnXpotrs) COALINT_TWO(cusolverDnXgetrf) COALINT_TWO(cusolverDnXgetrs) COALINT_TWO(cusolverDnXgeqrf) COALINT_TWO(cusolverDnXsyevd) COALINT_TWO(cusolverDnXsyevdx) COALINT_TWO(cusolverDnXgesvd) COALINT_TWO(cusolverDnXgesvdp) COALINT_TWO(cusolverDnXtrtri)
COALINT_CALL(cusolverSpSetStream) COALINT_CALL(cusolverSpScsrlsvqr) COALINT_CALL(cusolverSpDcsrlsvqr) COALINT_CALL(cusolverSpScsrlsvchol) COALINT_CALL(cusolverSpDcsrlsvchol) COALINT_CALL(cusolverSpScsrlsvlu) COALINT_CALL(cusolverSpDcsrlsvlu)
#undef COALINT_ALL
#undef COALINT_COMPLEX
#undef COALINT_REAL
#undef COALINT_TWO
#undef COALINT_CALL

enum ncclResult_t { ncclSuccess, ncclUnhandledCudaError, ncclSystemError, ncclInternalError, ncclInvalidArgument, ncclInvalidUsage, ncclRemoteError, ncclInProgress };
enum ncclDataType_t { ncclInt8, ncclChar = 0, ncclUint8, ncclInt32, ncclInt = 2, ncclUint32, ncclInt64, ncclUint64, ncclFloat16, ncclHalf = 6, ncclFloat32, ncclFloat = 7, ncclFloat64, ncclDouble = 8, ncclBfloat16 };
enum ncclRedOp_t { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg };
typedef struct ncclComm* ncclComm_t;
struct ncclUniqueId { char internal[128]; };
const char* ncclGetErrorString(ncclResult_t);
#define COALINT_CALL(name) ncclResult_t name(...);
COALINT_CALL(ncclGetUniqueId) COALINT_CALL(ncclCommInitRank) COALINT_CALL(ncclCommInitAll) COALINT_CALL(ncclCommDestroy) COALINT_CALL(ncclAllReduce) COALINT_CALL(ncclReduceScatter) COALINT_CALL(ncclAllGather)
COALINT_CALL(ncclBroadcast) COALINT_CALL(ncclReduce) COALINT_CALL(ncclSend) COALINT_CALL(ncclRecv) COALINT_CALL(ncclGroupStart) COALINT_CALL(ncclGroupEnd)
#undef COALINT_CALL
#define NCCL_VERSION_CODE 22000

enum nvrtcResult { NVRTC_SUCCESS, NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_COMPILATION = 6 };
typedef struct _nvrtcProgram* nvrtcProgram;
const char* nvrtcGetErrorString(nvrtcResult);
#define COALINT_CALL(name) nvrtcResult name(...);
COALINT_CALL(nvrtcCreateProgram) COALINT_CALL(nvrtcCompileProgram) COALINT_CALL(nvrtcDestroyProgram) COALINT_CALL(nvrtcGetPTX) COALINT_CALL(nvrtcGetPTXSize) COALINT_CALL(nvrtcGetCUBIN) COALINT_CALL(nvrtcGetCUBINSize)
COALINT_CALL(nvrtcGetProgramLog) COALINT_CALL(nvrtcGetProgramLogSize) COALINT_CALL(nvrtcVersion)
#undef COALINT_CALL

enum nvmlReturn_t { NVML_SUCCESS, NVML_ERROR_UNINITIALIZED };
enum nvmlClockType_t { NVML_CLOCK_GRAPHICS, NVML_CLOCK_SM, NVML_CLOCK_MEM };
enum nvmlTemperatureSensors_t { NVML_TEMPERATURE_GPU };
enum nvmlTemperatureThresholds_t { NVML_TEMPERATURE_THRESHOLD_SHUTDOWN, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN };
enum nvmlSamplingType_t { NVML_TOTAL_POWER_SAMPLES, NVML_GPU_UTILIZATION_SAMPLES, NVML_MEMORY_UTILIZATION_SAMPLES };
enum nvmlValueType_t { NVML_VALUE_TYPE_DOUBLE, NVML_VALUE_TYPE_UNSIGNED_INT };
typedef struct nvmlDevice_st* nvmlDevice_t;
struct nvmlSample_t { unsigned long long timeStamp; union { double dVal; unsigned int uiVal; } sampleValue; };
const char* nvmlErrorString(nvmlReturn_t);
#define COALINT_CALL(name) nvmlReturn_t name(...);
COALINT_CALL(nvmlInit) COALINT_CALL(nvmlShutdown) COALINT_CALL(nvmlDeviceGetHandleByIndex) COALINT_CALL(nvmlDeviceGetHandleByIndex_v2) COALINT_CALL(nvmlDeviceGetClockInfo) COALINT_CALL(nvmlDeviceGetMaxClockInfo) COALINT_CALL(nvmlDeviceGetPowerUsage)
COALINT_CALL(nvmlDeviceGetPowerManagementLimit) COALINT_CALL(nvmlDeviceGetTemperature) COALINT_CALL(nvmlDeviceGetTemperatureThreshold) COALINT_CALL(nvmlDeviceGetFanSpeed) COALINT_CALL(nvmlDeviceGetSamples) COALINT_CALL(nvmlDeviceGetCurrentClocksThrottleReasons)
#undef COALINT_CALL
enum : unsigned long long { nvmlClocksThrottleReasonSwPowerCap = 4, nvmlClocksThrottleReasonHwThermalSlowdown = 64, nvmlClocksThrottleReasonSwThermalSlowdown = 32, nvmlClocksThrottleReasonHwPowerBrakeSlowdown = 128, nvmlClocksThrottleReasonAll = 511 };

struct nvtxEventAttributes_t { unsigned short version, size; unsigned int category; int colorType; unsigned int color; int payloadType; union { unsigned long long ullValue; double dValue; } payload; int messageType; union { const char* ascii; } message; };
typedef unsigned long long nvtxRangeId_t;
#define COALINT_CALL(name) int name(...);
COALINT_CALL(nvtxRangePush) COALINT_CALL(nvtxRangePushA) COALINT_CALL(nvtxRangePushEx) COALINT_CALL(nvtxRangePop) COALINT_CALL(nvtxMark) COALINT_CALL(nvtxMarkA) COALINT_CALL(nvtxRangeStartA) COALINT_CALL(nvtxRangeEnd)
COALINT_CALL(nvtxNameCudaStreamA) COALINT_CALL(nvtxNameCudaEventA) COALINT_CALL(nvtxNameOsThreadA)
#undef COALINT_CALL
enum { NVTX_VERSION = 3, NVTX_EVENT_ATTRIB_STRUCT_SIZE = 48, NVTX_COLOR_ARGB = 1, NVTX_MESSAGE_TYPE_ASCII = 1 };
namespace nvtx3 {
struct color { constexpr color(unsigned int) {} }; struct domain { static constexpr const char* name = ""; }; struct message { message(const char*); };
struct event_attributes { template <class... A_> event_attributes(A_&&...); };
struct scoped_range { template <class... A_> explicit scoped_range(A_&&...); };
template <class D_ = domain> struct scoped_range_in { template <class... A_> explicit scoped_range_in(A_&&...); };
template <class D_ = domain> struct registered_string_in { template <class... A_> explicit registered_string_in(A_&&...); };
}
#define NVTX3_FUNC_RANGE_IN(domain)
#define NVTX3_FUNC_RANGE()

extern "C" int omp_get_thread_num();
extern "C" int omp_get_num_threads();
extern "C" int omp_get_max_threads();
extern "C" int omp_get_num_procs();
extern "C" void omp_set_num_threads(int);
extern "C" double omp_get_wtime();

COALINT_HOST_DEVICE_END
