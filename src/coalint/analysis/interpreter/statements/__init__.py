"""Statements and control flow: branches joined, exits turned into guards. Imports the calls and the loops."""
