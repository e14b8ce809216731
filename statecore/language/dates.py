"""Patterns of dates and times in English, Russian and Chinese."""

import re

_MONTH = (
    r"(?<![a-z])(?:jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?|july?"
    r"|aug(?:ust|\.)?|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)(?![a-z])"
)
_MONTH_RU = (
    r"(?:январ[яьею]|феврал[яьею]|март[ае]?|апрел[яьею]|ма[йяею]|июн[яьею]|июл[яьею]|август[ае]?"
    r"|(?:сент|окт|но|дек)ябр[яьею])(?![а-яё])"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?![a-z])"
_WEEKDAY_RU = r"(?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресень)[а-яё]{0,2}(?![а-яё])"
_BEFORE = (
    r"\b(?:in|by|on|until|till|since|before|after|of|from|through|during|next|last|this|early|late"
    r"|every|each)\s"
)
_BEFORE_RU = (
    r"\b(?:в|во|к|до|с|со|на|по|от|после|конце|начале|середине|весь|следующ\w{2,3}|кажд\w{2,3})\s"
)
_YEAR = r"(?:,?\s\d{4}(?!\d))?"

DATE = re.compile(
    rf"""(?<![\d./-])\d{{4}}(?:-\d{{1,2}}-|\.\d{{1,2}}\.|/\d{{1,2}}/)\d{{1,2}}(?!\d)
    | (?<![\d.])\d{{1,2}}[./]\d{{1,2}}[./](?:\d{{4}}|\d{{2}})(?![\d]|\.\d)
    | (?<!\d)\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}{_YEAR}
    | {_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?![\d:]){_YEAR}
    | {_MONTH}\s\d{{4}}(?!\d)
    | (?<!\d)\d{{1,2}}(?:-?(?:го|е|ое|му))?\s{_MONTH_RU}(?:\s\d{{4}}(?:\s(?:года?|г\.))?)?
    | (?:\d{{4}}年)?(?<!\d)\d{{1,2}}月(?:\d{{1,2}}[日号]?)?
    | [一二三四五六七八九十]{{1,2}}月(?:[一二三四五六七八九十]{{1,3}}[日号])?
    | (?<!\d)\d{{4}}年 | (?<!\d)\d{{1,2}}[日号](?![楼线店房门])
    | [下上这本]?(?:周|星期|礼拜)[一二三四五六日天]
    | {_BEFORE}({_MONTH}(?!\s\d)|{_WEEKDAY}) | {_BEFORE_RU}({_MONTH_RU}|{_WEEKDAY_RU})""",
    re.IGNORECASE | re.VERBOSE,
)
"""Where a group took part, the value is what it holds; the rest only says that it is one."""

TIME = re.compile(
    r"""(?<![\d:])\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?!\d)(?:\s?[ap]\.?m(?![a-z]))?(?:\s(?:утра|вечера|дня|ночи))?
    | (?<![\d.,])\d{1,2}\s?[ap]\.?m(?![a-z])
    | (?<![\d.,])\d{1,2}(?:\sчас(?:а|ов)?)?\s(?:утра|вечера|ночи)(?![а-яё])
    | (?<![\d.,])\d{1,2}\sчас(?:а|ов)?\sдня(?![а-яё])
    | (?:凌晨|早上|上午|中午|下午|傍晚|晚上)?(?<!\d)\d{1,2}[点點时](?!间)(?:半|[一三]刻|\d{1,2}分?)?
    | (?:凌晨|早上|上午|中午|下午|傍晚|晚上)[一二两三四五六七八九十]{1,3}[点點](?:半|[一三]刻)?
    | [一二两三四五六七八九十]{1,3}[点點]半""",
    re.IGNORECASE | re.VERBOSE,
)
