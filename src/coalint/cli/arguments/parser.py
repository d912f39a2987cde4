"""The parser of the command line: argparse with mixed paths and options, and with suggestions in its errors."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from coalint.cli.arguments.other_names import own_command, own_name


class Parser(argparse.ArgumentParser):
    """An argparse parser that mixes paths with options and suggests what a wrong word may have meant."""

    def __init__(self, whole: Callable[[], Parser] | None = None, **options: Any) -> None:
        """Make a parser; `whole` returns one with all commands, where this one has not got them."""
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)
        self._mixes = True
        self._whole = whole

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Accept paths anywhere among the options, which argparse does not: `lint . -I inc more.cu`."""
        if self._subparsers is not None or not self._mixes:
            return super().parse_known_args(args, namespace)
        self._mixes = False  # since that calls this once for the options and once for the paths
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixes = True

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse all arguments; one that is unknown is an error of the command that it was given to."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            commands = (self if self._whole is None else self._whole())._commands()
            command = commands.get(getattr(parsed, "command", None) or "", self)
            command._refuse(unknown, commands.values())
        return parsed

    def _refuse(self, unknown: Sequence[str], siblings: Iterable[Parser]) -> NoReturn:
        """Exit with code 2 for arguments that this command does not have, and suggest those of its own."""
        word = next((word for word in unknown if word.startswith("-")), unknown[0]).split("=")[0]
        if not word.startswith("-"):
            self.exit(2, f"coalint: error: unexpected argument `{word}`; `{self.prog} --help` shows what it takes\n")
        own = list(self._option_string_actions)
        near = get_close_matches(word, own, 1, 0.6)
        having = [f"`{other.prog}`" for other in siblings if word in other._option_string_actions]
        if own_name(word) in own:
            hint = f"coalint calls it `{own_name(word)}`"
        elif (command := own_command(word)) is not None:
            hint = f"`{command}` does that"
        elif having:
            hint = f"only other commands have it: {', '.join(having)}"
        elif near:
            hint = f"did you mean `{near[0]}`?"
        else:
            hint = f"`{self.prog} --help` lists the options"
            hint += ", and arguments for clang go after `--`" if "-isystem" in own else ""
        self.exit(2, f"coalint: error: `{self.prog}` has no option `{word}`; {hint}\n")

    def error(self, message: str) -> NoReturn:
        """Exit with code 2; the message suggests the command that was probably meant."""
        command = re.match(r"argument COMMAND: invalid choice: '(.*?)' \(", message)
        if command:
            near = get_close_matches(command[1], self._commands(), 1, 0.6)
            hint = f"did you mean `coalint {near[0]}`?" if near else f"to lint files: `coalint lint {command[1]}`"
            message = f"there is no command `{command[1]}`; {hint}"
        self.exit(2, f"coalint: error: {message}\n")

    def _commands(self) -> dict[str, Parser]:
        subparsers = (action for action in self._actions if isinstance(action, argparse._SubParsersAction))
        return {name: parser for action in subparsers for name, parser in action.choices.items()}
