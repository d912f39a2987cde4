"""One file through the pipeline: load, specialize, analyse, check. Nothing here filters."""

from __future__ import annotations

import time
from ctypes import ArgumentError
from dataclasses import replace

from coalint.core import lazy
from coalint.core.source.boundary import confined, hidden_names
from coalint.core.source.overlay import overlaid
from coalint.engine.check.clock import Clock
from coalint.engine.check.failures import internal_error, lost_file
from coalint.engine.check.garbage import kept, uncollected
from coalint.engine.check.losses import TOO_DEEP, too_much
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.execution.cache.inputs import Files
from coalint.engine.report import Failure
from coalint.frontend.interface import FrontendError, LoadRequest, Scope
from coalint.frontend.registry import front_end_of
from coalint.machine.architecture import architecture

_FILES = Files()


def check_file(source: Source, job: Job) -> FileResult:
    """Check one file; never raises: what goes wrong costs a kernel or the file, and is in the result."""
    import coalint.analysis.evaluate  # noqa: F401 (takes long the first time, which is not the file's)
    from coalint.engine.check.module_check import ModuleCheck

    lazy.loaded()
    path, clock, began = source.path, Clock(job.limits), time.time_ns()
    arch = job.arch if source.arch is None else architecture(source.arch)
    job = replace(job, arch=arch, assume=(*source.assume, *job.assume))
    try:
        with overlaid(job.overlay), confined(source.boundary, source.hidden):
            with uncollected():
                loaded = front_end_of(path).load(_request(source, job))
            with kept():
                result = ModuleCheck(path, loaded.module, job, clock, source).run()
            opened, missing = loaded.opened, loaded.missing
            arguments, sought, refused = source.arguments, loaded.sought, hidden_names() - {*source.hidden}
            inputs = _FILES.inputs(path, opened, missing, arguments, began, sought, refused) if job.inputs else None
        return replace(result, inputs=inputs)
    except MemoryError:
        return lost_file(path, too_much(job.limits.memory_text))
    except RecursionError:
        return lost_file(path, TOO_DEEP)
    except FrontendError as error:
        return FileResult(path, failures=(Failure.input(error.message.removeprefix(f"{path}: "), error.remedy, path),))
    except Exception as error:
        if isinstance(error, ArgumentError) and RecursionError.__name__ in str(error):  # as ctypes hands it on
            return lost_file(path, TOO_DEEP)
        return FileResult(path, failures=(internal_error(path, error, "while it was read"),))


def _request(source: Source, job: Job) -> LoadRequest:
    return LoadRequest(
        path=source.path,
        arguments=source.arguments,
        headers=job.headers if source.precompiled else None,
        scope=Scope(fragments=source.fragments, itself=source.itself, only=source.only, profiled=job.profiled),
        supposing=source.supposing,
        built=source.built,
        installed=source.installed,
        ahead=source.ahead,
    )
