"""CUDA source to IR: libclang in, `coalint.ir` out."""
