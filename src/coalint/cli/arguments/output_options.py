"""Options that say what is printed or drawn, in which format, and where it is written."""

from __future__ import annotations

import argparse

from coalint.cli.arguments.converters import (
    block_shape,
    equation,
    lane_list,
    number_of_findings,
    one_of,
    severity,
    warp,
)
from coalint.engine.config.outputs import FORMATS, PICTURES, VARIABLE
from coalint.engine.config.settings import SORTS


def add_reports(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how and where `lint` reports."""
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
        help="write the report to FILE instead of stdout, in the format of its suffix (.html, .sarif, .json, .jsonl, "
        ".md, .xml) where none is named; with FORMAT, one more report beside it; repeatable",
    )
    group.add_argument(
        "--stream",
        action="store_true",
        help="print the findings of each file as soon as it is checked: in full, concise and jsonl",
    )
    group.add_argument("--statistics", action="store_true", help="report how often each rule fired, not where")
    group.add_argument(
        "--verbose",
        "-v",
        action="store_true",
        default=None,
        help="with every note, place and launch of a finding, and how its index is computed",
    )
    group.add_argument(
        "--show-info",
        action="store_true",
        default=None,
        help="show findings of severity info one by one, not their count alone",
    )
    group.add_argument(
        "--min-severity", metavar="SEVERITY", type=severity, help="report from this severity on: info, warning, error"
    )
    group.add_argument(
        "--sort",
        metavar="ORDER",
        type=one_of(*SORTS),
        help="severity (default: severity, and cost within it), cost, path",
    )
    group.add_argument(
        "--max-findings",
        metavar="N",
        type=number_of_findings,
        help="print the first N findings, and count the rest (default 0: all)",
    )
    group.add_argument(
        "--quiet", "-q", action="store_true", help="print findings and errors alone: no summary, warnings or progress"
    )
    add_color(group)


def add_output(parser: argparse.ArgumentParser, *formats: str) -> None:
    """Add --output-format with these formats, the first of which is the default, and --color."""
    parser.add_argument(
        "--output-format",
        metavar="FORMAT",
        type=one_of(*formats),
        help=f"{', '.join(formats)} (default {formats[0]})",
    )
    add_color(parser)


def add_files(parser: argparse._ActionsContainer) -> None:
    """Add -o, which writes to files."""
    parser.add_argument(
        "--output", "-o", metavar="FILE", action="append", default=[], help="write to FILE, as its suffix says"
    )


def add_numbers(parser: argparse.ArgumentParser) -> None:
    """Add --let, which gives numbers to what the source leaves open."""
    parser.add_argument(
        "--let",
        metavar="NAME=N",
        type=equation,
        action="append",
        default=[],
        help="a number for a parameter or anything else that has none, as n=1048576; repeatable",
    )


def add_view(parser: argparse.ArgumentParser) -> None:
    """Add the options of `show`: what is drawn, and how."""
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
    add_files(output)
    add_color(output)


def add_color(parser: argparse._ActionsContainer) -> None:
    """Add --color."""
    parser.add_argument(
        "--color",
        metavar="WHEN",
        type=one_of("auto", "always", "never"),
        default="auto",
        help="auto (default), always, never; NO_COLOR is honoured",
    )
