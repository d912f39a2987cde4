// Programs that tests/test_language.py runs on the host and lets coalint analyse: what every `AT(value)` is given.
// A program begins with `//// its name`; behind `//// body` stands what a kernel `k(P v, int c, int n, const P *g)` does.

//// static local
__device__ inline int f(int i) {
    static int s = 3;
    s += i;
    return s;
}
//// body
AT(f(1));
AT(f(1));
static int z = 4;
AT(z);
z = c;
AT(z);

//// global variable
__device__ int gv = 3;
__constant__ int gc = 5;
__device__ const int gk = 7;
__device__ int ga[3] = {1, 2, 3};
__device__ inline void setg(int v) { gv = v; }
//// body
AT(gv);
setg(c);
AT(gv);
AT(gk);
AT(ga[1]);
ga[1] = c;
AT(ga[1]);

//// union
union U {
    int i;
    P p;
    short h[4];
};
//// body
U u;
u.p.a = 4;
u.p.s = 5;
AT(u.i);
u.i = 6;
AT(u.p.a);
AT(u.p.s);
u.h[0] = 1;
u.h[1] = 0;
AT(u.i);
u.h[2] = 2;
u.h[3] = 0;
AT(u.p.s);

//// memcpy
//// body
P a;
a.a = 2;
a.s = 3;
P b;
b.a = 0;
b.s = 0;
memcpy(&b, &a, sizeof a);
AT(b.a);
AT(b.s);
int k = 9;
memcpy(&b.s, &k, 4);
AT(b.s);
memset(&b, 0, sizeof b);
AT(b.a);
AT(b.s);

//// reinterpret
//// body
int x[4] = {1, 2, 3, 4};
P *p = reinterpret_cast<P *>(x);
p->s = 7;
AT(x[1]);
p[1].a = 8;
AT(x[2]);
short *h = (short *)x;
h[0] = 5;
AT(x[0]);
long long *l = (long long *)&x[2];
*l = 3;
AT(x[2]);
AT(x[3]);
char *q = (char *)x;
q[4] = 1;
AT(x[1]);

//// pointer walk
//// body
int x[6] = {1, 2, 3, 4, 5, 6};
int *p = x;
AT(*p++);
AT(*p);
AT(*++p);
p += c % 2;
AT(*p);
int *e = x + 6;
AT((int)(e - p));
for (int *r = x; r != e; ++r) {
    AT(*r);
    *r = 3;
}
AT(x[4]);
AT(p[-1]);

//// pointer to pointer
//// body
int a = 2, b = 3;
int *p = &a;
int **pp = &p;
**pp = 5;
AT(a);
*pp = &b;
*p = 7;
AT(b);
AT(a);
if (c > 2) *pp = &a;
*p = 9;
AT(a);
AT(b);

//// array of pointers
//// body
int a = 2, b = 3;
int *p[2] = {&a, &b};
*p[1] = 6;
AT(b);
p[1] = &a;
*p[1] = 8;
AT(a);
AT(b);
*p[c % 2] = 4;
AT(a);
AT(b);

//// function pointer
__device__ inline int inc(int x) { return x + 1; }
__device__ inline int dbl(int x) { return x * 2; }
typedef int (*FN)(int);
//// body
FN f = inc;
AT(f(3));
f = dbl;
AT(f(3));
if (c > 2) f = inc;
AT(f(3));
FN t[2] = {inc, dbl};
AT(t[1](5));
AT(t[c % 2](5));

//// virtual
struct B {
    __device__ virtual int f() { return 2; }
    int m = 1;
};
struct D : B {
    __device__ int f() override { return 5; }
};
//// body
D d;
B *b = &d;
AT(b->f());
AT(d.f());
B e;
b = &e;
AT(b->f());
B &r = d;
AT(r.f());
AT(b->B::f());

//// inheritance
struct B1 {
    int x = 1;
    __device__ void set(int v) { x = v; }
};
struct B2 {
    int y = 2;
    __device__ void set2(int v) { y = v; }
};
struct D1 : B1, B2 {
    int z = 3;
};
//// body
D1 d;
AT(d.x);
AT(d.y);
d.set2(8);
AT(d.y);
AT(d.x);
AT(d.z);
B2 &b = d;
b.y = 9;
AT(d.y);
B2 *q = &d;
q->set2(4);
AT(d.y);
D1 *e = static_cast<D1 *>(q);
e->z = 6;
AT(d.z);
B1 c1 = d;
c1.x = 30;
AT(d.x);

//// virtual inheritance
struct V {
    int v = 1;
};
struct VA : virtual V {
    int a = 2;
};
struct VB : virtual V {
    int b = 3;
};
struct VC : VA, VB {
    int c = 4;
};
//// body
VC x;
x.v = 7;
AT(x.v);
AT(x.a);
AT(x.b);
AT(x.c);
VB &r = x;
r.v = 9;
AT(x.v);

//// operators
struct M {
    int d[4];
    __device__ int &operator[](int i) { return d[i]; }
    __device__ const int &operator[](int i) const { return d[i]; }
    __device__ M &operator+=(const M &o) {
        for (int i = 0; i < 4; ++i) d[i] += o.d[i];
        return *this;
    }
    __device__ operator int() const { return d[0]; }
    __device__ int operator()(int i, int j) const { return d[i * 2 + j]; }
};
__device__ M operator+(M a, const M &b) {
    a += b;
    return a;
}
//// body
M m{{1, 2, 3, 4}}, o{{5, 6, 7, 8}};
AT(m[2]);
m[1] = 9;
AT(m.d[1]);
AT(m(1, 1));
M s = m + o;
AT(s[0]);
AT(s[1]);
AT(s[3]);
m += o;
AT(m[3]);
AT((int)m);
(m += o)[2] = 1;
AT(m[2]);

//// ternary lvalue
//// body
int a = 1, b = 2;
(c > 2 ? a : b) = 5;
AT(a);
AT(b);
int &r = c > 3 ? a : b;
r = 7;
AT(a);
AT(b);
(true ? a : b) = 9;
AT(a);
AT(b);
(a, b) = 3;
AT(b);
(a = 4) = 6;
AT(a);
++(++a);
AT(a);

//// increments
//// body
int i = 3;
AT(i++ + 1);
AT(i);
AT(++i * 2);
AT(i--);
AT(i);
int j = i++ * 2 + 1;
AT(j);
AT(i);
i = 5;
i <<= 2;
AT(i);
i ^= 3;
AT(i);
i >>= 1;
AT(i);
i %= 7;
AT(i);
i |= 8;
AT(i);
i &= ~1;
AT(i);
i = -i;
AT(i);
i /= 2;
AT(i);
i = -7;
AT(i / 2);
AT(i % 3);
AT(i >> 1);
AT(!i + 1);

//// unsigned
//// body
unsigned u = 3;
AT((int)(u - 5));
AT((int)((u - 5) >> 28));
unsigned char h = 250;
h += 10;
AT(h);
short s = 32767;
s++;
AT(s);
bool b = 5;
AT(b);
b = b + 1;
AT(b);
signed char q = (signed char)200;
AT(q);
long long l = 1ll << 33;
AT((int)(l >> 31));
AT((int)l + 1);
unsigned long long ul = (unsigned)-1;
AT((int)(ul >> 30));
ul = -1;
AT((int)(ul >> 60));
AT((int)(u * 0x80000000u >> 31));
int k = (int)3.99f;
AT(k);
AT((int)(7 / 2.0f));
AT((int)-2.5);
AT('a' - 'A');
AT(sizeof(P));
AT((int)alignof(double));

//// enum
enum E { A, B = 4, C };
enum class S : short { X = 3, Y };
//// body
E e = C;
AT(e);
S s = S::Y;
AT((int)s);
switch (e) {
    case A: AT(1); break;
    case C: AT(2);
    default: AT(3);
}
e = c > 1 ? A : B;
AT(e);

//// structured
struct T3 {
    int a, b, c;
};
//// body
T3 t{1, 2, 3};
auto [x, y, z] = t;
AT(y);
y = 7;
AT(t.b);
auto &[p, q, r] = t;
q = 9;
AT(t.b);
int arr[2] = {3, 4};
auto [m, o] = arr;
AT(o);
for (auto &e : arr) e += 1;
AT(arr[1]);
if (int w = c; w > 2) { AT(w); }
if constexpr (sizeof(int) == 4) {
    AT(5);
} else {
    AT(6);
}

//// goto ahead
//// body
int k = 0;
if (c > 3) goto out;
k = 5;
AT(k);
out:
AT(k);

//// duff
//// body
int k = 0;
switch (c % 4) {
    case 0: do { k++;
            case 3: k++;
            case 2: k++;
            case 1: k++;
        } while (k < 6);
}
AT(k);
int q = 2;
switch (3) {
    case 3: q = 4;
}
AT(q);
switch (c) {
    q = 8;
    case 1:;
}
AT(q);

//// recursion
__device__ int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
template <int N>
struct Fi {
    static constexpr int v = Fi<N - 1>::v + Fi<N - 2>::v;
};
template <>
struct Fi<0> {
    static constexpr int v = 0;
};
template <>
struct Fi<1> {
    static constexpr int v = 1;
};
template <class T, class... R>
__device__ int sum(T a, R... r) {
    if constexpr (sizeof...(r) == 0)
        return a;
    else
        return a + sum(r...);
}
template <class... R>
__device__ int fold(R... r) {
    return (r + ... + 0);
}
constexpr int cf(int n) {
    int s = 0;
    for (int i = 0; i < n; ++i) s += i;
    return s;
}
//// body
AT(fact(4));
AT(Fi<7>::v);
AT(sum(1, 2, 3));
AT(fold(1, 2, 3, 4));
AT(cf(5));
constexpr int q = cf(4);
AT(q);
AT(fact(c));

//// defaults
struct Q {
    int a, b;
    __device__ Q(int x = 3, int y = 4) : a(x), b(y) {}
    __device__ Q(const Q &o) : a(o.a + 1), b(o.b) {}
    __device__ Q &operator=(const Q &o) {
        a = o.a * 2;
        b = 1;
        return *this;
    }
    __device__ ~Q() {}
};
__device__ int df(int a, int b = 6) { return a + b; }
__device__ Q byval(Q q) {
    q.b = 9;
    return q;
}
//// body
Q q;
AT(q.a);
Q r(7);
AT(r.b);
Q s = r;
AT(s.a);
s = r;
AT(s.a);
AT(s.b);
AT(df(1));
AT(df(1, 2));
Q t{1};
AT(t.a);
Q u = {5, 6};
AT(u.b);
Q arr[2];
AT(arr[1].b);
AT(q.a);
Q *z = &q;
z->a = 12;
AT(q.a);
auto w = [q]() { return q.b; };
AT(w());

//// destructor
struct G {
    int &r;
    __device__ G(int &x) : r(x) { r += 10; }
    __device__ ~G() { r = 1; }
};
//// body
int x = 5;
{
    G g(x);
    AT(x);
}
AT(x);
{
    G g(x);
    x = 30;
}
AT(x);
for (int i = 0; i < 2; ++i) {
    G g(x);
    AT(x);
    x = i;
}
AT(x);

//// lambdas
template <class Fn>
__device__ void apply(Fn f) {
    f(3);
}
template <class Fn>
__device__ int twice(Fn f, int x) {
    return f(f(x));
}
//// body
int x = 1;
auto f = [&](int k) { x += k; };
f(2);
AT(x);
apply(f);
AT(x);
apply([&](int k) { x = k; });
AT(x);
auto gg = [x](int k) mutable {
    x += k;
    return x;
};
AT(gg(1));
AT(gg(1));
AT(x);
AT(twice([](int q) { return q * 3; }, 2));
auto h = [y = x + 4] { return y; };
x = 0;
AT(h());
auto m = [&x](auto... a) { x = (a + ...); };
m(1, 2);
AT(x);
auto k2 = gg;
k2(5);
AT(gg(1));
AT(k2(1));
[&] { x = 8; }();
AT(x);
auto rec = [](auto self, int n) -> int { return n ? 2 + self(self, n - 1) : 0; };
AT(rec(rec, 3));

//// member pointers
struct MP {
    int a, b;
    __device__ int f() { return a; }
};
//// body
MP m{2, 5};
int MP::*p = &MP::b;
AT(m.*p);
m.*p = 8;
AT(m.b);
int (MP::*f)() = &MP::f;
AT((m.*f)());

//// static members
struct SM {
    static constexpr int k = 6;
    static const int j = 4;
    enum { E = 9 };
    int x;
};
template <int N>
struct SN {
    static constexpr int v[3] = {N, N + 1, N + 2};
};
//// body
AT(SM::k);
AT(SM::j);
AT(SM::E);
AT(SN<4>::v[1]);
AT(SN<4>::v[c % 3]);
constexpr int t[4] = {1, 2, 4, 8};
AT(t[3]);
const int u = t[2] + 1;
AT(u);
for (int i = 0; i < 4; ++i) AT(t[i]);

//// nested classes & templates
template <class T, int N>
struct Arr {
    T d[N];
    __device__ constexpr T &operator[](int i) { return d[i]; }
    __device__ constexpr int size() const { return N; }
    __device__ T *begin() { return d; }
    __device__ T *end() { return d + N; }
    __device__ void fill(T v) {
        for (auto &x : d) x = v;
    }
};
//// body
Arr<int, 4> a;
a.fill(3);
AT(a[2]);
a[2] = 5;
AT(a.d[2]);
AT(a.size());
int s = 0;
for (auto x : a) s += x;
AT(s);
for (auto &x : a) x = 7;
AT(a[0]);
Arr<Arr<int, 2>, 2> b;
b[1][0] = 4;
AT(b.d[1].d[0]);
b[c % 2][1] = 2;
AT(b[1][0]);
AT(b[0][1]);

//// multi arrays
//// body
int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
AT(m[1][2]);
int *p = &m[0][0];
AT(p[4]);
m[1][1] = 9;
AT(p[4]);
int (*r)[3] = m;
AT(r[1][0]);
r[0][2] = 8;
AT(m[0][2]);
for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) m[i][j] = i * 3 + j;
AT(m[1][2]);
AT(*(*(m + 1) + 1));
int z[3] = {};
AT(z[1] + 1);

//// volatile const
//// body
volatile int v1 = 3;
AT(v1);
const int k = 4;
AT(k);
int q = k;
q += v1;
AT(q);
const int &cr = q;
q = 9;
AT(cr);
int &&rr = 5;
AT(rr);
const P &tmp = P{1, 6};
AT(tmp.s);

//// comma and logic
//// body
int a = 0;
(c > 2) && (a = 5);
AT(a);
(c > 2) || (a = 6);
AT(a);
int b = (a = 1, a + 2);
AT(b);
int d = 0;
if (c > 100 && ++d) {}
AT(d);
if (c < 100 || ++d) {}
AT(d);
AT(1 && 2);
AT(0 || 3);
AT(c > -1 ? 4 : 5);
int e = 1;
e += e++ + 0;
AT(0 ? 1 : 2);
a = b = 7;
AT(a);
AT(b);

//// loops
//// body
int s = 0;
for (int i = 0; i < 5; ++i) {
    if (i == 3) break;
    s += i;
}
AT(s);
s = 0;
for (int i = 0; i < 5; ++i) {
    if (i % 2) continue;
    s += i;
}
AT(s);
int w = 10;
while (w > 3) w -= 2;
AT(w);
int d = 1;
do d *= 3;
while (d < 20);
AT(d);
for (int i = 8, j = 0; i > j; --i, ++j) s = i + j;
AT(s);
for (unsigned u = 5; u-- > 0;) s = u;
AT(s + 1);
for (int i = 1; i < 100; i *= 3) s = i;
AT(s);
int t = 0;
for (int i = 0; i < c; ++i) t = 4;
AT(t);
for (;;) {
    t = 2;
    break;
}
AT(t);

//// shadowing
//// body
int x = 1;
{
    int x = 5;
    x++;
    AT(x);
}
AT(x);
for (int x = 3; x < 4; ++x) AT(x);
AT(x);
auto f = [&](int x) {
    x++;
    return x;
};
AT(f(6));
AT(x);
if (int x = 9) {
    AT(x);
    x = 2;
}
AT(x);

//// vector types
struct f4 {
    int x, y, z, w;
};
//// body
f4 v4{1, 2, 3, 4};
int *p = &v4.x;
p[2] = 8;
AT(v4.z);
AT((&v4.x)[3]);
f4 w = v4;
w.y = 6;
AT(v4.y);
AT(w.y);
int (&arr)[4] = reinterpret_cast<int (&)[4]>(v4);
arr[1] = 9;
AT(v4.y);

//// placement and this
struct L {
    int v;
    L *next;
    __device__ L *self() { return this; }
    __device__ L &add(int k) {
        v += k;
        return *this;
    }
};
//// body
L a{1, nullptr}, b{2, &a};
AT(b.next->v);
b.next->v = 5;
AT(a.v);
a.add(2).add(3);
AT(a.v);
a.self()->v = 4;
AT(a.v);
L *p = &b;
p = p->next;
p->v = 6;
AT(a.v);
AT(b.v);

//// out parameters
__device__ void outp(int *a, int &b, P *p) {
    *a = 3;
    b = *a + 1;
    p->s = b + 1;
    a = nullptr;
}
__device__ void swp(int &a, int &b) {
    int t = a;
    a = b;
    b = t;
}
__device__ int *pick(int *a, int *b, int w) { return w ? a : b; }
__device__ int &refp(P &p) { return p.s; }
//// body
int a = 1, b = 2;
P p{0, 0};
outp(&a, b, &p);
AT(a);
AT(b);
AT(p.s);
swp(a, b);
AT(a);
AT(b);
*pick(&a, &b, 1) = 9;
AT(a);
*pick(&a, &b, c > 2) = 7;
AT(a);
AT(b);
refp(p) = 12;
AT(p.s);
swp(p.a, p.s);
AT(p.a);
swp(a, a);
AT(b);
outp(&p.a, p.a, &p);
AT(p.a);

//// destructor paths
struct G {
    int &r;
    int k;
    __device__ G(int &x, int k) : r(x), k(k) { r += k; }
    __device__ ~G() { r = r * 2 + k; }
};
struct HG {
    G g;
    int z;
    __device__ HG(int &x) : g(x, 1), z(2) {}
};
struct DG : G {
    __device__ DG(int &x) : G(x, 3) {}
    __device__ ~DG() { r += 5; }
};
template <class T>
struct TG {
    T &r;
    __device__ TG(T &x) : r(x) {}
    __device__ ~TG() { r = 9; }
};
__device__ int early(int &x, int c) {
    G g(x, 1);
    if (c > 2) return x;
    {
        G h(x, 2);
        if (c == 1) return x + 1;
    }
    return x;
}
__device__ G makeg(int &x) {
    G g(x, 7);
    return g;
}
//// body
int x = 1;
AT(early(x, 3));
AT(x);
AT(early(x, 1));
AT(x);
AT(early(x, 0));
AT(x);
early(x, c);
AT(x);
x = 1;
for (int i = 0; i < 2; ++i) {
    G g(x, 1);
    if (c < 0) continue;
    AT(x);
}
AT(x);
x = 2;
{
    HG h(x);
    AT(x);
}
AT(x);
x = 2;
{
    DG d(x);
    AT(x);
}
AT(x);
x = 1;
{
    TG<int> t(x);
    AT(x);
}
AT(x);
x = 1;
{
    G a(x, 1), b(x, 2);
    AT(x);
}
AT(x);
x = 1;
G(x, 4);
AT(x);
x = 1;
{
    auto q = makeg(x);
    AT(x);
}
AT(x);
x = 1;
while (true) {
    G g(x, 1);
    if (c > -1) break;
}
AT(x);
x = 1;
{
    G arr[2] = {{x, 1}, {x, 2}};
    AT(x);
}
AT(x);
x = 1;
switch (c) {
    default: {
        G g(x, 1);
        break;
    }
}
AT(x);
x = 1;
if (G g(x, 2); x > 0) AT(x);
AT(x);
for (G g(x, 1); c < 0;) {}
AT(x);

//// extern calls
struct Big {
    int a[4];
    P p;
};
#ifdef __CUDACC__
__device__ void ext(int *p);
__device__ void extr(Big &b);
__device__ void exts(P *p);
__device__ int extv(Big b);
__device__ void exth(int **pp);
struct Hold {
    int *p;
};
__device__ void exto(Hold h);
__device__ void extc(const int *p);
#else
void ext(int *p) {
    p[0] = 50;
    p[1] = 51;
    p[2] = 52;
}
void extr(Big &b) {
    b.a[2] = 60;
    b.p.s = 61;
}
void exts(P *p) {
    p->a = 70;
    p->s = 71;
}
int extv(Big b) { return 80; }
void exth(int **pp) { **pp = 90; }
struct Hold {
    int *p;
};
void exto(Hold h) {
    h.p[0] = 95;
    h.p[1] = 96;
}
void extc(const int *p) {}
#endif
//// body
int x[4] = {1, 2, 3, 4};
ext(x);
AT(x[0]);
AT(x[1]);
AT(x[2]);
x[0] = x[1] = x[2] = 5;
ext(x + 1);
AT(x[0]);
AT(x[2]);
AT(x[3]);
x[1] = 3;
ext(&x[1]);
AT(x[1]);
AT(x[3]);
Big b{};
extr(b);
AT(b.a[2]);
AT(b.p.s);
b.p.s = 3;
b.a[2] = 3;
exts(&b.p);
AT(b.p.s);
AT(b.a[2]);
b.p.s = 4;
extv(b);
AT(b.p.s);
int m = 3;
int *pm = &m;
exth(&pm);
AT(m);
m = 4;
Hold h{&m};
int y[2] = {3, 4};
h.p = y;
exto(h);
AT(y[0]);
AT(y[1]);
int z = 5;
ext(&b.a[0]);
AT(b.a[1]);
AT(b.a[2]);
int *q = x;
x[2] = 9;
ext(q);
AT(x[2]);

//// extern in lambda
#ifdef __CUDACC__
template <class F>
__device__ void extf(F f);
struct Fn {
    int *p;
};
__device__ void call(void (*f)(int *), int *p) { f(p); }
__device__ void setter(int *p);
#else
template <class F>
void extf(F f) {
    f();
}
void call(void (*f)(int *), int *p) { f(p); }
void setter(int *p) { *p = 44; }
#endif
//// body
int m = 3;
auto f = [&]() { m = 7; };
extf(f);
AT(m);
int k = 2;
call(setter, &k);
AT(k);

//// double buffer
//// body
int x[2] = {1, 2}, y[2] = {3, 4};
int *a = x, *b = y;
for (int i = 0; i < c; ++i) {
    int *t = a;
    a = b;
    b = t;
    *a = i + 10;
    AT(b[1]);
    AT(*b);
}
AT(*a);
AT(*b);
AT(x[0]);
AT(y[0]);
AT(a[1]);

//// double buffer index
//// body
int buf[2] = {5, 6};
int cur = 0;
for (int i = 0; i < c; ++i) {
    AT(buf[cur]);
    buf[cur ^ 1] = i;
    cur ^= 1;
}
AT(buf[0]);
AT(cur + 1);
AT(buf[1]);

//// prefix
//// body
int x[5] = {1, 2, 3, 4, 5};
for (int i = 1; i < 5; ++i) x[i] += x[i - 1];
AT(x[4]);
AT(x[0]);
int h[3] = {};
for (int i = 0; i < 7; ++i) h[i % 3]++;
AT(h[0]);
AT(h[2] + 1);
for (int i = 0; i < 5; ++i) AT(x[i]);

//// return in loop
__device__ int find(const int *x, int n, int v) {
    for (int i = 0; i < n; ++i)
        if (x[i] == v) return i + 3;
    return 2;
}
__device__ P mk(int a) {
    P p{a, 3};
    for (int i = 0; i < a; ++i) p.s += 2;
    return p;
}
__device__ bool upd(int &x, int c) {
    if (c > 3) {
        x = 8;
        return true;
    }
    x = 9;
    return false;
}
//// body
int x[3] = {4, 5, 6};
AT(find(x, 3, 5));
AT(find(x, 3, c));
P p = mk(2);
AT(p.s);
p = mk(c % 3);
AT(p.s);
int y = 1;
while (upd(y, c)) {
    AT(y);
    if (y == 8) break;
}
AT(y);
for (int i = 0; i < 3; ++i) {
    p = mk(i);
    AT(p.s);
}
AT(p.s);
if (upd(y, 5) && c > 2) AT(y);
AT(y);

//// loop conditions
//// body
int i = 0, s = 0;
while (i++ < 5) s += i;
AT(s);
AT(i);
int k = 5;
while (--k) AT(k);
AT(k + 2);
for (int j = c; j-- > 0;) { AT(j + 1); }
int u = 1;
do {
    u += 3;
    if (u > 9) continue;
    AT(u);
} while (u < 12);
AT(u);
int w = 0;
for (; w < 3 && c > 2; ++w) AT(w + 1);
AT(w + 1);
for (int a = 0, b = 10; a < b; a += 2, b -= 1) { AT(a + b); }
unsigned z = 3;
while (z-- != 0) AT((int)z + 1);
AT((int)z + 5);
for (int q = 0; q < 10; q += 3) {
    if (q == c) q = 7;
    AT(q + 1);
}
bool go = true;
int g2 = 0;
while (go) {
    g2 += 2;
    go = g2 < c;
}
AT(g2);

//// wide stores
struct alignas(16) I4 {
    int x, y, z, w;
};
struct alignas(8) I2 {
    int x, y;
};
__device__ I4 make(int a, int b, int c, int d) {
    I4 r;
    r.x = a;
    r.y = b;
    r.z = c;
    r.w = d;
    return r;
}
//// body
alignas(16) int x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
*reinterpret_cast<I4 *>(&x[4]) = make(9, 10, 11, c + 20);
AT(x[5]);
AT(x[3]);
AT(x[7]);
I4 r = *(I4 *)x;
AT(r.z);
((I4 *)x)[1].y = 3;
AT(x[5]);
I2 &t = *(I2 *)&x[2];
t.y = 30;
AT(x[3]);
AT(x[2]);
short *h = reinterpret_cast<short *>(&x[6]);
h[1] = 0;
h[0] = 4;
AT(x[6]);
unsigned char *bb = (unsigned char *)&x[0];
bb[0] = 2;
bb[1] = 1;
AT(x[0]);
long long L = *(long long *)&x[2];
AT((int)(L >> 32));
AT((int)L);
*(short *)&x[1] = 12;
AT(x[1]);
float f = 1.0f;
AT(*(int *)&f >> 23);

//// copy arrays in struct
struct A3 {
    int d[3];
};
struct N {
    A3 a;
    A3 b[2];
    int n;
};
__device__ A3 neg(A3 a) {
    for (int i = 0; i < 3; ++i) a.d[i] = -a.d[i];
    return a;
}
//// body
A3 a{{1, 2, 3}};
A3 b = a;
b.d[1] = 7;
AT(a.d[1]);
AT(b.d[1]);
A3 e = neg(a);
AT(e.d[2]);
AT(a.d[2]);
N nn{};
nn.a = a;
nn.b[1] = b;
AT(nn.b[1].d[1]);
AT(nn.a.d[0]);
nn.b[0] = nn.b[1];
nn.b[1].d[1] = 4;
AT(nn.b[0].d[1]);
N m = nn;
m.b[1].d[1]++;
AT(nn.b[1].d[1]);
AT(m.b[1].d[1]);
int k = c % 2;
nn.b[k].d[0] = 9;
AT(nn.b[0].d[0]);
AT(nn.b[1].d[0]);
AT(nn.b[0].d[1]);
N *p = &nn;
p->b[1] = a;
AT(nn.b[1].d[2]);
A3 *q = nn.b;
q[0].d[2] = 15;
AT(nn.b[0].d[2]);
(*++q).d[0] = 16;
AT(nn.b[1].d[0]);

//// delegating
struct DC {
    int a, b;
    __device__ DC(int x, int y) : a(x), b(y) {}
    __device__ DC(int x) : DC(x, 6) { a += 1; }
    __device__ DC() : DC(3) {}
};
struct IC : DC {
    using DC::DC;
    int z = 4;
};
struct CC {
    int v;
    __device__ CC(const DC &d) : v(d.b) {}
    __device__ operator DC() const { return DC(v, v + 1); }
    __device__ explicit operator bool() const { return v > 3; }
};
//// body
DC d;
AT(d.a);
AT(d.b);
IC i(7);
AT(i.a);
AT(i.z);
IC j(1, 2);
AT(j.b);
CC cc = d;
AT(cc.v);
DC e = cc;
AT(e.b);
if (cc)
    AT(5);
else
    AT(6);
AT(cc ? 7 : 8);
DC arr[3] = {1, {2, 3}, DC()};
AT(arr[0].b);
AT(arr[1].b);
AT(arr[2].a);

//// const ref params
__device__ int cref(const int &x, int &y) {
    y = 5;
    return x;
}
__device__ void two(P &a, P &b) {
    a.s = 3;
    b.s = 4;
    a.a = b.s + 1;
}
__device__ P &chain(P &p, int v) {
    p.s += v;
    return p;
}
//// body
int x = 2;
AT(cref(x, x));
AT(x);
P p{1, 2};
two(p, p);
AT(p.s);
AT(p.a);
chain(chain(p, 1), 2).a = 6;
AT(p.s);
AT(p.a);
P &r = chain(p, 0);
r.s = 20;
AT(p.s);
const P &cr = p;
p.s = 21;
AT(cr.s);
P cp = chain(p, 1);
p.s = 0;
AT(cp.s);
int vv = 3;
int &vr = vv;
int *vp = &vr;
*vp = 8;
AT(vv);
auto &ar = vv;
ar++;
AT(vr);
auto av = vr;
av = 0;
AT(vv);
decltype(auto) dv = (vv);
dv = 11;
AT(vv);

//// std helpers
#ifndef __CUDACC__
#include <algorithm>
#include <utility>
#include <array>
#include <tuple>
#include <limits>
#include <cmath>
#endif
//// body
int a = 3, b = 5;
AT(std::max(a, b));
AT(std::min(a, c));
std::swap(a, b);
AT(a);
AT(b);
std::array<int, 3> r{{1, 2, 3}};
r[1] = 7;
AT(r[1]);
AT((int)r.size());
std::pair<int, int> p{4, 5};
AT(p.second);
p.first = 6;
AT(p.first);
auto [f, s] = p;
AT(f);
AT(s);
AT(std::get<1>(p));
std::tuple<int, int, int> t{1, 2, 3};
AT(std::get<2>(t));
std::get<0>(t) = 9;
AT(std::get<0>(t));
auto q = std::make_pair(2, c);
AT(q.first);
AT(std::numeric_limits<short>::max() / 1000);
AT(std::max({1, 4, 2}));
std::get<1>(p) = 12;
AT(p.second);
int d = std::exchange(a, 10);
AT(d);
AT(a);
AT(abs(-4));
for (auto &e : r) e = 8;
AT(r[0]);
AT(std::clamp(c, 2, 2));

//// bindings
struct T3 {
    int a, b, c;
};
struct DT : T3 {};
__device__ T3 mk3(int k) { return T3{k, k + 1, k + 2}; }
//// body
T3 t{1, 2, 3};
auto [x, y, z] = t;
AT(y);
y = 7;
AT(y);
AT(t.b);
auto &[p, q, r] = t;
q = 9;
AT(t.b);
t.c = 20;
AT(r);
int arr[2] = {3, 4};
auto [m, o] = arr;
AT(o);
o = 5;
AT(arr[1]);
auto &[m2, o2] = arr;
o2 = 6;
AT(arr[1]);
const auto [k1, k2, k3] = mk3(4);
AT(k3);
auto &&[l1, l2, l3] = mk3(c);
AT(l2);
DT dt{{5, 6, 7}};
auto [d1, d2, d3] = dt;
AT(d3);
T3 ts[2] = {{1, 2, 3}, {4, 5, 6}};
for (auto &[e1, e2, e3] : ts) {
    e2 = 30;
    AT(e3);
}
AT(ts[1].b);
auto fl = [&]() { q = 40; };
fl();
AT(t.b);
if (auto [i1, i2, i3] = mk3(2); i1 == 2) AT(i3);

//// lambda state
//// body
int x = 1;
auto f = [x]() mutable { return ++x; };
auto g2 = f;
AT(f());
AT(f());
AT(g2());
AT(f());
auto h = [y = 2 * c, z = 5] { return z; };
AT(h());
auto rr = [&r = x] { r = 33; };
rr();
AT(x);
struct L {
    int v = 2;
    __device__ auto get() {
        return [this] { return v++; };
    }
    __device__ auto copy() {
        return [*this]() mutable { return v++; };
    }
};
L l;
auto lg = l.get();
AT(lg());
AT(l.v);
auto lc = l.copy();
AT(lc());
AT(lc());
AT(l.v);
auto two = [](auto fn) {
    fn();
    return fn();
};
AT(two(f));
AT(f());

//// cutlass array
template <class T, int N>
struct Array {
    T storage[N];
    __device__ T &operator[](int i) { return storage[i]; }
    __device__ T const &operator[](int i) const { return storage[i]; }
    __device__ void clear() {
        for (int i = 0; i < N; ++i) storage[i] = T(0);
    }
    __device__ T *data() { return storage; }
    static constexpr int kElements = N;
};
template <class T, int N>
__device__ Array<T, N> operator+(Array<T, N> const &a, Array<T, N> const &b) {
    Array<T, N> r;
    for (int i = 0; i < N; ++i) r[i] = a[i] + b[i];
    return r;
}
template <int R, int C>
struct Shape {
    static int const kRow = R;
    static int const kColumn = C;
    static int const kCount = R * C;
};
struct Coord {
    int idx[2];
    __device__ Coord(int a = 0, int b = 0) {
        idx[0] = a;
        idx[1] = b;
    }
    __device__ int &row() { return idx[0]; }
    __device__ int const &row() const { return idx[0]; }
    __device__ int &column() { return idx[1]; }
    __device__ Coord operator+(Coord const &o) const {
        Coord r(*this);
        r += o;
        return r;
    }
    __device__ Coord &operator+=(Coord const &o) {
        for (int i = 0; i < 2; ++i) idx[i] += o.idx[i];
        return *this;
    }
};
struct Layout {
    int stride;
    __device__ Layout(int s) : stride(s) {}
    __device__ int operator()(Coord const &c) const { return c.row() * stride + c.idx[1]; }
};
//// body
Array<int, 4> a;
a.clear();
AT(a[2] + 1);
a[1] = 5;
AT(a[1]);
a.data()[3] = 6;
AT(a[3]);
Array<int, 4> b = a + a;
AT(b[1]);
AT((Shape<3, 4>::kCount));
Coord x(1, 2);
x.row() += 3;
AT(x.row());
Coord y = x + Coord(1, 1);
AT(y.column());
Layout l(10);
AT(l(y));
AT(l(Coord(2, 3)));
const Coord cc(4, 5);
AT(cc.row());
AT((Array<int, 4>::kElements));

//// fast divmod
struct FastDivmod {
    int d;
    unsigned m, s;
    __device__ FastDivmod(int d_) : d(d_) {
        m = 0;
        s = 0;
    }
    __device__ void operator()(int &q, int &r, int x) const {
        q = x / d;
        r = x - q * d;
    }
    __device__ int div(int x) const { return x / d; }
    __device__ int divmod(int &r, int x) const {
        int q = div(x);
        r = x - q * d;
        return q;
    }
};
//// body
FastDivmod f(7);
int q, r;
f(q, r, 30);
AT(q);
AT(r);
int k;
AT(f.divmod(k, 50));
AT(k);
f(q, q, 15);
AT(q);
int z = f.divmod(q, 20) + q;
AT(z);

//// index decompose
__device__ void unravel(int i, const int *shape, int *out, int n) {
    for (int d = n - 1; d >= 0; --d) {
        out[d] = i % shape[d];
        i /= shape[d];
    }
}
template <int N>
__device__ int ravel(const int (&idx)[N], const int (&st)[N]) {
    int o = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) o += idx[i] * st[i];
    return o;
}
//// body
int shape[3] = {2, 3, 4}, out[3] = {9, 9, 9};
unravel(17, shape, out, 3);
AT(out[0] + 1);
AT(out[1] + 1);
AT(out[2] + 1);
int st[3] = {12, 4, 1};
AT(ravel(out, st));
int i = 100;
for (int d = 0; d < 3; ++d) {
    AT(i % 10 + 1);
    i /= 10;
}
AT(i + 1);
int e[4];
for (int k = 0; k < 4; ++k) e[k] = k * k + 1;
AT(e[3]);
AT(e[0]);
for (int k = 3; k >= 0; --k) AT(e[k]);
int m = 0;
for (int k = 0; k < 4; ++k)
    if (e[k] > m) m = e[k];
AT(m);

//// iterators
struct It {
    int *p;
    int s;
    __device__ int &operator*() const { return *p; }
    __device__ It &operator++() {
        p += s;
        return *this;
    }
    __device__ It operator++(int) {
        It t = *this;
        ++*this;
        return t;
    }
    __device__ It &operator+=(int n) {
        p += n * s;
        return *this;
    }
    __device__ bool operator!=(It const &o) const { return p != o.p; }
    __device__ int &operator[](int n) const { return p[n * s]; }
    __device__ int *operator->() const { return p; }
};
//// body
int x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
It i{x, 2};
AT(*i);
++i;
AT(*i);
AT(*i++);
AT(*i);
i += 1;
AT(*i);
*i = 20;
AT(x[6]);
AT(i[-1]);
It e{x + 8, 2};
for (It k{x, 2}; k != e; ++k) {
    AT(*k);
    *k = 4;
}
AT(x[2]);
AT(x[1]);
It s{x, 1};
for (int n = 0; n < 3; ++n) {
    *s = n;
    s += 2;
}
AT(x[4]);
AT(*s);

//// state machine
struct Pipe {
    int idx;
    int phase;
    int count;
    __device__ Pipe(int i = 0, int p = 0, int c = 0) : idx(i), phase(p), count(c) {}
    __device__ void operator++() {
        ++idx;
        ++count;
        if (idx == 3) {
            idx = 0;
            phase ^= 1;
        }
    }
    __device__ Pipe advance(int n) const {
        Pipe r(*this);
        for (int i = 0; i < n; ++i) ++r;
        return r;
    }
};
//// body
Pipe p;
AT(p.idx + 1);
++p;
++p;
AT(p.idx);
++p;
AT(p.idx + 1);
AT(p.phase);
Pipe q = p.advance(2);
AT(q.idx);
AT(p.idx + 1);
for (int i = 0; i < c; ++i) {
    AT(p.idx + 1);
    AT(p.phase + 1);
    ++p;
}
AT(p.idx + 1);
AT(p.count);

//// swizzle
//// body
for (int r = 0; r < 4; ++r)
    for (int k = 0; k < 2; ++k) {
        int s = (r ^ (k * 3)) & 7;
        AT(s + 1);
        int t = (r << 2 | k) ^ ((r & 1) << 1);
        AT(t + 1);
    }
unsigned h = 0x9e3779b9u * (c + 1);
AT((int)(h >> 28));
int u = c & 1 ? 3 : 5;
AT(u);
u ^= 6;
AT(u);
AT(__builtin_popcount(c) + 1);
int b = (c * 0x1001) >> 8;
AT(b + 1);
AT((c << 31) >> 31);
AT((int)((unsigned)c << 30 >> 30));
AT(~c & 3);
AT((c | 8) % 5 + 1);
AT((-c - 1) / 2);
AT((-c - 1) % 4);
AT((-c - 1) >> 1);

//// early loops
__device__ int lower(const int *a, int n, int v) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
__device__ int gcd(int a, int b) {
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}
__device__ int ilog2(int n) {
    int r = 0;
    while (n >>= 1) ++r;
    return r;
}
__device__ int powi(int b, int e) {
    int r = 1;
    for (; e; e >>= 1, b *= b)
        if (e & 1) r *= b;
    return r;
}
//// body
int x[5] = {1, 3, 5, 7, 9};
AT(lower(x, 5, 6));
AT(lower(x, 5, c) + 1);
AT(gcd(12, 18));
AT(gcd(c, 6));
AT(ilog2(40));
AT(ilog2(c + 1) + 1);
AT(powi(3, 3));
AT(powi(2, c));
int s = 0;
for (int i = 16; i; i >>= 1) {
    AT(i);
    s += i;
}
AT(s);
for (int i = 1; i <= 32; i <<= 1) AT(i);
int n1 = n;
while (n1 > 1) n1 = (n1 + 1) / 2;
AT(n1);
int w = 64;
do {
    AT(w);
    w /= 4;
} while (w > 0);
AT(w + 1);
int a = 0, b = 1;
for (int i = 0; i < 6; ++i) {
    int t = a + b;
    a = b;
    b = t;
    AT(a);
}
AT(b);

//// conditional structs
struct O {
    int a;
    int b;
    __device__ bool ok() const { return a > 0; }
};
__device__ O sel(int c) {
    O o{0, 1};
    if (c == 0) {
        o.a = 3;
        return o;
    }
    if (c == 1) {
        o.b = 4;
        return o;
    }
    o.a = 5;
    o.b = 6;
    return o;
}
__device__ O *at(O *x, int i) { return i < 0 ? nullptr : x + i; }
//// body
O o = sel(0);
AT(o.a);
AT(o.b);
o = sel(1);
AT(o.a + 1);
AT(o.b);
o = sel(c);
AT(o.a + 1);
AT(o.b);
if (o.ok()) AT(o.a);
O x[3] = {{1, 2}, {3, 4}, {5, 6}};
at(x, 1)->b = 8;
AT(x[1].b);
if (O *p = at(x, c - 2)) { p->a = 9; }
AT(x[0].a);
AT(x[1].a);
AT(x[2].b);
O &r = c > 2 ? x[0] : x[1];
r.b = 12;
AT(x[0].b);
AT(x[1].b);
AT(x[2].b);
O y = c > 2 ? x[0] : sel(1);
AT(y.b);
y = {7, 8};
AT(y.a);
(c > 1 ? y : o).a = 11;
AT(y.a);
AT(o.a + 1);
auto [m, q] = sel(0);
AT(m);
O *z = &x[2];
z -= 1;
z->a = 14;
AT(x[1].a);
AT((x + 2)->b);
AT((*(x + 1)).a);

//// nested lambdas
template <int N, class F>
__device__ void unroll(F &&f) {
    if constexpr (N > 0) {
        unroll<N - 1>(f);
        f(N - 1);
    }
}
template <class F, class... A>
__device__ auto invoke(F &&f, A &&...a) {
    return f(static_cast<A &&>(a)...);
}
struct Fn {
    int k;
    template <class T>
    __device__ T operator()(T x) const {
        return x * k;
    }
};
//// body
int s = 0;
unroll<4>([&](int i) {
    s += i;
    AT(i + 1);
});
AT(s);
int t = invoke(
    [&](int a, int &b) {
        b = a + 1;
        return a * 2;
    },
    5, s);
AT(t);
AT(s);
auto outer = [&](int a) {
    auto inner = [&, a](int b) {
        s += b;
        return a + b;
    };
    return inner(2) + inner(3);
};
AT(outer(1));
AT(s);
AT(invoke(Fn{3}, 4));
auto make = [](int n) { return [n](int x) { return x + n; }; };
auto add5 = make(5), add7 = make(7);
AT(add5(1));
AT(add7(1));
auto cnt = [n1 = 0]() mutable { return n1++; };
cnt();
AT(cnt() + 1);
for (int i = 0; i < 3; ++i) {
    auto f = [&s, i] { s = i + 10; };
    f();
}
AT(s);
auto cond = c > 2 ? +[](int x) { return x; } : +[](int x) { return 2 * x; };
AT(cond(3));

//// pointers in structs
struct Node {
    int v;
    Node *next;
};
struct View {
    int *p;
    int n;
    __device__ int &at(int i) { return p[i]; }
    __device__ View sub(int o, int m) const { return View{p + o, m}; }
};
//// body
Node n3{30, nullptr}, n2{20, &n3}, n1{10, &n2};
int s = 0;
for (Node *p = &n1; p; p = p->next) {
    AT(p->v);
    s += p->v;
}
AT(s);
n1.next->next->v = 5;
AT(n3.v);
Node *h = &n1;
h = h->next;
h->v = 6;
AT(n2.v);
int x[6] = {1, 2, 3, 4, 5, 6};
View vw{x, 6};
vw.at(2) = 12;
AT(x[2]);
View w = vw.sub(2, 3);
w.at(1) = 13;
AT(x[3]);
AT(w.at(0));
View *vp = &w;
vp->p++;
AT(w.at(0));
AT(vp->sub(1, 1).at(0));
for (int i = 0; i < w.n; ++i) w.p[i] = i + 7;
AT(x[3]);
AT(x[5]);
AT(x[0]);
int *ptrs[3] = {&x[0], &x[2], &x[4]};
for (int i = 0; i < 3; ++i) *ptrs[i] = 21;
AT(x[2]);
AT(x[1]);
struct {
    int a;
    struct {
        int b;
    } in;
} anon = {1, {2}};
anon.in.b = 9;
AT(anon.in.b);

//// params unknown place
//// body
(&v.a)[c % 2] = 3;
AT(v.a);
AT(v.s);
v.a = 4;
AT(v.a);
P *q = &v;
int *e = &q->a;
e[c % 2] += 1;
AT(v.a);
P w = v;
AT(w.a);
int arr[2] = {1, 2};
arr[c % 2] = 7;
AT(arr[1]);
arr[1] = 5;
AT(arr[1]);
AT(arr[0]);

//// array decay loop
#ifdef __CUDACC__
__device__ void ext(int *p);
#else
void ext(int *p) {
    p[0] += 50;
    p[1] += 51;
}
#endif
__device__ void put(int *p, int v) { p[1] = v; }
struct S {
    int d[2];
    __device__ void put(int v) { d[1] = v; }
    __device__ int *p() { return d; }
};
//// body
int x[2] = {1, 2};
for (int i = 0; i < 3; ++i) {
    AT(x[1]);
    put(x, i + 5);
}
AT(x[1]);
int y[2] = {1, 2};
for (int i = 0; i < c; ++i) {
    AT(y[1]);
    ext(y);
}
AT(y[1]);
S s{{3, 4}};
for (int i = 0; i < c; ++i) {
    AT(s.d[1]);
    AT(s.d[0]);
    put(s.d, 7);
}
AT(s.d[1]);
S t{{3, 4}};
for (int i = 0; i < c; ++i) {
    AT(t.d[1]);
    ext(t.p());
}
AT(t.d[1]);
int z = 4;
for (int i = 0; i < c; ++i) {
    AT(z);
    ext(&z - 0);
}
int w[2] = {4, 5};
int *q = w;
for (int i = 0; i < c; ++i) {
    AT(w[1]);
    ext(q);
}

//// escape
struct B1 {
    int x = 1;
};
struct B2 {
    int y = 2;
    __device__ void set2(int v) { y = v; }
};
struct D1 : B1, B2 {
    int z = 3;
};
struct MP {
    int a, b;
};
#ifdef __CUDACC__
__device__ int *same(int *p);
#else
int *same(int *p) { return p; }
#endif
//// body
D1 d;
B2 *q = &d;
D1 *e = static_cast<D1 *>(q);
e->z = 6;
AT(d.z);
MP m{2, 5};
int MP::*p = &MP::b;
m.*p = 8;
AT(m.b);
(&m)->*p = 9;
AT(m.b);
int x[2] = {1, 2};
int *r = same(x);
x[0] = 3;
r[0] = 4;
AT(x[0]);
unsigned long long u = (unsigned long long)x;
x[1] = 5;
*(int *)(u + 4) = 6;
AT(x[1]);
int y = 3;
long long o = (long long)&y & ~3ll;
*(int *)o = 8;
AT(y);
for (int i = 0; i < c; ++i) {
    y = 4;
    AT(y);
    *(int *)o = 9;
    AT(y);
    x[0] = 1;
}
AT(y);

//// member array unknown index
struct A {
    int *p;
    int n;
    int t[4];
    int m;
    __device__ void init(int i) { t[i] = 1; }
    __device__ void each(int v) {
        for (int i = 0; i < 4; ++i) t[i] = v;
    }
};
//// body
int z[2] = {5, 6};
A a{z, 3, {1, 2, 3, 4}, 7};
a.t[c % 4] = 2;
AT(a.n);
AT(a.m);
AT(a.p[1]);
AT(a.t[0]);
a.t[1] = 8;
AT(a.t[1]);
for (int i = 0; i < 4; ++i) {
    a.init(i);
    AT(a.n);
    AT(a.p[0]);
    AT(a.t[2]);
}
AT(a.m);
AT(a.n);
AT(a.t[3]);
a.each(c);
AT(a.n);
AT(a.t[1]);
A b[2] = {a, a};
b[c % 2].t[c % 4] = 9;
AT(b[0].n);
AT(b[1].m);
AT(b[1].t[1]);
b[c % 2].m = 4;
AT(b[1].m);
AT(b[0].t[0]);
for (int i = 0; i < c; ++i) {
    a.t[i % 4] = i;
    a.m += 1;
    AT(a.n);
    AT(a.m);
}
AT(a.m);
AT(a.n);
AT(*a.p);

//// tuples
#ifndef __CUDACC__
#include <tuple>
#include <array>
#endif
__device__ inline std::tuple<int, short, int> mkt(int k) { return std::make_tuple(k, (short)(k + 1), k + 2); }
struct NP {
    int a;
    std::tuple<int, int> t;
};
//// body
auto [a, b, d] = mkt(3);
AT(a);
AT(b);
AT(d);
a = 9;
AT(a);
std::tuple<int, int> t{1, 2};
auto &[p, q] = t;
q = 7;
AT(std::get<1>(t));
std::get<0>(t) = 5;
AT(p);
int z = 3;
std::tuple<int &, int> rt{z, 4};
auto [r, s] = rt;
r = 8;
AT(z);
AT(s);
std::array<int, 3> ar{{4, 5, 6}};
auto &[x0, x1, x2] = ar;
x1 = 12;
AT(ar[1]);
AT(x2);
NP np{1, {2, 3}};
auto &[na, nt] = np;
na = 6;
AT(np.a);
auto [t0, t1] = nt;
AT(t1);
std::tie(z, na) = std::make_tuple(20, 30);
AT(z);

//// range fallback
template <class T>
struct V {
    T d[3];
    __device__ T *begin() { return d; }
    __device__ T *end() { return d + 3; }
};
//// body
struct L {
    int d[2];
    __device__ int *begin() { return d; }
    __device__ int *end() { return d + 2; }
};
L l{{1, 2}};
for (auto &x : l) {
    x = 7;
    AT(l.d[1] > 0);
}
AT(l.d[0]);
V<int> vv{{1, 2, 3}};
for (auto &x : vv) x = 9;
AT(vv.d[2]);
for (int x : l) { x = 3; }
AT(l.d[1]);
P ps[2] = {{1, 2}, {3, 4}};
for (auto &[a, s] : ps) {
    s = a + 1;
    AT(s > 0);
}
AT(ps[1].s);

//// crtp and tags
template <class D>
struct Base {
    __device__ int call(int x) { return static_cast<D *>(this)->impl(x) + 1; }
    int b = 4;
};
struct Der : Base<Der> {
    int k = 3;
    __device__ int impl(int x) {
        k += x;
        return k * b;
    }
};
template <int N>
struct Int {
    static constexpr int value = N;
    constexpr __device__ operator int() const { return N; }
};
struct Fast {};
struct Slow {};
__device__ int pick(Fast, int x) { return x * 2; }
__device__ int pick(Slow, int x) { return x * 3; }
template <class T>
struct Tr {
    using tag = Slow;
    static constexpr int w = sizeof(T);
};
template <>
struct Tr<short> {
    using tag = Fast;
    static constexpr int w = 9;
};
template <class T, int N = 2>
struct Vec {
    T v[N];
    template <class U>
    __device__ Vec<U, N> cast() const {
        Vec<U, N> r;
        for (int i = 0; i < N; ++i) r.v[i] = U(v[i]);
        return r;
    }
};
template <class... I>
__device__ int sum(I... i) {
    int s = 0;
    ((s += i), ...);
    return s;
}
template <int... I>
__device__ int at(const int *p) {
    return (p[I] + ...);
}
//// body
Der d;
AT(d.call(2));
AT(d.k);
Base<Der> &bb = d;
AT(bb.call(1));
AT(d.k);
AT(pick(Tr<short>::tag{}, 5));
AT(pick(Tr<int>::tag{}, 5));
AT(Tr<short>::w + Tr<int>::w);
AT(Int<7>{} + 1);
Vec<int> v2{{300, 5}};
auto v3 = v2.cast<unsigned char>();
AT(v3.v[0]);
AT(sum(1, 2, 3));
int x[4] = {4, 5, 6, 7};
AT((at<0, 2>(x)));

//// bit fields
struct F {
    unsigned a : 4, b : 4;
    int c : 8;
    unsigned d : 16;
    int e;
};
struct F2 {
    int x : 3;
    unsigned y : 29;
};
//// body
F f{1, 2, -3, 400, 5};
AT(f.e);
f.a = 17;
AT(f.a);
AT(f.b);
f.b += 3;
AT(f.b);
AT(f.c);
AT(f.d);
f.e = 6;
AT(f.e);
F2 g2{3, 5};
g2.x = 5;
AT(g2.x);
AT(g2.y);
F h = f;
h.a = 3;
AT(f.a);
AT(h.e);

//// integers
//// body
short a = 30000, b = 10000;
AT((a + b) / 100);
short s = a + b;
AT(s / 100);
unsigned u = 1u << 31;
AT((int)(u >> 29));
AT((int)((u + u) + 1));
int i = -7;
AT(i / 2);
AT(i % 4);
AT((int)((unsigned)i >> 28));
AT((i & 7));
long long big = 1ll << 40;
AT((int)(big >> 38));
AT((int)(big / 3 % 1000));
unsigned char c8 = 200;
AT(c8 + 100);
c8 <<= 1;
AT(c8);
signed char s8 = (signed char)c8;
AT(s8);
AT((s8 >> 1));
AT(-1 < 1u ? 3 : 4);
AT((unsigned)-1 > 0 ? 5 : 6);
AT((int)(0xffffffffu * 0xffffffffull >> 33 & 7));
bool t = 7;
AT(t + t);
AT(!!i + 1);
AT('z' - 'a');
AT((char)300);
AT((int)(unsigned short)-1 / 1000);
size_t z = 3;
AT((int)(z - 4 > 10 ? 8 : 9));
int m = 2147483647;
AT((int)((unsigned)m + 2 >> 30));
AT(-(-5 / 2));
AT(~5 + 10);
AT((5 ^ 3) | 8);
AT(1 << 3 >> 1);
i = 5;
i -= 3u;
AT(i);
i *= -2;
AT(i);
i <<= 1;
AT(i);
i >>= 2;
AT(i);
i = c - 3;
AT((i < 0 ? -i : i) + 1);
AT((i % 3 + 3) % 3 + 1);
AT((unsigned)i % 5 + 1);
AT(i / 2 * 2 + 7);
AT((i >> 1) + 5);
AT((int)((unsigned)i >> 30) + 1);
AT((i & -2) + 9);
AT((short)(i << 14) >> 12);
AT((signed char)(i * 50));
AT((unsigned char)(i * 100));
AT((long long)i * 3000000000ll / 1000000000ll);
AT((int)((unsigned)(i * 1000000007) >> 28));

//// macros and control
#define CHECK(x)          \
    do {                  \
        if (!(x)) return; \
    } while (0)
#define LOOP(i, n) for (int i = 0; i < (n); ++i)
#define MAX3(a, b, c) ((a) > (b) ? ((a) > (c) ? (a) : (c)) : ((b) > (c) ? (b) : (c)))
//// body
int s = 0;
LOOP(i, 3) LOOP(j, 2) {
    s += i * j;
    AT(i * 2 + j + 1);
}
AT(s);
AT(MAX3(1, c, 3));
int q = 1;
for (int i = 0; i < 6; ++i) {
    switch (i) {
        case 0: continue;
        case 3: q += 10; break;
        case 5: q *= 2;
        default: q += 1;
    }
    AT(q);
}
AT(q);
int w = 0;
while (1) {
    if (++w > 4) break;
    if (w == 2) continue;
    AT(w);
}
AT(w);
for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
        if (j == i) goto next;
        AT(j + 1);
    }
next:;
}
int k = 7;
{
    int k = 3;
    k++;
    AT(k);
}
AT(k);
int r = c;
if (r > 3)
    r = 3;
else if (r > 1)
    r = 2;
else
    r = 1;
AT(r);
r = c == 0 ? 1 : c == 1 ? 2 : c < 4 ? 3 : 4;
AT(r);
int y = (c > 2, 5);
AT(y);
if (int zz = c * 2; zz > 4 && zz < 9) {
    AT(zz);
} else {
    AT(zz + 1);
}
CHECK(c > 1);
AT(c);
CHECK(c > 3 || c == 2);
AT(c);
switch (c) {
    case 2: AT(2); break;
    case 4:
    case 5: AT(c); [[fallthrough]];
    default: AT(9);
}

//// arrays by reference
__device__ void fill(int (&a)[3], int v) {
    for (int &x : a) x = v++;
}
__device__ int total(const int (*a)[2], int n) {
    int s = 0;
    for (int i = 0; i < n; ++i) s += a[i][0] * a[i][1];
    return s;
}
template <class T, int N>
__device__ constexpr int len(T (&)[N]) {
    return N;
}
__device__ int *mid(int (&a)[3]) { return a + 1; }
__device__ int (&same(int (&a)[3]))[3] { return a; }
struct M {
    int a[2][2];
    __device__ int *operator[](int i) { return a[i]; }
    __device__ const int *row(int i) const { return &a[i][0]; }
};
//// body
int a[3];
fill(a, 4);
AT(a[2]);
AT(len(a));
int m[2][2] = {{1, 2}, {3, 4}};
AT(total(m, 2));
*mid(a) = 9;
AT(a[1]);
same(a)[0] = 11;
AT(a[0]);
M mm{{{1, 2}, {3, 4}}};
mm[1][0] = 8;
AT(mm.a[1][0]);
AT(mm.row(1)[1]);
int (&r)[2] = m[1];
r[0] = 12;
AT(m[1][0]);
int *flat = &m[0][0];
flat[3] = 13;
AT(m[1][1]);
auto &row = mm.a[c % 2];
row[1] = 14;
AT(mm.a[1][0]);
for (auto &rw : m)
    for (auto &e : rw) e += 1;
AT(m[0][0]);
AT(m[1][1]);
int t[2][3] = {};
t[1][2] = 5;
int s = 0;
for (auto &rw : t)
    for (int e : rw) s += e;
AT(s);
const char *name = "abc";
AT(name[1] - 'a' + 1);
int idx[3] = {2, 0, 1};
AT(a[idx[0]]);
a[idx[idx[0]]] = 21;
AT(a[1]);
AT(a[0]);
int *pp = a;
pp += 2;
AT(pp[-1]);
AT((int)(pp - a));
AT(*(1 + a));
AT(2 [a] > 0 ? 3 : 4);

//// value semantics
struct S {
    int a, b;
    __device__ S with(int x) const {
        S s = *this;
        s.a = x;
        return s;
    }
    __device__ S &set(int x) {
        b = x;
        return *this;
    }
    __device__ bool operator==(const S &o) const { return a == o.a && b == o.b; }
    __device__ S operator-() const { return S{-a, -b}; }
    __device__ S &operator++() {
        ++a;
        return *this;
    }
    __device__ S operator++(int) {
        S t = *this;
        ++*this;
        return t;
    }
};
__device__ S operator*(S s, int k) {
    s.a *= k;
    s.b *= k;
    return s;
}
__device__ void swap2(S &x, S &y) {
    S t = x;
    x = y;
    y = t;
}
__device__ S pickS(bool f, S x, S y) { return f ? x : y; }
//// body
S s{1, 2};
S t = s.with(5);
AT(s.a);
AT(t.a);
AT(t.b);
s.set(7).set(8);
AT(s.b);
swap2(s, t);
AT(s.a);
AT(t.b);
AT(s == t ? 3 : 4);
S u = -s;
AT(u.a);
S w = s * 3;
AT(w.a);
AT(s.a);
AT((s++).a);
AT(s.a);
AT((++s).a);
S x = pickS(c > 2, s, t);
AT(x.a);
S arr[3] = {s, t, u};
arr[1] = arr[0];
arr[0].a = 50;
AT(arr[1].a);
S *p = arr;
*p++ = w;
AT(arr[0].a);
p->b = 60;
AT(arr[1].b);
*p = *(p + 1);
AT(arr[1].a);
s = t = u;
AT(t.a);
(s = w).a = 70;
AT(s.a);
AT(w.a);
S y = s;
y = y.with(1).with(2);
AT(y.a);
const S &cr = y;
y.a = 90;
AT(cr.a);
S z{cr};
y.a = 91;
AT(z.a);
if (c > 3) z = s;
AT(z.b);
for (int i = 0; i < c; ++i) z = z.with(i);
AT(z.a);
AT(z.b);

//// variables in heads
__device__ inline int up(int &k) { return k += 2; }
//// body
switch (int k = c + 3; n) {
    case 4: AT(k); break;
    default: AT(k + 1);
}
switch (int k = c & 1) {
    case 0: AT(k); break;
    default: AT(k + 4);
}
int m = 3;
while (int k = m) {
    AT(k);
    --m;
}
AT(m);
m = 9;
while (int k = m--) {
    if (k == 7) continue;
    AT(k);
    if (k < 6) break;
}
AT(m);
for (int i = 3; int k = i * 2; --i) {
    if (k == 4) continue;
    AT(k);
}
int q = 1;
while (int k = 7 / up(q)) AT(k);
AT(q);
for (int a[2] = {2, 4}; int v : a) AT(v);
if (int k = n; k > 4) {
    AT(k);
} else {
    AT(k + 1);
}

//// packs of parameters
template <class... A>
__device__ int third(int, int, int c, A...) { return c; }
template <class... A>
__device__ int of(A... a) { return third(a...) * 100 + (a + ...); }
//// body
AT(of(1, 2, 3));
AT(of(c, 2, 3, n));
auto f = [](auto... a) {
    int v[] = {a...};
    return v[1] * 10 + sizeof...(a);
};
AT(f(1, 2, 3));
AT(f(4, n));

//// signs in constants
template <int M> __device__ constexpr int low() { if constexpr (!(M > 3)) return 7; else return 9; }
template <int M, bool F> __device__ int chosen(int c) {
    int r;
    if constexpr (!F) r = c;
    else r = M;
    if constexpr (!!M) r += 16;
    if constexpr (-M < -2) r += 32;
    if constexpr (bool(M & 1) ? !F : F) r += 64;
    if constexpr (static_cast<bool>(M & 4)) r += 128;
    return r + low<M>();
}
#define NOT(x) !x
#define MINUS -
//// body
AT((chosen<5, true>(3)));
AT((chosen<5, false>(3)));
AT((chosen<2, true>(c)));
AT((chosen<0, false>(4)));
int a = 0;
switch (v.a - 22) { case -1: a = 1; break; case +2: a = 2; break; case ~3: a = 3; break; case -(-5): a = 4; break; default: a = 5; }
AT(a);
switch (-5 + 2) { case -3: a = 8; break; case 3: a = 9; break; default: a = 10; }
AT(a);
switch (MINUS MINUS n) { case MINUS 1: a = 12; break; case NOT(NOT(9)): a = 13; break; default: a = 14; }
AT(a);
AT(NOT(NOT(n)) + NOT(0) + 2);
enum { LESS = -4, MORE = ~-8 };
AT(LESS + n);
AT(MORE);
constexpr int t[2] = {-6, +6};
AT(t[1] - t[0]);

//// pointers that turn in loops
struct S { int x; int *q; };
__device__ void inc(int *p, int by) { *p += by; }
__device__ void swap2(int *&a, int *&b) { int *h = a; a = b; b = h; }
__device__ int *pick(int *a, int *b, int w) { return w & 1 ? a : b; }
__device__ void move(S &s) { s.x += 1; if (s.q) *s.q += 1; }
//// body
int a = 1, b = 2, d = 3, *p = &a, *q = &b;
S s{4, nullptr};
for (int i = 0; i < 3; ++i) { move(s); s.q = &d; }
AT(d);
AT(s.x);
for (int i = 0; i < 4; ++i) { swap2(p, q); *p += 1; }
AT(a + b);
a = b = 1;
for (int i = 0; i < n; ++i) { *p += 3; p = &b; }
AT(a);
AT(b);
p = &a, q = &b;
for (int i = 0; i < 3; ++i) { a += 2; inc(p, 1); }
AT(a);
int t = 2;
do { a += 2; for (int i = 0; i < 5; ++i) *p += 1; } while (--t > 0);
AT(a);
auto more = [&] { a += 1; };
auto by = [&d](int x) { d += x; };
a = d = 0;
for (int i = 0; i < 3; ++i) { a += 2; more(); for (int j = 0; j < 2; ++j) by(j); d += 2; }
AT(a);
AT(d);
int u[4] = {1, 2, 3, 4}, w = 0;
for (int i = 0; i < 6; ++i) { w += *p; p = pick(&u[1], u + 3, i); }
AT(w);
for (int i = 0; i < 2; ++i) { p = u; while (*p < 3) p++; *p = i; }
AT(u[2]);
AT(u[3]);
for (int *r = u; r != u + 4; r = r + 1) *r = 7;
AT(u[0] + u[3]);
