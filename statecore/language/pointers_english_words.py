"""English words that phrases which point back are made of."""

ORDINAL = (
    r"(?P<n>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final"
    r"|\d{1,3}(?:st|nd|rd|th))"
)
SAID = (
    r"(?:said|mentioned|wrote|suggested|recommended|claimed|explained|promised|listed|proposed"
    r"|advised|told\s(?:me|us))"
)
SAY = (
    r"(?:say|mention|write|suggest|recommend|claim|explain|promise|list|propose|advise|call"
    r"|tell\s(?:me|us|you)|ask(?:\syou)?)"
)
