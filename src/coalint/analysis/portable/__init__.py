"""Accesses as data that another program can evaluate for other numbers."""
