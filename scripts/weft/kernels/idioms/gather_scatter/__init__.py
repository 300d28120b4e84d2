"""Reads and writes through indices."""
