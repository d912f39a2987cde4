#include <curand_kernel.h>
__global__ void k(curandState* s, curandStatePhilox4_32_10_t* p, float* a) {
    curandState local = s[threadIdx.x]; curand_init(1234ULL, threadIdx.x, 0, &local);
    a[0] = curand_uniform(&local) + curand_normal(&local); s[threadIdx.x] = local;
    float4 v = curand_uniform4(p); a[1] = v.x + curand(&local);
}
