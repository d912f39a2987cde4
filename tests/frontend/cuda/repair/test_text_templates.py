"""Texts that a program fills in before they are compiled: known as templates, and no errors of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.frontend.cuda.load import load


@pytest.mark.parametrize("name", ["{name}_mod", "${name}", "@NAME@"])
def test_a_template_of_a_text_is_said_to_be_one(name: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"int {name} = 0;\nvoid load_{name}(void) {{\n}}\n")
    problems = load(str(file), (), shared_headers()).problems
    (template,) = [p for p in problems if p.message.startswith("the text is a template")]
    assert template.message.startswith(f"the text is a template, {name.removesuffix('_mod')} stands for what is put in")
    assert not any(problem.severe for problem in problems)


@pytest.mark.parametrize(
    "line", ["{# USES { N } #}", "{#", "{#- what follows", "{{ common.headers() }}", "int {{name}} = 0;"]
)
def test_comments_and_values_of_jinja_are_a_template(line: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{line}\nvoid f(void) {{\n}}\n")
    problems = load(str(file), (), shared_headers()).problems
    assert any(problem.message.startswith("the text is a template") for problem in problems)
    assert not any(problem.severe for problem in problems)


def test_a_value_in_braces_makes_no_template(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("int n_{3}, m{n_}, a[1][1] = {{3}};\nint x = ;\n__global__ void k(int *p) { p[0] = 0; }\n")
    (problem,) = load(str(file), (), shared_headers()).problems
    assert problem.severe
    assert problem.message.startswith("expected expression")


@pytest.mark.parametrize(
    ("rest", "severe"),
    [
        ("", False),
        ("__device__ int twice(int x) { return 2 * x; }\n", False),
        ("__global__ void k(int *p) { p[threadIdx.x] = 0; }\n", True),
        ("__global__ void k(int *p);\nvoid run(int *p) { k<<<1, 32>>>(p); }\n", True),
        ("MY_KERNEL(k) { }\n", True),
    ],
)
def test_text_that_is_no_code_is_severe_where_kernels_are(rest: str, severe: bool, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"template <class T> struct S {{ typedef typename T T; }};\n{rest}")
    problems = load(str(file), (), shared_headers()).problems
    assert problems[0].severe == severe
    assert problems[0].message.startswith("expected a qualified name")
