"""English phrases that point back."""

import re

from statecore.language.pointer_cues import Form, PointerCues, PointerKind, form, numbered

_ORDINAL = (
    r"(?P<n>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final"
    r"|\d{1,3}(?:st|nd|rd|th))"
)
_PLACE = (
    r"(?P<n>first|second(?![\s-]to)|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final"
    r"|\d{1,3}(?:st|nd|rd|th)|previous|preceding|prior|most\srecent|latest|opening"
    r"|initial|original|earliest|penultimate|second[\s-]to[\s-]last|next[\s-]to[\s-]last)"
)
_COUNT = (
    r"(?P<n>\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    r"|twenty|thirty|forty|fifty)"
)
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
    "link": r"(?:links?|urls?|web\s?(?:page|address))\b(?!\s(?:budget|between|building))",
    "code": (
        r"(?:code|snippet|script|regexp?|function|command(?!\s?-?line)|code\s(?:block|sample|example))\b"
        r"(?!\s(?:of|name|word|review|for)\b)"
    ),
    "table": r"tables?\b(?!\s(?:for|tennis|of|manners|lamp|cloth|top)\b)",
    "list": r"(?:list|checklist|bullet\s(?:list|points))\b(?!\sprice)",
    "file": r"(?:file|document|attachment)s?\b(?!\s(?:system|server|manager|format|size)\b)",
}
_ITEM = (
    r"(?:point|item|option|bullet(?:\spoint)?|suggestion|tip|idea|alternative|choice|variant"
    r"|recommendation|method|approach|proposal)"
)
_OF_THE_TALK = (
    r"(?!\s(?:of(?!\s(?:yours|your|that|those|these|this)\b)|to|towards?|for|when|at|after|before"
    r"|in(?!\s(?:your|that|the\slist|the\splan)\b)|on(?!\s(?:your|that|the\slist)\b))\b)"
)
_LATELY = r"(?:\s(?:just|already|once|also|previously|earlier|before|first))?"
_SAID = (
    r"(?:said|mentioned|wrote|suggested|recommended|claimed|explained|promised|listed|proposed"
    r"|advised|told\s(?:me|us))"
)
_SAY = (
    r"(?:say|mention|write|suggest|recommend|claim|explain|promise|list|propose|advise|call"
    r"|tell\s(?:me|us|you)|ask(?:\syou)?)"
)
_BEFORE = r"(?:earlier|before|above|previously|already|at\sthe\s(?:start|beginning)|at\sfirst)"
_ASKED = r"(?:question|prompt|request|input)s?"
_ANSWERED = r"(?:answer|reply|response|replies)s?"
_TALK = r"(?:chat|conversation|thread|dialogue|discussion)"
_NOT_NOW = (
    r"(?!\s(?:is|will\sbe|would\sbe|to\s(?:him|her|them|the|my|our)|of|from|on|by"
    r"|in(?!\s(?:this|our)\b))\b|:)"
)
_VERSION = r"(?:version|text|draft|wording|revision|attempt|phrasing|formulation)"
_OF = r"(?:(?=\sof\s(?P<after>[^,.;:?!]{1,30}))|)"


def _pointing(kind: PointerKind, noun: str) -> tuple[Form, ...]:
    return (
        Form(
            kind,
            form(
                r"\b(?:the|that|(?P<your>your)|(?P<my>my)|this|our)\s(?:very\s)?"
                rf"{_ORDINAL}\s{_NAME}{noun}(?!\s(?:of|in|at|on)\b)"
            ),
        ),
        Form(kind, form(rf"\b(?P<phrase>the\s{_NAME}{noun}{_RELATIVE}){_AFTER}")),
        Form(kind, form(rf"\b(?:the|that|this|your)\s{_NAME}{noun}{_WHEN}")),
        Form(
            kind,
            form(
                r"\b(?P<phrase>the\s(?:above|previous|earlier|last|same|old|original)\s"
                rf"{_NAME}{noun}){_AFTER}"
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
            form(
                rf"\b(?P<phrase>the\s{_NAME}{noun})(?!\s(?:of|in\s(?:the|a)|at)\b)"
                r"(?:(?=\s(?:to|for|about|with|from)\s(?P<after>[^,.;:?!]{1,40}))|)"
            ),
            is_sure=False,
        ),
    )


_MESSAGES = (
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
            rf"\b(?:the\s(?:very\s)?first\sthing\s(?:that\s)?(?:(?P<my>i)|(?P<your>you))\s(?:ever\s)?(?:{_SAID}|asked|told)"
            r"\b(?!\s(?:him|her|them)\b))"
        ),
        ordinal=1,
    ),
    Form(
        "message",
        form(
            r"\bdid\s(?:(?P<my>i)|(?P<your>you))\s(?:(?:first|originally|initially)\s"
            rf"{_SAY}|{_SAY}(?:\syou|\sme)?\s(?:first|originally|initially|at\sfirst"
            r"|(?:at|in)\sthe\s(?:very\s)?(?:beginning|start)))\b"
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
                rf"{_ORDINAL}\s{noun}s?\b{_OF_THE_TALK}"
            ),
        ),
    )


_STEPS = (
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
            rf"\b(?:the|your)\s{_ORDINAL}\sone\b"
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

_VERSIONS = (
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
    Form("version", form(rf"\b(?P<phrase>(?:the|your)\s{_ORDINAL}\s{_VERSION}){_OF}")),
)

_BACK = (
    Form(
        "back",
        form(
            r"\b(?:as|like)\s(?:(?P<my>i)|(?P<your>you)|we)(?:'ve|\shave|'d)?"
            rf"{_LATELY}\s(?:{_SAID}|told\syou|asked|noted|described|discussed|agreed|put\sit|pointed\sout)\b"
        ),
    ),
    Form(
        "back",
        form(
            rf"\b(?:remember\s)?(?:what|that|the\s\w+|when|where)?\s?you(?:'ve|\shave|'d)?{_LATELY}\s{_SAID}\b"
        ),
        speaker="assistant",
    ),
    Form(
        "back",
        form(
            rf"\bdid(?:n't)?\s(?:(?P<my>i)|(?P<your>you)|we)(?:\sjust|\salready)?\s(?:{_SAY}|discuss|agree|decide|talk\sabout|settle|choose|pick)\b"
        ),
    ),
    Form(
        "back",
        form(
            rf"\bi(?:'ve|\shave|'d)?{_LATELY}\s(?:told\syou|asked\syou|gave\syou|sent\syou|mentioned)\b"
            rf"|\bi\s(?:said|wrote|asked)\s(?:\w+\s){{0,4}}?{_BEFORE}\b|\bwhat\si\s(?:said|wrote|asked)\b"
        ),
        speaker="user",
    ),
    Form(
        "back",
        form(
            rf"\b(?:what|that|which|where|when)\swe(?:'ve|\shave|'d)?{_LATELY}\s(?:discussed|talked\sabout|agreed|decided|settled|chose|picked|said)\b"
        ),
    ),
    Form(
        "back",
        form(
            rf"\bwe(?:'ve|\shave|'d)?\s(?:discussed|talked\sabout|agreed|decided|settled|chose)\s(?:\w+\s){{0,4}}?{_BEFORE}\b"
        ),
    ),
    Form(
        "back",
        form(
            r"\b(?:the|that|(?P<your>your)|(?P<my>my)|our)\s(?:earlier|previous|prior|original|former)\s"
            r"(?:idea|suggestion|proposal|plan|question|point|topic|thought|comment|remark|advice|answer"
            r"|recommendation|statement|explanation|request|calculation|estimate|figure|decision)\b"
        ),
    ),
    Form(
        "back",
        form(
            r"\b(?:(?:go|going|come|coming|get|getting)\sback|back|return|returning)\sto\s"
            r"(?:the|(?P<my>my)|(?P<your>your)|our|what|that)\b(?!\s(?:airport|office|hotel|station))"
        ),
    ),
)

CUES = PointerCues(
    script=re.compile("[A-Za-z]"),
    forms=(
        *_MESSAGES,
        *_STEPS,
        *_VERSIONS,
        *(one for kind, noun in _NOUNS.items() for one in _pointing(kind, noun)),
        Form(
            "link",
            form(
                rf"\b(?P<phrase>(?:the|that)\s(?:page|site|website|article|video){_RELATIVE}){_AFTER}"
            ),
        ),
        Form(
            "text",
            form(
                r"\bthe\s(?:[a-z-]+\s)?(?!thing|one|way|time|day|what|that\b)(?P<narrow>[a-z-]{3,})"
                rf"{_RELATIVE}"
            ),
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
            "second to": -2,
            "second-to": -2,
            "next": -2,
        }
    ),
    traps=re.compile(
        r"\b(?:at|on|set|lay|clear|book|reserve|under|around|bring\sto)\s(?:the|that|this|a)\stables?\b"
        r"|\b(?:is|was|are|were|isn't)\sthat\s(?:code|list|file|link|table)s?\s(?:for|of|to)\b"
        r"|\b(?:step\sup|step\sby\sstep|first\sstep\sto\w*|point\sof\sview)\b",
        re.IGNORECASE,
    ),
)
