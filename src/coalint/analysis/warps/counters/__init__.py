"""The loop counters and block indices of an access: which values are tried, and their periods."""
