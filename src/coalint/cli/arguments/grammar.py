"""The grammar of the command line: the commands, each with its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from coalint.cli.arguments.actions import PrintVersions
from coalint.cli.arguments.converters import one_of, severity
from coalint.cli.arguments.input_options import add_cache_dir, add_choice, add_input, add_stdin
from coalint.cli.arguments.manual import OVERVIEW, PAGES
from coalint.cli.arguments.output_options import add_color, add_files, add_numbers, add_output, add_reports, add_view
from coalint.cli.arguments.parser import Parser
from coalint.engine.config.outputs import PROFILES

COMMANDS = (
    "lint",
    "inspect",
    "profile",
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

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Parser]


def command_line(command: str | None = None) -> Parser:
    """Return the parser of all commands, or of one command alone: each takes a while to build."""
    parser = Parser(
        prog="coalint",
        description=OVERVIEW.description,
        epilog=OVERVIEW.epilog,
        whole=None if command is None else command_line,
    )
    parser.add_argument(
        "--version", action=PrintVersions, nargs=0, help="show the versions of coalint, of libclang and of rule packs"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, add_command in _adders().items():
        if command in (None, name):
            add_command(commands)
    for name, page in PAGES.items():
        if name in commands.choices:
            commands.choices[name].description = page.description
            commands.choices[name].epilog = page.epilog
    return parser


def _adders() -> dict[str, Callable[[Commands], None]]:
    """Return what adds each of the COMMANDS, in the order of `--help`."""
    return {
        "lint": _add_lint,
        "inspect": _add_inspect,
        "profile": _add_profile,
        "show": _add_show,
        "verify": _add_verify,
        "explain-compile": _add_explain,
        "baseline": _add_baseline,
        "config": _add_config,
        "rule": _add_rule,
        "server": _add_server,
        "clean": _add_clean,
        "completion": _add_completion,
    }


def _add_lint(commands: Commands) -> None:
    parser = commands.add_parser("lint", help="report accesses that cost more than they need to, and unsafe barriers")
    add_input(
        parser,
        "a .cu or .cuh file, any file named explicitly, a folder, or - for stdin (default: the working directory)",
        "*",
    )
    add_stdin(parser)
    add_reports(parser)
    choice = add_choice(parser, "which files and findings")
    choice.add_argument(
        "--device-code-only",
        action="store_true",
        help="skip files without device code silently, such as most headers that a commit hook names",
    )
    choice.add_argument(
        "--fail-on",
        metavar="SEVERITY",
        type=severity,
        help="exit with 1 if a finding has at least this severity: info, warning (default), error",
    )
    choice.add_argument("--exit-zero", action="store_true", help="exit with 0 instead of 1 if there are findings")
    choice.add_argument("--baseline", metavar="FILE", help="leave out the known findings that this file lists")
    choice.add_argument(
        "--diff-base",
        metavar="REF",
        help="only findings in kernels and device functions changed since the branch left REF, such as origin/main",
    )
    choice.add_argument(
        "--no-ignores", action="store_true", help="report what `coalint: ignore` and `disable` comments hide"
    )
    parser.add_argument("--watch", action="store_true", help="lint again whenever a file changes, until Ctrl-C")
    changes = parser.add_argument_group("changes to the source")
    changes.add_argument("--fix", action="store_true", help="apply the safe fixes, and report what is left")
    changes.add_argument("--unsafe-fixes", action="store_true", help="also apply fixes whose effect should be reviewed")
    changes.add_argument("--diff", action="store_true", help="print what --fix would change, and write nothing")
    changes.add_argument(
        "--add-ignores", action="store_true", help="write a `coalint: ignore` comment for each finding that is left"
    )


def _add_inspect(commands: Commands) -> None:
    parser = commands.add_parser("inspect", help="list every access and barrier, not only the bad ones")
    add_input(parser, "a file, a folder, FILE:LINE or FILE:LINE:COLUMN, or - for stdin")
    add_stdin(parser)
    add_output(parser, "text", "json")


def _add_profile(commands: Commands) -> None:
    parser = commands.add_parser("profile", help="count what whole launches execute and move, without running them")
    add_input(parser, "a file or a folder")
    add_numbers(parser)
    add_output(parser, *PROFILES)
    add_files(parser)


def _add_show(commands: Commands) -> None:
    parser = commands.add_parser("show", help="draw which sectors or banks the lanes of a warp touch")
    place = "FILE:LINE[:COLUMN]"
    add_input(parser, "a line, and the column of one access of several", 1, metavar=place, spreads=False)
    add_view(parser)


def _add_verify(commands: Commands) -> None:
    parser = commands.add_parser("verify", help="show predictions beside what Nsight Compute counted, line by line")
    add_input(parser, "the one source file that the profiled program was built from", metavar="SOURCE")
    parser.usage = "%(prog)s [options] SOURCE --ncu EXPORT.csv [-- CLANG_FLAG...]"
    parser.add_argument(
        "--ncu",
        metavar="EXPORT.csv",
        required=True,
        help="what `ncu --import REPORT --page source --csv --print-source cuda,sass` prints",
    )
    parser.add_argument(
        "--ncu-raw",
        metavar="RAW.csv",
        default="",
        help="what `ncu --import REPORT --page raw --csv` prints: the blocks and grids of the launches",
    )
    add_output(parser, "text", "json")


def _add_explain(commands: Commands) -> None:
    parser = commands.add_parser("explain-compile", help="show how a file is compiled, and what libclang reports")
    add_input(parser, "a file or a folder")
    add_output(parser, "text", "json")


def _add_baseline(commands: Commands) -> None:
    parser = commands.add_parser("baseline", help="keep a list of known findings, which `lint` then leaves out")
    parser.add_argument(
        "action",
        metavar="ACTION",
        type=one_of("create", "prune"),
        help="create: write all current findings; prune: remove those that are gone",
    )
    add_input(parser, "what to lint")
    parser.usage = "%(prog)s create|prune [options] PATH... [-- CLANG_FLAG...]"
    known = add_choice(parser)
    known.add_argument(
        "--baseline", metavar="FILE", help="the list (default: that of the configuration, else coalint-baseline.json)"
    )


def _add_config(commands: Commands) -> None:
    parser = commands.add_parser("config", help="show the settings that hold for a file or folder, and what set each")
    add_input(parser, "a file or folder (default: the working directory)", "*")
    parser.usage = "%(prog)s [options] [PATH...]"
    add_choice(parser)
    add_output(parser, "text", "json", "schema")


def _add_rule(commands: Commands) -> None:
    parser = commands.add_parser("rule", help="explain a rule, or list them all")
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="a name or a code, such as uncoalesced-global-access or COA101"
    )
    add_color(parser)


def _add_server(commands: Commands) -> None:
    parser = commands.add_parser("server", help="serve editors by the Language Server Protocol, on stdin and stdout")
    parser.add_argument("--stdio", action="store_true", help="the default; accepted because editors pass it")


def _add_clean(commands: Commands) -> None:
    parser = commands.add_parser("clean", help="remove what earlier runs left in the cache")
    add_cache_dir(parser)


def _add_completion(commands: Commands) -> None:
    parser = commands.add_parser("completion", help="print a script that lets a shell complete coalint's options")
    parser.add_argument("shell", metavar="SHELL", type=one_of(*SHELLS), help=", ".join(SHELLS))
