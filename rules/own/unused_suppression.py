"""COA901: a comment hides findings that there are not."""

from __future__ import annotations

from coalint.core.findings import Severity
from coalint.rule import OwnRule


class UnusedSuppression(OwnRule):
    """A suppression comment hides no finding.

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
