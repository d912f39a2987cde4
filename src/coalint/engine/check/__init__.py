"""The check of one file: its kernels, what failed, limits on time and memory."""
