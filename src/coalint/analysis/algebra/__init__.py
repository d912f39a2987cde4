"""Polynomials over what is not known, and what C's operators and conditions make of them."""
