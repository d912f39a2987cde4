// std's clocks and times; atomics, whose operations are CUDA's; threads and locks, for host code.
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
    T_ ticks;
    constexpr duration() = default;
    template <class U_, class = enable_if_t<__is_arithmetic(U_)>> constexpr explicit duration(U_ v) : ticks(v) {}
    template <class U_, class Q_> constexpr duration(const duration<U_, Q_>& v) : ticks(T_(v.ticks * Q_::num * P_::den / (Q_::den * P_::num))) {}
    constexpr T_ count() const { return ticks; }
    static constexpr duration zero() { return duration(0); } static constexpr duration min(); static constexpr duration max();
    constexpr duration operator-() const { return duration(-ticks); }
    duration& operator+=(const duration& v) { ticks += v.ticks; return *this; }
    duration& operator-=(const duration& v) { ticks -= v.ticks; return *this; }
};
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
typedef duration<long, ratio<60>> minutes;
typedef duration<long, ratio<3600>> hours;
typedef duration<int, ratio<86400>> days;
typedef duration<int, ratio<604800>> weeks;
typedef duration<int, ratio<2629746>> months;
typedef duration<int, ratio<31556952>> years;
template <class T_, class U_, class P_> constexpr auto operator+(const duration<T_, P_>& a, const duration<U_, P_>& b) { return duration<decltype(a.ticks + b.ticks), P_>(a.ticks + b.ticks); }
template <class T_, class U_, class P_> constexpr auto operator-(const duration<T_, P_>& a, const duration<U_, P_>& b) { return duration<decltype(a.ticks - b.ticks), P_>(a.ticks - b.ticks); }
template <class T_, class P_, class U_, class Q_> nanoseconds operator+(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> nanoseconds operator-(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> bool operator<(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> bool operator>(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> bool operator<=(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> bool operator>=(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> bool operator==(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> bool operator!=(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_, class Q_> auto operator/(const duration<T_, P_>&, const duration<U_, Q_>&) -> decltype(T_() / U_());
template <class T_, class P_, class U_, class Q_> duration<T_, P_> operator%(const duration<T_, P_>&, const duration<U_, Q_>&);
template <class T_, class P_, class U_> enable_if_t<__is_arithmetic(U_), duration<T_, P_>> operator/(const duration<T_, P_>& a, U_ b) { return duration<T_, P_>(a.ticks / b); }
template <class T_, class P_, class U_> enable_if_t<__is_arithmetic(U_), duration<T_, P_>> operator*(const duration<T_, P_>& a, U_ b) { return duration<T_, P_>(a.ticks * b); }
template <class T_, class P_, class U_> enable_if_t<__is_arithmetic(U_), duration<T_, P_>> operator*(U_ b, const duration<T_, P_>& a) { return duration<T_, P_>(a.ticks * b); }
template <class D_, class T_, class P_> constexpr D_ duration_cast(const duration<T_, P_>& v) { return D_(v); }
template <class D_, class T_, class P_> D_ floor(const duration<T_, P_>&);
template <class D_, class T_, class P_> D_ ceil(const duration<T_, P_>&);
template <class D_, class T_, class P_> D_ round(const duration<T_, P_>&);
template <class C_, class D_ = nanoseconds> struct time_point {
    typedef C_ clock; typedef D_ duration; typedef typename D_::rep rep; typedef typename D_::period period;
    D_ since;
    constexpr time_point() = default;
    constexpr explicit time_point(const D_& v) : since(v) {}
    template <class E_> constexpr time_point(const time_point<C_, E_>& v) : since(v.since) {}
    constexpr D_ time_since_epoch() const { return since; }
    static constexpr time_point min(); static constexpr time_point max();
    D_ operator-(const time_point& v) const { return since - v.since; }
    template <class E_> time_point operator+(const E_& v) const { return time_point(D_(since + D_(v))); }
    template <class T_, class P_> time_point operator-(const chrono::duration<T_, P_>& v) const { return time_point(D_(since - D_(v))); }
    template <class E_> time_point& operator+=(const E_& v) { since += D_(v); return *this; }
    template <class E_> time_point& operator-=(const E_& v) { since -= D_(v); return *this; }
    bool operator<(const time_point& v) const { return since.ticks < v.since.ticks; }
    bool operator>(const time_point& v) const { return since.ticks > v.since.ticks; }
    bool operator<=(const time_point& v) const { return since.ticks <= v.since.ticks; }
    bool operator>=(const time_point& v) const { return since.ticks >= v.since.ticks; }
    bool operator==(const time_point& v) const { return since.ticks == v.since.ticks; }
    bool operator!=(const time_point& v) const { return since.ticks != v.since.ticks; }
};
template <class D_, class C_, class E_> constexpr time_point<C_, D_> time_point_cast(const time_point<C_, E_>& v) { return time_point<C_, D_>(D_(v.since)); }
template <class D_, class C_, class E_> time_point<C_, D_> floor(const time_point<C_, E_>&);
#define COALINT_CLOCK(name) struct name { typedef chrono::time_point<name> time_point; typedef nanoseconds duration; static time_point now(); };
COALINT_CLOCK(system_clock) COALINT_CLOCK(steady_clock) COALINT_CLOCK(high_resolution_clock)
#undef COALINT_CLOCK
template <class D_> using sys_time = time_point<system_clock, D_>;
typedef sys_time<days> sys_days;
typedef sys_time<chrono::seconds> sys_seconds;
struct year { int value; constexpr explicit year(int v) : value(v) {} constexpr operator int() const { return value; } bool is_leap() const; };
struct month { unsigned value; constexpr explicit month(unsigned v) : value(v) {} constexpr operator unsigned() const { return value; } };
struct day { unsigned value; constexpr explicit day(unsigned v) : value(v) {} constexpr operator unsigned() const { return value; } };
struct weekday { unsigned value; weekday(const sys_days&); unsigned iso_encoding() const; unsigned c_encoding() const; };
struct year_month_day { year y; month m; day d; year_month_day(const sys_days&); year_month_day(chrono::year, chrono::month, chrono::day); chrono::year year() const { return y; } chrono::month month() const { return m; } chrono::day day() const { return d; } operator sys_days() const; bool ok() const; };
}  // namespace chrono
inline namespace literals {
inline namespace chrono_literals {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wreserved-user-defined-literal"
constexpr chrono::hours operator""h(unsigned long long v) { return chrono::hours(static_cast<long long>(v)); }
constexpr chrono::minutes operator""min(unsigned long long v) { return chrono::minutes(static_cast<long long>(v)); }
constexpr chrono::seconds operator""s(unsigned long long v) { return chrono::seconds(static_cast<long long>(v)); }
constexpr chrono::milliseconds operator""ms(unsigned long long v) { return chrono::milliseconds(static_cast<long long>(v)); }
constexpr chrono::microseconds operator""us(unsigned long long v) { return chrono::microseconds(static_cast<long long>(v)); }
constexpr chrono::nanoseconds operator""ns(unsigned long long v) { return chrono::nanoseconds(static_cast<long long>(v)); }
#pragma clang diagnostic pop
}
inline namespace complex_literals {}
}

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
struct shared_mutex : mutex { void lock_shared() COALINT_HOST_ONLY void unlock_shared() COALINT_HOST_ONLY bool try_lock_shared() COALINT_HOST_ONLY };
template <class M_> struct lock_guard { explicit lock_guard(M_&) COALINT_HOST_ONLY ~lock_guard() COALINT_HOST_ONLY };
template <class... M_> struct scoped_lock { explicit scoped_lock(M_&...) COALINT_HOST_ONLY ~scoped_lock() COALINT_HOST_ONLY };
template <class M_> struct unique_lock { unique_lock() COALINT_HOST_ONLY explicit unique_lock(M_&) COALINT_HOST_ONLY ~unique_lock() COALINT_HOST_ONLY void lock() COALINT_HOST_ONLY void unlock() COALINT_HOST_ONLY bool try_lock() COALINT_HOST_ONLY bool owns_lock() const COALINT_HOST_ONLY };
template <class M_> struct shared_lock { shared_lock() COALINT_HOST_ONLY explicit shared_lock(M_&) COALINT_HOST_ONLY ~shared_lock() COALINT_HOST_ONLY void lock() COALINT_HOST_ONLY void unlock() COALINT_HOST_ONLY bool try_lock() COALINT_HOST_ONLY bool owns_lock() const COALINT_HOST_ONLY };
#if __cplusplus >= 201703L
template <class M_> lock_guard(M_&) -> lock_guard<M_>;
template <class M_> unique_lock(M_&) -> unique_lock<M_>;
template <class M_> shared_lock(M_&) -> shared_lock<M_>;
#endif
struct once_flag { int coalint_state; };
template <class F_, class... A_> void call_once(once_flag&, F_&&, A_&&...) COALINT_HOST_ONLY
struct condition_variable { template <class L_> void wait(L_&) COALINT_HOST_ONLY template <class L_, class F_> void wait(L_&, F_) COALINT_HOST_ONLY void notify_one() COALINT_HOST_ONLY void notify_all() COALINT_HOST_ONLY };
template <class T_> struct future { T_ get() COALINT_HOST_ONLY void wait() COALINT_HOST_ONLY bool valid() const COALINT_HOST_ONLY };
template <class T_> struct promise { future<T_> get_future() COALINT_HOST_ONLY template <class U_> void set_value(U_&&) COALINT_HOST_ONLY };
enum class launch { async = 1, deferred = 2 };
template <class F_, class... A_> future<invoke_result_t<F_, A_...>> async(launch, F_&&, A_&&...) COALINT_HOST_ONLY
template <class F_, class... A_> future<invoke_result_t<F_, A_...>> async(F_&&, A_&&...) COALINT_HOST_ONLY

enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
template <class T_> struct atomic {
    T_ value_;
    atomic() = default;
    constexpr atomic(T_ v) : value_(v) {}
    operator T_() const { return value_; }
    T_ operator=(T_ v) { value_ = v; return v; }
    T_ load(memory_order = memory_order_seq_cst) const { return value_; }
    void store(T_ v, memory_order = memory_order_seq_cst) { value_ = v; }
    T_ exchange(T_ v, memory_order = memory_order_seq_cst) { return atomicExch(&value_, v); }
    T_ fetch_add(T_ v, memory_order = memory_order_seq_cst) { return atomicAdd(&value_, v); }
    T_ fetch_sub(T_ v, memory_order = memory_order_seq_cst) { return atomicSub(&value_, v); }
    T_ fetch_or(T_ v, memory_order = memory_order_seq_cst) { return atomicOr(&value_, v); }
    T_ fetch_and(T_ v, memory_order = memory_order_seq_cst) { return atomicAnd(&value_, v); }
    T_ fetch_min(T_ v, memory_order = memory_order_seq_cst) { return atomicMin(&value_, v); }
    T_ fetch_max(T_ v, memory_order = memory_order_seq_cst) { return atomicMax(&value_, v); }
    bool compare_exchange_weak(T_& e, T_ v, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst) { T_ old = atomicCAS(&value_, e, v); bool same = old == e; e = old; return same; }
    bool compare_exchange_strong(T_& e, T_ v, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst) { T_ old = atomicCAS(&value_, e, v); bool same = old == e; e = old; return same; }
    T_ operator++() { return atomicAdd(&value_, T_(1)) + 1; }
    T_ operator++(int) { return atomicAdd(&value_, T_(1)); }
    T_ operator--() { return atomicSub(&value_, T_(1)) - 1; }
    T_ operator--(int) { return atomicSub(&value_, T_(1)); }
    T_ operator+=(T_ v) { return atomicAdd(&value_, v) + v; }
    T_ operator-=(T_ v) { return atomicSub(&value_, v) - v; }
};
typedef atomic<bool> atomic_bool;
typedef atomic<int> atomic_int;
typedef atomic<unsigned int> atomic_uint;
struct atomic_flag { bool test_and_set() COALINT_HOST_ONLY void clear() COALINT_HOST_ONLY };
void atomic_thread_fence(memory_order) COALINT_HOST_ONLY
}  // namespace std

COALINT_HOST_DEVICE_END
