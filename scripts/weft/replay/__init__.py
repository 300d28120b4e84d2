"""Making one sample again from what its build or its row says, to see whether it is still the same."""
