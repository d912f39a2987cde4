"""Global memory: the sectors and lines that a request touches. Imports core and the architecture."""
