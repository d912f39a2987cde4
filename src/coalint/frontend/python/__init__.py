"""CUDA source that stands in the string literals of Python files. Imports core alone."""
