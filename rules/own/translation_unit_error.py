"""COA902: a part of a file could not be parsed."""

from __future__ import annotations

from coalint.core.findings import Severity
from coalint.rule import OwnRule


class TranslationUnitError(OwnRule):
    """A part of the file could not be parsed.

    ## What it does
    Reports an error of the parser: a syntax error, an include that was not found, a type that nothing declares. Also a
    file of which nothing was analysed: libclang crashed on it, or it took more time or memory than
    `--timeout-per-file` and `--memory-per-file` allow.

    A macro to which a build file of the repository gives a value is supposed to have it, which is said. What several
    places and files lack, a name or a header, is one finding with the list of its places.

    ## Why is this bad
    A kernel that the error touches is not analysed, or only in part, so that a clean report says nothing about it.
    The other kernels of the file are analysed as usual. The severity is warning for text that is no C++, and for a
    file of which nothing was analysed. It is info when an include is missing, since a checkout often lacks the headers
    of its dependencies, and for what a name or an expression means, since coalint's own headers do not have all that a
    library has: what nvcc compiles is no fault of the program. It is info, too, for a header that is checked by
    itself, since what includes it may have what it lacks, for a text that a program fills in before it is compiled
    (`load_{name}()`), for one that a reader fills in (`int i = FIXME`, `TODO`, `____`), and for one that neither holds
    a kernel nor launches one. The report counts kernels with such errors as read in part.

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
