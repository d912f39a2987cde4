"""Where source text names functions, read as text: nothing is parsed, so that it is cheap for a whole repository."""
