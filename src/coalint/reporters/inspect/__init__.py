"""`coalint inspect` as text and JSON."""
