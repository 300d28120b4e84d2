"""Whether the gradients that Warp makes of a kernel are its derivatives."""
