"""What the 32 lanes of a warp hold, number by number."""
