"""SVG figures: a frame with axes, curves, dots, bars and a legend, in light and dark colours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

STYLE = """\
text{font:13px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#3d444d}
.title{font-size:15px;font-weight:600;fill:#1f2328}
.paper{fill:#ffffff}
.grid{stroke:#d8dde3;stroke-width:1}
.axis{stroke:#818b98;stroke-width:1}
.value{font-size:11px;fill:#ffffff}
.s0{fill:#2f6fb5}.s1{fill:#bd5a08}.s2{fill:#26794c}.s3{fill:#6b737c}
.l0{stroke:#2f6fb5}.l1{stroke:#bd5a08}.l0,.l1{fill:none;stroke-width:1.5}
.model{stroke:#1f2328;fill:none;stroke-width:2;stroke-dasharray:6 4}
.mark{stroke:#1f2328;stroke-width:2.5}
@media (prefers-color-scheme:dark){
text{fill:#b7bfc8}
.title{fill:#f0f3f6}
.value{fill:#0d1117}
.paper{fill:#0d1117}
.grid{stroke:#2b323b}
.axis{stroke:#767f8a}
.s0{fill:#5ea4ee}.s1{fill:#f0954a}.s2{fill:#52b985}.s3{fill:#98a1ab}
.l0{stroke:#5ea4ee}.l1{stroke:#f0954a}
.model,.mark{stroke:#f0f3f6}
}"""


# ---- The data, and what the model says of the same accesses.


@dataclass(frozen=True)
class Frame:
    """The rectangle that data are drawn in, in pixels, with the ranges of both axes; y is logarithmic if `log`."""

    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    log: bool = False

    def x(self, value: float) -> float:
        """The pixel of a value along the horizontal axis."""
        low, high = self.x_range
        return self.left + self.width * (value - low) / (high - low)

    def y(self, value: float) -> float:
        """The pixel of a value along the vertical axis."""
        low, high = self.y_range
        if self.log:
            low, high, value = math.log2(low), math.log2(high), math.log2(value)
        return self.top + self.height * (high - value) / (high - low)


def px(value: float) -> str:
    """Return a length in pixels, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, words: str, anchor: str = "start", extra: str = "") -> str:
    """A line of text."""
    return f'<text x="{px(x)}" y="{px(y)}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line class="{kind}" x1="{px(x1)}" y1="{px(y1)}" x2="{px(x2)}" y2="{px(y2)}"/>'


def path(frame: Frame, points: Iterable[tuple[float, float]], kind: str) -> str:
    """A line through points."""
    places = " ".join(f"{px(frame.x(x))},{px(frame.y(y))}" for x, y in points)
    return f'<polyline class="{kind}" points="{places}"/>'


def dots(frame: Frame, points: Iterable[tuple[float, float]], kind: str) -> Iterator[str]:
    """A dot at each point, joined by a line of the same colour."""
    points = list(points)
    yield path(frame, points, kind.replace("s", "l"))
    for x, y in points:
        yield f'<circle class="{kind}" cx="{px(frame.x(x))}" cy="{px(frame.y(y))}" r="3.2"/>'


def axes(frame: Frame, y_ticks: Sequence[tuple[float, str]], x_label: str, y_label: str) -> Iterator[str]:
    """Grid lines with their values, the base line and both labels."""
    right, bottom = frame.left + frame.width, frame.top + frame.height
    for value, words in y_ticks:
        yield line(frame.left, frame.y(value), right, frame.y(value), "grid")
        yield text(frame.left - 8, frame.y(value) + 4.5, words, "end")
    yield line(frame.left, bottom, right, bottom, "axis")
    yield text(frame.left + frame.width / 2, bottom + 44, x_label, "middle")
    if y_label:
        x, y = frame.left - 48, frame.top + frame.height / 2
        yield text(x, y, y_label, "middle", f' transform="rotate(-90 {px(x)} {px(y)})"')


def x_ticks(frame: Frame, values: Iterable[int]) -> Iterator[str]:
    """Values along the horizontal axis."""
    bottom = frame.top + frame.height
    for value in values:
        yield line(frame.x(value), bottom, frame.x(value), bottom + 5, "axis")
        yield text(frame.x(value), bottom + 20, str(value), "middle")


def legend(x: float, y: float, entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Names beside their colours, in one row; the kinds `model` and `mark` are lines."""
    for kind, words in entries:
        if kind in ("model", "mark"):
            yield line(x, y - 4.5, x + 24, y - 4.5, kind)
            x += 30
        else:
            yield f'<rect class="{kind}" x="{px(x)}" y="{px(y - 10.5)}" width="12" height="12" rx="2"/>'
            x += 18
        yield text(x, y, words)
        x += 7.1 * len(words) + 16


def bar(frame: Frame, x: float, width: float, value: float, kind: str) -> Iterator[str]:
    """A bar from the base line to a value, with the value at its foot."""
    top, bottom = frame.y(value), frame.top + frame.height
    yield (
        f'<rect class="{kind}" x="{px(x)}" y="{px(top)}" width="{px(width)}" height="{px(bottom - top)}">'
        f"<title>{escape(f'{value:.2f} TB/s')}</title></rect>"
    )
    yield text(x + width / 2, bottom - 6, f"{value:.1f}", "middle", ' class="value"')


def picture(title: str, height: int, parts: Iterable[str]) -> str:
    """A whole SVG file, 760 pixels wide."""
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" width="760" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="760" height="{height}" rx="6"/>',
        text(24, 32, title, extra=' class="title"'),
    ]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


# ---- The pictures.
