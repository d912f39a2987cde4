"""How files are compiled: compilation databases, options, include folders. Knows no libclang."""
