"""What only CUDA has: inline PTX, launches through the runtime's functions."""
