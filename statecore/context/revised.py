"""What an input asks to change, as an anchor: the newest version of a draft, a program, a table."""

from statecore.context.anchors import Anchor
from statecore.context.artefacts import Chain, chains
from statecore.context.given import Given
from statecore.context.looking import looked_at
from statecore.context.revisions import asks_to_revise
from statecore.context.shown import Shown
from statecore.language.continuing import continues
from statecore.language.terms import shared, terms


def revised(given: Given, shown: Shown) -> tuple[Anchor, ...]:
    """Return the artefact that the input is about, where a plan would not show it; one at most.

    It is the one whose words the input names, or else the newest. Answers that nobody asked
    to change yet count where the input names them by the words that they were asked for with.

    Args:
        given: with the turns on offer, and the input.
        shown: what the plan shows.
    """
    found = given.once(("revised", 0), lambda: _meant(given))
    if found is None or found.message_id in shown.whole_ids:
        return ()
    return (found,)


def _meant(given: Given) -> Anchor | None:
    seen = looked_at(given.state)
    text = seen.input.text
    if not (asks_to_revise(text) or continues(text)):
        return None
    named = terms(text)
    best: tuple[tuple[int, bool, int], Chain] | None = None
    for chain in chains(seen.turns):
        # Later turns say what shall be changed, in words that fit every other work as well.
        asked = shared(chain.asked[0], named) if chain.asked else 0
        if not (asked or chain.is_revised):
            continue
        rank = (asked, chain.is_revised, chain.turn)
        if best is None or rank > best[0]:
            best = (rank, chain)
    return None if best is None else _anchor(given, best[1])


def _anchor(given: Given, chain: Chain) -> Anchor:
    turn = given.state.turns[chain.turn]
    message = given.messages[chain.ids[-1]]
    return Anchor(
        message_id=message.id,
        turn_id=turn.id,
        depth=turn.depth,
        role=message.role,
        reason="artefact",
        start=0,
        end=len(message.text),
        pointer_start=0,
        pointer_end=len(given.state.input.text),
    )
