"""Tables in constant memory."""
