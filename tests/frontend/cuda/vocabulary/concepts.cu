#include <bit>
#include <concepts>
#include <numbers>
#include <span>
template <std::floating_point T> __global__ void k(std::span<const T> in, T* out) requires(sizeof(T) == 4) {
    out[threadIdx.x] = in[threadIdx.x] * std::numbers::pi_v<T> + std::bit_cast<float>(3) + std::popcount(7u);
}
void go(float* p) { k<float><<<1, 32>>>({p, 32}, p); if (auto order = 1 <=> 2; order < 0) return; }
