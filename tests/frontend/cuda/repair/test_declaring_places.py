"""Places of a name that may declare it, and those that only use it."""

from __future__ import annotations

import re

import pytest

from coalint.frontend.cuda.repair.declaring_places import may_declare


def declares(text: str) -> bool:
    found = re.search(r"\bname\b", text)
    assert found is not None
    return may_declare(text, *found.span())


@pytest.mark.parametrize(
    "text",
    [
        "#define name 3",
        "#  define name(x) (x)",
        "int name;",
        "T *name(int);",
        "static const char *name[] = {};",
        "std::vector<int> name{3};",
        "struct name { int x; };",
        "class name;",
        "template <class T> struct name<T *> {};",
        "enum class name : int { A };",
        "namespace name { int x; }",
        "using name = int;",
        "typedef struct { int x; } name;",
        "typedef struct s { int x; } name, *other;",
        "enum Mode { name, OTHER };",
        "enum Mode { FIRST = 1, name };",
        "enum Mode\n{\n  FIRST,\n  name = 4,\n};",
        "__device__ inline float\nname(float x) { return x; }",
        "bool operator==(T x); auto name() -> int;",
        "void f(int name) {}",
    ],
)
def test_a_declaration(text: str) -> None:
    assert declares(text)


@pytest.mark.parametrize(
    "text",
    [
        "void f() { name(1); }",
        "void f() {\n  name(1, 2);\n}",
        "x = name(1);",
        "return name;",
        "return name(1);",
        "f(1, name, 2);",
        "f(name);",
        "const name &x = y;",
        "name x;",
        "name *x;",
        "a::name(1);",
        "int x[] = {1, name, 3};",
        "case name: break;",
        "template <name N> void f();",
        "#if defined(name)",
        "#ifdef name",
        "if (name) {}",
        "x.name = 3;",
        "name",
        "struct name *next_of(int);",
    ],
)
def test_a_use(text: str) -> None:
    assert not declares(text)
