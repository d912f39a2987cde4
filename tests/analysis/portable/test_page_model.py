"""The model in the page gives what the model in Python gives: on all fixtures, and on random expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from amounts import examples, quarter
from browser import call, complaints
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from page_accesses import ARCH, Block, Cases, cost, counted, data_of, kernels, open_kernels, paired, requests
from selenium.webdriver.remote.webdriver import WebDriver

from coalint.analysis.domain.algebra.arithmetic import OPERATORS, wrap
from coalint.core.facts.access import Access, Space
from coalint.core.facts.assumptions import Given
from coalint.core.facts.portable_model import Model
from coalint.engine.config.settings import Settings
from coalint.engine.inspection.maps import show
from coalint.engine.inspection.requests import Request, Spot
from coalint.engine.linter import inspect
from coalint.engine.report import Inspection
from coalint.engine.request import RunRequest
from coalint.machine.traffic import settled
from coalint.reporters.html.data import Nodes
from coalint.reporters.html.page import MODEL, script

TESTS = Path(__file__).resolve().parents[2] / "support"
ALL_FIXTURES = sorted((TESTS.parents[1] / "fixtures").glob("*/*.cu"))
FIXTURES = quarter(ALL_FIXTURES)
OPEN = TESTS / "open_numbers.cu"
MANY = TESTS / "many_blocks.cu"
NUMBERS = (32, 33, 17, 100)
SETTINGS = Settings(jobs=1)
SHAPES: tuple[Block, ...] = ((64, 1, 1), (20, 5, 1), (16, 16, 1))


@pytest.fixture(scope="module")
def page(driver: WebDriver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    file = tmp_path_factory.mktemp("model") / "model.html"
    file.write_text(f"<!doctype html><script>{script(MODEL)}\n{(TESTS / 'agreement.js').read_text()}</script>")
    driver.get(file.as_uri())
    yield driver
    assert complaints(driver) == []


def differences(cases: Cases, answers: Sequence[dict[str, Any]]) -> list[str]:
    found = []
    for item, access, answer in zip(cases.items, cases.expected, answers, strict=True):
        expected, mean = cost(access), answer.get("mean")
        alike = (
            expected is not None
            and mean is not None
            and mean["count"] == pytest.approx(expected.count, rel=1e-12)
            and mean["ideal"] == pytest.approx(expected.ideal, rel=1e-12)
        )
        if not alike:
            found.append(f"{access.span.file}:{access.span.line} {access.expression} {item['block']}: {answer}")
    return found


@pytest.mark.slow
def test_accesses_of_fixtures_and_of_many_blocks_are_computed_anew_and_cost_the_same_by_warps(page: WebDriver) -> None:
    cases = Cases()
    for analysis, _ in kernels([*FIXTURES, MANY]):
        for access in counted(analysis.accesses):
            data = data_of(access, cases.nodes)
            assert data["model"] is not None, f"{access.span}: {access.expression}: {data['why']}"
            cases.add(data, analysis.specialization.block, access, requests=True)
    assert len(cases.items) > 300
    answers = call(page, "agreement", cases.input)
    assert differences(cases, answers) == []
    for access, answer in zip(cases.expected, answers, strict=True):
        made = [None if pair is None else tuple(pair) for pair in answer["requests"]]
        assert made == requests(access), f"{access.span}: {access.expression}"


@pytest.mark.slow
def test_at_other_block_shapes_it_costs_what_an_analysis_at_that_shape_says(page: WebDriver) -> None:
    cases = Cases()
    fixed = 0
    for file, shape in zip(FIXTURES, cycle(SHAPES)):
        for analysis, others in kernels([file], shape):
            for access, there in paired(counted(analysis.accesses), counted(others[shape].accesses)):
                data = data_of(access, cases.nodes)
                if data["model"]["free"]:
                    cases.add(data, shape, there, other=True)
                else:
                    fixed += 1
    assert len(cases.items) > 300
    assert fixed < 20, "reductions followed value by value, and atomics that nvcc may combine"
    assert differences(cases, call(page, "agreement", cases.input)) == []


# --- numbers that nothing gives


def supposable(accesses: Sequence[Access]) -> list[dict[str, int]]:
    """Numbers for what the lanes of a kernel's accesses are multiples of."""
    names = {name for access in accesses for name in access.open.lacking}
    return [dict.fromkeys(names, n) for n in NUMBERS] if names else []


def settleable(accesses: Sequence[Access]) -> list[dict[str, int]]:
    """Numbers for all that models leave open, and for the block."""
    models = [access.portable.model for access in accesses if access.portable.model is not None]
    names = {node[2] for model in models for node in model.of_kind("s").values()}
    known = {name for access in accesses for name in access.open.names}
    blocks = {name: 0 for name in known if name.startswith("blockIdx")}
    apart = sorted(names & known, reverse=True)
    return [{**blocks, **{name: n + 64 * k for k, name in enumerate(apart)}} for n in NUMBERS] if apart else []


def words(text: str) -> set[str]:
    """The identifiers of a text."""
    return set(re.findall(r"[A-Za-z_]\w*", text))


def compared(page: WebDriver, cases: Cases) -> tuple[int, int]:
    """Of how many accesses the iterations are the same too, and of how many others."""
    answers = call(page, "agreement", cases.input)
    assert differences(cases, answers) == []
    alike = 0
    for access, answer in zip(cases.expected, answers, strict=True):
        made = [None if pair is None else tuple(pair) for pair in answer["requests"]]
        expected = requests(access)
        if len(made) == len(expected):
            assert made == expected, f"{access.span}: {access.expression}"
            alike += 1
    return alike, len(answers) - alike


@pytest.mark.slow
def test_with_numbers_for_what_lanes_are_multiples_of_it_costs_what_an_analysis_with_them_says(page: WebDriver) -> None:
    cases = Cases()
    supposed = 0
    for analysis, others in open_kernels([*FIXTURES, OPEN], supposable):
        for numbers, other in others:
            for access, there in paired(analysis.accesses, other.accesses):
                settled_there = settled(there, ARCH)
                if access.portable.model is None or cost(settled_there) is None:
                    continue
                data = data_of(settled(access, ARCH), cases.nodes)
                supposed += bool(data["model"]["supposed"])
                named = {node[2] for node in access.portable.model.nodes if node[0] in "sc"}
                guarded = {name for name in named - numbers.keys() for guard in access.guard if name in words(guard)}
                if numbers.keys() & named and not guarded:  # the page has a number for what a guard leaves open
                    cases.add(data, analysis.specialization.block, settled_there, requests=True, given=numbers)
    assert supposed > 25
    alike, others_counted = compared(page, cases)
    assert alike > 75, "with the same iterations, warp by warp"
    assert others_counted < 120, "loops whose iterations become known with the number"


@pytest.mark.slow
def test_with_numbers_for_all_that_is_open_it_costs_what_an_analysis_with_them_says(page: WebDriver) -> None:
    cases = Cases()
    for analysis, others in open_kernels([*FIXTURES, OPEN], settleable):
        for numbers, other in others:
            for access, there in paired(analysis.accesses, other.accesses):
                settled_there = settled(there, ARCH)
                if (
                    access.portable.model is None
                    or cost(settled_there) is None
                    or left_to_a_loop(access.portable.model)
                ):
                    continue
                data = data_of(settled(access, ARCH), cases.nodes)
                cases.add(data, analysis.specialization.block, settled_there, requests=True, given=numbers)
    alike, _ = compared(page, cases)
    assert alike > 250


def left_to_a_loop(model: Model) -> bool:
    """Whether a condition rests on a loop of unknown length: the page decides it for the iterations it looks at."""
    loops = {n for n, node in model.of_kind("c").items() if not node[2].startswith("blockIdx") and node[3] is None}
    return bool(model.reach(*(part.node for part in model.parts)) & loops)


@cache
def inspected(file: Path, given: Given) -> Inspection:
    return inspect(RunRequest(files=[str(file)], settings=SETTINGS, given=given))


@pytest.mark.slow
def test_what_show_draws_is_computed_in_the_page(page: WebDriver) -> None:
    missed: set[str] = set()
    left: set[str] = set()
    for file in [*ALL_FIXTURES, OPEN]:
        for analysis, _ in kernels([file]):
            for access in analysis.accesses:
                found = settled(access, ARCH)
                if access.space in (Space.LOCAL, Space.CONSTANT) or data_of(found, Nodes())["model"] is not None:
                    continue
                spot = Spot(str(file), access.span.line, access.span.column)
                shown = show(Request(spot, kernel=analysis.kernel), partial(inspected, file))
                drawn = [one for one in shown.shown if one.map is not None and one.access.op is access.op]
                if drawn:
                    missed.add(access.expression)
                left.add(re.sub(r" \(.*", "", found.result.unknown or ""))
    assert missed == set()
    assert left == {
        "index loaded from memory",
        "index from an atomic's result",
        "a rounded floating-point value",
        "`next` changes in a loop in a way that is not followed",  # the next index, loaded before it is used
        "`&` of a thread-dependent value and an unknown one",  # a ballot's
        "`^` of a thread-dependent value and an unknown one",  # the iteration of a loop of unknown length
        "how an asynchronous copy between such addresses is served is not known",
    }


# --- random expressions against plain integers

BLOCKS: tuple[Block, ...] = ((32, 1, 1), (64, 1, 1), (7, 3, 2), (16, 4, 1), (5, 1, 1))
COUNTER, SYMBOL = 4, 5
LEAVES: tuple[tuple[Any, ...], ...] = (
    ("t", 0),
    ("t", 1),
    ("t", 2),
    ("b", 0),
    ("c", 0, "k", 3),
    ("s", 1, "n", None, None),
    ("v", "table", COUNTER, (7, -3, 1 << 40)),
)
BINARY = ("/", "&", "|", "^", "<<", ">>", "&&", "||", "min", "max", "multiply_high")
UNARY = ("<", "<=", "==", "abs", "reverse_bits", "population_count", "leading_zeros", "first_set")


@st.composite
def expressions(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    """Nodes, of which the last is to be evaluated; operands come before what they are part of."""
    nodes = list(LEAVES)
    numbers = st.one_of(st.integers(-9, 9), st.sampled_from([31, 32, 33, 1 << 31, -(1 << 33), (1 << 53) + 1]))
    for _ in range(draw(st.integers(1, 8))):
        operand = st.integers(0, len(nodes) - 1)
        kind = draw(st.sampled_from(["p", "p", "1", "2", "?", "w"]))
        if kind == "p":
            monomial = st.lists(st.tuples(operand, st.integers(1, 2)), max_size=2, unique_by=lambda power: power[0])
            terms = draw(st.lists(st.tuples(numbers, monomial.map(tuple)), min_size=1, max_size=3))
            nodes.append(("p", tuple(terms)))
        elif kind == "1":
            nodes.append(("o", draw(st.sampled_from(UNARY)), 0, True, draw(operand)))
        elif kind == "2":
            nodes.append(("o", draw(st.sampled_from(BINARY)), 0, True, draw(operand), draw(operand)))
        elif kind == "?":
            nodes.append(("o", "?:", 0, True, draw(operand), draw(operand), draw(operand)))
        else:
            bits = draw(st.sampled_from([8, 16, 32, 64]))
            nodes.append(("o", "wrap", bits, draw(st.booleans()), draw(operand)))
    return nodes


def evaluated(nodes: Sequence[tuple[Any, ...]], thread: tuple[int, int, int], block: Block, k: int, n: int) -> int:
    """The last node, in Python's integers."""
    values: list[int] = []
    for node in nodes:
        if node[0] == "p":
            total = 0
            for coefficient, monomial in node[1]:
                for operand, exponent in monomial:
                    coefficient *= values[operand] ** exponent
                total += coefficient
            values.append(total)
        elif node[0] == "o":
            numbers = [values[operand] for operand in node[4:]]
            made = wrap(numbers[0], node[2], node[3]) if node[1] == "wrap" else OPERATORS[node[1]](*numbers)
            values.append(int(made))
        else:
            leaf = {"t": thread, "b": block}.get(node[0])
            values.append(leaf[node[1]] if leaf else {"c": k, "s": n}[node[0]] if node[0] != "v" else node[3][k])
    return values[-1]


def offsets_in(page: WebDriver, nodes: Sequence[tuple[Any, ...]], block: Block, n: int) -> list[float]:
    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return [plain(item) for item in value]
        large = isinstance(value, int) and not isinstance(value, bool) and abs(value) > (1 << 53) - 1
        return str(value) if large else value

    model = {
        "nodes": [plain(node) for node in nodes],
        "address": len(nodes) - 1,
        "other": None,
        "parts": [],
        "choices": [],
        "values": [[COUNTER, [0, 1, 2]]],
        "symbols": [[SYMBOL, plain(n)]],
        "lanes": 32,
    }
    found: list[float] = call(page, "offsetsOf", {"model": model, "block": block})
    return found


def sizes(nodes: Sequence[tuple[Any, ...]]) -> bool:
    """Whether repeated products stay within what is worth computing."""
    degree: list[int] = []
    for node in nodes:
        if node[0] == "p":
            degree.append(max([1, *(sum(degree[o] * e for o, e in monomial) for _, monomial in node[1])]))
        elif node[0] == "o":
            degree.append(max(degree[o] for o in node[4:] if o < len(degree)) + (node[1] == "<<"))
        else:
            degree.append(1)
    return max(degree) < 20


@pytest.mark.slow
@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(expressions().filter(sizes), st.sampled_from(BLOCKS), st.sampled_from([0, 1, -5, 100, 1 << 20, (1 << 60) + 3]))
def test_random_expressions_have_the_values_of_plain_integers(
    page: WebDriver, nodes: list[tuple[Any, ...]], block: Block, n: int
) -> None:
    x, y, z = block
    threads = x * y * z
    made = offsets_in(page, nodes, block, n)
    expected = []
    for k in range(3):
        for linear in range(threads):
            thread = (linear % x, linear // x % y, linear // (x * y))
            expected.append(wrap(evaluated(nodes, thread, block, k, n), 64, True))
    cells = -(-threads // 32) * 32
    offsets = [made[k * cells + linear] for k in range(3) for linear in range(threads)]
    spread = max(expected) - min(expected)  # the page holds offsets as doubles, from a line near the first
    if max(map(abs, expected)) < 1 << 53 and spread < 1 << 53:
        shift = expected[0] - int(offsets[0])
        assert shift % 128 == 0, "large numbers may count from a multiple of a line"
        assert [int(offset) + shift for offset in offsets] == expected
    elif spread < 1 << 52:
        assert [offset - offsets[0] for offset in offsets] == [number - expected[0] for number in expected]
