"""The language server, and the process that analyses for it."""
