"""Patterns of numbers and money, with the separators and currencies of three languages."""

import re

_L = "A-Za-zА-Яа-яЁё"
"""Chinese is no letter here: it stands beside a number without a space."""

_FIGURE = (
    r"(?<![\d.,])(?:\d{1,3}(?:[,.'’ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?"
    r"|\d{1,30}(?:[.,]\d{1,9})?)"
)
_SCALE = (
    r"(?:\s?(?:(?:k|m|bn|thousand|million|billion|тыс(?:\.|яч[аиу]?)?|млн\.?|миллион\w{0,3}"
    rf"|млрд\.?)(?![{_L}])|[百千万亿]{{1,2}}))?"
)
_SIGN = "[€$£¥￥₽₩₹]"
_CODE = "(?:EUR|USD|GBP|CNY|RMB|RUB|CHF|US\\$)"
UNIT = (
    rf"(?:{_SIGN}|(?:euros?|eur|us\s?dollars?|dollars?|usd|bucks?|pounds?|gbp|yuan|rmb|cny"
    r"|roubles?|rubles?|rub|yen|руб(?:\.|л\w{1,3})?|р\.?|евро|доллар\w{0,3}|юан\w{1,3}|фунт\w{0,3})"
    rf"(?![{_L}])|元|块(?:钱|(?![\u4e00-\u9fff]))|美元|欧元|日元|英镑|卢布|人民币)"
)

MONEY = re.compile(
    rf"(?<![{_L}])(?:{_SIGN}|{_CODE})\s?{_FIGURE}{_SCALE}(?:\s?{UNIT})?"
    rf"|(?<![{_L}]){_FIGURE}{_SCALE}\s?{UNIT}"
    r"|[一二两三四五六七八九十百千万]{1,9}(?:元|块钱|美元|欧元|英镑|卢布)",
    re.IGNORECASE,
)

NUMBER = re.compile(rf"(?<![{_L}]){_FIGURE}(?:\s?[%％‰]|{_SCALE})", re.IGNORECASE)
