"""Functions with gradients of their own."""
