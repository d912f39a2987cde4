"""How bad the findings of a small kernel are, line by line."""

from __future__ import annotations

from project import Project

HEAD = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def severities(project: Project, text: str) -> dict[int, str]:
    """The worst severity of the findings at each line of a file with this text."""
    project.put("k.cu", text)
    diagnostics = project.lint("k.cu").report["diagnostics"]
    places = sorted(
        (at["severity"] == "warning", at["line"], at["severity"]) for d in diagnostics for at in d["places"]
    )
    return {line: severity for _, line, severity in places}


def kernel(body: str, block: str = "256") -> str:
    return f"""\
__global__ void k(float *out, const float *in, int n, int pitch) {{
    {HEAD}
    {body}
}}
void run(float *x, int n, int pitch) {{ k<<<4, {block}>>>(x, x, n, pitch); }}
"""
