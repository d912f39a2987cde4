"""Loops: what their variables hold in each iteration and behind the last."""
