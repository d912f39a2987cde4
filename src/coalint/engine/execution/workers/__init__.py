"""Supervised worker processes."""
