// The parts of std that device code calls, with bodies: min, max, swap, pair, tuple, array, function objects, algorithms.
#pragma once

COALINT_HOST_DEVICE_BEGIN

inline void* operator new(size_t, void* p) noexcept { return p; }
inline void* operator new[](size_t, void* p) noexcept { return p; }

namespace std {
template <class T_> constexpr const T_& min(const T_& a, const T_& b) { return b < a ? b : a; }
template <class T_> constexpr const T_& max(const T_& a, const T_& b) { return a < b ? b : a; }
template <class T_, class C_> constexpr const T_& min(const T_& a, const T_& b, C_ less) { return less(b, a) ? b : a; }
template <class T_, class C_> constexpr const T_& max(const T_& a, const T_& b, C_ less) { return less(a, b) ? b : a; }
template <class T_> constexpr T_ min(initializer_list<T_> values) {
    T_ best = *values.begin();
    for (size_t i = 1; i < values.size(); ++i) best = values.begin()[i] < best ? values.begin()[i] : best;
    return best;
}
template <class T_> constexpr T_ max(initializer_list<T_> values) {
    T_ best = *values.begin();
    for (size_t i = 1; i < values.size(); ++i) best = best < values.begin()[i] ? values.begin()[i] : best;
    return best;
}
template <class T_> constexpr const T_& clamp(const T_& v, const T_& low, const T_& high) { return v < low ? low : high < v ? high : v; }
template <class T_> constexpr void swap(T_& a, T_& b) { T_ kept = move(a); a = move(b); b = move(kept); }
template <class T_, size_t n_> constexpr void swap(T_ (&a)[n_], T_ (&b)[n_]) { for (size_t i = 0; i < n_; ++i) swap(a[i], b[i]); }
template <class T_, class U_ = T_> constexpr T_ exchange(T_& v, U_&& replacement) { T_ old = move(v); v = forward<U_>(replacement); return old; }

struct piecewise_construct_t {};
inline constexpr piecewise_construct_t piecewise_construct{};
template <class T_, class U_> struct pair {
    typedef T_ first_type;
    typedef U_ second_type;
    T_ first;
    U_ second;
    constexpr pair() = default;
    constexpr pair(const T_& first, const U_& second) : first(first), second(second) {}
    template <class V_, class W_, class = enable_if_t<is_constructible_v<T_, V_> && is_constructible_v<U_, W_>>>
    constexpr pair(V_&& first, W_&& second) : first(forward<V_>(first)), second(forward<W_>(second)) {}
    template <class V_, class W_> constexpr pair(const pair<V_, W_>& other) : first(other.first), second(other.second) {}
};
#if __cplusplus >= 201703L
template <class T_, class U_> pair(T_, U_) -> pair<T_, U_>;
#endif
template <class T_, class U_> constexpr pair<__decay(T_), __decay(U_)> make_pair(T_&& a, U_&& b) { return {forward<T_>(a), forward<U_>(b)}; }
template <class T_, class U_> constexpr bool operator==(const pair<T_, U_>& a, const pair<T_, U_>& b) { return a.first == b.first && a.second == b.second; }
template <class T_, class U_> constexpr bool operator!=(const pair<T_, U_>& a, const pair<T_, U_>& b) { return !(a == b); }
template <class T_, class U_> constexpr bool operator<(const pair<T_, U_>& a, const pair<T_, U_>& b) { return a.first < b.first || (!(b.first < a.first) && a.second < b.second); }

template <class T_> struct reference_wrapper {
    T_* target;
    constexpr reference_wrapper(T_& v) : target(&v) {}
    constexpr operator T_&() const { return *target; }
    constexpr T_& get() const { return *target; }
};
template <class T_> constexpr reference_wrapper<T_> ref(T_& v) { return {v}; }
template <class T_> constexpr reference_wrapper<const T_> cref(const T_& v) { return {v}; }

// The elements of a tuple lie one behind the other, as in a struct.
template <class...> struct coalint_values;
template <> struct coalint_values<> {};
template <class A_> struct coalint_values<A_> { A_ v0; };
template <class A_, class B_> struct coalint_values<A_, B_> { A_ v0; B_ v1; };
template <class A_, class B_, class C_> struct coalint_values<A_, B_, C_> { A_ v0; B_ v1; C_ v2; };
template <class A_, class B_, class C_, class D_> struct coalint_values<A_, B_, C_, D_> { A_ v0; B_ v1; C_ v2; D_ v3; };
template <class A_, class B_, class C_, class D_, class E_> struct coalint_values<A_, B_, C_, D_, E_> { A_ v0; B_ v1; C_ v2; D_ v3; E_ v4; };
template <class A_, class B_, class C_, class D_, class E_, class F_> struct coalint_values<A_, B_, C_, D_, E_, F_> { A_ v0; B_ v1; C_ v2; D_ v3; E_ v4; F_ v5; };
template <class A_, class B_, class C_, class D_, class E_, class F_, class G_> struct coalint_values<A_, B_, C_, D_, E_, F_, G_> { A_ v0; B_ v1; C_ v2; D_ v3; E_ v4; F_ v5; G_ v6; };
template <class A_, class B_, class C_, class D_, class E_, class F_, class G_, class H_> struct coalint_values<A_, B_, C_, D_, E_, F_, G_, H_> { A_ v0; B_ v1; C_ v2; D_ v3; E_ v4; F_ v5; G_ v6; H_ v7; };
template <class A_, class B_, class C_, class D_, class E_, class F_, class G_, class H_, class I_> struct coalint_values<A_, B_, C_, D_, E_, F_, G_, H_, I_> { A_ v0; B_ v1; C_ v2; D_ v3; E_ v4; F_ v5; G_ v6; H_ v7; I_ v8; };
template <class A_, class B_, class C_, class D_, class E_, class F_, class G_, class H_, class I_, class J_> struct coalint_values<A_, B_, C_, D_, E_, F_, G_, H_, I_, J_> { A_ v0; B_ v1; C_ v2; D_ v3; E_ v4; F_ v5; G_ v6; H_ v7; I_ v8; J_ v9; };
template <class A_, class B_, class C_, class D_, class E_, class F_, class G_, class H_, class I_, class J_, class K_> struct coalint_values<A_, B_, C_, D_, E_, F_, G_, H_, I_, J_, K_> { A_ v0; B_ v1; C_ v2; D_ v3; E_ v4; F_ v5; G_ v6; H_ v7; I_ v8; J_ v9; K_ v10; };
template <class A_, class B_, class C_, class D_, class E_, class F_, class G_, class H_, class I_, class J_, class K_, class L_> struct coalint_values<A_, B_, C_, D_, E_, F_, G_, H_, I_, J_, K_, L_> { A_ v0; B_ v1; C_ v2; D_ v3; E_ v4; F_ v5; G_ v6; H_ v7; I_ v8; J_ v9; K_ v10; L_ v11; };
template <class A_, class B_, class C_, class D_, class E_, class F_, class G_, class H_, class I_, class J_, class K_, class L_, class M_, class... R_> struct coalint_values<A_, B_, C_, D_, E_, F_, G_, H_, I_, J_, K_, L_, M_, R_...> { A_ v0; B_ v1; C_ v2; D_ v3; E_ v4; F_ v5; G_ v6; H_ v7; I_ v8; J_ v9; K_ v10; L_ v11; coalint_values<M_, R_...> rest; };
template <size_t i_, class V_> constexpr decltype(auto) coalint_at(V_& v) noexcept {
    if constexpr (i_ == 0) return (v.v0);
    else if constexpr (i_ == 1) return (v.v1);
    else if constexpr (i_ == 2) return (v.v2);
    else if constexpr (i_ == 3) return (v.v3);
    else if constexpr (i_ == 4) return (v.v4);
    else if constexpr (i_ == 5) return (v.v5);
    else if constexpr (i_ == 6) return (v.v6);
    else if constexpr (i_ == 7) return (v.v7);
    else if constexpr (i_ == 8) return (v.v8);
    else if constexpr (i_ == 9) return (v.v9);
    else if constexpr (i_ == 10) return (v.v10);
    else if constexpr (i_ == 11) return (v.v11);
    else return coalint_at<i_ - 12>(v.rest);
}
template <class T_, class U_, size_t... i_> constexpr void coalint_assign(T_& to, const U_& from, index_sequence<i_...>) { ((coalint_at<i_>(to) = coalint_at<i_>(from)), ...); }
template <class... T_> struct tuple : coalint_values<T_...> {
    constexpr tuple() : coalint_values<T_...>() {}
    constexpr tuple(const T_&... v) : coalint_values<T_...>{v...} {}
    template <class... U_, class = enable_if_t<sizeof...(U_) == sizeof...(T_) && (sizeof...(U_) > 0) && (is_convertible_v<U_, T_> && ...)>>
    constexpr tuple(U_&&... v) : coalint_values<T_...>{static_cast<T_>(forward<U_>(v))...} {}
    template <class... U_, class = enable_if_t<sizeof...(U_) == sizeof...(T_) && (is_convertible_v<const U_&, T_> && ...)>>
    constexpr tuple(const tuple<U_...>& v) : tuple(v, index_sequence_for<T_...>{}) {}
    template <class V_, size_t... i_> constexpr tuple(const V_& v, index_sequence<i_...>) : coalint_values<T_...>{static_cast<T_>(coalint_at<i_>(v))...} {}
    template <class U_, class V_, class W_ = tuple, class = enable_if_t<sizeof...(T_) == 2, W_>> constexpr tuple(const pair<U_, V_>& v) { this->v0 = v.first; this->v1 = v.second; }
    template <class U_, class V_> constexpr tuple& operator=(const pair<U_, V_>& v) { this->v0 = v.first; this->v1 = v.second; return *this; }
    template <class... U_> constexpr tuple& operator=(const tuple<U_...>& v) { coalint_assign(*this, v, index_sequence_for<T_...>{}); return *this; }
};
// What tie() makes: an assignment goes to what the members refer to.
template <class A_, class... T_> struct tuple<A_&, T_&...> : coalint_values<A_&, T_&...> {
    constexpr tuple(A_& a, T_&... v) : coalint_values<A_&, T_&...>{a, v...} {}
    constexpr tuple(const tuple&) = default;
    template <class... U_, class = enable_if_t<sizeof...(U_) == sizeof...(T_) + 1>> constexpr tuple(const tuple<U_...>& v) : tuple(v, index_sequence_for<A_, T_...>{}) {}
    template <class V_, size_t... i_> constexpr tuple(const V_& v, index_sequence<i_...>) : coalint_values<A_&, T_&...>{coalint_at<i_>(v)...} {}
    constexpr tuple& operator=(const tuple& v) { coalint_assign(*this, v, index_sequence_for<A_, T_...>{}); return *this; }
    template <class U_, class V_> constexpr tuple& operator=(const pair<U_, V_>& v) { this->v0 = v.first; this->v1 = v.second; return *this; }
    template <class... U_> constexpr tuple& operator=(const tuple<U_...>& v) { coalint_assign(*this, v, index_sequence_for<A_, T_...>{}); return *this; }
};
template <> struct tuple<> {};
#if __cplusplus >= 201703L
template <class... T_> tuple(T_...) -> tuple<T_...>;
#endif
template <size_t i_ = 0, class... T_, class... U_> constexpr bool operator==(const tuple<T_...>& a, const tuple<U_...>& b) {
    if constexpr (i_ == sizeof...(T_)) return true;
    else return coalint_at<i_>(a) == coalint_at<i_>(b) && operator==<i_ + 1>(a, b);
}
template <size_t i_ = 0, class... T_, class... U_> constexpr bool operator<(const tuple<T_...>& a, const tuple<U_...>& b) {
    if constexpr (i_ == sizeof...(T_)) return false;
    else return coalint_at<i_>(a) < coalint_at<i_>(b) || (!(coalint_at<i_>(b) < coalint_at<i_>(a)) && operator< <i_ + 1>(a, b));
}
template <class... T_, class... U_> constexpr bool operator!=(const tuple<T_...>& a, const tuple<U_...>& b) { return !(a == b); }
template <class... T_, class... U_> constexpr bool operator>(const tuple<T_...>& a, const tuple<U_...>& b) { return b < a; }
template <class... T_, class... U_> constexpr bool operator<=(const tuple<T_...>& a, const tuple<U_...>& b) { return !(b < a); }
template <class... T_, class... U_> constexpr bool operator>=(const tuple<T_...>& a, const tuple<U_...>& b) { return !(a < b); }
template <class... T_> constexpr tuple<__decay(T_)...> make_tuple(T_&&... v) { return tuple<__decay(T_)...>(forward<T_>(v)...); }
template <class... T_> constexpr tuple<T_&...> tie(T_&... v) { return tuple<T_&...>(v...); }
template <class... T_> constexpr tuple<T_&&...> forward_as_tuple(T_&&... v) { return tuple<T_&&...>(forward<T_>(v)...); }
template <class T_, class... U_> constexpr size_t coalint_position() { const bool same[] = {is_same_v<T_, U_>...}; size_t i = 0; while (!same[i]) ++i; return i; }
template <size_t i_, class... T_> constexpr __type_pack_element<i_, T_...>& get(tuple<T_...>& v) noexcept { return coalint_at<i_>(v); }
template <size_t i_, class... T_> constexpr const __type_pack_element<i_, T_...>& get(const tuple<T_...>& v) noexcept { return coalint_at<i_>(v); }
template <size_t i_, class... T_> constexpr __type_pack_element<i_, T_...>&& get(tuple<T_...>&& v) noexcept { return static_cast<__type_pack_element<i_, T_...>&&>(coalint_at<i_>(v)); }
template <class T_, class... U_> constexpr T_& get(tuple<U_...>& v) noexcept { return coalint_at<coalint_position<T_, U_...>()>(v); }
template <class T_, class... U_> constexpr const T_& get(const tuple<U_...>& v) noexcept { return coalint_at<coalint_position<T_, U_...>()>(v); }
template <size_t i_, class T_, class U_> constexpr auto& get(pair<T_, U_>& v) noexcept { if constexpr (i_ == 0) return v.first; else return v.second; }
template <size_t i_, class T_, class U_> constexpr const auto& get(const pair<T_, U_>& v) noexcept { if constexpr (i_ == 0) return v.first; else return v.second; }

template <size_t i_, class T_, class U_> constexpr auto&& get(pair<T_, U_>&& v) noexcept { if constexpr (i_ == 0) return static_cast<T_&&>(v.first); else return static_cast<U_&&>(v.second); }

template <class> struct tuple_size;
template <class T_, size_t = sizeof(tuple_size<T_>)> using coalint_sized = T_;
template <class T_> struct tuple_size<const coalint_sized<T_>> : tuple_size<T_> {};
template <class... T_> struct tuple_size<tuple<T_...>> : integral_constant<size_t, sizeof...(T_)> {};
template <class T_, class U_> struct tuple_size<pair<T_, U_>> : integral_constant<size_t, 2> {};
template <class T_> inline constexpr size_t tuple_size_v = tuple_size<T_>::value;
template <size_t, class> struct tuple_element;
template <size_t i_, class T_> struct tuple_element<i_, const T_> { typedef const typename tuple_element<i_, T_>::type type; };
template <size_t i_, class... T_> struct tuple_element<i_, tuple<T_...>> { typedef __type_pack_element<i_, T_...> type; };
template <size_t i_, class T_, class U_> struct tuple_element<i_, pair<T_, U_>> { typedef __type_pack_element<i_, T_, U_> type; };
template <size_t i_, class T_> using tuple_element_t = typename tuple_element<i_, T_>::type;
template <class...> struct coalint_catenated;
template <> struct coalint_catenated<> { typedef tuple<> type; };
template <class... T_> struct coalint_catenated<tuple<T_...>> { typedef tuple<T_...> type; };
template <class... T_, class... U_, class... R_> struct coalint_catenated<tuple<T_...>, tuple<U_...>, R_...> : coalint_catenated<tuple<T_..., U_...>, R_...> {};
template <class... T_> constexpr typename coalint_catenated<decay_t<T_>...>::type tuple_cat(T_&&...);
template <class F_, class T_, size_t... i_> constexpr decltype(auto) coalint_apply(F_&& f, T_&& t, index_sequence<i_...>) { return f(get<i_>(t)...); }
template <class F_, class T_> constexpr decltype(auto) apply(F_&& f, T_&& t) { return coalint_apply(f, t, make_index_sequence<tuple_size<__remove_cvref(T_)>::value>{}); }
template <class F_, class... A_> constexpr decltype(auto) invoke(F_&& f, A_&&... a) { return f(forward<A_>(a)...); }

template <class I_> struct reverse_iterator;
template <class T_, size_t n_> struct array {
    typedef T_ value_type;
    typedef T_& reference;
    typedef const T_& const_reference;
    typedef T_* pointer;
    typedef const T_* const_pointer;
    typedef T_* iterator;
    typedef const T_* const_iterator;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    T_ elements[n_ ? n_ : 1];
    constexpr T_* data() noexcept { return elements; }
    constexpr const T_* data() const noexcept { return elements; }
    constexpr size_t size() const noexcept { return n_; }
    constexpr size_t max_size() const noexcept { return n_; }
    constexpr bool empty() const noexcept { return n_ == 0; }
    constexpr T_& operator[](size_t i) noexcept { return elements[i]; }
    constexpr const T_& operator[](size_t i) const noexcept { return elements[i]; }
    constexpr T_& at(size_t i) { return elements[i]; }
    constexpr const T_& at(size_t i) const { return elements[i]; }
    constexpr T_& front() { return elements[0]; }
    constexpr const T_& front() const { return elements[0]; }
    constexpr T_& back() { return elements[n_ - 1]; }
    constexpr const T_& back() const { return elements[n_ - 1]; }
    constexpr T_* begin() noexcept { return elements; }
    constexpr T_* end() noexcept { return elements + n_; }
    constexpr const T_* begin() const noexcept { return elements; }
    constexpr const T_* end() const noexcept { return elements + n_; }
    constexpr const T_* cbegin() const noexcept { return elements; }
    constexpr const T_* cend() const noexcept { return elements + n_; }
    constexpr reverse_iterator<T_*> rbegin() noexcept { return reverse_iterator<T_*>(elements + n_); }
    constexpr reverse_iterator<T_*> rend() noexcept { return reverse_iterator<T_*>(elements); }
    constexpr reverse_iterator<const T_*> rbegin() const noexcept { return reverse_iterator<const T_*>(elements + n_); }
    constexpr reverse_iterator<const T_*> rend() const noexcept { return reverse_iterator<const T_*>(elements); }
    constexpr void fill(const T_& v) { for (size_t i = 0; i < n_; ++i) elements[i] = v; }
};
#if __cplusplus >= 201703L
template <class T_, class... U_> array(T_, U_...) -> array<T_, 1 + sizeof...(U_)>;
#endif
template <class T_, size_t n_> struct tuple_size<array<T_, n_>> : integral_constant<size_t, n_> {};
template <size_t i_, class T_, size_t n_> struct tuple_element<i_, array<T_, n_>> { typedef T_ type; };
template <size_t i_, class T_, size_t n_> constexpr T_& get(array<T_, n_>& v) noexcept { return v.elements[i_]; }
template <size_t i_, class T_, size_t n_> constexpr T_&& get(array<T_, n_>&& v) noexcept { return static_cast<T_&&>(v.elements[i_]); }
template <size_t i_, class T_, size_t n_> constexpr const T_& get(const array<T_, n_>& v) noexcept { return v.elements[i_]; }
template <class T_, size_t n_> constexpr bool operator==(const array<T_, n_>&, const array<T_, n_>&);
template <class T_, size_t n_> constexpr bool operator!=(const array<T_, n_>&, const array<T_, n_>&);

#define COALINT_BINARY(name, op)                                                                                      \
    template <class T_ = void> struct name { constexpr auto operator()(const T_& a, const T_& b) const { return a op b; } }; \
    template <> struct name<void> { template <class T_, class U_> constexpr auto operator()(const T_& a, const U_& b) const { return a op b; } };
COALINT_BINARY(plus, +) COALINT_BINARY(minus, -) COALINT_BINARY(multiplies, *) COALINT_BINARY(divides, /) COALINT_BINARY(modulus, %)
COALINT_BINARY(less, <) COALINT_BINARY(greater, >) COALINT_BINARY(less_equal, <=) COALINT_BINARY(greater_equal, >=)
template <class A_, class R_> struct unary_function { typedef A_ argument_type; typedef R_ result_type; };
template <class A_, class B_, class R_> struct binary_function { typedef A_ first_argument_type; typedef B_ second_argument_type; typedef R_ result_type; };
COALINT_BINARY(equal_to, ==) COALINT_BINARY(not_equal_to, !=) COALINT_BINARY(logical_and, &&) COALINT_BINARY(logical_or, ||)
COALINT_BINARY(bit_and, &) COALINT_BINARY(bit_or, |) COALINT_BINARY(bit_xor, ^)
#undef COALINT_BINARY
template <class T_ = void> struct negate { template <class U_> constexpr auto operator()(const U_& v) const { return -v; } };
template <class T_ = void> struct logical_not { template <class U_> constexpr bool operator()(const U_& v) const { return !v; } };
template <class T_> struct hash { size_t operator()(const T_&) const; };

struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {};
struct random_access_iterator_tag : bidirectional_iterator_tag {};
template <class I_> struct iterator_traits {
    typedef typename I_::value_type value_type;
    typedef typename I_::difference_type difference_type;
    typedef typename I_::pointer pointer;
    typedef typename I_::reference reference;
    typedef typename I_::iterator_category iterator_category;
};
template <class T_> struct iterator_traits<T_*> {
    typedef __remove_cv(T_) value_type;
    typedef ptrdiff_t difference_type;
    typedef T_* pointer;
    typedef T_& reference;
    typedef random_access_iterator_tag iterator_category;
};
template <class I_, class J_> constexpr ptrdiff_t distance(I_ first, J_ last) { return last - first; }
void* align(size_t, size_t, void*&, size_t&);
template <class I_, class N_> constexpr void advance(I_& it, N_ n) { it += n; }
template <class I_> constexpr I_ next(I_ it, ptrdiff_t n = 1) { return it + n; }
template <class I_> constexpr I_ prev(I_ it, ptrdiff_t n = 1) { return it - n; }
template <class C_> constexpr auto begin(C_& c) -> decltype(c.begin()) { return c.begin(); }
template <class C_> constexpr auto end(C_& c) -> decltype(c.end()) { return c.end(); }
template <class C_> constexpr auto begin(const C_& c) -> decltype(c.begin()) { return c.begin(); }
template <class C_> constexpr auto end(const C_& c) -> decltype(c.end()) { return c.end(); }
template <class T_, size_t n_> constexpr T_* begin(T_ (&a)[n_]) { return a; }
template <class T_, size_t n_> constexpr T_* end(T_ (&a)[n_]) { return a + n_; }
template <class C_> constexpr auto cbegin(const C_& c) -> decltype(c.begin()) { return c.begin(); }
template <class C_> constexpr auto cend(const C_& c) -> decltype(c.end()) { return c.end(); }
template <class I_> struct reverse_iterator {
    typedef typename iterator_traits<I_>::value_type value_type; typedef typename iterator_traits<I_>::difference_type difference_type; typedef typename iterator_traits<I_>::pointer pointer;
    typedef typename iterator_traits<I_>::reference reference; typedef typename iterator_traits<I_>::iterator_category iterator_category; typedef I_ iterator_type;
    I_ last;
    constexpr reverse_iterator() : last() {}
    constexpr explicit reverse_iterator(I_ last) : last(last) {}
    constexpr I_ base() const { return last; }
    constexpr reference operator*() const { I_ it = last; return *--it; }
    constexpr pointer operator->() const { I_ it = last; return &*--it; }
    constexpr reference operator[](ptrdiff_t i) const { return *(*this + i); }
    constexpr reverse_iterator operator+(ptrdiff_t i) const { return reverse_iterator(last - i); }
    constexpr reverse_iterator operator-(ptrdiff_t i) const { return reverse_iterator(last + i); }
    constexpr reverse_iterator& operator++() { --last; return *this; }
    constexpr reverse_iterator operator++(int) { reverse_iterator old = *this; --last; return old; }
    constexpr reverse_iterator& operator--() { ++last; return *this; }
    constexpr reverse_iterator& operator+=(ptrdiff_t i) { last -= i; return *this; }
    constexpr ptrdiff_t operator-(const reverse_iterator& v) const { return v.last - last; }
    constexpr bool operator==(const reverse_iterator& v) const { return last == v.last; }
    constexpr bool operator!=(const reverse_iterator& v) const { return last != v.last; }
    constexpr bool operator<(const reverse_iterator& v) const { return v.last < last; }
};
template <class I_> constexpr reverse_iterator<I_> make_reverse_iterator(I_ it) { return reverse_iterator<I_>(it); }
template <class T_, size_t n_> constexpr reverse_iterator<T_*> rbegin(T_ (&a)[n_]) { return reverse_iterator<T_*>(a + n_); }
template <class T_, size_t n_> constexpr reverse_iterator<T_*> rend(T_ (&a)[n_]) { return reverse_iterator<T_*>(a); }
template <class C_> struct back_insert_iterator { typedef C_ container_type; C_* target; back_insert_iterator& operator*() { return *this; } back_insert_iterator& operator++() { return *this; } back_insert_iterator& operator++(int) { return *this; } template <class V_> back_insert_iterator& operator=(V_&&); };
template <class C_> back_insert_iterator<C_> back_inserter(C_& c) { return {&c}; }
template <class C_> back_insert_iterator<C_> front_inserter(C_& c) { return {&c}; }
template <class I_> I_ make_move_iterator(I_ it) { return it; }
struct coalint_ignore { template <class T_> constexpr const coalint_ignore& operator=(const T_&) const { return *this; } };
inline constexpr coalint_ignore ignore{};
template <class T_, class U_> constexpr bool cmp_less(T_ a, U_ b) { return __is_signed(T_) && a < T_(0) && !__is_signed(U_) ? true : __is_signed(U_) && b < U_(0) && !__is_signed(T_) ? false : a < b; }
template <class T_, class U_> constexpr bool cmp_greater(T_ a, U_ b) { return cmp_less(b, a); }
template <class T_, class U_> constexpr bool cmp_less_equal(T_ a, U_ b) { return !cmp_less(b, a); }
template <class T_, class U_> constexpr bool cmp_greater_equal(T_ a, U_ b) { return !cmp_less(a, b); }
template <class C_> constexpr auto size(const C_& c) -> decltype(c.size()) { return c.size(); }
template <class T_, size_t n_> constexpr size_t size(const T_ (&)[n_]) { return n_; }
template <class C_> constexpr auto data(C_& c) -> decltype(c.data()) { return c.data(); }

template <class I_, class T_> constexpr void fill(I_ first, I_ last, const T_& v) { for (; first != last; ++first) *first = v; }
template <class I_, class N_, class T_> constexpr I_ fill_n(I_ first, N_ n, const T_& v) { for (N_ i = 0; i < n; ++i) *first++ = v; return first; }
template <class I_, class O_> constexpr O_ copy(I_ first, I_ last, O_ out) { for (; first != last; ++first) *out++ = *first; return out; }
template <class I_, class N_, class O_> constexpr O_ copy_n(I_ first, N_ n, O_ out) { for (N_ i = 0; i < n; ++i) *out++ = *first++; return out; }
template <class I_, class O_, class F_> O_ copy_if(I_, I_, O_, F_) COALINT_HOST_ONLY
template <class I_, class O_, class F_> constexpr O_ transform(I_ first, I_ last, O_ out, F_ f) { for (; first != last; ++first) *out++ = f(*first); return out; }
template <class I_, class J_, class O_, class F_> O_ transform(I_, I_, J_, O_, F_) COALINT_HOST_ONLY
template <class I_, class F_> constexpr F_ for_each(I_ first, I_ last, F_ f) { for (; first != last; ++first) f(*first); return f; }
template <class I_, class F_> void generate(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class N_, class F_> I_ generate_n(I_, N_, F_) COALINT_HOST_ONLY
template <class I_, class T_> void iota(I_, I_, T_) COALINT_HOST_ONLY
template <class I_, class T_> T_ accumulate(I_, I_, T_) COALINT_HOST_ONLY
template <class I_, class T_, class F_> T_ accumulate(I_, I_, T_, F_) COALINT_HOST_ONLY
template <class I_> auto reduce(I_ first, I_) -> decay_t<decltype(*first)> COALINT_HOST_ONLY
template <class I_, class T_> T_ reduce(I_, I_, T_) COALINT_HOST_ONLY
template <class I_, class T_, class F_> T_ reduce(I_, I_, T_, F_) COALINT_HOST_ONLY
template <class I_, class J_, class T_> T_ transform_reduce(I_, I_, J_, T_) COALINT_HOST_ONLY
template <class I_, class T_, class F_, class G_> T_ transform_reduce(I_, I_, T_, F_, G_) COALINT_HOST_ONLY
template <class I_, class J_, class T_, class F_, class G_> T_ transform_reduce(I_, I_, J_, T_, F_, G_) COALINT_HOST_ONLY
template <class I_, class J_, class T_> T_ inner_product(I_, I_, J_, T_) COALINT_HOST_ONLY
template <class I_, class J_, class T_, class F_, class G_> T_ inner_product(I_, I_, J_, T_, F_, G_) COALINT_HOST_ONLY
template <class I_, class O_, class F_> O_ partial_sum(I_, I_, O_, F_) COALINT_HOST_ONLY
template <class I_, class O_, class... F_> O_ adjacent_difference(I_, I_, O_, F_...) COALINT_HOST_ONLY
template <class I_, class O_> O_ partial_sum(I_, I_, O_) COALINT_HOST_ONLY
template <class I_, class O_, class... F_> O_ inclusive_scan(I_, I_, O_, F_...) COALINT_HOST_ONLY
template <class I_, class O_, class T_, class... F_> O_ exclusive_scan(I_, I_, O_, T_, F_...) COALINT_HOST_ONLY
template <class I_> void sort(I_, I_) COALINT_HOST_ONLY
template <class I_, class F_> void sort(I_, I_, F_) COALINT_HOST_ONLY
template <class I_> void stable_sort(I_, I_) COALINT_HOST_ONLY
template <class I_, class F_> void stable_sort(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class... F_> void partial_sort(I_, I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class... F_> void nth_element(I_, I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class... F_> bool is_sorted(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_> void reverse(I_, I_) COALINT_HOST_ONLY
template <class I_, class O_> O_ reverse_copy(I_, I_, O_) COALINT_HOST_ONLY
template <class I_, class O_, class... F_> O_ unique_copy(I_, I_, O_, F_...) COALINT_HOST_ONLY
template <class I_, class F_> I_ partition(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class F_> I_ stable_partition(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class F_, class T_> void replace_if(I_, I_, F_, const T_&) COALINT_HOST_ONLY
template <class I_, class... F_> bool next_permutation(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class... F_> void make_heap(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class... F_> void push_heap(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class... F_> void pop_heap(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_> I_ rotate(I_, I_, I_) COALINT_HOST_ONLY
template <class I_, class G_> void shuffle(I_, I_, G_&&) COALINT_HOST_ONLY
template <class I_> void random_shuffle(I_, I_) COALINT_HOST_ONLY
template <class I_, class T_> I_ find(I_, I_, const T_&) COALINT_HOST_ONLY
template <class I_, class F_> I_ find_if(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class T_> ptrdiff_t count(I_, I_, const T_&) COALINT_HOST_ONLY
template <class I_, class F_> ptrdiff_t count_if(I_, I_, F_) COALINT_HOST_ONLY
using ::remove;
template <class I_, class T_> I_ remove(I_, I_, const T_&) COALINT_HOST_ONLY
template <class I_, class F_> I_ remove_if(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class T_> void replace(I_, I_, const T_&, const T_&) COALINT_HOST_ONLY
template <class I_, class... F_> I_ unique(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class T_, class... F_> I_ lower_bound(I_, I_, const T_&, F_...) COALINT_HOST_ONLY
template <class I_, class T_, class... F_> I_ upper_bound(I_, I_, const T_&, F_...) COALINT_HOST_ONLY
template <class I_, class T_, class... F_> pair<I_, I_> equal_range(I_, I_, const T_&, F_...) COALINT_HOST_ONLY
template <class I_, class T_, class... F_> bool binary_search(I_, I_, const T_&, F_...) COALINT_HOST_ONLY
template <class I_, class... F_> I_ max_element(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class... F_> I_ min_element(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class... F_> pair<I_, I_> minmax_element(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class J_> bool equal(I_, I_, J_) COALINT_HOST_ONLY
template <class I_, class J_, class F_> bool equal(I_, I_, J_, F_) COALINT_HOST_ONLY
template <class I_, class F_> bool all_of(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class F_> bool any_of(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class J_, class... F_> pair<I_, J_> mismatch(I_, I_, J_, F_...) COALINT_HOST_ONLY
template <class I_, class J_, class... F_> bool lexicographical_compare(I_, I_, J_, J_, F_...) COALINT_HOST_ONLY
template <class I_, class J_> I_ search(I_, I_, J_, J_) COALINT_HOST_ONLY
template <class I_, class F_> I_ find_if_not(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class... F_> I_ adjacent_find(I_, I_, F_...) COALINT_HOST_ONLY
template <class I_, class J_> I_ find_first_of(I_, I_, J_, J_) COALINT_HOST_ONLY
template <class I_, class J_, class O_> O_ set_intersection(I_, I_, J_, J_, O_) COALINT_HOST_ONLY
template <class I_, class J_, class O_> O_ set_union(I_, I_, J_, J_, O_) COALINT_HOST_ONLY
template <class I_, class J_, class O_> O_ set_difference(I_, I_, J_, J_, O_) COALINT_HOST_ONLY
template <class I_, class F_> bool none_of(I_, I_, F_) COALINT_HOST_ONLY
template <class I_, class J_, class O_> O_ merge(I_, I_, J_, J_, O_) COALINT_HOST_ONLY
constexpr long long common_divisor_(long long a, long long b) { return b == 0 ? a : common_divisor_(b, a % b); }
constexpr long long smaller_(long long a, long long b) { return a < b ? a : b; }
constexpr long long bounded_divisor_(long long a, long long b) {  // also where its steps are not followed
    return a == 0 ? b : b == 0 ? a : smaller_(common_divisor_(a, b), smaller_(a, b));
}
template <class T_, class U_> constexpr decltype(true ? T_() : U_()) gcd(T_ a, U_ b) {
    return bounded_divisor_(a < 0 ? -a : a, b < 0 ? -b : b);
}
template <class T_, class U_> constexpr decltype(true ? T_() : U_()) lcm(T_ a, U_ b) { return a / gcd(a, b) * b; }
template <class T_> void iter_swap(T_ a, T_ b);
template <class I_, class O_> O_ move(I_, I_, O_) COALINT_HOST_ONLY

using ::memcpy; using ::memmove; using ::memset; using ::memcmp; using ::strlen; using ::strcmp; using ::strncmp;
using ::strcpy; using ::strncpy; using ::strcat; using ::strstr; using ::strchr; using ::strrchr; using ::strerror; using ::strtok;
using ::malloc; using ::calloc; using ::realloc; using ::free; using ::exit; using ::abort; using ::atexit; using ::getenv;
using ::atoi; using ::atol; using ::atoll; using ::atof; using ::strtol; using ::strtoll; using ::strtoul; using ::strtoull;
using ::strtod; using ::strtof; using ::strtold; using ::rand; using ::div; using ::ldiv; using ::div_t; using ::ldiv_t; using ::srand; using ::qsort; using ::system; using ::aligned_alloc;
using ::printf; using ::fprintf; using ::sprintf; using ::snprintf; using ::vsnprintf; using ::puts; using ::fputs; using ::fopen;
using ::freopen; using ::fputc; using ::fgetc; using ::getc; using ::putc; using ::ungetc; using ::rewind; using ::rename; using ::ferror; using ::clearerr; using ::fscanf; using ::vprintf; using ::vfprintf; using ::vsprintf; using ::tmpfile; using ::setvbuf; using ::bsearch; using ::strncat; using ::memchr; using ::strpbrk; using ::strspn; using ::strcspn; using ::strcoll; using ::strxfrm; using ::isxdigit; using ::ispunct; using ::iscntrl; using ::isgraph; using ::isblank; using ::lldiv; using ::lldiv_t; using ::strtoull; using ::quick_exit; using ::_Exit; using ::scanf;
[[noreturn]] void terminate() noexcept;
using ::fclose; using ::fflush; using ::fread; using ::fwrite; using ::fseek; using ::ftell; using ::fgets; using ::perror; using ::FILE;
using ::isalnum; using ::isalpha; using ::isdigit; using ::isspace; using ::isupper; using ::islower; using ::toupper; using ::tolower; using ::isprint;
using ::va_list; using ::sscanf; using ::feof; using ::getchar; using ::putchar;
}  // namespace std

COALINT_HOST_DEVICE_END
