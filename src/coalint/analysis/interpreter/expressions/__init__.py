"""The values of expressions, one module for each group of operators. Imports the domain
and the protocol of state.
"""
