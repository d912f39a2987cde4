"""Predictions beside a GPU's counters."""
