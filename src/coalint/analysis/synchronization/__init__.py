"""Barriers that part of a block misses, warp primitives and their masks, races."""
