"""Works: texts that an assistant makes on request, such as a letter, and what asks for them.

They have no markup to be known by: what an answer is, the input that it answers says.
"""

import re
from typing import Final

FAMILIES: Final[dict[str, str]] = {
    "letter": (
        r"\be-?mails?\b|\bletters?\b(?!\sof\sthe\salphabet)|\bапелляци\w+|\bписьм(?:о"
        r"|а|у|ом|е)(?!\w)"
        r"|\b(?:и?мейл|емейл)\w{0,2}(?!\w)|邮件|电邮|信函|(?<![相自确可微通短])信(?![息任用号心箱])"
    ),
    "poem": (
        r"\bpoems?\b|\bverses?\b|\blyrics\b|\bсти(?:хотворени|шок|шк|х)\w{0,3}(?!\w)"
        r"|诗(?!歌)|歌词"
    ),
    "invitation": r"\binvitations?\b|\binvites?\b|\bприглашени\w{1,2}(?!\w)|邀请[函信]|请柬|请帖",
    "recipe": r"\brecipes?\b|\bингредиент\w*|\bрецепт\w{0,2}(?!\w)|食谱|配方|菜谱",
    "plan": (
        r"\bplans?\b|\bschedules?\b|\bitinerar(?:y|ies)\b|\btimetables?\b|\bплан(?:а|у|ом|е)?(?!\w)"
        r"|\bрасписани[еяю](?!\w)|\bмаршрут\w{0,2}(?!\w)|计划|日程|行程"
    ),
    "summary": (
        r"\bsummary\b|\bsummari[sz]e\b|\brecap\b|\babstract\b|\bпересказ\w{0,2}(?!\w)|\bперескажи\b"
        r"|\bрезюм(?:е|ируй)(?!\w)|\bсводк\w{1,2}(?!\w)|\bконспект\w{0,2}(?!\w)|总结|摘要|概要"
    ),
    "translation": (
        r"\btranslations?\b|\btranslate\b|\bперевод(?:а|у|ом|е)?(?!\w)|\bпереведи(?:те)?\b|译文|翻译"
    ),
    "text": (
        r"\b(?:essay|article|story|speech|toast|blog\spost|slogan|caption|report|statement"
        r"|biography)s?\b"
        r"|\b(?:эссе|стать[яюиейё]{1,2}|рассказ\w{0,2}|речь|речи|тост\w{0,2}|сказк\w{1,2}"
        r"|отчет\w{0,2}"
        r"|доклад\w{0,2}|объявлени\w{1,2}|слоган\w{0,2})(?!\w)|文章|短文|作文|文案|故事|演讲稿|报告|发言稿"
    ),
    "any": (
        r"\bdrafts?\b|\btext\b|\bчернов(?:ик|ичк)\w{0,2}(?!\w)|\bнаброс(?:ок|к)\w{0,2}(?!\w)"
        r"|\bтекст\w{0,2}(?!\w)|草稿|初稿|稿子|文稿|文本"
    ),
}
NOUNS: Final = {family: re.compile(words, re.IGNORECASE) for family, words in FAMILIES.items()}
MAKES: Final = re.compile(
    r"\b(?:write|draft|compose|draw\sup|make|prepare|create|give|suggest|need|translate"
    r"|summari[sz]e|please)\b"
    r"|\b(?:напиши|состав|сочини|подготов|придума|сдела|нужн|дай|предложи|переведи|перескажи"
    r"|резюмируй|пожалуйста)"
    r"|写|起草|拟|制定|做|准备|编|给|需要|翻译|总结|列",
    re.IGNORECASE,
)
"""An input that asks for a work."""
INGREDIENTS: Final = re.compile(
    r"\bhow\s(?:do|can|to)\s\w+\s?\w*\s(?:bake|cook|make)\b|\bwhat\sdo\si\sneed\sfor\b"
    r"|\b(?:cake|soup|pie|stew|bread)\b"
    r"|\b(?:приготовить|испечь|пирог|суп|торт)\w*|怎么做|做[^，。]{1,8}需要",
    re.IGNORECASE,
)
"""A recipe is asked for by the dish."""

NEAR: Final = 60
"""Characters between a work and the word that asks for it."""

THEIRS: Final = re.compile(
    r"\b(?:from|of|by)\s(?:my|our|his|her|their|an?|some)\s|\bfrom\sthe\s(?!chat|start"
    r"|beginning)|\b(?:he|she|they|mother's|his|her|their)\b"
    r"|\b(?!it'|that'|let'|what'|here'|there'|who')[a-z]+'s\s(?!not\b)"
    r"|\b(?:arrived|received|got|came)\b"
    r"|\b(?:он|она|они|его|ее|их|мамин|папин|пришл[оа]|получил|прислали|из\sбанка|бабушка"
    r"|мне\sприш)\w*"
    r"|[他她]|我[妈爸奶爷]|银行|寄来|收到|公司发",
    re.IGNORECASE,
)
"""Whose words these are is told: not the assistant's."""


def names_other(family: str, text: str) -> bool:
    """Return whether a text names a work of another kind."""
    same = {family, "any"}
    return any(noun.search(text) for name, noun in NOUNS.items() if name not in same)


def asks_for(family: str, text: str) -> bool:
    """Return whether an input asks for a work of a kind; "any" is of every kind."""
    if family == "recipe" and INGREDIENTS.search(text):
        return True
    nouns = NOUNS.values() if family == "any" else (NOUNS[family],)
    return any(
        MAKES.search(text, max(0, noun.start() - NEAR), noun.end() + NEAR)
        for one in nouns
        for noun in one.finditer(text)
    )
