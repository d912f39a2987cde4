"""Lints and inspects for Python programs, with the configuration files, cache and limits of the commands."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from coalint.api.settings import InspectSettings, LintSettings, loaded
from coalint.engine import linter
from coalint.engine.config.layer import ConfigError
from coalint.engine.config.layers import Configuration
from coalint.engine.config.outputs import FORMATS, WITH_MODELS
from coalint.engine.findings.filters.baseline.known_findings import BaselineError, read_baseline
from coalint.engine.findings.filters.exclusions import Exclusions
from coalint.engine.registry import RegistryError, installed_rules
from coalint.engine.report import Inspection, Report
from coalint.engine.request import RunRequest
from coalint.engine.units.discovery import Discovery, discover
from coalint.engine.units.user_flags import PlanError
from coalint.reporters.rendering import inspection_text, report_text

Path = str | os.PathLike[str]
INSPECTIONS = ("text", "json")
"""The formats of an inspection."""


class Error(ValueError):
    """A setting, a configuration file or a baseline is wrong; the text says what, and what to do."""


def lint(paths: Path | Sequence[Path], **settings: Unpack[LintSettings]) -> Report:
    """Return what `coalint lint` reports for files and folders.

    What cannot be read or analysed is among the `failures` of the report; the rest is reported all the same. Raises
    Error for a wrong setting, and TypeError for one that there is not.
    """
    try:
        registry = installed_rules()
        configuration = loaded(settings, LintSettings, registry)
        request, discovery = _request(paths, configuration)
        request = replace(
            request, with_models=settings.get("accesses", False), with_formulas=settings.get("formulas", False)
        )
        known = request.settings.baseline
        exclusions = Exclusions(baseline=read_baseline(known) if known is not None else None)
        report = linter.lint(request, registry, exclusions)
    except (BaselineError, ConfigError, PlanError, RegistryError) as error:
        raise Error(str(error)) from None
    remarks = (*configuration.remarks, *discovery.remarks, *report.remarks)
    return replace(report, failures=(*discovery.failures, *report.failures), remarks=remarks)


def inspect(paths: Path | Sequence[Path], **settings: Unpack[InspectSettings]) -> Inspection:
    """Return every access and barrier of files and folders, as `coalint inspect` lists them. Raises as `lint` does."""
    try:
        configuration = loaded(settings, InspectSettings, None)
        request, discovery = _request(paths, configuration)
        inspection = linter.inspect(request)
    except (ConfigError, PlanError) as error:
        raise Error(str(error)) from None
    remarks = (*configuration.remarks, *discovery.remarks, *inspection.remarks)
    return replace(inspection, failures=(*discovery.failures, *inspection.failures), remarks=remarks)


def render(result: Report | Inspection, output_format: str = "") -> str:
    """Return a report in a format of `coalint lint`, `full` without one, or an inspection as `text` or `json`.

    Raises Error for a format that there is not, and for `html` where `lint` was not told to keep the accesses.
    """
    formats = FORMATS if isinstance(result, Report) else INSPECTIONS
    chosen = output_format or formats[0]
    if chosen not in formats:
        raise Error(f"there is no format `{chosen}`: one of {', '.join(formats)}")
    if isinstance(result, Inspection):
        return inspection_text(result, chosen, "never")
    if chosen in WITH_MODELS and not result.inspected and result.coverage.analysed:
        raise Error(f"the format `{chosen}` shows every access: coalint.lint(paths, accesses=True)")
    return report_text(result, chosen, "never", installed_rules())


def _request(paths: Path | Sequence[Path], configuration: Configuration) -> tuple[RunRequest, Discovery]:
    named = [os.fspath(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    discovery = discover(named, excluding=lambda folder: configuration.in_folder(folder).settings.excludes)
    settings = configuration.run.settings
    request = RunRequest(files=discovery.files, named=named, settings=settings, settings_of=configuration.for_file)
    return request, discovery
