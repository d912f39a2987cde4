#include <cxxabi.h>
#include <algorithm>
#include <array>
#include <cfloat>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <tuple>
#include <vector>
#include <map>
#include <clocale>
#include <forward_list>
#include <iterator>
#include <list>
#include <valarray>
#include <chrono>
#include <random>
#include <fstream>
#include <optional>
#include <complex>
struct Shape { int rows, columns; };
template <typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0> __device__ T half_of(T v)
    { return v / 2; }
__global__ void k(float* a, std::array<int, 4> shape, std::tuple<int, float> t, std::pair<int, int> p) {
    a[shape[1] + std::get<0>(t) + p.first] = std::max(1.0f, std::numeric_limits<float>::max()) +
        half_of(2.0f) + std::sqrt(2.0f) + std::fmax(1.0f, 2.0f);
    auto [x, y] = p; std::swap(x, y); a[std::min<size_t>(x, 3)] = INFINITY;
    std::complex<float> z(1, 2); a[0] = (z * z).real(); a[1] = FLT_MAX + INT_MAX + M_PI;
}
template <size_t... i> int total(std::index_sequence<i...>) { return (int(i) + ... + 0); }
int main(int argc, char** argv) {
    std::vector<float> v(64, 1.f); std::vector<std::vector<int>> nested{{1, 2}, {3}};
    std::map<std::string, Shape> shapes{{"a", {1, 2}}}; std::unique_ptr<float[]> owned(new float[8]);
    struct Local { int key; }; std::vector<Local> locals; locals.push_back({3});
    std::sort(locals.begin(), locals.end(), [](const Local& a, const Local& b) { return a.key < b.key; });
    for (auto& [name, shape] : shapes) std::cout << name << shape.rows << std::endl;
    auto [rows, columns] = shapes["a"]; std::mt19937 engine(42);
    std::uniform_real_distribution<float> random(0.f, 1.f); std::generate(v.begin(), v.end(), [&] {
    return random(engine); });
    auto start = std::chrono::high_resolution_clock::now();
    double ms = std::chrono::duration<double, std::milli>(std::chrono::high_resolution_clock::now() -
        start).count();
    std::ofstream out("x.txt"); out << ms << "\n"; std::string s = std::string("a") +
        std::to_string(rows); std::function<int(int)> f = [](int i) { return i; }; std::optional<int> o = 3;
    k<<<v.size() / 32, 32>>>(owned.get(), {1, 2, 3, 4}, {1, 2.f}, {3, 4});
    throw std::runtime_error("no " + s); return f(total(std::make_index_sequence<3>{})) + *o +
        atoi(argv[1]);
}
class Failure : public std::exception { public: const char* what() const noexcept override { return "failed"; } };
class Stop : public std::runtime_error { public: using std::runtime_error::runtime_error; const char* what() const noexcept override { return "stopped"; } };
std::exception_ptr last() { try { throw std::bad_function_call(); } catch (...) { return std::current_exception(); } return nullptr; }
void again(std::exception_ptr p) { if (p) std::rethrow_exception(p); p = std::make_exception_ptr(Failure()); }
static_assert(std::is_nothrow_constructible<int, int>::value && std::is_nothrow_default_constructible_v<int>, "");
static_assert(std::is_nothrow_copy_constructible_v<int> && std::is_nothrow_copy_assignable<int>::value, "");
static_assert(std::is_nothrow_move_assignable_v<int> && std::is_nothrow_destructible<int>::value, "");
typedef std::array<long, 4> Four;
Four::reference first_of(Four& a) { return a[0]; }
Four::const_reference second_of(const Four& a) { Four::difference_type one = 1; Four::const_pointer p = &a[one]; return *p; }
void* found_in(char* p) { return memchr(p, 1, 3); }
const void* found_in(const char* p) { return std::memchr(p, 1, 3); }
float backwards(const Four& a, Four& b) { float s = 0; for (auto it = a.rbegin(); it != a.rend(); ++it) s += *it;
    for (auto it = b.rbegin(); it != b.rend(); ++it) *it = 0; return s + (a.cend() - a.cbegin()); }
template <class T> T as_it_is(T x) { return x; }
void of_glibc(__uint64_t a, __int32_t b) { as_it_is<__uint64_t>(a); as_it_is<__uint8_t>(b); }
__device__ double_t widest(float_t a) { return std::double_t(a) + std::float_t(1); }
float mean_of(const std::vector<float>& v) { return std::reduce(v.begin(), v.end()) / std::reduce(v.begin(), v.end(), 1.0f, std::plus<float>()); }
double product_of(const std::vector<double>& v) { return std::transform_reduce(v.begin(), v.end(), v.begin(), 0.0); }
void keep_format() { std::ios old(nullptr); old.copyfmt(std::cout); std::cout.copyfmt(old); std::cout.fill('0'); }
std::size_t kinds(const std::vector<int>& v) { std::vector copy(v.begin(), v.end()); return std::set(copy.begin(), copy.end()).size() + std::set({1, 2}).size(); }
void sums(std::vector<int>& v) { std::inclusive_scan(v.begin(), v.end(), v.begin(), std::plus<int>()); std::exclusive_scan(v.begin(), v.end(), v.begin(), 0, std::plus<int>()); }
struct Buffer : std::stringbuf { char* start() { return pbase(); } };
void through_a_buffer(Buffer& b) { std::ostream out(&b); out << 1; std::istream in(&b); int n; in >> n; std::ostringstream text; text << b.str(); }
std::shared_mutex gate;
int under_locks(std::shared_ptr<const int> a, const std::shared_ptr<int>& b) {
    std::shared_lock<std::shared_mutex> reads(gate); reads.unlock(); reads.lock(); std::shared_lock again(gate);
    a = b; return a == b && !(a != b) && again.owns_lock(); }
std::string name_of(const std::type_info& type) { int status; char* name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status); std::string s(name); free(name); return s + abi::__cxa_current_exception_type()->name(); }
struct Chain { std::optional<std::weak_ptr<const Chain>> before; std::optional<long> length; };
void link(Chain& c, const std::shared_ptr<const Chain>& d) { c.before = d; c.length = 3; c.length = {}; c.length = std::nullopt; c.length = std::optional<int>(2); }
#if !defined(__GLIBCXX__) || __GLIBCXX__ < 20080606 || _GLIBCXX_RELEASE < 9
#error "Should use libstdc++."
#endif
struct Half { float value; };
template <class C, class T> std::basic_ostream<C, T>& operator<<(std::basic_ostream<C, T>& out, Half h) { return out << h.value; }
template <class C, class T> std::basic_istream<C, T>& operator>>(std::basic_istream<C, T>& in, Half& h) { return in >> h.value; }
void streamed(Half h, std::iostream& both) { std::cout << h << std::endl; std::cin >> h; both << h << 2; both >> h; std::ostringstream text; text << h << "is" << text.str(); }
float by_powers(float a) { return std::scalbln(a, 3L) + float(std::scalbln(double(a), 3L)); }
template <> struct std::numeric_limits<Half> : std::numeric_limits<float> { static constexpr std::float_round_style round_style = std::numeric_limits<float>::round_style; };
static_assert(std::numeric_limits<Half>::round_style == std::round_to_nearest && std::numeric_limits<int>::round_style == std::round_toward_zero, "");
static_assert(!std::numeric_limits<Failure>::is_specialized && std::numeric_limits<double>::max_exponent == 1024 && std::numeric_limits<float>::min_exponent10 == -37, "");
static_assert(std::numeric_limits<unsigned>::is_modulo && !std::numeric_limits<int>::is_modulo && std::numeric_limits<char>::is_bounded && std::numeric_limits<int>::traps, "");
static_assert(std::numeric_limits<float>::has_denorm == std::denorm_present && std::numeric_limits<float>::has_signaling_NaN && std::numeric_limits<float>::round_error() == 0.5f, "");
typedef std::char_traits<char> Traits;
static_assert(Traits::eof() != Traits::to_int_type('a') && Traits::to_char_type(97) == 'a', "");
typedef std::allocator_traits<std::allocator<int>> Allocates;
int* allocated(std::allocator<int>& a) { int* p = Allocates::allocate(a, 2); Allocates::construct(a, p, 3); Allocates::destroy(a, p); Allocates::deallocate(a, p, 2); return p; }
bool is_digit(const std::string& s) { return "0" <= s && s <= "9" && s >= "0" && s.size() < std::vector<char>().max_size(); }
bool is_owned(const std::unique_ptr<int, void (*)(int*)>& p) { return p != nullptr && !(p == nullptr); }
int by_character(std::istream& in) { return in.rdbuf()->sbumpc() == Traits::eof() ? 0 : std::localeconv()->decimal_point[0]; }
double parsed(const char* text, int mantissa) { return std::strtold(text, nullptr) + std::ldexp(mantissa, -24); }
char ends(const std::string& s, const std::map<int, float>& m) { return m.cbegin() == m.cend() ? s.front() : s.back() + s.at(1); }
std::size_t gathered(std::map<int, float>& m, std::vector<std::string>& from) {
    std::forward_list<int> some{1, 2}; some.push_front(3); std::valarray<float> numbers(4); numbers[0] = numbers.sum();
    auto at = m.begin(); std::advance(at, 1); std::vector<std::string> to; std::move(from.begin(), from.end(), std::back_inserter(to));
    std::list<int> turned; std::copy(some.begin(), some.end(), std::front_inserter(turned));
    return to.size() + turned.size() + std::size_t(std::end(std::vector<int>()) - std::begin(std::vector<int>())); }
