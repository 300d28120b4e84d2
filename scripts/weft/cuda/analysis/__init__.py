"""What is known of a program's integers: one analyzer for all passes that ask."""
