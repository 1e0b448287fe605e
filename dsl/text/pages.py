"""The long explanations: a code goes in, its page comes out (`rulewright explain RW201`)."""

from importlib.resources import files

from rulewright.dsl.text.codes import BY_CODE, CODES, Code
from rulewright.dsl.text.suggest import nearest


def find_code(text: str) -> Code | None:
    """Return the code written as `RW201`, `rw201`, `201` or `unknown-name`."""
    wanted = text.strip().upper()
    if wanted.isdigit():
        wanted = f"RW{wanted.zfill(3)}"
    if wanted in BY_CODE:
        return BY_CODE[wanted]
    slug = text.strip().lower().replace("_", "-")
    return next((code for code in CODES if code.slug == slug), None)


def hint(code: str) -> str | None:
    """Return the page of a code, in Markdown; none if there is no such code."""
    found = find_code(code)
    if found is None:
        return None
    page = files("rulewright.dsl.text").joinpath("hints", f"{found.code}.md")
    return page.read_text(encoding="utf-8") if page.is_file() else None


def nearest_codes(text: str) -> tuple[str, ...]:
    """Return the codes or slugs that `text` may be a slip of."""
    candidates = [code.code for code in CODES] + [code.slug for code in CODES]
    return nearest(text.strip(), candidates)
