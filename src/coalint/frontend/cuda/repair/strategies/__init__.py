"""Ways to have a file parsed with fewer errors, one module each: macros, a later standard, declarations, numbers.

A strategy changes a `RepairedFile` and parses it again; where that does not help it restores what it saved before.
"""
