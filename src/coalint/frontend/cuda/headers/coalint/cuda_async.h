// cuda::barrier, cuda::pipeline and cuda::memcpy_async.
#pragma once

#include "coalint/cuda_std.h"

COALINT_HOST_DEVICE_BEGIN

namespace cuda {
template <size_t align_> struct aligned_size_t {
    size_t value;
    constexpr aligned_size_t(size_t n) : value(n) {}
    constexpr operator size_t() const { return value; }
};

template <thread_scope scope_, class Completion_ = void> class barrier {
    unsigned long long opaque_;

  public:
    struct arrival_token {};
    barrier() = default;
    barrier(ptrdiff_t expected);
    friend void init(barrier* b, ptrdiff_t expected) {}
    arrival_token arrive(ptrdiff_t = 1);
    void wait(arrival_token&&) const { __coalint_barrier_wait(); }
    void wait_parity(bool) const { __coalint_barrier_wait(); }
    bool try_wait(arrival_token&&) const;
    void arrive_and_wait() { __coalint_barrier_wait(); }
    void arrive_and_drop();
    static constexpr ptrdiff_t max() { return 1 << 20; }
};
namespace std { template <class Completion_ = void> using barrier = cuda::barrier<thread_scope_system, Completion_>; }
namespace device {
template <class B_> unsigned long long* barrier_native_handle(B_&);
template <class B_> typename B_::arrival_token barrier_arrive_tx(B_&, ptrdiff_t arrivals, ptrdiff_t bytes);
template <class B_> void barrier_expect_tx(B_&, ptrdiff_t bytes);
template <class T_, class U_, class B_> void memcpy_async_tx(T_* to, const U_* from, size_t bytes, B_&);
namespace experimental {
template <class B_> void cp_async_bulk_global_to_shared(void*, const void*, unsigned int, B_&);
void cp_async_bulk_shared_to_global(void*, const void*, unsigned int);
template <class Map_, class B_> void cp_async_bulk_tensor_1d_global_to_shared(void*, const Map_*, int, B_&);
template <class Map_, class B_> void cp_async_bulk_tensor_2d_global_to_shared(void*, const Map_*, int, int, B_&);
template <class Map_, class B_> void cp_async_bulk_tensor_3d_global_to_shared(void*, const Map_*, int, int, int, B_&);
template <class Map_> void cp_async_bulk_tensor_1d_shared_to_global(const Map_*, int, const void*);
template <class Map_> void cp_async_bulk_tensor_2d_shared_to_global(const Map_*, int, int, const void*);
template <class Map_> void cp_async_bulk_tensor_3d_shared_to_global(const Map_*, int, int, int, const void*);
void cp_async_bulk_commit_group();
template <int n_> void cp_async_bulk_wait_group_read();
void fence_proxy_async_shared_cta();
}  // namespace experimental
}  // namespace device
namespace ptx {
struct sem_release_t {}; struct sem_acquire_t {}; struct scope_cta_t {}; struct scope_cluster_t {}; struct space_shared_t {}; struct space_cluster_t {}; struct space_global_t {};
inline constexpr sem_release_t sem_release{}; inline constexpr sem_acquire_t sem_acquire{}; inline constexpr scope_cta_t scope_cta{};
inline constexpr scope_cluster_t scope_cluster{}; inline constexpr space_shared_t space_shared{}; inline constexpr space_cluster_t space_cluster{}; inline constexpr space_global_t space_global{};
template <class... A_> void cp_async_bulk(A_&&...);
template <class... A_> void cp_async_bulk_tensor(A_&&...);
template <class... A_> void cp_async_bulk_commit_group(A_&&...);
template <class... A_> void fence_proxy_async(A_&&...);
template <class... A_> bool mbarrier_try_wait_parity(A_&&...);
template <class... A_> unsigned long long mbarrier_arrive_expect_tx(A_&&...);
template <class... A_> void mbarrier_init(A_&&...);
}  // namespace ptx

enum class pipeline_role { producer, consumer };
template <thread_scope scope_, unsigned char stages_> struct pipeline_shared_state { unsigned long long barriers[2 * stages_]; };
template <thread_scope scope_> class pipeline {
  public:
    void producer_acquire();
    void producer_commit();
    void consumer_wait() { __coalint_pipeline_wait(); }
    template <class D_> bool consumer_wait_for(const D_& time) { __coalint_used(time); __coalint_pipeline_wait(); return true; }
    void consumer_release();
    bool quit();
};
inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group_, thread_scope scope_, unsigned char stages_, class... A_>
pipeline<scope_> make_pipeline(const Group_&, pipeline_shared_state<scope_, stages_>*, A_...) { return {}; }
template <unsigned char n_, thread_scope scope_> void pipeline_consumer_wait_prior(pipeline<scope_>&) { __coalint_pipeline_wait(); }
template <thread_scope scope_> void pipeline_producer_commit(pipeline<thread_scope_thread>&, barrier<scope_>&);

template <class T_, class U_, class Size_, class Sync_> void memcpy_async(T_* to, const U_* from, Size_ bytes, Sync_& sync);
template <class Group_, class T_, class U_, class Size_, class Sync_> void memcpy_async(const Group_&, T_* to, const U_* from, Size_ bytes, Sync_& sync);

struct access_property { struct persisting {}; struct streaming {}; struct normal {}; struct global {}; struct shared {}; template <class... A_> access_property(A_...); };
template <class T_, class Property_> struct annotated_ptr {
    T_* target;
    annotated_ptr(T_* p) : target(p) {}
    template <class P_> annotated_ptr(T_* p, P_) : target(p) {}
    T_& operator*() const { return *target; }
    T_& operator[](ptrdiff_t i) const { return target[i]; }
    T_* get() const { return target; }
};
template <class T_> T_* associate_access_property(T_* p, access_property) { return p; }
template <class Shape_> void apply_access_property(const void*, Shape_, access_property);
void discard_memory(void*, size_t);
}  // namespace cuda
namespace nvcuda {
namespace experimental { using cuda::pipeline; }
}

// cuda_awbarrier_primitives.h
typedef unsigned long long __mbarrier_t, __mbarrier_token_t;
void __mbarrier_init(__mbarrier_t*, unsigned int); void __mbarrier_inval(__mbarrier_t*); unsigned int __mbarrier_maximum_count();
__mbarrier_token_t __mbarrier_arrive(__mbarrier_t*); __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t*);
unsigned int __mbarrier_token_pending_count(__mbarrier_token_t);
bool __mbarrier_test_wait(__mbarrier_t*, __mbarrier_token_t); bool __mbarrier_test_wait_parity(__mbarrier_t*, bool);
bool __mbarrier_try_wait(__mbarrier_t*, __mbarrier_token_t, unsigned int); bool __mbarrier_try_wait_parity(__mbarrier_t*, bool, unsigned int);

COALINT_HOST_DEVICE_END
