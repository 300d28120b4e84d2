"""Stencils."""
