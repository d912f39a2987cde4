"""Prints a profile as one HTML page without scripts: what the JSON object holds, with bars, and formulas as MathML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import prod
from typing import Any

from coalint.core.version import version
from coalint.engine.profile.records import Profile
from coalint.reporters.html.page import part
from coalint.reporters.profile.json import profile_object
from coalint.reporters.profile.text import AT_BLOCK, OPEN_SHARE
from coalint.reporters.shared.escape_controls import without_controls
from coalint.reporters.shared.summary import coverage_text
from coalint.rules.support.wording import plural

LANES = 32
"""Of a warp."""
_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="coalint {version}">
<title>coalint profile</title>
<style>
{style}
td.n math {{ font-size: 1rem; }}
</style>
</head>
<body>
<header><h1>coalint profile</h1><p>{summary}</p></header>
<main>
"""
_LEGEND = """<p class="legend">Over one launch of each kernel: warp instructions executed; what they move, in sectors of
32 bytes (global memory) or wavefronts (shared memory); its part in the traffic of the kernel; what is beyond the ideal,
and its part in the excess of the kernel. A share after ~ is what it comes near to where all open sizes grow. Kernels
stand in the order of their excess. * rests on a supposition, which stands under the table.</p>
"""
_COLUMNS = (
    "Line",
    "Access",
    "Instruction",
    "Executed",
    "Moved",
    "Of traffic",
    "Excess",
    "Of excess",
    "Bytes / needed",
)


def profile_text(profile: Profile) -> str:
    """Return the page."""
    head = _HEAD.format(
        version=escape(version()), style=part("style.css"), summary=escape(str(coverage_text(profile.coverage)))
    )
    failures = "".join(f"<p>{escape(failure.message)}</p>\n" for failure in profile.failures)
    kernels = "".join(text for kernel in profile_object(profile)["kernels"] for text in _kernel(kernel))
    return without_controls(f"{head}{_LEGEND}{failures}{kernels}</main>\n</body>\n</html>\n")


def _kernel(kernel: dict[str, Any]) -> Iterator[str]:
    arguments = f"<{', '.join(kernel['template_arguments'])}>" if kernel["template_arguments"] else ""
    yield f"<section>\n<h2>{escape(kernel['name'] + arguments)}</h2>\n"
    yield f"<p>{escape(kernel['file'])}:{kernel['line']}, {escape(kernel['basis'])}{_launched(kernel)}</p>\n"
    headings = "".join(f'<th scope="col">{name}</th>' for name in _COLUMNS)
    yield f"<table>\n<thead><tr>{headings}</tr></thead>\n<tbody>\n"
    for item in kernel["instructions"]:
        yield _row(kernel, item)
    for item in kernel["barriers"]:
        yield _barrier_row(kernel, item)
    yield "</tbody>\n</table>\n"
    for space, totals in kernel["totals"].items():
        if totals["requests"] or totals["open"]:
            yield f"<p><strong>{escape(_total(kernel, space, totals))}</strong></p>\n"
    counted = (*kernel["instructions"], *kernel["barriers"])
    assumed = dict.fromkeys(text for item in counted for text in item["assumed"])
    holds_for = sorted({item["holds_for"] for item in counted if item["holds_for"]}, key=len)[-1:]
    if assumed or holds_for:
        yield f"<p>Assuming {escape(', '.join((*assumed, *holds_for)))}</p>\n"
    if kernel["supposed_block"]:
        block = ", ".join(f"{name} = {number}" for name, number in kernel["supposed_block"].items())
        yield f"<p>Numbers after {AT_BLOCK}, and shares, are for {escape(block)}</p>\n"
    yield "</section>\n"


def _launched(kernel: dict[str, Any]) -> str:
    """Return the grid of a launch, and how often it is made where that is not once."""
    grid, times = kernel["grid"], kernel["launches"]
    shape = "" if grid is None else f", {plural(prod(grid), 'block')}"
    return shape + (", in a loop" if times is None else "" if times == 1 else f", {times:,} times")


def _row(kernel: dict[str, Any], item: dict[str, Any]) -> str:
    moved = "" if item["bytes_moved"] is None else f"{item['bytes_moved']:,} / {item['bytes_needed']:,}"
    each = "" if item["cost_per_request"] is None else f"{item['cost_per_request']:.4g} each"
    is_open = any(
        other["excess"] is None and not other["excess_formula"]
        for other in kernel["instructions"]
        if other["space"] == item["space"]
    )
    cells = [
        *_source_cells(kernel, item, item["expression"]),
        f"<td>{item['op']} {item['space']} {item['bytes']} B</td>",
        f'<td class="n"{_lanes(item)}>{_number(kernel, item, "executed", "open")}</td>',
        f'<td class="n">{_number(kernel, item, "cost", each)}</td>',
        _share(item, "traffic_share", "executed", is_open=is_open),
        f'<td class="n">{_number(kernel, item, "excess", "")}</td>',
        _share(item, "share", "", is_open=is_open),
        f'<td class="n">{moved}</td>',
    ]
    return f"<tr>{''.join(cells)}</tr>\n"


def _barrier_row(kernel: dict[str, Any], item: dict[str, Any]) -> str:
    cells = [
        *_source_cells(kernel, item, item["function"]),
        f"<td>{item['scope']} barrier</td>",
        f'<td class="n">{_number(kernel, {**item, "mathml": None}, "executed", "open")}</td>',
        f'<td colspan="{len(_COLUMNS) - 4}"></td>',
    ]
    return f"<tr>{''.join(cells)}</tr>\n"


def _source_cells(kernel: dict[str, Any], item: dict[str, Any], text: str) -> tuple[str, str]:
    """Return the cells of the place and of the source, the latter with what leaves the number open."""
    place = str(item["line"]) if item["file"] == kernel["file"] else f"{item['file']}:{item['line']}"
    open_ = f" (open: {', '.join(item['open'])})" if item["executed"] is None and not item["executed_formula"] else ""
    code = f"<code>{escape(' '.join(text.split()))}</code>{escape(open_)}"
    return f"<td>{escape(place)}:{item['column']}</td>", f"<td>{code}</td>"


def _lanes(item: dict[str, Any]) -> str:
    """Return what the number of executions says when it is pointed at: the lanes that are active; nothing if open."""
    executed, lanes = item["executed"], item["active_lanes"]
    if not executed or lanes is None:
        return ""
    return f' title="{lanes:,} active lanes, {lanes / executed:.3g} of {LANES} on average"'


def _number(kernel: dict[str, Any], item: dict[str, Any], name: str, otherwise: str) -> str:
    """Return a number, its formula as MathML where it is open, or what stands for it.

    A number for a block that is supposed is marked as such, and gives way to a formula in extents of the block.
    """
    mathml, formula = item["mathml"] and item["mathml"].get(name), item[f"{name}_formula"]
    if item[name] is not None and (item["holds_for"] is None or not formula):
        mark = AT_BLOCK if kernel["supposed_block"] else ""
        return f"{mark}{round(item[name]):,}" + ("" if item["exact"] or not item["assumed"] else " *")
    if mathml:
        # sympy writes it, and escapes the names in it.
        return f'<math title="{escape(str(formula))}">{mathml}</math>'
    return escape(formula or otherwise)


def _share(item: dict[str, Any], name: str, kind: str, *, is_open: bool) -> str:
    """Return a cell with a share and its bar; `is_open`: something that it is a share of is not known."""
    limit, known = item[f"{name}_limit"], item[name]
    share = known if limit is None else limit
    if share is None:
        return f'<td class="bars">{OPEN_SHARE if is_open else ""}</td>'
    title = escape(item[f"{name}_formula"] or "")
    bar = f'<span class="track"><span class="bar {kind}" style="width: {share:.1%}"></span></span>'
    return f'<td class="bars" title="{title}">{"" if limit is None else "~"}{share:.0%}{bar}</td>'


def _total(kernel: dict[str, Any], space: str, totals: dict[str, Any]) -> str:
    unit = "sectors" if space == "global" else "wavefronts"
    if totals["cost_formula"] and (totals["open"] or kernel["supposed_block"]):
        return f"{space}: {totals['cost_formula']} {unit}, of these {totals['excess_formula']} beyond the ideal"
    parts = [f"{totals['requests']:,} requests, {round(totals['cost']):,} {unit} (ideal: {round(totals['ideal']):,})"]
    if totals["efficiency"] is not None:
        parts.append(f"efficiency {totals['efficiency']:.0%}")
    if totals["bytes_moved"] is not None:
        parts.append(f"{totals['bytes_moved']:,} bytes moved, {totals['bytes_needed']:,} needed")
        if kernel["least_dram_bytes"] is not None:
            parts.append(f"{kernel['least_dram_bytes']:,} bytes of DRAM at least")
    if totals["open"]:
        parts.append(f"without {totals['open']} whose number is open")
    return f"{space}: {', '.join(parts)}"
