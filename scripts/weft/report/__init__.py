"""One page that shows a build: a file that opens without a network."""
