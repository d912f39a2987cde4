"""Patterns of ignore files: as git means them, and in bounded time whatever they are."""

from __future__ import annotations

import re
import warnings

import pytest
from amounts import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from coalint.engine.units.ignore_patterns import HARMLESS, MOST, atomic, ignore_patterns

# No `[!a]`: pathspec lets it match a slash, which git does not.
WORDS = st.sampled_from(["*", "**", "a", "b", "ab", "?", "[ab]", "\\*", ".", "/"])
PATTERNS = st.lists(WORDS, min_size=1, max_size=14).map("".join)
NAMES = st.lists(st.sampled_from(["a", "b", "ab", "*", "."]), min_size=1, max_size=6).map("".join)
PATHS = st.lists(NAMES, min_size=1, max_size=6).map("/".join)


@pytest.mark.slow
@example(pattern="***/**", paths=["a", "a/b"])
@settings(max_examples=examples(600), deadline=None)
@given(pattern=PATTERNS, paths=st.lists(PATHS, min_size=1, max_size=8))
def test_atomic_groups_change_no_match(pattern: str, paths: list[str]) -> None:
    try:
        (one,) = GitIgnoreSpec.from_lines([pattern]).patterns
    except ValueError:  # git itself takes it for no pattern
        return
    if one.regex is None:
        return
    text = atomic(one.regex.pattern)
    if text is None:  # of a form that is used for harmless patterns alone
        assert one.regex.pattern.count("*") + one.regex.pattern.count("+") <= HARMLESS, one.regex.pattern
        return
    for path in paths:
        ours, theirs = re.match(text, path), re.match(one.regex, path)
        assert (ours is None) == (theirs is None), (pattern, path)


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 12 + "*b",
        "?*" * 40 + "b",
        "[ab]*" * 40 + "c",
        "/".join(["**/a"] * 40) + "/b",
        "**/*a*a*a*a*a*a*a*b/**/*a*a*a*a*a*b/**/c",
        "*" * 5000 + "b",
        "a**" * 500 + "b",
    ],
)
def test_a_hostile_pattern_ends(pattern: str) -> None:
    """Each would take longer than any test may run if stars were tried in all ways."""
    spec = ignore_patterns([pattern, "*.cu"]).spec
    assert not spec.match_file("/".join(["a" * 200, *"a" * 60]))
    assert spec.match_file("x/y.cu")


def test_ordinary_patterns_stay_as_the_library_makes_them() -> None:
    lines = ["*.cu", "build/", "!keep.cu", "# words", "**/generated/*.cuh"]
    own, plain = ignore_patterns(lines).spec, GitIgnoreSpec.from_lines(lines)
    assert [p.regex for p in own.patterns] == [p.regex for p in plain.patterns]
    assert HARMLESS == 2


@pytest.mark.parametrize("line", ["!", "[z-a]", "\\", "a\\", "[a-\\]", "[\\d-a]"])
def test_what_is_no_pattern_matches_nothing_as_in_git_and_is_said(line: str) -> None:
    found = ignore_patterns(["*.x", line, line, "*.cu"])
    assert found.spec.match_file("a/z.cu")
    assert not found.spec.match_file("a/z")
    assert found.problems == (f"line 2 (and 1 more): `{line}` is not a pattern, and matches nothing",)


@pytest.mark.slow
def test_lines_beyond_the_bound_are_counted() -> None:
    found = ignore_patterns([f"f{number}" for number in range(MOST + 1)])
    assert found.problems == (f"{MOST + 1} lines, of which the first {MOST} are applied",)
    assert not found.spec.match_file(f"f{MOST}")


def test_a_bracket_in_brackets_warns_nobody() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ignore_patterns(["[[x]]"]).problems == ()
