"""Accesses as data: another program can evaluate them for other numbers."""
