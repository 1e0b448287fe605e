"""Rules about a checked game that go beyond types: one file a rule.

In: a linked game with its context. Out: diagnostics; no check stops another.

    check_all(context)    # each in turn reports into the context

Open `all_checks` first: it lists the functions that are run.
"""
