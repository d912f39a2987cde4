"""CUDA source that Python files hand to CuPy, PyCUDA or PyTorch, found without running anything of them."""
