"""One folder a sample, for people."""
