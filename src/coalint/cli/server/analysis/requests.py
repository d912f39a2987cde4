"""What the analysis process is asked, and its answers that are no reports."""

from __future__ import annotations

from coalint.core.records import record
from coalint.core.source.spans import Edit
from coalint.engine.check.records import Overlay


@record(frozen=True, slots=True, kw_only=True)
class LintFile:
    """Asks for the Report on a file; None where the settings exclude the file.

    Attributes:
        path: The file.
        overlay: The texts of all open files.
    """

    path: str
    overlay: Overlay


@record(frozen=True, slots=True, kw_only=True)
class InspectFile:
    """Asks for the Inspection of a file: every access and barrier.

    Attributes:
        path: The file.
        overlay: The texts of all open files.
        line: The line (from 1) that alone is asked about, so that kernels which do not hold it are left out; 0 for all.
    """

    path: str
    overlay: Overlay
    line: int = 0


@record(frozen=True, slots=True, kw_only=True)
class FindRemedies:
    """Asks what can be done about findings of a file: a tuple with one Remedy for each fingerprint.

    Attributes:
        path: The file.
        overlay: The texts of all open files.
        fingerprints: The findings.
    """

    path: str
    overlay: Overlay
    fingerprints: tuple[str, ...]


@record(frozen=True, slots=True, kw_only=True)
class FixFile:
    """Asks for all safe fixes of a file that work: the new texts of files by their paths.

    Attributes:
        path: The file.
        overlay: The texts of all open files.
    """

    path: str
    overlay: Overlay


@record(frozen=True, slots=True, kw_only=True)
class Remedy:
    """What can be done about a finding.

    Attributes:
        fix_works: Whether another analysis shows that the finding's fix removes it.
        ignore_comment: The edits that add a comment which hides the finding; empty where none can stand.
    """

    fix_works: bool
    ignore_comment: tuple[Edit, ...]


Request = LintFile | InspectFile | FindRemedies | FixFile
