"""`coalint explain-compile` as text and JSON."""
