"""`coalint config` as text and JSON."""
