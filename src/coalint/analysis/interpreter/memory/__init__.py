"""Lvalues, loads and stores of the interpreted program. Imports the domain, the effects and the protocol of state."""
