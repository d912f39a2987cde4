"""The command line and the language server: arguments in, exit code out. Imports everything below."""
