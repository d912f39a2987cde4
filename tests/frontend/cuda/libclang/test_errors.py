"""Errors are read as `clang.cindex` has them, each place once."""

from __future__ import annotations

import pytest
from clang.cindex import Diagnostic, TranslationUnit, conf

from coalint.frontend.cuda.libclang import diagnostics as read
from coalint.frontend.cuda.libclang.errors import errors
from coalint.frontend.cuda.libclang.parse import parse

SOURCE = """
#define TWICE(x) ((x) + missing(x))
template <typename T> struct Row { typename T::row at; typename T::column next; };
template <typename T> __device__ T twice(T value) { return value.ünknown() + unknown; }
void few(int); void few(int, int);
__global__ void k(float *a) {
    Row<float> row;
    a[0] = twice(a[0]) + TWICE(a[1]) + twice(1);
    few();
}
int broken( = 1;
"""


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> TranslationUnit:
    path = tmp_path_factory.mktemp("source") / "k.cu"
    path.write_text(SOURCE)
    return parse(str(path))


def test_text_place_and_notes_are_those_of_cindex(unit: TranslationUnit) -> None:
    theirs = [diagnostic for diagnostic in unit.diagnostics if diagnostic.severity >= Diagnostic.Error]
    ours = errors(unit)
    assert len(theirs) == len(ours) > 5
    for slow, quick in zip(theirs, ours, strict=True):
        assert quick.spelling == slow.spelling
        assert quick.grammar == (slow.category_name == "Parse Issue" and not slow.spelling.startswith("expected '('"))
        places = [(slow, quick.location), *zip(slow.children, quick.notes, strict=False)]
        for diagnostic, place in places:
            location = diagnostic.location  # of what a macro spells it is the use, in libclang 18
            assert place.file is not None
            assert (place.file.name, place.line) == (location.file.name, location.line)
            assert (place.column, place.offset) == (location.column, location.offset)
        inside = any(note.spelling.startswith("in instantiation of") for note in slow.children)
        assert quick.instance == (inside and slow.spelling.startswith("use of undeclared"))


def test_errors_in_one_instance_share_the_places_of_their_notes(unit: TranslationUnit) -> None:
    notes = [place for error in errors(unit) for place in error.notes]
    assert len({id(place) for place in notes}) == len(set(notes)) < len(notes)


def test_diagnostics_of_cindex_stay_as_they_are(unit: TranslationUnit) -> None:
    assert read.diagnostics() is read.diagnostics()
    assert conf.lib.clang_getDiagnosticSpelling.argtypes == [Diagnostic]
    assert conf.lib.clang_getDiagnosticInSet.restype is not None
