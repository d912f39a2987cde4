// curand.h and curand_kernel.h: generators on the host, states in kernels.
#pragma once

#define CURAND_H_

COALINT_HOST_DEVICE_BEGIN

enum curandStatus { CURAND_STATUS_SUCCESS, CURAND_STATUS_VERSION_MISMATCH = 100, CURAND_STATUS_NOT_INITIALIZED, CURAND_STATUS_ALLOCATION_FAILED, CURAND_STATUS_TYPE_ERROR, CURAND_STATUS_OUT_OF_RANGE, CURAND_STATUS_LENGTH_NOT_MULTIPLE, CURAND_STATUS_DOUBLE_PRECISION_REQUIRED, CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_PREEXISTING_FAILURE, CURAND_STATUS_INITIALIZATION_FAILED, CURAND_STATUS_ARCH_MISMATCH, CURAND_STATUS_INTERNAL_ERROR = 999 };
typedef enum curandStatus curandStatus_t;
enum curandRngType { CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A = 121, CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161, CURAND_RNG_QUASI_DEFAULT = 200, CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 };
typedef enum curandRngType curandRngType_t;
enum curandOrdering { CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED, CURAND_ORDERING_QUASI_DEFAULT = 201 };
typedef enum curandOrdering curandOrdering_t;
enum curandDirectionVectorSet { CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6, CURAND_DIRECTION_VECTORS_64_JOEKUO6, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 };
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;
typedef struct curandGenerator_st* curandGenerator_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;
curandStatus_t curandCreateGenerator(curandGenerator_t*, curandRngType_t);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t*, curandRngType_t);
curandStatus_t curandDestroyGenerator(curandGenerator_t);
curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t, unsigned long long);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t, unsigned long long);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t, unsigned int);
curandStatus_t curandGenerateSeeds(curandGenerator_t);
curandStatus_t curandGenerate(curandGenerator_t, unsigned int*, size_t);
curandStatus_t curandGenerateLongLong(curandGenerator_t, unsigned long long*, size_t);
curandStatus_t curandGenerateUniform(curandGenerator_t, float*, size_t);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t, double*, size_t);
curandStatus_t curandGenerateNormal(curandGenerator_t, float*, size_t, float, float);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t, double*, size_t, double, double);
curandStatus_t curandGenerateLogNormal(curandGenerator_t, float*, size_t, float, float);
curandStatus_t curandGeneratePoisson(curandGenerator_t, unsigned int*, size_t, double);
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t**, curandDirectionVectorSet_t);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t**, curandDirectionVectorSet_t);
curandStatus_t curandGetScrambleConstants32(unsigned int**);
curandStatus_t curandGetScrambleConstants64(unsigned long long**);
curandStatus_t curandGetVersion(int*);
curandStatus_t curandCreatePoissonDistribution(double, curandDiscreteDistribution_t*);

// Sizes are those of the real states, since arrays of states in global memory are walked.
struct curandStateXORWOW { unsigned int d, v[5]; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
struct curandStatePhilox4_32_10 { uint4 ctr, output; uint2 key; unsigned int STATE; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
struct curandStateMRG32k3a { unsigned int s1[3], s2[3]; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
struct curandStateSobol32 { unsigned int i, x, c, direction_vectors[32]; };
struct curandStateScrambledSobol32 { unsigned int i, x, c, direction_vectors[32]; };
struct curandStateSobol64 { unsigned long long i, x, c, direction_vectors[64]; };
struct curandStateScrambledSobol64 { unsigned long long i, x, c, direction_vectors[64]; };
struct mtgp32_kernel_params { unsigned int pos_tbl[200], param_tbl[200][16], temper_tbl[200][16], single_temper_tbl[200][16], sh1_tbl[200], sh2_tbl[200], mask[1]; };
typedef mtgp32_kernel_params mtgp32_kernel_params_t;
struct curandStateMtgp32 { unsigned int s[1024]; int offset, pIdx; mtgp32_kernel_params_t* k; };
typedef curandStateXORWOW curandState, curandState_t, curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;
typedef curandStateMtgp32 curandStateMtgp32_t;
template <class S_> void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, S_* state);
template <class S_> void curand_init(const unsigned int* directions, unsigned int offset, S_* state);
template <class S_> void curand_init(const unsigned int* directions, unsigned int scramble, unsigned int offset, S_* state);
template <class S_> void curand_init(const unsigned long long* directions, unsigned long long offset, S_* state);
template <class S_> void curand_init(const unsigned long long* directions, unsigned long long scramble, unsigned long long offset, S_* state);
template <class S_> unsigned int curand(S_*);
template <class S_> uint4 curand4(S_*);
template <class S_> float curand_uniform(S_*);
template <class S_> float4 curand_uniform4(S_*);
template <class S_> double curand_uniform_double(S_*);
template <class S_> double2 curand_uniform2_double(S_*);
template <class S_> float curand_normal(S_*);
template <class S_> float2 curand_normal2(S_*);
template <class S_> float4 curand_normal4(S_*);
template <class S_> double curand_normal_double(S_*);
template <class S_> double2 curand_normal2_double(S_*);
template <class S_> float curand_log_normal(S_*, float, float);
template <class S_> double curand_log_normal_double(S_*, double, double);
template <class S_> unsigned int curand_poisson(S_*, double);
template <class S_> float2 curand_log_normal2(S_*, float, float);
template <class S_> float4 curand_log_normal4(S_*, float, float);
template <class S_> double2 curand_log_normal2_double(S_*, double, double);
template <class S_> unsigned int curand_discrete(S_*, curandDiscreteDistribution_t);
template <class S_> void skipahead(unsigned long long, S_*);
template <class S_> void skipahead_sequence(unsigned long long, S_*);
template <class S_> void skipahead_subsequence(unsigned long long, S_*);

// The generators that kernels use most, with the loads and stores that nvcc makes of them (seen in its code for sm_90).
struct alignas(8) coalint_xorwow { uint2 a, b, c; };  // d and v, as they are moved
inline unsigned int curand(curandStateXORWOW* s) {
    coalint_xorwow v = *(coalint_xorwow*)s;
    unsigned int next = __coalint_computed(v.a.x + v.a.y + v.b.x + v.b.y + v.c.x + v.c.y);
    *(coalint_xorwow*)s = coalint_xorwow{{v.a.x + 362437u, v.b.x}, {v.b.y, v.c.x}, {v.c.y, next}};
    return next;
}
// Where a sequence is asked for, v is multiplied by a matrix for each digit of its number to base 4, as often as that says.
// What it reads of the matrices the bits of v decide.
extern __device__ const unsigned int coalint_matrices[32 * 160 * 5];
inline void coalint_skip(unsigned long long n, curandStateXORWOW* s) {
    for (int digit = 0; digit < 64; digit += 2)
        for (int k = 0; k < 3; ++k)
            if (k < (n >> digit & 3)) {
                unsigned int v = coalint_matrices[__coalint_computed((unsigned int)(n + (size_t)s)) % (32 * 160 * 5)];
                s->v[0] = v;
                *(uint2*)&s->v[1] = uint2{v, v};
                *(uint2*)&s->v[3] = uint2{v, v};
            }
}
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW* s) {
    unsigned int v = __coalint_computed((unsigned int)(seed + sequence + offset));
    *(coalint_xorwow*)s = coalint_xorwow{{v, v}, {v, v}, {v, v}};
    *(uint2*)&s->boxmuller_flag = uint2{0, 0};
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
    coalint_skip(sequence, s);
    coalint_skip(offset, s);
    if (offset != 0) s->d = v;
}
inline unsigned int curand(curandStatePhilox4_32_10* s) {
    unsigned int state = s->STATE;
    s->STATE = state + 1;
    if (state == 3) {
        uint4 c = s->ctr; uint2 k = s->key;
        unsigned int v = __coalint_computed(c.x + c.y + c.z + c.w + k.x + k.y);
        s->ctr = uint4{c.x + 1, c.y, c.z, c.w};
        s->output = uint4{v, v, v, v};
    }
    return s->output.x;
}
inline uint4 curand4(curandStatePhilox4_32_10* s) {
    uint4 c = s->ctr, o = s->output; uint2 k = s->key; unsigned int state = s->STATE;
    unsigned int v = __coalint_computed(c.x + c.y + c.z + c.w + k.x + k.y + state);
    s->ctr = uint4{c.x + 1, c.y, c.z, c.w};
    s->output = uint4{v, v, v, v};
    return {o.x + v, o.y + v, o.z + v, o.w + v};
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* s) { uint4 v = curand4(s); return {(float)v.x, (float)v.y, (float)v.z, (float)v.w}; }
inline float4 curand_normal4(curandStatePhilox4_32_10* s) { return curand_uniform4(s); }
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* s) {
    unsigned int state = s->STATE; uint2 low = *(uint2*)&s->ctr.x;
    unsigned int v = __coalint_computed((unsigned int)n + state + low.x + low.y);
    *(uint2*)&s->ctr.x = uint2{v, v};
    uint4 c = s->ctr; uint2 k = s->key;
    v = __coalint_computed(c.x + c.y + c.z + c.w + k.x + k.y);
    s->STATE = v;
    s->output = uint4{v, v, v, v};
}
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10* s) {
    s->ctr = uint4{0, 0, 0, 0};
    uint2 high = *(uint2*)&s->ctr.z, low = *(uint2*)&s->ctr.x;
    unsigned int v = __coalint_computed((unsigned int)(seed + sequence + offset) + high.x + high.y + low.x + low.y);
    *(uint2*)&s->boxmuller_flag_double = uint2{0, 0};
    s->boxmuller_extra_double = 0;
    *(uint2*)&s->ctr.z = uint2{v, v};
    if (offset != 0) *(uint2*)&s->ctr.x = uint2{v, v};
    *(uint4*)&s->key = uint4{v, v, 0, 0};
    s->output = uint4{v, v, v, v};
}
inline unsigned int curand(curandStateMRG32k3a* s) {
    uint2 c = *(uint2*)&s->s2[1], b = *(uint2*)&s->s1[2], a = *(uint2*)&s->s1[0];
    unsigned int p = __coalint_computed(a.x + a.y + b.x), q = __coalint_computed(b.y + c.x + c.y);
    s->s2[0] = c.x; s->s1[2] = p;
    *(uint2*)&s->s1[0] = uint2{a.y, b.x};
    *(uint2*)&s->s2[1] = uint2{c.y, q};
    return p - q;
}
inline void skipahead(unsigned long long n, curandStateMRG32k3a* s) {
    unsigned int v = __coalint_computed((unsigned int)n + s->s1[0] + s->s1[1] + s->s1[2]);
    s->s1[0] = v; s->s1[1] = v; s->s1[2] = v;
    v = __coalint_computed((unsigned int)n + s->s2[0] + s->s2[1] + s->s2[2]);
    s->s2[0] = v; s->s2[1] = v; s->s2[2] = v;
}
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateMRG32k3a* s) {
    unsigned int v = __coalint_computed((unsigned int)(seed + sequence + offset));
    s->s1[0] = 12345u; s->s2[0] = 12345u; s->s1[1] = 12345u; s->s2[1] = 12345u; s->s1[2] = 12345u; s->s2[2] = 12345u;
    if (seed != 0) {
        *(uint2*)&s->s1[0] = uint2{v, v}; *(uint2*)&s->s1[2] = uint2{v, v}; *(uint2*)&s->s2[1] = uint2{v, v};
    }
    v = __coalint_computed(v + s->s1[0] + s->s1[1] + s->s1[2]);
    s->s1[0] = v; s->s1[1] = v; s->s1[2] = v;
    s->s1[0] = v; s->s1[1] = v; s->s1[2] = v;
    s->s2[0] = v; s->s2[1] = v; s->s2[2] = v;
    *(uint2*)&s->boxmuller_flag = uint2{0, 0};
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
}
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* s) { skipahead(n, s); }
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* s) { skipahead(n, s); }
inline void skipahead(unsigned long long n, curandStateXORWOW* s) {
    for (; n != 0; n >>= 2) {
        unsigned int v = 0;
        for (int i = 0; i < 5; ++i) v += s->v[i];
        v = __coalint_computed(v);
        s->v[0] = v; s->v[1] = v; s->v[2] = v; s->v[3] = v; s->v[4] = v;
    }
    s->d += __coalint_computed((unsigned int)n);
}
#define COALINT_SOBOL(S_, T_)                                                                                              \
    inline T_ curand(S_* s) {                                                                                              \
        T_ i = s->i, x = s->x;                                                                                             \
        s->i = i + 1;                                                                                                      \
        s->x = x ^ s->direction_vectors[__coalint_computed((unsigned int)i) & (8 * sizeof(T_) - 1)];                       \
        return x;                                                                                                          \
    }                                                                                                                      \
    inline void skipahead(T_ n, S_* s) {                                                                                   \
        T_ i = s->i, x = s->c;                                                                                             \
        s->x = x;                                                                                                          \
        s->i = i + n;                                                                                                      \
        unsigned int gray = __coalint_computed((unsigned int)(i + n));                                                     \
        for (int k = 0; k < 8 * sizeof(T_); ++k)                                                                           \
            if (gray >> k & 1) { x ^= s->direction_vectors[k]; s->x = x; }                                                 \
    }                                                                                                                      \
    inline void coalint_init(const T_* directions, T_ scramble, T_ offset, S_* s) {                                        \
        s->i = 0;                                                                                                          \
        s->c = scramble;                                                                                                   \
        for (int k = 0; k < 8 * sizeof(T_); ++k) s->direction_vectors[k] = directions[k];                                  \
        s->i = offset;                                                                                                     \
        s->x = scramble;                                                                                                   \
        s->x = __coalint_computed((unsigned int)offset);                                                                   \
    }
COALINT_SOBOL(curandStateSobol32, unsigned int)
COALINT_SOBOL(curandStateScrambledSobol32, unsigned int)
COALINT_SOBOL(curandStateSobol64, unsigned long long)
COALINT_SOBOL(curandStateScrambledSobol64, unsigned long long)
#undef COALINT_SOBOL
inline void curand_init(const unsigned int* directions, unsigned int offset, curandStateSobol32* s) { coalint_init(directions, 0, offset, s); }
inline void curand_init(const unsigned int* directions, unsigned int scramble, unsigned int offset, curandStateScrambledSobol32* s) { coalint_init(directions, scramble, offset, s); }
inline void curand_init(const unsigned long long* directions, unsigned long long offset, curandStateSobol64* s) { coalint_init(directions, 0, offset, s); }
inline void curand_init(const unsigned long long* directions, unsigned long long scramble, unsigned long long offset, curandStateScrambledSobol64* s) { coalint_init(directions, scramble, offset, s); }
template <class S_> float coalint_normal(S_* s) {
    if (s->boxmuller_flag != 0) { s->boxmuller_flag = 0; return s->boxmuller_extra; }
    float v = curand(s) * 2.3283064e-10f;
    s->boxmuller_flag = 1; s->boxmuller_extra = v;
    return v;
}
template <class S_> double coalint_normal_double(S_* s) {
    if (s->boxmuller_flag_double != 0) { s->boxmuller_flag_double = 0; return s->boxmuller_extra_double; }
    double v = curand(s) * 2.3283064365386963e-10;
    s->boxmuller_flag_double = 1; s->boxmuller_extra_double = v;
    return v;
}
#define COALINT_GENERATOR(S_)                                                                                              \
    inline float curand_uniform(S_* s) { return curand(s) * 2.3283064e-10f; }                                              \
    inline double curand_uniform_double(S_* s) { return curand(s) * 2.3283064365386963e-10; }                              \
    inline float2 curand_normal2(S_* s) { float v = curand(s) * 2.3283064e-10f; return {v, v}; }                            \
    inline double2 curand_normal2_double(S_* s) { double v = curand(s) * 2.3283064365386963e-10; return {v, v}; }           \
    inline float curand_normal(S_* s) { return coalint_normal(s); }                                                        \
    inline double curand_normal_double(S_* s) { return coalint_normal_double(s); }                                         \
    inline float curand_log_normal(S_* s, float mean, float deviation) { return mean + deviation * coalint_normal(s); }    \
    inline double curand_log_normal_double(S_* s, double mean, double deviation) { return mean + deviation * coalint_normal_double(s); }
COALINT_GENERATOR(curandStateXORWOW)
COALINT_GENERATOR(curandStatePhilox4_32_10)
#undef COALINT_GENERATOR
inline unsigned int coalint_two(curandStateMRG32k3a* s) {  // two steps, of which the compiler makes one
    uint2 c = *(uint2*)&s->s2[1], b = *(uint2*)&s->s1[2], a = *(uint2*)&s->s1[0];
    unsigned int v = __coalint_computed(a.x + a.y + b.x + b.y + c.x + c.y);
    *(uint2*)&s->s1[0] = uint2{b.x, v}; *(uint2*)&s->s1[2] = uint2{v, c.y}; *(uint2*)&s->s2[1] = uint2{v, v};
    return v;
}
inline float curand_uniform(curandStateMRG32k3a* s) { return curand(s) * 2.3283064e-10f; }
inline double curand_uniform_double(curandStateMRG32k3a* s) { return curand(s) * 2.3283064365386963e-10; }
inline float2 curand_normal2(curandStateMRG32k3a* s) { float v = coalint_two(s) * 2.3283064e-10f; return {v, v}; }
inline double2 curand_normal2_double(curandStateMRG32k3a* s) { double v = coalint_two(s) * 2.3283064365386963e-10; return {v, v}; }
inline unsigned int coalint_apart(curandStateMRG32k3a* s) {  // two steps, as they are done behind a condition
    unsigned int v = s->s2[2], a = s->s1[1], o = s->s1[0], c = s->s2[1]; uint2 b = *(uint2*)&s->s1[2];
    v = __coalint_computed(v + a + o + c + b.x + b.y);
    s->s2[0] = v; *(uint2*)&s->s1[0] = uint2{b.x, v}; s->s2[1] = v; s->s1[2] = v; s->s2[2] = v;
    return v;
}
inline float curand_normal(curandStateMRG32k3a* s) {
    if (s->boxmuller_flag != 0) { s->boxmuller_flag = 0; return s->boxmuller_extra; }
    float v = coalint_apart(s) * 2.3283064e-10f;
    s->boxmuller_flag = 1; s->boxmuller_extra = v;
    return v;
}
inline double curand_normal_double(curandStateMRG32k3a* s) {
    if (s->boxmuller_flag_double != 0) { s->boxmuller_flag_double = 0; return s->boxmuller_extra_double; }
    double v = coalint_apart(s) * 2.3283064365386963e-10;
    s->boxmuller_flag_double = 1; s->boxmuller_extra_double = v;
    return v;
}
inline float curand_log_normal(curandStateMRG32k3a* s, float mean, float deviation) { return mean + deviation * curand_normal(s); }
inline double curand_log_normal_double(curandStateMRG32k3a* s, double mean, double deviation) { return mean + deviation * curand_normal_double(s); }
#define COALINT_GENERATOR(S_)                                                                                              \
    inline float2 curand_log_normal2(S_* s, float mean, float deviation) { return curand_normal2(s); }                     \
    inline double2 curand_log_normal2_double(S_* s, double mean, double deviation) { return curand_normal2_double(s); }    \
    inline unsigned int curand_poisson(S_* s, double lambda) {                                                             \
        if (lambda < 64) {                                                                                                 \
            unsigned int k = 0;                                                                                            \
            float p = expf((float)lambda);                                                                                 \
            do { k++; p *= curand_uniform(s); } while (p > 1.0f);                                                          \
            return k - 1;                                                                                                  \
        }                                                                                                                  \
        if (lambda > 4000) return (unsigned int)(sqrt(lambda) * curand_normal_double(s) + lambda + 0.5);                   \
        float y, z;                                                                                                        \
        do { y = curand_uniform(s); z = curand_uniform(s); } while (z > y);                                                \
        return (unsigned int)(y * (float)lambda);                                                                          \
    }
COALINT_GENERATOR(curandStateXORWOW)
COALINT_GENERATOR(curandStatePhilox4_32_10)
COALINT_GENERATOR(curandStateMRG32k3a)
#undef COALINT_GENERATOR
// Each number of these comes of one step.
#define COALINT_GENERATOR(S_)                                                                                              \
    inline float curand_uniform(S_* s) { return curand(s) * 2.3283064e-10f; }                                              \
    inline double curand_uniform_double(S_* s) { return curand(s) * 2.3283064365386963e-10; }                              \
    inline float curand_normal(S_* s) { return curand(s) * 2.3283064e-10f; }                                               \
    inline double curand_normal_double(S_* s) { return curand(s) * 2.3283064365386963e-10; }                               \
    inline float curand_log_normal(S_* s, float mean, float deviation) { return mean + deviation * curand_normal(s); }     \
    inline double curand_log_normal_double(S_* s, double mean, double deviation) { return mean + deviation * curand_normal_double(s); } \
    inline unsigned int curand_poisson(S_* s, double lambda) { return (unsigned int)(curand(s) * lambda); }
COALINT_GENERATOR(curandStateSobol32)
COALINT_GENERATOR(curandStateScrambledSobol32)
COALINT_GENERATOR(curandStateSobol64)
COALINT_GENERATOR(curandStateScrambledSobol64)
#undef COALINT_GENERATOR

COALINT_HOST_DEVICE_END
