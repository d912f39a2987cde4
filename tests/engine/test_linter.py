"""How findings become a report: what is replaced, merged, filtered, counted and named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from synthetic import access, analysis, changed

from coalint.core.facts.access import Access
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.findings import Finding, Severity
from coalint.core.source.spans import Span
from coalint.engine.check.kernel import check_kernel
from coalint.engine.check.records import CheckedKernel, FileResult, Job
from coalint.engine.config.settings import Settings
from coalint.engine.findings.filters.selection import RuleSelections
from coalint.engine.findings.gather import gather
from coalint.engine.linter import lint
from coalint.engine.registry import Registry, RegistryError, load_rules, own_rules
from coalint.engine.report import Failure, Report
from coalint.engine.request import RunRequest
from coalint.machine.architecture import architecture
from coalint.machine.traffic import cost_of
from coalint.rule import Context, Rule
from coalint.rules.own.not_analysed import NotAnalysed

SOURCE = "".join(f"line {number} of the kernel = in[stride * {number}];\n" for number in range(1, 100))


class Costly(Rule):
    """Any excess."""

    name, code, severity = "costly", "TST101", Severity.WARNING

    def check(self, context: Context) -> Iterator[Finding]:
        for at, cost in context.traffics:
            if cost is not None and cost.excess > 0:
                yield self.finding(at, "too many sectors", help="move less", cost=cost_of(at, cost))


class Strided(Costly):
    """A stride of 8 bytes."""

    name, code, refines = "strided", "TST102", ("costly",)

    def check(self, context: Context) -> Iterator[Finding]:
        for at, _ in context.traffics:
            if at.strides[0] == 8:
                yield self.finding(at, "every second float", help="read both")


class Best(Strided):
    """Names the cause best of all."""

    name, code, refines = "best", "TST103", ("strided",)

    def check(self, context: Context) -> Iterator[Finding]:
        for at, _ in context.traffics:
            if at.expression == "pair[i].x":
                yield self.finding(at, "a field of a pair", help="split the pair")


class Preview(Costly):
    """Not ready."""

    name, code, status = "early", "TST104", "preview"


class Failing(Rule):
    """Fails."""

    name, code, severity = "failing", "TST900", Severity.ERROR

    def check(self, context: Context) -> Iterator[Finding]:
        raise ZeroDivisionError("no lanes")


REGISTRY = Registry((Costly, Strided, Best, Preview), own_rules())


DEFAULT = Settings()


def strided(bytes: int, **changes: object) -> Access:
    at = access(lambda x, y, z: bytes * (x + 32 * y), expression=str(changes.pop("expression", "in[i]")))
    return changed(at, **changes)


def checked(
    of: Analysis, rules: tuple[type[Rule], ...] = REGISTRY.rules, failures: list[Failure] | None = None
) -> CheckedKernel:
    return check_kernel("k.cu", of, Job((), architecture("sm_80"), rules), failures if failures is not None else [])


def report(*kernels: CheckedKernel, settings: Settings = DEFAULT, problems: tuple[Finding, ...] = ()) -> Report:
    defined = tuple((kernel.kernel, kernel.span) for kernel in kernels)
    result = FileResult("k.cu", defined, kernels, problems, (), {"k.cu": SOURCE})
    return gather([result], RuleSelections(lambda _: settings, REGISTRY))


def names(of: Report) -> list[str]:
    return [diagnostic.finding.name for diagnostic in of.diagnostics]


def at(line: int) -> Span:
    return Span("k.cu", line, 5, line, 12)


def launched(of: Analysis, block: tuple[int, int, int], line: int, *arguments: str) -> Analysis:
    spec = Specialization("k", arguments, block, LaunchSource.LAUNCH, line)
    return replace(of, specialization=spec, accesses=tuple(replace(a, specialization=spec) for a in of.accesses))


def test_a_finding_takes_the_place_of_those_that_it_refines_directly_or_not() -> None:
    assert names(report(checked(analysis(strided(12))))) == ["costly"]
    assert names(report(checked(analysis(strided(8))))) == ["strided"]
    assert names(report(checked(analysis(strided(8, expression="pair[i].x"))))) == ["best"]
    assert names(report(checked(analysis(strided(12, expression="pair[i].x"))))) == ["best"]


def test_only_findings_at_the_same_place_are_replaced() -> None:
    kernel = analysis(strided(8, expression="pair[i].x"), strided(8, span=at(20)))
    assert names(report(checked(kernel))) == ["best", "strided"]


def test_findings_come_in_the_order_of_the_source() -> None:
    kernel = analysis(strided(12, span=at(30)), strided(8, span=at(9)), strided(12, span=at(20)))
    assert [d.finding.span.line for d in report(checked(kernel)).diagnostics] == [9, 20, 30]


def test_one_place_in_several_launches_is_one_finding_the_worst_and_names_the_others() -> None:
    mild = launched(analysis(strided(12)), (256, 1, 1), 40)
    bad = launched(analysis(strided(64)), (32, 8, 1), 41, "float", "4")
    (diagnostic,) = report(checked(mild), checked(bad)).diagnostics
    assert diagnostic.finding.cost is not None
    assert (diagnostic.finding.cost.count, diagnostic.finding.cost.ideal) == (32, 4)
    assert diagnostic.basis == "k<float, 4> with 32x8 threads (launch at line 41)"
    assert diagnostic.also == ("k with 256 threads (launch at line 40): 12 sectors per request (ideal: 4)",)


def test_instances_that_cost_alike_are_named_together() -> None:
    bad = launched(analysis(strided(64)), (32, 8, 1), 41, "float", "16")
    alike = [launched(analysis(strided(12)), (32, 8, 1), 41, "float", str(n)) for n in range(1, 6)]
    (diagnostic,) = report(checked(bad), *map(checked, alike)).diagnostics
    (also,) = diagnostic.also
    assert also.startswith("k<float, 1>, k<float, 2>, k<float, 3> and 2 more instances with 32x8 threads")
    assert "sectors per request (ideal: 4)" in also


def test_other_launches_with_the_same_numbers_come_first_and_without_them() -> None:
    kernels = [launched(analysis(strided(b)), (32, n, 1), n) for b, n in [(12, 4), (64, 6), (64, 8)]]
    (diagnostic,) = report(*(checked(kernel) for kernel in kernels)).diagnostics
    assert diagnostic.also == (
        "32x8 threads (launch at line 8)",
        "32x4 threads (launch at line 4): 12 sectors per request (ideal: 4)",
    )


def test_the_basis_says_what_else_was_assumed() -> None:
    (diagnostic,) = report(checked(analysis(strided(64, assumed=("rows start at a sector",))))).diagnostics
    assert diagnostic.basis == "32x8 threads (launch at line 90); rows start at a sector"


def test_the_basis_names_the_arguments_that_the_access_speaks_of() -> None:
    at = strided(64, expression="in[width * i]")
    spec = replace(at.specialization, arguments=(("width", 16), ("n", 512)))
    (diagnostic,) = report(checked(analysis(replace(at, specialization=spec)))).diagnostics
    assert diagnostic.basis == "32x8 threads (launch at line 90); width = 16"


def test_a_kernel_that_two_files_include_counts_once() -> None:
    kernel = checked(analysis(strided(64)))
    result = FileResult("k.cu", (("k", kernel.span),), (kernel,), (), (), {"k.cu": SOURCE})
    both = gather([result, replace(result, path="other.cu")], RuleSelections(lambda _: Settings(), REGISTRY))
    assert len(both.diagnostics) == 1
    assert (both.coverage.kernels, both.coverage.analysed, both.coverage.accesses) == (1, 1, 1)


def test_select_runs_only_the_named_rules_so_that_the_general_one_shows() -> None:
    kernel = analysis(strided(8))
    general = Settings(select=("TST101",))
    assert names(report(checked(kernel, (Costly,)), settings=general)) == ["costly"]


def test_ignore_hides_a_finding_without_bringing_back_what_it_replaced() -> None:
    assert names(report(checked(analysis(strided(8))), settings=Settings(ignore=("strided",)))) == []
    assert names(
        report(checked(analysis(strided(8), strided(12, span=at(20)))), settings=Settings(ignore=("TST102",)))
    ) == ["costly"]


def test_a_preview_rule_needs_its_own_code_or_name() -> None:
    kernel = checked(analysis(strided(12)))
    assert "early" not in names(report(kernel))
    assert "early" not in names(report(kernel, settings=Settings(select=("TST",))))
    assert names(report(kernel, settings=Settings(select=("early",)))) == ["early"]


def test_an_unknown_selector_is_an_error() -> None:
    with pytest.raises(RegistryError, match="did you mean `strided`"):
        report(checked(analysis(strided(8))), settings=Settings(ignore=("stridde",)))


def test_a_rule_that_fails_costs_its_own_findings_and_is_reported_with_the_kernel() -> None:
    failures: list[Failure] = []
    kernel = checked(analysis(strided(8)), (Failing, Strided), failures)
    assert [found.finding.name for found in kernel.findings] == ["strided"]
    (text,) = map(str, failures)
    assert text.startswith("internal error: k.cu: ZeroDivisionError in test_linter.py:")
    assert "in the rule failing on the kernel k: no lanes" in text
    assert "please report it" in text


def test_coverage_counts_accesses_by_what_is_known_of_them() -> None:
    kernel = analysis(strided(4), strided(8, exact=False), access(None), access(None))
    coverage = report(checked(kernel)).coverage
    assert (coverage.accesses, coverage.exact, coverage.symbolic, coverage.unknown) == (4, 1, 1, 2)
    assert coverage.reasons == {"not known": 2}


def test_a_kernel_that_was_lost_counts_as_not_analysed() -> None:
    problem = NotAnalysed.report("no", at(50), "lost", Severity.INFO, "")
    whole = report(checked(analysis(strided(4))), problems=(problem,))
    assert (whole.coverage.kernels, whole.coverage.analysed) == (2, 1)
    assert names(whole) == ["not-analysed"]
    assert names(report(problems=(problem,), settings=Settings(ignore=("COA903",)))) == []


def test_exit_codes_follow_the_threshold() -> None:
    found = report(checked(analysis(strided(8))))
    assert [found.exit_code(severity) for severity in Severity] == [1, 1, 0]
    assert report(checked(analysis(strided(4)))).exit_code(Severity.INFO) == 0
    assert replace(found, failures=(Failure.input("no", ""),)).exit_code(Severity.ERROR) == 2


def fingerprints(source: str, *accesses: Access) -> list[str]:
    result = FileResult("k.cu", (), (checked(analysis(*accesses)),), (), (), {"k.cu": source})
    return [d.finding.fingerprint for d in gather([result], RuleSelections(lambda _: Settings(), REGISTRY)).diagnostics]


def test_fingerprints_survive_lines_inserted_above_and_other_counts() -> None:
    text = "    v = in[8 * i];\n"
    span = Span("k.cu", 10, 9, 10, 18)
    before = fingerprints("\n" * 9 + text, strided(64, span=span))
    after = fingerprints("\n" * 12 + text, strided(128, span=replace(span, line=13, end_line=13)))
    assert before == after


def test_fingerprints_tell_equal_lines_apart_and_different_expressions() -> None:
    text = "    v = in[8 * i];\n" * 2 + "    v = in[9 * i];\n"
    spans = [Span("k.cu", line, 9, line, 18) for line in (1, 2, 3)]
    assert len(set(fingerprints(text, *(strided(64, span=span) for span in spans)))) == 3


def test_a_header_is_judged_by_the_launches_that_include_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read alone, the header's template has no arguments and `SCALE` no meaning; neither is reported then."""
    monkeypatch.chdir(tmp_path)
    header = "template <int S> __global__ void k(float *out) { out[threadIdx.x * S * SCALE] = 0; }\n"
    Path("kernel.cuh").write_text(header)
    Path("main.cu").write_text('#define SCALE 2\n#include "kernel.cuh"\nvoid run(float *p) { k<3><<<1, 96>>>(p); }\n')
    report = lint(RunRequest(files=["kernel.cuh", "main.cu"], settings=Settings()), load_rules())
    assert [(d.finding.code, d.finding.span.file) for d in report.diagnostics] == [("COA101", "kernel.cuh")]
    assert "launch at main.cu:3" in report.diagnostics[0].basis
    assert (report.coverage.kernels, report.coverage.analysed) == (1, 1)
