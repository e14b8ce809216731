"""What words alone settle becomes memory without a model, in three languages alike."""

import pytest

from statecore.language.marks import marks
from statecore.memory.rules import ruled
from tests.support.work import assert_linear

ENGLISH_RULES = """\
Never mention my employer.
Please do not use emojis.
Don't book anything without asking me.
Ask before you book.
Always answer in metric units.
Only use vegetarian recipes.
From now on, reply in French.
You must never share my address with anyone.
Whatever you do, don't tell my sister about the party.
I don't want you to contact the landlord.
For now, do not send any emails.
I'd rather you didn't quote Wikipedia.
Keep your answers short.
Answer only in English.
The hotel must have a lift.
Under no circumstances call my ex.
No spoilers, please.
And never write more than three paragraphs.
Make sure you don't mention the price.
If the price goes over 500, ask me first.
Avoid technical jargon.
I do not want to fly.
Stop apologising.
Before booking, check with me.
Just for the demo, don't show real names.
It has to be under 900 euros.
Please never use my real name in the letter.
Do not suggest seafood.
You must answer in German.
Don't ever send anything to my boss.
Also, don't use tables.
No phone calls before ten.
Do not buy tickets until I confirm.
I want you to always show the source.
Always double-check the dates.
Get my approval before sending anything.
Let me know before you change anything.
I'd prefer that you not mention my illness.
Everything must be gluten-free.
Speak to me formally.
Use British spelling.
We can't go over 2,000 dollars.
Don't call me sir.
Do not tell Mark.
Please stop using bullet points.
You should not recommend chain restaurants.
My surname must not appear anywhere.
I won't fly with that airline.
Please answer with one paragraph only.
Today answer only in short sentences.
If it rains, don't plan anything outdoors.
Don't forget: never share the address.
"""
ENGLISH_NO_RULES = """\
I have never been to Rome.
You don't need a visa for Georgia.
He does not like it.
She always forgets her keys.
I never learned to swim.
The sign says "never enter".
They told us not to worry.
Never mind.
Don't worry about it.
We only saw two museums.
The museum is not open on Mondays.
My brother doesn't eat fish.
It must be raining there.
You must be joking.
I don't know what to do.
Write a function that must never return null.
Explain why you should always wear a helmet.
I always wanted to see the sea.
He asked before leaving.
Don't you think so?
It was only a joke.
The shop does not accept cards.
Why do you never answer?
I can't find my keys.
Nobody told me about that.
I never said that.
My friend never eats meat.
Don't you have anything cheaper?
You don't have to book in advance there.
The train doesn't stop at our village.
We didn't always agree.
There is no parking near the museum.
My kids only eat pasta.
She told me never to give up.
It must have been expensive.
I must say it looks great.
No problem.
No idea what that means.
I do not remember the name.
He never called me back.
Only two people came.
Summarize the article, please.
Tell me a joke about cats.
Why must I pay twice?
Smoking is forbidden in the park there.
The guide said we should not feed the bears.
I asked him before dinner.
The battery always dies too soon.
Always the same story with this printer.
I could not sleep last night.
"""
RUSSIAN_RULES = """\
Никогда не упоминай моего начальника.
Не используй смайлики.
Отвечай только по-русски.
Пожалуйста, не звоните мне после девяти.
Всегда указывай источник.
Нельзя говорить об этом жене.
Перед бронированием обязательно спроси меня.
Мою фамилию нигде не пиши.
Не надо предлагать самолёт.
Ни в коем случае не отправляй письмо без меня.
Обращайся ко мне на вы.
Гостиница должна быть рядом с вокзалом.
Пока не показывай цены.
На этот раз отвечай кратко.
Без шуток, пожалуйста.
Прошу не использовать англицизмы.
Я не хочу, чтобы ты спрашивал о работе.
Отныне пиши мне только на английском.
Больше не предлагай мясные блюда.
Мне нельзя сладкое.
Текст не должен превышать 300 слов.
Сначала согласуй со мной дату.
Не говори об этом моей сестре.
Никогда не предлагай мне рыбу.
Пиши только строчными буквами.
Не отправляй ничего без моего согласия.
Не упоминайте мой диагноз.
Спрашивай меня перед каждой покупкой.
Не пользуйся жаргоном.
Всё должно быть без глютена.
Не называй меня Сашей.
Только не звони мне утром.
Не бронируй отели дороже 100 евро.
Запрещаю публиковать мои фото.
Сегодня отвечай очень коротко.
Имя клиента нельзя раскрывать.
Я не буду ездить на такси.
Не добавляй таблицы.
Не ставь встречи на утро.
Всегда обращайся ко мне по имени.
Не показывай это коллегам.
Если дороже тысячи, сначала спроси меня.
"""
RUSSIAN_NO_RULES = """\
Я никогда не был в Риме.
Тебе не нужна виза в Грузию.
Он не любит рыбу.
Она всегда опаздывает.
Мы не знали об этом.
Там нельзя парковаться.
Вы не говорите по-немецки?
Музей не работает по понедельникам.
Не знаю, что делать.
Не волнуйся.
Напиши функцию, которая никогда не падает.
Объясни, почему нельзя мыть грибы.
Это были не мои вещи.
Я только что приехал.
Они никогда не звонили.
Мне это не очень важно.
На вывеске написано «не входить».
Он должен был прийти вчера.
Мы всегда ездили на море.
Ты не знаешь ответа.
Я не понимаю эту задачу.
Я ничего не понял.
Он никогда мне не звонит.
Мой брат не ест мясо.
Она только вчера приехала.
Мы всегда завтракаем дома.
Вам не нужно бронировать заранее.
Не помню название.
Это не самый лучший вариант.
В парке запрещено курить.
Врач сказал мне не волноваться.
Расскажи анекдот про кошек.
Почему нельзя платить картой?
Поезд там не останавливается.
Не очень хорошо себя чувствую.
Не все музеи открыты.
Мне не спалось.
Должно быть, дорого.
Принтер всегда ломается.
Не могу найти ключи.
Ничего страшного, не переживай.
"""
CHINESE_RULES = """\
不要提到我的公司。
请别用表情符号。
必须先问我再付款。
回答只能用中文。
以后都用简体字回答。
禁止透露我的地址。
绝对不要联系我的前夫。
预订之前先问我。
一定要注明出处。
这次不要写代码。
你不能把这件事告诉别人。
不许开玩笑。
我不想坐飞机。
酒店必须有停车场。
每次回答都要简短。
请始终用敬语。
只推荐素食餐厅。
暂时不要发邮件。
千万别打电话给我妈。
回复要控制在一百字以内。
别告诉我老板。
不要推荐海鲜。
请不要发邮件给客户。
只能坐火车。
永远不要用我的真名。
没有我的同意不要付款。
你必须用德语回答。
所有菜都不能有花生。
买东西之前要跟我确认。
今天只用短句回答。
不得使用表格。
你不可以公开我的病情。
请总是给出来源。
别订早上的航班。
严禁泄露我的电话。
发送前先给我看。
我不要靠走廊的座位。
请用繁体字写。
如果超过500元，先问我。
说话不要太正式。
"""
CHINESE_NO_RULES = """\
我从来没去过罗马。
你不需要签证。
他不喜欢吃鱼。
她总是迟到。
那里禁止停车。
牌子上写着“禁止入内”。
我特别喜欢这个。
别人都这么说。
写一个永远不会出错的函数。
我不知道怎么办。
不要紧。
他们必须加班。
解释一下为什么不能空腹喝咖啡。
我们没有分别的时间。
博物馆周一不开门。
他不要糖。
为什么不能退款？
昨天只有两个人来。
我总是忘记带伞。
没有人告诉我。
我从不喝酒。
他从来不回电话。
我弟弟不吃肉。
你不用提前预订。
公园里禁止抽烟。
我们总是在家吃早饭。
我不记得名字了。
别人的意见不重要。
我只是随便问问。
医生说不要担心。
讲一个笑话。
为什么必须付两次钱？
昨天别墅很安静。
这不是最好的选择。
打印机总是坏。
没必要着急。
他们不准我进去。
我昨天没睡好。
只有周末开门吗？
要不要带伞？
"""

LANGUAGES = {
    "English": (ENGLISH_RULES, ENGLISH_NO_RULES),
    "Russian": (RUSSIAN_RULES, RUSSIAN_NO_RULES),
    "Chinese": (CHINESE_RULES, CHINESE_NO_RULES),
}

KINDS = {
    "fact": """\
My order number is QX-4417.
My name is Anna.
I live in Lisbon.
I'm allergic to nuts.
The budget is 900 euros, not 1,200.
The flight leaves at 14:30 on 12 May.
Actually, it's 900.
Меня зовут Олег.
Номер заказа 48371.
Мне 34 года.
Бюджет не 1200, а 900 евро.
Я работаю в больнице.
Встреча 12 мая в 14:30.
У меня аллергия на орехи.
我叫李明。
我的订单号是QX-4417。
我住在上海。
预算不是1200，是900。
会议在5月12日下午3点。
我对花生过敏。
""",
    "preference": """\
I prefer window seats.
I love spicy food.
I don't like cilantro.
My favourite colour is green.
Я предпочитаю поезд.
Люблю острое.
Мне больше нравится зелёный.
我喜欢靠窗的座位。
我更喜欢喝茶。
我不太喜欢辣的。
""",
    "decision": """\
Let's go with the second option.
We decided to take the train.
I'll take the blue one.
Давай возьмём второй вариант.
Решили ехать поездом.
Выбираю синий.
就选第二个。
我们决定坐火车。
那就订这家吧。
""",
    "task": """\
Remind me to call the dentist on Friday.
We still have to pay the deposit.
Don't forget to send the invoice.
Напомни мне позвонить врачу.
Осталось купить билеты.
Надо ещё оплатить счёт.
提醒我周五给牙医打电话。
还要买门票。
酒店还没订。
""",
    "goal": """\
I want to learn Spanish.
Help me plan a trip to Japan.
I'm looking for a flat near the park.
Хочу выучить испанский.
Помоги спланировать поездку в Японию.
Мне нужно найти квартиру.
我想学西班牙语。
帮我计划去日本的旅行。
我需要找一套公寓。
""",
    "assumption": """\
Maybe we will come by train.
I think the meeting is on 12 May.
I'm not sure, but it costs about 900 euros.
Наверное, мы приедем поездом.
Возможно, встреча 12 мая.
Кажется, он стоит 900 евро.
我们可能坐火车来。
好像是5月12日。
也许要900元。
""",
}
NOT_KEPT = """\
2
12。
(3)
Hello!
Thanks a lot.
What is the capital of France?
Ok, great.
Привет!
Спасибо большое.
Какая столица у Франции?
你好！
谢谢你。
法国的首都是哪里？
:)
"""
LEFT_TO_THE_MODEL = """\
Write a function that sorts a list.
Explain recursion.
The weather was lovely.
Напиши письмо клиенту.
Погода была чудесная.
写一个函数。
天气很好。
Translate this into German.
Переведи на английский.
把这句话翻译成英文。
Is 14:30 fine?
No, thanks, that is all.
Нет, спасибо, это всё.
不用了，谢谢你的建议。
No.
Нет.
不用。
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_told_from_reports_of_the_world(language):
    told, reported = (text.splitlines() for text in LANGUAGES[language])
    missed = [text for text in told if ruled(text).kind != "rule"]
    wrong = [text for text in reported if ruled(text).kind == "rule"]
    right = len(told) - len(missed)

    assert min(len(told), len(reported)) >= 38
    assert right / len(told) >= 0.9, missed
    assert right / (right + len(wrong)) >= 0.9, wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_bears_no_mark_of_a_prohibition(language):
    reported = LANGUAGES[language][1].splitlines()
    stated = [text for text in reported if not marks(text) & {"question", "request"}]
    marked = [text for text in stated if "prohibition" in marks(text)]

    assert len(marked) <= 0.05 * len(stated), marked


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in KINDS.items() for text in texts.splitlines()]
)
def test_what_is_settled_has_its_kind(kind, text):
    verdict = ruled(text)

    assert (verdict.kind, verdict.is_settled) == (kind, True)


@pytest.mark.parametrize("text", NOT_KEPT.splitlines())
def test_greetings_and_mere_questions_are_not_kept(text):
    assert ruled(text) == (None, True, False)


@pytest.mark.parametrize("text", LEFT_TO_THE_MODEL.splitlines())
def test_what_words_do_not_settle_is_left_to_the_model(text):
    assert ruled(text) == (None, False, False)


@pytest.mark.parametrize(
    "text",
    [
        "For now, do not send any emails.",
        "Just for the demo, don't show real names.",
        "Сегодня отвечай очень коротко.",
        "Пока не показывай цены.",
        "这次不要写代码。",
        "暂时不要发邮件。",
    ],
)
def test_a_rule_for_now_is_temporary(text):
    assert ruled(text) == ("rule", True, True)


@pytest.mark.parametrize(
    "text", ["Never mention my employer.", "Всегда указывай источник.", "不要提到我的公司。"]
)
def test_a_rule_without_a_term_lasts(text):
    assert not ruled(text).is_temporary


@pytest.mark.parametrize(
    "text",
    [
        "I think we decided on 12 May.",
        "Maybe my order number is QX-4417.",
        "Кажется, мы решили взять номер за 900 евро.",
        "Возможно, меня зовут не так.",
        "我们可能决定坐火车。",
        "也许订单号是A113。",
    ],
)
def test_what_is_hedged_is_never_a_fact_or_a_decision(text):
    assert ruled(text).kind == "assumption"


@pytest.mark.parametrize("text", ["Could you remind me to call Ann?", "你能提醒我打电话吗？"])
def test_a_question_can_ask_for_something_lasting(text):
    assert ruled(text).kind == "task"


@pytest.mark.parametrize(
    "unit", ["don't ", ", ", "не ", "不要", "before ", "if ", "当在只", "“", "1 "]
)
def test_work_on_a_pasted_document_grows_with_its_length_and_no_faster(unit):
    assert_linear(ruled, unit)
