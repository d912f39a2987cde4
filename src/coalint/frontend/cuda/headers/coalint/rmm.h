// RMM: streams, buffers and vectors of device memory, which kernels of RAPIDS libraries take by pointer.
#pragma once

#include "coalint/thrust.h"

COALINT_HOST_DEVICE_BEGIN

namespace rmm {
struct cuda_stream_view { constexpr cuda_stream_view() = default; constexpr cuda_stream_view(cudaStream_t) {} cudaStream_t value() const; operator cudaStream_t() const; void synchronize() const; void synchronize_no_throw() const; bool is_default() const; operator ::cuda::stream_ref() const; };
inline constexpr cuda_stream_view cuda_stream_default{}, cuda_stream_legacy{}, cuda_stream_per_thread{};
struct cuda_stream { cuda_stream_view view() const; cudaStream_t value() const; void synchronize() const; };
struct cuda_stream_pool { explicit cuda_stream_pool(size_t = 16); cuda_stream_view get_stream() const; cuda_stream_view get_stream(size_t) const; size_t get_pool_size() const; };
struct cuda_device_id { int value_; constexpr explicit cuda_device_id(int v = 0) : value_(v) {} constexpr int value() const { return value_; } };
cuda_device_id get_current_cuda_device(); int get_num_cuda_devices();
inline constexpr size_t CUDA_ALLOCATION_ALIGNMENT = 256, RMM_DEFAULT_HOST_ALIGNMENT = 8;
constexpr size_t align_up(size_t v, size_t a) { return (v + a - 1) / a * a; }
constexpr size_t align_down(size_t v, size_t a) { return v / a * a; }
typedef ::cuda::mr::coalint_resource<> device_async_resource_ref, device_resource_ref, host_device_async_resource_ref, host_device_resource_ref, host_async_resource_ref, host_resource_ref;
namespace mr {
struct device_memory_resource { void* allocate(size_t, cuda_stream_view = {}); void deallocate(void*, size_t, cuda_stream_view = {}); };
device_memory_resource* get_current_device_resource(); device_async_resource_ref get_current_device_resource_ref(); device_async_resource_ref set_current_device_resource_ref(device_async_resource_ref);
template <class T_> device_async_resource_ref set_current_device_resource(const T_&); device_async_resource_ref reset_current_device_resource(); device_async_resource_ref reset_current_device_resource_ref();
template <class T_> struct polymorphic_allocator { typedef T_ value_type; polymorphic_allocator() = default; template <class U_> polymorphic_allocator(const U_&); T_* allocate(size_t, cuda_stream_view = {}); void deallocate(T_*, size_t, cuda_stream_view = {}); };
template <class A_> struct stream_allocator_adaptor { stream_allocator_adaptor(const A_&, cuda_stream_view); };
}  // namespace mr
class device_buffer {
    void* data_; size_t size_;

  public:
    device_buffer() {}
    template <class... A_> device_buffer(size_t n, cuda_stream_view, A_&&... a) : size_(n) { __coalint_used(a...); }
    template <class... A_> device_buffer(const void*, size_t n, cuda_stream_view, A_&&... a) : size_(n) { __coalint_used(a...); }
    const void* data() const { return data_; }
    void* data() { return data_; }
    size_t size() const { return size_; }
    size_t ssize() const { return size_; }
    bool is_empty() const { return size_ == 0; }
    void resize(size_t, cuda_stream_view) COALINT_HOST_ONLY
};
template <class T_> class device_uvector {
    T_* first_; size_t size_;

  public:
    typedef T_ value_type; typedef size_t size_type; typedef T_& reference; typedef const T_& const_reference; typedef T_* pointer; typedef const T_* const_pointer; typedef T_* iterator; typedef const T_* const_iterator;
    template <class... A_> device_uvector(size_t n, cuda_stream_view, A_&&... a) : size_(n) { __coalint_used(a...); }
    template <class... A_> device_uvector(const device_uvector& v, cuda_stream_view, A_&&... a) : size_(v.size_) { __coalint_used(a...); }
    device_uvector(device_uvector&& v) : first_(v.first_), size_(v.size_) {}
    device_uvector& operator=(device_uvector&& v) { first_ = v.first_; size_ = v.size_; return *this; }
    T_* data() { return first_; }
    const T_* data() const { return first_; }
    T_* begin() { return first_; }
    const T_* begin() const { return first_; }
    T_* end() { return first_ + size_; }
    const T_* end() const { return first_ + size_; }
    const T_* cbegin() const { return first_; }
    const T_* cend() const { return first_ + size_; }
    size_t size() const { return size_; }
    bool is_empty() const { return size_ == 0; }
    T_* element_ptr(size_t i) { return first_ + i; }
    const T_* element_ptr(size_t i) const { return first_ + i; }
    T_ element(size_t, cuda_stream_view) const; T_ front_element(cuda_stream_view) const; T_ back_element(cuda_stream_view) const;
    void set_element_async(size_t, const T_&, cuda_stream_view) COALINT_HOST_ONLY
    void set_element_to_zero_async(size_t, cuda_stream_view) COALINT_HOST_ONLY
    void resize(size_t, cuda_stream_view) COALINT_HOST_ONLY
    void reserve(size_t, cuda_stream_view) COALINT_HOST_ONLY
    device_buffer release() COALINT_HOST_ONLY
};
template <class T_> class device_scalar {
    T_* target_;

  public:
    typedef T_ value_type;
    template <class... A_> explicit device_scalar(A_&&...) COALINT_HOST_ONLY
    T_ value(cuda_stream_view) const;
    T_* data() { return target_; }
    const T_* data() const { return target_; }
    template <class V_> void set_value_async(const V_&, cuda_stream_view) COALINT_HOST_ONLY
    void set_value_to_zero_async(cuda_stream_view) COALINT_HOST_ONLY
};
template <class T_> using device_vector = thrust::device_vector<T_>;
struct exec_policy : thrust::coalint_policy { template <class... A_> explicit exec_policy(A_&&... a) { __coalint_used(a...); } };
struct exec_policy_nosync : thrust::coalint_policy { template <class... A_> explicit exec_policy_nosync(A_&&... a) { __coalint_used(a...); } };
struct logic_error : ::std::logic_error { using ::std::logic_error::logic_error; };
struct bad_alloc : ::std::bad_alloc {};
struct out_of_memory : bad_alloc {};
}  // namespace rmm

COALINT_HOST_DEVICE_END
