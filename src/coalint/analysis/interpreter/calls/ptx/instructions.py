"""The instructions of an inline PTX template (PTX ISA, chapter 9), as far as they access memory or make an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from coalint.core.records import record

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_INSTRUCTION = re.compile(
    r"(?:\$?\w+:\s*)?(?:@(?P<negated>!?)(?P<guard>[%\w\[\]]+)\s+)?(?P<opcode>[a-z]\w*(?:[.:]+\w+)*)\s*(?P<rest>.*)",
    re.S,
)
_ARGUMENT = re.compile(
    r"\[\s*(?P<address>[^\[\]]*(?:\[\w+\])?[^\[\]]*)\]|\{[^{}]*\}|(?P<plain>%?\[\w+\]|[^\s,\[\]{}]+)"
)
_HINTED = re.compile(r"(\bcp\.async\.c[ag]\.shared(?:::cta)?\.global)\?")
_TORN = re.compile(r"(?:@!?\S+\s+)?[^\s\[,]*\?")
_SUM = re.compile(r"(?P<base>%?\[\w+\]|[%\w]+)\s*(?:(?P<sign>[+-])\s*(?P<offset>\w+))?")
_TYPE = re.compile(r"[busf](8|16|32|64|128)|f16x2|bf16x2|bf16|tf32")
# Instructions whose result rests on their operands alone.
ARITHMETIC = frozenset(
    (
        "abs add addc and bfe bfi bfind bmsk brev clz cnot cvt div dp2a dp4a fma fns lop3 mad madc max min mov mul "
        "mul24 neg not or popc prmt rcp rem sad selp set setp shf shl shr slct sqrt sub subc testp xor"
    ).split()
)
SPECIAL = re.compile(r"%+[a-z]")  # a special register, as %laneid
_PACKED = {"f16x2": 4, "bf16x2": 4, "bf16": 2, "tf32": 4}


@record(frozen=True, slots=True)
class Where:
    """The address `[base + offset]`; the base is an operand, a register of the template, or a number."""

    base: str
    offset: int


@record(frozen=True, slots=True)
class Instruction:
    """One instruction: `@guard opcode arguments`. `addresses` are its arguments in square brackets, in order."""

    opcode: str
    words: tuple[str, ...]
    arguments: tuple[str, ...]
    addresses: tuple[Where | None, ...]
    guard: str = ""
    negated: bool = False

    @property
    def name(self) -> str:
        """The first word of the opcode."""
        return self.words[0]

    @property
    def bytes(self) -> int:
        """What a lane moves: the type's size times the vector's length; 0 where it is not known."""
        matches = [_TYPE.fullmatch(word) for word in self.words]
        types = [match for match in matches if match]
        if not types:
            return 0
        each = int(types[-1][1]) // 8 if types[-1][1] else _PACKED[types[-1][0]]
        return each * next((int(word[1:]) for word in self.words if word in ("v2", "v4", "v8")), 1)

    @property
    def space(self) -> str:
        """The state space: `global`, `shared`, `const`, `local`, `param`, or empty for a generic address."""
        spaces = ("global", "shared", "const", "local", "param")
        prefixes = [word.partition("::")[0] for word in self.words]
        return next((word for word in prefixes if word in spaces), "")


@lru_cache(maxsize=1024)
def is_torn(template: str) -> bool:
    """Whether an instruction of a template has a name that is not told (`?`), so that it may be any."""
    return any(map(_TORN.match, _statements(template)))


@lru_cache(maxsize=1024)
def instructions(template: str) -> tuple[Instruction, ...]:
    """Return the instructions of a template in order; declarations and labels are left out.

    What a macro adds after `cp.async.cg.shared.global` (`?`) can be no more than hints to the L2 cache.
    """
    return tuple(_instructions(template))


def _statements(template: str) -> list[str]:
    """Return what stands between the semicolons of a template, without comments and brackets around it."""
    text = _HINTED.sub(r"\1", _COMMENT.sub(" ", template))
    return [statement.strip().lstrip("{} \t\n") for statement in text.split(";")]


def _instructions(template: str) -> Iterator[Instruction]:
    for statement in _statements(template):
        match = _INSTRUCTION.fullmatch(statement)
        if match is None:
            continue
        arguments = list(_ARGUMENT.finditer(match["rest"]))
        yield Instruction(
            match["opcode"],
            tuple(match["opcode"].split(".")),
            tuple(a["plain"] for a in arguments if a["plain"]),
            tuple(_where(a["address"]) for a in arguments if a["address"] is not None),
            match["guard"] or "",
            bool(match["negated"]),
        )


def _where(text: str) -> Where | None:
    match = _SUM.fullmatch(text.strip())
    if match is None:
        return None
    offset = number(match["offset"]) if match["offset"] else 0
    return None if offset is None else Where(match["base"], -offset if match["sign"] == "-" else offset)


def number(text: str) -> int | None:
    """Return an integer literal."""
    try:
        return int(text.rstrip("U"), 0)
    except ValueError:
        return None
