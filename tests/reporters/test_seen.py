"""The sentence under a map names what strikes the eye in it, with numbers that are those of the map."""

from __future__ import annotations

import pytest
from synthetic import Block, Offset, access, changed, lanes_of, warps

from coalint.core.facts.access import Operation, Space
from coalint.core.facts.lanes import Service
from coalint.machine.access_map import access_map
from coalint.machine.architecture import architecture
from coalint.reporters.show.map_description import describe_map

H200 = architecture("sm_90")

GLOBAL: list[tuple[Block, int, Offset, str]] = [
    ((32, 1, 1), 4, lambda x, y, z: 4 * x, "The lanes lie side by side and use every byte that moves."),
    ((32, 1, 1), 4, lambda x, y, z: 124 - 4 * x, "The lanes lie side by side and use every byte that moves."),
    (
        (32, 1, 1),
        4,
        lambda x, y, z: 4 * x + 4,
        "The lanes lie side by side, but begin 4 bytes past a sector boundary, which takes 1 sector more.",
    ),
    ((20, 1, 1), 4, lambda x, y, z: 4 * x, "The lanes lie side by side in 3 sectors, as few as hold their bytes."),
    ((32, 1, 1), 4, lambda x, y, z: 8, "All 32 lanes read the same 4 bytes: 1 sector for all of them."),
    (
        (32, 1, 1),
        4,
        lambda x, y, z: 12 * x,
        "Neighbouring lanes are 12 bytes apart, so that 33.3 % of the moved bytes are used.",
    ),
    (
        (32, 1, 1),
        4,
        lambda x, y, z: 400 * x,
        "Neighbouring lanes are 400 bytes apart, so that each needs a sector of its own: 4 of its 32 bytes are used.",
    ),
    (
        (32, 1, 1),
        4,
        lambda x, y, z: 256 * x if x % 4 == 0 else None,
        ("The active lanes are 1024 bytes apart, so that each needs a sector of its own: 4 of its 32 bytes are used."),
    ),
    (
        (4, 8, 1),
        4,
        lambda x, y, z: 4 * x + 256 * y,
        "The lanes fall into 8 rows of 4 side by side; 50 % of the moved bytes are used.",
    ),
    (
        (8, 4, 1),
        4,
        lambda x, y, z: 4 * x + 256 * y,
        "The lanes fall into 4 rows of 8 side by side, which together fill their sectors: 4 sectors.",
    ),
    (
        (32, 1, 1),
        4,
        lambda x, y, z: 8 if x == 5 else None,
        "One lane is active; 1 sector of 32 bytes must move for its 4.",
    ),
    (
        (32, 1, 1),
        4,
        lambda x, y, z: 64 * (x * x),
        "The lanes are scattered over 31 lines and 32 sectors; 12.5 % of the moved bytes are used.",
    ),
    ((32, 1, 1), 4, lambda x, y, z: None, "No lane of this warp is active."),
    (
        (32, 1, 1),
        4,
        lambda x, y, z: 4 * (x // 4),
        "32 lanes use 8 different addresses, which lie in 1 sector.",
    ),
]


@pytest.mark.parametrize(("block", "width", "offset", "sentence"), GLOBAL)
def test_of_global_memory(block: Block, width: int, offset: Offset, sentence: str) -> None:
    at = access(offset, block=block, bytes=width, strides=(None, None, None))
    assert describe_map(access_map(at, H200)) == sentence


SHARED: list[tuple[int, Service, Offset, str]] = [
    (4, Service.PLAIN, lambda x, y, z: 4 * x, "No bank has to serve two different words at once"),
    (4, Service.PLAIN, lambda x, y, z: 64, "All 32 lanes get the same word: 1 wavefront for all of them."),
    (
        4,
        Service.PLAIN,
        lambda x, y, z: 128 * x + 12,
        "All 32 lanes need different words of bank 3, one after the other: 32 wavefronts.",
    ),
    (
        4,
        Service.PLAIN,
        lambda x, y, z: 8 * x,
        "Up to 2 different words of each of 16 banks are needed at once, a 2-way conflict: 2 wavefronts.",
    ),
    (
        4,
        Service.PLAIN,
        lambda x, y, z: 128 if x == 31 else 4 * x,
        "Up to 2 different words of bank 0 are needed at once, a 2-way conflict: 2 wavefronts.",
    ),
    (
        16,
        Service.PLAIN,
        lambda x, y, z: 16 * x,
        (
            "No bank has to serve two different words at once, so there is no conflict: "
            "4 wavefronts, one for each quarter of the warp."
        ),
    ),
    (
        4,
        Service.SERIALIZED,
        lambda x, y, z: 4 * (x // 4),
        "Lanes that use the same bank take turns, even for the same word: up to 4 do, in 4 wavefronts.",
    ),
    (4, Service.SERIALIZED, lambda x, y, z: 4 * x, "No two lanes use the same bank: 1 wavefront."),
    (4, Service.CAS, lambda x, y, z: 4 * x, "No two lanes use the same bank: 2 wavefronts."),
]


@pytest.mark.parametrize(("width", "service", "offset", "sentence"), SHARED)
def test_of_shared_memory(width: int, service: Service, offset: Offset, sentence: str) -> None:
    op = Operation.LOAD if service is Service.PLAIN else Operation.ATOMIC
    at = access(offset, block=(32, 1, 1), bytes=width, space=Space.SHARED, op=op, service=service)
    assert describe_map(access_map(at, H200)).startswith(sentence)


def test_of_a_copy_that_asks_for_sectors_twice() -> None:
    """Rows of nine chunks of 16 bytes: each second row begins in the middle of a sector."""
    source, target = (
        lanes_of([warps((32, 1, 1), offset)])
        for offset in (lambda x, y, z: 16 * x, lambda x, y, z: 16 * (x // 8 * 9 + x % 8))
    )
    at = changed(access(lambda x, y, z: 0, block=(32, 1, 1), bytes=16), lanes=source, partner=target)
    part = access_map(changed(at, service=Service.BYPASS), H200)
    assert part.sectors == 24
    assert (
        describe_map(part)
        == "8 sectors move once for each sector of shared memory that the parts go to: 24 sectors in all."
    )
    stored = changed(at, space=Space.SHARED, op=Operation.STORE, lanes=target, partner=source)
    assert describe_map(access_map(changed(stored, service=Service.BYPASS), H200)) == (
        "The copy takes 10 wavefronts: chunks that move from one line to another by the same distance share one."
    )
