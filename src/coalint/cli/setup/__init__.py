"""What commands need before they can run: configuration, rules, executor, inputs.

Imports the engine and the terminal; knows no single command.
"""
