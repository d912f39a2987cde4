"""Inputs for coalint, made by chance from a seed: each is a folder of files, `main.cu` the one to check.

More than half are near to what people write (`fuzz_mutations.py`), the others hostile.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from functools import cache

from fuzz_bases import programs
from fuzz_kernels import INTEGERS, OPERATORS, THREAD, arithmetic, expression, kernel
from fuzz_mutations import NEAR

MAIN = "main.cu"
PIPE = "pipe.h"  # a pipe in each folder, which nobody writes to
_TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
_WORDS = """
    __global__ __device__ __shared__ __constant__ __host__ void int float double float4 unsigned char long const
    volatile extern "C" static inline template < > typename class struct union enum ( ) { } [ ] ; : :: , ... if else
    for while do switch case default break continue return goto operator new delete this auto decltype sizeof
    alignof constexpr lambda __syncthreads __shfl_sync atomicAdd __launch_bounds__ <<< >>> dim3 namespace using
    typedef friend virtual #define #include #if #else #endif #pragma unroll # ## \\ " ' // /* */ R"( )" k f x a T N
    @ $ ` __attribute__ __asm__ volatile reinterpret_cast static_cast nullptr true false try catch throw requires
    concept co_await __ldg float2 half __half2
    """.split()

Files = Mapping[str, bytes]
Generator = Callable[[random.Random], "Files | bytes | str"]


def make(seed: int, number: int) -> tuple[str, Files]:
    """The input of this number: the name of its kind, and its files. The same for the same seed and number, always."""
    chance = random.Random(f"{seed}/{number}")
    generator = chance.choice(_GENERATORS)
    made = generator(chance)
    if isinstance(made, str):
        made = made.encode("utf-8", "surrogatepass")
    return generator.__name__.strip("_"), made if isinstance(made, Mapping) else {MAIN: made}


@cache
def _programs() -> tuple[bytes, ...]:
    return tuple(text.encode() for text in programs())


# --- what exists, damaged


def _mutated(chance: random.Random) -> bytes:
    data = bytearray(chance.choice(_programs()))
    for _ in range(chance.choice((1, 2, 5, 20, 100))):
        at = chance.randrange(len(data) or 1)
        action = chance.randrange(4)
        if action == 0 and data:
            data[at % len(data)] = chance.randrange(256)
        elif action == 1:
            del data[at : at + chance.choice((1, 3, 40))]
        elif action == 2:
            data[at:at] = chance.choice(_WORDS + OPERATORS + INTEGERS).encode()
        else:
            data[at:at] = data[at : at + chance.choice((1, 20, 200))]
    return bytes(data)


def _truncated(chance: random.Random) -> bytes:
    data = chance.choice(_programs())
    return data[: chance.randrange(len(data))]


def _retokened(chance: random.Random) -> bytes:
    tokens = _TOKEN.findall(chance.choice(_programs()))
    others = _TOKEN.findall(chance.choice(_programs()))
    for _ in range(chance.choice((1, 3, 10, 60))):
        at = chance.randrange(len(tokens))
        action = chance.randrange(4)
        if action == 0:
            other = chance.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif action == 1:
            tokens[at] = chance.choice(others)
        elif action == 2:
            del tokens[at]
        else:
            tokens[at] = chance.choice((*INTEGERS, *THREAD, *OPERATORS)).encode()
        tokens = tokens or [b";"]
    return b"".join(tokens)


def _spliced(chance: random.Random) -> bytes:
    lines = [line for _ in range(3) for line in chance.choice(_programs()).splitlines(keepends=True)]
    start = chance.randrange(len(lines))
    part = lines[start : start + chance.randrange(200)]
    if chance.random() < 0.5:
        chance.shuffle(part)
    return chance.choice(_programs()) + b"".join(part)


# --- what is made up


def _tokens(chance: random.Random) -> str:
    words = _WORDS + OPERATORS + INTEGERS + THREAD
    return " ".join(chance.choices(words, k=chance.choice((10, 100, 1000))))


def _bytes(chance: random.Random) -> bytes:
    return chance.randbytes(chance.choice((0, 1, 100, 10_000)))


def _launches(chance: random.Random) -> str:
    def shape() -> str:
        return chance.choice(
            (
                f"dim3({', '.join(expression(chance, 1) for _ in range(chance.randrange(1, 4)))})",
                chance.choice(INTEGERS),
                expression(chance, 3),
            )
        )

    calls = "\n".join(f"k<<<{shape()}, {shape()}>>>(x, y, {shape()}, m);" for _ in range(chance.choice((1, 5, 40))))
    loop = chance.choice(("", "for (;;)", "while (n--)", "for (int i = 0; i < 1 << 30; i++)", "run(x, y, n, m);"))
    return f"{kernel('x[n * threadIdx.x] = m;')}\nvoid run(float *x, int *y, int n, int m) {{ {loop} {{ {calls} }} }}\n"


# --- what is too deep or too large


def _deep(chance: random.Random) -> str:
    depth = chance.choice((50, 300, 1000, 3000, 20_000))
    inside, outside = chance.choice(
        (
            ("x[0] = " + "(" * depth + "n" + ")" * depth + ";", ""),
            ("x[0] = " + "-" * depth + "n;", ""),
            ("x[0] = " + "- " * depth + "n;", ""),
            ("x[0] = " + " + ".join(["x[threadIdx.x]"] * depth) + ";", ""),
            ("x[0] = " + " * ".join(["(n + threadIdx.x)"] * min(depth, 400)) + ";", ""),
            ("x[y[" * depth + "0" + "]]" * depth + " = 1;", ""),
            ("{" * depth + "}" * depth, ""),
            ("if (n) " * depth + "x[0] = 1;", ""),
            ("if (n == threadIdx.x) ; else " * depth + "x[0] = 1;", ""),
            ("for (int i = 0; i < n; i++) " * min(depth, 1000) + "x[i] = 1;", ""),
            ("x[0] = " + "n ? m : " * depth + "1;", ""),
            ("x[0] = " + "f(" * depth + "n" + ")" * depth + ";", "__device__ int f(int v) { return v + 1; }"),
            ("f0(n);", "".join(f"__device__ int f{i}(int v);\n" for i in range(depth % 997 + 2)) + _chain(depth % 997)),
            ("f(n);", "__device__ int f(int v) { return f(v - 1) + f(v - 2); }"),
            ("S" + "::S" * depth + " v;", "struct S {};"),
            ("int " + "*" * depth + "p = 0; x[0] = **p;", ""),
            ("int a" + "[2]" * depth + "; a[0] = 1;", ""),
            ("[]{" * depth + "}" * depth + ";", ""),
        )
    )
    return kernel(inside, outside)


def _chain(length: int) -> str:
    return "".join(f"__device__ int f{i}(int v) {{ return f{i + 1}(v) + f{i + 1}(v); }}\n" for i in range(length + 1))


def _large(chance: random.Random) -> str:
    size = chance.choice(("1 << 20", "1 << 30", "1ull << 40", "1ull << 62", "0", "-1", "n"))
    count = chance.choice((1000, 20_000, 100_000))
    cases: tuple[tuple[str, str], ...] = (
        (f"__shared__ float t[{size}]; t[threadIdx.x] = x[0]; x[0] = t[n];", ""),
        (f"float t[{size}]; for (int i = 0; i < {size}; i++) t[i] = x[i]; x[0] = t[n];", ""),
        ("x[0] = table[threadIdx.x];", f"__constant__ int table[] = {{ {'1,' * count} }};"),
        (f"for (unsigned long long i = 0; i < ({size}); i++) x[i * n] = 1;", ""),
        ("x[threadIdx.x * 4] = 1;" * (count // 20), ""),
        ("x[threadIdx.x * 4] = 1;\n" * (count // 20), ""),
        (
            "".join(f"int v{i} = v{i - 1} * n + threadIdx.x;" if i else "int v0 = n;" for i in range(count // 20)),
            "",
        ),
        ("\n".join(f"x[{i} * threadIdx.x + n * {i}] = {i};" for i in range(count // 100)), ""),
        ("switch (n) {" + "".join(f"case {i}: x[{i}] = 1; break;" for i in range(count // 50)) + "}", ""),
        ("x[0] = 1;", "struct S { " + "".join(f"int m{i};" for i in range(count)) + " };"),
        ("x[0] = 1;", "/*" * count),
        ("x[0] = 1;", "// " + "y" * count * 10),
        ("x[0] = 1;", 'const char *s = "' + "\\x41" * count + '";'),
        ("x[" + "9" * count + "] = 1;", ""),
        (
            "",
            "".join(f"__global__ void k{i}(float *x) {{ x[{i} * threadIdx.x] = 0; }}\n" for i in range(count // 100)),
        ),
    )
    inside, outside = chance.choice(cases)
    return kernel(inside, outside)


def _macros(chance: random.Random) -> str:
    levels = chance.choice((4, 12, 18, 28, 60))
    unit = chance.choice(("x[threadIdx.x]++;", "+1", "(n)", "{", "x[n] ="))
    doubled = f"#define M0 {unit}\n" + "".join(f"#define M{i + 1} M{i} M{i}\n" for i in range(levels))
    return chance.choice(
        (
            kernel(f"M{levels}", doubled),
            kernel(f"x[0] = 1 M{levels};", doubled),
            kernel("A", "#define A B\n#define B A\n"),
            kernel("F(F(F(F)))(1)", "#define F(v) F v F\n"),
            kernel("C(1,2,3)", "#define C(...) __VA_OPT__(C2)(__VA_ARGS__) #__VA_ARGS__ ## __VA_ARGS__\n"),
            kernel("BIG", "#define BIG " + "x[threadIdx.x * 7] = 1; " * 5000 + "\n"),
            kernel(";", "#define __global__\n"),
            kernel(";", "#define threadIdx 5\n#define int float\n#define void\n#define for if\n"),
            "#if " + "(" * levels * 50 + "1" + ")" * levels * 50 + "\n" + kernel(";") + "#endif\n",
            "#if 1\n" * levels * 100 + kernel(";"),
            "#define __global__ __attribute__((global)) __attribute__((global))\n" + kernel("x[0] = 1;"),
            "".join(f"#define D{i} {i}\n" for i in range(levels * 1000)) + kernel("x[D3] = 1;"),
        )
    )


def _includes(chance: random.Random) -> Files:
    names: tuple[str, ...] = (
        MAIN,
        "other.cuh",
        "/dev/zero",
        "/dev/stdin",
        "/dev/tty",
        "/etc/passwd",
        "/proc/self/mem",
        "/",
        ".",
        "",
    )
    names += ("missing.h", "a" * 5000, "../" * 300 + "etc/passwd", "/proc/self/environ", "sub\\dir", "\x01", "vector")
    name = chance.choice(names)
    form = chance.choice(
        (
            f'#include "{name}"',
            f"#include <{name}>",
            "#include __FILE__",
            f'#define H "{name}"\n#include H',
            f'#include_next "{name}"',
            f'#import "{name}"',
            f'#if __has_include("{name}")\n#include "{name}"\n#endif',
            f'#pragma GCC dependency "{name}"',
            f'#embed "{name}"',
            f'#line 3 "{name}"',
            f'#pragma include_alias("x.h", "{name}")\n#include "x.h"',
        )
    )
    guard = chance.choice(("", "", "#pragma once\n", "#ifndef G\n#define G\n#endif\n"))
    source = kernel("x[8 * threadIdx.x] = 1;") if chance.random() < 0.7 else ""
    return {
        MAIN: f"{guard}{form}\n{source}".encode("utf-8", "surrogatepass"),
        "other.cuh": chance.choice((f'#include "{MAIN}"\n', "}\n", "__global__ void k2(int *p) {", "#if 0\n")).encode(),
    }


def _templates(chance: random.Random) -> str:
    count = chance.choice((10, 200, 2000, 100_000))
    few = count % 1500
    outside, inside = chance.choice(
        (
            ("template <int N> struct F { static const int v = F<N - 1>::v + 1; };", "x[F<5>::v] = 1;"),
            ("template <class T> struct F { typename F<F<T>>::type v; };", "F<int> f; x[0] = f.v;"),
            ("constexpr int f(int n) { int s = 0; while (n != 1) s += n; return s; }", f"x[f({count})] = 1;"),
            ("constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }", f"int a[f({count % 90})];"),
            ("template <int N> __device__ int f() { return f<N + 1>(); }", "x[f<0>()] = 1;"),
            ("template <class T, T...> struct S {};", f"__make_integer_seq<S, int, {count}> s;"),
            ("template <template <class> class T, class... U> __global__ void g(T<U>... t) { t[0] = 1; }", ";"),
            (
                (
                    "template <int N> __global__ void g(float *x) { x[N] = 1; g<N + 1><<<1, N>>>(x); }\n"
                    f"void r() {{ g<{count}><<<1, 1>>>(0); }}"
                ),
                ";",
            ),
            (
                (
                    "template <int... I> __global__ void g(float *x) { ((x[I * threadIdx.x] = I), ...); }\n"
                    f"void r() {{ g<{','.join(map(str, range(few)))}><<<1, 32>>>(0); }}"
                ),
                ";",
            ),
            (
                (
                    "template <int A, int B> __global__ void g(float *x) { x[A * B * threadIdx.x] = 1; }\n"
                    f"void r() {{ {''.join(f'g<{i}, {i % 7}><<<1, 32>>>(0);' for i in range(few))} }}"
                ),
                ";",
            ),
            (
                (
                    "template <class T> __global__ void g(T t) { t(t); }\n"
                    "void r() { g<<<1, 1>>>([](auto self) { self(self); }); }"
                ),
                ";",
            ),
        )
    )
    return kernel(inside, outside)


def _encodings(chance: random.Random) -> bytes:
    data = chance.choice(_programs())
    text = data.decode()
    return chance.choice(
        (
            lambda: text.encode("utf-16"),
            lambda: text.encode("utf-32"),
            lambda: b"\xef\xbb\xbf" + data,
            lambda: data.replace(b"\n", b"\r"),
            lambda: data.replace(b"\n", b"\r\n"),
            lambda: data.replace(b"\n", b"\\\n"),
            lambda: data.replace(b"a", "\u00e4".encode("latin-1")),
            lambda: data.replace(b"i", "\U0001d4be".encode()),
            lambda: data.replace(b" ", "\u00a0".encode()),
            lambda: data.replace(b"in", b"\\u0069n"),
            lambda: data.replace(b"x", b"x\x00", 3),
            lambda: data.replace(b"{", b"??<").replace(b"[", b"<:"),
            lambda: data.replace(b" ", b"\x0c\x0b\x1a"),
            lambda: data.replace(b"//", "// \u202e\u2066".encode()),
            lambda: b" " * 1_000_000 + data,
            lambda: data.replace(b"\n", b" "),
            lambda: data + b"\xff\xfe\xc0\x80\xed\xa0\x80",
        )
    )()


def _effects(chance: random.Random) -> str:
    """What might do something beside being read. The pipe tells: who opens it hangs."""
    debug = "dump macro_dump parser_crash assert handle_crash captured diag_mapping llvm_fatal_error".split()
    return (
        chance.choice(
            (
                f'asm(".incbin \\"{PIPE}\\"");',
                f'__asm__(".include \\"{PIPE}\\"");',
                f'#embed "{PIPE}"',
                f'#pragma GCC dependency "{PIPE}"',
                f'#pragma comment(lib, "{PIPE}")',
                f"#pragma clang module import {PIPE}",
                f"#pragma clang module load {PIPE}",
                f'#pragma omp declare variant\n#pragma GCC pch_preprocess "{PIPE}"',
                f'#line 1 "{PIPE}"',
                f'# 1 "{PIPE}" 1 3 4',
                f'_Pragma("GCC dependency \\"{PIPE}\\"")',
                f"import <{PIPE}>;",
                f'__attribute__((annotate("{PIPE}"))) int v;',
                f"#pragma clang __debug {chance.choice(debug)}",
                '#pragma push_macro("x")\n' * 1000,
                "#pragma clang attribute push(__attribute__((noinline)), apply_to = function)",
                "#pragma clang system_header\n#pragma GCC poison threadIdx\n#pragma once",
                "#error stop\n#warning on",
                '#pragma clang diagnostic fatal "-Weverything"',
            )
        )
        + "\n"
        + kernel("x[8 * threadIdx.x] = 1;")
    )


_GENERATORS: tuple[Generator, ...] = (
    *(*NEAR, *NEAR, *NEAR, *NEAR),
    *(_mutated, _truncated, _retokened, _spliced, _mutated, _retokened, _tokens, _bytes, arithmetic, arithmetic),
    *(arithmetic, _launches, _deep, _large, _macros, _includes, _templates, _encodings, _effects),
)
