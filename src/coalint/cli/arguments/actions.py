"""What options do beside storing a value: print versions, collect flags for clang."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn


class PrintVersions(argparse.Action):
    """Prints the versions, which are looked up only then, and exits."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print and exit with code 0."""
        from coalint.engine.execution.cache.versions import version_text

        print(version_text())
        parser.exit()


class CollectFlag(argparse.Action):
    """Appends -I, -D, -U, -std, -include or -isystem to `flags`: in their order, spelled as clang takes them."""

    def __call__(self, parser: object, namespace: argparse.Namespace, value: Any, option: str | None = None) -> None:
        """Append the words of one option."""
        if option in ("-isystem", "-include"):
            words = [option, value]
        else:
            words = [f"-std={value}" if option == "-std" else f"{option}{value}"]
        namespace.flags = [*namespace.flags, *words]
