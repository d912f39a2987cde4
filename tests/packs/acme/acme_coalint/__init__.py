"""Acme's rules, one module each."""
