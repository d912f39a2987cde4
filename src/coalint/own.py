"""The rules that coalint reports under itself: what it could not read or analyse. The linter issues them."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.diagnostics import Confidence, Finding, Fix, Severity, Span
from coalint.rule import Context, Rule


class OwnRule(Rule):
    """A rule whose findings the linter issues from problems, not from analysed kernels."""

    def check(self, context: Context) -> Iterator[Finding]:
        """Nothing: an analysed kernel never gives such a finding."""
        return iter(())

    @classmethod
    def report(
        cls, message: str, span: Span, kernel: str | None, severity: Severity, help: str, fix: Fix | None = None
    ) -> Finding:
        """A finding of this rule about a problem at `span`."""
        return Finding(cls.code, cls.name, severity, Confidence.HIGH, message, span, kernel, help=help, fix=fix)


class UnusedSuppression(OwnRule):
    """A comment hides findings that there are not.

    ## What it does
    Reports a `coalint: ignore`, `ignore-file` or `disable` comment, or one of the rules that it names, when nothing is
    found that it would hide. `coalint lint --fix` removes it. A comment is judged only where the rules ran that it
    names, and where the code was analysed: not between `#if` and `#endif`, not in a kernel that was not analysed, nor
    in a header outside of the kernels that this run saw launched.

    ## Why is this bad
    It outlives the code that it was written for, and hides what comes there later.

    ## Example
    ```cuda
    out[i] = in[i];  // coalint: ignore[uncoalesced-global-access] rows are short
    ```

    ## Use instead
    ```cuda
    out[i] = in[i];
    ```
    """

    name = "unused-suppression"
    code = "COA901"
    severity = Severity.WARNING


class TranslationUnitError(OwnRule):
    """A part of the file could not be parsed.

    ## What it does
    Reports an error of the parser: a syntax error, an include that was not found, a type that nothing declares. Also a
    file of which nothing was analysed: libclang crashed on it, or it took more time or memory than
    `--timeout-per-file` and `--memory-per-file` allow.

    ## Why is this bad
    A kernel that the error touches is not analysed, or only in part, so that a clean report says nothing about it.
    The other kernels of the file are analysed as usual. The severity is info when an include is missing, since
    a checkout often lacks the headers of its dependencies, and for names outside of kernels that no header declares,
    since coalint's own headers do not have all that a library has; it is warning otherwise.

    ## Example
    ```cuda
    #include "tensor.cuh"   // lies in third_party/include, which coalint was not told about
    ```

    ## Use instead
    ```
    coalint lint kernels/ -I third_party/include -D BLOCK=256
    ```
    """

    name = "translation-unit-error"
    code = "COA902"
    severity = Severity.WARNING


class NotAnalysed(OwnRule):
    """A kernel was parsed and yet could not be analysed.

    ## What it does
    Names the kernel and the reason: it stands in an inactive `#if` branch, is a template that nothing instantiates or
    that the arguments which coalint tried do not fit, uses something that the analysis does not follow, or takes longer
    than `--timeout-per-file` allows.

    ## Why is this bad
    It need not be: the finding only says that the report is silent about this kernel.

    ## Example
    ```cuda
    template <typename Op> __global__ void apply(Op op, float *x);   // no launch says what Op is
    ```

    ## Use instead
    Launch the kernel in the same file, check it together with the files that do, or define the macro that makes it
    active with `-D`.
    """

    name = "not-analysed"
    code = "COA903"
    severity = Severity.INFO


class InvalidComment(OwnRule):
    """A comment to coalint cannot be understood.

    ## What it does
    Reports a comment that begins with `coalint:` and has no effect: a word that coalint does not know, a rule that does
    not exist, brackets that do not close, a `disable` without `enable`, an `ignore-file` behind code.

    ## Why is this bad
    What it was meant to say is not heard.

    ## Example
    ```cuda
    out[i] = in[2 * i];  // coalint: ignore[uncoalesced-access]
    ```

    ## Use instead
    ```cuda
    out[i] = in[2 * i];  // coalint: ignore[uncoalesced-global-access]
    ```
    """

    name = "invalid-comment"
    code = "COA904"
    severity = Severity.WARNING


OWN_RULES: tuple[type[OwnRule], ...] = (UnusedSuppression, TranslationUnitError, NotAnalysed, InvalidComment)
