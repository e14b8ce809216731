"""Continuing: inputs that go on with the answer before them, in three languages."""

import re

_LONGEST = 200
"""A longer input says itself what it wants."""

_CONTINUES = re.compile(
    r"""\b(?:
        continue | go\ on | carry\ on | keep\ going | proceed | and\ then | what\ (?:else|next)
        | same\ (?:as|but|for|with|again|one|thing) | the\ same | as\ (?:above|before|you\ said)
        | like\ (?:that|this|before|above) | (?:once\ )?again | one\ more | another\ (?:one|version)
        | more\ (?:of|like|detail\w*|example\w*) | in\ more\ detail | elaborate | tell\ me\ more
        | what\ do\ you\ mean | explain\ (?:that|this|it)
        | (?:do|try|use|send|show)\ (?:it|that|this)
        | summari[sz]e\ (?:it|that|this|your) | in\ (?:english|russian|chinese|short|brief)
        | продолжай\w* | продолжи\w* | дальше | далее | так\ же | также,?\ но | то\ же\ самое
        | тот\ же | та\ же | то\ же | те\ же | такой\ же | такую\ же | такое\ же | как\ выше
        | как\ раньше | как\ прежде | ещё | еще | снова | подробнее | поподробнее | ещё\ раз
        | что\ (?:ещё|еще|дальше|потом) | объясни\w* | поясни\w* | уточни\w*
        | по-(?:английски|русски|китайски)
    )\b"""
    r"|继续|接着|往下|然后呢|还有呢|同样|一样|照旧|像上面|如上|上面的?那?|再来|再说|再写|再给|再一"
    r"|详细(?:一[点些]|说)|具体(?:一[点些]|说)|解释一下|展开|什么意思|用(?:中文|英文|俄语)",
    re.VERBOSE | re.IGNORECASE,
)


def continues(text: str) -> bool:
    """Return whether an input goes on with the answer before it and does not say with what."""
    return len(text) <= _LONGEST and bool(_CONTINUES.search(text))
