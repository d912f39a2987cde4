"""Inline assembly that the compiler keeps in its place, as texts spell it."""

from __future__ import annotations

import pytest

from coalint.frontend.cuda.unit.volatile_texts import has_volatile_assembly


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ('asm volatile("");', True),
        ('__asm__ __volatile__ ("bar.sync 0;");', True),
        ("asm\n  volatile(X)", True),
        ("#define BARRIER asm \\\n volatile", True),
        ('asm("membar.gl;" ::: "memory");', True),
        ('asm("add.u32 %0, %1, %2;" : "=r"(x) : "r"(y), "r"(z));', False),
        ("volatile int asm_volatile;", False),
        ("plasm volatile", False),
        ("asm volatiles", False),
        ("__asm volatile", True),
    ],
)
def test_assembly_that_stays_in_its_place_is_seen(text: str, held: bool) -> None:
    assert has_volatile_assembly(["int x;", text]) is held
