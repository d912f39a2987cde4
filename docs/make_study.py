"""Writes study.html beside this file: accesses to play with, and the measured curves beside them.

    python docs/make_study.py

The accesses are those of study.cu, analysed here; the page computes them anew with the scripts of the report
(src/coalint/reporters/html). The measurements are those of curves.md.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from coalint import __version__
from coalint.analysis.evaluate import analyse
from coalint.analysis.facts import specialize
from coalint.frontend.load import load
from coalint.machine.arch import architecture
from coalint.machine.traffic import traffic
from coalint.reporters.html.data import Nodes, access_data, architecture_data
from coalint.reporters.html.page import MAPS, json_text, part, script

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "docs/study.cu"
ARCH = architecture("sm_90")
CURVES = ("stride", "records", "conflicts")
PITCH = re.compile(r"tile<(\d+)>")

STYLE = """
.study { max-width: 62rem; margin: 0 auto; }
.study section { border-top: 1px solid var(--line); margin-top: 2rem; }
.study input[type=range] { width: 16rem; }
.chart { width: 100%; max-width: 44rem; height: auto; display: block; }
.chart text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); }
.chart text.head { fill: var(--soft); }
.chart .grid { stroke: var(--line); }
.chart .marker { stroke: var(--soft); stroke-dasharray: 2 3; }
.chart polyline { fill: none; stroke-width: 1.5; }
.chart .line-model { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 6 4; }
.chart .line-a { stroke: var(--a); } .chart .dot-a { fill: var(--a); }
.chart .line-b { stroke: var(--b); } .chart .dot-b { fill: var(--b); }
.key { display: inline-block; width: 1.5em; height: 0; border-top: 3px solid; vertical-align: middle; }
.key-model { border-top-style: dashed; } .key-a { color: var(--a); } .key-b { color: var(--b); }
:root { --a: #2f6fb5; --b: #bd5a08; }
@media (prefers-color-scheme: dark) { :root { --a: #5ea4ee; --b: #f0954a; } }
"""

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="coalint @VERSION@, docs/make_study.py">
<title>How a warp meets memory</title>
<style>
@STYLE@
</style>
</head>
<body class="study">
<h1>How a warp meets memory</h1>
<p>Move the sliders: the pictures and numbers are computed in this page by the model that coalint counts with, and change
at once. The dashed lines follow from these counts; the dots are times, measured on @MACHINE@. Where the two part, time
depends on more than the counts; <a href="curves.md">curves.md</a> says what is known of it.
The source of the accesses is <a href="study.cu">study.cu</a>.</p>
<section aria-labelledby="stride-title">
<h2 id="stride-title">Stride</h2>
<p>Each lane loads one float, <code>in[stride * i]</code>. At a stride of 8 floats every lane has a sector of 32 bytes to
itself; further apart it cannot get worse in sectors. The chart is the efficiency: useful bytes of those moved, and
useful bandwidth over that at stride 1.</p>
<div class="controls" id="stride-controls"></div><div id="stride-picture" role="status"></div><div id="stride-chart"></div>
</section>
<section aria-labelledby="records-title">
<h2 id="records-title">Array of structs against struct of arrays</h2>
<p>One field of each record. The array of structs moves whole sectors for 4 bytes of each record. Where a kernel needs all
fields, the cache evens it out: the count per request is the same, the time is not.</p>
<div class="controls" id="records-controls"></div><div id="records-picture" role="status"></div><div id="records-chart"></div>
</section>
<section aria-labelledby="tiles-title">
<h2 id="tiles-title">Padding and swizzling a tile</h2>
<p>A tile of 32×32 floats in shared memory is written by rows and read by columns. A pitch of 33 words spreads a column
over all banks; 34, 36 and 40 do so in part only; the exclusive-or needs no room.</p>
<div class="controls" id="tiles-controls"></div><div id="tiles-picture" role="status"></div><div id="tiles-chart"></div>
</section>
<section aria-labelledby="shapes-title">
<h2 id="shapes-title">Block shapes</h2>
<p>A warp is 32 consecutive threads of the block, x fastest. In a block narrower than 32 it spans several rows, and each
row's piece is rounded to sectors by itself, the worse the less the pitch fits.</p>
<div class="controls" id="shapes-controls"></div><div id="shapes-picture" role="status"></div><div id="shapes-chart"></div>
</section>
<noscript><p>This page needs JavaScript, all of which is in this file.</p></noscript>
<script id="data" type="application/json">@DATA@</script>
<script>
@SCRIPT@
</script>
</body>
</html>
"""


def page_text(root: Path) -> str:
    """The page, from the source and the measurements under a root."""
    curves = json.loads((root / "docs" / "data" / "curves.sm_90.json").read_text(encoding="utf-8"))
    parts = {
        "VERSION": __version__,
        "MACHINE": f"an {curves['gpu']} (CUDA {curves['cuda']}, {curves['date']})",
        "STYLE": part("style.css") + STYLE,
        "SCRIPT": script(tuple(name for name in MAPS if name not in ("panel.js", "plan.js")))
        + (root / "docs" / "study.js").read_text(encoding="utf-8"),
        "DATA": json_text(data(root, curves)),
    }
    return re.sub("@([A-Z]+)@", lambda found: parts[found[1]], PAGE)


def data(root: Path, curves: dict[str, Any]) -> dict[str, Any]:
    """The accesses of study.cu and the measured points."""
    nodes = Nodes()
    accesses = []
    module = load(os.path.relpath(root / SOURCE), ())
    for kernel, specialization in specialize(module):
        arguments = ", ".join(specialization.template_arguments)
        name = f"{kernel.name}<{arguments}>" if arguments else kernel.name
        for access in analyse(module, kernel, specialization, with_models=True).accesses:
            written = access_data(access, traffic(access, ARCH), ARCH, nodes)
            kept = {key: written[key] for key in ("space", "op", "bytes", "service", "expression", "model")}
            accesses.append({"kernel": name, "block": list(specialization.block), "access": kept})
    return {
        "architecture": architecture_data(ARCH),
        "pitches": sorted({int(found[1]) for item in accesses if (found := PITCH.fullmatch(item["kernel"]))}),
        "nodes": nodes.written,
        "accesses": accesses,
        "curves": {name: [p for p in curves["points"] if p["curve"] == name] for name in CURVES},
    }


if __name__ == "__main__":
    (ROOT / "docs" / "study.html").write_text(page_text(ROOT), encoding="utf-8")
