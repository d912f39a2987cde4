// std's clocks, threads, locks and atomics. Host code only.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace std {
template <long n_, long d_ = 1> struct ratio { static constexpr long num = n_, den = d_; };
typedef ratio<1, 1000000000> nano;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000> milli;
namespace chrono {
template <class T_, class P_ = ratio<1>> struct duration {
    typedef T_ rep;
    typedef P_ period;
    constexpr duration() = default;
    template <class U_, class = enable_if_t<__is_arithmetic(U_)>> constexpr explicit duration(U_) COALINT_HOST_ONLY
    template <class U_, class Q_> constexpr duration(const duration<U_, Q_>&) COALINT_HOST_ONLY
    constexpr T_ count() const COALINT_HOST_ONLY
    duration& operator+=(const duration&) COALINT_HOST_ONLY
    duration& operator-=(const duration&) COALINT_HOST_ONLY
};
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
typedef duration<long, ratio<60>> minutes;
typedef duration<long, ratio<3600>> hours;
template <class T_, class P_, class U_, class Q_> nanoseconds operator+(const duration<T_, P_>&, const duration<U_, Q_>&) COALINT_HOST_ONLY
template <class T_, class P_, class U_, class Q_> nanoseconds operator-(const duration<T_, P_>&, const duration<U_, Q_>&) COALINT_HOST_ONLY
template <class T_, class P_, class U_, class Q_> bool operator<(const duration<T_, P_>&, const duration<U_, Q_>&) COALINT_HOST_ONLY
template <class T_, class P_, class U_, class Q_> bool operator>(const duration<T_, P_>&, const duration<U_, Q_>&) COALINT_HOST_ONLY
template <class T_, class P_, class U_> enable_if_t<__is_arithmetic(U_), duration<T_, P_>> operator/(const duration<T_, P_>&, U_) COALINT_HOST_ONLY
template <class D_, class T_, class P_> D_ duration_cast(const duration<T_, P_>&) COALINT_HOST_ONLY
template <class C_> struct time_point {
    nanoseconds time_since_epoch() const COALINT_HOST_ONLY
    nanoseconds operator-(const time_point&) const COALINT_HOST_ONLY
    template <class D_> time_point operator+(const D_&) const COALINT_HOST_ONLY
    bool operator<(const time_point&) const COALINT_HOST_ONLY
};
#define COALINT_CLOCK(name) struct name { typedef chrono::time_point<name> time_point; typedef nanoseconds duration; static time_point now(); };
COALINT_CLOCK(system_clock) COALINT_CLOCK(steady_clock) COALINT_CLOCK(high_resolution_clock)
#undef COALINT_CLOCK
}  // namespace chrono
namespace chrono_literals {}
inline namespace literals {}

class thread {
  public:
    struct id {};
    thread() COALINT_HOST_ONLY template <class F_, class... A_> explicit thread(F_&&, A_&&...) COALINT_HOST_ONLY thread(thread&&) COALINT_HOST_ONLY ~thread() COALINT_HOST_ONLY thread& operator=(thread&&) COALINT_HOST_ONLY
    void join() COALINT_HOST_ONLY void detach() COALINT_HOST_ONLY bool joinable() const COALINT_HOST_ONLY id get_id() const COALINT_HOST_ONLY static unsigned int hardware_concurrency() COALINT_HOST_ONLY
};
namespace this_thread {
template <class D_> void sleep_for(const D_&) COALINT_HOST_ONLY
thread::id get_id() COALINT_HOST_ONLY
void yield() COALINT_HOST_ONLY
}
struct mutex { void lock() COALINT_HOST_ONLY void unlock() COALINT_HOST_ONLY bool try_lock() COALINT_HOST_ONLY };
struct recursive_mutex : mutex {};
struct shared_mutex : mutex {};
template <class M_> struct lock_guard { explicit lock_guard(M_&) COALINT_HOST_ONLY ~lock_guard() COALINT_HOST_ONLY };
template <class... M_> struct scoped_lock { explicit scoped_lock(M_&...) COALINT_HOST_ONLY ~scoped_lock() COALINT_HOST_ONLY };
template <class M_> struct unique_lock { unique_lock() COALINT_HOST_ONLY explicit unique_lock(M_&) COALINT_HOST_ONLY ~unique_lock() COALINT_HOST_ONLY void lock() COALINT_HOST_ONLY void unlock() COALINT_HOST_ONLY };
template <class M_> struct shared_lock { explicit shared_lock(M_&) COALINT_HOST_ONLY };
#if __cplusplus >= 201703L
template <class M_> lock_guard(M_&) -> lock_guard<M_>;
template <class M_> unique_lock(M_&) -> unique_lock<M_>;
#endif
struct once_flag {};
template <class F_, class... A_> void call_once(once_flag&, F_&&, A_&&...) COALINT_HOST_ONLY
struct condition_variable { template <class L_> void wait(L_&) COALINT_HOST_ONLY template <class L_, class F_> void wait(L_&, F_) COALINT_HOST_ONLY void notify_one() COALINT_HOST_ONLY void notify_all() COALINT_HOST_ONLY };
template <class T_> struct future { T_ get() COALINT_HOST_ONLY void wait() COALINT_HOST_ONLY bool valid() const COALINT_HOST_ONLY };
template <class T_> struct promise { future<T_> get_future() COALINT_HOST_ONLY template <class U_> void set_value(U_&&) COALINT_HOST_ONLY };
enum class launch { async = 1, deferred = 2 };
template <class F_, class... A_> future<invoke_result_t<F_, A_...>> async(launch, F_&&, A_&&...) COALINT_HOST_ONLY

enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
template <class T_> struct atomic {
    atomic() COALINT_HOST_ONLY constexpr atomic(T_) COALINT_HOST_ONLY operator T_() const COALINT_HOST_ONLY T_ operator=(T_) COALINT_HOST_ONLY
    T_ load(memory_order = memory_order_seq_cst) const COALINT_HOST_ONLY void store(T_, memory_order = memory_order_seq_cst) COALINT_HOST_ONLY T_ exchange(T_, memory_order = memory_order_seq_cst) COALINT_HOST_ONLY
    T_ fetch_add(T_, memory_order = memory_order_seq_cst) COALINT_HOST_ONLY T_ fetch_sub(T_, memory_order = memory_order_seq_cst) COALINT_HOST_ONLY T_ fetch_or(T_, memory_order = memory_order_seq_cst) COALINT_HOST_ONLY
    bool compare_exchange_weak(T_&, T_, memory_order = memory_order_seq_cst) COALINT_HOST_ONLY bool compare_exchange_strong(T_&, T_, memory_order = memory_order_seq_cst) COALINT_HOST_ONLY
    T_ operator++() COALINT_HOST_ONLY T_ operator++(int) COALINT_HOST_ONLY T_ operator--() COALINT_HOST_ONLY T_ operator--(int) COALINT_HOST_ONLY T_ operator+=(T_) COALINT_HOST_ONLY T_ operator-=(T_) COALINT_HOST_ONLY
};
typedef atomic<bool> atomic_bool;
typedef atomic<int> atomic_int;
typedef atomic<unsigned int> atomic_uint;
struct atomic_flag { bool test_and_set() COALINT_HOST_ONLY void clear() COALINT_HOST_ONLY };
void atomic_thread_fence(memory_order) COALINT_HOST_ONLY
}  // namespace std

COALINT_HOST_DEVICE_END
