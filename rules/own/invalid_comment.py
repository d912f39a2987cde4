"""COA904: a comment to coalint cannot be understood."""

from __future__ import annotations

from coalint.core.findings import Severity
from coalint.rule import OwnRule


class InvalidComment(OwnRule):
    """A comment to coalint cannot be understood.

    ## What it does
    Reports a comment that begins with `coalint:` and has no effect: a word that coalint does not know, a rule that does
    not exist, brackets that do not close, a `disable` without `enable`, an `ignore-file` after code.

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
