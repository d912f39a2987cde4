"""Flags that the user states beside compile commands, and how both are put together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from coalint.frontend.cuda.build.compiler_options import Drop
from coalint.frontend.cuda.build.translation import Translation, translate_flags

_REFUSED = {Drop.CODE, Drop.OUTPUT, Drop.INPUT, Drop.UNKNOWN, Drop.NO_FILE, Drop.OTHER_STANDARD, Drop.DRIVER}
_FOLDERS = {"-isystem", "-iquote", "-idirafter"}
_VALUED = {*_FOLDERS, "-include", "-imacros"}
_BASE_STANDARD = "-std=c++17"
"""What the front end's own arguments say."""


class PlanError(Exception):
    """The run cannot be planned as it was asked for; the text says what and what to do."""


def given(flags: Sequence[str], folder: str, standard: str | None = None, *, configured: bool = False) -> Translation:
    """Return what flags of the user's become, which are relative to a folder (empty: the working directory).

    Of those of a configuration, `standard` is that of the key `std`. Raises PlanError.
    """
    translation = translate_flags(flags, folder or os.getcwd())
    refused = next((d for d in translation.dropped if d.drop in _REFUSED), None)
    if refused is not None:
        key = "std" if standard is not None and refused.argument == f"-std={standard}" else "extra-args"
        whose = f" of the configuration ({key})" if configured else ""
        remedy = "leave it out; use -I, -isystem, -include, -D, -U and -std"
        if refused.drop is Drop.OTHER_STANDARD:
            remedy = "leave it out, or name a standard as -std=c++20"
        raise PlanError(
            f"the flag `{refused.argument}`{whose} is not passed to libclang: it {refused.reason}\n  {remedy}"
        )
    return translation


def joined(weak: Translation, strong: Translation) -> Translation:
    """Return both together: the folders of the strong one first, its other flags last."""
    weak_folders, weak_others = divided(weak.flags)
    folders, others = divided(strong.flags)
    return replace(
        strong,
        flags=(*folders, *weak_folders, *weak_others, *others),
        dropped=(*weak.dropped, *strong.dropped),
        architectures=(*weak.architectures, *strong.architectures),
    )


def divided(flags: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the include folders among flags, and the rest."""
    folders: list[str] = []
    others: list[str] = []
    words = iter(flags)
    for word in words:
        if word in _VALUED:
            (folders if word in _FOLDERS else others).extend((word, next(words, "")))
        else:
            (folders if word.startswith("-I") else others).append(word)
    return folders, others


def one_standard(flags: Sequence[str]) -> tuple[str, ...]:
    """Return only the last `-std`, and none that is the default: the fewer kinds, the fewer precompiled headers."""
    standards = [flag for flag in flags if flag.startswith("-std=")]
    kept = [flag for flag in standards[-1:] if flag != _BASE_STANDARD]
    return (*(flag for flag in flags if not flag.startswith("-std=")), *kept)
