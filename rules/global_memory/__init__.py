"""Rules on global memory: COA1xx and COA402."""
