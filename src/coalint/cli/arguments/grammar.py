"""The grammar of the command line: the commands, each with its options."""

from __future__ import annotations

import argparse
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


def command_line() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="coalint",
        description=OVERVIEW.description,
        epilog=OVERVIEW.epilog,
    )
    parser.add_argument(
        "--version", action=PrintVersions, nargs=0, help="show the versions of coalint, of libclang and of rule packs"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for add_command in (
        _add_lint,
        _add_inspect,
        _add_profile,
        _add_show,
        _add_verify,
        _add_explain,
        _add_baseline,
        _add_config,
        _add_rule,
        _add_server,
        _add_clean,
        _add_completion,
    ):
        add_command(commands)
    for name, page in PAGES.items():
        commands.choices[name].description = page.description
        commands.choices[name].epilog = page.epilog
    return parser


def _add_lint(commands: Commands) -> None:
    parser = commands.add_parser("lint", help="report accesses that cost more than they need, and unsafe barriers")
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
        help="pass quietly over files without device code, as most headers named by a commit hook are",
    )
    choice.add_argument(
        "--fail-on",
        metavar="SEVERITY",
        type=severity,
        help="exit with 1 from this severity on: info, warning (default), error",
    )
    choice.add_argument("--exit-zero", action="store_true", help="exit with 0 in place of 1 where there are findings")
    choice.add_argument("--baseline", metavar="FILE", help="leave out the known findings that this file lists")
    choice.add_argument(
        "--diff-base",
        metavar="REF",
        help="only findings in kernels and device functions that changed since the branch left REF, as origin/main",
    )
    choice.add_argument(
        "--no-ignores", action="store_true", help="report what `coalint: ignore` and `disable` comments hide"
    )
    parser.add_argument("--watch", action="store_true", help="lint again whenever a file changes, until Ctrl-C")
    changes = parser.add_argument_group("changes to the source")
    changes.add_argument("--fix", action="store_true", help="apply the safe fixes, and report what is left")
    changes.add_argument("--unsafe-fixes", action="store_true", help="apply those too whose effect is to be checked")
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
    parser = commands.add_parser("explain-compile", help="show how a file is compiled, and what libclang says to it")
    add_input(parser, "a file or a folder")
    add_output(parser, "text", "json")


def _add_baseline(commands: Commands) -> None:
    parser = commands.add_parser("baseline", help="keep a list of known findings, which `lint` then leaves out")
    parser.add_argument(
        "action",
        metavar="ACTION",
        type=one_of("create", "prune"),
        help="create: write all findings that there are now; prune: strike out those that are gone",
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
        "names", metavar="NAME", nargs="*", help="a name or a code, as uncoalesced-global-access or COA101"
    )
    add_color(parser)


def _add_server(commands: Commands) -> None:
    parser = commands.add_parser("server", help="serve editors by the Language Server Protocol, on stdin and stdout")
    parser.add_argument("--stdio", action="store_true", help="what it does anyway: editors pass this")


def _add_clean(commands: Commands) -> None:
    parser = commands.add_parser("clean", help="remove what earlier runs left in the cache")
    add_cache_dir(parser)


def _add_completion(commands: Commands) -> None:
    parser = commands.add_parser("completion", help="print a script that lets a shell complete coalint's options")
    parser.add_argument("shell", metavar="SHELL", type=one_of(*SHELLS), help=", ".join(SHELLS))
