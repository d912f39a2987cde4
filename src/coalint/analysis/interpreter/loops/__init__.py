"""Loops: what their variables hold in each iteration and after the last."""
