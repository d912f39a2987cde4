"""`coalint explain-compile`: how each file is compiled, and what the parser makes of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from coalint.core.records import record
from coalint.core.source.boundary import confined
from coalint.core.source.installed_headers import InstalledHeader
from coalint.core.source.overlay import overlaid
from coalint.engine.check.failures import remedy_for
from coalint.engine.check.losses import TOO_DEEP, Loss
from coalint.engine.check.records import Overlay
from coalint.engine.config.settings import Settings, SettingsOf
from coalint.engine.execution.cache.cache_folder import cache_folder
from coalint.engine.execution.workers.pool import map_items
from coalint.engine.report import Failure
from coalint.engine.units.compilation import Compilation
from coalint.engine.units.display_names import Names
from coalint.engine.units.embedding import embedding
from coalint.engine.units.plan import plan
from coalint.frontend.interface import FrontendError, LoadRequest, ParserMessage
from coalint.frontend.registry import WithFrontEnds, front_end_of, front_ends


@record(frozen=True, slots=True)
class SeenKernel:
    """One kernel that came out of the parse, at one set of template arguments."""

    name: str
    template_arguments: tuple[str, ...]
    file: str
    line: int


@record(frozen=True, slots=True)
class Explanation:
    """One file: its compilation, the parser's whole command line and errors, the kernels.

    `undeclared` are the names that coalint declares itself for want of a header, `supposed` the macros that
    it defines as a build would, `installed` the headers that it reads from this machine; `failure` says why the file
    could not be parsed at all.
    """

    compilation: Compilation
    arguments: tuple[str, ...]
    errors: tuple[ParserMessage, ...] = ()
    kernels: tuple[SeenKernel, ...] = ()
    undeclared: tuple[str, ...] = ()
    supposed: tuple[str, ...] = ()
    installed: tuple[InstalledHeader, ...] = ()
    failure: Failure | None = None


@record(frozen=True, slots=True)
class Explanations:
    """The outcome of the command; `names` calls files as the user did."""

    files: tuple[Explanation, ...]
    remarks: tuple[str, ...]
    names: Names


def explain(
    files: Sequence[str], settings: Settings, settings_of: SettingsOf | None = None, named: Sequence[str] = ()
) -> Explanations:
    """Explain the compilation of the files, which the user `named` or folders of. Raises PlanError, as `plan` does."""
    held = embedding(files)
    with overlaid(held.overlay):
        planned = plan(held.files, settings, settings_of, named)
        names = Names.of(held.files)
        folder = cache_folder(settings.cache_dir) if settings.cache else None
        headers = None if folder is None else str(folder / "headers")
        explaining = WithFrontEnds(
            partial(_explained, names=names, headers=headers, overlay=held.overlay), front_ends()
        )
        explained = map_items(explaining, planned.compilations, settings.jobs, _lost, settings.limits)
        return Explanations(tuple(explained), planned.remarks, names)


def _lost(compilation: Compilation, loss: Loss) -> Explanation:
    """Return what is known of a file whose parse was ended."""
    whole = front_end_of(compilation.path).command_line(compilation.flags)
    failure = Failure.input(f"the parse was ended: {loss}", remedy_for(loss), compilation.path)
    return Explanation(compilation, whole, failure=failure)


def _explained(compilation: Compilation, names: Names, headers: str | None, overlay: Overlay) -> Explanation:
    """Explain one file; `headers` is the folder of precompiled headers, `overlay` the texts that stand in for files."""
    path, flags = compilation.path, compilation.flags
    front_end = front_end_of(path)
    whole = front_end.command_line(flags)
    try:
        # A process that is not forked knows no overlay of the one that starts it.
        with overlaid(overlay), confined(compilation.boundary, compilation.includes.unfit):
            source = compilation.source
            request = LoadRequest(
                path=path,
                arguments=flags,
                headers=headers,
                supposing=source.supposing,
                built=source.built,
                installed=source.installed,
                ahead=source.ahead,
            )
            parsed = front_end.explain(request)
    except FrontendError as error:
        failure = Failure.input(error.message.removeprefix(f"{path}: "), error.remedy, path)
        return Explanation(compilation, whole, failure=failure)
    except RecursionError:
        return _lost(compilation, TOO_DEEP)
    kernels = tuple(
        SeenKernel(kernel.name, kernel.template_arguments, names.file(kernel.span.file), kernel.span.line)
        for kernel in parsed.module.kernels
    )
    return Explanation(
        compilation=compilation,
        arguments=whole,
        errors=parsed.messages,
        kernels=kernels,
        undeclared=parsed.module.stubs,
        supposed=parsed.module.supposed,
        installed=parsed.module.installed,
    )


def shown(path: str) -> str:
    """Return an absolute path as it is read best: relative where it lies below the working directory."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
