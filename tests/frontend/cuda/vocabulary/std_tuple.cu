#include <chrono>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <tuple>
std::tuple<int*, int*, int> nothing() { return {NULL, nullptr, 0}; }
std::pair<int*, int> none() { return {NULL, 0}; }
std::pair<std::pair<int, int>, float> nested() { return {{1, 2}, 0}; }
std::tuple<float, std::tuple<int, int>> deeper() { return {1.f, {1, 2}}; }
std::tuple<long, float> other() { return std::make_pair(1, 2.0); }
struct Key { int u, v; bool operator<(const Key& o) const { return std::tie(u, v) < std::tie(o.u, o.v); }
    bool operator==(const Key& o) const { return std::tie(u, v) == std::tie(o.u, o.v); } };
float* room(size_t n) { using namespace std; return new (nothrow) float[n]; }
std::string text() { using namespace std::literals::string_literals; using namespace std::placeholders;
    return "a"s + "b"s; }
void rest() { using namespace std::chrono_literals; std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(1s); }
__device__ std::tuple<int, int> least(std::tuple<int, int> a, std::tuple<int, int> b) {
    static_assert(std::make_tuple(1, 2) < std::make_tuple(1, 3));
    static_assert(std::make_tuple(1, 2) != std::make_tuple(2, 2));
    return a < b ? a : b; }
__global__ void k(float* a) { auto t = least({1, 2}, std::make_tuple(threadIdx.x, 2)); a[std::get<0>(t)] = 1; }
