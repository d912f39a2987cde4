"""Which variables a text leaves alone, against the expressions that say so in one piece."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coalint.frontend.cuda.lowering.constant_globals import is_left_alone

CHANGEABLE = re.compile(r"^(?!.*\bconst\b).*[\w>]\s*&\s*\w*\s*$", re.S)


def is_left_alone_by_expressions(name: str, text: str) -> bool:
    word = rf"\b{name}\b"
    part = r"(?:\s*\.\s*\w+|\s*\[[^\]]*\])*\s*"
    if re.search(rf"{word}{part}(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)|(?:&|\+\+|--|>>)\s*{word}", text):
        return False
    if not re.search(rf"[(,]\s*{name}\s*[,)]", text):
        return True
    calls = rf"\b(\w+)\s*\((?:[^;{{}}()]|\([^;{{}}()]*\))*\b{name}\s*[,)]"
    for called in {match.group(1) for match in re.finditer(calls, text)}:
        for parameters in re.finditer(rf"\b{called}\s*\(([^;{{}}()]*)\)", text):
            if any(CHANGEABLE.search(parameter) for parameter in parameters.group(1).split(",")):
                return False
    return True


pieces = st.sampled_from(
    "n nn n2 m f( g( ( ) ; { } , & = == += ++ -- >> << . [ ] [0] int int& const\\ int& void\\ f(int&x) \\n 3".split(" ")
)


@given(st.lists(pieces, max_size=14), st.sampled_from(["", " "]))
def test_the_uses_of_a_name_are_judged_as_by_one_expression(words: list[str], between: str) -> None:
    text = between.join(word.replace("\\n", "\n").replace("\\", "") for word in words)
    assert is_left_alone("n", text) == is_left_alone_by_expressions("n", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int main() { return n + nn; }", True),
        ("nn = 3; n2++;", True),
        ("n = 3;", False),
        ("n.x[2] += 1;", False),
        ("if (n == 3) f(m);", True),
        ('scanf("%d", & n);', False),
        ("std::cin >>n;", False),
        ("void f(int &x); f(m, n);", False),
        ("void f(const int &x); f(m, n);", True),
        ("void f(int &x); g(n);", True),
    ],
)
def test_what_changes_a_variable(text: str, expected: bool) -> None:
    assert is_left_alone("n", text) is expected
