"""The parser of the command line: argparse with mixed paths and options, and with suggestions in its errors."""

from __future__ import annotations

import argparse
import re
from difflib import get_close_matches
from typing import Any, NoReturn


class Parser(argparse.ArgumentParser):
    """An argparse parser that mixes paths with options and suggests what a wrong word may have meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)
        self._mixes = True

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Accept paths anywhere among the options, which argparse does not: `lint . -I inc more.cu`."""
        if self._subparsers is not None or not self._mixes:
            return super().parse_known_args(args, namespace)
        self._mixes = False  # since that calls this once for the options and once for the paths
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixes = True

    def error(self, message: str) -> NoReturn:
        """Exit with code 2; the message suggests the option or command that was probably meant."""
        unknown = re.match(r"unrecognized arguments: (-\S+)", message)
        if unknown:
            word = unknown[1].split("=")[0]
            near = get_close_matches(word, self._known_options(), 1, 0.6)
            hint = f"did you mean `{near[0]}`?" if near else f"`{self.prog} --help` lists the options"
            hint = "only other commands have it" if near == [word] else hint
            message = f"there is no option `{word}`; {hint} (arguments for clang go after `--`)"
        command = re.match(r"argument COMMAND: invalid choice: '(.*?)' \(", message)
        if command:
            near = get_close_matches(command[1], self._known_commands(), 1, 0.6)
            hint = f"did you mean `coalint {near[0]}`?" if near else f"to lint files: `coalint lint {command[1]}`"
            message = f"there is no command `{command[1]}`; {hint}"
        self.exit(2, f"coalint: error: {message}\n")

    def _known_commands(self) -> list[str]:
        subparsers = (action for action in self._actions if isinstance(action, argparse._SubParsersAction))
        return [name for action in subparsers for name in action.choices]

    def _known_options(self) -> list[str]:
        parsers: list[argparse.ArgumentParser] = [self]
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers.extend(action.choices.values())
        return [option for parser in parsers for option in parser._option_string_actions]
