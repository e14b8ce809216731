"""Versions: answers that word the same thing anew, as a person asked for."""

from itertools import pairwise

from statecore.context.spoken import Said, Spoken
from statecore.language.marks import marks
from statecore.language.terms import terms

_LOOKED_AT = 40
"""Newest answers among which versions are looked for."""
_FEWEST_SHARED = 2
_ALIKE = 0.12
"""Dice coefficient of the terms of two answers."""
_SHORT = 80
"""A wish for another version is no longer than so many characters."""


def versions(spoken: Spoken) -> tuple[Said, ...]:
    """Return the newest run of answers that are versions of one text, oldest first."""
    said = spoken.loaded
    answers = [one for one in said if one.message.role == "assistant" and one.message.text][
        -_LOOKED_AT:
    ]
    asked = {one.depth: one.message.text for one in said if one.message.role == "user"}
    run: list[Said] = []
    for before, after in reversed(list(pairwise(answers))):
        if _is_version(before, after, asked.get(after.depth, "")):
            run = run or [after]
            run.append(before)
        elif run:
            break
    return tuple(reversed(run))


def _is_version(before: Said, after: Said, wish: str) -> bool:
    if len(wish) > _SHORT or marks(wish) & {"question"}:
        return False
    ours, theirs = terms(before.message.text), terms(after.message.text)
    both = len(ours & theirs)
    alike = 2 * both / (len(ours) + len(theirs) or 1)
    return both >= _FEWEST_SHARED and alike >= _ALIKE
