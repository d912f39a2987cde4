"""Says beside each access what it costs: `32/4`, the sectors or wavefronts of a request and its ideal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from coalint.cli.server.hover import Descriptions
from coalint.cli.server.positions import to_range
from coalint.core.facts.access import Space
from coalint.core.source.spans import Span
from coalint.engine.report import Inspection
from coalint.rules.support.wording import number


def inlay_hints(
    inspection: Inspection, file: str, within: lsp.Range, lines: Sequence[str], codec: PositionCodec
) -> Iterator[lsp.InlayHint]:
    """Yield a hint after each access of the file in the range whose cost is known.

    Where a place is analysed for several launches, the costliest is shown.
    """
    descriptions = Descriptions(inspection, file)
    for span, label in _labels(inspection, os.path.realpath(file)):
        place = to_range(span, lines, codec)
        if within.start.line <= place.end.line <= within.end.line:
            described = descriptions.at_span(span)
            yield lsp.InlayHint(
                position=place.end,
                label=label,
                tooltip=lsp.MarkupContent(lsp.MarkupKind.Markdown, described.markdown) if described else None,
                padding_left=True,
            )


def _labels(inspection: Inspection, file: str) -> Iterator[tuple[Span, str]]:
    costs: dict[Span, tuple[float, float, str]] = {}
    files: dict[str, bool] = {}
    for item in inspection.kernels:
        for access, traffic in zip(item.analysis.accesses, item.traffics, strict=True):
            name = access.span.file
            if name not in files:
                files[name] = os.path.realpath(name) == file
            if traffic is None or not files[name]:
                continue
            sign = "" if access.result.exact else "~"
            unit = " wf" if access.space is Space.SHARED else ""
            label = f"{sign}{number(traffic.count)}/{number(traffic.ideal)}{unit}"
            shown = costs.get(access.span)
            if shown is None or (traffic.excess, traffic.count) > shown[:2]:
                costs[access.span] = traffic.excess, traffic.count, label
    for span in sorted(costs):
        yield span, costs[span][2]
