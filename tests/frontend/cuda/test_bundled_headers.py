"""The bundled CUDA headers: they parse without a word, have CUDA's sizes, and hold the vocabulary that kernels use."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from clang.cindex import Cursor, CursorKind, Index, TranslationUnit, TypeKind

from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.libclang.bindings import BASE

_CUDA = re.compile(r"\bcuda[A-Z]\w*")
FOLDER = TemporaryDirectory(prefix="coalint-headers-")
FORCED = ("-include", str(INCLUDE / "coalint_cuda.h"))
KEEP_GOING, DETAILED_PREPROCESSING_RECORD, FOR_PRECOMPILING = 0x200, 0x1, 0x12


@cache
def precompiled() -> tuple[str, str]:
    """The forced include, parsed once for all tests that do not change its flags."""
    path = Path(FOLDER.name) / "coalint_cuda.pch"
    header = str(INCLUDE / "coalint_cuda.h")
    Index.create().parse(header, [*BASE], options=KEEP_GOING | FOR_PRECOMPILING).save(str(path))
    return "-include-pch", str(path)


def parse(source: str, *flags: str) -> TranslationUnit:
    return Index.create().parse(
        "case.cu",
        [*BASE, *(flags or precompiled())],
        unsaved_files=[("case.cu", source)],
        options=KEEP_GOING | DETAILED_PREPROCESSING_RECORD,
    )


def complaints(source: str, *flags: str) -> list[str]:
    return [f"{d.location.file}:{d.location.line}: {d.spelling}" for d in parse(source, *flags).diagnostics]


@cache
def forced() -> dict[str, Cursor]:
    """Everything that the forced include declares at global scope, by name."""
    names: dict[str, Cursor] = {}
    scopes = [parse("", *FORCED).cursor]
    while scopes:
        for cursor in scopes.pop().get_children():
            if cursor.kind == CursorKind.LINKAGE_SPEC:
                scopes.append(cursor)
            elif cursor.spelling:
                names[cursor.spelling] = cursor
    return names


def headers() -> list[str]:
    return sorted(str(path.relative_to(INCLUDE)) for path in INCLUDE.rglob("*") if path.is_file())


CASES = {
    "language": """
        __device__ __managed__ int counter; __constant__ float weights[64]; __device__ float scratch[16];
        __device__ __forceinline__ float4 operator+(float4 a, float4 b) {
        return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
        #define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
        #define WARP_SIZE 32
        template <typename T> __host__ __device__ T cdiv(T a, T b) { return (a + b - 1) / b; }
        template <typename T, int N = 32>
        __global__ void __launch_bounds__(256, 2) k(const T* __restrict__ in, T* out, const __grid_constant__
            int n) {
            __shared__ T tile[N][N + 1]; extern __shared__ __align__(16) unsigned char dynamic[];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            #pragma unroll
            for (int j = 0; j < N; j += WARP_SIZE) tile[threadIdx.y][j] = in[min(i, n - 1)];
            __syncthreads();
            if (i < n) out[i] = max(tile[0][threadIdx.x % N], T(weights[i & 63])) +
                reinterpret_cast<T*>(dynamic)[i];
            assert(i >= 0 && "index");
        }
        void go(float* p, cudaStream_t s) { dim3 block(32, 8), grid{4};
        k<float><<<grid, block, 0, s>>>(p, p, 5); k<float, 64><<<CEIL_DIV(7, 2), 128>>>(p, p, 3); }
    """,
    "own_overloads": """
        #if __CUDA_ARCH__ < 600
        __device__ double atomicAdd(double* p, double v) { return v; }
        #endif
        __device__ float atomicMax(float* p, float v) { return v; }
        template <typename T> __device__ T min(T a, T b, T c) { return min(a, min(b, c)); }
        using std::max;
        using namespace std;
        __global__ void k(double* d, float* f, size_t n) { atomicAdd(d, 1.0); atomicMax(f, 2.0f);
        f[min(1, 2, 3)] = max(1.0f, 2.0f) + max(n, size_t(3)); }
    """,
    "intrinsics": """
        __global__ void k(int* a, unsigned* u, float* f, float4* v, unsigned long long* w, const int* in) {
            int x = __ldg(in) + __ldcg(in + 1); float4 q = __ldg(v); __stcs(v, q); __stwt(a, x);
            x = __shfl_down_sync(0xffffffff, x, 1) + __shfl_xor_sync(~0u, x, 16, 32) + __shfl_up_sync(~0u, x, 1);
            unsigned m = __ballot_sync(__activemask(), x > 0);
            x += __popc(m) + __ffs(x) + __clz(x) + __any_sync(m, x) + __reduce_add_sync(m, x);
            atomicAdd(a, 1); atomicAdd(u, 1); atomicAdd(f, 1); atomicAdd(w, 1ull); atomicCAS(w, 1ull, 2ull);
            atomicExch(f, 1.f); atomicAdd_block(a, 1); atomicInc(u, 7u);
            __nv_atomic_fetch_add(a, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
            __nv_atomic_or(u, 1u, __NV_ATOMIC_RELAXED);
            x += __nv_atomic_load_n(in, __NV_ATOMIC_ACQUIRE); __nv_atomic_store_n(a, x, __NV_ATOMIC_RELEASE);
            int was = 0; __nv_atomic_compare_exchange_n(a, &was, 1, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED);
            *u = __vabsss2(*u) + __vsetgtu4(*u, 3u) + __viaddmax_s16x2_relu(*u, 1u, 2u);
            bool high; x = __vibmax_s32(x, 3, &high);
            f[0] = __expf(f[1]) + __fdividef(f[2], 3.f) + rsqrtf(f[3]) + fmaf(f[0], f[1], f[2]) + sqrt(x) +
                pow(2.0f, 3) + fminf(f[0], f[1]) + std::abs(f[1]);
            *u = __umulhi(*u, 3u) + __byte_perm(*u, *u, 0x1230) + __funnelshift_l(*u, *u, 3) + __vadd4(*u, *u);
            x = __dp4a(x, x, x) + __mul24(x, 3);
            __threadfence(); __syncwarp(); __nanosleep(20); if (isnan(f[0]) || isinf(f[1])) __trap();
            long long t = clock64() + clock(); printf("%lld", t); __syncthreads_count(x);
            size_t s = __cvta_generic_to_shared(f);
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(f[0]) : "l"(f)); memcpy(a, in, 16); memset(a, 0, 4);
        }
    """,
    "halves": """
        #include <cuda_fp16.h>
        #include <cuda_bf16.h>
        __global__ void k(half* h, half2* p, __nv_bfloat16* b, __nv_bfloat162* c, float2* f, int i) {
            __shared__ half tile[32][33]; __shared__ __nv_bfloat162 pairs[8];
            h[i] = __float2half(1.0f) + h[i] * __hmul(h[0], h[1]); h[i] = 2.0f; h[i] += h[0]; float x = h[i];
            x = __half2float(h[i]) * 0.5f;
            p[i] = __hfma2(p[i], __float2half2_rn(2.f), __halves2half2(h[0], h[1])); p[i] = p[0] + p[1];
            f[i] = __half22float2(p[i]); h[0] = __low2half(p[i]); h[1] = p[i].y;
            b[i] = __float2bfloat16(x); c[i] = __floats2bfloat162_rn(x, x);
            c[i] = __hmul2(c[i], __bfloat162bfloat162(b[i])); x = __bfloat162float(b[i]);
            f[0] = __bfloat1622float2(c[0]);
            if (h[i] > h[0] || __hgt(h[1], h[2]) || b[i] < b[0]) h[i] = hexp(h[i]);
            tile[0][i] = __hmax(h[i], h[0]); pairs[i] = make_bfloat162(b[0], b[1]);
            atomicAdd(p, p[i]); atomicAdd(b, b[i]); h[0] = (half)i; int n = (int)h[i];
            h[n] = __int2half_rn(n) - half(1); h[2] = -h[1]; h[3] = __shfl_xor_sync(~0u, h[1], 1);
        }
    """,
    "small_floats": """
        #include <cuda_fp8.h>
        #include <cuda_fp4.h>
        __global__ void k(__nv_fp8_e4m3* a, __nv_fp8x4_e4m3* b, float* f, __nv_fp8_storage_t* s,
            __nv_fp4x2_storage_t* t) {
            a[0] = __nv_fp8_e4m3(f[0]); f[1] = float(a[1]); b[0] = __nv_fp8x4_e4m3(make_float4(1, 2, 3, 4));
            s[0] = __nv_cvt_float_to_fp8(f[0], __NV_SATFINITE, __NV_E4M3);
            t[0] = __nv_cvt_float2_to_fp4x2(make_float2(1, 2), __NV_E2M1, cudaRoundNearest);
        }
    """,
    "cooperative_groups": """
        #include <cooperative_groups.h>
        #include <cooperative_groups/memcpy_async.h>
        #include <cooperative_groups/reduce.h>
        namespace cg = cooperative_groups;
        template <class Group> __device__ float total(Group g, float v) { for (int i = g.size() / 2; i > 0;
        i /= 2) v += g.shfl_down(v, i); return v; }
        __device__ int sum(cg::thread_group g, int v) { g.sync(); return g.thread_rank() + g.size(); }
        __global__ void k(float* a, int n) {
            cg::thread_block block = cg::this_thread_block(); cg::grid_group grid = cg::this_grid();
            cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
            auto quad = cg::tiled_partition<4>(warp); auto active = cg::coalesced_threads();
            for (size_t i = grid.thread_rank(); i < n; i += grid.size()) a[i] = cg::reduce(warp, a[i],
                cg::plus<float>());
            a[block.group_index().x * block.dim_threads().x + block.thread_index().x] += total(warp, 1.f) +
                total(quad, 1.f) + warp.meta_group_rank() * quad.meta_group_size();
            sum(block, 1); sum(cg::tiled_partition(block, 16), 1); cg::sync(block); warp.sync(); grid.sync();
            quad.any(1); if (active.thread_rank() == 0) atomicAdd(a, active.size());
            cg::memcpy_async(block, a, a + n, sizeof(float) * 4); cg::wait(block);
            cg::reduce(warp, n, [](int x, int y) { return x < y ? x : y; });
        }
    """,
    "asynchronous_copies": """
        #include <cuda_pipeline.h>
        #include <cuda/pipeline>
        #include <cuda/barrier>
        #include <cooperative_groups.h>
        __global__ void k(const float4* in, float* out) {
            __shared__ float4 tile[2][64]; __shared__ cuda::barrier<cuda::thread_scope_block> bar;
            auto block = cooperative_groups::this_thread_block();
            if (threadIdx.x == 0) init(&bar, blockDim.x);
            __syncthreads();
            __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], sizeof(float4));
            __pipeline_commit(); __pipeline_wait_prior(0);
            cuda::memcpy_async(&tile[1][threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<16>(16), bar);
            cuda::memcpy_async(block, tile[0], in, sizeof(float4) * 64, bar);
            bar.arrive_and_wait(); auto token = bar.arrive(); bar.wait(std::move(token));
            cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
            __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
            auto shared = cuda::make_pipeline(block, &state);
            pipe.producer_acquire(); cuda::memcpy_async(&tile[0][0], in, 16, pipe); pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<1>(pipe); shared.consumer_wait(); shared.consumer_release();
            out[threadIdx.x] = tile[0][threadIdx.x].x;
        }
    """,
    "tensor_cores": """
        #include <mma.h>
        using namespace nvcuda;
        __global__ void k(const half* a, const half* b, float* c) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
            wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc[2];
            wmma::fill_fragment(fc[0], 0.0f); wmma::load_matrix_sync(fa, a, 16);
            wmma::load_matrix_sync(fb, b, 16); wmma::load_matrix_sync(fc[1], c, 16, wmma::mem_row_major);
            wmma::mma_sync(fc[0], fa, fb, fc[0]);
            for (int i = 0; i < fc[0].num_elements; i++) fc[0].x[i] *= 2.0f;
            wmma::store_matrix_sync(c, fc[0], 16, wmma::mem_row_major);
        }
    """,
    "concepts": """
        #include <bit>
        #include <concepts>
        #include <numbers>
        #include <span>
        template <std::floating_point T> __global__ void k(std::span<const T> in, T* out) requires(sizeof(T) == 4) {
            out[threadIdx.x] = in[threadIdx.x] * std::numbers::pi_v<T> + std::bit_cast<float>(3) + std::popcount(7u);
        }
        void go(float* p) { k<float><<<1, 32>>>({p, 32}, p); if (auto order = 1 <=> 2; order < 0) return; }
    """,
    "standard_library": """
        #include <algorithm>
        #include <array>
        #include <cfloat>
        #include <functional>
        #include <iostream>
        #include <memory>
        #include <string>
        #include <tuple>
        #include <vector>
        #include <map>
        #include <chrono>
        #include <random>
        #include <fstream>
        #include <optional>
        #include <complex>
        struct Shape { int rows, columns; };
        template <typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0> __device__ T half_of(T v)
            { return v / 2; }
        __global__ void k(float* a, std::array<int, 4> shape, std::tuple<int, float> t, std::pair<int, int> p) {
            a[shape[1] + std::get<0>(t) + p.first] = std::max(1.0f, std::numeric_limits<float>::max()) +
                half_of(2.0f) + std::sqrt(2.0f) + std::fmax(1.0f, 2.0f);
            auto [x, y] = p; std::swap(x, y); a[std::min<size_t>(x, 3)] = INFINITY;
            std::complex<float> z(1, 2); a[0] = (z * z).real(); a[1] = FLT_MAX + INT_MAX + M_PI;
        }
        template <size_t... i> int total(std::index_sequence<i...>) { return (int(i) + ... + 0); }
        int main(int argc, char** argv) {
            std::vector<float> v(64, 1.f); std::vector<std::vector<int>> nested{{1, 2}, {3}};
            std::map<std::string, Shape> shapes{{"a", {1, 2}}}; std::unique_ptr<float[]> owned(new float[8]);
            struct Local { int key; }; std::vector<Local> locals; locals.push_back({3});
            std::sort(locals.begin(), locals.end(), [](const Local& a, const Local& b) { return a.key < b.key; });
            for (auto& [name, shape] : shapes) std::cout << name << shape.rows << std::endl;
            auto [rows, columns] = shapes["a"]; std::mt19937 engine(42);
            std::uniform_real_distribution<float> random(0.f, 1.f); std::generate(v.begin(), v.end(), [&] {
            return random(engine); });
            auto start = std::chrono::high_resolution_clock::now();
            double ms = std::chrono::duration<double, std::milli>(std::chrono::high_resolution_clock::now() -
                start).count();
            std::ofstream out("x.txt"); out << ms << "\\n"; std::string s = std::string("a") +
                std::to_string(rows); std::function<int(int)> f = [](int i) { return i; }; std::optional<int> o = 3;
            k<<<v.size() / 32, 32>>>(owned.get(), {1, 2, 3, 4}, {1, 2.f}, {3, 4});
            throw std::runtime_error("no " + s); return f(total(std::make_index_sequence<3>{})) + *o +
                atoi(argv[1]);
        }
    """,
    "run_time": """
        #include <cuda_runtime.h>
        #define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \\
            fprintf(stderr, "%s:%d %s\\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(EXIT_FAILURE); } } \\
            while (0)
        __constant__ float table[8]; __global__ void k(float* a, int n) { a[threadIdx.x] = table[n]; }
        int main() {
            float *d, *h; int n = 3; CHECK(cudaMalloc(&d, 64)); CHECK(cudaMalloc((void**)&d, 64));
            CHECK(cudaMallocHost(&h, 64)); CHECK(cudaMallocManaged(&d, 64));
            CHECK(cudaMemcpyToSymbol(table, h, 32));
            cudaStream_t stream; cudaEvent_t start, stop; cudaStreamCreate(&stream); cudaEventCreate(&start);
            cudaEventRecord(start, stream); float ms; cudaEventElapsedTime(&ms, start, stop);
            cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0); int blocks, threads;
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 128, 0);
            cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, k, 0, 0);
            cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, prop.sharedMemPerBlockOptin);
            k<<<prop.multiProcessorCount, threads, 0, stream>>>(d, n);
            void* args[] = {&d, &n}; cudaLaunchKernel((void*)k, dim3(1), dim3(32), args, 0, stream);
            cudaLaunchCooperativeKernel((void*)k, 1, 32, args); cudaLaunchConfig_t config = {};
            config.gridDim = 4; cudaLaunchKernelEx(&config, k, d, 3);
            cudaGraph_t graph; cudaGraphExec_t exec; cudaStreamBeginCapture(stream,
                cudaStreamCaptureModeGlobal); cudaStreamEndCapture(stream, &graph);
            cudaGraphInstantiate(&exec, graph, NULL, NULL, 0); cudaGraphLaunch(exec, stream);
            CHECK(cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, stream)); CHECK(cudaDeviceSynchronize());
            cudaFree(d); return cudaGetLastError() != cudaSuccess;
        }
    """,
    "textures": """
        texture<float, 2, cudaReadModeElementType> reference;
        texture<uchar4, 2, cudaReadModeNormalizedFloat> colours; surface<void, 2> target;
        __global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float* out) {
            float4 c = tex2D(colours, 1.f, 2.f); out[0] = tex2D<float>(t, 1.f, 2.f) + tex1Dfetch<float>(t,
                threadIdx.x) + tex2D(reference, 0.5f, 1.f) + c.x + tex3D<float>(t, 1, 2, 3);
            surf2Dwrite(make_uchar4(1, 2, 3, 4), s, threadIdx.x * 4, threadIdx.y);
            surf2Dwrite(1.f, target, 0, 0); uchar4 u; surf2Dread(&u, s, 4, 4);
        }
        void go(cudaArray_t array) { cudaTextureDesc d = {}; d.addressMode[0] = cudaAddressModeClamp;
        cudaResourceDesc r = {}; r.res.array.array = array; cudaTextureObject_t t;
        cudaCreateTextureObject(&t, &r, &d, NULL); cudaBindTextureToArray(reference, array); }
    """,
    "random_numbers": """
        #include <curand_kernel.h>
        __global__ void k(curandState* s, curandStatePhilox4_32_10_t* p, float* a) {
            curandState local = s[threadIdx.x]; curand_init(1234ULL, threadIdx.x, 0, &local);
            a[0] = curand_uniform(&local) + curand_normal(&local); s[threadIdx.x] = local;
            float4 v = curand_uniform4(p); a[1] = v.x + curand(&local);
        }
    """,
    "cub": """
        #include <cub/cub.cuh>
        template <int threads, int items> __global__ void k(const float* in, float* out, int n) {
            using Load = cub::BlockLoad<float, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
            using Reduce = cub::BlockReduce<float, threads>; using Scan = cub::BlockScan<float, threads>;
            using Store = cub::BlockStore<float, threads, items>;
            __shared__ union { typename Load::TempStorage load; typename Reduce::TempStorage reduce;
            typename Scan::TempStorage scan; typename Store::TempStorage store; } temp;
            __shared__ typename cub::WarpReduce<int>::TempStorage warp[4];
            float v[items]; Load(temp.load).Load(in, v); Load(temp.load).Load(in, v, n);
            Load(temp.load).Load(in, v, n, 0.f); float total = Reduce(temp.reduce).Sum(v);
            total = Reduce(temp.reduce).Reduce(total, cub::Max());
            Scan(temp.scan).ExclusiveSum(v, v); Scan(temp.scan).InclusiveSum(total, v[0], total);
            Store(temp.store).Store(out, v); int w = cub::WarpReduce<int>(warp[0]).Sum(3); out[w] = total;
        }
        void go(float* p, size_t bytes) { k<128, 4><<<1, 128>>>(p, p, 3);
        cub::DeviceReduce::Sum(nullptr, bytes, p, p, 8); cub::DeviceRadixSort::SortPairs(nullptr, bytes, p, p,
            p, p, 8); }
    """,
    "thrust": """
        #include <thrust/complex.h>
        #include <thrust/copy.h>
        #include <thrust/device_vector.h>
        #include <thrust/execution_policy.h>
        #include <thrust/host_vector.h>
        #include <thrust/reduce.h>
        #include <thrust/sort.h>
        #include <thrust/tuple.h>
        struct Twice { __host__ __device__ float operator()(float v) const { return 2 * v; } };
        __global__ void k(float* a, thrust::tuple<int, float> t, thrust::complex<float> z) {
        a[thrust::get<0>(t)] = z.real(); }
        int main() {
            thrust::host_vector<float> h(64); thrust::device_vector<float> d = h;
            thrust::transform(d.begin(), d.end(), d.begin(), Twice());
            thrust::sort(thrust::device, d.begin(), d.end());
            float sum = thrust::reduce(d.begin(), d.end(), 0.f, thrust::plus<float>());
            k<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), thrust::make_tuple(1, 2.f), {1.f, 2.f});
            k<<<1, 32>>>(thrust::raw_pointer_cast(&d[0]), {1, 2.f}, {1.f, 2.f});
            int n = thrust::copy_if(d.begin(), d.end(), d.begin(), Twice()) - d.begin(); return n + d.size() + sum;
        }
    """,
    "cuda_std": """
        #include <cuda/cmath>
        #include <cuda/std/algorithm>
        #include <cuda/std/array>
        #include <cuda/std/tuple>
        #include <cuda/std/limits>
        #include <cuda/atomic>
        __global__ void k(int* a, cuda::std::array<int, 3> s) {
            cuda::atomic_ref<int, cuda::thread_scope_device> r(a[0]);
            r.fetch_add(1, cuda::std::memory_order_relaxed); a[cuda::std::min(s[0], 3)] =
                cuda::std::numeric_limits<int>::max() + cuda::ceil_div(7, 2);
            static_assert(cuda::std::is_same_v<int, int>);
        }
    """,
    "torch_indexing": """
        #include <cub/cub.cuh>
        #include <math_constants.h>
        #include <thrust/version.h>
        #include <torch/extension.h>
        #if THRUST_VERSION < 100000
        #error old
        #endif
        using namespace at::indexing;
        using namespace torch::indexing;
        __global__ void k(float* a) { a[threadIdx.x] = CUDART_NORM_HUGE_F + CUDART_PI_LO + CUDART_TWO_TO_M126_F; }
        int main() {
            torch::Tensor t; t.index({Slice(None, 3), Ellipsis}); t.index({0}); t.index({t, 1}).sum(); t.index(t);
            t.index_put_({t}, t, true); t.index_put_({0, at::indexing::Slice()}, 1.0);
            CubDebugExit(cudaMalloc((void**)nullptr, 4)); return CubDebug(cudaDeviceSynchronize());
        }
    """,
    "std_tuple": """
        #include <chrono>
        #include <functional>
        #include <new>
        #include <string>
        #include <thread>
        #include <tuple>
        std::tuple<int*, int*, int> nothing() { return {NULL, nullptr, 0}; }
        std::pair<int*, int> none() { return {NULL, 0}; }
        std::pair<std::pair<int, int>, float> nested() { return {{1, 2}, 0}; }
        std::tuple<float, std::tuple<int, int>> deeper() { return {1.f, {1, 2}}; }
        std::tuple<long, float> other() { return std::make_pair(1, 2.0); }
        struct Key { int u, v; bool operator<(const Key& o) const { return std::tie(u, v) < std::tie(o.u, o.v); }
            bool operator==(const Key& o) const { return std::tie(u, v) == std::tie(o.u, o.v); } };
        float* room(size_t n) { using namespace std; return new (nothrow) float[n]; }
        std::string text() { using namespace std::literals::string_literals; using namespace std::placeholders;
            return "a"s + "b"s; }
        void rest() { using namespace std::chrono_literals; std::this_thread::sleep_for(10ms);
            std::this_thread::sleep_for(1s); }
        __device__ std::tuple<int, int> least(std::tuple<int, int> a, std::tuple<int, int> b) {
            static_assert(std::make_tuple(1, 2) < std::make_tuple(1, 3));
            static_assert(std::make_tuple(1, 2) != std::make_tuple(2, 2));
            return a < b ? a : b; }
        __global__ void k(float* a) { auto t = least({1, 2}, std::make_tuple(threadIdx.x, 2)); a[std::get<0>(t)] = 1; }
    """,
    "reduced_precision": """
        #include <torch/extension.h>
        template <typename T> __device__ float f(T v, float s, double d, int i) {
            T w = v * T(2) + v; w += v; float a = v * s + s * v - v / s; double b = d * v; T c = v * i;
            if (v >= 0 && 1.f < v && v == c && v != d) a = -v; return a + b + float(c) + max(float(v), a);
        }
        __global__ void k(c10::Half* h, at::BFloat16* b, float* a) { a[0] = f(h[0], 1, 2, 3) + f(b[0], 1, 2, 3); }
    """,
    "spans": """
        #include <cuda/std/span>
        template <class T, size_t n = cuda::std::dynamic_extent> using view = cuda::std::span<T, n>;
        __global__ void k(view<const float> in, view<float, 8> out) { out[threadIdx.x] = in[threadIdx.x]; }
    """,
    "torch": """
        #include <torch/extension.h>
        #include <ATen/core/TensorAccessor.h>
        #include <ATen/cuda/CUDAContext.h>
        #include <c10/cuda/CUDAGuard.h>
        template <typename scalar_t> __global__ void k(const torch::PackedTensorAccessor32<scalar_t, 3,
            torch::RestrictPtrTraits> in, torch::PackedTensorAccessor64<scalar_t, 1> out, scalar_t*
            __restrict__ p, int n) {
            CUDA_KERNEL_LOOP(i, n) { p[i] = in[blockIdx.x][threadIdx.y][i] + out[i];
            gpuAtomicAdd(p + i, static_cast<scalar_t>(1)); }
        }
        torch::Tensor forward(torch::Tensor input) {
            TORCH_CHECK(input.is_cuda(), "must be on a GPU");
            at::TensorArg input_t{input, "input", 1}; at::CheckedFrom c = "forward";
            at::checkAllSameGPU(c, {input_t}); at::checkAllSameType(c, {input_t, input_t});
            at::globalContext().alertNotDeterministic("forward");
            std::ostringstream said; said << input.scalar_type() << input.device() << input.sizes() << input;
            TORCH_CHECK(input.dim() > 1, "needs no semicolon, as PyTorch's own does not")
            const at::cuda::OptionalCUDAGuard guard(input.device());
            auto output = torch::zeros({input.size(0), input.size(1)}, input.options().dtype(torch::kFloat32));
            const int threads = 256;
            AT_DISPATCH_FLOATING_TYPES_AND_HALF(input.scalar_type(), "forward", ([&] {
            k<scalar_t><<<dim3(4), threads, 0,
                at::cuda::getCurrentCUDAStream()>>>(input.packed_accessor32<scalar_t, 3,
                torch::RestrictPtrTraits>(), output.packed_accessor64<scalar_t, 1>(),
                output.data_ptr<scalar_t>(), input.numel()); }));
            C10_CUDA_KERNEL_LAUNCH_CHECK(); return output.contiguous().view({-1, 4});
        }
        PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward (CUDA)"); }
    """,
    "data types": """
        #include <cuda_runtime.h>
        #include <execinfo.h>
        #include <bits/stdc++.h>
        template <cudaDataType_t type> __global__ void k(float* p) { p[threadIdx.x] = WCHAR_MAX + UINT_LEAST16_MAX; }
        void go(float* p, cudaDataType_t type) {
            void* frames[4]; backtrace(frames, 4); std::vector<long double> huge{HUGE_VALL};
            switch (type) {
                case CUDA_R_16BF: k<CUDA_R_16BF><<<1, 64>>>(p); break;
                default: k<CUDA_R_32F><<<1, 64>>>(p);
            }
        }
    """,
    "libraries": """
        #include <cublas_v2.h>
        #include <cublasLt.h>
        #include <cufft.h>
        #include <curand.h>
        #include <cusparse.h>
        #include <nvtx3/nvToolsExt.h>
        #include <cuda.h>
        __global__ void k(cufftComplex* a, cuDoubleComplex* z, const CUtensorMap* map) { a[threadIdx.x].x = 1;
        z[0] = cuCmul(z[1], make_cuDoubleComplex(1, 2)); }
        void go(float* p, cufftComplex* c) {
            cublasHandle_t h; cublasCreate(&h); float one = 1;
            cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, &one, p, 1, p, 1, &one, p, 1);
            cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, p, CUDA_R_16F, 1, p, CUDA_R_16F, 1, &one,
                p, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
            cufftHandle plan; cufftPlan1d(&plan, 8, CUFFT_C2C, 1); cufftExecC2C(plan, c, c, CUFFT_FORWARD);
            curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
            curandGenerateUniform(g, p, 8); nvtxRangePush("x"); nvtxRangePop(); CUdevice d; cuDeviceGet(&d, 0);
        }
    """,
    "samplers": """
        #include <ATen/cuda/CUDAContext.h>
        #include <cub/cub.cuh>
        #include <cuda.h>
        #include <memory>
        #include <thrust/iterator/counting_iterator.h>
        __global__ void k(int* out, const int* sorted, float2 v, int n) {
            thrust::counting_iterator<int64_t> it(0);
            int t = threadIdx.x, last = cub::UpperBound(sorted, n, (int)it[t]);
            out[t] = last + cub::LowerBound(sorted, n, 3) + CUB_VERSION;
            v = __ffma2_rn(v, __fadd2_rn(v, v), __fmul2_rn(v, v));
        }
        void f(std::shared_ptr<float> p, c10::SymInt s) {
            at::cuda::CUDAEvent e; e.record(); auto q = std::dynamic_pointer_cast<int>(p); int64_t n = s;
            auto made = c10::make_intrusive<int>(3); CUmulticastObjectProp m;
            cudaLaunchAttribute a; a.id = cudaLaunchAttributePreferredClusterDimension; a.val.preferredClusterDim.x = 2;
            m.flags = CU_MULTICAST_GRANULARITY_RECOMMENDED;
        }
    """,
    "hip": """
        #include <hip/hip_runtime.h>
        #include <hip/hip_bfloat16.h>
        #include <hip/hip_complex.h>
        #include <hip/hip_cooperative_groups.h>
        #include <hip/hip_fp16.h>
        #include <hipcub/hipcub.hpp>
        template <class T> __global__ void sums(T* out, hipFloatComplex c, hip_bfloat16 b) {
            HIP_DYNAMIC_SHARED(float, held)
            typedef hipcub::BlockReduce<T, 128> Reduce;
            __shared__ typename Reduce::TempStorage storage;
            held[hipThreadIdx_x] = hipCrealf(hipCaddf(c, c)) + __half2float(__float2half(1));
            T sum = Reduce(storage).Sum(out[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x] + held[0]);
            if (cooperative_groups::this_thread_block().thread_rank() == 0) out[hipBlockIdx_x] = sum;
        }
        hipError_t run(float* out, hipStream_t stream) {
            hipDeviceProp_t of; hipFuncAttributes its; hipEvent_t done; hipTextureObject_t texture; int wide;
            hipGetDeviceProperties(&of, 0); hipEventCreateWithFlags(&done, hipEventDisableTiming);
            hipDeviceGetAttribute(&wide, hipDeviceAttributeWarpSize, 0);
            hipHostMalloc((void**)&out, 16, hipHostMallocDefault); hipHostMalloc(&out, 16);
            hipLaunchKernelGGL(HIP_KERNEL_NAME(sums<float>), dim3(2), 128, 512, stream, out, hipFloatComplex(), 0);
            hipLaunchKernelGGL((sums<double>), 2, 128, 512, stream, nullptr, make_hipFloatComplex(1, 2), 0);
            hipError_t told = hipMemcpyAsync(out, out, 4, hipMemcpyDeviceToHost, stream);
            return told == hipSuccess ? hipErrorUnknown : told;
        }
    """,
    "rapids": """
        #include <cuda/std/chrono>
        #include <cuda/numeric>
        #include <nvtx3/nvtx3.hpp>
        #include <rmm/device_scalar.hpp>
        #include <rmm/device_uvector.hpp>
        #include <rmm/exec_policy.hpp>
        #include <thrust/iterator/counting_iterator.h>
        #include <thrust/iterator/iterator_adaptor.h>
        #include <thrust/iterator/iterator_facade.h>
        #include <thrust/iterator/transform_iterator.h>
        #include <thrust/mismatch.h>
        struct twice { __host__ __device__ int operator()(int v) const { return 2 * v; } };
        struct walk : thrust::iterator_facade<walk, int> {
            int at; __host__ __device__ int& dereference() const;
            __host__ __device__ void advance(long n) { at += n; } };
        struct over : thrust::iterator_adaptor<over, int*> {
            using super_t::super_t; __host__ __device__ int dereference() const { return *base(); } };
        typedef cuda::std::chrono::sys_time<cuda::std::chrono::days> day;
        __global__ void k(int* out, day* when, int n) {
            auto it = thrust::make_transform_iterator(thrust::make_counting_iterator(0), twice{}) + threadIdx.x;
            if (it - thrust::make_transform_iterator(thrust::make_counting_iterator(0), twice{}) > n) return;
            walk w; w += 3; out[*it] = w[2] + cuda::add_overflow(n, 1).value;
            when[threadIdx.x] += cuda::std::chrono::days(1); out[0] = when[1].time_since_epoch().count();
            out[1] = thrust::distance(out, thrust::lower_bound(thrust::seq, out, out + n, 3));
            cuda::std::span<int> all(out, n); out[2] = all.front() + all.subspan(1)[0];
        }
        void go(rmm::cuda_stream_view stream) {
            NVTX3_FUNC_RANGE(); rmm::device_uvector<int> v(8, stream); rmm::device_scalar<int> s(0, stream);
            thrust::fill(rmm::exec_policy(stream), v.begin(), v.end(), s.value(stream));
            k<<<1, 32, 0, stream.value()>>>(v.data(), nullptr, int(v.size())); }
    """,
    "glm": """
        #include <glm/glm.hpp>
        #include <glm/gtc/type_ptr.hpp>
        #include <glm/gtx/quaternion.hpp>
        using vec3 = glm::vec<3, float>; using mat3 = glm::mat<3, 3, float>;
        __global__ void k(vec3* p, float* m, glm::fquat* turns, float* out) {
            vec3 v = p[threadIdx.x]; mat3 r = glm::make_mat3(m + 9 * threadIdx.x);
            vec3 w = r * v + 2.f * v - v / 3.f; w += v; w *= 2.f;
            mat3 s = glm::transpose(r) * r * 2.f; mat3 one(1.f); mat3 of(v, w, -v);
            glm::fquat q = glm::normalize(turns[threadIdx.x]); w = glm::rotate(glm::quat_cast(r), v);
            glm::mat<2, 3, float> j(1.f, 0.f, 0.f, 1.f, 2.f, 3.f); auto c = glm::transpose(j) * r * j;
            glm::ivec4 n(1, 2, 3, 4); n = n << 1; n ^= glm::ivec4(3); n >>= 1; ++n;
            v = glm::min(v, w) + glm::abs(2.f - v);
            glm::mat4x3 t = glm::outerProduct(v, glm::vec4(w, 1.f)) / 2.f; mat3 u = t * glm::transpose(t) - one;
            out[threadIdx.x] = glm::dot(v, w) + glm::length(glm::cross(v, w)) + s[0][1] + q.w + c[1][1] + v.r;
            p[threadIdx.x] = glm::clamp(glm::max(v, 0.f), 0.f, 1.f); glm::vec2 flat(v); glm::ivec3 i(v);
        }
    """,
}


def test_forced_include_parses_in_silence() -> None:
    assert complaints("", *FORCED) == []


@pytest.mark.parametrize("standard", ["c++14", "c++17", "c++20"])
def test_forced_include_parses_in_other_standards(standard: str) -> None:
    assert complaints("", *FORCED, f"-std={standard}") == []


@pytest.mark.parametrize("arch", ["sm_60", "sm_75", "sm_90"])
def test_forced_include_parses_for_other_architectures(arch: str) -> None:
    assert complaints("", *FORCED, f"--cuda-gpu-arch={arch}") == []


@pytest.mark.slow
def test_every_header_parses_twice_in_silence() -> None:
    bad = {h: found for h in headers() if (found := complaints(f"#include <{h}>\n#include <{h}>\n"))}
    assert bad == {}


def test_all_headers_together_parse_twice_in_silence() -> None:
    assert complaints("".join(f"#include <{h}>\n" for h in [*headers(), *headers()])) == []


@pytest.mark.parametrize("family", CASES)
def test_vocabulary(family: str) -> None:
    flags = (*FORCED, "-std=c++20") if family == "concepts" else ()
    assert complaints(CASES[family], *flags) == []


SCALARS = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8,
           "longlong": 8, "ulonglong": 8, "float": 4, "double": 8}  # fmt: skip


@pytest.mark.parametrize("element", SCALARS)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_vector_types_have_cuda_sizes_and_alignments(element: str, count: int) -> None:
    size = SCALARS[element]
    kind = forced()[f"{element}{count}"].type
    assert kind.get_size() == size * count
    assert kind.get_align() == (size if count in (1, 3) else min(size * count, 16))


@pytest.mark.parametrize(
    ("name", "size", "align"),
    [
        ("dim3", 12, 4),
        ("__half", 2, 2),
        ("__half2", 4, 4),
        ("__nv_bfloat16", 2, 2),
        ("__nv_bfloat162", 4, 4),
        ("double4_32a", 32, 32),
        ("double4_16a", 32, 16),
    ],
)
def test_other_sizes(name: str, size: int, align: int) -> None:
    kind = forced()[name].type
    assert (kind.get_size(), kind.get_align()) == (size, align)


@pytest.mark.parametrize(
    ("header", "name", "size"),
    [
        ("cuda_fp8.h", "__nv_fp8_e4m3", 1),
        ("cuda_fp8.h", "__nv_fp8x4_e4m3", 4),
        ("curand_kernel.h", "curandState", 48),
        ("curand_kernel.h", "curandStatePhilox4_32_10_t", 64),
        ("cuComplex.h", "cuDoubleComplex", 16),
        ("cuda.h", "CUtensorMap", 128),
        ("atomic", "std::atomic<int>", 4),
        ("cuda/atomic", "cuda::atomic<long long>", 8),
        ("cuda/std/chrono", "cuda::std::chrono::days", 4),
        ("chrono", "std::chrono::nanoseconds", 8),
        ("glm/glm.hpp", "glm::vec3", 12),
        ("glm/glm.hpp", "glm::mat3x4", 48),
        ("glm/glm.hpp", "glm::dquat", 32),
    ],
)
def test_sizes_behind_headers(header: str, name: str, size: int) -> None:
    assert complaints(f"#include <{header}>\nstatic_assert(sizeof({name}) == {size});") == []


def test_built_in_variables_are_member_references() -> None:
    unit = parse("__global__ void k(int* a) { a[threadIdx.x] = blockDim.y; }")
    kernel = next(c for c in unit.cursor.get_children() if c.spelling == "k")
    references = [c for c in kernel.walk_preorder() if c.kind == CursorKind.MEMBER_REF_EXPR]
    members = {(c.spelling, next(c.get_children()).spelling) for c in references}
    assert members == {("x", "threadIdx"), ("y", "blockDim")}


def test_a_launch_keeps_its_configuration() -> None:
    unit = parse("template <int n> __global__ void k(int* a) {} void go(int* a) { k<3><<<dim3(4, 2), 128, 16>>>(a); }")
    host = next(c for c in unit.cursor.get_children() if c.spelling == "go")
    calls = {c.spelling for c in host.walk_preorder() if c.kind == CursorKind.CALL_EXPR}
    assert {"k", "cudaConfigureCall", "dim3"} <= calls


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("cg::this_thread_block().thread_rank()", {"threadIdx", "blockDim"}),
        ("cg::this_grid().thread_rank()", {"threadIdx", "blockDim", "blockIdx", "gridDim"}),
        ("cg::tiled_partition<32>(cg::this_thread_block()).thread_rank()", {"threadIdx", "blockDim"}),
        ("cg::tiled_partition<32>(cg::this_thread_block()).meta_group_rank()", {"threadIdx", "blockDim"}),
    ],
)
def test_ranks_have_bodies_in_terms_of_the_thread_index(expression: str, parts: set[str]) -> None:
    source = f"namespace cg = cooperative_groups; __global__ void k(int* a) {{ a[{expression}] = 1; }}"
    assert reached(source) >= parts


@pytest.mark.parametrize(
    ("statement", "barrier"),
    [
        ("cg::this_thread_block().sync();", "__syncthreads"),
        ("cg::sync(cg::this_thread_block());", "__syncthreads"),
        ("cg::tiled_partition<16>(cg::this_thread_block()).sync();", "__syncwarp"),
        ("cg::this_grid().sync();", "__coalint_grid_sync"),
        ("cg::this_cluster().sync();", "__coalint_cluster_sync"),
    ],
)
def test_group_sync_calls_the_barrier_it_stands_for(statement: str, barrier: str) -> None:
    assert barrier in reached(f"namespace cg = cooperative_groups; __global__ void k() {{ {statement} }}")


@pytest.mark.parametrize("name", ["__syncthreads", "__syncwarp", "__ballot_sync", "__pipeline_commit", "__threadfence"])
def test_intrinsics_known_by_name_have_no_body(name: str) -> None:
    assert forced()[name].get_definition() is None


def test_loads_through_intrinsics_keep_their_type() -> None:
    unit = parse("__global__ void k(const float4* p) { auto v = __ldg(p); auto w = __shfl_sync(~0u, v.x, 0); }")
    kernel = next(c for c in unit.cursor.get_children() if c.spelling == "k")
    types = {c.spelling: c.type.get_canonical() for c in kernel.walk_preorder() if c.kind == CursorKind.VAR_DECL}
    assert types["v"].spelling == "float4"
    assert types["w"].kind == TypeKind.FLOAT


def reached(source: str) -> set[str]:
    """Names of everything referenced in kernel k or in a function that it reaches, bodies followed."""
    unit = parse(source)
    assert [d.spelling for d in unit.diagnostics] == []
    todo = [next(c for c in unit.cursor.get_children() if c.spelling == "k")]
    seen: set[str] = set()
    names: set[str] = set()
    while todo:
        for cursor in todo.pop().walk_preorder():
            target = cursor.referenced
            if target is None or not cursor.kind.is_expression():
                continue
            names.add(target.spelling)
            if target.get_usr() not in seen:
                seen.add(target.get_usr())
                todo.append(target.get_definition() or target)
    return names


def test_hip_has_a_name_for_each_of_the_runtime() -> None:
    folder = INCLUDE / "coalint"
    names = {
        name
        for file in ("runtime.h", "texture.h", "cuda_async.h")
        for name in _CUDA.findall((folder / file).read_text())
    }
    named = re.findall(r"^#define hip\w+ (cuda\w+)$", (folder / "hip.h").read_text(), re.MULTILINE)
    assert names - set(named) == set()
