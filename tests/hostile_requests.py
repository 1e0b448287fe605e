"""Requests that nobody with a browser sends: made by chance from a seed, none of which may change a table.

    for request in requests(Random(1), targets, 300): ...

Some are answers as they should be, but for one thing: another number, somebody else's link, another site. Others are
bytes that are no form, too much of everything, or names that lead out of a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from urllib.parse import quote, urlencode

import attrs

ACTIONS = ("answer", "hint", "agree", "renew", "again")
PARTS = (
    *("", "view.json", "log", "log.json", "why", "why.json", "rules", "replay", "record"),
    *("links", "news", "answer", "hint", "agree"),
)
METHODS = (
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "",
    "get",
    "A" * 300,
)
NUMBERS = (
    *("-1", "-0", "0", "1", "2", "7", "99", "500", "1e9", "0x10", "1_0", "+1", " 1", "1.0", "NaN"),
    *(
        "9" * 12,
        "9" * 13,
        "9" * 5000,
        "-" + "9" * 11,
        "\u00b2",
        "\u0661",
        "",
        "None",
        "true",
        "1\x00",
        "\x00",
    ),
)
TEXTS = (
    *("", "\x00", "a\x00b", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")),
    *(
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "{{ 7 * 7 }}",
        "{0.__class__}",
    ),
    *(
        "%s%n%d",
        "../../../etc/passwd",
        "..\\..\\x",
        "' or 1=1 --",
        "\r\nset-cookie: a=b",
        "\u202eevil",
    ),
    *("x" * 300, "x" * 9000, "\U0001f600" * 40, "(" * 2000, "[" * 2000, "a=b;c=d", "\x1b[31m"),
)
PATHS = (
    *("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"),
    *("/static/%00", "/static/table.css%00.html", "/static/", "/static", "/static/" + "a" * 5000),
    *(
        "/static/....//app.py",
        "/static/..%5capp.py",
        "/static/%c0%ae%c0%ae/app.py",
        "/static/%ff%fe",
    ),
    *("/static/" + "a/" * 3000, "/static/table.css/", "/static/templates/../../app.py"),
    *("//", "/%2e%2e", "/.git/config", "/tables.sqlite", "/t", "/t/", "/t/x", "/new/", "/rules/"),
    *("/new/..", "/new/%2e%2e%2fsecret", "/new/%00", "/rules/%ff", "/rules/../../x", "/new/con"),
    *(
        "*",
        "",
        "http://elsewhere.example/",
        "/\r\nx: y",
        "/%0d%0aset-cookie:%20a=b",
        "/" + "?" * 3000,
    ),
)
HEADERS: Sequence[tuple[bytes, bytes]] = (
    (b"cookie", b"browser=" + b"A" * 24 + b"; language=../../de"),
    (b"cookie", b"browser=\xff\xfe; =; ;;;; a"),
    (b"cookie", b"a=b; " * 3000),
    (b"cookie", b'browser="\\000\\377\\"'),
    (b"accept-language", b"de;q=x,,,;;;=" * 200),
    (b"accept-language", b"\xff\xfe,en-\x00"),
    (b"x-forwarded-for", b"127.0.0.1, elsewhere"),
    (b"x-forwarded-host", b"elsewhere.example"),
    (b"x-forwarded-proto", b"https"),
    (b"x-http-method-override", b"POST"),
    (b"x-original-url", b"/tables"),
    (b"if-none-match", b"*"),
    (b"if-modified-since", b"Thu, 99 Zzz 99999 99:99:99 GMT"),
    (b"range", b"bytes=0-,-1,99999999999-1"),
    (b"range", b"bytes=" + b"0-1," * 2000),
    (b"content-encoding", b"gzip"),
    (b"transfer-encoding", b"chunked, chunked"),
    (b"expect", b"100-continue"),
    (b"upgrade", b"websocket"),
    (b"last-event-id", b"999999999999.99\r\nx"),
    (b"accept", b"text/event-stream, */*;q=" + b"9" * 4000),
    (b"content-type", b"multipart/form-data; boundary=" + b"x" * 4000),
    (b"content-type", b"application/json; charset=utf-7"),
)
HOSTS = (
    *(b"elsewhere.example", b"", b"127.0.0.1:", b"127.0.0.1:99999999", b"[::1", b"[::1]:x", b"a@b"),
    *(b"127.0.0.1.elsewhere.example", b"\xff\xfe", b"localhost:8000@elsewhere", b"[", b"x" * 5000),
)
"""Some are good names."""

LENGTHS = (b"-1", b"99999999999999999999", b"+5", b"0x5", b"5, 5", b"", b"\xb2", b"1e3", b" 5 ")


@attrs.frozen
class Request:
    """What is sent, and by which recipe it was made."""

    recipe: str
    method: str
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes | tuple[bytes, ...] = b""
    host: bytes = b"127.0.0.1:8000"


@attrs.frozen
class Seat:
    """A link, and what its seat is asked now."""

    link: str
    n: int
    options: int
    """So many options there are; none for who is not asked."""

    watches: bool = False


@attrs.frozen
class Targets:
    """What there is to be attacked."""

    seats: Sequence[Seat]
    games: Sequence[str]
    saves: Sequence[str] = ()
    """Saved games as they should be."""


Recipe = Callable[[Random, Targets], Request]
RECIPES: dict[str, Recipe] = {}


def requests(random: Random, targets: Targets, count: int) -> Iterator[Request]:
    """Yield so many requests, by all recipes in turn."""
    names = sorted(RECIPES)
    for number in range(count):
        name = names[number % len(names)]
        yield attrs.evolve(RECIPES[name](random, targets), recipe=name)


def _recipe(make: Recipe) -> Recipe:
    RECIPES[make.__name__] = make
    return make


OURS = ((b"sec-fetch-site", b"same-origin"),)


def _post(link: str, fields: object, headers: Sequence[tuple[bytes, bytes]] = OURS) -> Request:
    body = fields if isinstance(fields, bytes) else urlencode(fields, doseq=True).encode()  # type: ignore[arg-type]
    return Request("", "POST", link.encode(), tuple(headers), body)


def _get(target: str) -> Request:
    return Request("", "GET", target.encode("utf-8", "surrogatepass"))


def _asked(random: Random, targets: Targets) -> Seat:
    return random.choice([one for one in targets.seats if one.options])


def _anything(random: Random) -> str:
    return random.choice((random.choice(NUMBERS), random.choice(TEXTS)))


def _bytes(random: Random, most: int = 400) -> bytes:
    return random.randbytes(random.randrange(most))


# --------------------------------------------------------------------------------------- links


def _spoilt(random: Random, link: str) -> str:
    """Return a link with another token, or another table."""
    _, _, table, token, _ = link.split("/")
    at = random.randrange(len(token))
    other = random.choice([one for one in "ABCabc019-_" if one != token[at]])
    token = random.choice(
        (
            token[:at] + other + token[at + 1 :],
            token[:-1],
            token + random.choice(("A", "=", "%00", "%0a", "%20", "/..")),
            token.swapcase() if token.swapcase() != token else token[1:],
            "%2e%2e",
            quote(random.choice(TEXTS)),
            token[::-1] if token[::-1] != token else "x",
        )
    )
    return f"/t/{table}/{token}/"


@_recipe
def no_such_link(random: Random, targets: Targets) -> Request:
    seat = random.choice(targets.seats)
    link = _spoilt(random, seat.link)
    if random.random() < 0.5:
        return _get(link + random.choice(PARTS))
    return _post(link + random.choice(ACTIONS), {"n": seat.n, "option": 0})


@_recipe
def link_of_another_table(random: Random, targets: Targets) -> Request:
    seat = _asked(random, targets)
    others = [one for one in targets.seats if one.link.split("/")[2] != seat.link.split("/")[2]]
    table, token = random.choice(others).link.split("/")[2], seat.link.split("/")[3]
    link = f"/t/{table}/{token}/"
    if random.random() < 0.5:
        return _get(link + random.choice(PARTS))
    return _post(link + "answer", {"n": seat.n, "option": 0})


# ------------------------------------------------------------------------------------- answers


@_recipe
def old_or_early_number(random: Random, targets: Targets) -> Request:
    seat = _asked(random, targets)
    numbers = [str(seat.n - 1), str(seat.n + 1), *NUMBERS]
    n = random.choice([one for one in numbers if one.strip() != str(seat.n)])
    more = random.choice(({"option": 0}, {"undo": 1}, {"number": 1}, {"amount-0": 1}))
    return _post(seat.link + "answer", {"n": n, **more})


@_recipe
def option_that_is_none(random: Random, targets: Targets) -> Request:
    seat = _asked(random, targets)
    wrong = random.choice((seat.options, seat.options + 5, -1, -2, 10**11))
    more = [("option", wrong), ("option", "x" * random.randrange(1, 90))]
    return _post(seat.link + "answer", [("n", seat.n), *more])


@_recipe
def amounts_that_are_none(random: Random, targets: Targets) -> Request:
    seat = _asked(random, targets)
    fields: list[tuple[str, object]] = [("n", seat.n)]
    for _ in range(random.randrange(1, 6)):
        amount = random.choice((-1, -(10**11), 10**11, 10**10, "1e5"))
        fields.append((f"amount-{random.choice((0, 1, 2, -1, 10**11))}", amount))
    fields.append(("number", random.choice((-(10**11), 10**11))))
    return _post(seat.link + "answer", fields)


@_recipe
def who_is_not_asked(random: Random, targets: Targets) -> Request:
    seat = random.choice([one for one in targets.seats if not one.options])
    more = random.choice(({"option": 0}, {"number": 1}, {"amount-0": 1}, {"order": "0,1,2"}))
    return _post(seat.link + "answer", {"n": seat.n, **more})


@_recipe
def who_watches(random: Random, targets: Targets) -> Request:
    seat = random.choice([one for one in targets.seats if one.watches])
    fields = {"n": seat.n, "option": 0, "agree": "yes", "asked": 0, "undo": 1}
    return _post(seat.link + random.choice(ACTIONS), fields)


@_recipe
def from_another_site(random: Random, targets: Targets) -> Request:
    seat = _asked(random, targets)
    headers = random.choice(
        (
            (b"sec-fetch-site", b"cross-site"),
            (b"sec-fetch-site", b"same-site"),
            (b"sec-fetch-site", b"\xff"),
            (b"origin", b"https://elsewhere.example"),
            (b"origin", b"null"),
            (b"origin", b"http://127.0.0.1"),
            (b"origin", b"http://127.0.0.1:8000@elsewhere.example"),
            (b"origin", b"127.0.0.1:8000"),
        )
    )
    action = random.choice(("answer", "again", "renew", "agree"))
    return _post(seat.link + action, {"n": seat.n, "option": 0, "agree": "yes"}, [headers])


@_recipe
def agrees_to_nothing(random: Random, targets: Targets) -> Request:
    seat = random.choice(targets.seats)
    fields = {"agree": random.choice(("yes", "no", "", *TEXTS)), "asked": _anything(random)}
    return _post(seat.link + "agree", fields)


# --------------------------------------------------------------------------------------- bodies


@_recipe
def too_much(random: Random, targets: Targets) -> Request:
    seat, kind = _asked(random, targets), random.randrange(5)
    link = seat.link + "answer"
    if kind == 0:
        return _post(
            link, {"n": seat.n, "option": 0, "more": "x" * random.randrange(64_000, 200_000)}
        )
    if kind == 1:
        count = random.randrange(501, 5000)
        return _post(link, b"&".join([b"option=0"] * count))
    if kind == 2:
        parts = tuple(b"x" * 10_000 for _ in range(random.randrange(7, 30)))
        return attrs.evolve(_post(link, b""), body=parts)
    if kind == 3:
        return _post("/import", b"record=" + b"x" * 4_000_001)
    length = (b"content-length", random.choice(LENGTHS))
    wrong = length[1].strip() != b"5"
    fields = b"n=-1&option=0" if wrong else b"n=-1"
    return _post(link, fields, [*OURS, length])


@_recipe
def no_form(random: Random, targets: Targets) -> Request:
    seat = random.choice(targets.seats)
    body = random.choice(
        (
            _bytes(random),
            b"n=%ff&option=%fe",
            b"n=1&option=\xff",
            b"\x00" * 50,
            b"%" * 500,
            b"&" * 400,
            b"=" * 400,
            b"n=%00&option=%00",
            b'{"n": 1}',
            ("n=" + "ü").encode(),
            b"undo",
        )
    )
    return _post(
        seat.link
        + random.choice(("answer", "agree", "hint") if seat.watches else ("answer", "agree")),
        body,
    )


@_recipe
def strange_fields(random: Random, targets: Targets) -> Request:
    seat = random.choice(targets.seats)
    names = (
        "option",
        "order",
        "place-0",
        "amount-0",
        "number",
        "place-",
        "amount--1",
        "amount-x",
        "",
    )
    fields = [(random.choice(names), _anything(random)) for _ in range(random.randrange(1, 40))]
    # No number of a question: nothing is answered, whatever else is said.
    return _post(seat.link + "answer", fields)


# ------------------------------------------------------------------------------------- addresses


@_recipe
def another_method(random: Random, targets: Targets) -> Request:
    seat = random.choice(targets.seats)
    target = random.choice(
        (seat.link + random.choice(PARTS), "/", "/tables", "/import", "/static/table.css")
    )
    return attrs.evolve(_post(target, {"n": seat.n, "option": 0}), method=random.choice(METHODS))


@_recipe
def read_and_written_exchanged(random: Random, targets: Targets) -> Request:
    seat = _asked(random, targets)
    fields = urlencode({"n": seat.n, "option": 0, "agree": "yes"})
    if random.random() < 0.5:
        return _get(f"{seat.link}{random.choice(ACTIONS)}?{fields}")
    if random.random() < 0.5:
        return attrs.evolve(_get(f"{seat.link}{random.choice(PARTS)}?{fields}"), method="HEAD")
    parts = ("", "view.json", "log", "why", "rules", "replay", "record", "links", "news")
    return _post(seat.link + random.choice(parts), {"n": seat.n, "option": 0})


@_recipe
def out_of_the_folder(random: Random, targets: Targets) -> Request:
    seat, path = random.choice(targets.seats), random.choice(PATHS)
    if random.random() < 0.3:
        path = seat.link + random.choice(
            ("..", "../..", "%2e%2e/x", "record.sqlite", "view", "why.html", "x.json")
        )
    request = _get(path)
    return request if random.random() < 0.7 else attrs.evolve(request, method="POST")


@_recipe
def strange_questions(random: Random, targets: Targets) -> Request:
    seat = random.choice(targets.seats)
    name = random.choice(("said", "lang", "step", "q", "option", "n", "game", "", "seat"))
    part = random.choice(PARTS[:11])
    query = "&".join(f"{name}={quote(_anything(random))}" for _ in range(random.randrange(1, 4)))
    if random.random() < 0.2:
        query = random.choice(
            ("&" * 900, "=" * 900, "%", "q=%ff", "a=b;" * 900, "q=" + "%00" * 900)
        )
    place = random.choice((seat.link + part, "/", *(f"/rules/{one}" for one in targets.games)))
    return _get(f"{place}?{query}")


@_recipe
def strange_headers(random: Random, targets: Targets) -> Request:
    seat = random.choice(targets.seats)
    headers = tuple(random.choice(HEADERS) for _ in range(random.randrange(1, 5)))
    place = random.choice(
        (seat.link + random.choice(PARTS[:11]), "/", "/static/table.css", "/static/table.js")
    )
    if random.random() < 0.3:
        return attrs.evolve(_post(seat.link + "answer", {"n": -1}), headers=headers)
    return attrs.evolve(_get(place), headers=headers)


@_recipe
def another_host(random: Random, targets: Targets) -> Request:
    seat = random.choice(targets.seats)
    place = random.choice((seat.link, seat.link + "links", seat.link.rstrip("/"), "/", "/tables"))
    return attrs.evolve(_get(place), host=random.choice(HOSTS))


# ------------------------------------------------------------------------------------ new tables


@_recipe
def no_table(random: Random, targets: Targets) -> Request:
    game = random.choice((*targets.games, *TEXTS, "../" + random.choice(targets.games)))
    fields = [("game", game)]
    for number in random.sample(range(-1, 60), random.randrange(1, 8)):
        who = random.choice(("nobody", "search:1e9", "search:-1", "human", "random:x", "", *TEXTS))
        fields += [(f"seat-{number}", who), (f"name-{number}", random.choice(TEXTS))]
    for _ in range(random.randrange(4)):
        fields.append(
            (random.choice(("variant", "option-turns", "option-x", "option-")), _anything(random))
        )
    return _post("/tables", fields)


@_recipe
def no_saved_game(random: Random, targets: Targets) -> Request:
    kind = random.randrange(7)
    text = random.choice(targets.saves) if targets.saves else "game = 1"
    if kind == 0:
        at = random.randrange(len(text))
        text = text[:at] + random.choice((*TEXTS, *NUMBERS)) + text[at + random.randrange(1, 40) :]
    elif kind == 1:
        lines = text.splitlines()
        for _ in range(random.randrange(1, 4)):
            lines[random.randrange(len(lines))] = lines[random.randrange(len(lines))]
        text = "\n".join(lines)
    elif kind == 2:
        text = text[: random.randrange(len(text))]
    elif kind == 3:
        text = "rulewright sealed 1\n" + random.choice(("", "AAAA", "=" * 90, "A" * 9000, "ü"))
    elif kind == 4:
        text = random.choice(
            ("a = " + "[" * 3000, "a." * 900 + "b = 1", "a = 1" + "0" * 9000, "{" * 999)
        )
    elif kind == 5:
        text = random.choice((*TEXTS, "game = '\x00'", "seed = 1e999", "[game]\n" * 500))
    else:
        data = _bytes(random, 3000)
        boundary = random.choice(
            (b"", b"; boundary=x", b"; boundary=\xff", b"; boundary=" + b'"' * 9)
        )
        part = (
            b'--x\r\ncontent-disposition: form-data; name="record"\r\n\r\n'
            + data
            + b"\r\n--x--\r\n"
        )
        headers = [*OURS, (b"content-type", b"multipart/form-data" + boundary)]
        return _post("/import", random.choice((part, part[:-20], data, part * 50)), headers)
    return _post("/import", {"record": text})
