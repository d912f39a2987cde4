"""Kernels of hostile expressions and statements, made by chance."""

from __future__ import annotations

import random

INTEGERS = "0 1 -1 2 3 7 31 32 33 1023 4096 0x7fffffff 0x80000000 0xffffffff 1ull<<40 -9223372036854775807LL-1".split()
INTEGERS += ["1<<200", "0xFFFFFFFFFFFFFFFFFFFF", "1/0", "5%0", "1>>-1", "'a'", "1e9", "sizeof(int[1<<20])", "08"]
THREAD = "threadIdx.x threadIdx.y threadIdx.z blockIdx.x blockDim.x gridDim.x n m warpSize".split()
OPERATORS = "+ - * / % & | ^ << >> < > <= == != && || , = += -= *= /= %= <<= >>= ^= ? : -> . ++ -- ~ !".split()


def kernel(body: str, before: str = "") -> str:
    """Return a file with one kernel of this body, what stands before it, and its launch."""
    return (
        f"{before}\n__global__ void k(float *x, const int *y, int n, int m) {{\n{body}\n}}\n"
        "void run(float *x, int *y) { k<<<dim3(4, 2), dim3(32, 8)>>>(x, y, 100, 7); }\n"
    )


def expression(chance: random.Random, depth: int) -> str:
    """Return an expression of so many levels at most."""
    if depth == 0 or chance.random() < 0.1:
        return chance.choice(THREAD + INTEGERS + ["y[n]", "x[0]", "t", "*y", "(int)x[m]"])
    left, right = expression(chance, depth - 1), expression(chance, depth - 1)
    shape = chance.randrange(8)
    if shape == 0:
        return f"({left} ? {right} : {expression(chance, depth - 1)})"
    if shape == 1:
        kind = chance.choice("int unsigned float char short size_t bool long* float4*".split())
        return f"({kind})({left})"
    if shape == 2:
        return f"{chance.choice('min max __ldg atomicAdd __shfl_sync abs f'.split())}({left}, {right})"
    return f"({left} {chance.choice(OPERATORS[:12])} {right})"


def statement(chance: random.Random, depth: int) -> str:
    """Return a statement of so many levels at most."""
    value = expression(chance, 3)
    shape = chance.randrange(9) if depth else 0
    inner = statement(chance, depth - 1) if depth else ";"
    if shape in (1, 2):
        step = chance.choice("i++ i-- i+=32 i*=2 i+=0 i>>=1 i=y[i] i+=blockDim.x".split())
        return f"for (int i = {expression(chance, 1)}; i < {value}; {step}) {{ {inner} x[i] = {value}; }}"
    if shape == 3:
        return f"if ({value}) {{ {inner} }} else {statement(chance, depth - 1)}"
    if shape == 4:
        return f"while ({value}) {{ {inner} {chance.choice(['t++;', 'break;', 'continue;', 'return;', ''])} }}"
    if shape == 5:
        return f"switch ({value}) {{ case 0: {inner} case {chance.randrange(9)}: break; default: t = {value}; }}"
    if shape == 6:
        return f"{{ __shared__ float s[{expression(chance, 1)}][33]; s[{value}][threadIdx.x] = 1; {inner} }}"
    if shape == 7:
        return f"{chance.choice(['__syncthreads();', 't = __shfl_sync(n, t, m);', 'goto end;', 'x += n;'])} {inner}"
    return f"x[{value}] = {expression(chance, 2)}; t = {expression(chance, 2)};"


def arithmetic(chance: random.Random) -> str:
    """Return a kernel of statements, at times with an assumption about it."""
    body = "int t = 0;\n" + "\n".join(statement(chance, 3) for _ in range(chance.choice((1, 4, 12))))
    relation = f"{expression(chance, 1)} {chance.choice(('==', '%', '<', '&&'))} {chance.choice(INTEGERS)}"
    assumed = f"// coalint: assume({relation})"
    return kernel(body, assumed if chance.random() < 0.3 else "")
