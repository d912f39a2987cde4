"""`coalint lint`: one module per output format."""
