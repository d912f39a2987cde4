"""What the pipeline is asked for: the files of a run, their settings, and how the run is executed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from coalint.core.facts.assumptions import NOTHING, Given
from coalint.core.facts.profiled_launch import ProfiledLaunch
from coalint.core.records import record
from coalint.engine.check.lines import Line
from coalint.engine.check.records import Overlay
from coalint.engine.config.settings import Settings, SettingsOf
from coalint.engine.execution.progress import Follower

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from coalint.engine.report import Report


@record(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """The input of `lint` and `inspect`.

    Attributes:
        files: Paths of the files to check.
        named: What the user named: files, and folders that hold the others. Outside of a git repository, such a folder
            is where headers are looked for.
        settings: The settings of the run as a whole: processes, limits, cache.
        settings_of: Returns the settings of one file; `settings` apply to every file where it is None.
        progress: Called while the run goes on.
        finished: Called with the report on one file, as soon as it is checked: the findings in it that no other file of
            the run can take back. A file that others launch kernels of may have more of them at the end.
        executor: Runs the check of each file. None stands for `settings.jobs` processes of this machine, under the
            limits of the settings. The check is a pure function, so any executor that sees the same files will do.
        overlay: Texts that replace the contents of files.
        given: Numbers and a block shape that override what is known of every launch.
        with_models: Whether to keep every access together with a model from which it can be recomputed.
        with_forms: Whether to look for formulas of how often accesses are executed.
        with_formulas: Whether findings have formulas of their weights beside samples.
        line: The only line that is asked about, None for all: kernels whose code does not hold it are left out.
        profiled: Launches that are analysed in any case, with the instances of templates that they are of.
    """

    files: Sequence[str]
    settings: Settings
    named: Sequence[str] = ()
    settings_of: SettingsOf | None = None
    progress: Follower | None = None
    finished: Callable[[Report], None] | None = None
    executor: Executor | None = None
    overlay: Overlay = ()
    given: Given = NOTHING
    with_models: bool = False
    with_forms: bool = False
    with_formulas: bool = False
    line: Line | None = None
    profiled: tuple[ProfiledLaunch, ...] = ()

    def settings_for(self, path: str) -> Settings:
        """Return the settings of one file."""
        return self.settings if self.settings_of is None else self.settings_of(path)
