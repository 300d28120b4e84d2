"""Checks of a finished results tree, for someone who received the files."""
