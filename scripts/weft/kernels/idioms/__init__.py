"""Idioms: what kernels of real code do, with holes; a category's table names those that are its own."""
