// nvcuda::wmma: fragments and the four operations on them. What memory a load or store touches, the analysis knows by name.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace nvcuda {
namespace wmma {
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32 {}; }
namespace experimental { namespace precision { struct u4 {}; struct s4 {}; struct b1 {}; } enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 }; enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 }; }

template <class T_> struct coalint_element { typedef T_ type; };
template <> struct coalint_element<precision::tf32> { typedef float type; };
template <> struct coalint_element<experimental::precision::u4> { typedef unsigned int type; };
template <> struct coalint_element<experimental::precision::s4> { typedef int type; };
template <> struct coalint_element<experimental::precision::b1> { typedef unsigned int type; };
template <class Use_, int m_, int n_, int k_> struct coalint_elements { static constexpr int value = m_ * n_ / 32; };
template <int m_, int n_, int k_> struct coalint_elements<matrix_a, m_, n_, k_> { static constexpr int value = m_ * k_ / 16; };
template <int m_, int n_, int k_> struct coalint_elements<matrix_b, m_, n_, k_> { static constexpr int value = n_ * k_ / 16; };

template <class Use_, int m_, int n_, int k_, class T_, class Layout_ = void> struct alignas(8) fragment {
    typedef typename coalint_element<T_>::type element_type;
    static constexpr int num_elements = coalint_elements<Use_, m_, n_, k_>::value, num_storage_elements = num_elements;
    element_type x[num_elements];
};
template <class F_, class T_> void fill_fragment(F_& f, const T_& v);
// The lanes of what a warp moves follow from: 0 for matrix_a and matrix_b, 1 for an accumulator; 16 for half precision and
// bfloat16, 32 for float, 0 for others; m, n and k; the layout of an accumulator.
template <class Use_> struct coalint_use { static constexpr int value = 0; };
template <> struct coalint_use<accumulator> { static constexpr int value = 1; };
template <class T_> struct coalint_bits { static constexpr int value = 0; };
template <> struct coalint_bits<__half> { static constexpr int value = 16; };
template <> struct coalint_bits<__nv_bfloat16> { static constexpr int value = 16; };
template <> struct coalint_bits<float> { static constexpr int value = 32; };
template <class F_> void __coalint_load_matrix(F_& f, const void* p, unsigned int pitch, int use, int bits, int m, int n, int k, int layout);
template <class F_> void __coalint_store_matrix(void* p, const F_& f, unsigned int pitch, int use, int bits, int m, int n, int k, int layout);
template <class Use_, int m_, int n_, int k_, class T_, class Layout_, class U_>
void load_matrix_sync(fragment<Use_, m_, n_, k_, T_, Layout_>& f, const U_* p, unsigned int pitch) {
    __coalint_load_matrix(f, p, pitch, coalint_use<Use_>::value, coalint_bits<T_>::value, m_, n_, k_, 0);
}
template <class Use_, int m_, int n_, int k_, class T_, class U_>
void load_matrix_sync(fragment<Use_, m_, n_, k_, T_>& f, const U_* p, unsigned int pitch, layout_t layout) {
    __coalint_load_matrix(f, p, pitch, coalint_use<Use_>::value, coalint_bits<T_>::value, m_, n_, k_, layout);
}
template <int m_, int n_, int k_, class T_, class U_>
void store_matrix_sync(U_* p, const fragment<accumulator, m_, n_, k_, T_>& f, unsigned int pitch, layout_t layout) {
    __coalint_store_matrix(p, f, pitch, 1, coalint_bits<T_>::value, m_, n_, k_, layout);
}
template <class D_, class A_, class B_, class C_> void mma_sync(D_& d, const A_& a, const B_& b, const C_& c, bool saturate = false);
template <class D_, class A_, class B_, class C_>
void bmma_sync(D_& d, const A_& a, const B_& b, const C_& c, experimental::bmmaBitOp = experimental::bmmaBitOpXOR, experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);
float __float_to_tf32(float);
}  // namespace wmma
}  // namespace nvcuda

COALINT_HOST_DEVICE_END
