"""What people train on: the verified samples as Parquet, in splits that share no idiom, with a card."""
