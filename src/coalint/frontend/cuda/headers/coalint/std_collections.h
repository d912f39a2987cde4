// std's other containers: lists, queues, maps and sets, ordered or not. Host code only, so declarations suffice.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace std {
// An iterator over nodes; the order of iteration is nobody's business here.
template <class T_> struct coalint_node {
    typedef __remove_cv(T_) value_type;
    typedef ptrdiff_t difference_type;
    typedef T_* pointer;
    typedef T_& reference;
    typedef bidirectional_iterator_tag iterator_category;
    coalint_node() COALINT_HOST_ONLY
    template <class U_> coalint_node(const coalint_node<U_>&) COALINT_HOST_ONLY
    T_& operator*() const COALINT_HOST_ONLY
    T_* operator->() const COALINT_HOST_ONLY
    coalint_node& operator++() COALINT_HOST_ONLY
    coalint_node operator++(int) COALINT_HOST_ONLY
    coalint_node& operator--() COALINT_HOST_ONLY
    coalint_node& operator+=(ptrdiff_t) COALINT_HOST_ONLY
    coalint_node operator+(ptrdiff_t) const COALINT_HOST_ONLY
    coalint_node operator-(ptrdiff_t) const COALINT_HOST_ONLY
    bool operator==(const coalint_node&) const COALINT_HOST_ONLY
    bool operator!=(const coalint_node&) const COALINT_HOST_ONLY
};

template <class T_, class A_ = allocator<T_>> class list {
  public:
    typedef T_ value_type; typedef coalint_node<T_> iterator; typedef coalint_node<const T_> const_iterator; typedef size_t size_type;
    list() COALINT_HOST_ONLY list(const list&) COALINT_HOST_ONLY list(initializer_list<T_>) COALINT_HOST_ONLY explicit list(size_t) COALINT_HOST_ONLY
    iterator begin() COALINT_HOST_ONLY iterator end() COALINT_HOST_ONLY const_iterator begin() const COALINT_HOST_ONLY const_iterator end() const COALINT_HOST_ONLY const_iterator cbegin() const COALINT_HOST_ONLY const_iterator cend() const COALINT_HOST_ONLY
    T_& front() COALINT_HOST_ONLY T_& back() COALINT_HOST_ONLY size_t size() const COALINT_HOST_ONLY bool empty() const COALINT_HOST_ONLY void clear() COALINT_HOST_ONLY void resize(size_t) COALINT_HOST_ONLY
    void push_back(const T_&) COALINT_HOST_ONLY void push_front(const T_&) COALINT_HOST_ONLY void pop_back() COALINT_HOST_ONLY void pop_front() COALINT_HOST_ONLY void sort() COALINT_HOST_ONLY void reverse() COALINT_HOST_ONLY
    template <class... U_> T_& emplace_back(U_&&...) COALINT_HOST_ONLY template <class... U_> T_& emplace_front(U_&&...) COALINT_HOST_ONLY
    iterator insert(const_iterator, const T_&) COALINT_HOST_ONLY iterator erase(const_iterator) COALINT_HOST_ONLY void remove(const T_&) COALINT_HOST_ONLY
};
template <class T_> class valarray : public vector<T_> {
  public:
    using vector<T_>::vector;
    T_ sum() const COALINT_HOST_ONLY T_ min() const COALINT_HOST_ONLY T_ max() const COALINT_HOST_ONLY
};
template <class T_, class A_ = allocator<T_>> class forward_list {
  public:
    typedef T_ value_type; typedef coalint_node<T_> iterator; typedef coalint_node<const T_> const_iterator; typedef size_t size_type;
    forward_list() COALINT_HOST_ONLY forward_list(const forward_list&) COALINT_HOST_ONLY forward_list(initializer_list<T_>) COALINT_HOST_ONLY
    iterator begin() COALINT_HOST_ONLY iterator end() COALINT_HOST_ONLY const_iterator begin() const COALINT_HOST_ONLY const_iterator end() const COALINT_HOST_ONLY const_iterator cbegin() const COALINT_HOST_ONLY const_iterator cend() const COALINT_HOST_ONLY
    T_& front() COALINT_HOST_ONLY bool empty() const COALINT_HOST_ONLY void clear() COALINT_HOST_ONLY void push_front(const T_&) COALINT_HOST_ONLY void pop_front() COALINT_HOST_ONLY
};
template <class T_, class A_ = allocator<T_>> class deque : public vector<T_, A_> {
  public:
    using vector<T_, A_>::vector;
    void push_front(const T_&) COALINT_HOST_ONLY void pop_front() COALINT_HOST_ONLY template <class... U_> T_& emplace_front(U_&&...) COALINT_HOST_ONLY
};
template <class T_, class C_ = deque<T_>> class queue {
  public:
    queue() COALINT_HOST_ONLY T_& front() COALINT_HOST_ONLY T_& back() COALINT_HOST_ONLY bool empty() const COALINT_HOST_ONLY size_t size() const COALINT_HOST_ONLY void push(const T_&) COALINT_HOST_ONLY void pop() COALINT_HOST_ONLY template <class... U_> void emplace(U_&&...) COALINT_HOST_ONLY
};
template <class T_, class C_ = deque<T_>> class stack {
  public:
    stack() COALINT_HOST_ONLY T_& top() COALINT_HOST_ONLY bool empty() const COALINT_HOST_ONLY size_t size() const COALINT_HOST_ONLY void push(const T_&) COALINT_HOST_ONLY void pop() COALINT_HOST_ONLY template <class... U_> void emplace(U_&&...) COALINT_HOST_ONLY
};
template <class T_, class C_ = vector<T_>, class L_ = less<T_>> class priority_queue {
  public:
    priority_queue() COALINT_HOST_ONLY explicit priority_queue(const L_&) COALINT_HOST_ONLY const T_& top() const COALINT_HOST_ONLY bool empty() const COALINT_HOST_ONLY size_t size() const COALINT_HOST_ONLY void push(const T_&) COALINT_HOST_ONLY void pop() COALINT_HOST_ONLY template <class... U_> void emplace(U_&&...) COALINT_HOST_ONLY
};

template <class K_, class T_> class coalint_keyed {
  public:
    typedef K_ key_type; typedef T_ value_type; typedef coalint_node<T_> iterator; typedef coalint_node<const T_> const_iterator; typedef size_t size_type;
    coalint_keyed() COALINT_HOST_ONLY coalint_keyed(const coalint_keyed&) COALINT_HOST_ONLY coalint_keyed(initializer_list<T_>) COALINT_HOST_ONLY template <class I_> coalint_keyed(I_, I_) COALINT_HOST_ONLY
    iterator begin() COALINT_HOST_ONLY iterator end() COALINT_HOST_ONLY const_iterator begin() const COALINT_HOST_ONLY const_iterator end() const COALINT_HOST_ONLY const_iterator cbegin() const COALINT_HOST_ONLY const_iterator cend() const COALINT_HOST_ONLY iterator rbegin() COALINT_HOST_ONLY iterator rend() COALINT_HOST_ONLY
    size_t size() const COALINT_HOST_ONLY size_t max_size() const COALINT_HOST_ONLY bool empty() const COALINT_HOST_ONLY void clear() COALINT_HOST_ONLY void reserve(size_t) COALINT_HOST_ONLY
    iterator find(const K_&) COALINT_HOST_ONLY const_iterator find(const K_&) const COALINT_HOST_ONLY size_t count(const K_&) const COALINT_HOST_ONLY bool contains(const K_&) const COALINT_HOST_ONLY
    iterator lower_bound(const K_&) COALINT_HOST_ONLY iterator upper_bound(const K_&) COALINT_HOST_ONLY
    pair<iterator, bool> insert(const T_&) COALINT_HOST_ONLY template <class I_> void insert(I_, I_) COALINT_HOST_ONLY template <class... U_> pair<iterator, bool> emplace(U_&&...) COALINT_HOST_ONLY
    size_t erase(const K_&) COALINT_HOST_ONLY iterator erase(const_iterator) COALINT_HOST_ONLY
};
template <class K_, class V_> class coalint_map : public coalint_keyed<K_, pair<const K_, V_>> {
  public:
    typedef V_ mapped_type;
    using coalint_keyed<K_, pair<const K_, V_>>::coalint_keyed;
    V_& operator[](const K_&) COALINT_HOST_ONLY V_& at(const K_&) COALINT_HOST_ONLY const V_& at(const K_&) const COALINT_HOST_ONLY
    template <class... U_> pair<coalint_node<pair<const K_, V_>>, bool> try_emplace(const K_&, U_&&...) COALINT_HOST_ONLY
    pair<coalint_node<pair<const K_, V_>>, bool> insert_or_assign(const K_&, const V_&) COALINT_HOST_ONLY
};
template <class K_, class V_, class L_ = less<K_>, class A_ = allocator<K_>> class map : public coalint_map<K_, V_> { public: using coalint_map<K_, V_>::coalint_map; map() = default; explicit map(const L_&) COALINT_HOST_ONLY template <class I_> map(I_, I_, const L_&) COALINT_HOST_ONLY };
template <class K_, class V_, class L_ = less<K_>, class A_ = allocator<K_>> class multimap : public coalint_map<K_, V_> { public: using coalint_map<K_, V_>::coalint_map; multimap() = default; explicit multimap(const L_&) COALINT_HOST_ONLY template <class I_> multimap(I_, I_, const L_&) COALINT_HOST_ONLY };
template <class K_, class V_, class H_ = hash<K_>, class E_ = equal_to<K_>, class A_ = allocator<K_>> class unordered_map : public coalint_map<K_, V_> { public: using coalint_map<K_, V_>::coalint_map; };
template <class K_, class V_, class H_ = hash<K_>, class E_ = equal_to<K_>, class A_ = allocator<K_>> class unordered_multimap : public coalint_map<K_, V_> { public: using coalint_map<K_, V_>::coalint_map; };
template <class K_, class L_ = less<K_>, class A_ = allocator<K_>> class set : public coalint_keyed<K_, K_> { public: using coalint_keyed<K_, K_>::coalint_keyed; set() = default; explicit set(const L_&) COALINT_HOST_ONLY template <class I_> set(I_, I_, const L_&) COALINT_HOST_ONLY };
template <class K_, class L_ = less<K_>, class A_ = allocator<K_>> class multiset : public coalint_keyed<K_, K_> { public: using coalint_keyed<K_, K_>::coalint_keyed; multiset() = default; explicit multiset(const L_&) COALINT_HOST_ONLY template <class I_> multiset(I_, I_, const L_&) COALINT_HOST_ONLY };
template <class K_, class H_ = hash<K_>, class E_ = equal_to<K_>, class A_ = allocator<K_>> class unordered_set : public coalint_keyed<K_, K_> { public: using coalint_keyed<K_, K_>::coalint_keyed; };
template <class K_, class H_ = hash<K_>, class E_ = equal_to<K_>, class A_ = allocator<K_>> class unordered_multiset : public coalint_keyed<K_, K_> { public: using coalint_keyed<K_, K_>::coalint_keyed; };
#if __cplusplus >= 201703L
template <class I_, class = decltype(*declval<I_>())> set(I_, I_) -> set<decay_t<decltype(*declval<I_>())>>;
template <class K_> set(initializer_list<K_>) -> set<K_>;
template <class I_, class = decltype(*declval<I_>())> multiset(I_, I_) -> multiset<decay_t<decltype(*declval<I_>())>>;
template <class K_> multiset(initializer_list<K_>) -> multiset<K_>;
template <class I_, class = decltype(*declval<I_>())> unordered_set(I_, I_) -> unordered_set<decay_t<decltype(*declval<I_>())>>;
template <class K_> unordered_set(initializer_list<K_>) -> unordered_set<K_>;
template <class I_, class = decltype(*declval<I_>())> unordered_multiset(I_, I_) -> unordered_multiset<decay_t<decltype(*declval<I_>())>>;
template <class K_> unordered_multiset(initializer_list<K_>) -> unordered_multiset<K_>;
#endif
template <class C_> back_insert_iterator<C_> inserter(C_&, typename C_::iterator) COALINT_HOST_ONLY
}  // namespace std

COALINT_HOST_DEVICE_END
