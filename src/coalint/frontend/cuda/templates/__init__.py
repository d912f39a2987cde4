"""Template instances: those that a file has, probes for others, arguments that may stand for open parameters."""
