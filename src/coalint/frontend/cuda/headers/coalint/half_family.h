// What __half and __nv_bfloat16 have in common, as macros over the scalar type and the type of two. half.h and bfloat16.h expand them.
#pragma once

#define COALINT_HALF_SCALAR(T_, raw_)                                                                                    \
    struct __attribute__((aligned(2))) raw_ { unsigned short x; };                                                       \
    struct __attribute__((aligned(2))) T_ {                                                                              \
        unsigned short __x;                                                                                              \
        T_() = default;                                                                                                  \
        constexpr T_(const raw_& v) : __x(v.x) {}                                                                        \
        constexpr T_(float v) : __x((unsigned short)v) {}                                                                \
        constexpr T_(double v) : __x((unsigned short)v) {}                                                               \
        constexpr T_(short v) : __x((unsigned short)v) {}                                                                \
        constexpr T_(unsigned short v) : __x((unsigned short)v) {}                                                       \
        constexpr T_(int v) : __x((unsigned short)v) {}                                                                  \
        constexpr T_(unsigned int v) : __x((unsigned short)v) {}                                                         \
        constexpr T_(long v) : __x((unsigned short)v) {}                                                                 \
        constexpr T_(unsigned long v) : __x((unsigned short)v) {}                                                        \
        constexpr T_(long long v) : __x((unsigned short)v) {}                                                            \
        constexpr T_(unsigned long long v) : __x((unsigned short)v) {}                                                   \
        operator raw_() const;                                                                                           \
        operator raw_() const volatile;                                                                                  \
        operator float() const;                                                                                          \
        explicit operator bool() const;                                                                                  \
        explicit operator char() const;                                                                                  \
        explicit operator signed char() const;                                                                           \
        explicit operator unsigned char() const;                                                                         \
        explicit operator short() const;                                                                                 \
        explicit operator unsigned short() const;                                                                        \
        explicit operator int() const;                                                                                   \
        explicit operator unsigned int() const;                                                                          \
        explicit operator long() const;                                                                                  \
        explicit operator unsigned long() const;                                                                         \
        explicit operator long long() const;                                                                             \
        explicit operator unsigned long long() const;                                                                    \
        T_& operator=(const raw_&);                                                                                      \
        volatile T_& operator=(const raw_&) volatile;                                                                    \
        T_& operator=(float);                                                                                            \
        T_& operator=(double);                                                                                           \
        T_& operator=(int);                                                                                              \
        T_& operator=(unsigned int);                                                                                     \
        T_& operator=(short);                                                                                            \
        T_& operator=(unsigned short);                                                                                   \
        T_& operator=(long long);                                                                                        \
        T_& operator=(unsigned long long);                                                                               \
    };

#define COALINT_HALF_OPERATORS(T_)                                                                                       \
    T_ operator+(const T_&, const T_&); T_ operator-(const T_&, const T_&); T_ operator*(const T_&, const T_&);          \
    T_ operator/(const T_&, const T_&); T_ operator+(const T_&); T_ operator-(const T_&);                                \
    T_& operator+=(T_&, const T_&); T_& operator-=(T_&, const T_&); T_& operator*=(T_&, const T_&);                      \
    T_& operator/=(T_&, const T_&); T_& operator++(T_&); T_& operator--(T_&); T_ operator++(T_&, int); T_ operator--(T_&, int); \
    bool operator==(const T_&, const T_&); bool operator!=(const T_&, const T_&); bool operator<(const T_&, const T_&);  \
    bool operator>(const T_&, const T_&); bool operator<=(const T_&, const T_&); bool operator>=(const T_&, const T_&);

#define COALINT_HALF_ROUNDED(C_, c_, T_, p_)                                                                             \
    C_ __##p_##2##c_##_rn(T_); C_ __##p_##2##c_##_rz(T_); C_ __##p_##2##c_##_ru(T_); C_ __##p_##2##c_##_rd(T_);          \
    T_ __##c_##2##p_##_rn(C_); T_ __##c_##2##p_##_rz(C_); T_ __##c_##2##p_##_ru(C_); T_ __##c_##2##p_##_rd(C_);
#define COALINT_HALF_FUNCTIONS(T_, p_)                                                                                   \
    T_ __hadd(T_, T_); T_ __hsub(T_, T_); T_ __hmul(T_, T_); T_ __hdiv(T_, T_); T_ __hfma(T_, T_, T_); T_ __hneg(T_);    \
    T_ __habs(T_); T_ __hadd_sat(T_, T_); T_ __hsub_sat(T_, T_); T_ __hmul_sat(T_, T_); T_ __hfma_sat(T_, T_, T_);       \
    T_ __hadd_rn(T_, T_); T_ __hsub_rn(T_, T_); T_ __hmul_rn(T_, T_); T_ __hfma_relu(T_, T_, T_);                        \
    T_ __hmax(T_, T_); T_ __hmin(T_, T_); T_ __hmax_nan(T_, T_); T_ __hmin_nan(T_, T_);                                  \
    bool __heq(T_, T_); bool __hne(T_, T_); bool __hlt(T_, T_); bool __hgt(T_, T_); bool __hle(T_, T_); bool __hge(T_, T_); \
    bool __hequ(T_, T_); bool __hneu(T_, T_); bool __hltu(T_, T_); bool __hgtu(T_, T_); bool __hleu(T_, T_); bool __hgeu(T_, T_); bool __hisnan(T_); int __hisinf(T_); \
    T_ hsqrt(T_); T_ hrsqrt(T_); T_ hrcp(T_); T_ hexp(T_); T_ hexp2(T_); T_ hexp10(T_); T_ hlog(T_); T_ hlog2(T_); T_ hlog10(T_); \
    T_ hsin(T_); T_ hcos(T_); T_ htanh(T_); T_ htanh_approx(T_); T_ hceil(T_); T_ hfloor(T_); T_ htrunc(T_); T_ hrint(T_); \
    COALINT_HALF_ROUNDED(int, int, T_, p_)                                                                               \
    COALINT_HALF_ROUNDED(unsigned int, uint, T_, p_)                                                                     \
    COALINT_HALF_ROUNDED(short, short, T_, p_)                                                                           \
    COALINT_HALF_ROUNDED(unsigned short, ushort, T_, p_)                                                                 \
    COALINT_HALF_ROUNDED(long long, ll, T_, p_)                                                                          \
    COALINT_HALF_ROUNDED(unsigned long long, ull, T_, p_)                                                                \
    signed char __##p_##2char_rz(T_); unsigned char __##p_##2uchar_rz(T_);                                               \
    short __##p_##_as_short(T_); unsigned short __##p_##_as_ushort(T_); T_ __short_as_##p_(short); T_ __ushort_as_##p_(unsigned short); \
    T_ __float2##p_(float); T_ __double2##p_(double); T_ __float2##p_##_rn(float); T_ __float2##p_##_rz(float);          \
    T_ __float2##p_##_ru(float); T_ __float2##p_##_rd(float); float __##p_##2float(T_);

// Two of them: members x and y, so that halves taken apart and put together keep their meaning.
#define COALINT_HALF_PAIR(T_, T2_, raw2_, p_)                                                                            \
    struct __attribute__((aligned(4))) raw2_ { unsigned short x, y; };                                                   \
    struct __attribute__((aligned(4))) T2_ {                                                                             \
        T_ x, y;                                                                                                         \
        T2_() = default;                                                                                                 \
        constexpr T2_(const T_& x, const T_& y) : x(x), y(y) {}                                                          \
        T2_(const raw2_&);                                                                                               \
        operator raw2_() const;                                                                                          \
    };                                                                                                                   \
    COALINT_HALF_OPERATORS(T2_)                                                                                          \
    inline T2_ make_##p_##2(T_ x, T_ y) { return T2_(x, y); }                                                            \
    inline T2_ __halves2##p_##2(T_ x, T_ y) { return T2_(x, y); }                                                          \
    inline T2_ __##p_##2##p_##2(T_ v) { return T2_(v, v); }                                                              \
    inline T_ __low2##p_(T2_ v) { return v.x; }                                                                          \
    inline T_ __high2##p_(T2_ v) { return v.y; }                                                                         \
    inline T2_ __low2##p_##2(T2_ v) { return T2_(v.x, v.x); }                                                            \
    inline T2_ __high2##p_##2(T2_ v) { return T2_(v.y, v.y); }                                                           \
    inline T2_ __lows2##p_##2(T2_ a, T2_ b) { return T2_(a.x, b.x); }                                                    \
    inline T2_ __highs2##p_##2(T2_ a, T2_ b) { return T2_(a.y, b.y); }                                                   \
    inline T2_ __lowhigh2highlow(T2_ v) { return T2_(v.y, v.x); }                                                        \
    float __low2float(T2_); float __high2float(T2_);                                                                     \
    float2 __##p_##22float2(T2_); T2_ __float22##p_##2_rn(float2); T2_ __float2##p_##2_rn(float); T2_ __floats2##p_##2_rn(float, float); \
    T2_ __hadd2(T2_, T2_); T2_ __hsub2(T2_, T2_); T2_ __hmul2(T2_, T2_); T2_ __h2div(T2_, T2_); T2_ __hfma2(T2_, T2_, T2_); \
    T2_ __hadd2_sat(T2_, T2_); T2_ __hsub2_sat(T2_, T2_); T2_ __hmul2_sat(T2_, T2_); T2_ __hfma2_sat(T2_, T2_, T2_);     \
    T2_ __hadd2_rn(T2_, T2_); T2_ __hsub2_rn(T2_, T2_); T2_ __hmul2_rn(T2_, T2_); T2_ __hfma2_relu(T2_, T2_, T2_);       \
    T2_ __hneg2(T2_); T2_ __habs2(T2_); T2_ __hmax2(T2_, T2_); T2_ __hmin2(T2_, T2_); T2_ __hcmadd(T2_, T2_, T2_);       \
    T2_ __hmax2_nan(T2_, T2_); T2_ __hmin2_nan(T2_, T2_);                                                                \
    T2_ __heq2(T2_, T2_); T2_ __hne2(T2_, T2_); T2_ __hlt2(T2_, T2_); T2_ __hgt2(T2_, T2_); T2_ __hle2(T2_, T2_); T2_ __hge2(T2_, T2_); \
    bool __hbeq2(T2_, T2_); bool __hbne2(T2_, T2_); bool __hblt2(T2_, T2_); bool __hbgt2(T2_, T2_); bool __hble2(T2_, T2_); bool __hbge2(T2_, T2_); \
    unsigned int __heq2_mask(T2_, T2_); unsigned int __hne2_mask(T2_, T2_); unsigned int __hlt2_mask(T2_, T2_);          \
    unsigned int __hgt2_mask(T2_, T2_); unsigned int __hle2_mask(T2_, T2_); unsigned int __hge2_mask(T2_, T2_); T2_ __hisnan2(T2_); \
    T2_ __hequ2(T2_, T2_); T2_ __hneu2(T2_, T2_); T2_ __hltu2(T2_, T2_); T2_ __hgtu2(T2_, T2_); T2_ __hleu2(T2_, T2_); T2_ __hgeu2(T2_, T2_); \
    bool __hbequ2(T2_, T2_); bool __hbneu2(T2_, T2_); bool __hbltu2(T2_, T2_); bool __hbgtu2(T2_, T2_); bool __hbleu2(T2_, T2_); bool __hbgeu2(T2_, T2_); \
    unsigned int __hequ2_mask(T2_, T2_); unsigned int __hneu2_mask(T2_, T2_); unsigned int __hltu2_mask(T2_, T2_);       \
    unsigned int __hgtu2_mask(T2_, T2_); unsigned int __hleu2_mask(T2_, T2_); unsigned int __hgeu2_mask(T2_, T2_); T2_ h2tanh_approx(T2_); \
    T2_ h2sqrt(T2_); T2_ h2rsqrt(T2_); T2_ h2rcp(T2_); T2_ h2exp(T2_); T2_ h2exp2(T2_); T2_ h2exp10(T2_); T2_ h2log(T2_); \
    T2_ h2log2(T2_); T2_ h2log10(T2_); T2_ h2sin(T2_); T2_ h2cos(T2_); T2_ h2tanh(T2_); T2_ h2ceil(T2_); T2_ h2floor(T2_); T2_ h2trunc(T2_); T2_ h2rint(T2_);
