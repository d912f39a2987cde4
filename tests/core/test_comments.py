"""The comments of C++ source, and what they say to coalint."""

from __future__ import annotations

from pathlib import Path

import pytest
from clang.cindex import Index, TokenKind

from coalint.core.source.comments import SLASHES, Directive, Word, _syntax, line_kinds, read_comments

ROOT = Path(__file__).resolve().parents[2]


def one(text: str) -> Directive:
    (directive,) = read_comments(text).directives
    return directive


def names(directive: Directive) -> list[str] | None:
    return None if directive.names is None else [name for name, _ in directive.names]


@pytest.mark.parametrize(
    ("text", "word", "listed", "said"),
    [
        ("// coalint: ignore", Word.IGNORE, None, ""),
        ("//coalint:ignore[COA101]", Word.IGNORE, ["COA101"], ""),
        ("/* coalint: ignore[a, b ,c] why not */", Word.IGNORE, ["a", "b", "c"], "why not"),
        ("// a loop // coalint: ignore[x] because", Word.IGNORE, ["x"], "because"),
        ("/// coalint: ignore because", Word.IGNORE, None, "because"),
        ("/** coalint: ignore[x]\n */", Word.IGNORE, ["x"], ""),
        ("// coalint: ignore-file[x]", Word.IGNORE_FILE, ["x"], ""),
        ("// coalint: disable", Word.DISABLE, None, ""),
        ("// coalint: enable[x,]", Word.ENABLE, ["x"], ""),
        ("// coalint: assume(f(n) == (1))", Word.ASSUME, None, "f(n) == (1)"),
        ("/* coalint: assume(blockDim.x == 64) */", Word.ASSUME, None, "blockDim.x == 64"),
        ("// coalint: ignore[x] a\\\n b", Word.IGNORE, ["x"], "a\\\n b"),
    ],
)
def test_directives_are_read(text: str, word: Word, listed: list[str] | None, said: str) -> None:
    found = one(text)
    assert (found.word, names(found), found.text, found.error) == (word, listed, said, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("// coalint: ignroe[x]", "unknown directive `ignroe`; did you mean `ignore`?"),
        ("// coalint: [x]", "it is one of assume, ignore, ignore-file, disable, enable"),
        ("// coalint: ignore[x", "has no closing bracket"),
        ("// coalint: ignore(x)", "rules must be in brackets, as in ignore[COA101]"),
        ("// coalint: ignore[ , ]", "the brackets name no rule"),
        ("// coalint: assume blockDim.x == 4", "an assumption must be in parentheses"),
    ],
)
def test_malformed_directives_say_what_is_wrong(text: str, said: str) -> None:
    assert said in one(text).error


@pytest.mark.parametrize(
    "text",
    [
        'char *s = "// coalint: ignore";',
        'char *s = "a\\" // coalint: ignore";',
        'char *s = R"x(\n// coalint: ignore\n)" )x";',
        "char c = '\"'; char *s = \"// coalint: ignore\"; char d = '\"';",
        'auto s = u8R"(/* coalint: ignore */)";',
        "// nothing for coalint: ignore",
        "/* see coalint: ignore */",
        "int coalint; // note",
    ],
)
def test_strings_and_prose_hold_no_directives(text: str) -> None:
    assert read_comments(text).directives == ()


@pytest.mark.parametrize(
    "text",
    [
        "int n = 1'000'000; // coalint: ignore",
        'int R = 1; auto s = L"\'"; // coalint: ignore',
        "#error can't\n// coalint: ignore",
        'int fooR = 0; f(fooR"(" ")"); // coalint: ignore',
        "char c = '\\''; // coalint: ignore",
        "/* ' */ // coalint: ignore",
        "x = a / b; /**/ // coalint: ignore",
    ],
)
def test_what_looks_like_a_string_hides_no_directive(text: str) -> None:
    assert one(text).word is Word.IGNORE


@pytest.mark.slow
def test_comments_are_those_that_libclang_sees() -> None:
    sources = [
        *sorted((ROOT / "fixtures").glob("*/*.cu"))[::4],
        *sorted((ROOT / "src/coalint/frontend/cuda/headers").glob("*.h"))[::6],
    ]
    compared = 0
    for path in sources:
        text = path.read_text()
        unit = Index.create().parse(str(path), args=["-xc++", "-std=c++17", "-nostdinc"])
        theirs = [
            token.extent.start.offset
            for token in unit.get_tokens(extent=unit.cursor.extent)
            if token.kind is TokenKind.COMMENT
        ]
        ours = [
            len(text[: m.start()].encode())
            for m in _syntax(SLASHES).tokens.finditer(text)
            if m.lastgroup in ("line", "block")
        ]
        assert ours == theirs, path
        compared += len(ours)
    assert compared > 200


STATEMENTS = """\
// here
a[i] =
    b[i];
// here
for (int i = 0;
     i < n; i++) {
    c();
}
// here
#pragma unroll
// another
auto f = g({1, 2},
           3);
// here
int t[] = {
    1, 2 };
// here
if (x)
    y = 1;
{
    // here
}
// here
"""


def test_the_statement_behind_a_comment_is_found() -> None:
    commented = read_comments(STATEMENTS)
    offsets = [at for at in range(len(STATEMENTS)) if STATEMENTS.startswith("// here", at)]
    found = [commented.statement(at) for at in offsets]
    assert found == [(2, 3), (5, 6), (12, 13), (15, 16), (18, 19), None, None]


def test_lines_between_conditions_are_told_and_an_include_guard_is_none() -> None:
    text = "#ifndef H\n#define H\na\n#if X\nb\n#else\nc\n#endif\nd\n#endif // coalint: ignore\n"
    assert read_comments(text).conditional == frozenset({4, 5, 6, 7, 8})


def test_lines_that_cannot_take_a_comment_are_told() -> None:
    text = '#define A \\\n  1\nx = R"(\n)"; /* a\n*/ y;\n// coalint: assume(n == 1)\nz;\n'
    kinds = line_kinds(text)
    assert kinds.open_ends == frozenset({1, 3, 4, 6})
    assert kinds.inside == frozenset({2, 4, 5})
