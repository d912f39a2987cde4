"""Warnings of a file that are little by its other kernels, its launches and their place, or that may be wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from coalint.core.facts.launch import LaunchRecord
from coalint.core.source.boundary import Boundary
from coalint.engine.check.chosen_instances import without_chosen
from coalint.engine.check.narrow_fallbacks import without_fallbacks
from coalint.engine.check.records import CheckedKernel
from coalint.engine.check.set_up import without_set_up
from coalint.engine.check.single_blocks import without_single_blocks
from coalint.engine.check.sound_instances import without_beside_sound
from coalint.engine.check.test_folders import without_tests
from coalint.engine.check.torn_kernels import without_torn
from coalint.engine.check.vendored_folders import without_vendored
from coalint.engine.check.wider_instances import without_wider

if TYPE_CHECKING:
    from coalint.core import ir


def without_slight(
    checked: Sequence[CheckedKernel],
    module: ir.Module,
    records: Mapping[str, Sequence[LaunchRecord]],
    boundary: Boundary | None,
) -> list[CheckedKernel]:
    """Return the kernels of a module with such warnings as infos; `records` are the launches by the kernels' keys."""
    if not any(one.findings for one in checked):
        return list(checked)
    from coalint.engine.check.lone_blocks import lone_kernels
    from coalint.engine.check.tensor_tiles import without_tensor_tiles
    from coalint.engine.check.vector_fallbacks import without_vector_fallbacks
    from coalint.engine.check.whole_vectors import without_whole_vectors

    sound = without_beside_sound(without_torn(checked, module), module)
    many = without_single_blocks(sound, lone_kernels(module, records))
    chosen = without_vector_fallbacks(
        without_chosen(without_wider(without_fallbacks(without_set_up(many, module)), module)), module
    )
    tested = without_tests(without_tensor_tiles(without_whole_vectors(chosen, module), module), boundary)
    return without_vendored(tested, boundary)
