"""Nested loops."""
