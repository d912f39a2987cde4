"""Integer polynomials over atoms, and what the operators of C make of them. Imports core."""
