"""English phrases that point back."""

import re

from statecore.language.pointer_cues import Form, PointerCues, PointerKind, form, numbered
from statecore.language.pointers_english_places import MESSAGES, STEPS, VERSIONS
from statecore.language.pointers_english_words import ORDINAL, SAID, SAY

_GAVE = (
    r"(?:sent|gave|posted|shared|wrote|showed|made|mentioned|suggested|recommended|listed|provided"
    r"|pasted|used|proposed|created|generated|uploaded|attached|drew|named|cited|quoted|fixed)"
)
_RELATIVE = (
    r"(?:\s(?:that|which))?\s(?:(?P<my>i)|(?P<your>you)|we)(?:'ve|\shave|'d|\shad)?"
    rf"(?:\s(?:just|already|first|originally|once|earlier|previously))?\s{_GAVE}\b"
    r"(?:\s(?:me|us|you))?(?:\s(?:earlier|before|above))?"
)
_WHEN = (
    r"\s(?:above|earlier|again|(?:from\s)?before|from\s(?:earlier|above))\b"
    r"(?!\s(?:the|you|it|i|we)\b)"
)
_AFTER = r"(?:(?=\s(?:to|for|about|with|from|on|of)\s(?P<after>[^,.;:?!]{1,40}))|)"
_NO_NAME = (
    r"(?!(?:is|was|are|were|be|been|has|had|have|an?|the|my|your|our|no|any|some|would|will|can"
    r"|could|should|may|might|must|and|or|of|to|in|on|at|if|it|you|we|they|he|she|i|for|not|as"
    r"|by|with|from|new|another)\s)"
)
_NAME = rf"(?:{_NO_NAME}(?P<narrow>[a-z][a-z-]+)\s)?"
_NOUNS: dict[PointerKind, str] = {
    "link": (
        r"(?:links?|urls?|(?:address\sof\s(?:the|that)\s)?(?:web\s?)?site|web\s?(?:page"
        r"|address))\b"
        r"(?!\s(?:of|for|map|visit|manager)\b)(?!\s(?:budget|between|building))"
    ),
    "code": (
        r"(?:code|snippet|script|regexp?|function|program|macro|command(?!\s?-?line)"
        r"|code\s(?:block|sample|example))\b"
        r"(?!\s(?:of|name|word|review|for)\b)"
    ),
    "table": (
        r"(?:tables?|(?:comparison\s)?charts?|comparison)\b(?!\s(?:for|tennis|of|manners|lamp"
        r"|cloth|top)\b)"
    ),
    "list": r"(?:list|checklist|bullet\s(?:list|points))\b(?!\sprice)",
    "file": (
        r"(?:file|document|attachment|spreadsheet|workbook|csv|pdf)s?\b(?!\s(?:system|server"
        r"|manager|format|size)\b)"
    ),
}
_LATELY = r"(?:\s(?:just|already|once|also|previously|earlier|before|first))?"
_BEFORE = r"(?:earlier|before|above|previously|already|at\sthe\s(?:start|beginning)|at\sfirst)"


def _pointing(kind: PointerKind, noun: str) -> tuple[Form, ...]:
    return (
        Form(
            kind,
            form(
                r"\b(?:the|that|(?P<your>your)|(?P<my>my)|this|our)\s(?:very\s)?"
                rf"{ORDINAL}\s{_NAME}{noun}(?!\s(?:of|in|at|on)\b)"
            ),
        ),
        Form(kind, form(rf"\b(?P<phrase>the\s{_NAME}{noun}{_RELATIVE}){_AFTER}")),
        Form(kind, form(rf"\b(?:the|that|this|your)\s{_NAME}{noun}{_WHEN}")),
        Form(
            kind,
            form(
                r"\b(?P<phrase>the\s(?:above|previous|earlier|last|same|old|original)\s"
                rf"{_NAME}{noun})(?!\s(?:in|at)\s){_AFTER}"
            ),
        ),
        Form(
            kind,
            form(
                r"\b(?P<phrase>(?:that|those|this|these)\s(?!\w+s\s)"
                rf"{_NAME}{noun}(?:{_RELATIVE})?){_AFTER}"
            ),
        ),
        Form(kind, form(rf"\b(?P<phrase>your\s{_NAME}{noun}){_AFTER}"), speaker="assistant"),
        Form(
            kind,
            form(rf"\b(?:which|what)\s{_NAME}{noun}\sdid\s(?:(?P<my>i)|(?P<your>you))\b{_AFTER}"),
        ),
        Form(
            kind,
            form(
                rf"\b(?P<phrase>the\s{_NAME}{noun})(?!\s(?:of|in\s(?:the|a)|at)\b)"
                r"(?:(?=\s(?:to|for|about|with|from)\s(?P<after>[^,.;:?!]{1,40}))|)"
            ),
            is_sure=False,
        ),
    )


_BACK = (
    Form(
        "back",
        form(
            r"\b(?:a\s(?:few|couple\sof)|some|several)\s"
            r"(?:messages|turns|questions|answers)\s(?:ago|back)\b"
        ),
    ),
    Form(
        "back",
        form(
            r"\byour\s(?:point|advice|suggestion|recommendation|idea|remark|comment|answer"
            r"|explanation)\s"
            r"(?:about|on|regarding|for)\b"
        ),
        speaker="assistant",
    ),
    Form(
        "back",
        form(
            r"\b(?:as|like)\s(?:(?P<my>i)|(?P<your>you)|we)(?:'ve|\shave|'d)?"
            rf"{_LATELY}\s(?:{SAID}|told\syou|asked|noted|described|discussed|agreed|put\sit"
            rf"|pointed\sout)\b"
            r"(?!\sto\s(?!you\b))"
        ),
    ),
    Form(
        "back",
        form(
            rf"\b(?:remember\s)?(?:what|that|the\s\w+|when|where)?\s?you(?:'ve|\shave"
            rf"|'d)?{_LATELY}\s{SAID}\b"
        ),
        speaker="assistant",
    ),
    Form(
        "back",
        form(
            rf"\bdid(?:n't)?\s(?:(?P<my>i)|(?P<your>you)|we)(?:\sjust|\salready)?\s(?:{SAY}"
            rf"|discuss|agree|decide|talk\sabout|settle|choose|pick)\b"
        ),
    ),
    Form(
        "back",
        form(
            rf"\bi(?:'ve|\shave|'d)?{_LATELY}\s(?:told\syou|asked\syou|gave\syou|sent\syou"
            rf"|mentioned)\b"
            rf"|\bi\s(?:said|wrote|asked)\s(?:\w+\s){{0,4}}?{_BEFORE}\b|\bwhat\si\s(?:said"
            rf"|wrote|asked)\b"
        ),
        speaker="user",
    ),
    Form(
        "back",
        form(
            rf"\b(?:what|that|which|where|when)\swe(?:'ve|\shave|'d)?{_LATELY}\s(?:discussed"
            rf"|talked\sabout|agreed|decided|settled|chose|picked|said)\b"
        ),
    ),
    Form(
        "back",
        form(
            rf"\bwe(?:'ve|\shave|'d)?\s(?:discussed|talked\sabout|agreed|decided|settled"
            rf"|chose)\s(?:\w+\s){{0,4}}?{_BEFORE}\b"
        ),
    ),
    Form(
        "back",
        form(
            r"\b(?:the|that|(?P<your>your)|(?P<my>my)|our)\s(?:earlier|previous|prior|original"
            r"|former)\s"
            r"(?:idea|suggestion|proposal|plan|question|point|topic|thought|comment|remark"
            r"|advice|answer"
            r"|recommendation|statement|explanation|request|calculation|estimate|figure|decision)\b"
        ),
    ),
    Form(
        "back",
        form(
            r"\b(?:(?:go|going|come|coming|get|getting)\sback|back|return|returning)\sto\s"
            r"(?:the|(?P<my>my)|(?P<your>your)|our|what|that)\b(?!\s(?:airport|office|hotel"
            r"|station))"
        ),
    ),
)

CUES = PointerCues(
    script=re.compile("[A-Za-z]"),
    forms=(
        *MESSAGES,
        *STEPS,
        *VERSIONS,
        *(one for kind, noun in _NOUNS.items() for one in _pointing(kind, noun)),
        Form(
            "link",
            form(
                rf"\b(?P<phrase>(?:the|that)\s(?:page|site|website|article"
                rf"|video){_RELATIVE}){_AFTER}"
            ),
        ),
        Form(
            "text",
            form(
                r"\bthe\s(?:[a-z-]+\s)?(?!thing|one|way|time|day|what"
                r"|that\b)(?P<narrow>[a-z-]{3,})\s"
                r"(?:from\s(?:earlier|before)\b|above(?=\s*(?:[.,;:?!]|$))"
                r"|we\s(?:discussed|talked\sabout|agreed\son|settled\son|chose|picked)\b)"
            ),
        ),
        Form(
            "text",
            form(
                r"\bthe\s(?:[a-z-]+\s)?(?!thing|one|way|time|day|what|that\b)(?P<narrow>[a-z-]{3,})"
                rf"{_RELATIVE}"
            ),
        ),
        Form(
            "item",
            form(
                rf"\b(?:the|that|(?P<your>your))\s(?!last|final){ORDINAL}\s{_NO_NAME}"
                r"(?!step|message|question|answer|reply|time|name|year|day|week|month|half|place)"
                r"(?P<narrow>[a-z-]{4,})\b(?!\s(?:of|in|to|for)\b)"
            ),
            is_sure=False,
        ),
        *_BACK,
    ),
    number=numbered(
        {
            "first": 1,
            "one": 1,
            "opening": 1,
            "initial": 1,
            "original": 1,
            "earliest": 1,
            "second": 2,
            "two": 2,
            "third": 3,
            "three": 3,
            "four": 4,
            "fif": 5,
            "five": 5,
            "six": 6,
            "seven": 7,
            "eigh": 8,
            "nin": 9,
            "ten": 10,
            "eleven": 11,
            "twel": 12,
            "fifteen": 15,
            "twenty": 20,
            "thirty": 30,
            "forty": 40,
            "fifty": 50,
            "last": -1,
            "final": -1,
            "previous": -1,
            "preceding": -1,
            "prior": -1,
            "most": -1,
            "latest": -1,
            "penultimate": -2,
            "second last": -2,
            "second-last": -2,
            "second to": -2,
            "second-to": -2,
            "next": -2,
        }
    ),
    traps=re.compile(
        r"\b(?:at|on|set|lay|clear|book|reserve|under|around|bring\sto)\s(?:the|that|this"
        r"|a)\stables?\b"
        r"|\b(?:is|was|are|were|isn't)\sthat\s(?:code|list|file|link|table)s?\s(?:for|of|to)\b"
        r"|\b(?:take|taken|took|taking|made?)\s(?:the|that|your|my)\s(?:very\s)?first\sstep"
        r"|\b(?:step\sup|step\sby\sstep|first\sstep\sto\w*|point\sof\sview)\b",
        re.IGNORECASE,
    ),
)
