"""Makes shell completion scripts from the grammar, with shtab."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import shtab

_FILES = {"paths", "output", "ncu", "ncu_raw", "compile_commands", "flag-include"}
_FOLDERS = {"cache_dir", "toolkit", "flag-I", "flag-isystem"}
_RULES = {"select", "ignore", "names"}


def completion_script(parser: argparse.ArgumentParser, shell: str, rules: Sequence[str]) -> str:
    """Return the script for a shell of `grammar.SHELLS`; `rules` are codes and names to offer. Modifies the parser."""
    for action in _actions(parser):
        words = rules if action.dest in _RULES else getattr(action.type, "words", None)
        if words is not None:
            action.choices = list(words)
        if action.dest in _FILES | _FOLDERS:
            action.complete = shtab.FILE if action.dest in _FILES else shtab.DIRECTORY  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
