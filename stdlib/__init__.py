"""The library of rule modules, written in the rules language; data only."""
