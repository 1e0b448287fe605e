"""Did you mean: the names in scope that are nearest to an unknown one.

Case, underscores, hyphens and blanks do not count. What is left may differ by at most a third of
its length (and always by one letter) in inserted, lost, changed or swapped letters; a more generous
bound suggests nonsense for short names.
"""

from collections.abc import Iterable

# Nobody misspells a name of this length by hand, and the distance costs the square of it.
LONGEST = 80


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return the candidates that `name` may be a slip of, nearest first, then as they were given."""
    wanted = _folded(name)
    if not wanted or len(wanted) > LONGEST:
        return ()
    bound = max(1, len(wanted) // 3)
    found: list[tuple[int, str]] = []
    for candidate in dict.fromkeys(candidates):
        if candidate == name:
            continue
        offered = _folded(candidate)
        if not offered or abs(len(offered) - len(wanted)) > bound:
            continue
        distance = edit_distance(wanted, offered)
        # A name that would have to be rewritten altogether is not near, however short it is.
        if distance <= bound and distance < max(len(wanted), len(offered)):
            found.append((distance, candidate))
    found.sort(key=lambda pair: pair[0])
    return tuple(candidate for _, candidate in found[:limit])


def edit_distance(first: str, second: str) -> int:
    """Return how many letters must be inserted, removed, changed or swapped with their neighbour."""
    before_last: list[int] = []
    last = list(range(len(second) + 1))
    for row, letter in enumerate(first, start=1):
        current = [row]
        for column, other in enumerate(second, start=1):
            best = min(
                last[column] + 1,
                current[column - 1] + 1,
                last[column - 1] + (letter != other),
            )
            if row > 1 and column > 1 and letter == second[column - 2] and other == first[row - 2]:
                best = min(best, before_last[column - 2] + 1)
            current.append(best)
        before_last, last = last, current
    return last[-1]


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter not in "_- ")
