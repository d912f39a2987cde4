"""What nvcc leaves out of the accesses that are written, or makes elsewhere: invariants, held values, dead stores."""
