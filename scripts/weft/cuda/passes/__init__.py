"""Passes over the translator's tree, in the order in which `device` runs them."""
