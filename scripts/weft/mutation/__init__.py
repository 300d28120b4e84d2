"""The mutation stage: small mistakes put into translated programs, and whether the judge sees them."""
