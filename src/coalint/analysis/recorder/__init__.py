"""What the interpreter notes down: accesses, barriers, events of shared memory."""
