"""Rules' documentation on the terminal."""
