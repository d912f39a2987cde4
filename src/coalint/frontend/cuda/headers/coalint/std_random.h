// std's random engines and distributions. Host code only.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace std {
struct seed_seq { template <class... A_> seed_seq(A_&&...) COALINT_HOST_ONLY template <class I_> void generate(I_, I_) COALINT_HOST_ONLY };
struct random_device { unsigned int operator()() COALINT_HOST_ONLY };
// The states are as large as libstdc++ has them: kernels may copy them, though they call nothing of theirs.
#define COALINT_ENGINE(name, T_, words_) struct name { typedef T_ result_type; unsigned long coalint_state[words_]; name(); explicit name(T_); name(random_device&); void seed(T_); T_ operator()(); void discard(unsigned long long); static constexpr T_ min(); static constexpr T_ max(); };
COALINT_ENGINE(mt19937, unsigned int, 625) COALINT_ENGINE(mt19937_64, unsigned long, 313) COALINT_ENGINE(default_random_engine, unsigned int, 1)
COALINT_ENGINE(minstd_rand, unsigned int, 1)
#undef COALINT_ENGINE
#define COALINT_DISTRIBUTION(name, default_) \
    template <class T_ = default_> struct name { name() COALINT_HOST_ONLY explicit name(T_) COALINT_HOST_ONLY name(double, double) COALINT_HOST_ONLY template <class G_> T_ operator()(G_&) COALINT_HOST_ONLY };
COALINT_DISTRIBUTION(uniform_int_distribution, int) COALINT_DISTRIBUTION(uniform_real_distribution, double) COALINT_DISTRIBUTION(normal_distribution, double)
COALINT_DISTRIBUTION(bernoulli_distribution_of, bool) COALINT_DISTRIBUTION(exponential_distribution, double) COALINT_DISTRIBUTION(poisson_distribution, int)
COALINT_DISTRIBUTION(geometric_distribution, int) COALINT_DISTRIBUTION(lognormal_distribution, double)
#undef COALINT_DISTRIBUTION
typedef bernoulli_distribution_of<> bernoulli_distribution;
}  // namespace std

COALINT_HOST_DEVICE_END
