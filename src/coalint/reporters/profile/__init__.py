"""Prints profiles: the traffic of whole launches."""
