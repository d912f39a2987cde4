"""What CMakeLists.txt files and makefiles define for every build: macros, and GPUs; read as text, nothing is run."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

NAMES = ("CMakeLists.txt", "Makefile", "makefile", "GNUmakefile", "Makefile.in", "Makefile.am", "Makefile.cuda")
"""How build files are called, by convention."""
_LEAST = 70
"""The compute capability, times ten, below which a GPU that a build file names is left alone: today's compilers refuse
most of these."""

_MACRO = r"[A-Za-z_]\w*(?:=(?:[\w.+-]+|\\?\"[\w.+ -]*\\?\"))?"
_OPTION = re.compile(rf"(?<![\w-])-D\s?({_MACRO})(?=[\s\"';)]|$)")
_PLAIN = re.compile(_MACRO)
COMMAND = re.compile(r"\b([A-Za-z_]\w*)\s*\(((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\([^()]*\))*)\)", re.DOTALL)
DEFINING = frozenset({"add_compile_definitions", "target_compile_definitions", "add_definitions"})
_FLAGGING = frozenset(
    "set add_compile_options target_compile_options string list set_target_properties set_property".split()
)
SCOPES = frozenset({"PRIVATE", "PUBLIC", "INTERFACE", "BEFORE", "AFTER"})
_OPENING = {"if": "endif", "foreach": "endforeach", "while": "endwhile", "function": "endfunction", "macro": "endmacro"}
_ARCHITECTURE = re.compile(r"(?:sm|compute)_(\d{2,3}[af]?)\b")
_LISTED = re.compile(r"\b(\d{2,3}[af]?)(?:-real|-virtual)?\b")
_CONDITIONAL = re.compile(r"\s*(ifeq|ifneq|ifdef|ifndef|else|endif)\b")
_FOR_CUDA = re.compile(r"\s*ifeq\s*\(\s*\$[({]\w*cuda\w*[)}]\s*,\s*(?:yes|1|on|true)\s*\)", re.IGNORECASE)
_DEFINED = re.compile(r"\s*(ifdef|ifndef)\s+([\w.-]+)\s*$")
_ASSIGNED = re.compile(r"\s*(?:override\s+|export\s+)?([\w.-]+)\s*(?:\?|:|::|\+)?=\s*(.*)")
_FLAGS = re.compile(r"FLAGS|DEFS|DEFINES|OPTS|OPTIONS|ARCH|GENCODE", re.IGNORECASE)
_COMPILES = re.compile(r"\bnvcc\b|\$[({]?\w*(?:NVCC|CUDA)\w*", re.IGNORECASE)


def flags_of(files: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the flags that build files give whatever the options of the build are, each file a name with its text.

    What stands under a condition is left out, but for one that asks for CUDA alone; so is a macro whose value is
    computed, and one with two values. Files come in the order in which they count: GPUs are those of the first that
    names any.
    """
    macros: dict[str, dict[str, None]] = {}
    architectures: tuple[str, ...] = ()
    for name, text in files:
        words = list(_of_cmake(text) if name == NAMES[0] else _of_make(text))
        for macro in (word for word in words if not word.startswith("sm_")):
            macros.setdefault(macro.partition("=")[0], {})[macro] = None
        devices = dict.fromkeys(word for word in words if word.startswith("sm_"))
        architectures = architectures or tuple(devices)
    defined = tuple(f"-D{next(iter(values))}" for values in macros.values() if len(values) == 1)
    return (*defined, *(f"-arch={device}" for device in architectures))


def _of_cmake(text: str) -> Iterator[str]:
    """Yield the macros, and GPUs as `sm_80`, that the commands give that are always executed."""
    text = re.sub(r"#\[\[.*?\]\]|#[^\n]*", "", text, flags=re.DOTALL)
    open_: list[tuple[str, bool]] = []  # what ends each block around, and whether it is built for a GPU in any case
    for match in COMMAND.finditer(text):
        command, inside = match[1].lower(), match[2]
        if command in _OPENING:
            open_.append((_OPENING[command], command == "if" and _asks_for_cuda(inside)))
        elif open_ and command == open_[-1][0]:
            open_.pop()
        elif open_ and command in ("else", "elseif"):
            open_[-1] = (open_[-1][0], False)
        is_certain = all(certain for _, certain in open_)
        if not is_certain or not (command in DEFINING or command in _FLAGGING):
            continue
        words = inside.replace('"', " ").split()
        yield from _OPTION.findall(inside)
        if command in DEFINING and command != "add_definitions":
            named = words[1:] if command.startswith("target") else words
            yield from (word for word in named if word not in SCOPES and _PLAIN.fullmatch(word))
        if "CUDA_ARCHITECTURES" in inside:
            yield from _devices(_LISTED.findall(inside.partition("CUDA_ARCHITECTURES")[2]))
        yield from _devices(_ARCHITECTURE.findall(inside))


def _asks_for_cuda(condition: str) -> bool:
    """Whether a condition only asks whether the build is for CUDA: code for the GPU is built with it alone."""
    words = condition.split()
    return len(words) == 1 and re.fullmatch(r"\w*CUDA(?:_FOUND|_SUPPORT|_ENABLED)?", words[0]) is not None


def _of_make(text: str) -> Iterator[str]:
    """Yield the macros and GPUs of variables of flags and of recipes that are made under no condition."""
    lines = [re.sub(r"(?<!\\)#.*", "", line) for line in re.sub(r"\\\n", " ", text).split("\n")]
    assigned_to = {match[1] for match in map(_ASSIGNED.match, lines) if match is not None}
    open_: list[tuple[bool, bool]] = []  # of each condition around, whether its code and that of `else` is always read
    for line in lines:
        conditional = _CONDITIONAL.match(line)
        if conditional is not None:
            word = conditional[1]
            if word == "endif":
                open_ = open_[:-1]
            elif word != "else":
                open_.append(_read(line, assigned_to))
            elif open_:
                is_nested = line.strip() != "else"
                open_[-1] = (False, False) if is_nested else (open_[-1][1], False)
            continue
        assigned = _ASSIGNED.match(line)
        text_of = assigned[2] if assigned is not None and _FLAGS.search(assigned[1]) else ""
        if assigned is None and _COMPILES.search(line):
            text_of = line
        if all(certain for certain, _ in open_) and text_of:
            yield from _OPTION.findall(text_of)
            yield from _devices(_ARCHITECTURE.findall(text_of))


def _read(condition: str, assigned_to: Collection[str]) -> tuple[bool, bool]:
    """Whether make reads what follows a condition, and the code of its `else`, unless a user asks for something else.

    A variable that the makefile never assigns to is not defined.
    """
    asked = _DEFINED.match(condition)
    if asked is None or asked[2] in assigned_to:
        return _FOR_CUDA.match(condition) is not None, False
    return asked[1] == "ifndef", asked[1] == "ifdef"


def _devices(numbers: Iterable[str]) -> Iterator[str]:
    for number in numbers:
        if int(number.rstrip("af")) >= _LEAST:
            yield f"sm_{number}"
