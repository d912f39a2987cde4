"""Barriers and warp primitives, and what threads do to shared memory between them."""
