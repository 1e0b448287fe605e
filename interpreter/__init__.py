"""The back end: a checked model in, games that are played, explained and recorded out.

For programs: `rulewright.interpreter.play.api` (`load_game`, states and actions in OpenSpiel's words),
`play.record` (saved games), `play.playout` (random games and statistics), `testing.verify` (checks,
examples, laws).
Nothing is imported here, so that the command line starts at once.
"""
