"""`coalint show`: maps as text, JSON and SVG."""
