"""Every access of a file or a line, and its map."""
