"""What a compiled build makes of records behaves as `record` does; it runs here without being compiled."""

from __future__ import annotations

import ast
import copy
import pickle
import re
import sys
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from checkout import ROOT
from record_methods import UnknownRecordError, records, written
from sources import COMPILED, PLAIN, PROTOCOLS, rewrite, with_classes, with_numbers

HEAD = '''"""Records."""

from __future__ import annotations

from dataclasses import field

from coalint.core.records import record

'''
SHAPES = (
    HEAD
    + '''
@record(frozen=True, slots=True)
class Point:
    """A place."""

    x: int
    y: int = 2
    label: str = field(default="", compare=False)
    tags: tuple[str, ...] = field(default=(), hash=False)

    def moved(self, by: int) -> Point:
        """Return a place further on."""
        return Point(self.x + by, self.y)


@record(frozen=True, slots=True)
class Point3(Point):
    """A place in space."""

    z: float | None = None


@record(slots=True)
class Bag:
    """What can be changed."""

    items: list[int] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=lambda: {"one": 1})
    count: int = field(init=False)

    def __post_init__(self) -> None:
        self.count = len(self.items)


@record(frozen=True, slots=True, eq=False)
class Node:
    """What is only equal to itself."""

    operand: object


@record(frozen=True, slots=True, order=True)
class Version:
    """What has an order."""

    major: int
    minor: int = 0


@record(frozen=True, slots=True)
class Size:
    """A number with a fraction."""

    value: float
'''
)


def module(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    made = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, made)
    exec(compile(text, name, "exec"), vars(made))
    return made


@pytest.fixture(params=["record", "written"])
def shapes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    text = SHAPES
    if request.param == "written":
        own = list(records("shapes.py", ast.parse(SHAPES)))
        text = written(SHAPES, own, {each.node.name: each for each in own})
        assert "@record" not in text
    return module("shapes", text, monkeypatch)


def test_a_record_is_made_and_written(shapes: Any) -> None:
    assert repr(shapes.Point(1)) == "Point(x=1, y=2, label='', tags=())"
    assert repr(shapes.Point3(1, z=0.5)) == "Point3(x=1, y=2, label='', tags=(), z=0.5)"
    assert repr(shapes.Bag([4, 5])) == "Bag(items=[4, 5], sizes={'one': 1}, count=2)"
    assert shapes.Point(1).moved(2) == shapes.Point(3)
    assert shapes.Bag().items is not shapes.Bag().items


def test_a_record_is_compared_as_its_options_say(shapes: Any) -> None:
    assert shapes.Point(1, 2, "a") == shapes.Point(1, 2, "b")
    assert shapes.Point(1) != shapes.Point(2)
    assert shapes.Point(1) != shapes.Point3(1)
    assert shapes.Point(1) != (1, 2, "", ())
    assert shapes.Bag([1]) == shapes.Bag([1])
    assert shapes.Bag([1]) != shapes.Bag([2])
    nan = float("nan")
    assert shapes.Size(nan) == shapes.Size(nan) != shapes.Size(float("nan"))
    node = shapes.Node(1)
    assert node == node
    assert node != shapes.Node(1)
    assert sorted([shapes.Version(2), shapes.Version(1, 5), shapes.Version(1)])[0] == shapes.Version(1)
    assert shapes.Version(1, 5) >= shapes.Version(1, 5) > shapes.Version(1, 4)


def test_a_record_is_hashed_as_its_options_say(shapes: Any) -> None:
    assert hash(shapes.Point(1, 2, "a", ("t",))) == hash(shapes.Point(1, 2, "b", ())) == hash((1, 2))
    assert len({shapes.Node(1), shapes.Node(1)}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(shapes.Bag())


def test_a_record_is_copied_matched_and_replaced(shapes: Any) -> None:
    point = shapes.Point3(1, 2, "a", z=3.0)
    for same in (pickle.loads(pickle.dumps(point)), copy.deepcopy(point), copy.copy(point), replace(point, x=1)):
        assert repr(same) == repr(point)
    assert replace(point, y=7).y == 7
    assert copy.deepcopy(shapes.Bag([1])) == shapes.Bag([1])
    match point:
        case shapes.Point3(1, y, z=z):
            assert (y, z) == (2, 3.0)
        case _:
            pytest.fail("the record was not matched by place")
    assert [(each.name, each.type, each.compare) for each in fields(shapes.Point)] == [
        ("x", "int", True),
        ("y", "int", True),
        ("label", "str", False),
        ("tags", "tuple[str, ...]", True),
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("@record(kw_only=True)\nclass A:\n    x: int\n", r"a\.py:10: the record A cannot .*`kw_only=True`"),
        ("@record\nclass A(B, C):\n    x: int\n", "more than one base"),
        ("@record\nclass A:\n    x = 1\n", "`x = 1` has no type"),
        ("@record\nclass A:\n    x: int = field(kw_only=True)\n", r"`field\(kw_only=True\)`"),
        ("@record\nclass A(B):\n    x: int\n", "its base B is no record"),
    ],
)
def test_what_is_not_known_is_refused_with_its_place(text: str, why: str) -> None:
    with pytest.raises(UnknownRecordError, match=why):
        written(HEAD + text, list(records("a.py", ast.parse(HEAD + text))), {})


def test_a_base_in_another_module_brings_the_names_of_its_fields() -> None:
    base = HEAD + "from coalint.core.source.spans import Span\n\n@record\nclass Base:\n    span: Span\n"
    text = HEAD + "from coalint.core.base import Base\n\n@record\nclass Own(Base):\n    x: int\n"
    own = list(records("core/own.py", ast.parse(text)))
    found = [*records("core/base.py", ast.parse(base)), *own]
    result = written(text, own, {each.node.name: each for each in found})
    assert "from coalint.core.source.spans import Span as Span" in result.splitlines()
    assert "def __init__(self, span: Span, x: int) -> None:" in result


def test_numbers_keep_what_they_are() -> None:
    text = "def f(ä: float, b: list[float]) -> float:\n    return float(a)"
    assert with_numbers(text) == (
        "def f(ä: (float | int), b: list[(float | int)]) -> (float | int):\n    return float(a)"
    )


def test_a_protocol_that_is_not_there_is_an_error() -> None:
    assert "import C as P" in with_classes("a.py", "class P: ...", {"P": "coalint.b.C"})
    with pytest.raises(LookupError, match=r"a\.py has no protocol Q"):
        with_classes("a.py", "class P: ...", {"Q": "coalint.b.C"})


WORDS_OF_GCC = {
    *("_alignof", "_asm", "_attribute", "_complex", "_const", "_extension", "_imag", "_inline", "_label", "_real"),
    *("_restrict", "_signed", "_thread", "_typeof", "_volatile"),
}


def compiled_texts() -> list[str]:
    """The sources of what is compiled."""
    package = ROOT / "src" / "coalint"
    files = [file for name in COMPILED for file in (package / name).rglob("*.py")]
    compiled = [file for file in files if not file.relative_to(package).as_posix().startswith(tuple(PLAIN))]
    return [file.read_text(encoding="utf-8") for file in compiled]


def test_no_attribute_becomes_a_word_of_the_c_compiler() -> None:
    """mypyc calls an attribute `_signed` `__signed`, which ends the build."""
    attributes = {name for text in compiled_texts() for name in re.findall(r"\.(_\w+)", text)}
    assert "_functions" in attributes
    assert attributes.isdisjoint(WORDS_OF_GCC)


def test_no_class_hands_on_arguments_that_it_does_not_name() -> None:
    """mypyc gives `super().__init__(*given)` the tuple as its first argument."""
    handed = [line for text in compiled_texts() for line in re.findall(r"super\(\)\.__init__\(.*", text)]
    assert handed
    assert not [line for line in handed if "*" in line]


def test_nothing_is_searched_for_in_a_tuple_that_others_are_written_into() -> None:
    """mypyc ends with an internal error at `x in (a, *others)`."""
    compared = [
        node for text in compiled_texts() for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Compare)
    ]
    assert compared
    written = [
        side for node in compared for side in node.comparators if isinstance(side, ast.Tuple | ast.List | ast.Set)
    ]
    assert written
    assert not [side for side in written if any(isinstance(part, ast.Starred) for part in side.elts)]


def test_no_class_is_one_of_ctypes() -> None:
    """mypyc makes C that does not compile of a class derived from one of ctypes."""
    derived = re.compile(r"^class \w+\((?:Structure|Union|Array)\)|\b(?:CFUNCTYPE|PYFUNCTYPE)\(", re.MULTILINE)
    assert derived.search((ROOT / "src/coalint/frontend/cuda/libclang/bindings.py").read_text(encoding="utf-8"))
    assert not any(map(derived.search, compiled_texts()))


@pytest.mark.slow
def test_all_sources_are_rewritten(tmp_path: Path) -> None:
    package = ROOT / "src" / "coalint"
    assert all((package / name).exists() for name in [*PLAIN, *PROTOCOLS])
    names = rewrite(package, tmp_path / "coalint")
    assert len(names) > 250
    for name in names:
        text = (tmp_path / name).read_text(encoding="utf-8")
        compile(text, name, "exec")
        assert "\n@record" not in text
