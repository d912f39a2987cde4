"""Rewrites of CUDA source that keep what it means: whatever coalint finds in one text, it must find in the other."""
