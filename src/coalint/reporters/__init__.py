"""Reports as text in each format, one folder per command.

Import the engine and everything below it; know no command line.
"""
