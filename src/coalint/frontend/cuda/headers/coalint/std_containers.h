// The host half of std that launches depend on: vector, string, smart pointers, function, exceptions, streams. Declarations only,
// but for what a launch's values may flow through.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace std {
template <class T_> struct allocator {
    typedef T_ value_type; typedef size_t size_type; typedef ptrdiff_t difference_type; T_* allocate(size_t) COALINT_HOST_ONLY void deallocate(T_*, size_t) COALINT_HOST_ONLY
};
template <class A_> struct allocator_traits {
    typedef A_ allocator_type; typedef typename A_::value_type value_type; typedef value_type* pointer; typedef const value_type* const_pointer;
    typedef size_t size_type; typedef ptrdiff_t difference_type;
    static pointer allocate(A_&, size_t) COALINT_HOST_ONLY static void deallocate(A_&, pointer, size_t) COALINT_HOST_ONLY
    template <class T_, class... U_> static void construct(A_&, T_*, U_&&...) COALINT_HOST_ONLY
    template <class T_> static void destroy(A_&, T_*) COALINT_HOST_ONLY
};

template <class T_, class A_ = allocator<T_>> class vector {
    T_* first_;
    size_t size_;

  public:
    typedef T_ value_type;
    typedef T_& reference;
    typedef const T_& const_reference;
    typedef T_* iterator;
    typedef const T_* const_iterator;
    typedef T_* pointer;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    vector() COALINT_HOST_ONLY
    explicit vector(size_t n) : size_(n) {}
    vector(size_t n, const T_& v) : size_(n) { (void)v; }
    vector(const vector&) COALINT_HOST_ONLY
    vector(vector&&) COALINT_HOST_ONLY
    vector(initializer_list<T_> values) : first_(const_cast<T_*>(values.begin())), size_(values.size()) {}
    template <class I_, class = decltype(*declval<I_>())> vector(I_ first, I_ last) COALINT_HOST_ONLY
    ~vector() COALINT_HOST_ONLY
    vector& operator=(const vector&) COALINT_HOST_ONLY
    vector& operator=(vector&&) COALINT_HOST_ONLY
    vector& operator=(initializer_list<T_>) COALINT_HOST_ONLY
    T_* data() { return first_; }
    const T_* data() const { return first_; }
    size_t size() const { return size_; }
    size_t capacity() const COALINT_HOST_ONLY
    size_t max_size() const COALINT_HOST_ONLY
    bool empty() const { return size_ == 0; }
    T_& operator[](size_t i) { return first_[i]; }
    const T_& operator[](size_t i) const { return first_[i]; }
    T_& at(size_t i) { return first_[i]; }
    const T_& at(size_t i) const { return first_[i]; }
    T_& front() { return first_[0]; }
    const T_& front() const { return first_[0]; }
    T_& back() { return first_[size_ - 1]; }
    const T_& back() const { return first_[size_ - 1]; }
    T_* begin() { return first_; }
    T_* end() { return first_ + size_; }
    const T_* begin() const { return first_; }
    const T_* end() const { return first_ + size_; }
    const T_* cbegin() const { return first_; }
    const T_* cend() const { return first_ + size_; }
    T_* rbegin() COALINT_HOST_ONLY
    T_* rend() COALINT_HOST_ONLY
    void push_back(const T_&) COALINT_HOST_ONLY
    void push_back(T_&&) COALINT_HOST_ONLY
    template <class... U_> T_& emplace_back(U_&&...) COALINT_HOST_ONLY
    void pop_back() COALINT_HOST_ONLY
    void resize(size_t) COALINT_HOST_ONLY
    void resize(size_t, const T_&) COALINT_HOST_ONLY
    void reserve(size_t) COALINT_HOST_ONLY
    void clear() COALINT_HOST_ONLY
    void shrink_to_fit() COALINT_HOST_ONLY
    void swap(vector&) COALINT_HOST_ONLY
    void assign(size_t, const T_&) COALINT_HOST_ONLY
    template <class I_> void assign(I_, I_) COALINT_HOST_ONLY
    T_* insert(const T_*, const T_&) COALINT_HOST_ONLY
    template <class I_, class = decltype(*declval<I_>())> T_* insert(const T_*, I_, I_) COALINT_HOST_ONLY
    T_* insert(const T_*, initializer_list<T_>) COALINT_HOST_ONLY
    T_* insert(const T_*, size_t, const T_&) COALINT_HOST_ONLY
    T_* erase(const T_*) COALINT_HOST_ONLY
    T_* erase(const T_*, const T_*) COALINT_HOST_ONLY
};
#if __cplusplus >= 201703L
template <class I_, class = decltype(*declval<I_>())> vector(I_, I_) -> vector<decay_t<decltype(*declval<I_>())>>;
#endif
template <class T_, class A_> bool operator==(const vector<T_, A_>&, const vector<T_, A_>&) COALINT_HOST_ONLY
template <class T_, class A_> bool operator!=(const vector<T_, A_>&, const vector<T_, A_>&) COALINT_HOST_ONLY

template <class C_> struct char_traits {
    typedef C_ char_type; typedef int int_type; typedef long off_type; typedef long pos_type;
    static constexpr int_type eof() noexcept { return -1; }
    static constexpr int_type to_int_type(char_type c) noexcept { return static_cast<unsigned char>(c); }
    static constexpr char_type to_char_type(int_type c) noexcept { return static_cast<char_type>(c); }
    static constexpr bool eq_int_type(int_type a, int_type b) noexcept { return a == b; }
    static constexpr bool eq(char_type a, char_type b) noexcept { return a == b; }
    static constexpr bool lt(char_type a, char_type b) noexcept { return a < b; }
    static size_t length(const char_type*); static int compare(const char_type*, const char_type*, size_t);
    static char_type* copy(char_type*, const char_type*, size_t); static char_type* move(char_type*, const char_type*, size_t);
};
template <class C_, class Traits_ = char_traits<C_>, class A_ = allocator<C_>> class basic_string {
  public:
    typedef C_ value_type;
    typedef C_* iterator;
    typedef const C_* const_iterator;
    typedef size_t size_type;
    static constexpr size_t npos = ~size_t(0);
    basic_string();
    basic_string(const C_*);
    basic_string(const C_*, size_t);
    basic_string(size_t, C_);
    basic_string(const basic_string&);
    basic_string(const basic_string&, size_t, size_t = npos);
    basic_string(basic_string&&);
    template <class I_, class = typename iterator_traits<I_>::value_type> basic_string(I_ first, I_ last);
    ~basic_string();
    basic_string& operator=(const basic_string&);
    basic_string& operator=(const C_*);
    basic_string& operator+=(const basic_string&);
    basic_string& operator+=(const C_*);
    basic_string& operator+=(C_);
    const C_* c_str() const;
    C_* data();
    const C_* data() const;
    size_t size() const;
    size_t length() const;
    bool empty() const;
    void clear();
    void resize(size_t);
    void resize(size_t, C_);
    void reserve(size_t);
    void push_back(C_);
    void pop_back();
    C_& operator[](size_t);
    const C_& operator[](size_t) const;
    C_& at(size_t);
    C_& front();
    C_& back();
    const C_& at(size_t) const;
    const C_& front() const;
    const C_& back() const;
    C_* begin();
    C_* end();
    const C_* begin() const;
    const C_* end() const;
    basic_string substr(size_t = 0, size_t = npos) const;
    size_t find(const basic_string&, size_t = 0) const;
    size_t find(C_, size_t = 0) const;
    size_t rfind(const basic_string&, size_t = npos) const;
    size_t rfind(C_, size_t = npos) const;
    size_t find_first_of(C_, size_t = 0) const;
    size_t find_last_of(C_, size_t = npos) const;
    iterator insert(const_iterator, C_);
    iterator erase(const_iterator);
    iterator erase(const_iterator, const_iterator);
    size_t find_first_of(const basic_string&, size_t = 0) const;
    size_t find_last_of(const basic_string&, size_t = npos) const;
    size_t find_first_not_of(const basic_string&, size_t = 0) const;
    size_t find_last_not_of(const basic_string&, size_t = npos) const;
    int compare(const basic_string&) const;
    int compare(size_t, size_t, const basic_string&) const;
    basic_string& append(const basic_string&);
    basic_string& append(size_t, C_);
    basic_string& insert(size_t, const basic_string&);
    basic_string& insert(size_t, size_t, C_);
    basic_string& replace(size_t, size_t, const basic_string&);
    basic_string& erase(size_t = 0, size_t = npos);
    basic_string& assign(const basic_string&);
};
typedef basic_string<char> string;
typedef basic_string<wchar_t> wstring;
#define COALINT_STRING(op, result) \
    result operator op(const string&, const string&); result operator op(const string&, const char*); result operator op(const char*, const string&);
COALINT_STRING(+, string) COALINT_STRING(==, bool) COALINT_STRING(!=, bool) COALINT_STRING(<, bool) COALINT_STRING(>, bool) COALINT_STRING(<=, bool) COALINT_STRING(>=, bool)
#undef COALINT_STRING
string operator+(const string&, char);
string operator+(char, const string&);
template <class T_> enable_if_t<__is_arithmetic(T_), string> to_string(T_);
int stoi(const string&, size_t* = nullptr, int = 10);
long stol(const string&, size_t* = nullptr, int = 10);
long long stoll(const string&, size_t* = nullptr, int = 10);
unsigned long stoul(const string&, size_t* = nullptr, int = 10);
unsigned long long stoull(const string&, size_t* = nullptr, int = 10);
float stof(const string&, size_t* = nullptr);
double stod(const string&, size_t* = nullptr);

template <class T_> struct default_delete { void operator()(__remove_extent(T_)*) const COALINT_HOST_ONLY };
template <class T_, class D_ = default_delete<T_>> class unique_ptr {
    typedef __remove_extent(T_) element;
    element* target_;

  public:
    typedef element element_type;
    typedef element* pointer;
    unique_ptr() COALINT_HOST_ONLY
    unique_ptr(decltype(nullptr)) COALINT_HOST_ONLY
    explicit unique_ptr(element*) COALINT_HOST_ONLY
    template <class E_> unique_ptr(element*, E_) COALINT_HOST_ONLY
    unique_ptr(unique_ptr&&) COALINT_HOST_ONLY
    template <class U_, class E_> unique_ptr(unique_ptr<U_, E_>&&) COALINT_HOST_ONLY
    ~unique_ptr() COALINT_HOST_ONLY
    unique_ptr& operator=(unique_ptr&&) COALINT_HOST_ONLY
    unique_ptr& operator=(decltype(nullptr)) COALINT_HOST_ONLY
    element* get() const { return target_; }
    element& operator*() const { return *target_; }
    element* operator->() const { return target_; }
    element& operator[](size_t i) const { return target_[i]; }
    element* release() COALINT_HOST_ONLY
    void reset(element* = nullptr) COALINT_HOST_ONLY
    void swap(unique_ptr&) COALINT_HOST_ONLY
    explicit operator bool() const COALINT_HOST_ONLY
};
template <class T_> class shared_ptr {
    typedef __remove_extent(T_) element;
    element* target_;

  public:
    typedef element element_type;
    shared_ptr() COALINT_HOST_ONLY
    shared_ptr(decltype(nullptr)) COALINT_HOST_ONLY
    template <class U_> explicit shared_ptr(U_*) COALINT_HOST_ONLY
    template <class U_, class D_> shared_ptr(U_*, D_) COALINT_HOST_ONLY
    shared_ptr(const shared_ptr&) COALINT_HOST_ONLY
    template <class U_> shared_ptr(const shared_ptr<U_>&) COALINT_HOST_ONLY
    template <class U_, class D_> shared_ptr(unique_ptr<U_, D_>&&) COALINT_HOST_ONLY
    ~shared_ptr() COALINT_HOST_ONLY
    shared_ptr& operator=(const shared_ptr&) COALINT_HOST_ONLY
    element* get() const { return target_; }
    element& operator*() const { return *target_; }
    element* operator->() const { return target_; }
    element& operator[](size_t i) const { return target_[i]; }
    void reset() COALINT_HOST_ONLY
    template <class U_> void reset(U_*) COALINT_HOST_ONLY
    long use_count() const COALINT_HOST_ONLY
    explicit operator bool() const COALINT_HOST_ONLY
};
template <class T_> class weak_ptr { public: weak_ptr() COALINT_HOST_ONLY weak_ptr(const shared_ptr<T_>&) COALINT_HOST_ONLY shared_ptr<T_> lock() const COALINT_HOST_ONLY bool expired() const COALINT_HOST_ONLY };
template <class T_> struct enable_shared_from_this { shared_ptr<T_> shared_from_this() COALINT_HOST_ONLY };
template <class T_, class... A_> enable_if_t<!__is_array(T_), unique_ptr<T_>> make_unique(A_&&...) COALINT_HOST_ONLY
template <class T_> enable_if_t<__is_array(T_), unique_ptr<T_>> make_unique(size_t) COALINT_HOST_ONLY
template <class T_, class... A_> shared_ptr<T_> make_shared(A_&&...) COALINT_HOST_ONLY
template <class T_, class U_> shared_ptr<T_> static_pointer_cast(const shared_ptr<U_>&) COALINT_HOST_ONLY
template <class T_, class U_> shared_ptr<T_> dynamic_pointer_cast(const shared_ptr<U_>&) COALINT_HOST_ONLY
template <class T_, class U_> shared_ptr<T_> const_pointer_cast(const shared_ptr<U_>&) COALINT_HOST_ONLY
template <class T_, class U_> shared_ptr<T_> reinterpret_pointer_cast(const shared_ptr<U_>&) COALINT_HOST_ONLY
#define COALINT_NULLABLE(pointer_)                                                    \
    template <class... T_> bool operator==(const pointer_<T_...>&, decltype(nullptr)) COALINT_HOST_ONLY      \
    template <class... T_> bool operator!=(const pointer_<T_...>&, decltype(nullptr)) COALINT_HOST_ONLY
COALINT_NULLABLE(unique_ptr) COALINT_NULLABLE(shared_ptr)
#undef COALINT_NULLABLE
template <class T_, class U_> bool operator==(const shared_ptr<T_>&, const shared_ptr<U_>&) COALINT_HOST_ONLY
template <class T_, class U_> bool operator!=(const shared_ptr<T_>&, const shared_ptr<U_>&) COALINT_HOST_ONLY
template <class T_, class U_> bool operator<(const shared_ptr<T_>&, const shared_ptr<U_>&) COALINT_HOST_ONLY

template <class> class function;
template <class R_, class... A_> class function<R_(A_...)> {
  public:
    function() COALINT_HOST_ONLY
    function(decltype(nullptr)) COALINT_HOST_ONLY
    function(const function&) COALINT_HOST_ONLY
    template <class F_> function(F_) COALINT_HOST_ONLY
    function& operator=(const function&) COALINT_HOST_ONLY
    R_ operator()(A_...) const COALINT_HOST_ONLY
    explicit operator bool() const COALINT_HOST_ONLY
};

class exception {
  public:
    exception() noexcept;
    exception(const exception&) noexcept;
    virtual ~exception();
    // For the host alone, as what overrides it is: else that would be another function.
COALINT_HOST_DEVICE_END
    virtual const char* what() const noexcept;
COALINT_HOST_DEVICE_BEGIN
};
#define COALINT_EXCEPTION(name, base) struct name : base { name(); explicit name(const string&); explicit name(const char*); };
COALINT_EXCEPTION(logic_error, exception) COALINT_EXCEPTION(runtime_error, exception) COALINT_EXCEPTION(bad_alloc, exception)
COALINT_EXCEPTION(invalid_argument, logic_error) COALINT_EXCEPTION(domain_error, logic_error)
COALINT_EXCEPTION(length_error, logic_error) COALINT_EXCEPTION(out_of_range, logic_error)
COALINT_EXCEPTION(range_error, runtime_error) COALINT_EXCEPTION(overflow_error, runtime_error)
COALINT_EXCEPTION(underflow_error, runtime_error) COALINT_EXCEPTION(bad_cast, exception)
COALINT_EXCEPTION(bad_function_call, exception)
#undef COALINT_EXCEPTION
class exception_ptr { public: exception_ptr() noexcept; exception_ptr(decltype(nullptr)) noexcept; explicit operator bool() const noexcept; bool operator==(const exception_ptr&) const; bool operator!=(const exception_ptr&) const; private: void* thrown; };
exception_ptr current_exception() noexcept;
template <class E_> exception_ptr make_exception_ptr(E_) COALINT_HOST_ONLY
[[noreturn]] void rethrow_exception(exception_ptr);
class type_info { public: const char* name() const; size_t hash_code() const; bool operator==(const type_info&) const; bool operator!=(const type_info&) const; };
struct nothrow_t {};
extern const nothrow_t nothrow;
enum class align_val_t : size_t {};

class ios_base {
  public:
    typedef unsigned fmtflags;
    typedef unsigned openmode;
    static constexpr unsigned in = 1, out = 2, binary = 4, app = 8, ate = 16, trunc = 32, beg = 0, cur = 1, end = 2;
    typedef unsigned iostate;
    static constexpr iostate goodbit = 0, badbit = 1, eofbit = 2, failbit = 4;
    static constexpr fmtflags fixed = 1, scientific = 2, hex = 4, dec = 8, left = 16, right = 32, oct = 64, internal = 128, boolalpha = 256, showbase = 512,
                              showpoint = 1024, showpos = 2048, uppercase = 4096, floatfield = 3, basefield = 76, adjustfield = 176;
    static bool sync_with_stdio(bool);
    long precision() const;
    long precision(long);
    long width() const;
    long width(long);
    fmtflags flags() const;
    fmtflags flags(fmtflags);
    fmtflags setf(fmtflags);
    fmtflags setf(fmtflags, fmtflags);
    void unsetf(fmtflags);
};
typedef long streamsize;
typedef long streamoff;
typedef long streampos;
class streambuf {
  public:
    streamsize sgetn(char*, streamsize); streamsize sputn(const char*, streamsize); int sputc(char); int sgetc(); int sbumpc();

  protected:
    streambuf(); char* eback() const; char* gptr() const; char* egptr() const; void setg(char*, char*, char*);
    char* pbase() const; char* pptr() const; char* epptr() const; void setp(char*, char*); void pbump(int); void gbump(int);
};
class ios : public ios_base {
  public:
    ios() = default; explicit ios(decltype(nullptr)) COALINT_HOST_ONLY explicit ios(streambuf*) COALINT_HOST_ONLY
    ios& copyfmt(const ios&); char fill() const; char fill(char); streambuf* rdbuf() const; streambuf* rdbuf(streambuf*);
    bool good() const; bool eof() const; bool fail() const; bool bad() const; void clear(iostate = 0); void setstate(iostate); iostate rdstate() const;
    explicit operator bool() const; bool operator!() const;
};
struct coalint_manipulator {};
template <class C_, class Traits_ = char_traits<C_>> class basic_ostream : public virtual ios {
  public:
    basic_ostream() = default; explicit basic_ostream(streambuf*) COALINT_HOST_ONLY
    basic_ostream& operator<<(const void*); basic_ostream& operator<<(const char*); basic_ostream& operator<<(const string&);
    basic_ostream& operator<<(char); basic_ostream& operator<<(signed char); basic_ostream& operator<<(unsigned char); basic_ostream& operator<<(bool);
    basic_ostream& operator<<(short); basic_ostream& operator<<(unsigned short); basic_ostream& operator<<(int); basic_ostream& operator<<(unsigned int);
    basic_ostream& operator<<(long); basic_ostream& operator<<(unsigned long); basic_ostream& operator<<(long long); basic_ostream& operator<<(unsigned long long);
    basic_ostream& operator<<(float); basic_ostream& operator<<(double); basic_ostream& operator<<(long double);
    basic_ostream& operator<<(basic_ostream& (*)(basic_ostream&)); basic_ostream& operator<<(ios_base& (*)(ios_base&)); basic_ostream& operator<<(coalint_manipulator);
    basic_ostream& write(const char*, streamsize); basic_ostream& put(char); basic_ostream& flush(); basic_ostream& seekp(streamoff); streampos tellp();
};
template <class C_, class Traits_ = char_traits<C_>> class basic_istream : public virtual ios {
  public:
    basic_istream() = default; explicit basic_istream(streambuf*) COALINT_HOST_ONLY
    template <class T_> basic_istream& operator>>(T_&);
    basic_istream& read(char*, streamsize); basic_istream& getline(char*, streamsize); int get(); int peek(); basic_istream& get(char&);
    basic_istream& seekg(streamoff); basic_istream& seekg(streamoff, unsigned); streampos tellg(); basic_istream& ignore(streamsize = 1, int = -1);
    streamsize gcount() const;
};
template <class C_, class Traits_ = char_traits<C_>> class basic_iostream : public basic_istream<C_, Traits_>, public basic_ostream<C_, Traits_> { public: basic_iostream() = default; explicit basic_iostream(streambuf*) COALINT_HOST_ONLY };
typedef basic_ostream<char> ostream; typedef basic_istream<char> istream; typedef basic_iostream<char> iostream;
typedef basic_ostream<wchar_t> wostream; typedef basic_istream<wchar_t> wistream; typedef basic_iostream<wchar_t> wiostream;
istream& getline(istream&, string&);
istream& getline(istream&, string&, char);
ostream& endl(ostream&);
ostream& ends(ostream&);
ostream& flush(ostream&);
ios_base& fixed(ios_base&); ios_base& scientific(ios_base&); ios_base& hex(ios_base&); ios_base& dec(ios_base&);
ios_base& noboolalpha(ios_base&); ios_base& noshowpos(ios_base&); ios_base& showpoint(ios_base&); ios_base& uppercase(ios_base&); ios_base& oct(ios_base&); ios_base& left(ios_base&); ios_base& right(ios_base&); ios_base& boolalpha(ios_base&); ios_base& showpos(ios_base&);
coalint_manipulator setw(int); coalint_manipulator setprecision(int); coalint_manipulator setfill(char); coalint_manipulator setiosflags(ios_base::fmtflags); coalint_manipulator resetiosflags(ios_base::fmtflags); coalint_manipulator setbase(int);
extern ostream cout, cerr, clog;
extern istream cin;
inline namespace literals {
inline namespace string_literals {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wreserved-user-defined-literal"
string operator""s(const char*, size_t);
#pragma clang diagnostic pop
}
}
namespace placeholders { struct coalint_placeholder {}; extern const coalint_placeholder _1, _2, _3, _4; }
}  // namespace std

void* operator new(size_t, const std::nothrow_t&) noexcept;
void* operator new[](size_t, const std::nothrow_t&) noexcept;

COALINT_HOST_DEVICE_END
