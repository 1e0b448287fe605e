"""The components of Jump Gate, second rule set, as tables; cards and planets are numbers."""

from __future__ import annotations

NONE = -1
WILD = 0
CODES = (1, 2, 3, 4)

# jump, scan, the two landing codes
PLANETS = (
    (1, 2, 3, 4),  # Anno
    (1, 3, 2, 4),  # Bue Heggarr
    (1, 4, 2, 3),  # Chandleria
    (2, 1, 3, 4),  # Cinder
    (2, 3, 1, 4),  # Ellisana
    (2, 4, 1, 3),  # Higginston
    (3, 1, 2, 4),  # Hunter's Post
    (3, 2, 1, 4),  # New Brykovia
    (3, 4, 1, 2),  # Sethium
    (4, 1, 2, 3),  # Teraburchby
    (4, 3, 1, 2),  # Waldwelt
    (4, 2, 1, 3),  # Window
)

# jump, scan, landing; two of them on each card
NAVCOMPS = (
    *((WILD if a == b else a, b, NONE) for a in CODES for b in CODES),
    *((a, NONE, WILD if a == b else b) for a in CODES for b in CODES),
    *((NONE, WILD if a == b else a, b) for a in CODES for b in CODES),
)
CARD_JUMP = tuple(card[0] for card in NAVCOMPS)
CARD_SCAN = tuple(card[1] for card in NAVCOMPS)
CARD_LANDING = tuple(card[2] for card in NAVCOMPS)

FAME, SAND, WATER, ENERGEL, GEM = range(5)
WHITE, RED, BLUE, LIGHT, DARK = range(5)

# copies, sort, style, whether it bears the Black Hole icon
_RESOURCES = (
    (9, SAND, NONE, False),
    (3, SAND, NONE, True),
    (3, GEM, BLUE, False),
    (1, GEM, BLUE, True),
    (3, GEM, RED, False),
    (1, GEM, RED, True),
    (3, GEM, WHITE, False),
    (1, GEM, WHITE, True),
    (3, ENERGEL, LIGHT, False),
    (2, ENERGEL, LIGHT, True),
    (3, ENERGEL, DARK, False),
    (2, ENERGEL, DARK, True),
    (6, WATER, NONE, False),
    (2, WATER, NONE, True),
    (4, FAME, NONE, False),
    (2, FAME, NONE, True),
)
RESOURCES = tuple(row[1:] for row in _RESOURCES for _ in range(row[0]))
SORT = tuple(card[0] for card in RESOURCES)
STYLE = tuple(card[1] for card in RESOURCES)
BLACK_HOLE = tuple(card[2] for card in RESOURCES)

# points by number of cards; more cards score as the last entry
SAND_POINTS = (0, 1, 4, 7, 11, 16, 22, 29, 36, 45)
WATER_POINTS = (0, 2, 4, 9, 16, 20, 24, 28, 32)

RING_SIZE = {2: 6, 3: 7, 4: 8, 5: 9}
HAND_SIZE = 5
ACTIONS = 2
HOLE_LIMIT = 7
MARKERS = 10
