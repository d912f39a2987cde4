"""What expressions read like where a macro makes the whole kernel, so that the source has no text for them."""

from __future__ import annotations

from project import Project

TEXTS = {
    "out[8 * (i + n)] = 0": "out[8 * (i + n)]",
    "out[8 * i - (n - i)] = 0": "out[8 * i - (n - i)]",
    "*(out + 8 * i) = 0": "*(out + 8 * i)",
    "out[threadIdx.x * 8] = 0": "out[threadIdx.x * 8]",
    "out[16 * (int)(long)i] = 0": "out[16 * i]",
    "out[-(-8 * i)] = 0": "out[-(-8 * i)]",
    "out[min(i, n) * 8] = 0": "out[min(i, n) * 8]",
    "(out + 1)[i > 4 ? 8 * i : 8 * i + 64] = 0": "(out + 1)[i > 4 ? 8 * i : 8 * i + 64]",
    "out[i] = in[8 * i].second": "in[8 * i].second",
}

MACRO = """\
#define KERNEL_{number}(name) \\
    __global__ void name(float *out, const two *in, int n) {{ \\
        int i = blockIdx.x * blockDim.x + threadIdx.x; \\
        {access}; \\
    }}
KERNEL_{number}(k{number})
"""


def test_accesses_in_macros_read_like_code(project: Project) -> None:
    kernels = [MACRO.format(number=number, access=access) for number, access in enumerate(TEXTS)]
    launches = " ".join(f"k{number}<<<n, 256>>>(a, b, n);" for number in range(len(TEXTS)))
    run = f"void run(float *a, two *b, int n) {{ {launches} }}\n"
    project.put("k.cu", "".join(("struct two { float first, second; };\n", *kernels, run)))
    report = project.lint("k.cu", "--show-info").report["diagnostics"]
    found = {access["expression"] for one in report for access in one["accesses"]}
    assert found == set(TEXTS.values())
