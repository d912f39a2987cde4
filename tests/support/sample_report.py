"""A report with one finding, and its text on a terminal of 80 columns."""

from __future__ import annotations

import io

from coalint.core.findings import Confidence, Finding, Note, Severity
from coalint.core.source.spans import Span
from coalint.engine.report import Coverage, Diagnostic, Report
from coalint.reporters.lint.full import print_report
from coalint.reporters.lint.text.detail import Detail
from coalint.reporters.shared.console import console

SOURCE = """\
__global__ void copy(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

\tout[i] = in[2 * i];
}
"""

FINDING = Finding(
    code="COA101",
    name="uncoalesced-global-access",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    message="8 sectors per request (ideal: 4): neighbouring lanes are 8 bytes apart, so that half of what is moved "
    "is not used",
    span=Span("k.cu", 4, 11, 4, 20),
    kernel="copy",
    notes=(Note("threadIdx.x enters here", Span("k.cu", 2, 39, 2, 50)), Note("and is multiplied by 2")),
    help="let neighbouring lanes take neighbouring elements",
)

COVERAGE = Coverage(3, 2, 9, 6, 1, 2, {"the index is loaded from memory": 1, "a call that is not followed": 1})

REPORT = Report(
    (Diagnostic(FINDING, "256 threads (launch at line 90)", ("64 threads (launch at line 91)",)),),
    COVERAGE,
    (),
    2,
    {"k.cu": SOURCE},
)


def printed(report: Report, color: str = "never", **detail: bool) -> str:
    out = io.StringIO()
    print_report(report, console(color, out), Detail(**detail))
    return out.getvalue()
