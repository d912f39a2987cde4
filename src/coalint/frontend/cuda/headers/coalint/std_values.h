// std's value holders: optional, variant, any, string_view, span, bitset.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace std {
struct nullopt_t { explicit constexpr nullopt_t(int) {} };
inline constexpr nullopt_t nullopt{0};
template <class T_> class optional {
    T_ value_;
    bool full_;

  public:
    optional() : full_(false) {}
    optional(nullopt_t) : full_(false) {}
    optional(const T_& v) : value_(v), full_(true) {}
    template <class U_, enable_if_t<is_convertible<const U_&, T_>::value && !is_same<U_, T_>::value, int> = 0> optional(const U_& v) : value_(v), full_(true) {}
    template <class U_> optional(const optional<U_>&) COALINT_HOST_ONLY
    optional& operator=(nullopt_t) COALINT_HOST_ONLY
    bool has_value() const { return full_; }
    explicit operator bool() const { return full_; }
    T_& value() { return value_; }
    const T_& value() const { return value_; }
    T_ value_or(const T_& v) const { return full_ ? value_ : v; }
    T_& operator*() { return value_; }
    const T_& operator*() const { return value_; }
    T_* operator->() { return &value_; }
    const T_* operator->() const { return &value_; }
    void reset() COALINT_HOST_ONLY
    template <class... U_> T_& emplace(U_&&...) COALINT_HOST_ONLY
};
template <class T_> optional<T_> make_optional(const T_& v) { return v; }
template <class T_, class U_> bool operator==(const optional<T_>& a, const optional<U_>& b) { return a.has_value() == b.has_value() && (!a.has_value() || *a == *b); }
template <class T_, class U_> bool operator==(const optional<T_>& a, const U_& b) { return a.has_value() && *a == b; }
template <class T_, class U_> bool operator!=(const optional<T_>& a, const optional<U_>& b) { return !(a == b); }
template <class T_, class U_> bool operator!=(const optional<T_>& a, const U_& b) { return !(a == b); }
template <class T_> bool operator==(const optional<T_>& a, nullopt_t) { return !a.has_value(); }
template <class T_> bool operator!=(const optional<T_>& a, nullopt_t) { return a.has_value(); }

struct monostate {};
template <class... T_> class variant { public: variant() COALINT_HOST_ONLY template <class U_> variant(const U_&) COALINT_HOST_ONLY template <class U_> variant& operator=(const U_&) COALINT_HOST_ONLY size_t index() const COALINT_HOST_ONLY };
template <class T_, class... U_> T_& get(variant<U_...>&) COALINT_HOST_ONLY
template <class T_, class... U_> const T_& get(const variant<U_...>&) COALINT_HOST_ONLY
template <class T_, class... U_> T_* get_if(variant<U_...>*) COALINT_HOST_ONLY
template <class T_, class... U_> bool holds_alternative(const variant<U_...>&) COALINT_HOST_ONLY
class any { public: any() COALINT_HOST_ONLY template <class T_> any(const T_&) COALINT_HOST_ONLY bool has_value() const COALINT_HOST_ONLY };
template <class T_> T_ any_cast(const any&) COALINT_HOST_ONLY

class string_view {
  public:
    static constexpr size_t npos = ~size_t(0);
    constexpr string_view() : first_(nullptr), size_(0) {}
    constexpr string_view(const char* p, size_t n) : first_(p), size_(n) {}
    string_view(const char*) COALINT_HOST_ONLY string_view(const string&) COALINT_HOST_ONLY
    constexpr const char* data() const { return first_; }
    constexpr size_t size() const { return size_; }
    constexpr size_t length() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr char operator[](size_t i) const { return first_[i]; }
    const char* begin() const COALINT_HOST_ONLY const char* end() const COALINT_HOST_ONLY string_view substr(size_t = 0, size_t = npos) const COALINT_HOST_ONLY size_t find(string_view, size_t = 0) const COALINT_HOST_ONLY
    void remove_prefix(size_t) COALINT_HOST_ONLY void remove_suffix(size_t) COALINT_HOST_ONLY explicit operator string() const COALINT_HOST_ONLY
    bool operator==(string_view) const COALINT_HOST_ONLY bool operator!=(string_view) const COALINT_HOST_ONLY

  private:
    const char* first_;
    size_t size_;
};
ostream& operator<<(ostream&, string_view) COALINT_HOST_ONLY

inline constexpr size_t dynamic_extent = ~size_t(0);
template <class T_, size_t n_ = dynamic_extent> class span {
    T_* first_;
    size_t size_;

  public:
    typedef T_ element_type;
    typedef __remove_cv(T_) value_type;
    typedef size_t size_type; typedef ptrdiff_t difference_type; typedef T_* pointer; typedef const T_* const_pointer; typedef T_& reference; typedef const T_& const_reference; typedef T_* iterator; typedef const T_* const_iterator;
    static constexpr size_t extent = n_;
    constexpr span() : first_(nullptr), size_(0) {}
    constexpr span(T_* p, size_t n) : first_(p), size_(n) {}
    template <size_t m_> constexpr span(T_ (&a)[m_]) : first_(a), size_(m_) {}
    template <class C_> constexpr span(C_& c) : first_(c.data()), size_(c.size()) {}
    template <class I_> constexpr span(I_* first, I_* last) : first_(first), size_(last - first) {}
    constexpr T_* data() const { return first_; }
    constexpr size_t size() const { return size_; }
    constexpr size_t size_bytes() const { return size_ * sizeof(T_); }
    constexpr T_& front() const { return first_[0]; }
    constexpr T_& back() const { return first_[size_ - 1]; }
    constexpr span<T_> first(size_t n) const { return span<T_>(first_, n); }
    constexpr span<T_> last(size_t n) const { return span<T_>(first_ + (size_ - n), n); }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T_& operator[](size_t i) const { return first_[i]; }
    constexpr T_* begin() const { return first_; }
    constexpr T_* end() const { return first_ + size_; }
    constexpr span<T_> subspan(size_t offset, size_t count) const { return span<T_>(first_ + offset, count); }
    constexpr span<T_> subspan(size_t offset) const { return span<T_>(first_ + offset, size_ - offset); }
};

template <size_t n_> class bitset {
  public:
    bitset(unsigned long long = 0) COALINT_HOST_ONLY bool operator[](size_t) const COALINT_HOST_ONLY bool test(size_t) const COALINT_HOST_ONLY bitset& set() COALINT_HOST_ONLY bitset& set(size_t, bool = true) COALINT_HOST_ONLY bitset& reset() COALINT_HOST_ONLY size_t count() const COALINT_HOST_ONLY size_t size() const COALINT_HOST_ONLY bool any() const COALINT_HOST_ONLY bool none() const COALINT_HOST_ONLY
    unsigned long long to_ullong() const COALINT_HOST_ONLY string to_string() const COALINT_HOST_ONLY
};
}  // namespace std

COALINT_HOST_DEVICE_END
