"""Options shared by commands that read sources: paths, how sources are read, which rules, how a run is executed."""

from __future__ import annotations

import argparse

from coalint.cli.arguments.actions import CollectFlag
from coalint.cli.arguments.converters import count, megabytes, seconds, toolkit
from coalint.engine.config.settings import DEFAULT_ARCH, Settings


def add_input(
    parser: argparse.ArgumentParser,
    path_help: str,
    number: str | int = "+",
    *,
    metavar: str = "PATH",
    spreads: bool = True,
) -> None:
    """Add paths and the options that say how sources are read; `spreads` says that a cluster can share the work."""
    shown = {"+": f"{metavar}...", "*": f"[{metavar}...]"}.get(str(number), metavar)
    parser.usage = f"%(prog)s [options] {shown} [-- CLANG_FLAG...]"
    parser.add_argument("paths", metavar=metavar, nargs=number, help=path_help)
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
        ("-std", "STANDARD", "the C++ standard, such as -std=c++20"),
    ):
        source.add_argument(option, metavar=metavar, action=CollectFlag, dest=f"flag{option}", help=text)
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
        help="a fact about the launch, such as 'blockDim.x == 256'; repeatable",
    )
    source.add_argument(
        "--arch",
        metavar="sm_XX",
        help=f"the GPU to count for (default {DEFAULT_ARCH}, or the newest of a file's compile command that lacks it)",
    )
    source.add_argument(
        "--toolkit",
        metavar="DIR",
        type=toolkit,
        default="",
        help="a CUDA toolkit or a folder of headers, for what coalint's own headers lack; `none` for no other than "
        "these (default $COALINT_TOOLKIT, else what is installed)",
    )
    source.add_argument(
        "--exclude",
        metavar="PATTERN",
        action="append",
        default=[],
        help="leave files out, in gitignore's syntax; repeatable",
    )
    add_running(parser, spreads)


def add_stdin(parser: argparse.ArgumentParser) -> None:
    """Add --stdin-filename."""
    parser.add_argument(
        "--stdin-filename",
        metavar="FILE",
        help="with `-`: read stdin as if it were this file, which need not exist",
    )


def add_choice(parser: argparse.ArgumentParser, title: str = "which findings") -> argparse._ArgumentGroup:
    """Add the options that select rules; return their group, titled `title`."""
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


def add_running(parser: argparse.ArgumentParser, spreads: bool) -> None:
    """Add the options that say how a run is executed; `spreads` adds --dask."""
    running = parser.add_argument_group("how it runs")
    running.add_argument("--jobs", "-j", metavar="N", type=count, help="processes (default 0: one per core)")
    running.add_argument(
        "--timeout-per-file",
        metavar="SECONDS",
        type=seconds,
        help=f"give up on a file after this time (default {Settings.timeout_per_file:g}; 0: never); "
        "while other programs have the processor does not count",
    )
    running.add_argument(
        "--memory-per-file",
        metavar="MB",
        type=megabytes,
        help=f"give up on a file that needs more memory (default {Settings.memory_per_file}; 0: no limit)",
    )
    running.add_argument("--no-cache", action="store_true", help="neither use nor store cached results")
    add_cache_dir(running)
    if spreads:
        running.add_argument(
            "--dask",
            metavar="ADDRESS",
            default="",
            help="run on the Dask cluster of this scheduler, such as tcp://host:8786, over a shared file system",
        )


def add_cache_dir(group: argparse._ActionsContainer) -> None:
    """Add --cache-dir."""
    group.add_argument(
        "--cache-dir",
        metavar="DIR",
        default="",
        help="where results are kept (default $COALINT_CACHE_DIR, else the user's cache folder)",
    )
