"""The numbers of kinds are those of libclang's own module."""

from __future__ import annotations

from types import ModuleType

import pytest
from clang.cindex import CursorKind, TypeKind

from coalint.frontend.cuda.libclang import cursor_kinds, type_kinds

SPELLED = {"STMT_EXPR": "StmtExpr"}


@pytest.mark.parametrize(("module", "of"), [(cursor_kinds, CursorKind), (type_kinds, TypeKind)])
def test_each_number_is_that_of_cindex(module: ModuleType, of: type) -> None:
    numbers = {name: number for name, number in vars(module).items() if isinstance(number, int)}
    assert len(numbers) > 30
    for name, number in numbers.items():
        assert getattr(of, SPELLED.get(name, name)).value == number, name
