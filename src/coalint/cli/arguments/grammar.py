"""The command line's grammar: commands, options, and errors that say what was meant."""

from __future__ import annotations

import argparse
import re
from difflib import get_close_matches
from typing import Any, NoReturn

from coalint.cli.arguments.converters import (
    block_shape,
    count,
    equation,
    lane_list,
    megabytes,
    one_of,
    seconds,
    severity,
    warp,
)
from coalint.cli.arguments.manual import OVERVIEW, PAGES
from coalint.engine.config.outputs import FORMATS, PICTURES, VARIABLE
from coalint.engine.config.settings import DEFAULT_ARCH, Settings

COMMANDS = (
    "lint",
    "inspect",
    "show",
    "rule",
    "verify",
    "explain-compile",
    "baseline",
    "config",
    "server",
    "clean",
    "completion",
)
SHELLS = ("bash", "zsh", "fish", "tcsh")


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)
        self._mixes = True

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Take paths wherever they stand among the options, as argparse by itself does not: `lint . -I inc more.cu`."""
        if self._subparsers is not None or not self._mixes:
            return super().parse_known_args(args, namespace)
        self._mixes = False  # since that calls this once for the options and once for the paths
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixes = True

    def error(self, message: str) -> NoReturn:
        """Exit with code 2, naming the option that was probably meant."""
        unknown = re.match(r"unrecognized arguments: (-\S+)", message)
        if unknown:
            word = unknown[1].split("=")[0]
            near = get_close_matches(word, self._known_options(), 1, 0.6)
            hint = f"did you mean `{near[0]}`?" if near else f"`{self.prog} --help` lists the options"
            hint = "only other commands have it" if near == [word] else hint
            message = f"there is no option `{word}`; {hint} (arguments for clang go after `--`)"
        command = re.match(r"argument COMMAND: invalid choice: '(.*?)' \(", message)
        if command:
            near = get_close_matches(command[1], COMMANDS, 1, 0.6)
            hint = f"did you mean `coalint {near[0]}`?" if near else f"to lint files: `coalint lint {command[1]}`"
            message = f"there is no command `{command[1]}`; {hint}"
        self.exit(2, f"coalint: error: {message}\n")

    def _known_options(self) -> list[str]:
        parsers: list[argparse.ArgumentParser] = [self]
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers.extend(action.choices.values())
        return [option for parser in parsers for option in parser._option_string_actions]


class _Version(argparse.Action):
    """Prints versions, which are looked up only when they are asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from coalint.engine.execution.cache.versions import version_text

        print(version_text())
        parser.exit()


class _Flag(argparse.Action):
    """Keeps -I, -D, -U, -std and their kin in the order given, spelled as clang takes them."""

    def __call__(self, parser: object, namespace: argparse.Namespace, value: Any, option: str | None = None) -> None:
        if option in ("-isystem", "-include"):
            words = [option, value]
        else:
            words = [f"-std={value}" if option == "-std" else f"{option}{value}"]
        namespace.flags = [*namespace.flags, *words]


def command_line() -> argparse.ArgumentParser:
    """The grammar."""
    parser = _Parser(
        prog="coalint",
        description=OVERVIEW.description,
        epilog=OVERVIEW.epilog,
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show the versions of coalint, of libclang and of rule packs"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    lint = commands.add_parser("lint", help="report accesses that cost more than they need, and unsafe barriers")
    _add_input(lint, "a .cu or .cuh file, any file named explicitly, a folder, or - for stdin")
    _add_stdin(lint)
    _add_reports(lint)
    choice = _add_choice(lint, "which files and findings")
    choice.add_argument(
        "--device-code-only",
        action="store_true",
        help="pass quietly over files without device code, as most headers named by a commit hook are",
    )
    choice.add_argument(
        "--fail-on",
        metavar="SEVERITY",
        type=severity,
        help="exit with 1 from this severity on: info, warning (default), error",
    )
    choice.add_argument("--baseline", metavar="FILE", help="leave out the known findings that this file lists")
    choice.add_argument(
        "--diff-base",
        metavar="REF",
        help="only findings in kernels and device functions that changed since the branch left REF, as origin/main",
    )
    choice.add_argument(
        "--no-ignores", action="store_true", help="report what `coalint: ignore` and `disable` comments hide"
    )
    lint.add_argument("--watch", action="store_true", help="lint again whenever a file changes, until Ctrl-C")
    changes = lint.add_argument_group("changes to the source")
    changes.add_argument("--fix", action="store_true", help="apply the safe fixes, and report what is left")
    changes.add_argument("--unsafe-fixes", action="store_true", help="apply those too whose effect is to be checked")
    changes.add_argument("--diff", action="store_true", help="print what --fix would change, and write nothing")
    changes.add_argument(
        "--add-ignores", action="store_true", help="write a `coalint: ignore` comment for each finding that is left"
    )

    inspect = commands.add_parser("inspect", help="list every access and barrier, not only the bad ones")
    _add_input(inspect, "a file, a folder, FILE:LINE or FILE:LINE:COLUMN, or - for stdin")
    _add_stdin(inspect)
    _add_output(inspect, "text", "json")

    show = commands.add_parser("show", help="draw which sectors or banks the lanes of a warp touch")
    _add_input(show, "FILE:LINE, or FILE:LINE:COLUMN for one access of several", 1, spreads=False)
    show.usage = "%(prog)s [options] FILE:LINE[:COLUMN] [-- CLANG_FLAG...]"
    _add_view(show)

    verify = commands.add_parser("verify", help="show predictions beside what Nsight Compute counted, line by line")
    _add_input(verify, "the source that the profiled program was built from")
    verify.usage = "%(prog)s [options] SOURCE --ncu EXPORT.csv [-- CLANG_FLAG...]"
    verify.add_argument(
        "--ncu",
        metavar="EXPORT.csv",
        required=True,
        help="what `ncu --import REPORT --page source --csv --print-source cuda,sass` prints",
    )
    _add_output(verify, "text", "json")

    explain = commands.add_parser("explain-compile", help="show how a file is compiled, and what libclang says to it")
    _add_input(explain, "a file or a folder")
    _add_output(explain, "text", "json")

    baseline = commands.add_parser("baseline", help="keep a list of known findings, which `lint` then leaves out")
    baseline.add_argument(
        "action",
        metavar="ACTION",
        type=one_of("create", "prune"),
        help="create: write all findings that there are now; prune: strike out those that are gone",
    )
    _add_input(baseline, "what to lint")
    baseline.usage = "%(prog)s create|prune [options] PATH... [-- CLANG_FLAG...]"
    known = _add_choice(baseline)
    known.add_argument(
        "--baseline", metavar="FILE", help="the list (default: that of the configuration, else coalint-baseline.json)"
    )

    config = commands.add_parser("config", help="show the settings that hold for a file or folder, and what set each")
    _add_input(config, "a file or folder (default: the working directory)", "*")
    config.usage = "%(prog)s [options] [PATH...]"
    _add_choice(config)
    _add_output(config, "text", "json", "schema")

    rule = commands.add_parser("rule", help="explain a rule, or list them all")
    rule.add_argument(
        "names", metavar="NAME", nargs="*", help="a name or a code, as uncoalesced-global-access or COA101"
    )
    _add_color(rule)

    server = commands.add_parser("server", help="serve editors by the Language Server Protocol, on stdin and stdout")
    server.add_argument("--stdio", action="store_true", help="what it does anyway: editors pass this")

    clean = commands.add_parser("clean", help="remove what earlier runs left in the cache")
    _add_cache_dir(clean)

    completion = commands.add_parser("completion", help="print a script that lets a shell complete coalint's options")
    completion.add_argument("shell", metavar="SHELL", type=one_of(*SHELLS), help=", ".join(SHELLS))
    for name, page in PAGES.items():
        commands.choices[name].description = page.description
        commands.choices[name].epilog = page.epilog
    return parser


def _add_choice(parser: argparse.ArgumentParser, title: str = "which findings") -> argparse._ArgumentGroup:
    choice = parser.add_argument_group(title)
    choice.add_argument(
        "--select", metavar="RULE", action="append", help="only these rules: codes, prefixes (COA2), names or ALL"
    )
    choice.add_argument("--extend-select", metavar="RULE", action="append", help="these rules too")
    choice.add_argument("--ignore", metavar="RULE", action="append", help="not these rules")
    choice.add_argument(
        "--preview", action="store_true", default=None, help="also rules that are in preview, where they are selected"
    )
    return choice


def _add_input(
    parser: argparse.ArgumentParser, path_help: str, count: str | int = "+", *, spreads: bool = True
) -> None:
    """Paths and how they are read; `spreads` says that the work can be spread over a cluster."""
    parser.usage = "%(prog)s [options] PATH... [-- CLANG_FLAG...]"
    parser.add_argument("paths", metavar="PATH", nargs=count, help=path_help)
    parser.add_argument(
        "--config",
        metavar="FILE|KEY=VALUE",
        action="append",
        default=[],
        help="a configuration file in place of those that are found, or one key of it as TOML, "
        "as 'arch=\"sm_90\"'; repeatable",
    )
    parser.add_argument("--isolated", action="store_true", help="read no configuration file")
    parser.set_defaults(flags=[])
    source = parser.add_argument_group(
        "how the source is read", "More flags, as clang or nvcc take them, can follow `--`."
    )
    for option, metavar, text in (
        ("-I", "DIR", "look for includes here"),
        ("-isystem", "DIR", "look for includes here, after the folders of -I"),
        ("-include", "FILE", "include this file before each source"),
        ("-D", "NAME[=VALUE]", "define a macro"),
        ("-U", "NAME", "undefine a macro"),
        ("-std", "STANDARD", "the C++ standard, as -std=c++20"),
    ):
        source.add_argument(option, metavar=metavar, action=_Flag, dest=f"flag{option}", help=text)
    source.add_argument(
        "-p",
        metavar="DIR",
        dest="compile_commands",
        help="the build folder that holds compile_commands.json, or that file itself (default: looked for beside and "
        "above each source, and in the build folders there, up to the repository's root)",
    )
    source.add_argument(
        "--assume",
        metavar="EXPR",
        action="append",
        default=[],
        help="a fact about the launch, as 'blockDim.x == 256'; repeatable",
    )
    source.add_argument(
        "--arch",
        metavar="sm_XX",
        help=f"the GPU to count for (default {DEFAULT_ARCH}, or the newest of a file's compile command that lacks it)",
    )
    source.add_argument(
        "--exclude",
        metavar="PATTERN",
        action="append",
        default=[],
        help="leave files out, in gitignore's syntax; repeatable",
    )
    _add_running(parser, spreads)


def _add_view(parser: argparse.ArgumentParser) -> None:
    view = parser.add_argument_group("what is drawn")
    view.add_argument(
        "--warp", metavar="N", type=warp, help="the warp of the block, from 0 (default: the first that executes it)"
    )
    view.add_argument(
        "--iteration",
        metavar="NAME=N",
        type=equation,
        action="append",
        default=[],
        help="the iteration, from 0, of the loop over NAME, or the number of the block as blockIdx.x=N; repeatable",
    )
    view.add_argument(
        "--let",
        metavar="NAME=N",
        type=equation,
        action="append",
        default=[],
        help="a number for a parameter or anything else that has none, as pitch=100; repeatable",
    )
    view.add_argument("--block", metavar="X,Y,Z", type=block_shape, help="threads of a block, whatever the launch says")
    view.add_argument(
        "--kernel", metavar="TEXT", default="", help="the kernel, instance or launch that has this in its title"
    )
    view.add_argument(
        "--lanes", metavar="LIST", type=lane_list, default=(), help="list these lanes one by one, as 0-7,16, or all"
    )
    output = parser.add_argument_group("how it is drawn")
    output.add_argument(
        "--output-format",
        metavar="FORMAT",
        type=one_of(*PICTURES),
        help=f"{', '.join(PICTURES)} (default {PICTURES[0]})",
    )
    output.add_argument("--svg", dest="output_format", action="store_const", const="svg", help="--output-format svg")
    output.add_argument(
        "--output", "-o", metavar="FILE", action="append", default=[], help="write to FILE, as its suffix says"
    )
    _add_color(output)


def _add_stdin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stdin-filename",
        metavar="FILE",
        help="with `-`: read stdin as if its text stood in this file, which need not exist",
    )


def _add_running(parser: argparse.ArgumentParser, spreads: bool) -> None:
    running = parser.add_argument_group("how it runs")
    running.add_argument("--jobs", "-j", metavar="N", type=count, help="processes (default 0: one per core)")
    running.add_argument(
        "--timeout-per-file",
        metavar="SECONDS",
        type=seconds,
        help=f"give a file up after this long (default {Settings.timeout_per_file:g}; 0: never); "
        "while other programs have the processor does not count",
    )
    running.add_argument(
        "--memory-per-file",
        metavar="MB",
        type=megabytes,
        help=f"give a file up that needs more memory (default {Settings.memory_per_file}; 0: no bound)",
    )
    running.add_argument("--no-cache", action="store_true", help="neither use nor keep results of other runs")
    _add_cache_dir(running)
    if spreads:
        running.add_argument(
            "--dask",
            metavar="ADDRESS",
            default="",
            help="run on the Dask cluster of this scheduler, as tcp://host:8786, over a shared file system",
        )


def _add_cache_dir(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--cache-dir",
        metavar="DIR",
        default="",
        help="where results are kept (default $COALINT_CACHE_DIR, else the user's cache folder)",
    )


def _add_output(parser: argparse.ArgumentParser, *formats: str) -> None:
    parser.add_argument(
        "--output-format",
        metavar="FORMAT",
        type=one_of(*formats),
        help=f"{', '.join(formats)} (default {formats[0]})",
    )
    _add_color(parser)


def _add_reports(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how findings are reported")
    group.add_argument(
        "--output-format",
        metavar="FORMAT",
        type=one_of(*FORMATS),
        help=f"{', '.join(FORMATS)} (default ${VARIABLE}, else {FORMATS[0]})",
    )
    group.add_argument(
        "--output",
        "-o",
        metavar="[FORMAT=]FILE",
        action="append",
        default=[],
        help="write the report to FILE instead of stdout; with FORMAT, one more report beside it; repeatable",
    )
    group.add_argument("--statistics", action="store_true", help="report how often each rule fired, not where")
    _add_color(group)


def _add_color(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--color",
        metavar="WHEN",
        type=one_of("auto", "always", "never"),
        default="auto",
        help="auto (default), always, never; NO_COLOR is honoured",
    )
