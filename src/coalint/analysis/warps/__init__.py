"""The 32 lanes of each warp: which values and addresses they hold. Imports the domain."""
