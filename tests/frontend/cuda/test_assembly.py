"""Reading inline PTX: the asm statement as C++ writes it, and the instructions of its template."""

from __future__ import annotations

import pytest

from coalint.analysis.interpreter.calls.ptx.instructions import Where, instructions, is_torn
from coalint.frontend.cuda.lowering.gpu.assembly import parse_assembly


@pytest.mark.parametrize(
    ("text", "template", "operands"),
    [
        ('asm("mov.u32 %0, %1;" : "=r"(a) : "r"(b)); x();', "mov.u32 %0, %1;", (("", "=r"), ("", "r"))),
        (
            'asm volatile ("cp.async.ca.shared.global [%0], [%1], %2;\\n" :: "r"(f(a, "b")), "l"(p), "n"(4) : "cc");',
            "cp.async.ca.shared.global [%0], [%1], %2;\n",
            (("", "r"), ("", "l"), ("", "n")),
        ),
        (
            '__asm__ __volatile__("a;" /* one */ "b;" // two\n : [to] "=r"(v[0]), "+f"(w) : [from] "r"(x ? y : z));',
            "a;b;",
            (("to", "=r"), ("", "+f"), ("from", "r")),
        ),
        ('asm volatile(R"(st.shared.u32 [%0], %1;)" : : "r"(a), "r"(b));', "st.shared.u32 [%0], %1;", (("", "r"),) * 2),
        (
            'ST(a, b) \\\n  asm volatile("st.u32 [%0], %1;" \\\n :: "l"(a), "r"(b))',
            "st.u32 [%0], %1;",
            (("", "l"), ("", "r")),
        ),
        ('asm("ld.global." NAME " %0, [%1];" : "=r"(a) : "l"(p));', "ld.global.? %0, [%1];", (("", "=r"), ("", "l"))),
        ('asm volatile("bar.sync 0;");', "bar.sync 0;", ()),
    ],
)
def test_an_asm_statement_is_read_from_its_text(
    text: str, template: str, operands: tuple[tuple[str, str], ...]
) -> None:
    written = parse_assembly(text)
    assert written is not None
    assert (written.template, written.operands) == (template, operands)


@pytest.mark.parametrize("text", ["", "x = 1;", 'asm("a" : "r"(', 'TWO asm("a;"); asm("b;")'])
def test_what_is_no_asm_statement_is_none(text: str) -> None:
    assert parse_assembly(text) is None


@pytest.mark.parametrize(
    ("text", "space", "size", "addresses"),
    [
        ("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0,%1,%2,%3}, [%4];", "global", 16, (Where("%4", 0),)),
        ("st.shared.b8 [%[to] + 0x10], %1;", "shared", 1, (Where("%[to]", 16),)),
        ("st.volatile.shared::cta.v2.u64 [%0-8], {%1, %2};", "shared", 16, (Where("%0", -8),)),
        ("ld.f16x2 %0, [%1];", "", 4, (Where("%1", 0),)),
        ("atom.global.add.f64 %0, [%1], %2;", "global", 8, (Where("%1", 0),)),
        ("cp.async.cg.shared.global [%0], [%1], 16;", "shared", 0, (Where("%0", 0), Where("%1", 0))),
        ("ld.shared.u32 %0, [%1 + %2];", "shared", 4, (None,)),
    ],
)
def test_an_instruction_says_what_it_moves_and_where(
    text: str, space: str, size: int, addresses: tuple[Where | None, ...]
) -> None:
    (found,) = instructions(text)
    assert (found.space, found.bytes, found.addresses) == (space, size, addresses)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('asm("cp.async.cg.shared.global" L2(128) " [%0], [%1], %2;" :: "r"(a), "l"(p), "n"(16));', ("%2",)),
        ('asm("cp.async.ca.shared::cta.global" HINT " [%0], [%1], 8;" :: "r"(a), "l"(p));', ("8",)),
        ('asm("cp.async" ".ca.shared.global [%0], [%1], 4;" :: "r"(a), "l"(p));', ("4",)),
    ],
)
def test_a_macro_may_add_hints_to_a_copy(text: str, arguments: tuple[str, ...]) -> None:
    written = parse_assembly(text)
    assert written is not None
    (found,) = instructions(written.template)
    assert (found.opcode.partition(".c")[0], found.arguments) == ("cp.async", arguments)


def test_a_macro_may_hide_what_a_load_is() -> None:
    written = parse_assembly('asm("ld.global" VECTOR ".f32 %0, [%1];" : "=f"(a) : "l"(p));')
    assert written is not None
    assert [found.bytes for found in instructions(written.template)] == [0]


def test_a_template_may_hold_scopes_comments_declarations_and_predicates() -> None:
    found = list(
        instructions(
            """{ .reg .pred p;  // a predicate
               setp.ne.b32 p, %2, 0; /* st.u32 [%9], 0; */
            LOOP: @!p st.global.u32 [%0], %1;
               @p bra LOOP; }"""
        )
    )
    assert [(i.opcode, i.guard, i.negated) for i in found] == [
        ("setp.ne.b32", "", False),
        ("st.global.u32", "p", True),
        ("bra", "p", False),
    ]
    assert found[0].arguments == ("p", "%2", "0")


@pytest.mark.parametrize(
    ("template", "torn"),
    [
        ("ld.global.u32 %0, [%1];", False),
        ("ld.global.? %0, [%1];", True),
        ("? %0, [%1];", True),
        ("{.reg .pred p; setp.ne.b32 p, %2, 0; @p ? %0, [%1];}", True),
        ("mov.u32 %0, ?; // why?", False),
        ("cp.async.cg.shared.global? [%0], [%1], 16;", False),
    ],
)
def test_an_instruction_whose_name_is_not_told_may_be_any(template: str, torn: bool) -> None:
    assert is_torn(template) is torn
