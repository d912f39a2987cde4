"""Random expressions over a kernel's quantities: as the algebra builds them, and their values in plain integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import assume
from hypothesis import strategies as st

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.arithmetic import OPERATORS, wrap
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly

Environment = dict[int, int]

NAMES = ("threadIdx.x", "threadIdx.y", "blockIdx.x", "k", "n", "m")
BOUNDS = {"threadIdx.x": 31, "threadIdx.y": 7, "blockIdx.x": None, "k": 15, "n": None, "m": None}


@dataclass
class Case:
    """An algebra with its quantities, and numbers for them."""

    algebra: Algebra
    atoms: dict[str, Poly]
    numbers: dict[str, int]

    @property
    def environment(self) -> Environment:
        return {self.algebra.atoms_of(self.atoms[name])[0].index: number for name, number in self.numbers.items()}


def quantities(numbers: dict[str, int]) -> Case:
    algebra = Algebra()
    atoms = {}
    for name in NAMES:
        thread = name.startswith("thread")
        kind = AtomKind.THREAD if thread else AtomKind.UNIFORM if name in "nm" else AtomKind.COUNTER
        high = BOUNDS[name]
        low = None if kind is AtomKind.UNIFORM else 0
        level = Level.DIVERGENT if thread else Level.UNIFORM
        atoms[name] = algebra.atom(kind, name, level, low=low, high=high, trips=None if high is None else high + 1)
    return Case(algebra, atoms, numbers)


numbers = st.fixed_dictionaries({name: st.integers(0, BOUNDS[name] or 5000) for name in NAMES})


def evaluate(algebra: Algebra, value: Poly, environment: Environment) -> int:
    """The polynomial at numbers for its quantities, with the operands of operations worked out by C's rules."""
    total = 0
    for coefficient, monomial in algebra.terms(value):
        for index, exponent in monomial:
            coefficient *= _atom(algebra, algebra.atoms[index], environment) ** exponent
        total += coefficient
    return total


def _atom(algebra: Algebra, atom: Atom, environment: Environment) -> int:
    if atom.kind is not AtomKind.OPERATION:
        return environment[atom.index]
    operands = [evaluate(algebra, operand, environment) for operand in atom.operands]
    if atom.operator == "wrap":
        return int(wrap(operands[0], atom.bits, atom.signed))
    return int(OPERATORS[atom.operator](*operands))


def truncated(a: int, b: int) -> int:
    whole = abs(a) // abs(b)
    return -whole if (a < 0) != (b < 0) else whole


C: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": truncated,
    "%": lambda a, b: a - b * truncated(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
    "min": min,
    "max": max,
}
ARITHMETIC = ("+", "+", "-", "*", "/", "/", "%", "%", "&", "&", "|", "^", "<<", ">>", "min", "max")
TESTS = ("<", "<=", ">", ">=", "==", "!=")

Tree = tuple[object, ...]
constants = st.sampled_from([-33, -8, -1, 0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 31, 32, 33, 63, 64, 96, 255, 256, ~7, ~31])
leaves = st.one_of(
    st.sampled_from(NAMES).map(lambda name: ("name", name)),
    constants.map(lambda number: ("number", number)),
)


def _grown(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    number = constants.map(lambda n: ("number", n))
    test = st.tuples(st.sampled_from(TESTS), inner, inner)
    return st.one_of(
        st.tuples(st.sampled_from(ARITHMETIC), inner, number),
        st.tuples(st.sampled_from(ARITHMETIC), inner, inner),
        test,
        st.tuples(st.sampled_from(["&&", "||"]), test, test),
        st.tuples(st.just("?:"), test, inner, inner),
        st.tuples(st.just("unsigned"), inner),
        st.tuples(st.just("short"), inner),
        st.tuples(st.just("!"), inner),
    )


trees = st.recursive(leaves, _grown, max_leaves=7)


def build(case: Case, tree: Tree) -> tuple[Poly, int]:
    """The algebra's value and C's, and every step's bounds held against its value."""
    value, number = _build(case, tree)
    assume(abs(number) < 1 << 50)
    _supposed(case, value, number)
    low, high = case.algebra.range(value)
    assert low is None or low <= number
    assert high is None or number <= high
    return value, number


def _supposed(case: Case, value: Poly, number: int) -> None:
    """Leave out what contradicts the documented assumption that a size less something is not negative."""
    assume(number >= 0 or not case.algebra.nonnegative(value) or case.algebra.range(value)[0] is not None)


def _build(case: Case, tree: Tree) -> tuple[Poly, int]:
    algebra = case.algebra
    operator, *parts = tree
    if operator == "name":
        return case.atoms[str(parts[0])], case.numbers[str(parts[0])]
    if operator == "number":
        assert isinstance(parts[0], int)
        return algebra.constant(parts[0]), parts[0]
    built = [build(case, part) for part in parts if isinstance(part, tuple)]
    polys, values = [poly for poly, _ in built], [number for _, number in built]
    if operator == "unsigned":
        return algebra.unsigned(polys[0], 32), values[0] & 0xFFFFFFFF
    if operator == "short":
        return algebra.operation("wrap", polys[0], bits=16, signed=True), (values[0] + 0x8000 & 0xFFFF) - 0x8000
    if operator == "!":
        return 1 - algebra.truth(polys[0]), int(not values[0])
    if operator == "?:":
        return algebra.select(*polys), values[1] if values[0] else values[2]
    assert isinstance(operator, str)
    if operator in ("/", "%"):
        assume(values[1] != 0)
    if operator in ("<<", ">>"):
        assume(0 <= values[1] < 32)
    return METHODS(algebra)[operator](*polys), C[operator](*values)


def METHODS(algebra: Algebra) -> dict[str, Callable[[Poly, Poly], Poly]]:  # noqa: N802
    simple: dict[str, Callable[[Poly, Poly], Poly]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": algebra.divide,
        "%": algebra.remainder,
        "&": algebra.bit_and,
        "|": algebra.bit_or,
        "^": algebra.bit_xor,
        "<<": algebra.shift_left,
        ">>": algebra.shift_right,
        "&&": algebra.both,
        "||": algebra.either,
        "min": lambda a, b: algebra.operation("min", a, b),
        "max": lambda a, b: algebra.operation("max", a, b),
    }
    return {**simple, **{test: comparison(algebra, test) for test in TESTS}}


def comparison(algebra: Algebra, operator: str) -> Callable[[Poly, Poly], Poly]:
    return lambda a, b: algebra.compare(operator, a, b)
