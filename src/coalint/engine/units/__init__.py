"""What is compiled how: discovery of files, the plan of a run, fragments, kernels of several files."""
