"""What is left out of tracks: ends of transactions that nobody sees, and what is read again."""

from __future__ import annotations

import ast

import pytest

from rulewright.interpreter.codegen.emit_again import remembering, spared, straightened

END = "S.viewer = S.transaction = None\n"
BEGIN = "S.transaction = (me, 0, 1)\nS.viewer = me\n"


PRICE = "S.budget -= 10\nif S.budget < 0:\n    raise endless()\n"


def _lines(text: str) -> str:
    return ast.unparse(ast.parse(text))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{END}C[1][0] = me\n{BEGIN}return track", f"C[1][0] = me\n{BEGIN}return track"),
        (f"{END}C[1][0] = 2\n{END}return track", f"C[1][0] = 2\n{END}return track"),
        (f"{END}C[1][0] = 2", f"C[1][0] = 2\n{END}"),
        (f"{END}guard(S, x)\n{BEGIN}", f"{END}guard(S, x)\n{BEGIN}"),
        (f"{END}S.meet_hidden()\n{BEGIN}", f"{END}S.meet_hidden()\n{BEGIN}"),
        (f"{END}x = sorted(y, key=z)\n{BEGIN}", f"{END}x = sorted(y, key=z)\n{BEGIN}"),
        (
            f"{END}S.transaction = (S.viewer, 0, 1)\nS.viewer = me",
            f"{END}S.transaction = (S.viewer, 0, 1)\nS.viewer = me",
        ),
        (
            f"{END}if x:\n    y = 1\n    return anywhere\n{BEGIN}return track",
            f"if x:\n    y = 1\n    {END}    return anywhere\n{BEGIN}return track",
        ),
        (
            f"{END}if x:\n    guard(S, x)\nelse:\n    y = 1\n{BEGIN}",
            f"if x:\n    {END}    guard(S, x)\nelse:\n    y = 1\n    {END}{BEGIN}",
        ),
        (
            f"{END}if x:\n    raise Slow\n{BEGIN}return track",
            f"if x:\n    raise Slow\n{BEGIN}return track",
        ),
        (
            f"{END}if S.transaction is None:\n    {BEGIN.replace(chr(10), chr(10) + '    ')}\n",
            f"{END}if S.transaction is None:\n    {BEGIN.replace(chr(10), chr(10) + '    ')}\n",
        ),
        (f"{END}if x:\n    {END}y = 1", f"if x:\n    pass\ny = 1\n{END}"),
        (f"for x in y:\n    {END}    z = 1", f"for x in y:\n    {END}    z = 1"),
    ],
)
def test_the_end_of_a_transaction_stands_where_it_matters(before: str, after: str) -> None:
    """It is moved down to whatever looks at it, and no further; a new transaction replaces it."""
    tree = ast.parse(before).body
    assert "\n".join(map(ast.unparse, straightened(tree))) == _lines(after)
    assert "\n".join(map(ast.unparse, tree)) == _lines(before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("C[1][0] = t1\nt2 = C[1][0]", "C[1][0] = t1\nt2 = t1"),
        ("t1 = c3[x]\ny = (c3[x], 1)", "t1 = c3[x]\ny = (t1, 1)"),
        ("t1 = c3[x]\ny = C[3][x]", "t1 = c3[x]\ny = t1"),
        ("t1 = x.number\nc3[t1] = me\ny = c3[x.number]", "t1 = x.number\nc3[t1] = me\ny = me"),
        ("t1 = c3[x]\nx = 2\ny = c3[x]", "t1 = c3[x]\nx = 2\ny = c3[x]"),
        ("t1 = c3[x]\nt1 += 1\ny = c3[x]", "t1 = c3[x]\nt1 += 1\ny = c3[x]"),
        ("t1 = c3[x]\nc3[z] = 1\ny = c3[x]", "t1 = c3[x]\nc3[z] = 1\ny = c3[x]"),
        ("t1 = c3[x]\nc3[z] += 1\ny = c3[x]", "t1 = c3[x]\nc3[z] += 1\ny = c3[x]"),
        ("t1 = c3[x]\nc4[z] = 1\ny = c3[x]", "t1 = c3[x]\nc4[z] = 1\ny = t1"),
        ("t1 = c3[x]\nC[z][0] = 1\ny = c3[x]", "t1 = c3[x]\nC[z][0] = 1\ny = c3[x]"),
        ("t1 = c3[x]\nt5[0] = 1\ny = c3[x]", "t1 = c3[x]\nt5[0] = 1\ny = c3[x]"),
        ("t1 = c3[x]\nmove(S, x)\ny = c3[x]", "t1 = c3[x]\nmove(S, x)\ny = c3[x]"),
        ("t1 = x.number\nmove(S, x)\ny = [x.number]", "t1 = x.number\nmove(S, x)\ny = [t1]"),
        ("t1 = x.number\ny = [x.number for x in z]", "t1 = x.number\ny = [x.number for x in z]"),
        (
            "t1 = c3[x]\nif c3[x]:\n    c3[z] = 1\n    return a\ny = c3[x]",
            "t1 = c3[x]\nif t1:\n    c3[z] = 1\n    return a\ny = t1",
        ),
        (
            "t1 = c3[x]\nif c3[x]:\n    c3[z] = 1\ny = c3[x]",
            "t1 = c3[x]\nif t1:\n    c3[z] = 1\ny = c3[x]",
        ),
        (
            "t1 = c3[x]\nfor x in z:\n    y = c3[x]\ny = c3[x]",
            "t1 = c3[x]\nfor x in z:\n    y = c3[x]\ny = c3[x]",
        ),
        ("t1 = c3[x]\nif c3[x] is t1:\n    y = 1\nelse:\n    y = 2", "t1 = c3[x]\ny = 1"),
        ("t1 = c3[x]\nif c3[x] != t1:\n    y = 1\nz = 2", "t1 = c3[x]\nz = 2"),
        (
            "t1 = c3[x]\nif y:\n    if c3[x] != t1:\n        y = 1\nz = 2",
            "t1 = c3[x]\nif y:\n    pass\nz = 2",
        ),
        ("t1 = c3[x]\nif c3[x] < t1:\n    y = 1", "t1 = c3[x]\nif c3[x] < t1:\n    y = 1"),
        ("if x:\n    t1 = c3[x]\ny = c3[x]", "if x:\n    t1 = c3[x]\ny = c3[x]"),
    ],
)
def test_what_is_known_is_not_read_again(before: str, after: str) -> None:
    """A variable stands for it as long as nothing can have changed either."""
    tree = ast.parse(before).body
    assert "\n".join(map(ast.unparse, remembering(tree))) == _lines(after)
    assert "\n".join(map(ast.unparse, tree)) == _lines(before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"x = 1\n{PRICE}y = 2\ndel z\nreturn asks", "x = 1\ny = 2\ndel z\nreturn asks"),
        (f"x = 1\n{PRICE}'a text'\nreturn asks", "x = 1\n'a text'\nreturn asks"),
        (f"{PRICE}y = 2\nreturn goes_on", f"{PRICE}y = 2\nreturn goes_on"),
        (f"{PRICE}if x:\n    return goes_on\nreturn asks",) * 2,
        (f"{PRICE}for x in y:\n    z = x\nreturn asks",) * 2,
        (f"while x:\n    {PRICE.replace(chr(10), chr(10) + '    ')}return asks",) * 2,
        (
            f"if x:\n    {PRICE.replace(chr(10), chr(10) + '    ')}return asks\nreturn goes_on",
            "if x:\n    return asks\nreturn goes_on",
        ),
        ("if S.budget < 0:\n    raise endless()\nreturn asks",) * 2,
    ],
)
def test_a_pass_costs_nothing_right_before_a_decision(before: str, after: str) -> None:
    """There the budget begins anew; what may go on elsewhere keeps its price."""
    tree = ast.parse(before).body
    assert "\n".join(map(ast.unparse, spared(tree, {"asks"}))) == _lines(after)
    assert "\n".join(map(ast.unparse, tree)) == _lines(before)
