"""`coalint rule`: explains rules, or lists them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_registry
from coalint.cli.setup.errors import UsageError

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Print the documentation of the named rules; return the exit code. Raises UsageError."""
    from coalint.engine.registry import RegistryError
    from coalint.reporters.rules.text import print_rule, print_rules

    registry = load_registry()
    if not options.paths:
        print_rules(registry, options.color)
        return ExitCode.OK
    try:
        rules = [registry.named(name) for name in options.paths]
    except RegistryError as error:
        raise UsageError(str(error)) from error
    for rule in rules:
        print_rule(rule, options.color)
    return ExitCode.OK
