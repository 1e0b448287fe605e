"""Why something is not possible, with all that it came from."""

from __future__ import annotations

import re

from rulewright.interpreter.play.why import Why
from rulewright.interpreter.tableau.view_model import QuoteView, ReasonView
from rulewright.interpreter.words.text import printable


def reason_view(found: Why) -> ReasonView:
    """Return a reason for a page. Of the place only file and line are told, not the folder."""
    return ReasonView(
        text=printable(found.text),
        rule=printable(found.rule),
        place=printable(re.split(r"[/\\]", found.place)[-1]),
        variant=printable(found.variant),
        values=tuple((printable(one.text), printable(str(one.value))) for one in found.values),
        changed=tuple(printable(_without_folders(one)) for one in found.changed_by),
        quotes=tuple(
            QuoteView(one.book, one.section, tuple(map(printable, one.statements)), one.more)
            for one in found.quotes
        ),
        behind=tuple(map(reason_view, found.behind)),
    )


def _without_folders(text: str) -> str:
    """Return a text in which places are told as `file:line`: where files lie is nobody's business."""
    return re.sub(r"[^\s(),]*[/\\]([^/\\\s(),]+:\d+)", r"\1", text)
