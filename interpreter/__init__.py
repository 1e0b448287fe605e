"""The back end: a checked model in, games that are played, explained and recorded out."""
