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
    coalint_node();
    template <class U_> coalint_node(const coalint_node<U_>&);
    T_& operator*() const;
    T_* operator->() const;
    coalint_node& operator++();
    coalint_node operator++(int);
    coalint_node& operator--();
    bool operator==(const coalint_node&) const;
    bool operator!=(const coalint_node&) const;
};

template <class T_, class A_ = allocator<T_>> class list {
  public:
    typedef T_ value_type; typedef coalint_node<T_> iterator; typedef coalint_node<const T_> const_iterator; typedef size_t size_type;
    list(); list(const list&); list(initializer_list<T_>); explicit list(size_t);
    iterator begin(); iterator end(); const_iterator begin() const; const_iterator end() const;
    T_& front(); T_& back(); size_t size() const; bool empty() const; void clear(); void resize(size_t);
    void push_back(const T_&); void push_front(const T_&); void pop_back(); void pop_front(); void sort(); void reverse();
    template <class... U_> T_& emplace_back(U_&&...); template <class... U_> T_& emplace_front(U_&&...);
    iterator insert(const_iterator, const T_&); iterator erase(const_iterator); void remove(const T_&);
};
template <class T_, class A_ = allocator<T_>> class deque : public vector<T_, A_> {
  public:
    using vector<T_, A_>::vector;
    void push_front(const T_&); void pop_front(); template <class... U_> T_& emplace_front(U_&&...);
};
template <class T_, class C_ = deque<T_>> class queue {
  public:
    queue(); T_& front(); T_& back(); bool empty() const; size_t size() const; void push(const T_&); void pop(); template <class... U_> void emplace(U_&&...);
};
template <class T_, class C_ = deque<T_>> class stack {
  public:
    stack(); T_& top(); bool empty() const; size_t size() const; void push(const T_&); void pop(); template <class... U_> void emplace(U_&&...);
};
template <class T_, class C_ = vector<T_>, class L_ = less<T_>> class priority_queue {
  public:
    priority_queue(); explicit priority_queue(const L_&); const T_& top() const; bool empty() const; size_t size() const; void push(const T_&); void pop(); template <class... U_> void emplace(U_&&...);
};

template <class K_, class T_> class coalint_keyed {
  public:
    typedef K_ key_type; typedef T_ value_type; typedef coalint_node<T_> iterator; typedef coalint_node<const T_> const_iterator; typedef size_t size_type;
    coalint_keyed(); coalint_keyed(const coalint_keyed&); coalint_keyed(initializer_list<T_>); template <class I_> coalint_keyed(I_, I_);
    iterator begin(); iterator end(); const_iterator begin() const; const_iterator end() const; iterator rbegin(); iterator rend();
    size_t size() const; bool empty() const; void clear(); void reserve(size_t);
    iterator find(const K_&); const_iterator find(const K_&) const; size_t count(const K_&) const; bool contains(const K_&) const;
    iterator lower_bound(const K_&); iterator upper_bound(const K_&);
    pair<iterator, bool> insert(const T_&); template <class I_> void insert(I_, I_); template <class... U_> pair<iterator, bool> emplace(U_&&...);
    size_t erase(const K_&); iterator erase(const_iterator);
};
template <class K_, class V_> class coalint_map : public coalint_keyed<K_, pair<const K_, V_>> {
  public:
    typedef V_ mapped_type;
    using coalint_keyed<K_, pair<const K_, V_>>::coalint_keyed;
    V_& operator[](const K_&); V_& at(const K_&); const V_& at(const K_&) const;
    template <class... U_> pair<coalint_node<pair<const K_, V_>>, bool> try_emplace(const K_&, U_&&...);
    pair<coalint_node<pair<const K_, V_>>, bool> insert_or_assign(const K_&, const V_&);
};
template <class K_, class V_, class L_ = less<K_>, class A_ = allocator<K_>> class map : public coalint_map<K_, V_> { public: using coalint_map<K_, V_>::coalint_map; };
template <class K_, class V_, class L_ = less<K_>, class A_ = allocator<K_>> class multimap : public coalint_map<K_, V_> { public: using coalint_map<K_, V_>::coalint_map; };
template <class K_, class V_, class H_ = hash<K_>, class E_ = equal_to<K_>, class A_ = allocator<K_>> class unordered_map : public coalint_map<K_, V_> { public: using coalint_map<K_, V_>::coalint_map; };
template <class K_, class V_, class H_ = hash<K_>, class E_ = equal_to<K_>, class A_ = allocator<K_>> class unordered_multimap : public coalint_map<K_, V_> { public: using coalint_map<K_, V_>::coalint_map; };
template <class K_, class L_ = less<K_>, class A_ = allocator<K_>> class set : public coalint_keyed<K_, K_> { public: using coalint_keyed<K_, K_>::coalint_keyed; };
template <class K_, class L_ = less<K_>, class A_ = allocator<K_>> class multiset : public coalint_keyed<K_, K_> { public: using coalint_keyed<K_, K_>::coalint_keyed; };
template <class K_, class H_ = hash<K_>, class E_ = equal_to<K_>, class A_ = allocator<K_>> class unordered_set : public coalint_keyed<K_, K_> { public: using coalint_keyed<K_, K_>::coalint_keyed; };
template <class K_, class H_ = hash<K_>, class E_ = equal_to<K_>, class A_ = allocator<K_>> class unordered_multiset : public coalint_keyed<K_, K_> { public: using coalint_keyed<K_, K_>::coalint_keyed; };
template <class C_> struct back_insert_iterator { back_insert_iterator& operator*(); back_insert_iterator& operator++(); back_insert_iterator& operator++(int); template <class T_> back_insert_iterator& operator=(T_&&); };
template <class C_> back_insert_iterator<C_> back_inserter(C_&);
template <class C_> back_insert_iterator<C_> inserter(C_&, typename C_::iterator);
}  // namespace std

COALINT_HOST_DEVICE_END
