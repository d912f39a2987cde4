"""Names of scalar types, as Numba, NumPy and their codes spell them."""

from __future__ import annotations

from coalint.frontend.python.numba.types import (
    BOOLEAN,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    UINT32,
    UINT64,
    Scalar,
    ScalarKind,
)

_COMPLEX64, _COMPLEX128 = Scalar(ScalarKind.COMPLEX, 64), Scalar(ScalarKind.COMPLEX, 128)
_INT8, _INT16 = Scalar(ScalarKind.SIGNED, 8), Scalar(ScalarKind.SIGNED, 16)
_UINT8, _UINT16 = Scalar(ScalarKind.UNSIGNED, 8), Scalar(ScalarKind.UNSIGNED, 16)
_FLOAT16 = Scalar(ScalarKind.FLOAT, 16)

_LETTERS = {"i": ScalarKind.SIGNED, "u": ScalarKind.UNSIGNED, "f": ScalarKind.FLOAT, "c": ScalarKind.COMPLEX}
_WIDTHS = {"i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8), "c": (8, 16)}

NAMES: dict[str, Scalar] = {
    **{f"{letter}{size}": Scalar(kind, 8 * size) for letter, kind in _LETTERS.items() for size in _WIDTHS[letter]},
    **{
        f"{kind.value}{bits}": Scalar(kind, bits)
        for kind in (ScalarKind.SIGNED, ScalarKind.UNSIGNED)
        for bits in (8, 16, 32, 64)
    },
    "float16": _FLOAT16,
    "float32": FLOAT32,
    "float64": FLOAT64,
    "complex64": _COMPLEX64,
    "complex128": _COMPLEX128,
    **dict.fromkeys(("bool", "bool_", "boolean", "b1"), BOOLEAN),
    **dict.fromkeys(("half", "e"), _FLOAT16),
    **dict.fromkeys(("single", "float_", "f"), FLOAT32),
    **dict.fromkeys(("double", "d", "float"), FLOAT64),
    "float_": FLOAT32,  # Numba's; NumPy's has gone
    **dict.fromkeys(("int", "int_", "intp", "longlong", "ssize_t", "long_", "q", "l", "p"), INT64),
    **dict.fromkeys(("uint", "uintp", "ulonglong", "size_t", "ulong", "Q", "L"), UINT64),
    **dict.fromkeys(("intc", "i"), INT32),
    **dict.fromkeys(("uintc", "I"), UINT32),
    **dict.fromkeys(("short", "h"), _INT16),
    **dict.fromkeys(("ushort", "H"), _UINT16),
    **dict.fromkeys(("byte", "char", "b"), _INT8),
    **dict.fromkeys(("ubyte", "uchar", "B"), _UINT8),
    **dict.fromkeys(("csingle", "F"), _COMPLEX64),
    **dict.fromkeys(("cdouble", "complex_", "complex", "D"), _COMPLEX128),
}

_MODULES = ("numpy.", "numba.types.", "numba.cuda.", "numba.", "cupy.", "builtins.", "ctypes.c_")
_TYPES_OF_PYTHON = frozenset({"int", "float", "bool", "complex"})


def scalar_named(dotted: str) -> Scalar | None:
    """Return the scalar type that a whole name stands for: `numpy.float32`."""
    for module in _MODULES:
        if dotted.startswith(module):
            name = dotted[len(module) :]
            if module == "builtins." and name not in _TYPES_OF_PYTHON:
                return None
            return NAMES.get(name) if len(name) > 2 or module.startswith("numba") else None
    return None


def scalar_coded(code: str) -> Scalar | None:
    """Return the scalar type that a string stands for: `float32`, `f4`, `<f4`."""
    return NAMES.get(code.lstrip("<=|>"))
