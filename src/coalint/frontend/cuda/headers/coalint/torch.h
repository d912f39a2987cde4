// PyTorch's vocabulary around kernels: tensors on the host, accessors in kernels, the dispatch macros. An accessor's operator[] has
// its real body, since its strides are what a kernel's accesses are made of. Dispatch takes two arms, of types of two sizes.
#pragma once

#include "coalint/std_complex.h"
#include "coalint/std_values.h"
#include "coalint/std_streams.h"
#include "coalint/std_collections.h"

COALINT_HOST_DEVICE_BEGIN

namespace c10 {
class SymInt { public: SymInt(); SymInt(int64_t); operator int64_t() const; int64_t expect_int() const; };
class intrusive_ptr_target {};
template <class T_> class intrusive_ptr { public: intrusive_ptr(); template <class U_> intrusive_ptr(const intrusive_ptr<U_>&); T_* get() const; T_& operator*() const; T_* operator->() const; explicit operator bool() const; };
template <class T_, class... A_> intrusive_ptr<T_> make_intrusive(A_&&...);
struct alignas(2) Half {
    unsigned short x;
    Half() = default;
    Half(float); Half(const __half&);
    operator float() const; operator __half() const;
};
struct alignas(2) BFloat16 {
    unsigned short x;
    BFloat16() = default;
    BFloat16(float); BFloat16(const __nv_bfloat16&);
    operator float() const; operator __nv_bfloat16() const;
};
#define COALINT_REDUCED(T_)                                                                                                \
    T_ operator+(const T_&, const T_&); T_ operator-(const T_&, const T_&); T_ operator*(const T_&, const T_&); T_ operator/(const T_&, const T_&); T_ operator-(const T_&); \
    T_& operator+=(T_&, const T_&); T_& operator-=(T_&, const T_&); T_& operator*=(T_&, const T_&); T_& operator/=(T_&, const T_&); \
    bool operator==(const T_&, const T_&); bool operator!=(const T_&, const T_&); bool operator<(const T_&, const T_&); bool operator>(const T_&, const T_&); bool operator<=(const T_&, const T_&); bool operator>=(const T_&, const T_&);
COALINT_REDUCED(Half) COALINT_REDUCED(BFloat16)
#undef COALINT_REDUCED
}  // namespace c10
#define COALINT_REDUCED(T_)                                                                                                \
    template <> struct std::numeric_limits<T_> : std::numeric_limits<float> { static T_ min(); static T_ max(); static T_ lowest(); static T_ epsilon(); static T_ infinity(); static T_ quiet_NaN(); static T_ denorm_min(); };
COALINT_REDUCED(c10::Half) COALINT_REDUCED(c10::BFloat16)
#undef COALINT_REDUCED
namespace c10 {
// With a number on the other side: an integer becomes the reduced type, a floating-point number stays what it is.
template <class T_, class A_> using reduced_t = std::enable_if_t<(std::is_same<T_, Half>::value || std::is_same<T_, BFloat16>::value) && std::is_arithmetic<A_>::value, std::conditional_t<std::is_integral<A_>::value, T_, A_>>;
template <class T_, class A_> using compared_t = std::enable_if_t<sizeof(reduced_t<T_, A_>) != 0, bool>;
#define COALINT_MIXED(sign, result)                                                                                        \
    template <class T_, class A_> result<T_, A_> operator sign(const T_&, A_); template <class T_, class A_> result<T_, A_> operator sign(A_, const T_&);
COALINT_MIXED(+, reduced_t) COALINT_MIXED(-, reduced_t) COALINT_MIXED(*, reduced_t) COALINT_MIXED(/, reduced_t)
COALINT_MIXED(<, compared_t) COALINT_MIXED(>, compared_t) COALINT_MIXED(<=, compared_t) COALINT_MIXED(>=, compared_t) COALINT_MIXED(==, compared_t) COALINT_MIXED(!=, compared_t)
#undef COALINT_MIXED
struct alignas(1) Float8_e4m3fn { unsigned char x; Float8_e4m3fn() = default; Float8_e4m3fn(float); operator float() const; };
struct alignas(1) Float8_e5m2 { unsigned char x; Float8_e5m2() = default; Float8_e5m2(float); operator float() const; };
struct alignas(1) Float8_e4m3fnuz { unsigned char x; Float8_e4m3fnuz() = default; Float8_e4m3fnuz(float); operator float() const; };
#pragma push_macro("re")
#pragma push_macro("im")
#define re real_  // PyTorch's names of the parts, which are public
#define im imag_
COALINT_COMPLEX_FAMILY(alignas(2 * sizeof(T_)))
#pragma pop_macro("re")
#pragma pop_macro("im")
enum class ScalarType : signed char { Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16, Float8_e5m2 = 23, Float8_e4m3fn, Float8_e5m2fnuz, Float8_e4m3fnuz, Undefined };
enum class DeviceType : signed char { CPU, CUDA };
enum class Layout : signed char { Strided, Sparse };
enum class MemoryFormat : signed char { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
struct Device { Device(DeviceType, signed char = -1); Device(const char*); Device(const std::string&); signed char index() const; bool has_index() const; DeviceType type() const; bool is_cuda() const; bool is_cpu() const; std::string str() const; bool operator==(const Device&) const; bool operator!=(const Device&) const; };
bool operator==(const Device&, DeviceType);
template <class T_> struct ArrayRef {
    typedef T_ value_type;
    const T_* first; size_t count;
    ArrayRef(); ArrayRef(const T_&); ArrayRef(const T_*, size_t); ArrayRef(std::initializer_list<T_>); ArrayRef(const std::vector<T_>&);
    template <size_t n_> ArrayRef(const std::array<T_, n_>&);
    const T_* data() const { return first; }
    size_t size() const { return count; }
    const T_& operator[](size_t i) const { return first[i]; }
    const T_* begin() const { return first; }
    const T_* end() const { return first + count; }
    std::vector<T_> vec() const;
    ArrayRef slice(size_t, size_t) const;
    bool operator==(const ArrayRef&) const;
    bool operator!=(const ArrayRef&) const;
};
typedef ArrayRef<int64_t> IntArrayRef;
typedef IntArrayRef IntList;
template <class T_> std::ostream& operator<<(std::ostream&, ArrayRef<T_>);
template <class T_> using optional = std::optional<T_>;
using std::nullopt;
using std::string_view;
template <class T_, unsigned n_> struct SmallVector : std::vector<T_> { using std::vector<T_>::vector; };
template <class I_> struct integer_range {
    struct iterator {
        I_ value;
        I_ operator*() const { return value; }
        iterator& operator++() { ++value; return *this; }
        bool operator==(const iterator& other) const { return value == other.value; }
        bool operator!=(const iterator& other) const { return value != other.value; }
    };
    iterator first, last;
    iterator begin() const { return first; }
    iterator end() const { return last; }
};
template <class I_> integer_range<I_> irange(I_ end) { return {{I_(0)}, {end < 0 ? I_(0) : end}}; }
template <class I_, class J_> integer_range<J_> irange(I_ begin, J_ end) { return {{J_(begin)}, {end < J_(begin) ? J_(begin) : end}}; }
template <class T_> struct List : std::vector<T_> { using std::vector<T_>::vector; };
struct Scalar { Scalar(); template <class T_, class = std::enable_if_t<std::is_arithmetic<T_>::value || std::is_same<T_, Half>::value || std::is_same<T_, BFloat16>::value>> Scalar(T_); template <class T_> T_ to() const; double toDouble() const; float toFloat() const; int64_t toLong() const; int toInt() const; bool toBool() const; };
struct TensorOptions {
    TensorOptions(); TensorOptions(ScalarType); TensorOptions(Device); TensorOptions(DeviceType);
    TensorOptions dtype(ScalarType) const; TensorOptions device(Device) const; TensorOptions device(DeviceType, int = -1) const; TensorOptions layout(Layout) const; TensorOptions requires_grad(bool) const;
    TensorOptions memory_format(MemoryFormat) const; TensorOptions pinned_memory(bool) const;
    ScalarType dtype() const; Device device() const; Layout layout() const; bool requires_grad() const; bool pinned_memory() const; bool has_dtype() const; bool has_device() const;
};
struct DeprecatedTypeProperties {
    ScalarType scalarType() const; bool is_cuda() const; bool is_sparse() const; std::string toString() const;
    operator ScalarType() const; operator TensorOptions() const;
};
template <class T_> struct CppTypeToScalarType { static constexpr ScalarType value = ScalarType::Float; };
inline constexpr ScalarType kComplexHalf = ScalarType::ComplexHalf, kComplexFloat = ScalarType::ComplexFloat, kComplexDouble = ScalarType::ComplexDouble;
inline constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char, kShort = ScalarType::Short, kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half, kFloat = ScalarType::Float, kDouble = ScalarType::Double, kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16, kInt8 = kChar, kUInt8 = kByte, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong, kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn, kFloat8_e5m2 = ScalarType::Float8_e5m2, kFloat8_e4m3fnuz = ScalarType::Float8_e4m3fnuz, kFloat8_e5m2fnuz = ScalarType::Float8_e5m2fnuz;
namespace impl {
template <ScalarType> struct ScalarTypeToCPPType { typedef float type; };
#define COALINT_SCALAR(name, T_) template <> struct ScalarTypeToCPPType<ScalarType::name> { typedef T_ type; };
COALINT_SCALAR(Byte, unsigned char) COALINT_SCALAR(Char, signed char) COALINT_SCALAR(Short, short) COALINT_SCALAR(Int, int) COALINT_SCALAR(Long, int64_t)
COALINT_SCALAR(Half, c10::Half) COALINT_SCALAR(Double, double) COALINT_SCALAR(Bool, bool) COALINT_SCALAR(BFloat16, c10::BFloat16)
COALINT_SCALAR(Float8_e5m2, c10::Float8_e5m2) COALINT_SCALAR(Float8_e4m3fn, c10::Float8_e4m3fn)
#undef COALINT_SCALAR
template <ScalarType type_> using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<type_>::type;
}  // namespace impl
inline constexpr DeviceType kCUDA = DeviceType::CUDA, kCPU = DeviceType::CPU;
inline constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse;
const char* toString(ScalarType);
size_t elementSize(ScalarType);
std::ostream& operator<<(std::ostream&, ScalarType); std::ostream& operator<<(std::ostream&, Layout); std::ostream& operator<<(std::ostream&, DeviceType); std::ostream& operator<<(std::ostream&, Device);
struct DeviceGuard { explicit DeviceGuard(Device); };
struct OptionalDeviceGuard { OptionalDeviceGuard(); OptionalDeviceGuard(Device); OptionalDeviceGuard(std::optional<Device>); };
struct Error : std::exception { using std::exception::exception; };
template <class... A_> std::string str(A_&&...) COALINT_HOST_ONLY
template <class T_> T_ maybe_wrap_dim(T_ d, T_ n) { return d < 0 ? d + n : d; }
namespace cuda {
struct CUDAStream { operator cudaStream_t() const; cudaStream_t stream() const; signed char device_index() const; void synchronize() const; };
CUDAStream getCurrentCUDAStream(signed char = -1);
CUDAStream getStreamFromPool(bool = false, signed char = -1);
CUDAStream getDefaultCUDAStream(signed char = -1);
struct CUDAEvent { CUDAEvent(); explicit CUDAEvent(unsigned int); operator cudaEvent_t() const; cudaEvent_t event() const; void record(); void record(const CUDAStream&); void block(const CUDAStream&); bool query() const; void synchronize() const; float elapsed_time(const CUDAEvent&) const; };
struct CUDAGuard { explicit CUDAGuard(signed char); explicit CUDAGuard(Device); };
struct OptionalCUDAGuard { OptionalCUDAGuard(); explicit OptionalCUDAGuard(Device); explicit OptionalCUDAGuard(std::optional<Device>); };
struct CUDAStreamGuard { explicit CUDAStreamGuard(CUDAStream); };
signed char current_device();
cudaError_t GetDevice(signed char*); cudaError_t SetDevice(signed char, bool = false); cudaError_t MaybeSetDevice(signed char); signed char ExchangeDevice(signed char); signed char MaybeExchangeDevice(signed char);
signed char device_count();
namespace CUDACachingAllocator { void* raw_alloc(size_t); void* raw_alloc_with_stream(size_t, cudaStream_t); void raw_delete(void*); void emptyCache(); }
}  // namespace cuda
template <class T_> struct scalar_value_type { typedef T_ type; };
template <class T_> struct scalar_value_type<complex<T_>> { typedef T_ type; };
}  // namespace c10
namespace std {  // has PyTorch's functions of its complex numbers, too
using c10::abs; using c10::arg; using c10::norm; using c10::conj; using c10::real; using c10::imag; using c10::proj; using c10::polar; using c10::pow;
using c10::exp; using c10::log; using c10::log10; using c10::sqrt; using c10::sin; using c10::cos; using c10::tan; using c10::sinh; using c10::cosh;
using c10::tanh; using c10::asin; using c10::acos; using c10::atan; using c10::asinh; using c10::acosh; using c10::atanh;
}  // namespace std

namespace at {
using namespace c10;
template <class T_> struct DefaultPtrTraits { typedef T_* PtrType; };
template <class T_> struct RestrictPtrTraits { typedef T_* __restrict__ PtrType; };

template <class T_, size_t n_, template <class> class Traits_ = DefaultPtrTraits, class I_ = int64_t> class TensorAccessor {
    typename Traits_<T_>::PtrType data_;
    const I_* sizes_;
    const I_* strides_;

  public:
    TensorAccessor(typename Traits_<T_>::PtrType data, const I_* sizes, const I_* strides) : data_(data), sizes_(sizes), strides_(strides) {}
    TensorAccessor<T_, n_ - 1, Traits_, I_> operator[](I_ i) { return TensorAccessor<T_, n_ - 1, Traits_, I_>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1); }
    const TensorAccessor<T_, n_ - 1, Traits_, I_> operator[](I_ i) const { return TensorAccessor<T_, n_ - 1, Traits_, I_>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1); }
    I_ size(I_ i) const { return sizes_[i]; }
    I_ stride(I_ i) const { return strides_[i]; }
    typename Traits_<T_>::PtrType data() { return data_; }
    const typename Traits_<T_>::PtrType data() const { return data_; }
};
template <class T_, template <class> class Traits_, class I_> class TensorAccessor<T_, 1, Traits_, I_> {
    typename Traits_<T_>::PtrType data_;
    const I_* sizes_;
    const I_* strides_;

  public:
    TensorAccessor(typename Traits_<T_>::PtrType data, const I_* sizes, const I_* strides) : data_(data), sizes_(sizes), strides_(strides) {}
    T_& operator[](I_ i) { return data_[strides_[0] * i]; }
    const T_& operator[](I_ i) const { return data_[strides_[0] * i]; }
    I_ size(I_ i) const { return sizes_[i]; }
    I_ stride(I_ i) const { return strides_[i]; }
    typename Traits_<T_>::PtrType data() { return data_; }
    const typename Traits_<T_>::PtrType data() const { return data_; }
};

template <class T_, size_t n_, template <class> class Traits_ = DefaultPtrTraits, class I_ = int64_t> class GenericPackedTensorAccessor {
    typename Traits_<T_>::PtrType data_;
    I_ sizes_[n_];
    I_ strides_[n_];

  public:
    GenericPackedTensorAccessor(typename Traits_<T_>::PtrType data, const I_* sizes, const I_* strides);
    TensorAccessor<T_, n_ - 1, Traits_, I_> operator[](I_ i) { return TensorAccessor<T_, n_ - 1, Traits_, I_>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1); }
    const TensorAccessor<T_, n_ - 1, Traits_, I_> operator[](I_ i) const { return TensorAccessor<T_, n_ - 1, Traits_, I_>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1); }
    I_ size(I_ i) const { return sizes_[i]; }
    I_ stride(I_ i) const { return strides_[i]; }
    typename Traits_<T_>::PtrType data() { return data_; }
    const typename Traits_<T_>::PtrType data() const { return data_; }
};
template <class T_, template <class> class Traits_, class I_> class GenericPackedTensorAccessor<T_, 1, Traits_, I_> {
    typename Traits_<T_>::PtrType data_;
    I_ sizes_[1];
    I_ strides_[1];

  public:
    GenericPackedTensorAccessor(typename Traits_<T_>::PtrType data, const I_* sizes, const I_* strides);
    T_& operator[](I_ i) { return data_[strides_[0] * i]; }
    const T_& operator[](I_ i) const { return data_[strides_[0] * i]; }
    I_ size(I_ i) const { return sizes_[i]; }
    I_ stride(I_ i) const { return strides_[i]; }
    typename Traits_<T_>::PtrType data() { return data_; }
    const typename Traits_<T_>::PtrType data() const { return data_; }
};
template <class T_, size_t n_, template <class> class Traits_ = DefaultPtrTraits> using PackedTensorAccessor32 = GenericPackedTensorAccessor<T_, n_, Traits_, int32_t>;
template <class T_, size_t n_, template <class> class Traits_ = DefaultPtrTraits> using PackedTensorAccessor64 = GenericPackedTensorAccessor<T_, n_, Traits_, int64_t>;
template <class T_, size_t n_, template <class> class Traits_ = DefaultPtrTraits, class I_ = int64_t> using PackedTensorAccessor = GenericPackedTensorAccessor<T_, n_, Traits_, I_>;

namespace indexing { struct TensorIndex { template <class T_> TensorIndex(T_&&) COALINT_HOST_ONLY }; }
class Tensor {
  public:
    Tensor();
    template <class T_> T_* data_ptr() const COALINT_HOST_ONLY
    void* data_ptr() const;
    template <class T_> T_* mutable_data_ptr() const COALINT_HOST_ONLY
    template <class T_> const T_* const_data_ptr() const COALINT_HOST_ONLY
    template <class T_> T_* data() const COALINT_HOST_ONLY
    template <class T_> T_ item() const COALINT_HOST_ONLY
    Scalar item() const;
    template <class T_, size_t n_> TensorAccessor<T_, n_> accessor() const COALINT_HOST_ONLY
    template <class T_, size_t n_, template <class> class Traits_ = DefaultPtrTraits> PackedTensorAccessor32<T_, n_, Traits_> packed_accessor32() const COALINT_HOST_ONLY
    template <class T_, size_t n_, template <class> class Traits_ = DefaultPtrTraits> PackedTensorAccessor64<T_, n_, Traits_> packed_accessor64() const COALINT_HOST_ONLY
    template <class T_, size_t n_, template <class> class Traits_ = DefaultPtrTraits, class I_ = int64_t> GenericPackedTensorAccessor<T_, n_, Traits_, I_> packed_accessor() const COALINT_HOST_ONLY
    int64_t size(int64_t) const; int64_t stride(int64_t) const; int64_t numel() const; int64_t dim() const; int64_t ndimension() const; int64_t nbytes() const; int64_t element_size() const; size_t itemsize() const;
    IntArrayRef sizes() const; IntArrayRef strides() const; int64_t storage_offset() const;
    ScalarType scalar_type() const; ScalarType dtype() const; TensorOptions options() const; Device device() const; signed char get_device() const; Layout layout() const;
    bool is_cuda() const; bool is_cpu() const; bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const; bool defined() const; bool is_sparse() const; bool is_floating_point() const; bool requires_grad() const; bool is_non_overlapping_and_dense() const;
    template <class... A_> Tensor index(A_&&...) const COALINT_HOST_ONLY
    Tensor index(std::initializer_list<indexing::TensorIndex>) const COALINT_HOST_ONLY
    template <class... A_> Tensor index_put_(A_&&...) const COALINT_HOST_ONLY
    template <class... A_> Tensor index_put_(std::initializer_list<indexing::TensorIndex>, A_&&...) const COALINT_HOST_ONLY
    // Whatever the arguments, another tensor.
#define COALINT_METHOD(name) template <class... A_> Tensor name(A_&&...) const COALINT_HOST_ONLY template <class... A_> Tensor name(IntArrayRef, A_&&...) const COALINT_HOST_ONLY Tensor name(TensorOptions) const;
    COALINT_METHOD(contiguous) COALINT_METHOD(clone) COALINT_METHOD(detach) COALINT_METHOD(cuda) COALINT_METHOD(cpu) COALINT_METHOD(to)
    COALINT_METHOD(view) COALINT_METHOD(reshape) COALINT_METHOD(expand) COALINT_METHOD(permute) COALINT_METHOD(transpose) COALINT_METHOD(t)
    COALINT_METHOD(squeeze) COALINT_METHOD(unsqueeze) COALINT_METHOD(flatten) COALINT_METHOD(view_as) COALINT_METHOD(expand_as) COALINT_METHOD(select)
    COALINT_METHOD(slice) COALINT_METHOD(narrow) COALINT_METHOD(index_select) COALINT_METHOD(sum) COALINT_METHOD(mean)
    COALINT_METHOD(max) COALINT_METHOD(min) COALINT_METHOD(abs) COALINT_METHOD(sqrt) COALINT_METHOD(exp) COALINT_METHOD(matmul) COALINT_METHOD(mm)
    COALINT_METHOD(bmm) COALINT_METHOD(mul) COALINT_METHOD(add) COALINT_METHOD(sub) COALINT_METHOD(div) COALINT_METHOD(cumsum)
    COALINT_METHOD(argsort) COALINT_METHOD(tile) COALINT_METHOD(nonzero) COALINT_METHOD(masked_select) COALINT_METHOD(masked_fill) COALINT_METHOD(lt)
    COALINT_METHOD(gt) COALINT_METHOD(le) COALINT_METHOD(ge) COALINT_METHOD(eq) COALINT_METHOD(ne) COALINT_METHOD(any) COALINT_METHOD(all)
    COALINT_METHOD(norm) COALINT_METHOD(repeat) COALINT_METHOD(chunk) COALINT_METHOD(split) COALINT_METHOD(gather) COALINT_METHOD(scatter)
    COALINT_METHOD(scatter_add) COALINT_METHOD(new_empty) COALINT_METHOD(new_zeros) COALINT_METHOD(new_ones) COALINT_METHOD(new_full)
    COALINT_METHOD(type_as) COALINT_METHOD(toType) COALINT_METHOD(to_dense) COALINT_METHOD(flip) COALINT_METHOD(roll) COALINT_METHOD(clamp)
    COALINT_METHOD(unique) COALINT_METHOD(pow) COALINT_METHOD(where) COALINT_METHOD(unbind) COALINT_METHOD(diagonal) COALINT_METHOD(tril)
    COALINT_METHOD(triu) COALINT_METHOD(softmax) COALINT_METHOD(half) COALINT_METHOD(bitwise_and) COALINT_METHOD(logical_and) COALINT_METHOD(conj)
    COALINT_METHOD(real) COALINT_METHOD(view_as_real) COALINT_METHOD(movedim) COALINT_METHOD(swapaxes) COALINT_METHOD(reshape_as)
    COALINT_METHOD(true_divide) COALINT_METHOD(floor_divide) COALINT_METHOD(remainder) COALINT_METHOD(fmod) COALINT_METHOD(log) COALINT_METHOD(log2)
    COALINT_METHOD(tanh) COALINT_METHOD(sigmoid) COALINT_METHOD(relu) COALINT_METHOD(floor) COALINT_METHOD(ceil) COALINT_METHOD(round)
    COALINT_METHOD(neg) COALINT_METHOD(sign) COALINT_METHOD(reciprocal) COALINT_METHOD(rsqrt) COALINT_METHOD(square) COALINT_METHOD(sin)
    COALINT_METHOD(cos) COALINT_METHOD(argmax) COALINT_METHOD(argmin) COALINT_METHOD(prod) COALINT_METHOD(cumprod) COALINT_METHOD(std)
    COALINT_METHOD(var) COALINT_METHOD(median) COALINT_METHOD(amax) COALINT_METHOD(amin) COALINT_METHOD(isnan) COALINT_METHOD(isinf)
    COALINT_METHOD(isfinite) COALINT_METHOD(logical_not) COALINT_METHOD(logical_or) COALINT_METHOD(bitwise_or) COALINT_METHOD(bitwise_not)
    COALINT_METHOD(clamp_min) COALINT_METHOD(clamp_max) COALINT_METHOD(bincount) COALINT_METHOD(unfold) COALINT_METHOD(unflatten)
    COALINT_METHOD(addmm) COALINT_METHOD(baddbmm) COALINT_METHOD(mv) COALINT_METHOD(dot) COALINT_METHOD(take) COALINT_METHOD(view_as_complex)
    COALINT_METHOD(index_copy) COALINT_METHOD(index_add) COALINT_METHOD(log_softmax) COALINT_METHOD(repeat_interleave)
#undef COALINT_METHOD
#define COALINT_METHOD(name) template <class... A_> Tensor& name(A_&&...) const COALINT_HOST_ONLY template <class... A_> Tensor& name(IntArrayRef, A_&&...) const COALINT_HOST_ONLY
    COALINT_METHOD(zero_) COALINT_METHOD(fill_) COALINT_METHOD(copy_) COALINT_METHOD(resize_) COALINT_METHOD(resize_as_) COALINT_METHOD(add_)
    COALINT_METHOD(sub_) COALINT_METHOD(mul_) COALINT_METHOD(div_) COALINT_METHOD(set_) COALINT_METHOD(requires_grad_) 
    COALINT_METHOD(index_add_) COALINT_METHOD(masked_fill_) COALINT_METHOD(scatter_) COALINT_METHOD(scatter_add_) COALINT_METHOD(clamp_)
    COALINT_METHOD(uniform_) COALINT_METHOD(normal_) COALINT_METHOD(transpose_) COALINT_METHOD(squeeze_) COALINT_METHOD(unsqueeze_)
    COALINT_METHOD(exp_) COALINT_METHOD(sqrt_) COALINT_METHOD(floor_) COALINT_METHOD(true_divide_) COALINT_METHOD(floor_divide_)
    COALINT_METHOD(remainder_) COALINT_METHOD(log_) COALINT_METHOD(pow_) COALINT_METHOD(neg_) COALINT_METHOD(abs_) COALINT_METHOD(relu_)
    COALINT_METHOD(sigmoid_) COALINT_METHOD(tanh_) COALINT_METHOD(ceil_) COALINT_METHOD(round_) COALINT_METHOD(clamp_min_) COALINT_METHOD(clamp_max_)
    COALINT_METHOD(random_) COALINT_METHOD(bernoulli_) COALINT_METHOD(exponential_) COALINT_METHOD(masked_scatter_) COALINT_METHOD(index_copy_)
    COALINT_METHOD(index_fill_) COALINT_METHOD(put_) COALINT_METHOD(addmm_) COALINT_METHOD(bitwise_and_) COALINT_METHOD(bitwise_or_)
    COALINT_METHOD(logical_not_) COALINT_METHOD(reciprocal_) COALINT_METHOD(square_) COALINT_METHOD(cumsum_)
#undef COALINT_METHOD
    template <class... A_> std::tuple<Tensor, Tensor> sort(A_&&...) const; template <class... A_> std::tuple<Tensor, Tensor> topk(A_&&...) const;
    Tensor operator[](int64_t) const; DeprecatedTypeProperties type() const; std::string toString() const; MemoryFormat suggest_memory_format() const; bool has_storage() const; bool is_same(const Tensor&) const; const Tensor& grad() const; bool is_quantized() const;
    template <class T_> Tensor& operator+=(const T_&); template <class T_> Tensor& operator-=(const T_&); template <class T_> Tensor& operator*=(const T_&); template <class T_> Tensor& operator/=(const T_&);
    Tensor operator-() const; Tensor operator~() const;
};
std::ostream& operator<<(std::ostream&, const Tensor&);
#define COALINT_TENSOR(op) Tensor operator op(const Tensor&, const Tensor&); Tensor operator op(const Tensor&, Scalar); Tensor operator op(Scalar, const Tensor&);
COALINT_TENSOR(+) COALINT_TENSOR(-) COALINT_TENSOR(*) COALINT_TENSOR(/) COALINT_TENSOR(==) COALINT_TENSOR(!=) COALINT_TENSOR(<) COALINT_TENSOR(<=) COALINT_TENSOR(>) COALINT_TENSOR(>=)
COALINT_TENSOR(&) COALINT_TENSOR(|) COALINT_TENSOR(^) COALINT_TENSOR(%)
#undef COALINT_TENSOR
typedef ArrayRef<Tensor> TensorList; typedef ArrayRef<const Tensor*> ITensorListRef; typedef SmallVector<int64_t, 5> DimVector;
// Factories and functions: whatever the arguments (a shape in braces included), another tensor.
#define COALINT_FUNCTION(name) Tensor name(IntArrayRef); template <class... A_> Tensor name(IntArrayRef, A_&&...) COALINT_HOST_ONLY template <class... A_> Tensor name(const Tensor&, A_&&...) COALINT_HOST_ONLY
COALINT_FUNCTION(empty) COALINT_FUNCTION(zeros) COALINT_FUNCTION(ones) COALINT_FUNCTION(full) COALINT_FUNCTION(rand) COALINT_FUNCTION(randn)
COALINT_FUNCTION(randint) COALINT_FUNCTION(eye) COALINT_FUNCTION(linspace) COALINT_FUNCTION(empty_like) COALINT_FUNCTION(zeros_like)
COALINT_FUNCTION(ones_like) COALINT_FUNCTION(full_like) COALINT_FUNCTION(rand_like) COALINT_FUNCTION(tensor) COALINT_FUNCTION(arange)
COALINT_FUNCTION(empty_strided) COALINT_FUNCTION(matmul) COALINT_FUNCTION(mm) COALINT_FUNCTION(mm_out)
COALINT_FUNCTION(bmm) COALINT_FUNCTION(addmm) COALINT_FUNCTION(cat) COALINT_FUNCTION(stack) COALINT_FUNCTION(sum) COALINT_FUNCTION(mean)
COALINT_FUNCTION(max) COALINT_FUNCTION(min) COALINT_FUNCTION(cumsum) COALINT_FUNCTION(gather) COALINT_FUNCTION(nonzero) COALINT_FUNCTION(where)
COALINT_FUNCTION(add) COALINT_FUNCTION(sub) COALINT_FUNCTION(mul) COALINT_FUNCTION(div) COALINT_FUNCTION(sqrt) COALINT_FUNCTION(exp)
COALINT_FUNCTION(softmax) COALINT_FUNCTION(unique_dim) COALINT_FUNCTION(_unique) COALINT_FUNCTION(_unique2) COALINT_FUNCTION(scatter_add)
COALINT_FUNCTION(index_select) COALINT_FUNCTION(norm) COALINT_FUNCTION(bitwise_left_shift) COALINT_FUNCTION(clamp) COALINT_FUNCTION(flip)
COALINT_FUNCTION(transpose) COALINT_FUNCTION(einsum)
#undef COALINT_FUNCTION
template <class... A_> std::tuple<Tensor, Tensor> sort(const Tensor&, A_&&...); template <class... A_> std::tuple<Tensor, Tensor> topk(const Tensor&, A_&&...);
Tensor from_blob(void*, IntArrayRef, TensorOptions = {}); Tensor cat(TensorList, int64_t = 0); Tensor stack(TensorList, int64_t = 0); Tensor tensor(Scalar, TensorOptions = {}); Tensor arange(Scalar, Scalar, TensorOptions = {});
Tensor arange(Scalar, TensorOptions = {}); std::optional<Device> device_of(const Tensor&); TensorOptions device(Device); TensorOptions device(DeviceType); TensorOptions dtype(ScalarType); TensorOptions requires_grad(bool = true); std::string DeviceTypeName(DeviceType, bool = false);

// What checks arguments before a launch.
typedef const char* CheckedFrom;
struct TensorArg { const Tensor& tensor; const char* name; int pos; TensorArg(const Tensor&, const char*, int); const Tensor* operator->() const; const Tensor& operator*() const; };
struct TensorGeometryArg { TensorGeometryArg(TensorArg); };
#define COALINT_CHECK(name) template <class... A_> void name(CheckedFrom, A_&&...) COALINT_HOST_ONLY inline void name(CheckedFrom, std::initializer_list<TensorArg>) {}
COALINT_CHECK(checkAllSameGPU) COALINT_CHECK(checkAllSameType) COALINT_CHECK(checkSameGPU) COALINT_CHECK(checkSameType) COALINT_CHECK(checkAllDefined)
COALINT_CHECK(checkScalarType) COALINT_CHECK(checkContiguous) COALINT_CHECK(checkAllContiguous) COALINT_CHECK(checkDim) COALINT_CHECK(checkSize)
COALINT_CHECK(checkNumel) COALINT_CHECK(checkSameSize) COALINT_CHECK(checkDimRange)
#undef COALINT_CHECK
struct Context { bool deterministicAlgorithms() const; void alertNotDeterministic(const char*); bool allowTF32CuBLAS() const; };
Context& globalContext();

template <class T_> struct coalint_opmath { typedef T_ type; };
template <> struct coalint_opmath<c10::Half> { typedef float type; };
template <> struct coalint_opmath<c10::BFloat16> { typedef float type; };
template <> struct coalint_opmath<__half> { typedef float type; };
template <class T_> using opmath_type = typename coalint_opmath<T_>::type;
template <class T_, bool = true> using acc_type = typename coalint_opmath<T_>::type;
struct PhiloxCudaState { unsigned long long seed_, offset_; };
struct Generator { template <class T_> T_* get() const; };
namespace cuda {
using namespace c10::cuda;
cudaDeviceProp* getCurrentDeviceProperties();
cudaDeviceProp* getDeviceProperties(int64_t);
inline int warp_size() { return 32; }
struct CUDAGeneratorImpl { PhiloxCudaState philox_cuda_state(unsigned long long); };
namespace detail {
Generator getDefaultCUDAGenerator();
template <class T_, class I_> struct TensorInfo { T_* data; I_ sizes[25]; I_ strides[25]; int dims; void reduceDim(int); int collapseDims(int = -1); bool isContiguous() const { return dims == 1 && strides[0] == 1; } };
template <class T_, class I_> TensorInfo<T_, I_> getTensorInfo(const Tensor&) COALINT_HOST_ONLY
// The last dimension moves fastest. `dims_` is -1 where it is known at run time alone.
template <class T_, class I_, int dims_> struct IndexToOffset {
    static I_ get(I_ i, const TensorInfo<T_, I_>& info) {
        I_ offset = 0;
        for (int d = (dims_ < 0 ? info.dims : dims_) - 1; d > 0; --d) {
            offset += i % info.sizes[d] * info.strides[d];
            i /= info.sizes[d];
        }
        return offset + i * info.strides[0];
    }
};
bool canUse32BitIndexMath(const Tensor&, int64_t = 0x7fffffff); bool maybeOverlappingIndices(const Tensor&);
}  // namespace detail
template <class T_> constexpr T_ ATenCeilDiv(T_ a, T_ b) { return (a + b - 1) / b; }
namespace philox { std::tuple<unsigned long long, unsigned long long> unpack(PhiloxCudaState); }
}  // namespace cuda
template <class T_> constexpr T_ ceil_div(T_ a, T_ b) { return (a + b - 1) / b; }
template <class T_> constexpr T_ ceilDiv(T_ a, T_ b) { return (a + b - 1) / b; }
namespace native { using at::ceil_div; bool resize_output(const Tensor&, IntArrayRef); }
}  // namespace at

template <class T_> T_ gpuAtomicAdd(T_* p, std::type_identity_t<T_> v) { return atomicAdd(p, v); }
template <class T_> T_ gpuAtomicMax(T_* p, std::type_identity_t<T_> v) { return atomicAdd(p, v); }  // like a sum: one atomic at one address
template <class T_> T_ gpuAtomicMin(T_* p, std::type_identity_t<T_> v) { return atomicAdd(p, v); }
template <class T_> T_ gpuAtomicMul(T_* p, std::type_identity_t<T_> v) { return atomicAdd(p, v); }
template <class T_> void gpuAtomicAddNoReturn(T_* p, std::type_identity_t<T_> v) { atomicAdd(p, v); }
template <class T_> void fastAtomicAdd(T_* p, size_t i, size_t, std::type_identity_t<T_> v, bool) { atomicAdd(p + i, v); }
template <class T_> T_ WARP_SHFL(T_ v, int lane, int width = 32, unsigned int mask = 0xffffffffu) { return __shfl_sync(mask, v, lane, width); }
template <class T_> T_ WARP_SHFL_XOR(T_ v, int lanes, int width = 32, unsigned int mask = 0xffffffffu) { return __shfl_xor_sync(mask, v, lanes, width); }
template <class T_> T_ WARP_SHFL_UP(T_ v, unsigned int delta, int width = 32, unsigned int mask = 0xffffffffu) { return __shfl_up_sync(mask, v, delta, width); }
template <class T_> T_ WARP_SHFL_DOWN(T_ v, unsigned int delta, int width = 32, unsigned int mask = 0xffffffffu) { return __shfl_down_sync(mask, v, delta, width); }
inline unsigned int WARP_BALLOT(int predicate, unsigned int mask = 0xffffffffu) { return __ballot_sync(mask, predicate); }

namespace at { namespace indexing { struct None_t {}; inline constexpr None_t None{}; struct Ellipsis_t {}; inline constexpr Ellipsis_t Ellipsis{}; struct Slice { Slice(); Slice(int64_t); template <class T_, class U_> Slice(T_, U_); template <class T_, class U_, class V_> Slice(T_, U_, V_); }; } }
namespace torch {
using namespace at;
namespace indexing = at::indexing;
using at::Tensor;
namespace cuda = at::cuda;
typedef c10::ScalarType Dtype;
using c10::ScalarType;
struct NoGradGuard {};
namespace autograd {
typedef std::vector<at::Tensor> variable_list, tensor_list;
struct AutogradContext { template <class... A_> void save_for_backward(A_&&...); variable_list get_saved_variables() const; std::map<std::string, at::Scalar> saved_data; };
template <class T_> struct Function { template <class... A_> static at::Tensor apply(A_&&...) COALINT_HOST_ONLY };
}
namespace nn { namespace functional {} }
struct Library { template <class... A_> Library& def(A_&&...) COALINT_HOST_ONLY template <class... A_> Library& impl(A_&&...) COALINT_HOST_ONLY };
}  // namespace torch
namespace pybind11 { struct coalint_attribute { template <class T_> coalint_attribute& operator=(T_&&) COALINT_HOST_ONLY };
struct module_ { template <class... A_> module_& def(A_&&...) COALINT_HOST_ONLY const char* doc(); coalint_attribute attr(const char*); module_ def_submodule(const char*, const char* = nullptr); }; struct arg { arg(); explicit arg(const char*); template <class T_> arg& operator=(const T_&); }; struct object {}; struct gil_scoped_release {};
struct coalint_constant {};
constexpr coalint_constant const_{};
template <class... A_> struct coalint_overload {
    template <class R_> constexpr auto operator()(R_ (*f)(A_...)) const -> R_ (*)(A_...) { return f; }
    template <class R_, class C_> constexpr auto operator()(R_ (C_::*f)(A_...)) const -> R_ (C_::*)(A_...) { return f; }
    template <class R_, class C_> constexpr auto operator()(R_ (C_::*f)(A_...) const, coalint_constant) const -> R_ (C_::*)(A_...) const { return f; }
};
template <class... A_> constexpr coalint_overload<A_...> overload_cast{};
template <class... A_> struct coalint_init {}; template <class... A_> coalint_init<A_...> init();
template <class T_, class... O_> struct class_ {
    template <class... A_> explicit class_(A_&&...);
    template <class... A_> class_& def(A_&&...) COALINT_HOST_ONLY
    template <class... A_> class_& def_static(A_&&...) COALINT_HOST_ONLY
    template <class... A_> class_& def_readwrite(A_&&...) COALINT_HOST_ONLY
    template <class... A_> class_& def_readonly(A_&&...) COALINT_HOST_ONLY
    template <class... A_> class_& def_property(A_&&...) COALINT_HOST_ONLY
    template <class... A_> class_& def_property_readonly(A_&&...) COALINT_HOST_ONLY
};
template <class T_> struct enum_ {
    template <class... A_> explicit enum_(A_&&...);
    template <class... A_> enum_& value(A_&&...) COALINT_HOST_ONLY
    enum_& export_values();
}; }
namespace py = pybind11;

COALINT_HOST_DEVICE_END

#define TORCH_CHECK(condition, ...) if (!(condition)) { throw c10::Error(); }
namespace c10 { struct coalint_message { template <class T_> coalint_message operator<<(const T_&) const; }; }  // what follows a check with `<<`
#define COALINT_CHECKED(condition) if (!(condition)) throw c10::coalint_message()
#define TORCH_CHECK_EQ(a, b) COALINT_CHECKED((a) == (b))
#define TORCH_CHECK_NE(a, b) COALINT_CHECKED((a) != (b))
#define TORCH_CHECK_LT(a, b) COALINT_CHECKED((a) < (b))
#define TORCH_CHECK_LE(a, b) COALINT_CHECKED((a) <= (b))
#define TORCH_CHECK_GT(a, b) COALINT_CHECKED((a) > (b))
#define TORCH_CHECK_GE(a, b) COALINT_CHECKED((a) >= (b))
#define TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)
#define AT_ASSERT TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK
#define AT_CHECK TORCH_CHECK
#define AT_ERROR(...) throw c10::Error()
#define CUDA_KERNEL_ASSERT(...) assert(__VA_ARGS__)
#define C10_CUDA_CHECK(...) ((void)(__VA_ARGS__))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define AT_CUDA_CHECK C10_CUDA_CHECK
#define TORCH_CUDA_CHECK C10_CUDA_CHECK
#define THCudaCheck C10_CUDA_CHECK
template <class T_> __host__ __device__ constexpr T_ THCCeilDiv(T_ a, T_ b) { return (a + b - 1) / b; }
#define C10_LAUNCH_BOUNDS_1(n) __launch_bounds__(n)
#define C10_LAUNCH_BOUNDS_2(n, m) __launch_bounds__(n, m)
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_RESTRICT __restrict__
#define C10_ALWAYS_INLINE __attribute__((always_inline))
#define C10_UNLIKELY(x) (x)
#define C10_LIKELY(x) (x)
#define C10_WARP_SIZE 32
#define C10_UNUSED
#define C10_MAX_THREADS_PER_BLOCK(n) n
#define TORCH_API
#define PYBIND11_MODULE(name, m) static void coalint_module_##name(pybind11::module_& m)
#define TORCH_EXTENSION_NAME extension
#define TORCH_LIBRARY(name, m) static void coalint_library_##name(torch::Library& m)
#define TORCH_LIBRARY_IMPL(name, key, m) static void coalint_library_##name##_##key(torch::Library& m)
#define TORCH_LIBRARY_FRAGMENT(name, m) static void coalint_fragment_##name(torch::Library& m)
#define TORCH_FN(f) f

#define CUDA_KERNEL_LOOP_TYPE(i, n, I_) for (I_ i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

// Each arm with a type of its own, as far as a kernel's accesses tell the types apart: the first as a rule, and one of another size.
namespace at { template <class T_> bool is_scalar_type(); }
#define COALINT_ARM(T_, ...) if (::at::is_scalar_type<T_>()) { using scalar_t [[maybe_unused]] = T_; __VA_ARGS__(); }
#define COALINT_DISPATCH(T_, ...) [&] { using scalar_t [[maybe_unused]] = T_; return __VA_ARGS__(); }()
#define COALINT_DISPATCH2(T_, U_, ...) [&] { COALINT_ARM(U_, __VA_ARGS__) else { using scalar_t [[maybe_unused]] = T_; return __VA_ARGS__(); } }()
#define COALINT_TYPE(type) c10::impl::ScalarTypeToCPPTypeT<type>
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...) COALINT_DISPATCH2(float, double, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, ...) COALINT_DISPATCH2(float, at::Half, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(more, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(more), __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(more, another, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(more), __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND3(a, b, c, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND4(a, b, c, d, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(type, name, ...) COALINT_DISPATCH2(float, double, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(a, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(a, b, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND3(a, b, c, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(type, name, ...) COALINT_DISPATCH(at::Half, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(type, name, ...) COALINT_DISPATCH2(float, int64_t, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(more, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(more), __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(more, another, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(more), __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(a, b, c, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(type, name, ...) COALINT_DISPATCH2(float, int64_t, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(a, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(a, b, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(a, b, c, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(a, b, c, d, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND5(a, b, c, d, e, type, name, ...) COALINT_DISPATCH2(float, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_V2(type, name, body, ...) COALINT_DISPATCH2(float, double, body)
#define AT_WRAP(...) __VA_ARGS__
#define AT_EXPAND(...) __VA_ARGS__
#define AT_DISPATCH_COMPLEX_TYPES(type, name, ...) COALINT_DISPATCH(c10::complex<float>, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(type, name, ...) COALINT_DISPATCH2(int, int64_t, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND(a, type, name, ...) COALINT_DISPATCH2(int, COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(type, name, ...) [&] { { using index_t [[maybe_unused]] = int64_t; __VA_ARGS__(); } { using index_t [[maybe_unused]] = int; return __VA_ARGS__(); } }()
#define AT_DISPATCH_CASE(type, ...) COALINT_ARM(COALINT_TYPE(type), __VA_ARGS__)
#define AT_DISPATCH_SWITCH(type, name, ...) [&] { __VA_ARGS__ }()
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) COALINT_ARM(float, __VA_ARGS__) COALINT_ARM(double, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...) COALINT_ARM(float, __VA_ARGS__) COALINT_ARM(int64_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...) COALINT_ARM(int, __VA_ARGS__) COALINT_ARM(int64_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(a, ...) COALINT_ARM(float, __VA_ARGS__) COALINT_ARM(COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(a, b, ...) COALINT_ARM(float, __VA_ARGS__) COALINT_ARM(COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND(a, ...) COALINT_ARM(float, __VA_ARGS__) COALINT_ARM(COALINT_TYPE(a), __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND2(a, b, ...) COALINT_ARM(float, __VA_ARGS__) COALINT_ARM(COALINT_TYPE(a), __VA_ARGS__)
#define AT_PRIVATE_CASE_TYPE_USING_HINT(type, hint, ...) COALINT_ARM(COALINT_TYPE(type), __VA_ARGS__)
