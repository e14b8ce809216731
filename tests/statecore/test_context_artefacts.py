"""Versions of one long answer are told apart from answers on the same subject."""

import pytest

from statecore.context.artefacts import artefacts
from tests.statecore.builders import answer, turn, user

LETTER = (
    "Dear Ms Lindqvist,\n\nthank you for the offer of the flat in Birch Street. We would like to "
    "take it from the first of June. The kitchen should be painted before we move in, and the "
    "balcony door needs a new lock. Please send us the contract, and tell us when we can collect "
    "the keys. We will bring the deposit to your office, in cash if you like, on any afternoon of "
    "next week.\n\nKind regards,\nJon and Mia"
)
SHORTER = (
    "Dear Ms Lindqvist,\n\nwe would like to take the flat in Birch Street from the first of June. "
    "The kitchen should be painted, the balcony door needs a new lock. Please send the contract "
    "and tell us when we can collect the keys; the deposit comes next week, in cash, to your "
    "office, on any afternoon. Thank you for the offer, and for your patience with our questions "
    "about the flat, the street, the kitchen and the balcony.\n\nKind regards,\nJon and Mia"
)
OTHER = (
    "A tenant may ask for many things before signing. Look at the heating, the meters and the "
    "windows, and write down each scratch. Ask the neighbours about noise at night. Some cities "
    "cap what a landlord may demand at the beginning, and some offices keep sums in an account "
    "of their own. Read what is said about pets, repairs and heating twice, and never pay "
    "anything before you have seen all rooms with your own eyes and in daylight."
)
CODE = "```python\ndef load(path):\n    return open(path).read()\n\ndef main():\n    {}\n```"
RU = (
    "Уважаемая Анна Сергеевна! Благодарим вас за предложение квартиры на Берёзовой улице. Мы "
    "хотели бы снять её с первого июня. Кухню нужно покрасить до нашего переезда, а двери "
    "балкона нужен новый замок. Пришлите нам договор и сообщите, когда можно забрать ключи. "
    "Залог мы привезём к вам в контору на следующей неделе, в любой день после обеда, если вам "
    "так будет удобно, и ответим на все вопросы о нас. С уважением, Иван и Мария."
)
ZH = (
    "尊敬的林女士：感谢您提供白桦街的公寓。我们想从六月一日开始租住。搬进去之前厨房需要重新粉刷，阳台的门"
    "需要换一把新锁。请把合同寄给我们，并告诉我们什么时候可以去取钥匙。押金我们下周任何一个下午都可以送到"
    "您的办公室，如果您愿意也可以付现金。此致敬礼，约翰和米娅。我们期待您的答复，并祝您一切顺利。"
)


def chat(*pairs: tuple[str, str]):
    return [
        turn(depth, user(f"u{depth}", asked), answer(f"a{depth}", answered))
        for depth, (asked, answered) in enumerate(pairs, start=1)
    ]


@pytest.mark.parametrize("asked", ["Make it shorter.", "Please rewrite the letter."])
def test_a_rewording_on_demand_is_a_version(asked):
    found = artefacts(chat(("Write to my landlady.", LETTER), (asked, SHORTER)))
    assert found == ({"a2"}, {"a1"})


def test_nearly_the_same_text_is_a_version_whatever_was_asked():
    changed = LETTER.replace("first of June", "tenth of July")
    assert artefacts(chat(("Write.", LETTER), ("July.", changed))) == ({"a2"}, {"a1"})


@pytest.mark.parametrize(
    ("text", "old", "new", "asked"),
    [
        (RU, "с первого июня", "с десятого июля", "Измени дату"),
        (ZH, "六月一日", "七月十日", "修改日期"),
    ],
)
def test_versions_are_found_in_other_languages(text, old, new, asked):
    turns = chat(("?", text), (asked, text.replace(old, new)))
    assert artefacts(turns) == ({"a2"}, {"a1"})


def test_a_chain_has_one_newest_version():
    versions = [LETTER.replace("June", month) for month in ("June", "July", "August")]
    found = artefacts(chat(*((f"Change the month, {n}", v) for n, v in enumerate(versions))))
    assert found == ({"a3"}, {"a1", "a2"})


def test_versions_are_found_over_other_turns():
    changed = LETTER.replace("first of June", "tenth of July")
    between = [("What else?", OTHER), ("Thanks.", "You are welcome.")]
    found = artefacts(chat(("Write.", LETTER), *between, ("Change the date.", changed)))
    assert found == ({"a4"}, {"a1"})


def test_code_with_the_same_names_is_a_version_on_demand():
    turns = chat(
        ("Write it.", CODE.format("print(load('a'))")),
        ("Add a loop.", "```python\ndef load(p):\n    with p: pass\n\ndef main():\n    pass\n```"),
    )
    assert artefacts(turns) == ({"a2"}, {"a1"})


def test_code_in_another_language_is_no_version():
    rust = "```rust\nfn load(path: &str) -> String { String::new() }\nfn main() {}\n```"
    assert artefacts(chat(("Write it.", CODE.format("pass")), ("Add Rust.", rust))).older == set()


def test_an_answer_on_the_same_subject_is_no_version():
    assert artefacts(chat(("Write.", LETTER), ("Add what else to ask.", OTHER))).newest == set()


def test_short_answers_are_no_artefacts():
    turns = chat(("When?", "At half past ten."), ("Change it.", "At half past ten."))
    assert artefacts(turns) == (frozenset(), frozenset())


def test_what_users_paste_is_no_artefact():
    assert artefacts(chat((LETTER, "Fine."), (LETTER, "Fine."))).newest == set()
