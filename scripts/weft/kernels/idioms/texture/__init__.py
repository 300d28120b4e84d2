"""Textures."""
