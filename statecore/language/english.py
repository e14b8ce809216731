"""English cues."""

from statecore.language.cues import Cues, cue, whole, words

_START = (
    r"(?:^\W*|[,;:.—–-]\s*|\b(?:and|but|also|so|then|please|or|ok|okay|remember|again|otherwise)[,:]?\s+"
    r"|\bwhatever\s(?:you\sdo|happens)[,:]?\s+|\bfrom\snow\son[,:]?\s+|\b(?:for\s(?:now|today)|today|tonight|this\stime|now)[,:]?\s+"
    r"|\b(?:if|when|unless)\s[^,]{1,60},\s+)"
)
"""Where a clause without a subject begins: its verb is a command."""
_ELIDED = (
    r"(?:been|had|heard|seen|tried|gone|knew|known|thought|mind|again|worry|know|think|want|have"
    r"|need|like|really|feel|get\sme\swrong|you|we|they|i|care|see|understand|remember|believe|agree"
    r"|forget|let\sme\sforget|bother|even|(?!need|feed|exceed|proceed|embed|add)[a-z]+ed)"
)
"""What follows "never" or "don't" in a report whose subject is left out."""
_LASTING = (
    r"(?:use|answer|reply|respond|write|speak|show|send|book|give|suggest|recommend|include|talk|tell"
    r"|ask|buy|call|mention|quote|list|propose|offer|contact|pick|choose|consider|work|look|search"
    r"|translate|do|make|take|accept|order|refer|cite|report|discuss|plan|schedule|keep|put|address)"
)
_THING = r"(?!(?:i|we|he|she|they|you|there|who|that)\s)"

CUES: Cues = {
    "prohibition": cue(
        rf"{_START}(?:please\s)?(?:never\s(?:ever\s)?|do\s?n[o']t\s(?:ever\s)?|don't\s(?:ever\s)?"
        rf"|do\snot\s(?:ever\s)?|dont\s)(?:please\s)?(?!{_ELIDED}\b)[a-z]",
        r"\byou\s(?:must|may|should|shall)(?:\snot|\snever|n't)\b",
        r"\byou(?:\sare|'re)\s(?:not|never)\s(?:allowed\s)?to\b",
        r"\b(?:i|we)\s(?:do\snot|don't)\s(?:want|like|allow)\s(?:you|anyone|anybody)\sto\b",
        r"\b(?:want|need|like|ask(?:ing)?|expect|prefer)\s(?:that\s)?you\s(?:to\s(?:never|not)|not\sto|never\sto|not)\b",
        r"\brather\s(?:that\s)?you\s(?:did\snot|didn't|do\snot|don't|never)\b",
        r"\b(?:make|be)\ssure\s(?:that\s)?(?:you\s)?(?:do\snot|don't|never|not\sto)\b",
        rf"{_START}(?:strictly\s)?(?:avoid|refrain\sfrom|stop|quit)\s(?!(?:by|at|in|here|there|me)\b)[a-z]",
        r"\b(?:must|may)\s(?:not|never)\s(?!have\b|like\b|know\b)|\bmustn't\s",
        r"\bunder\sno\scircumstances\b|\bat\sno\s(?:point|time)\b|\boff[\s-]limits\b|\bi\sforbid\b",
        r"\b(?:is|are)\sforbidden\b(?!\s(?:in|at|there|here))",
        r"^\W*(?:please,?\s)?no\s(?:more\s)?(?!problem|worries|idea|thanks|thank|way|doubt|one|matter|luck|kids)"
        r"[a-z-]+s(?:,?\splease)?\W*$",
    ),
    "obligation": cue(
        rf"{_START}always\s(?!(?:been|had|the|a|in|on|was|is|so|wanted|loved)\b)[a-z]",
        rf"{_START}only\s(?:ever\s)?{_LASTING}\b",
        rf"{_START}{_LASTING}\b[^.;]{{0,40}}\b(?:only|always|every\stime)\b",
        r"\b(?:want|need|like|expect)\syou\sto\s(?:always|only)\b|\bspeak\sto\sme\s\w+ly\b",
        r"\byou\sshould\s(?:always|only)\b|\byou\smust\s(?!(?:be|have|see|try|not|never|know)\b)",
        rf"{_START}(?:first\s)?(?:ask|check|confirm|consult|tell|warn|notify|inform|call|text|wait|show|let\sme\sknow"
        r"|get\s(?:my|our)\s(?:approval|consent|permission|ok))\b"
        r"[^.;]{0,40}\b(?:before|first|beforehand|in\sadvance)\b",
        rf"{_START}run\s(?:it|this|that|everything|them)\sby\s(?:me|us)\b",
        rf"{_START}before\s(?:you|booking|sending|buying|doing|paying)\b[^.;]{{0,40}}\b(?:ask|check|confirm|tell|show)\b",
        r"\bfrom\snow\son\b|\bgoing\sforward\b|\bfrom\shere\son\b|\bat\sall\stimes\b|\bwithout\sexception\b",
        r"\b(?:every\stime|whenever)\syou\b|\bfor\sthe\srest\sof\s(?:this|the|our)\s(?:chat|conversation)\b",
        rf"{_START}keep\s(?:it|your|the|all|every|my|our|answers|replies|this|that|everything)\b[^.;]{{0,40}}"
        r"\b(?:short|brief|concise|simple|formal|informal|private|secret|confidential|under|below|between"
        r"|yourself|polite|plain|out)\b",
        rf"{_START}(?:answer|reply|respond|speak|talk)\s(?:to\s)?(?:me\s|us\s)?in\s[a-z]",
        rf"{_START}address\sme\b|{_START}stick\s(?:to|with)\b",
        rf"(?:^\W*|[,;]\s|\b(?:and|but)\s){_THING}[^,.;?]{{1,60}}\b(?:must|ha(?:s|ve)\sto|needs?\sto)\s"
        r"(?:always\s|only\s)?(?:be|have|include|fit|contain|stay|cost|start|end|use|support|come|arrive)\b"
        r"(?!\s(?:been|late|raining|nice|hard|tired|great|kidding|joking|because|so|mistaken|wrong"
        r"|very|really|done|forgotten|left|lost)\b)",
        r"\b(?:i|we)\smust\s(?!(?:be|say|admit|confess|have|go|not|never)\b)",
    ),
    "refusal": cue(
        r"^\W*(?:no|nope|nah)\W*$|^\W*(?:no|nope|nah)[,.!]?\s(?:thanks|thank|please\sdon't|do\snot|don't|not\s|i\sdon't|i\swon't)",
        r"\b(?:i|we)\s(?:really\s)?(?:do\snot|don't)\swant\b(?!\s(?:you|anyone)\sto)",
        r"\b(?:i|we)(?:'d|\swould)\srather\snot\b|\b(?:i|we)\s(?:will\snot|won't)\s(?!be\b|have\b|know\b)",
        r"\bnot\sinterested\b|\bi\srefuse\b|\b(?:i|we)\sdecline\b|\bdon't\sbother\b",
        r"^\W*(?:skip|forget|leave)\s(?:it|that|this)\b",
    ),
    "correction": cue(
        r"^\W*(?:no,?\s|sorry,?\s|wait,?\s|oh,?\s)?actually\b|,\sactually\b|\bcorrection\b",
        r"\bi\s(?:actually\s)?meant\b|\bi\smade\sa\s(?:mistake|typo)\b|\bmy\smistake\b|\bi\swas\swrong\b",
        r"\bscratch\sthat\b|\bmake\s(?:that|it)\s(?=\S*\d)|\bit\sshould\s(?:be|say|read)\b|\bchange\s(?:that|it)\sto\b",
        r"\bnot\s[^,.;]{1,40}[,;]?\sbut\s|,\snot\s(?!(?:sure|yet|really|only|just|even|bad|to|that)\b)\S",
        r"\b(?:isn't|is\snot|it's\snot|wasn't)\s[^,.;]{1,40}[,;]\s(?:it's|it\sis|but|it\swas)\b|\binstead\sof\s\S*\d",
        r"^\W*(?:sorry|wait|oops)[,:—-]\s",
    ),
    "temporary": words(
        r"for\s(?:now|today|tonight|the\smoment|the\stime\sbeing|this\s\w+)",
        r"today",
        r"tonight",
        r"this\s(?:time|once|week|month|morning|evening|afternoon)",
        r"just\s(?:once|for\s(?:the|this))",
        r"only\sfor\s(?:the|this)",
        r"temporarily",
        r"at\sthe\smoment",
        r"right\snow",
        r"until\s(?:tomorrow|then|further\snotice|i\s|we\s|(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
        r"for\sthe\s(?:demo|meeting|presentation|trip|weekend)",
        r"in\sthis\s(?:message|answer|reply)",
    ),
    "hedge": words(
        r"maybe",
        r"perhaps",
        r"possibly",
        r"probably",
        r"presumably",
        r"i\s(?:think|guess|suppose|believe)",
        r"(?:i'm|i\sam|we're|we\sare|am|is)?\s?not\s(?:\w+\s)?(?:sure|certain)",
        r"might",
        r"could\sbe",
        r"unsure",
        r"it\sseems",
        r"seems\s(?:like|to)",
        r"as\sfar\sas\si\s(?:know|remember)",
        r"if\si\sremember",
        r"likely",
        r"supposedly",
        r"i\smay\b",
        r"we\smay\b",
    ),
    "condition": cue(
        r"(?<!ask\s)(?<!know\s)(?<!wonder\s)(?<!see\s)(?<!check\s)(?<!\bme\s)(?<!\bas\s)\bif\b",
        r"\bunless\b|\bonly\swhen\b|\bas\slong\sas\b|\bprovided\b|\bin\scase\b|\bexcept\b|\bwhenever\b",
    ),
    "question": cue(
        r"[?？]\W*$",
        r"^\W*(?:what|when|where|who|why|how|which|whose)(?:'s|\s(?:is|are|do|does|did|can|could|should"
        r"|would|will|was|were|has|have|much|many|long|far|old|about|to|if))\b",
        r"^\W*(?:can|could|would|will|do|does|did|is|are|should|may|was|were|have|has)\s(?:you|i|we|it|there|they|he|she|this|that|the)\b",
    ),
    "small_talk": whole(
        "hello(?: there)?",
        "hi(?: there)?",
        "hey(?: there)?",
        "good (?:morning|evening|afternoon|night|day)",
        r"thanks?(?: you)?(?: (?:so|very) much| a lot| again)?",
        "thx",
        "cheers",
        "ok(?:ay)?",
        "alright",
        "great",
        "perfect",
        "cool",
        "nice",
        "bye(?: bye)?",
        "goodbye",
        "see you(?: (?:later|soon|tomorrow))?",
        "you're welcome",
        "no problem",
        "no worries",
        "wow",
        "haha+",
        "lol",
        "yes(?: please)?",
        "yeah",
        "yep",
        "sure",
        "got it",
        "i see",
        "good",
        "how are you",
        "that's (?:great|nice|fine|good|all)",
        "sounds (?:good|great)",
        "never mind",
        "good luck",
        "have a (?:nice|good|great) (?:day|evening|weekend|one)",
        "awesome",
        "excellent",
        "wonderful",
        "hmm+",
        "please",
    ),
    "identity": cue(
        r"\bmy\sname(?:\sis|'s)\b|\bcall\sme\s(?!(?:when|if|at|on|back|later|before|tomorrow|today|first)\b)[a-z]",
        r"\b(?:i\sam|i'm)\s(?:an?|the)\s(?!(?:bit|little|lot|few|fan|big\sfan|huge\sfan)\b)[a-z]",
        r"\bi\s(?:currently\s)?live\s|\b(?:i\sam|i'm|i\scome)\sfrom\b|\bi\s(?:work|study|teach)\s(?:as|at|for|in|with|on)?\b",
        r"\bi\swas\sborn\b|\b(?:i\sam|i'm)\s\d{1,3}(?!\d)\b|\byears\sold\b|\bi\smoved\sto\b|\bmy\sbirthday\b",
        r"\b(?:i|we)\s(?:have|own)\s(?:an?|one|two|three|four|\d)\s(?:\w+\s)?(?:sons?|daughters?|kids?|child(?:ren)?|dogs?|cats?|brothers?|sisters?)\b",
        r"\bmy\s(?:wife|husband|son|daughter|mother|father|mom|dad|brother|sister|partner|boss|dog|cat|job|employer"
        r"|company|team|address|profession|hometown|native\slanguage|flight|hotel|room)(?:'s|\s(?:name\s)?is)\b",
        r"\b(?:i\sam|i'm)\s(?:\w+\s)?(?:allergic|vegetarian|vegan|diabetic|married|single|divorced|retired|pregnant|deaf|blind"
        r"|colou?r-?blind|left-handed|lactose|gluten|intolerant)\b|\bi\s(?:do\snot|don't)\s(?:eat|drink|drive|smoke|speak)\b",
    ),
    "preference": cue(
        r"\bi(?:'d|\swould)?\s(?:really\s|generally\s|usually\s|much\s|strongly\s)?prefer\b|\bi(?:'d|\swould)\srather\s(?!not\b|you\b)",
        r"\bi\s(?:really\s|also\s|do\s|absolutely\s)?(?:like|love|hate|enjoy|dislike|adore)\s(?!(?:it|that|this|your|the\sidea)\b)",
        r"\bi\s(?:do\snot|don't)\s(?:really\s)?(?:like|enjoy)\s(?!(?:it|that|this)\b|you\sto)|\bi\scan(?:'t|not)\sstand\b",
        r"\bmy\sfavou?rite\b|\b(?:fan\sof|into)\s(?=\w+(?:\s\w+)?\W*$)",
    ),
    "decision": cue(
        r"\blet(?:'s|\sus)\s(?:go\s(?:with|for)|take|do|use|book|stick|make\sit|settle|choose|pick|keep|order|meet|have)\b",
        r"\b(?:i|we)(?:'ll|\swill|'d\slike\sto|'m\sgoing\sto|\sare\sgoing\sto)\s(?:take|go\s(?:with|for)|choose|pick|stick|have)\b",
        r"\b(?:i|we)(?:'ve|\shave)?\s(?:just\s|finally\s)?(?:decided|choose|chose|chosen|pick|picked|settled\son|agreed|went\swith)\b",
        r"\bit(?:'s|\sis)\s(?:decided|settled)\b|\b(?:my|our|the)\s(?:final\s)?(?:choice|decision)\sis\b|^\W*(?:deal|agreed)\b",
        r"^\W*(?:ok(?:ay)?|yes|fine|good|great|alright)?\W*(?:then\s)?(?:we\s|i\s)?(?:go|going)\s(?:with|for)\b",
    ),
    "goal": cue(
        r"\b(?:i|we)\s(?:really\s|just\s|also\s)?(?:want|need|plan|hope|aim|intend|wish)\s(?!(?:you|it|that|this)\b)(?:to\b|an?\b|some\b|for\b)",
        r"\b(?:i|we)(?:'d|\swould)\s(?:really\s)?(?:like|love)\s(?:to\b|an?\b|some\b)|\b(?:my|our|the)\s(?:main\s)?(?:goal|aim|plan)\sis\b|\bhelp\s(?:me|us)\b",
        r"\b(?:i\sam|i'm|we\sare|we're)\s(?:currently\s)?(?:planning|trying|looking|hoping|preparing|organi[sz]ing|searching|saving)\b",
    ),
    "task": cue(
        r"\bremind\s(?:me|us)\b|\b(?:i|we)\sstill\s(?:have|need|must|ought)\b|\bto-?do\b|\bdon't\s(?:let\sme\s)?forget\b|\bdo\snot\sforget\b",
        r"\bremember\sto\b|\bstill\s(?:open|pending|outstanding|missing|to\s(?:be\s)?do)|\bleft\sto\sdo\b|\bfollow\sup\b|\b(?:has|have)\syet\sto\b",
    ),
    "request": cue(
        r"^\W*(?:(?:please|now|ok(?:ay)?|hi|hey|hello|so|then|and|also|next)[,\s]+){0,3}(?:(?:can|could|would|will)\syou\s(?:please\s)?"
        r"|help\s(?:me|us)\s(?:to\s)?|i(?:\swant|'d\slike|\sneed|\swould\slike)\s(?:you\sto\s|to\s(?=(?:know|understand|see|hear)))|let'?s\s)?"
        r"(?:write|explain|translate|describe|summari[sz]e|tell\sme|show\sme|give\sme|list|compare|create|generate|draft|make\sme|fix|rewrite|convert"
        r"|calculate|compute|count|sum|find|define|suggest|recommend|review|check\sthis|continue|shorten|improve|rephrase|solve|implement|refactor"
        r"|debug|code|sort|print|analy[sz]e|outline|brainstorm|proofread|correct\sthis|know|understand|hear)\b(?!\s(?:\w+\s){0,2}(?:only|always|before)\b)",
    ),
}
