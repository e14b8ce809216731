"""Secrets: passwords, tokens, cards and document numbers that memory must never keep."""

import re
from collections.abc import Iterator

from statecore.language.mentions import links

_KNOWN = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY"
    r"|(?<![A-Za-z0-9])(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}"
    r"|(?<![A-Za-z0-9])(?:gh[opusr]_|github_pat_|glpat-|xox[abprs]-|hf_|npm_|pypi-)[A-Za-z0-9_-]{10,}"
    r"|(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\."
    r"|\bBearer\s+[A-Za-z0-9._~+/-]{16,}"
    r"|://[^\s/:@]{1,100}:[^\s/@]{1,100}@"
    r"|[?&](?:access_token|token|api_?key|key|secret|password|pwd|sig|signature)=[^\s&]{6,}",
)
_CUE = (
    r"(?:pass\s?words?|passwd|pwd|pass\s?codes?|pass\s?phrase|(?:api|secret|access|private|licen[cs]e)"
    r"[\s_-]?(?:key|token)|(?:auth|access|api|bot|session)?[\s_-]?token|login\s?code"
    r"|one[\s-]time\s?code|парол[ьяюе]м?|кодов\w{2}\s(?:слов\w|фраз\w)|токен\w?|секретн\w{2}\s(?:ключ|код)\w?"
    r"|ключ\w?\s(?:доступа|api)|密码|口令|密钥|令牌|验证码)"
)
_FOR = r"(?:\s+(?:for|to|of|from|on|от|для|к|на|в)(?:\s+[^\s:=]{1,30}){1,4}?)?"
_TOLD = re.compile(
    rf"(?<![A-Za-z0-9А-Яа-яЁё]){_CUE}[\"'»”)]{{0,2}}{_FOR}"
    r"\s*(?::|：|=|[—–-](?=\s)|\bis\b:?|\bare\b|\bwas\b|это|теперь|是|为|改成|设成)\s*"
    r"[\"'«“`「]?(?P<word>[^\s\"'»”`」，。；,;]{3,100})(?P<rest>[^\n]{0,80})",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    rf"(?<![A-Za-z0-9А-Яа-яЁё]){_CUE}{_FOR}\s*[\"'«“`]?(?P<word>[!-~]{{5,100}})",
    re.IGNORECASE,
)
_PIN = re.compile(
    r"(?<![A-Za-z0-9А-Яа-яЁё])(?:pin(?:[\s-]?code)?|cvv2?|cvc2?|пин(?:[\s-]?код\w?)?)\b\s*"
    r"(?:is|:|=|—|-|это|to)?\s*\d{3,8}(?!\d)"
    r"|(?:PIN\s?码?|安全码)\s*[是为:：]?\s*\d{3,8}(?!\d)",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"(?:wrong|incorrect|weak|strong|safe|secure|expired|required|missing|invalid|empty|short|long"
    r"|old|new|lost|needed|correct|ok|okay|fine|secret|gone|stolen|same|different|not|the|too|very"
    r"|never|always|sent|stored|being|in|on|at|a|an|my|your|what|which|that|это|не|очень|слишком"
    r"|неверн\w+|правильн\w+|стар\w+|нов\w+|прост\w+|сложн\w+|слаб\w+|надёжн\w+|потерян\w*"
    r"|изменён\w*|что|какой|什么\w*|多少|正确\w*|错误\w*|不对\w*)[.!?,。！？]*",
    re.IGNORECASE,
)
"""What is said of a password, not the password."""
_DOCUMENT = re.compile(
    r"(?<!\w)(?:passports?|паспорт\w{0,2}|护照|driv\w{2,4}\slicen[cs]e|social\ssecurity|ssn|снилс|инн"
    r"|id\s(?:card|number)|身份证)[^\n\d]{0,40}(?:[A-Z]{1,3}\s?)?\d(?:[\s-]?\d){5,17}",
    re.IGNORECASE,
)
_NATIONAL = re.compile(
    r"(?<![\d-])(?:\d{3}-\d{2}-\d{4}|\d{3}-\d{3}-\d{3}[\s-]\d{2}"
    r"|[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx])(?![\d-])"
)
_CARD = re.compile(
    r"(?<![\d-])[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?!\d)"
    r"|(?<!\d)3[47]\d{2}[ -]?\d{6}[ -]?\d{5}(?!\d)"
)
_CARD_CUE = re.compile(
    r"(?:card|карт[аыуе]|卡号|信用卡|银行卡)[^\n\d]{0,30}\d(?:[ -]?\d){11,18}(?!\d)", re.IGNORECASE
)
_OPAQUE = re.compile(r"(?<![\w/+=-])[A-Za-z0-9+/_=-]{32,}")
_FEWEST_DIGITS = 4
_DOUBLED_MAX = 9


def has_secret(text: str) -> bool:
    """Return whether a text gives away a password, key, token, card or document number.

    Speaking of a password is no secret; only what looks like its value is.
    """
    patterns = (_KNOWN, _PIN, _DOCUMENT, _NATIONAL, _CARD_CUE)
    return any(pattern.search(text) for pattern in patterns) or any(_suspects(text))


def _suspects(text: str) -> Iterator[bool]:
    yield any(_is_valid_card(found[0]) for found in _CARD.finditer(text))
    yield any(_is_told(found) for found in _TOLD.finditer(text))
    yield any(_is_mixed(found["word"].rstrip(".,;:!?")) for found in _BESIDE.finditer(text))
    for start, end in reversed(list(links(text))):
        text = text[:start] + " " + text[end:]
    yield any(_is_opaque(found[0]) for found in _OPAQUE.finditer(text))


def _is_told(found: re.Match[str]) -> bool:
    """Whether a value follows: a lone word after "password is", or one that no dictionary has."""
    word = found["word"]
    if _is_mixed(word.rstrip(".,;:!?")):
        return True
    if _PLAIN.fullmatch(word):
        return False
    return not found["rest"].strip(" .!?。！\"'»”`」，,;)")


def _is_mixed(word: str) -> bool:
    """Whether a word mixes letters with digits, or with signs inside, as no plain word does."""
    has_letter = any(character.isalpha() for character in word)
    has_digit = any(character.isdecimal() for character in word)
    has_sign = any(character in "!@#$%^&*+=~?" for character in word)
    return has_letter and (has_digit or has_sign)


def _is_opaque(token: str) -> bool:
    digits = sum(character.isdecimal() for character in token)
    mixed = any(c.isupper() for c in token) and any(c.islower() for c in token)
    return mixed and digits >= _FEWEST_DIGITS and token.count("/") + token.count("-") < digits


def _is_valid_card(number: str) -> bool:
    """Whether the check digit is right (Luhn)."""
    figures = [int(character) for character in number if character.isdecimal()]
    doubled = [figure * 2 for figure in figures[-2::-2]]
    return (
        sum(figures[-1::-2]) + sum(f - _DOUBLED_MAX if f > _DOUBLED_MAX else f for f in doubled)
    ) % 10 == 0
