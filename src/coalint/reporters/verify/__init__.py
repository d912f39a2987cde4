"""`coalint verify` as text and JSON."""
