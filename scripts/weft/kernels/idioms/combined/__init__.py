"""Kernels of several parts."""
