"""Compares predictions with counters: which launch, which instructions, do they agree, and if not, why.

Imports `core`, `machine`, the engine's records and `verification.counters`.
"""
