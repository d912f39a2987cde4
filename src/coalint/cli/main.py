"""Runs the command that the arguments name, and returns its exit code.

All that takes time to load is loaded in `main`, where an interrupt is answered.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in typing, which takes a while to load
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from coalint.cli.arguments.options import Options

INTERRUPTED = 130
"""`ExitCode.INTERRUPTED`, for an interrupt before anything is loaded."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run coalint; return the exit code: 0, 1 for findings, 2 for errors, 130 when interrupted."""
    is_program = arguments is None
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return _run(words, is_program)
    except KeyboardInterrupt:
        print("coalint: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # who reads the output has enough
        from coalint.cli.terminal import silence_stdout

        silence_stdout()
        return 0


def _run(words: Sequence[str], is_program: bool) -> int:
    if words == ["--version"]:  # before anything that only the commands need is loaded
        from coalint.engine.execution.cache.versions import version_text

        print(version_text(), flush=True)
        return 0
    from coalint.engine.check.garbage import loading

    with loading(own=is_program):
        from coalint.cli.arguments.parsing import parse
        from coalint.cli.exit_codes import ExitCode
        from coalint.cli.setup.errors import UsageError
        from coalint.cli.terminal import open_closed_streams, print_failures, replace_unencodable
        from coalint.core import lazy
        from coalint.engine.config.outputs import OutputError
        from coalint.reporters.shared.escape_controls import escape_controls

        lazy.without_threads()
        open_closed_streams()
        replace_unencodable()
        options = parse(words)
    try:
        with loading():
            run = _command(options.command)
        return run(options)
    except (UsageError, OutputError) as error:
        print(escape_controls(f"coalint: error: {error}"), file=sys.stderr)
        return ExitCode.ERROR
    except BrokenPipeError:
        raise
    except Exception as error:
        from coalint.engine.check.failures import internal_error

        print_failures([internal_error(None, error, f"in `coalint {options.command}`")])
        return ExitCode.ERROR


def _command(name: str) -> Callable[[Options], int]:
    """Import the module of a command of `grammar.COMMANDS`, and no other; return its `run`."""
    from importlib import import_module

    run: Callable[[Options], int] = import_module(f"coalint.cli.commands.{name.replace('-', '_')}").run
    return run
