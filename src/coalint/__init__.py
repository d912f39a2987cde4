"""coalint: a static access-pattern linter for CUDA source."""

__version__ = "0.1.0"
