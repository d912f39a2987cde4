"""The modules that checks import when they need them, since a run that finds all its results needs none.

A run that checks files imports this before it forks workers, so that each need not do it.
"""

# ruff: noqa: F401

import coalint.analysis.evaluate
import coalint.analysis.launches.arguments
import coalint.analysis.launches.assumptions
import coalint.analysis.launches.computed_bounds
import coalint.analysis.launches.host_launches
import coalint.analysis.launches.launch_loops
import coalint.analysis.launches.profiled
import coalint.analysis.launches.refuted_shapes
import coalint.analysis.launches.selection
import coalint.analysis.launches.specializations
import coalint.analysis.launches.stated
import coalint.core.ir.canonical
import coalint.engine.check.lone_blocks
import coalint.engine.check.module_check
import coalint.engine.check.other_blocks
import coalint.engine.check.pointer_roots
import coalint.engine.check.tensor_tiles
import coalint.engine.check.vector_fallbacks
import coalint.engine.check.whole_vectors
import coalint.engine.execution.cache.stored_answers
import coalint.engine.findings.fixes.padding_safety
