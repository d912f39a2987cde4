"""Inline PTX: its memory instructions, barriers and exits."""
