"""Tiles: arrays that the threads of a block share, as `__shared__` memory and loops that divide the work."""
