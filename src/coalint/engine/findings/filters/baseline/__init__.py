"""The list of known findings, and its entries."""
