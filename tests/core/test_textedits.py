"""The edit applier against one that works character by character."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coalint.core.source.spans import Edit, Span
from coalint.core.source.text_edits import apply_edits, chosen, overlap

PIECES = st.lists(
    st.sampled_from(
        [b"a", b" ", b"\n", b"\r\n", "ä".encode(), "漢".encode(), "😀".encode(), b"\xff", b"\xe4\xb8", b"\t"]
    ),
    max_size=40,
)


def characters(data: bytes) -> list[tuple[bytes, int, int]]:
    """Each character as the analysis counts them, with its line and column."""
    found: list[tuple[bytes, int, int]] = []
    line, column, at = 1, 1, 0
    while at < len(data):
        size = next(
            (n for n in (1, 2, 3, 4) if at + n <= len(data) and is_text(data[at : at + n])),
            None,
        )
        if size is None:  # as many bytes as one replacement character stands for
            size = next(n for n in (3, 2, 1) if data[at : at + n].decode(errors="replace") == "\ufffd")
        found.append((data[at : at + size], line, column))
        line, column = (line + 1, 1) if data[at : at + size] == b"\n" else (line, column + 1)
        at += size
    return [*found, (b"", line, column)]


def is_text(data: bytes) -> bool:
    try:
        return len(data.decode()) == 1
    except UnicodeDecodeError:
        return False


@given(PIECES, st.data())
def test_edits_do_what_a_naive_applier_does(pieces: list[bytes], data: st.DataObject) -> None:
    text = b"".join(pieces)
    found = characters(text)
    assert "".join(c.decode(errors="replace") for c, _, _ in found) == text.decode(errors="replace")
    cuts = sorted(data.draw(st.sets(st.integers(0, len(found) - 1), max_size=6)))
    ranges = list(zip(cuts[::2], cuts[1::2], strict=False))
    edits, expected, done = [], [], 0
    newline = "\r\n" if b"\r\n" in text.partition(b"\n")[0] + text.partition(b"\n")[1] else "\n"
    for first, last in ranges:
        new = data.draw(st.sampled_from(["", "x", "é", "x\ny"]))
        edits.append(Edit(Span("f", *found[first][1:], *found[last][1:]), new))
        expected += [c for c, _, _ in found[done:first]] + [new.replace("\n", newline).encode()]
        done = last
    expected += [c for c, _, _ in found[done:]]
    assert apply_edits(text, data.draw(st.permutations(edits))) == b"".join(expected)


def edit(first: int, last: int, text: str = "") -> Edit:
    return Edit(Span("f", 1, first, 1, last), text)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3)), max_size=8))
def test_what_is_chosen_never_overlaps_and_what_is_not_does(places: list[tuple[int, int]]) -> None:
    groups = [[edit(first, first + size, str(number))] for number, (first, size) in enumerate(places)]
    kept = chosen(groups)
    for number in range(len(groups)):
        clashes = [other for other in kept if other < number and overlap(groups[number][0], groups[other][0])]
        assert (number not in kept) is bool(clashes)


def test_touching_edits_go_together_and_equal_ones_are_one() -> None:
    assert not overlap(edit(1, 3), edit(3, 5))
    assert overlap(edit(1, 3), edit(2, 5))
    assert overlap(edit(3, 3, "a"), edit(3, 3, "b"))
    assert overlap(edit(1, 4), edit(2, 2))
    assert not overlap(edit(2, 2, "a"), edit(2, 2, "a"))
    assert not overlap(edit(1, 4), Edit(Span("g", 1, 1, 1, 4), ""))
    assert chosen([[edit(1, 3, "a")], [edit(2, 4)], [edit(1, 3, "a"), edit(6, 7)]]) == [0, 2]
    assert apply_edits(b"abcdef", [edit(1, 3, "X"), edit(3, 5, "Y"), edit(1, 3, "X")]) == b"XYef"
