"""What nvcc makes of an access: vector loads, merged and split ones, as seen in its machine code. Imports core."""
