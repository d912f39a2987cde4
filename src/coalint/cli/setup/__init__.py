"""What commands need before they can run: configuration, rules, executor, inputs.

Imports the engine and `cli.output`; knows no single command.
"""
