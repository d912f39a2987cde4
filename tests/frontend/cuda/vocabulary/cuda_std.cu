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
