"""Kernels steered by scalar parameters."""
