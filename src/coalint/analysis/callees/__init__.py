"""Calls, and the functions that are known by their meaning: CUDA's own, and inline PTX."""
