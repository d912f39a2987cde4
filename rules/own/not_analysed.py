"""COA903: a kernel was parsed and could not be analysed."""

from __future__ import annotations

from coalint.core.findings import Severity
from coalint.rule import OwnRule


class NotAnalysed(OwnRule):
    """A kernel was parsed and yet could not be analysed.

    ## What it does
    Names the kernel and the reason: it stands in an inactive `#if` branch, is a template that nothing instantiates or
    that the arguments which coalint tried do not fit, uses something that the analysis does not follow, takes longer
    than `--timeout-per-file` allows, or is launched with arguments under which no thread reaches a memory access.
    Kernels that one condition leaves out (`#if DIMS >= 3`) are one finding, with the option that makes it hold.
    Where a part of a kernel was not analysed, it names the place: inline PTX that cannot be read, or a branch that no
    thread takes in a block whose shape is only assumed.

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
