"""Launches: what host code says of a kernel's block, grid and arguments."""
