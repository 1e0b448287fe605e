"""Rules about a checked game that go beyond types: one file a rule.

In: a linked game with its context. Out: diagnostics; no check stops another.

    all_checks.CHECKS    # in `all_checks`: the functions, in their order

Open `all_checks` first.
"""
