"""The kinds of libclang's types as numbers (clang-c/Index.h): `clang.cindex` looks each of them up, each time.

Where the front end is compiled they are constants of C.
"""

from __future__ import annotations

from typing import Final

VOID: Final = 2
BOOL: Final = 3
CHAR_U: Final = 4
UCHAR: Final = 5
USHORT: Final = 8
UINT: Final = 9
ULONG: Final = 10
ULONGLONG: Final = 11
CHAR_S: Final = 13
SCHAR: Final = 14
WCHAR: Final = 15
SHORT: Final = 16
INT: Final = 17
LONG: Final = 18
LONGLONG: Final = 19
FLOAT: Final = 21
DOUBLE: Final = 22
LONGDOUBLE: Final = 23
NULLPTR: Final = 24
HALF: Final = 31
POINTER: Final = 101
LVALUEREFERENCE: Final = 103
RVALUEREFERENCE: Final = 104
RECORD: Final = 105
ENUM: Final = 106
TYPEDEF: Final = 107
CONSTANTARRAY: Final = 112
VECTOR: Final = 113
INCOMPLETEARRAY: Final = 114
VARIABLEARRAY: Final = 115
DEPENDENTSIZEDARRAY: Final = 116
MEMBERPOINTER: Final = 117
ELABORATED: Final = 119
