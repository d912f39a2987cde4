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
    file.write_text("int n_{3}, m{n_}, a[1][1] = {{3}};\nint x = ;\n")
    (problem,) = load(str(file), (), shared_headers()).problems
    assert problem.severe
    assert problem.message.startswith("expected expression")
