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
struct Both { __host__ __device__ double2 operator()(int i) const { return make_double2(i, 1); } };
struct Sum { __host__ __device__ double2 operator()(double2 a, double2 b) const {
    return make_double2(a.x + b.x, a.y + b.y); } };
double mean_of(int n) { thrust::counting_iterator first(0);
    auto both = thrust::transform_reduce(first, first + n, Both(), make_double2(0, 0), Sum());
    double sum = both.x; return sum / (double)both.y; }
template <class T> struct Raw : thrust::device_allocator<T> {
    __host__ Raw() {}
    __host__ Raw(const Raw& other) : thrust::device_allocator<T>(other) {}
    __host__ ~Raw() {}
    template <class U> struct rebind { typedef Raw<U> other; };
};
template <class... T> __device__ thrust::tuple<T&...> both_of(T&... values) { return thrust::tuple<T&...>(values...); }
__device__ thrust::tuple<float, float> pair_of(float v) { return {v, 2 * v}; }
__global__ void ties(float* x, float* y) { float a, b; thrust::tie(a, b) = pair_of(x[0]);
    both_of(x[threadIdx.x], y[threadIdx.x]) = both_of(b, a); }
void raw() { thrust::device_vector<float, Raw<float>> values(8); thrust::device_malloc_allocator<int> other; }
