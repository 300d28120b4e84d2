"""What the kernels of the package share."""

STEP = 0.25
