"""The commands, one module each, named as on the command line with `_` for `-`.

Each has `run(options) -> exit code` and imports at call time what only it needs.
"""
