"""The values that Python programs give macros of the sources that they compile, as `f"-D_N_={HEAD_SIZE}"`.

Programs are read, not run: a name may be whatever the program assigns to it anywhere.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from itertools import islice, product

MOST = 16
"""Values of one expression."""
_NEST = 6
_OPTION = re.compile(r"(?<![\w-])-D\s?([A-Za-z_]\w*)=([\w.+-]+)(?![^\s\"';,])")
_SWITCH = re.compile(r"(?<![\w-])-D([A-Z_][A-Z0-9_]*)(?![^\s\"';,])")  # makes the macro 1
_HINT = re.compile(r"(?<![\w-])-D\s?[A-Za-z_{%]|define_macros|[\"']-D[\"']")
_MACRO = re.compile(r"[A-Za-z_]\w*")
_VALUE = re.compile(r"[\w.+-]+")
_CONVERSIONS = frozenset({"str", "int", "repr"})
_ENVIRONMENT = frozenset({"get", "getenv"})
_TEXTS = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call)
_OPERATORS = {ast.FloorDiv: "//", ast.Mult: "*", ast.Sub: "-", ast.Add: "+", ast.Pow: "**", ast.LShift: "<<"}


def may_name_macros(data: bytes) -> bool:
    """Whether a program may hold options for macros: a quick look, before it is decoded."""
    return b"-D" in data or b"define_macros" in data


def given_by_python(text: str) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield each macro that options or `define_macros` give a value, with the values that it may have, and the line."""
    if _HINT.search(text) is None:
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    nodes = list(ast.walk(tree))
    names = _names(nodes)
    inner: set[ast.AST] = set()
    for node in nodes:
        if node in inner:
            inner.update(ast.iter_child_nodes(node))
            continue
        if isinstance(node, _TEXTS) and not _calls_with_options(node):
            texts = _texts(node, names)
            found: dict[str, dict[str, None]] = {}
            for name, value in (pair for option in texts for pair in _given(option)):
                found.setdefault(name, {})[value] = None
            for name, values in found.items():
                yield name, tuple(values), node.lineno
            if found:
                inner.update(ast.iter_child_nodes(node))
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2:
            yield from _macro(node, names)


def _given(option: str) -> list[tuple[str, str]]:
    return [*_OPTION.findall(option), *((name, "1") for name in _SWITCH.findall(option))]


def _calls_with_options(node: ast.expr) -> bool:
    """Whether a call is none that makes a text: its arguments are looked at by themselves."""
    return isinstance(node, ast.Call) and not (isinstance(node.func, ast.Attribute) and node.func.attr == "format")


def _macro(node: ast.Tuple, names: dict[str, list[ast.expr]]) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield the macro of a pair as setuptools takes it in `define_macros`: `("BLOCK", "256")`."""
    first, second = node.elts
    if not isinstance(first, ast.Constant) or not isinstance(first.value, str) or not _MACRO.fullmatch(first.value):
        return
    if first.value.isupper() or "_" in first.value:
        is_switch = isinstance(second, ast.Constant) and second.value is None and first.value.isupper()
        values = ("1",) if is_switch else tuple(filter(_VALUE.fullmatch, _texts(second, names)))
        if values:
            yield first.value, values, node.lineno


def _names(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    """Return what each name, attribute and option of the command line may hold."""
    names: dict[str, list[ast.expr]] = {}

    def assign(target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            names.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Attribute):
            names.setdefault(target.attr, []).append(value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, its in zip(target.elts, value.elts, strict=True):
                assign(one, its)

    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                assign(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            assign(node.target, node.value)
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.List | ast.Tuple):
            for element in node.iter.elts:
                assign(node.target, element)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            default = next((keyword.value for keyword in node.keywords if keyword.arg == "default"), None)
            for option in node.args if default is not None else ():
                if isinstance(option, ast.Constant) and isinstance(option.value, str) and default is not None:
                    names.setdefault(option.value.lstrip("-").replace("-", "_"), []).append(default)
    return names


def _texts(node: ast.expr, names: dict[str, list[ast.expr]], nest: int = _NEST) -> tuple[str, ...]:
    """Return the texts that an expression may be; empty where that is not known."""
    if nest == 0:
        return ()
    if isinstance(node, ast.Constant):
        return (str(int(node.value) if isinstance(node.value, bool) else node.value),) if node.value is not None else ()
    if isinstance(node, ast.JoinedStr):
        return _joined([_texts(part, names, nest) for part in node.values])
    if isinstance(node, ast.FormattedValue):
        return _texts(node.value, names, nest - 1)
    if isinstance(node, ast.Name | ast.Attribute):
        held = names.get(node.id if isinstance(node, ast.Name) else node.attr, ())
        return tuple(dict.fromkeys(text for value in held for text in _texts(value, names, nest - 1)))[:MOST]
    if isinstance(node, ast.BinOp):
        return _combined(node, names, nest)
    if isinstance(node, ast.IfExp):
        return (*_texts(node.body, names, nest - 1), *_texts(node.orelse, names, nest - 1))
    if isinstance(node, ast.Call):
        return _called(node, names, nest)
    return ()


def _joined(parts: list[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple("".join(chosen) for chosen in islice(product(*parts), MOST))


def _combined(node: ast.BinOp, names: dict[str, list[ast.expr]], nest: int) -> tuple[str, ...]:
    """Return what texts or whole numbers give together."""
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        right = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        return _filled(re.split(r"%[\w.]", node.left.value), [_texts(part, names, nest - 1) for part in right])
    pairs = list(islice(product(_texts(node.left, names, nest - 1), _texts(node.right, names, nest - 1)), MOST))
    found: dict[str, None] = {}
    for left, right_text in pairs:
        if left.isdecimal() and right_text.isdecimal() and not (_is_text(node.left) or _is_text(node.right)):
            value = _computed(node.op, int(left), int(right_text))
            found.update({} if value is None else {str(value): None})
        elif isinstance(node.op, ast.Add):
            found[left + right_text] = None
    return tuple(found)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _computed(operator: ast.operator, left: int, right: int) -> int | None:
    sign = _OPERATORS.get(type(operator))
    if sign == "//":
        return left // right if right else None
    if sign in ("**", "<<"):
        return int(left**right if sign == "**" else left << right) if right < 64 and left < 1 << 16 else None
    return {"*": left * right, "-": left - right, "+": left + right}.get(sign or "")


def _called(node: ast.Call, names: dict[str, list[ast.expr]], nest: int) -> tuple[str, ...]:
    """Return what `str(x)`, `"{}".format(x)` or the default of an environment variable may be."""
    function, arguments = node.func, node.args
    if isinstance(function, ast.Name) and function.id in _CONVERSIONS and len(arguments) == 1:
        return _texts(arguments[0], names, nest - 1)
    if not isinstance(function, ast.Attribute):
        return ()
    if function.attr in _ENVIRONMENT and len(arguments) == 2:
        return _texts(arguments[1], names, nest - 1)
    if function.attr == "format" and isinstance(function.value, ast.Constant) and isinstance(function.value.value, str):
        pieces = re.split(r"\{\d*\}", function.value.value)
        return _filled(pieces, [_texts(argument, names, nest - 1) for argument in arguments])
    return ()


def _filled(pieces: list[str], values: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return a text with values between its pieces; empty where the numbers of both do not fit."""
    if len(pieces) != len(values) + 1:
        return ()
    parts: list[tuple[str, ...]] = [(pieces[0],)]
    for value, piece in zip(values, pieces[1:], strict=True):
        parts += [value, (piece,)]
    return _joined(parts)
