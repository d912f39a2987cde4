"""Executed warp instructions as formulas in what the source leaves open."""
