"""`coalint completion`: prints a completion script for a shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_registry
from coalint.cli.terminal import print_to_stdout

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Print the script for the shell that was named; return the exit code."""
    from coalint.cli.arguments.completion import completion_script
    from coalint.cli.arguments.grammar import command_line

    rules = [word for rule in load_registry() for word in (rule.code, rule.name)]
    print_to_stdout(lambda: print(completion_script(command_line(), options.paths[0], rules)))
    return ExitCode.OK
