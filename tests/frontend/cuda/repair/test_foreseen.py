"""Names and members that follow from undeclared ones, read off the text before the parser misses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import missing, outcomes
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.libclang.skipped import skipped_lines
from coalint.frontend.cuda.load import load
from coalint.frontend.cuda.repair.declarations import Undeclared
from coalint.frontend.cuda.repair.foreseen import SourceCode, foreseen, missed
from coalint.frontend.cuda.repair.scopes import ScopeKind
from coalint.machine.architecture import architecture


def messages(
    code: str, known: Undeclared, *roots: tuple[str, ...], hidden: tuple[tuple[int, int], ...] = ()
) -> set[str]:
    return {complaint.message for complaint in foreseen(roots, known, SourceCode(code, hidden))}


def member(name: str) -> str:
    return f"no member named '{name}' in 'coalint_undeclared::any_value'"


def test_messages_name_what_is_missed_with_its_namespaces() -> None:
    said = [
        "use of undeclared identifier 'lib'",
        "unknown type name 'box'",
        "no member named 'sort' in namespace 'real::deep'",
        "no member named 'size' in 'real::vector'",
        "expected ';' after expression",
    ]
    assert missed(said) == {("lib",), ("box",), ("real", "deep", "sort")}
    assert missed(said, ["other", "real"]) == {("lib",), ("box",), ("real", "deep", "sort"), ("other",)}


def test_names_in_an_undeclared_namespace() -> None:
    known = Undeclared()
    known.add(("lib", "deep", "f"), ScopeKind.FUNCTION)
    code = "lib::box b; ::lib::f(1); x.lib::g; real::lib::h(); lib::deep::f(lib::deep::y);"
    assert messages(code, known, ("lib",)) == {
        f"no member named '{name}' in namespace 'lib'" for name in ("box", "f", "deep")
    }
    assert messages(code, known, ("lib", "deep")) == {
        f"no member named '{name}' in namespace 'lib::deep'" for name in ("f", "y")
    }


def test_members_of_an_undeclared_type_and_of_what_comes_from_it() -> None:
    known = Undeclared()
    known.add(("box",), ScopeKind.TYPE)
    known.add(("grid",), ScopeKind.TEMPLATE)
    code = "box b = 0; const box &c = b; grid<int, 3> *g; int n; box::kind k; auto v = c.first; other.none; n.none;"
    code += "b.at(n.none)[2].last->more; g->cell; v.inferred; this->b.own; x.b.none; box t[3]; t[1].third;"
    assert messages(code, known, ("box",), ("grid",)) == {
        "no member named 'kind' in 'box'",
        *map(member, ("first", "at", "last", "more", "cell", "inferred", "own", "third")),
    }


def test_what_is_hidden_does_not_count() -> None:
    known = Undeclared()
    known.add(("lib", "x"), ScopeKind.VALUE)
    code = "lib::one; lib::two;"
    assert messages(code, known, ("lib",), hidden=((0, 9),)) == {"no member named 'two' in namespace 'lib'"}


def test_what_conditions_leave_out(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text("#define A 1\n#if A\nint x;\n#else\nint y;\n#endif\n#ifdef B\nint z;\n#endif\n")
    assert skipped_lines(parse(str(file), []), str(file)) == [(4, 6), (7, 9)]
    assert skipped_lines(parse(str(file), []), str(tmp_path / "none.h")) == []


def test_only_what_the_kernels_may_need_is_said_to_be_missing(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(
        "__global__ void k(float *p) { p[threadIdx.x] = lib::scale(lib::one); }\n"
        "#if 0\nvoid off() { lib::never(); }\n#endif\n"
        "// lib::said\n"
        "void unrelated() { lib::elsewhere(); }\n"
    )
    module = load(str(file), (), shared_headers())
    assert module.stubs == ("lib::one", "lib::scale")


def test_a_struct_whose_members_are_missed_with_it_is_unknown_and_no_number(tmp_path: Path) -> None:
    found = outcomes(tmp_path, "out[t] = nodes[t].keys[1] + in[t];", "struct S; __device__ node *nodes;")
    assert found == {"out[t]": "4", "in[t]": "4", "nodes[t]": missing("node"), "nodes": "0"}


def test_a_template_whose_head_holds_an_unknown_macro_is_the_files_own(tmp_path: Path) -> None:
    head = "template <typename T, int N> union _ALIGNAS(sizeof(T) * N) block { T v[N]; };"
    found = outcomes(tmp_path, "block<float, 4> b = *(block<float, 4> *)&in[4 * t]; out[t] = b.v[0];", head)
    assert found == {"*(block<float, 4> *)&in[4 * t]": "16", "out[t]": "4"}


@pytest.mark.parametrize(
    ("macro", "stores"), [("_ALIGNAS", 1), ("LIB_ALIGN", 1), ("LIB_ALIGNED", 1), ("LIB_PACK", 4), ("MALIGN", 4)]
)
def test_an_unknown_macro_that_is_called_an_alignment_is_one(macro: str, stores: int, tmp_path: Path) -> None:
    """Without it, each lane moves its 16 bytes in four instructions, which would be a finding."""
    file = tmp_path / "a.cu"
    file.write_text(
        f"template <typename T, int N> union {macro}(sizeof(T) * N) block {{ T v[N]; }};\n"
        "__global__ void k(float *p) { *(block<float, 4> *)&p[4 * threadIdx.x] = block<float, 4>(); }\n"
    )
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    (checked,) = result.checked
    assert checked.analysis is not None
    assert len(checked.analysis.accesses) == stores
