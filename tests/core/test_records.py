"""`record` gives what `dataclass` gives, but for the guard against changes."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import dataclass, field, fields, replace
from typing import Any

import pytest

from coalint.core.records import record

KINDS: dict[str, dict[str, bool]] = {
    "plain": {},
    "frozen": {"frozen": True},
    "slots": {"frozen": True, "slots": True},
    "by identity": {"frozen": True, "slots": True, "eq": False},
    "ordered": {"frozen": True, "slots": True, "order": True},
    "by keyword": {"frozen": True, "kw_only": True},
    "hashed": {"unsafe_hash": True},
}


class Pair:
    first: int
    second: str = "b"
    third: list[int] = field(default_factory=list, compare=False)
    fourth: float = field(default=0.5, repr=False)


class Single:
    only: float


class Empty:
    pass


class Own:
    first: int

    def __repr__(self) -> str:
        return "own"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.first % 2 == other.first % 2

    def __hash__(self) -> int:
        return 7


def made(decorator: Any, shape: type, options: dict[str, bool]) -> Any:
    body = {name: value for name, value in vars(shape).items() if name not in ("__dict__", "__weakref__")}
    return decorator(**options)(type(shape.__name__, (), {**body, "__qualname__": shape.__name__}))


def hash_of(one: object) -> int | None:
    try:
        return hash(one)
    except TypeError:
        return None


@pytest.mark.parametrize("name", ["plain", "frozen", "slots", "hashed"])
def test_records_are_compared_as_tuples_of_their_fields(name: str) -> None:
    """So what is no number equals itself, in each Python; since 3.13 `dataclass` asks each field alone."""
    kind, nan = made(record, Single, KINDS[name]), float("nan")
    assert kind(nan) == kind(nan)
    assert kind(nan) != kind(float("nan"))


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
def test_records_are_compared_hashed_and_written_as_dataclasses(options: dict[str, bool]) -> None:
    shapes: list[tuple[type, list[dict[str, Any]]]] = [
        (Pair, [{"first": 1}, {"first": 1, "third": [2]}, {"first": 1, "second": "c"}, {"first": 2, "fourth": 1.0}]),
        (Single, [{"only": 1.0}, {"only": 2.0}]),
        (Empty, [{}]),
        (Own, [{"first": 1}, {"first": 3}, {"first": 2}]),
    ]
    for shape, values in shapes[:3] if "unsafe_hash" in options else shapes:  # which `dataclass` refuses for Own
        expected, ours = (made(decorator, shape, options) for decorator in (dataclass, record))
        theirs, own = ([kind(**given) for given in values for _ in range(2)] for kind in (expected, ours))
        assert [repr(one) for one in own] == [repr(one) for one in theirs]
        assert [[a == b for b in own] for a in own] == [[a == b for b in theirs] for a in theirs]
        if options.get("eq", True) or shape is Own:
            assert [hash_of(one) for one in own] == [hash_of(one) for one in theirs]
        assert [(f.name, f.default) for f in fields(ours)] == [(f.name, f.default) for f in fields(expected)]
        assert getattr(ours, "__slots__", None) == getattr(expected, "__slots__", None)
        assert ours.__match_args__ == expected.__match_args__
        if options.get("order") and shape is Pair:
            assert [[a < b for b in own] for a in own] == [[a < b for b in theirs] for a in theirs]


@record(frozen=True, slots=True)
class Kept:
    """One that can be found by name."""

    value: int
    other: tuple[int, ...] = ()


@record(frozen=True)
class Child(Kept):
    """One with a field more."""

    more: str = ""


@record
class Nested:
    """One that may hold itself."""

    inner: object = None


def test_a_record_goes_through_pickle_and_replace() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))
    assert replace(Kept(1, (2,)), value=3) == Kept(3, (2,))


def test_a_child_is_compared_by_all_fields_and_equals_no_parent() -> None:
    assert Child(1, (), "a") == Child(1, (), "a") != Child(1, (), "b")
    assert Child(1) != Kept(1)
    assert repr(Child(1)) == "Child(value=1, other=(), more='')"


def test_a_record_that_holds_itself_is_written() -> None:
    nested = Nested()
    nested.inner = nested
    assert repr(nested) == "Nested(inner=...)"


class Set:
    """Fields of each kind, and one that is set after the others."""

    first: int
    second: str = "b"
    third: list[int] = field(default_factory=list)
    fourth: list[int] = field(default_factory=list, init=False)
    fifth: int = field(default=5, init=False)
    sixth: int = field(default=6, kw_only=True)

    def __post_init__(self) -> None:
        self.seventh = self.first + self.sixth


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((1,), {}),
        ((1, "c", [2]), {"sixth": 7}),
        ((), {"third": [], "first": 3}),
        ((), {}),
        ((1, "c", [2], 4), {}),
        ((1,), {"other": 2}),
    ],
)
def test_a_record_is_made_as_a_dataclass_is(given: tuple[object, ...], named: dict[str, object]) -> None:
    outcomes: list[object] = []
    for decorator in (dataclass, record):
        kind = made(decorator, Set, {})
        for _ in range(2):  # the first one has `__init__` written
            try:
                outcomes.append(vars(kind(*given, **named)))
            except TypeError as error:
                outcomes.append(str(error).removeprefix("test_a_record_is_made_as_a_dataclass_is.<locals>."))
    assert outcomes[0] == outcomes[1] == outcomes[2] == outcomes[3]


def test_lists_of_two_records_are_not_one() -> None:
    kind = made(record, Set, {})
    first, second = kind(1), kind(1)
    assert first.third is not second.third
    assert first.fourth is not second.fourth


def test_an_own_initializer_stays() -> None:
    @record
    class Halved:
        """One that holds half of what it is given."""

        value: int

        def __init__(self, value: int) -> None:
            self.value = value // 2

    assert Halved(8).value == 4


def test_the_signature_shows_the_fields() -> None:
    shown, expected = (inspect.signature(made(decorator, Set, {})) for decorator in (record, dataclass))
    assert [(name, p.kind, p.annotation) for name, p in shown.parameters.items()] == [
        (name, p.kind, p.annotation) for name, p in expected.parameters.items()
    ]
    assert [p.default for p in shown.parameters.values() if p.name != "third"] == [
        p.default for p in expected.parameters.values() if p.name != "third"
    ]
