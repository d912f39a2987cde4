"""What differs between the threads of a block, and why. Imports the domain and warps."""
