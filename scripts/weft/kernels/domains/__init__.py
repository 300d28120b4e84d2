"""What kernels are about: one file a domain, with its quantities and formulas."""
