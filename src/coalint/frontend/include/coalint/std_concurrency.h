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
    template <class U_, class = enable_if_t<__is_arithmetic(U_)>> constexpr explicit duration(U_);
    template <class U_, class Q_> constexpr duration(const duration<U_, Q_>&);
    constexpr T_ count() const;
    duration& operator+=(const duration&);
    duration& operator-=(const duration&);
};
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
typedef duration<long, ratio<60>> minutes;
typedef duration<long, ratio<3600>> hours;
template <class T_, class P_, class U_, class Q_> nanoseconds operator+(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> nanoseconds operator-(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> bool operator<(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> bool operator>(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_> enable_if_t<__is_arithmetic(U_), duration<T_, P_>> operator/(const duration<T_, P_>&, U_);
template <class D_, class T_, class P_> D_ duration_cast(const duration<T_, P_>&);
template <class C_> struct time_point {
    nanoseconds time_since_epoch() const;
    nanoseconds operator-(const time_point&) const;
    template <class D_> time_point operator+(const D_&) const;
    bool operator<(const time_point&) const;
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
    thread(); template <class F_, class... A_> explicit thread(F_&&, A_&&...); thread(thread&&); ~thread(); thread& operator=(thread&&);
    void join(); void detach(); bool joinable() const; id get_id() const; static unsigned int hardware_concurrency();
};
namespace this_thread {
template <class D_> void sleep_for(const D_&);
thread::id get_id();
void yield();
}
struct mutex { void lock(); void unlock(); bool try_lock(); };
struct recursive_mutex : mutex {};
struct shared_mutex : mutex {};
template <class M_> struct lock_guard { explicit lock_guard(M_&); ~lock_guard(); };
template <class... M_> struct scoped_lock { explicit scoped_lock(M_&...); ~scoped_lock(); };
template <class M_> struct unique_lock { unique_lock(); explicit unique_lock(M_&); ~unique_lock(); void lock(); void unlock(); };
template <class M_> struct shared_lock { explicit shared_lock(M_&); };
template <class M_> lock_guard(M_&) -> lock_guard<M_>;
template <class M_> unique_lock(M_&) -> unique_lock<M_>;
struct once_flag {};
template <class F_, class... A_> void call_once(once_flag&, F_&&, A_&&...);
struct condition_variable { template <class L_> void wait(L_&); template <class L_, class F_> void wait(L_&, F_); void notify_one(); void notify_all(); };
template <class T_> struct future { T_ get(); void wait(); bool valid() const; };
template <class T_> struct promise { future<T_> get_future(); template <class U_> void set_value(U_&&); };
enum class launch { async = 1, deferred = 2 };
template <class F_, class... A_> future<invoke_result_t<F_, A_...>> async(launch, F_&&, A_&&...);

enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
template <class T_> struct atomic {
    atomic(); constexpr atomic(T_); operator T_() const; T_ operator=(T_);
    T_ load(memory_order = memory_order_seq_cst) const; void store(T_, memory_order = memory_order_seq_cst); T_ exchange(T_, memory_order = memory_order_seq_cst);
    T_ fetch_add(T_, memory_order = memory_order_seq_cst); T_ fetch_sub(T_, memory_order = memory_order_seq_cst); T_ fetch_or(T_, memory_order = memory_order_seq_cst);
    bool compare_exchange_weak(T_&, T_, memory_order = memory_order_seq_cst); bool compare_exchange_strong(T_&, T_, memory_order = memory_order_seq_cst);
    T_ operator++(); T_ operator++(int); T_ operator--(); T_ operator--(int); T_ operator+=(T_); T_ operator-=(T_);
};
typedef atomic<bool> atomic_bool;
typedef atomic<int> atomic_int;
typedef atomic<unsigned int> atomic_uint;
struct atomic_flag { bool test_and_set(); void clear(); };
void atomic_thread_fence(memory_order);
}  // namespace std

COALINT_HOST_DEVICE_END
