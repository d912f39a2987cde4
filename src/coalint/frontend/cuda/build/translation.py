"""A compiler's arguments to those that libclang needs: what changes the meaning of the source is kept, by name.

Everything that is handed on is composed here from options that are known to be harmless; nothing passes by default.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace

from coalint.core.records import record
from coalint.frontend.cuda.build.compiler_options import (
    AS_THEY_ARE_WITH_VALUE,
    FAMILIES,
    JOINED,
    NVCC_VALUED,
    TABLE,
    Drop,
    Keep,
    Option,
)
from coalint.frontend.cuda.build.include_folders import absolute, brings_own
from coalint.frontend.cuda.build.response_files import nvcc_list, response_text, response_words

_OLDER = {"98", "03", "0x", "11", "1y", "14"}
_STANDARD = re.compile(rf"(?:c|gnu)\+\+({'|'.join(_OLDER)}|1z|17|2a|20|2b|23|2c|26)")  # those of libclang 18
_DEVICE = re.compile(r"(?:sm|compute|lto)_(\d+)([af]?)")
_MACRO = re.compile(r"[A-Za-z_$]\w*(?:$|[=(])")
_COMPILERS = r"nvcc|hipcc|icpx|icpc|dpcpp|clang|clang\+\+|clang-cl|gcc|g\+\+|cc|c\+\+|cl"
_COMPILER = re.compile(rf"(?:[\w.]+-linux-(?:gnu|musl)\w*-)?(?:{_COMPILERS})(?:-[\d.]+)?(?:\.exe)?")
_CUDA_SUFFIXES = (".cu", ".cuh", ".hip")
_LANGUAGES = {"cu", "cuda", "hip"}
_UNWRAPPED = {"-Xclang", "-Xpreprocessor", "-Xarch_device"}  # what they hand on is judged like the rest
_FOLDERS = (Keep.FOLDER, Keep.SYSTEM_FOLDER, Keep.QUOTE_FOLDER, Keep.LATER_FOLDER)
_NEST = 8
MOST_WORDS = 20_000
"""Words of one command, with those of its response files."""
MOST_TEXT = 4 << 20
"""Characters of all response files of one command."""


class TooLongError(Exception):
    """A command has more words than a build gives."""


@record(frozen=True, slots=True)
class Dropped:
    """An argument that is not handed on, and why."""

    argument: str
    drop: Drop
    detail: str = ""

    @property
    def reason(self) -> str:
        """Why, in words that follow the argument."""
        return self.drop.value.format(library=self.detail)


@record(frozen=True, slots=True)
class Translation:
    """What remains of a command: `flags` for libclang, paths absolute, and the GPUs that it names, as `sm_90`.

    `device` tells whether the command compiles for a GPU at all.
    """

    compiler: str
    flags: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    architectures: tuple[str, ...]
    device: bool


def translate(
    arguments: Sequence[str], directory: str, source: str, may_read: Callable[[str], bool] = os.path.isfile
) -> Translation:
    """Translate a whole command, compiler first, that compiles `source` (absolute) in `directory`.

    `may_read` says which response files may be read. Raises TooLongError.
    """
    compiler, words = _compiler(arguments)
    nvcc = os.path.basename(compiler).startswith("nvcc")
    return _Work(directory, source, nvcc, may_read, words_left=MOST_WORDS).translation(compiler, words)


def translate_flags(flags: Sequence[str], directory: str) -> Translation:
    """Translate the flags that a user gave without a command."""
    return _Work(directory, "", False, lambda _: False).translation("", list(flags))


def _compiler(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """Return the compiler and its arguments, after what launches it (`ccache nvcc`, `cmake -E env A=b nvcc`)."""
    for index, word in enumerate(arguments[:24]):
        if _COMPILER.fullmatch(re.split(r"[/\\]", word)[-1]):
            return word, list(arguments[index + 1 :])
    return (arguments[0] if arguments else ""), list(arguments[1:])


@record
class _Work:
    """The state of one translation. `host` holds what nvcc is to hand to the host's compiler, which takes it first."""

    directory: str
    source: str
    nvcc: bool
    may_read: Callable[[str], bool]
    flags: list[str] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    devices: list[str] = field(default_factory=list)
    host: list[str] = field(default_factory=list)
    language: str | None = None
    words_left: int = sys.maxsize
    text_left: int = MOST_TEXT

    def translation(self, compiler: str, words: list[str]) -> Translation:
        self.run(words)
        host = _Work(self.directory, self.source, False, lambda _: False, words_left=self.words_left)
        host.run(self.host)
        dropped = [replace(d, drop=Drop.HOST) if d.drop in (Drop.INPUT, Drop.UNKNOWN) else d for d in host.dropped]
        name = os.path.basename(compiler).removesuffix(".exe")
        by_suffix = self.language is None and self.source.endswith(_CUDA_SUFFIXES)
        return Translation(
            compiler,
            (*host.flags, *self.flags),
            (*self.dropped, *dropped),
            tuple(dict.fromkeys(self.devices)),
            by_suffix or self.language in _LANGUAGES or name == "hipcc",
        )

    def run(self, words: Iterable[str], depth: int = 0) -> None:
        rest = self._counted(words)
        for word in rest:
            if not word.startswith("-") or word == "-":
                self._positional(word, depth)
            elif word.startswith("-Wp,"):
                self.run(word.split(",")[1:], depth)
            else:
                option, name, value = self._option(word, rest)
                shown = word if value is None or word.endswith(f"={value}") else f"{name} {value}"
                self._apply(option, name, value or "", shown, depth)

    def _counted(self, words: Iterable[str]) -> Iterator[str]:
        for word in words:
            self.words_left -= 1
            if self.words_left < 0:
                raise TooLongError
            if word not in _UNWRAPPED:
                yield word

    def _option(self, word: str, rest: Iterator[str]) -> tuple[Option, str, str | None]:
        """Return what a word means, under which name, and its value."""
        name, equals, value = word.partition("=")
        if self.nvcc and name in NVCC_VALUED:
            return Option(NVCC_VALUED[name], True), name, value if equals else next(rest, "")
        option = TABLE.get(word)
        if option is not None:
            return option, word, next(rest, "") if option.valued else None
        if equals and name in TABLE:
            return TABLE[name], name, value
        for joined in JOINED:
            if word.startswith(joined):
                return TABLE[joined], joined, word[len(joined) :]
        if word.startswith(AS_THEY_ARE_WITH_VALUE):
            return Option(Keep.AS_IT_IS), word, None
        return Option(next((drop for start, drop in FAMILIES if word.startswith(start)), Drop.UNKNOWN)), word, None

    def _apply(self, option: Option, name: str, value: str, shown: str, depth: int) -> None:
        action = option.action
        if isinstance(action, Drop):
            self._drop(shown, action)
        elif action is Keep.AS_IT_IS:
            self.flags.append(name)
        elif action is Keep.MACROS:
            self._macros(option, name, value, shown)
        elif action in (Keep.DEFINE, Keep.UNDEFINE):
            for item in self._list(value):
                if _MACRO.match(item):
                    self.flags.append(f"{action.value}{item}")
                else:
                    self._drop(f"{action.value}{item}", Drop.NO_MACRO)
        elif action in _FOLDERS:
            for item in self._list(value):
                self._folder(action, item)
        elif action in (Keep.FORCED, Keep.FORCED_MACROS):
            for item in self._list(value):
                self._forced(action, item)
        elif action is Keep.STANDARD:
            self._standard(value, shown)
        elif action is Keep.LANGUAGE:
            self.language = value
        elif action is Keep.ARCHITECTURE:
            self._device(value, shown)
        elif action is Keep.HOST_OPTIONS:
            self.host += [word for item in nvcc_list(value) for word in item.replace('"', "").split()]
        else:
            for item in self._list(value):
                self._response(item, shown, depth)

    def _macros(self, option: Option, name: str, value: str, shown: str) -> None:
        if option.valued and value not in option.values:
            self._drop(shown, Drop.GENERATION)
        else:
            self.flags += [f"-D{macro}" for macro in option.macros]

    def _list(self, value: str) -> list[str]:
        """Return nvcc takes lists with commas where other compilers take one value."""
        return nvcc_list(value) if self.nvcc else [value]

    def _folder(self, action: Keep, value: str) -> None:
        path = absolute(self.directory, value)
        library = brings_own(path, self.source)
        if library is not None:
            self.dropped.append(Dropped(f"{action.value} {path}", Drop.OWN_HEADERS, library))
        elif not os.path.isdir(path):
            self._drop(f"{action.value} {path}", Drop.NO_FOLDER)
        elif action is Keep.FOLDER:
            self.flags.append(f"-I{path}")
        else:
            self.flags += [action.value, path]

    def _forced(self, action: Keep, value: str) -> None:
        """Add a header before the source: a file, or a name for the search path; never a device or a pipe."""
        path = absolute(self.directory, value)
        if os.path.isfile(path):
            self.flags += [action.value, path]
        elif os.path.exists(path) or os.path.isabs(value) or not value:
            self._drop(f"{action.value} {value}", Drop.NO_FILE)
        else:
            self.flags += [action.value, value]

    def _standard(self, value: str, shown: str) -> None:
        match = _STANDARD.fullmatch(value)
        if match is None:
            self._drop(shown, Drop.OTHER_STANDARD)
        elif match[1] in _OLDER:
            self._drop(shown, Drop.STANDARD)
        else:
            self.flags.append(f"-std={value}")

    def _device(self, value: str, shown: str) -> None:
        """Read a GPU, plainly or as `arch=compute_80,code=[sm_80,sm_86]`.

        The virtual one decides over `__CUDA_ARCH__`.
        """
        virtual = re.search(r"arch=([^,]+)", value)
        names = [virtual[1]] if virtual else value.split(",")
        devices = [f"sm_{match[1]}{match[2]}" for match in map(_DEVICE.fullmatch, names) if match]
        self.devices += devices
        if not devices:
            self._drop(shown, Drop.DEVICE)

    def _positional(self, word: str, depth: int) -> None:
        if word.startswith("@"):
            self._response(word[1:], word, depth)
        elif absolute(self.directory, word) != self.source:
            self._drop(word, Drop.INPUT)

    def _response(self, value: str, shown: str, depth: int) -> None:
        path = absolute(self.directory, value)
        text = response_text(path) if depth < _NEST and self.may_read(path) else None
        self.text_left -= len(text or "")
        if self.text_left < 0:
            raise TooLongError
        words = None if text is None else response_words(text, self.nvcc)
        if words is None:
            self._drop(shown, Drop.NO_FILE)
        else:
            self.run(words, depth + 1)

    def _drop(self, shown: str, drop: Drop) -> None:
        self.dropped.append(Dropped(shown, drop))
