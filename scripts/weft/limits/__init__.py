"""What a build may not exceed: shares of its kernels that would say that Weft itself is at fault."""
