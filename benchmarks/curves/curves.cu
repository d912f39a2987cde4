// The classic access patterns, timed. Prints one JSON object per point; benchmarks/measure_curves.py runs it.
//
// A time is the best of several repeats after a warm-up, between two CUDA events. Kernels that read DRAM are timed one
// launch at a time, after the reading of another buffer has driven their data out of the L2; the transposes in batches.

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error));         \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

constexpr int kThreads = 256;
constexpr int kLoads = 8;  // per thread, independent, so that latency does not decide
constexpr int kRepeats = 50;
constexpr int kWarmups = 3;
constexpr size_t kFlushBytes = size_t(512) << 20;

static cudaEvent_t begin_event, end_event;
static unsigned *flush_buffer, *flush_result;

// Fills the L2 cache with lines that need not be written back.
__global__ void flush_l2(const unsigned* in, unsigned* out) {
    unsigned sum = 0;
    for (size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x; i < kFlushBytes / sizeof(unsigned);
         i += size_t(gridDim.x) * kThreads)
        sum += in[i];
    if (sum == 1) out[0] = sum;
}

// The best time of `batch` launches, in milliseconds per launch.
template <typename Launch>
static double best_ms(Launch launch, int batch, bool flush) {
    double best = 1e30;
    for (int repeat = -kWarmups; repeat < kRepeats; repeat++) {
        if (flush) flush_l2<<<1024, kThreads>>>(flush_buffer, flush_result);
        CHECK(cudaEventRecord(begin_event));
        for (int i = 0; i < batch; i++) launch();
        CHECK(cudaEventRecord(end_event));
        CHECK(cudaEventSynchronize(end_event));
        CHECK(cudaGetLastError());
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin_event, end_event));
        if (repeat >= 0 && ms / batch < best) best = ms / batch;
    }
    return best;
}

// ---- Stride: every lane loads one float, `stride` floats from its neighbour's.

__global__ void strided(const float* in, float* out, size_t total, int stride) {
    size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x;
    size_t step = total / kLoads;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kLoads; k++) sum += in[(i + k * step) * stride];
    if (sum == 1.25f) out[0] = sum;
}

// The same out of the L2 cache: blocks go round the same few chunks, past the L1 cache.
constexpr unsigned kChunks = 512;

__global__ void strided_in_l2(const float* in, float* out, int rounds, int stride) {
    float sum = 0;
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int k = 0; k < kLoads; k++) {
            unsigned chunk = (blockIdx.x + 37 * (round * kLoads + k)) % kChunks;
            sum += __ldcg(&in[(chunk * kThreads + threadIdx.x) * stride]);
        }
    }
    if (sum == 1.25f) out[0] = sum;
}

static void print_stride(const char* from, int stride, double ms, size_t bytes) {
    printf("{\"curve\": \"stride\", \"from\": \"%s\", \"stride\": %d, \"ms\": %.6f, \"bytes\": %zu}\n", from, stride, ms,
           bytes);
}

static void measure_strides() {
    const size_t total = size_t(1) << 27;
    const int blocks = 132 * 8, rounds = 256;
    float *in, *out;
    CHECK(cudaMalloc(&in, total * 32 * sizeof(float)));
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemset(in, 0, total * 32 * sizeof(float)));
    for (int stride = 1; stride <= 32; stride++) {
        double ms = best_ms([&] { strided<<<total / kLoads / kThreads, kThreads>>>(in, out, total, stride); }, 1, true);
        print_stride("dram", stride, ms, total * sizeof(float));
    }
    for (int stride = 1; stride <= 32; stride++) {
        double ms = best_ms([&] { strided_in_l2<<<blocks, kThreads>>>(in, out, rounds, stride); }, 5, false);
        print_stride("l2", stride, ms, size_t(blocks) * kThreads * kLoads * rounds * sizeof(float));
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

// ---- Array of structs against struct of arrays: one field of each record, or all of them.

template <int Fields>
struct Record {
    float field[Fields];
};

template <int Fields, int Used>
__global__ void array_of_structs(const Record<Fields>* in, float* out, size_t total) {
    size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x;
    size_t step = total / kLoads;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kLoads; k++) {
#pragma unroll
        for (int f = 0; f < Used; f++) sum += in[i + k * step].field[f];
    }
    if (sum == 1.25f) out[0] = sum;
}

template <int Used>
__global__ void struct_of_arrays(const float* in, float* out, size_t total) {
    size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x;
    size_t step = total / kLoads;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kLoads; k++) {
#pragma unroll
        for (int f = 0; f < Used; f++) sum += in[f * total + i + k * step];
    }
    if (sum == 1.25f) out[0] = sum;
}

template <int Fields, int Used>
static void measure_records(const char* used) {
    const size_t total = size_t(1) << 26;
    const unsigned grid = total / kLoads / kThreads;
    const size_t most = total * sizeof(Record<8>);  // the same for all, so that none lies better than another
    float *in, *out;
    CHECK(cudaMalloc(&in, most));
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemset(in, 0, most));
    auto records = reinterpret_cast<const Record<Fields>*>(in);
    double aos = best_ms([&] { array_of_structs<Fields, Used><<<grid, kThreads>>>(records, out, total); }, 1, true);
    double soa = best_ms([&] { struct_of_arrays<Used><<<grid, kThreads>>>(in, out, total); }, 1, true);
    const double times[2] = {aos, soa};
    const char* layouts[2] = {"aos", "soa"};
    for (int i = 0; i < 2; i++)
        printf("{\"curve\": \"records\", \"layout\": \"%s\", \"used\": \"%s\", \"record_bytes\": %zu, \"ms\": %.6f, "
               "\"bytes\": %zu}\n", layouts[i], used, sizeof(Record<Fields>), times[i], total * Used * sizeof(float));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

// ---- Transpose of a square matrix, 32x32 elements per block of 32x8 threads.

constexpr int kTile = 32, kRows = 8;

__global__ void copy(const float* __restrict__ in, float* __restrict__ out, int n) {
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows) out[size_t(y + j) * n + x] = in[size_t(y + j) * n + x];
}

__global__ void transpose_naive(const float* __restrict__ in, float* __restrict__ out, int n) {
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows) out[size_t(x) * n + y + j] = in[size_t(y + j) * n + x];
}

template <int Pitch>
__global__ void transpose_tile(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float tile[kTile][Pitch];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows) tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x;
    y = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows) out[size_t(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

static void measure_transposes() {
    for (int n = 1024; n <= 8192; n *= 2) {
        const size_t bytes = size_t(n) * n * sizeof(float);
        float *in, *out;
        CHECK(cudaMalloc(&in, bytes));
        CHECK(cudaMalloc(&out, bytes));
        CHECK(cudaMemset(in, 0, bytes));
        dim3 grid(n / kTile, n / kTile), block(kTile, kRows);
        void (*kernels[4])(const float*, float*, int) = {copy, transpose_naive, transpose_tile<32>, transpose_tile<33>};
        const char* names[4] = {"copy", "naive", "tile", "padded"};
        for (int i = 0; i < 4; i++) {
            double ms = best_ms([&] { kernels[i]<<<grid, block>>>(in, out, n); }, 20, false);
            printf("{\"curve\": \"transpose\", \"kernel\": \"%s\", \"n\": %d, \"ms\": %.6f, \"bytes\": %zu}\n",
                   names[i], n, ms, 2 * bytes);
        }
        CHECK(cudaFree(in));
        CHECK(cudaFree(out));
    }
}

// ---- Bank conflicts: `ways` lanes at a time want different words of one bank.

constexpr int kWarps = 32, kRounds = 512;

__global__ void __launch_bounds__(32 * kWarps) conflicts(unsigned* out, int ways) {
    __shared__ unsigned words[32 * 32 + kLoads];
    for (int i = threadIdx.x; i < 32 * 32 + kLoads; i += 32 * kWarps) words[i] = 0;
    __syncthreads();
    int lane = threadIdx.x % 32;
    unsigned at = unsigned(__cvta_generic_to_shared(&words[lane % ways * 32 + lane / ways]));
    unsigned sum = 0;
    for (int round = 0; round < kRounds; round++) {
#pragma unroll
        for (int k = 0; k < kLoads; k++) {
            unsigned value;  // volatile, lest a value be kept instead of loaded again
            asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(at + 4 * k));
            sum += value;
        }
    }
    if (sum == 1) out[0] = sum;
}

static void measure_conflicts(int processors) {
    unsigned* out;
    CHECK(cudaMalloc(&out, sizeof(unsigned)));
    for (int ways = 1; ways <= 32; ways++) {
        double ms = best_ms([&] { conflicts<<<processors, 32 * kWarps>>>(out, ways); }, 5, false);
        printf("{\"curve\": \"conflicts\", \"ways\": %d, \"ms\": %.6f, \"loads\": %d}\n", ways, ms,
               kWarps * kRounds * kLoads);
    }
    CHECK(cudaFree(out));
}

int main() {
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaEventCreate(&begin_event));
    CHECK(cudaEventCreate(&end_event));
    CHECK(cudaMalloc(&flush_buffer, kFlushBytes));
    CHECK(cudaMalloc(&flush_result, sizeof(unsigned)));
    CHECK(cudaMemset(flush_buffer, 0, kFlushBytes));
    printf("{\"curve\": \"device\", \"processors\": %d, \"l2_bytes\": %d}\n", device.multiProcessorCount,
           device.l2CacheSize);
    measure_strides();
    measure_records<3, 1>("one");
    measure_records<4, 1>("one");
    measure_records<6, 1>("one");
    measure_records<8, 1>("one");
    measure_records<3, 3>("all");
    measure_records<4, 4>("all");
    measure_records<6, 6>("all");
    measure_records<8, 8>("all");
    measure_transposes();
    measure_conflicts(device.multiProcessorCount);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
