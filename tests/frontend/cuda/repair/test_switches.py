"""Macros that names ask for, each by itself, in one reading of the sources."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from compiled_analysis import replaces_what_is_compiled

from coalint.frontend.cuda.repair import directives, switches
from coalint.frontend.cuda.repair.switches import switches_of_each_name, switches_of_names

TEXTS = (
    "#ifdef WITH_A\nint first;\n#endif\n#ifdef WITH_B\nint second; int first2;\n#endif\n",
    "#ifdef WITH_C\nint first;\n#endif\nint second;\n",
    "#if defined(WITH_C) && WITH_D\nint first; // second\n#else\nint third;\n#endif\n",
    "int first, fourth;\n",
    "#ifdef USE_HIP\nint fourth;\n#endif\n",
    "#ifdef WITH_B\nint second;\n#endif\n",
)
NAMES = ("first", "second", "third", "fourth", "fifth", "operator+", "", "first2", "fir")


@pytest.mark.parametrize("is_hip", [False, True])
def test_each_name_asks_for_what_it_does_alone(is_hip: bool) -> None:
    each = switches_of_each_name(NAMES, TEXTS, is_hip=is_hip)
    for name in filter(None, NAMES):
        assert each.get(name, ()) == switches_of_names({name}, TEXTS, is_hip=is_hip), name
    assert each["first"] == ("WITH_A", "WITH_C", "WITH_D")
    assert ("fifth" in each) is False


@replaces_what_is_compiled
def test_each_source_is_read_once_for_all_names(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    words = directives.words

    def counted(text: str) -> frozenset[str]:
        read.append(text)
        return words(text)

    def texts() -> Iterator[str]:
        yield from TEXTS

    monkeypatch.setattr(switches, "words", counted)
    switches_of_each_name(NAMES, texts())
    assert read == [text for text in TEXTS if "#" in text]


def test_a_header_is_asked_for_once_however_many_sources_include_it() -> None:
    asked: list[str] = []

    def library(include: str) -> str:
        asked.append(include)
        return "int first;"

    texts = [f'#ifdef WITH_{n}\n#include "first.h"\n#include <other.h>\n#endif\n' for n in "AB"]
    assert switches_of_names({"first"}, texts, library) == ("WITH_A", "WITH_B")
    assert asked == ["first.h", "other.h"]
