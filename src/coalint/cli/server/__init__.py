"""`coalint server`: the Language Server Protocol on stdin and stdout, and the process that analyses for it."""
