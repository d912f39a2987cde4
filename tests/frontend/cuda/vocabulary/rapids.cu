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
