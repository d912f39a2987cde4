"""Settings: their keys and kinds, the files that set them, and how layers merge."""
