"""How many kernels came through each stage, and why the others did not."""
