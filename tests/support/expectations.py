"""Reads the expectations that stand in the comments of a fixture (the format is in fixtures/README.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

_DIRECTIVE = re.compile(r"(?://|#)\s*(expect|ok|reveal|lanes|launch|sass)\b")
_COMMENTS = ("//", "# ")
_CODE = re.compile(r"COA\d{3}")
_COST = re.compile(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)")
_WIDTH = re.compile(r"(?:(\d+)x)?(1|2|4|8|16)")
_LANES = re.compile(r"lanes(?:\s+(load|store|atomic)(?:\s+(\d+))?)?\s*:\s*(\S.*)")
_SHAPE = re.compile(r"\d+(?:x\d+){0,2}")


LAWS = ("", "paired", "turns", "comparing", "copy", "bypass", "filled")
"""How lanes are served: see fixtures/README.md."""


class ExpectationError(ValueError):
    """A comment that looks like an expectation and is none; says the file, the line and what was wrong."""


class Space(Enum):
    GLOBAL = "global"
    SHARED = "shared"


class Op(Enum):
    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"


class Verdict(Enum):
    UNIFORM = "uniform"
    DIVERGENT = "divergent"
    AFTER_EXIT = "after-exit"


class Scope(Enum):
    BLOCK = "block"
    WARP = "warp"


@dataclass(frozen=True)
class Shape:
    """Extents of a grid in blocks, or of a block in threads."""

    x: int
    y: int = 1
    z: int = 1


@dataclass(frozen=True)
class Launch:
    """How the kernel or helper that begins at this line is launched."""

    block: Shape
    grid: Shape = Shape(1)


@dataclass(frozen=True)
class AccessReveal:
    """What one access costs: sectors or wavefronts per executed warp instruction, None where nobody can know.

    The access moves `pieces` times `width` bytes per lane, each piece being an instruction of its own.
    `stride` is the source's spelling in bytes ("8", "4*width", "?"), None where the comment is silent. `law` names how
    the lanes are served where that is not as in a plain access.
    """

    space: Space
    op: Op | None
    counted: float | None
    ideal: float | None
    stride: str | None
    pieces: int = 1
    width: int = 4
    lanes: str | None = None
    law: str = ""

    @property
    def bytes(self) -> int:
        return self.pieces * self.width


@dataclass(frozen=True)
class SassReveal:
    """What the compiler made of a line's accesses of one space and operation; `counted` is None if nothing is left.

    The clause stands for `pieces` equal instructions of `width` bytes per lane.
    """

    space: Space
    op: Op
    counted: float | None
    ideal: float | None
    width: int
    why: str
    pieces: int = 1


@dataclass(frozen=True)
class BarrierReveal:
    verdict: Verdict
    scope: Scope = Scope.BLOCK


@dataclass(frozen=True)
class LineExpectation:
    """All that one line of a fixture expects; `launch` is the nearest launch comment at or above the line."""

    file: Path
    line: int
    codes: tuple[str, ...] = ()
    ok: bool = False
    accesses: tuple[AccessReveal, ...] = ()
    barriers: tuple[BarrierReveal, ...] = ()
    launch: Launch | None = None
    sass: tuple[SassReveal, ...] = ()

    @property
    def written(self) -> tuple[AccessReveal, ...]:
        """The accesses as the compiler writes them: those of a `sass` comment in the place of the source's."""
        changed = {(sass.space, sass.op) for sass in self.sass}
        kept = [access for access in self.accesses if (access.space, access.op) not in changed]
        made = [
            AccessReveal(s.space, s.op, s.counted, s.ideal, None, s.pieces, s.width) for s in self.sass if s.counted
        ]
        return (*kept, *made)


def fixture_files(root: Path = FIXTURES) -> list[Path]:
    return sorted(root.glob("*/*.cu"))


def numba_fixture_files(root: Path = FIXTURES) -> list[Path]:
    return sorted(root.glob("numba-*/*.py"))


def read_expectations(file: Path) -> tuple[LineExpectation, ...]:
    return parse_expectations(file.read_text(encoding="utf-8"), file)


def parse_expectations(text: str, file: Path = Path("<text>")) -> tuple[LineExpectation, ...]:
    """The expectations of a source, by line from 1; raises ExpectationError on a malformed comment."""
    expectations: dict[int, LineExpectation] = {}
    launch: Launch | None = None
    code_line: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith(_COMMENTS):
            code_line = number
        for keyword, directive in _directives(line):
            try:
                if code_line is None:
                    raise ValueError("no line of code stands above it")
                if keyword == "launch":
                    launch = _launch(_after_colon(directive))
                current = expectations.get(code_line) or LineExpectation(file, code_line, launch=launch)
                expectations[code_line] = _add(replace(current, launch=launch), keyword, directive)
            except ValueError as error:
                raise ExpectationError(f"{file}:{number}: `// {directive}`: {error}") from None
    for expectation in expectations.values():
        if expectation.ok and expectation.codes:
            raise ExpectationError(f"{file}:{expectation.line}: both `ok` and `expect`; keep one")
    return tuple(expectations[line] for line in sorted(expectations))


def _directives(line: str) -> Iterator[tuple[str, str]]:
    """(keyword, text from the keyword to the next directive) of each directive of a line."""
    found = list(_DIRECTIVE.finditer(line))
    ends = [*(following.start() for following in found[1:]), len(line)]
    for match, end in zip(found, ends, strict=False):
        yield match[1], line[match.start(1) : end].strip()


def _add(line: LineExpectation, keyword: str, directive: str) -> LineExpectation:
    if keyword == "ok":
        return replace(line, ok=True)
    if keyword == "expect":
        return replace(line, codes=line.codes + _codes(_after_colon(directive)))
    if keyword == "sass":
        return replace(line, sass=line.sass + _sass(_after_colon(directive)))
    if keyword == "lanes":
        return replace(line, accesses=_attach_lanes(line.accesses, directive))
    if keyword == "reveal":
        for clause in _after_colon(directive).split(";"):
            reveal = _reveal(clause.split())
            if isinstance(reveal, BarrierReveal):
                line = replace(line, barriers=(*line.barriers, reveal))
            else:
                line = replace(line, accesses=(*line.accesses, reveal))
    return line


def _after_colon(directive: str) -> str:
    keyword, colon, text = directive.partition(":")
    if not colon or not text.strip() or " " in keyword.strip():
        raise ValueError("write `keyword: value`")
    return text.strip()


def _codes(text: str) -> tuple[str, ...]:
    codes = tuple(code.strip() for code in text.split(","))
    for code in codes:
        if not _CODE.fullmatch(code):
            raise ValueError(f"{code!r} is no rule code such as COA101")
    return codes


def _launch(text: str) -> Launch:
    shapes = dict(_pair(word) for word in text.split())
    if "block" not in shapes or not shapes.keys() <= {"block", "grid"}:
        raise ValueError("write `launch: block=32x8`, with `grid=4x4` if blocks matter")
    return Launch(_shape(shapes["block"]), _shape(shapes.get("grid", "1")))


def _shape(text: str) -> Shape:
    if not _SHAPE.fullmatch(text):
        raise ValueError(f"{text!r} is no shape such as 32x8")
    return Shape(*(int(extent) for extent in text.split("x")))


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not value:
        raise ValueError(f"{word!r}: write `name=value`")
    return name, value


def _reveal(words: list[str]) -> AccessReveal | BarrierReveal:
    if not words:
        raise ValueError("an empty clause between semicolons")
    op = Op(words.pop(0)) if words[0] in {op.value for op in Op} else None
    unknown = "unknown" in words
    values = dict(_pair(word) for word in words if word != "unknown")
    if "barrier" in values:
        verdict, scope = Verdict(values.pop("barrier")), Scope(values.pop("scope", "block"))
        if values or op or unknown:
            raise ValueError("a barrier takes `barrier=` and `scope=` only")
        return BarrierReveal(verdict, scope)
    pieces, width = _width(values.pop("bytes", "4"))
    stride, law = values.pop("stride", None), values.pop("law", "")
    if law not in LAWS:
        raise ValueError(f"law={law}: known are {', '.join(LAWS[1:])}")
    costs = [name for name in ("sectors", "wavefronts") if name in values]
    if unknown and not costs:
        space, counted, ideal = Space(values.pop("space", "global")), None, None
    elif len(costs) == 1 and not unknown:
        space = Space.GLOBAL if costs == ["sectors"] else Space.SHARED
        counted, ideal = _cost(values.pop(costs[0]))
    else:
        raise ValueError("write one of `sectors=8/4`, `wavefronts=2/1`, `unknown`, `barrier=uniform`")
    if values:
        raise ValueError(f"unknown {', '.join(sorted(values))}")
    return AccessReveal(space, op, counted, ideal, stride, pieces, width, law=law)


def _sass(text: str) -> tuple[SassReveal, ...]:
    clauses, dashes, why = text.partition(" -- ")
    if not dashes or not why.strip():
        raise ValueError("say what the compiler did, after ` -- `")
    return tuple(_sass_clause(clause.split(), why.strip()) for clause in clauses.split(";"))


def _sass_clause(words: list[str], why: str) -> SassReveal:
    if "none" in words:
        op, *rest = (word for word in words if word != "none")
        values = dict(_pair(word) for word in rest)
        space = Space(values.pop("space", "global"))
        if values:
            raise ValueError(f"unknown {', '.join(sorted(values))}")
        return SassReveal(space, Op(op), None, None, 4, why)
    reveal = _reveal(words)
    if isinstance(reveal, BarrierReveal) or reveal.op is None or reveal.counted is None:
        raise ValueError("write `load sectors=16/16 bytes=16 -- WHY` or `load none space=shared -- WHY`")
    return SassReveal(reveal.space, reveal.op, reveal.counted, reveal.ideal, reveal.width, why, reveal.pieces)


def _cost(text: str) -> tuple[float, float]:
    match = _COST.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no cost such as 8/4 (counted/ideal)")
    return float(match[1]), float(match[2])


def _width(text: str) -> tuple[int, int]:
    match = _WIDTH.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no access width such as 4, 16 or 3x4")
    return int(match[1] or 1), int(match[2])


def _attach_lanes(accesses: tuple[AccessReveal, ...], directive: str) -> tuple[AccessReveal, ...]:
    """`lanes:` goes to every access of the line that has none, `lanes store 2:` to the second store."""
    match = _LANES.fullmatch(directive)
    if not match:
        raise ValueError("write `lanes: EXPR`, `lanes store: EXPR` or `lanes store 2: EXPR`")
    if match[1] is None:
        chosen = [index for index, access in enumerate(accesses) if access.lanes is None]
    else:
        same = [index for index, access in enumerate(accesses) if access.op is Op(match[1])]
        chosen = same[int(match[2] or 1) - 1 :][:1]
    if not chosen:
        raise ValueError("no reveal on this line for these lanes to belong to")
    return tuple(
        replace(access, lanes=match[3]) if index in chosen else access for index, access in enumerate(accesses)
    )
