"""Inline PTX that a macro's body has, or that the use of a macro gives it."""

from __future__ import annotations

import pytest
from project import Project

LOAD = 'asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(in + 2 * i))'
HINTED, PLAIN = '"ld.global.L2::128B.u32 %0, [%1];"', '"ld.global.u32 %0, [%1];"'
OPERANDS = ': "=r"(v) : "l"(in + 2 * i)'
MORE = 'asm("add.u32 %0, %0, 1;" : "+r"(v))'


@pytest.mark.parametrize(
    ("before", "statement"),
    [
        ("", f"{LOAD};"),
        (f"#define BODY {LOAD}", "BODY;"),
        ("#define GIVEN(statement) { statement; }", f"GIVEN({LOAD})"),
        ("#define GIVEN(statement) { statement; }\n#define PASSED(all) GIVEN(all)", f"PASSED({LOAD})"),
        ('#define OP "ld.global.nc.u32"', 'asm volatile(OP " %0, [%1];" : "=r"(v) : "l"(in + 2 * i));'),
        ("", f"asm volatile(\n#if __CUDACC_VER_MAJOR__ > 10\n{HINTED}\n#else\n{PLAIN}\n#endif\n{OPERANDS});"),
        ("", f"asm volatile(\n#if __CUDACC_VER_MAJOR__ < 10\n{HINTED}\n#else\n{PLAIN}\n#endif\n{OPERANDS});"),
    ],
)
def test_what_inline_ptx_loads_is_counted(project: Project, before: str, statement: str) -> None:
    project.put(
        "k.cu",
        f"""\
{before}
__global__ void k(unsigned *out, const unsigned *in) {{
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned v = 0;
    {statement}
    out[i] = v;
}}
void run(unsigned *x) {{ k<<<4, 256>>>(x, x); }}
""",
    )
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert (finding["code"], finding["cost"]["count"]) == ("COA101", 8)


@pytest.mark.parametrize(
    ("comment", "end"), [(b"gr\xfc\xdfe", b"\n"), ("gr\u00fc\u00dfe".encode(), b"\n"), (b"two", b"\r\n")]
)
def test_what_inline_ptx_loads_in_a_header_is_counted_whatever_its_bytes(
    project: Project, comment: bytes, end: bytes
) -> None:
    header = f"__device__ unsigned loaded(const unsigned *in, int i) {{ unsigned v;\n {LOAD};\n {MORE}; return v; }}\n"
    project.put("h.h", (b"// " + comment + b"\n" + header.encode()).replace(b"\n", end))
    project.put(
        "k.cu",
        """\
#include "h.h"
__global__ void k(unsigned *out, const unsigned *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = loaded(in, i);
}
void run(unsigned *x) { k<<<4, 256>>>(x, x); }
""",
    )
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert (finding["code"], finding["cost"]["count"]) == ("COA101", 8)


def test_what_a_macro_makes_of_functions_is_read(project: Project) -> None:
    project.put(
        "k.cu",
        """\
template <class To, class From> struct Convert;
#define CONVERSION(To, From, statement) \\
    template <> struct Convert<To, From> { \\
        static __device__ To made(From u) { unsigned out = 0; statement; return out; } \\
    };
CONVERSION(unsigned char, float, asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(out) : "f"(u)))
__global__ void k(unsigned char *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = Convert<unsigned char, float>::made(in[i]);
}
void run(unsigned char *x, float *y) { k<<<4, 256>>>(x, y); }
""",
    )
    assert project.lint("k.cu").report["diagnostics"] == []


NESTED = """\
#define ADD(x) asm("add.u32 %0, %0, 1;" : "+r"(x));
#define READ(x, p) asm volatile("ld.global." TYPE " %0, [%1];" : "=r"(x) : "l"(p));
#define TYPE "u32"
#define ALL(x, p) { READ(x, p) ADD(x) asm("mov.u32 %0, %0;" : "+r"(x)); }
#define AGAIN(x, p) ALL(x, p)
template <class T> __device__ T read(const T *p) { T v; ALL(v, p); return v; }
__global__ void k(unsigned *out, const unsigned *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned v = 0;
    BODY
    out[i] = v;
}
void run(unsigned *x) { k<<<4, 256>>>(x, x); }
"""


@pytest.mark.parametrize(
    "body",
    [
        "ALL(v, in + 2 * i)",
        "AGAIN(v, in + 2 * i)",
        "v = read(in + 2 * i);",
        "auto from = [&](const unsigned *p) { unsigned w; AGAIN(w, p) return w; }; v = from(in + 2 * i);",
    ],
)
def test_what_macros_in_macros_load_is_counted(project: Project, body: str) -> None:
    project.put("k.cu", NESTED.replace("BODY", body))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert (finding["code"], finding["cost"]["count"]) == ("COA101", 8)
