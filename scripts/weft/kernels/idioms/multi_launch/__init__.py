"""Programs of several launches."""
