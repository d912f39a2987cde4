"""Prints maps as one JSON object, schema `coalint-show/1`: offsets and sizes in bytes; lines and columns from 1."""

from __future__ import annotations

import json
from typing import Any

from coalint.core.facts.access import Space
from coalint.engine.inspection.showing import Showing, Shown, title_of
from coalint.machine.access_map import AccessMap
from coalint.reporters.show.map_description import describe_map

SCHEMA = "coalint-show/1"


def showing_text(showing: Showing) -> str:
    """Return the object as indented JSON with a final line feed."""
    value = {
        "schema": SCHEMA,
        "file": showing.request.spot.path,
        "line": showing.request.spot.line,
        "column": showing.request.spot.column,
        "cell": showing.request.spot.cell,
        "arch": showing.arch,
        "command": showing.command,
        "title": showing.title,
        "given": dict(showing.given),
        "maps": [_shown(shown) for shown in showing.shown],
        "others": list(showing.others),
    }
    return json.dumps(value, indent=1) + "\n"


def _shown(shown: Shown) -> dict[str, Any]:
    access = shown.access
    launch = access.specialization
    return {
        "file": access.span.file,
        "line": access.span.line,
        "column": access.span.column,
        "kernel": access.kernel,
        "template_arguments": list(launch.template_arguments),
        "launch": {
            "block": list(launch.block),
            "source": launch.source.value,
            "line": launch.line,
            "arguments": dict(launch.passed),
        },
        "title": title_of(launch),
        "space": (Space.GLOBAL if access.space is Space.GENERIC else access.space).value,
        "op": access.op.value,
        "alike": [other.op.value for other in shown.alike],
        "further": [list(other.piece) for other in shown.further],
        "bytes": access.bytes,
        "written_bytes": shown.written_bytes or access.bytes,
        "piece": list(access.piece),
        "expression": access.expression,
        "memory": access.memory.name if access.memory is not None else None,
        "common": access.address.common,
        "defaults": dict(shown.defaults),
        "open": list(access.open.names),
        "exact": access.result.exact,
        "assumed": list(access.result.assumed),
        "good_if": [good.text for good in access.open.good_if],
        "unknown": shown.reason or None,
        "mean": shown.traffic and {"count": shown.traffic.count, "ideal": shown.traffic.ideal},
        "executed": shown.launch and shown.launch.executed,
        "launch_cost": shown.launch and shown.launch.cost,
        "launch_excess": shown.launch and shown.launch.excess,
        "launch_share": shown.launch and shown.launch.share,
        "map": shown.map and _map(shown.map),
    }


def _map(part: AccessMap) -> dict[str, Any]:
    assert part.access.result.lanes is not None
    shared = part.access.space is Space.SHARED
    count, ideal = (part.traffic.count, part.traffic.ideal) if part.traffic is not None else (0.0, 0.0)
    return {
        "warp": part.warp,
        "warps": part.access.result.lanes.active.shape[1],
        "iteration": dict(part.counters),
        "sectors": None if shared else count,
        "sectors_ideal": None if shared else ideal,
        "bytes_used": part.bytes_used,
        "bytes_moved": None if shared else part.bytes_moved,
        "wavefronts": count if shared else None,
        "wavefronts_ideal": ideal if shared else None,
        "ways": max(part.ways.values(), default=0) if shared else None,
        "seen": describe_map(part),
        "lanes": [
            {"lane": lane.lane, "thread": lane.thread and list(lane.thread), "offset": lane.offset, "group": lane.group}
            for lane in part.lanes
        ],
        "lines": [
            {
                "offset": line.offset,
                "group": line.group,
                "sectors": [
                    {
                        "offset": sector.offset,
                        "requests": sector.requests,
                        "bytes_used": sector.bytes_used,
                        "uses": [{"lane": use.lane, "begin": use.begin, "bytes": use.bytes} for use in sector.uses],
                    }
                    for sector in line.sectors
                ],
            }
            for line in part.lines
        ],
        "served": [
            {
                "first_lane": wavefront.first,
                "last_lane": wavefront.last,
                "times": wavefront.times,
                "words": [
                    {"bank": word.bank, "word": word.word, "lanes": list(word.lanes)} for word in wavefront.words
                ],
            }
            for wavefront in part.wavefronts
        ],
    }
