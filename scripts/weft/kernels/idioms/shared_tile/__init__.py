"""Tiles in shared memory."""
