"""Atomics."""
