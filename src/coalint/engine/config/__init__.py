"""Settings: what they are, the files that hold them, which hold where."""
