"""Bits of integers."""
