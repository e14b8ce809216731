"""Chinese phrases that point back."""

import re

from statecore.language.items import han_number
from statecore.language.pointer_cues import LAST, Form, PointerCues, PointerKind, form

_NUMBER = r"(?:[一二三四五六七八九十两]{1,3}|\d{1,4})"
_BEFORE = r"(?:刚才|刚刚|刚(?!好)|之前|前面|上面|先前|以前|早先|上文|最开始|一开始|最初|开头|起初)"
_LATELY = (
    rf"(?:{_BEFORE}|已经|也|就|都|还|不是|曾经?|好像|跟你|和你|对你|给你|跟我|给我|向我){{0,4}}"
)
_GAVE = r"(?:发|给|写|列|提供|分享|推荐|贴|画|做|说|提到|整理|生成|传)"
_MEASURE = r"(?:个|条|张|段|份|篇|块|组|些)"
_THAT = (
    rf"(?:那{_MEASURE}|这{_MEASURE}|上述的?|以上的?|上一{_MEASURE}|同一{_MEASURE}"
    rf"|{_BEFORE}的?(?:那|这)?{_MEASURE}?)"
)
_NAME = r"(?:(?P<narrow>[^，。？！；：、,.?!;:\s的那这把将在从用]{2,6})的)?"

_NOUNS: dict[PointerKind, str] = {
    "link": r"(?:链接|网址|网页|连接地址|网站(?:的?地址)?)",
    "code": r"(?:代码|脚本|程序|正则(?:表达式)?|函数|命令)(?!员)",
    "table": (
        r"(?:(?<!电子)表格|(?:对比|比较|价格|数据)?(?<!电子)表(?!格)"
        r"(?![示明达面演情现格哥姐妹弟]))"
    ),
    "list": r"(?:列表|清单|名单)",
    "file": r"(?:文件|文档|附件|电子表格|[Cc][Ss][Vv]|Excel|表格文件)(?!夹|系统)",
}
_ITEM = (
    r"(?:个?(?:选项|选择|方案|建议|办法|方法|想法|主意|要点)|点(?![钟多半零一二三四五六七八九十\d])|项"
    r"|种(?:方案|方法|办法|选择|(?=[，。？！,.?!的更比呢吧]|$))|条建议)"
)
_OWN = r"(?:(?<!的)|(?<=[你您我们表单案划面才前骤里中答复]的))"
"""What belongs to somebody or something else is not of this conversation."""
_SAID = r"(?:说|提|讲|建议|推荐|写|告诉|介绍|解释|提议|答应|列|给)"
_ASKED = r"(?:问题|提问|请求|要求)"
_ANSWERED = r"(?:回答|回复|答复|答案|答)"
_MESSAGE = r"(?:消息|信息|留言|发言|话|对话)"
_YOURS = r"(?:(?P<my>我)|(?P<your>你|您))(?:们)?的?"


def _pointing(kind: PointerKind, noun: str) -> tuple[Form, ...]:
    # Counted, they are items themselves.
    named = noun.replace("名单", "名单|选项|步骤")
    return (
        Form(
            kind,
            form(
                rf"(?:(?:(?P<my>我)|(?P<your>你))(?:{_LATELY}{_GAVE}?的?)?)?(?P<n>第{_NUMBER}|最后一){_MEASURE}?{noun}"
            ),
        ),
        Form(
            kind,
            form(
                rf"(?:(?P<my>我)|(?P<your>你)){_LATELY}{_GAVE}(?:过|了|出|到|给)?(?:我|你|您)?(?:过)?的?(?:那|这)?{_MEASURE}?{_NAME}{named}"
            ),
        ),
        Form(kind, form(rf"{_NAME}(?P<phrase>{_THAT}{named})")),
        Form(
            kind,
            form(
                rf"(?P<phrase>{_THAT}(?:关于)?)(?P<narrow>[^，。？！；：、,.?!;:\s那这]{{2,8}})的{noun}"
            ),
        ),
        Form(kind, form(rf"(?:你|您)的{noun}"), speaker="assistant"),
        Form(kind, form(rf"(?:(?<![\u4e00-\u9fff])|(?<=[在从把看到])){noun}[里中]"), is_sure=False),
    )


_MESSAGES = (
    Form("message", form(rf"(?P<n>{_NUMBER})条{_MESSAGE}(?:之前|以前|前)"), from_end=True),
    Form(
        "message",
        form(rf"往?(?:前|上)(?:数|翻)?(?:的)?(?P<n>{_NUMBER})条{_MESSAGE}?"),
        from_end=True,
    ),
    Form(
        "message",
        form(rf"(?P<n>{_NUMBER})(?:个|条){_ASKED}(?:之前|以前|前)"),
        from_end=True,
        speaker="user",
    ),
    Form(
        "message",
        form(rf"(?P<n>{_NUMBER})(?:个|条){_ANSWERED}(?:之前|以前|前)"),
        from_end=True,
        speaker="assistant",
    ),
    Form(
        "message",
        form(rf"{_YOURS}(?:倒数)(?P<n>第{_NUMBER})(?:个|条)?(?:{_MESSAGE}|{_ASKED}|{_ANSWERED})"),
        from_end=True,
    ),
    Form("message", form(rf"倒数(?P<n>第{_NUMBER})(?:个|条)?{_MESSAGE}"), from_end=True),
    Form(
        "message",
        form(rf"{_YOURS}(?P<n>上+一?|前一)(?:个|条)?(?:{_MESSAGE}|{_ASKED}|{_ANSWERED})"),
        from_end=True,
    ),
    Form("message", form(rf"(?P<n>上+一?|前一)(?:个|条){_MESSAGE}"), from_end=True),
    Form("message", form(rf"(?P<n>上+一?|前一)(?:个|条)?{_ASKED}"), from_end=True, speaker="user"),
    Form(
        "message",
        form(rf"(?P<n>上+一?|前一)(?:个|条)?{_ANSWERED}"),
        from_end=True,
        speaker="assistant",
    ),
    Form(
        "message",
        form(
            rf"{_YOURS}(?:发|写|说|问|给)?(?:的)?(?P<n>第{_NUMBER}|最后一|最早|最初|最开始|最先)的?(?:个|条|句)?(?:{_MESSAGE}|{_ASKED}|{_ANSWERED})(?!是[^什]|：|:)"
        ),
    ),
    Form(
        "message",
        form(
            rf"(?:(?<=^)|(?<=[，。？！；\s里在]))(?P<n>第{_NUMBER}|最早|最初|最开始)的?(?:个|条)?(?:{_MESSAGE})(?!是关于)"
        ),
    ),
    Form(
        "message",
        form(r"(?:(?P<my>我)|(?P<your>你|您))(?:最|一)(?:开始|初|早|先)(?:问|说|写|提|发)"),
        ordinal=1,
    ),
    Form(
        "message",
        form(r"(?:最开始|一开始|最初|最早|起初)(?P<my>我)(?:问|说|写|提|发)"),
        ordinal=1,
    ),
    Form(
        "message",
        form(rf"(?:(?P<my>我)|(?P<your>你|您))(?P<n>第{_NUMBER})次(?:问|回答|回复|答复|提问|说)"),
    ),
    Form(
        "message",
        form(r"(?:(?P<my>我)|(?P<your>你|您))(?P<n>最后)(?:说|写|问|提到?|回答?)"),
    ),
    Form(
        "message",
        form(r"(?:对话|聊天|谈话)(?:的)?(?:一?开始|开头|最初)"),
        ordinal=1,
        speaker="user",
    ),
)

_STEP_FORMS = (
    Form("step", form(rf"步骤(?P<n>{_NUMBER})(?![.\d年月个])")),
    Form("item", form(rf"(?:选项|方案)(?P<n>{_NUMBER})(?![.\d年月个选])")),
    Form(
        "step",
        form(
            r"(?:(?<=^)|(?<=[，。？！；,\s在从到把说释复讲看于忆下完成过做改试跑跳第])"
            r"|(?<=[你您列表单案划面才前骤]的))"
            rf"(?P<n>第{_NUMBER}|最后一)步(?!行|枪|兵)"
        ),
    ),
    Form("step", form(rf"(?P<n>第{_NUMBER}|最后一)个?步骤")),
    Form("item", form(rf"{_OWN}(?P<n>第{_NUMBER}|最后一){_ITEM}")),
    Form(
        "item",
        form(rf"(?:选项|列表|清单|方案|建议|选择)[里中]?的?(?P<n>第{_NUMBER})[个项条点种]"),
    ),
    Form("item", form(rf"(?:就|选|要|用|换)(?P<n>第{_NUMBER})[个种](?=[吧，。！,!\s]|$)")),
    Form(
        "step",
        form(r"(?<![更再进])(?:上|前)(?:一|个|一个)步骤?|上个步骤"),
        ordinal=1,
        from_end=True,
    ),
)

_VERSIONS = (
    Form(
        "version",
        form(
            r"(?:(?P<narrow>[^，。？！；\s]{2,8})的)?"
            r"(?P<phrase>(?:上一?个?|前一?个?|之前的|原来的|以前的|旧的?)(?:版本?|稿|个版本))"
            r"(?:的\s?(?P<after>[^，。！？\s更好]{2,10}))?"
        ),
        ordinal=2,
        from_end=True,
    ),
    Form(
        "version",
        form(
            r"(?:(?P<narrow>[^，。？！；\s]{2,8})的)?(?P<phrase>最初的版本?|最初的?稿|初稿|初版|原版|最早的版本)"
        ),
        ordinal=1,
    ),
    Form(
        "version",
        form(
            rf"(?:(?P<narrow>[^，。？！；\s你]{{2,8}})的)?(?P<phrase>(?:你的?)?(?P<n>第{_NUMBER})个?(?:版本?|稿))"
        ),
    ),
)

_BACK = (
    Form("back", form(r"如上所述|几条消息(?:之前|以前|前)|前几条消息")),
    Form(
        "back",
        form(
            rf"(?:像|如|正如|就像|按照?|根据)?(?:(?P<my>我)|(?P<your>你|您))们?(?=[^，。]{{0,4}}(?:{_BEFORE}|已经|不是)){_LATELY}(?:{_SAID}(?:过|到|的|了)?|[问要](?:过|的|了))"
        ),
    ),
    Form("back", form(rf"(?:(?P<my>我)|(?P<your>你|您))们?{_SAID}(?:过|到)(?:的|了)?(?!对|没)")),
    Form(
        "back",
        form(
            rf"(?:像|如|正如|就像|按照?|根据|回到|关于)(?:(?P<my>我)|(?P<your>你|您))们?{_SAID}的"
        ),
    ),
    Form("back", form(rf"(?:(?P<your>你|您)){_SAID}的(?![对没不])")),
    Form("back", form(rf"{_BEFORE}(?:说|提到?|讲|聊|讨论|商量|谈)(?:过|到|的|好)的?")),
    Form("back", form(rf"我们{_LATELY}(?:聊|讨论|商量|谈|决定|约定|说好)(?:过|的|到|了)")),
    Form(
        "back",
        form(
            r"(?:那个|之前的|刚才的|前面的|先前的)(?:想法|主意|建议|计划|方案|提议|话题|说法|决定)"
        ),
    ),
    Form("back", form(r"回到(?:(?P<my>我)|(?P<your>你|您)|前面|刚才|之前)")),
)


def _number(word: str) -> int | None:
    """Return the number of 第十二, 12, 两, 上上 (two back) or 最后一 (the last)."""
    if word.startswith("上"):
        return -word.count("上")
    if word.startswith(("最后", "前一")):
        return LAST
    if word.startswith("最"):
        return 1
    return han_number(word.removeprefix("第"))


CUES = PointerCues(
    script=re.compile("[\u4e00-\u9fff]"),
    forms=(
        *_MESSAGES,
        *_VERSIONS,
        *_STEP_FORMS,
        *(one for kind, noun in _NOUNS.items() for one in _pointing(kind, noun)),
        Form(
            "text",
            form(
                rf"(?:{_BEFORE}的?那?[段份篇首]|[那这][段份篇首]|{_BEFORE}的"
                rf"|(?:(?P<my>我)|(?P<your>你)){_LATELY}[给写发做列](?:过|了)?(?:我|你)?的)"
                r"(?P<narrow>[\u4e00-\u9fff]{2,4}?)(?=[，。？！,?!\s太能要里中有是可在用会再更改翻删]|$)"
            ),
        ),
        Form(
            "item",
            form(
                rf"{_OWN}(?P<n>第{_NUMBER})[个种款本部首道](?![人月年天次到])(?P<narrow>[\u4e00-\u9fff]{{2}})"
            ),
            is_sure=False,
        ),
        *_BACK,
    ),
    number=_number,
    traps=re.compile(
        r"一步一步|第一步(?:做什么|该|应该)|(?:你|您)说的?(?:得)?对"
        r"|[^你您我列表单划案上前才步给写说述]的(?:第一|最后一)步"
        r"|(?:告诉过?|跟|和|对)(?:他|她|它|老婆|老公|妻子|丈夫|妈|爸|朋友|老板|同事)们?"
        r"(?:说过?|讲过?|提过?)?|(?:昨天|前天|上周|上个?月|去年)我们"
    ),
)
