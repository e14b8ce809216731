"""Names a conversation after its first message, without a model."""

TITLE_CHARACTERS = 60


def title_from(text: str) -> str:
    """Return the first line of a text, cut at a word within 60 characters."""
    line = " ".join(text.strip().split("\n", 1)[0].split())
    if len(line) <= TITLE_CHARACTERS:
        return line
    cut = line[:TITLE_CHARACTERS]
    words = cut.rsplit(" ", 1)[0]
    # Chinese has no spaces: cutting at the last one could leave next to nothing.
    return (words if len(words) > TITLE_CHARACTERS // 2 else cut) + "…"
