"""`coalint verify`: predictions compared with counters of a GPU."""
