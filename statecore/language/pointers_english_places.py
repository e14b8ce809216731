"""English phrases that point back by a place: of a message, a step, an item, a version."""

from statecore.language.pointer_cues import Form, PointerKind, form
from statecore.language.pointers_english_words import ORDINAL, SAID, SAY

_PLACE = (
    r"(?P<n>first|second(?![\s-](?:to|last))|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final"
    r"|\d{1,3}(?:st|nd|rd|th)|previous|preceding|prior|most\srecent|latest|opening"
    r"|initial|original|earliest|penultimate|second[\s-](?:to[\s-])?last|next[\s-]to[\s-]last)"
)
_COUNT = (
    r"(?P<n>\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    r"|twenty|thirty|forty|fifty)"
)
_ITEM = (
    r"(?:point|item|option|bullet(?:\spoint)?|suggestion|tip|idea|alternative|choice|variant"
    r"|recommendation|method|approach|proposal)"
)
_OF_THE_TALK = (
    r"(?!\s(?:of(?!\s(?:yours|your|that|those|these|this)\b)|to|towards?|for|when|at|after|before"
    r"|in(?!\s(?:your|that|the\slist|the\splan)\b)|on(?!\s(?:your|that|the\slist)\b))\b)"
)
_ASKED = r"(?:question|prompt|request|input)s?"
_ANSWERED = r"(?:answer|reply|response|replies)s?"
_TALK = r"(?:chat|conversation|thread|dialogue|discussion)"
_NOT_NOW = (
    r"(?!\s(?:is|will\sbe|would\sbe|to\s(?:him|her|them|the|my|our)|of|from|on|by"
    r"|in(?!\s(?:this|our)\b))\b|:)"
)
_VERSION = r"(?:version|text|draft|wording|revision|attempt|phrasing|formulation)"
_OF = r"(?:(?=\sof\s(?P<after>[^,.;:?!]{1,30}))|)"

MESSAGES = (
    Form(
        "message",
        form(rf"\b{_COUNT}\s(?:messages?|posts?)\s(?:ago|back|earlier|above)\b"),
        from_end=True,
    ),
    Form(
        "message",
        form(rf"\b{_COUNT}\s(?:{_ASKED}|turns?)\s(?:ago|back|earlier|above)\b"),
        from_end=True,
        speaker="user",
    ),
    Form(
        "message",
        form(rf"\b{_COUNT}\s{_ANSWERED}\s(?:ago|back|earlier|above)\b"),
        from_end=True,
        speaker="assistant",
    ),
    Form(
        "message",
        form(
            rf"\b(?:(?P<my>my)|(?P<your>your))\s(?:very\s)?{_PLACE}\s"
            rf"(?:messages?|posts?|{_ASKED}|{_ANSWERED}){_NOT_NOW}\b"
        ),
    ),
    Form(
        "message",
        form(rf"\bthe\s(?:very\s)?{_PLACE}\s{_ASKED}{_NOT_NOW}(?=\W*$|\s(?:i|again|in)\b)"),
        speaker="user",
    ),
    Form(
        "message",
        form(rf"\b(?:the|that)\s(?:very\s)?{_PLACE}\s{_ANSWERED}{_NOT_NOW}\b"),
        speaker="assistant",
    ),
    Form(
        "message",
        form(
            rf"\bthe\s(?:very\s)?{_PLACE}\smessages?\s"
            rf"(?:(?:(?P<my>i)|(?P<your>you))\s(?:sent|wrote|posted)\b|(?:in|of)\s(?:this|our)\s{_TALK})"
        ),
    ),
    Form(
        "message",
        form(
            r"\b(?:(?P<my>i)|(?P<your>you))\b[^,.;:?!]{0,60}\s"
            rf"(?P<phrase>the\s(?:very\s)?{_PLACE}\smessage)(?=\W*$)"
        ),
    ),
    Form(
        "message",
        form(
            rf"\b(?:the\s(?:very\s)?first\sthing\s(?:that\s)?(?:(?P<my>i)|(?P<your>you))\s(?:ever\s)?(?:{SAID}|asked|told)"
            r"\b(?!\s(?:him|her|them)\b))"
        ),
        ordinal=1,
    ),
    Form(
        "message",
        form(
            r"\bdid\s(?:(?P<my>i)|(?P<your>you))\s(?:(?:first|originally|initially)\s"
            rf"{SAY}|{SAY}(?:\syou|\sme)?\s(?:first|originally|initially|at\sfirst"
            r"|(?:at|in)\sthe\s(?:very\s)?(?:beginning|start)))\b"
        ),
        ordinal=1,
    ),
    Form(
        "message",
        form(
            r"\b(?:(?P<my>i)|(?P<your>you))\s\w+(?:\s\w+){0,3}?\s(?:at|in)\sthe\s(?:very\s)?"
            rf"(?:beginning|start)(?=\s*(?:[.,;!?]|$)|\sof\s(?:this|our|the)\s{_TALK})"
        ),
        ordinal=1,
    ),
    Form(
        "message",
        form(
            rf"\b(?:how|what)\s(?:did\s)?(?:this|our|the)\s{_TALK}\s(?:start|begin|began)"
            rf"|\b(?:at|in)\sthe\s(?:very\s)?(?:beginning|start)\sof\s(?:this|our|the)\s{_TALK}"
        ),
        ordinal=1,
        speaker="user",
    ),
)


def _numbered(kind: PointerKind, noun: str) -> tuple[Form, ...]:
    return (
        Form(
            kind,
            form(
                rf"\b{noun}s?\s(?:no\.?\s|number\s|#\s?)?(?P<n>\d{{1,2}}|one(?!\s(?:of|by|more))"
                rf"|two|three|four|five|six|seven|eight|nine|ten)\b(?![.,]?\d){_OF_THE_TALK}"
            ),
        ),
        Form(
            kind,
            form(
                r"\b(?:the|that|(?P<your>your))\s(?:very\s)?"
                rf"{ORDINAL}\s{noun}s?\b{_OF_THE_TALK}"
            ),
        ),
    )


STEPS = (
    *_numbered("step", r"(?:step|stage)"),
    *_numbered("item", _ITEM),
    Form("item", form(r"\b(?:option|variant|choice|alternative)\s(?P<n>(?-i:[A-H]))\b")),
    Form(
        "item",
        form(
            r"\bnumber\s(?P<n>\d{1,2}|one|two|three|four|five)\s(?:on|in|from)\s(?:your|the|that)\slist\b"
        ),
    ),
    Form(
        "item",
        form(
            rf"\b(?:the|your)\s{ORDINAL}\sone\b"
            r"(?=\s*(?:[.,;!?]|$)"
            r"|\s(?:you|please|sounds|looks|seems|then|instead|from|on\s(?:the|your))\b)"
        ),
    ),
    Form(
        "step",
        form(
            r"\b(?:the|that)\s(?:previous|preceding|prior)\sstep\b"
            r"|\bthe\sstep\sbefore(?=\s*(?:[.,;!?]|$)|\s(?:that|this|it)\b)"
            r"|\b(?:go\sback\s(?:a|one)\sstep|one\sstep\sback)\b"
        ),
        ordinal=1,
        from_end=True,
    ),
)

VERSIONS = (
    Form(
        "version",
        form(
            rf"\b(?P<phrase>(?:the|that|your|my)\s(?:previous|earlier|prior|old|older)\s{_VERSION}){_OF}"
        ),
        ordinal=2,
        from_end=True,
    ),
    Form(
        "version",
        form(
            rf"\b(?P<phrase>(?:(?:the|that|your)\s(?:very\s)?)(?:first|original|initial)\s{_VERSION}){_OF}"
        ),
        ordinal=1,
    ),
    Form("version", form(rf"\b(?P<phrase>(?:the|your)\s{ORDINAL}\s{_VERSION}){_OF}")),
)
