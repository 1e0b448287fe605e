"""The games, one folder for each rule book and edition, written in the rules language; data only."""
