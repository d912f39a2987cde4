"""Counts of kernels without a launch in sight: formulas in the extents of the block that is supposed of them."""
