"""What a turn teaches: by rules, by a model's labels, and what never gets in."""

import pytest

from statecore.memory.labels import CheckedLabels, LabelPrompt, RefusedLabel, checked
from statecore.memory.ledger import Span, entry_id
from statecore.memory.session import Expiry
from statecore.memory.session_defaults import DAY_MS, expiry_of
from statecore.state.fold import EMPTY, Memory, fold
from statecore.state.learning import TurnTexts, delta_of, question_for
from statecore.state.operations import Delete, Operation, Target
from statecore.state.sifting import MAX_SENTENCES
from tests.statecore.builders import answer, user

PROMPT = LabelPrompt(
    name="label",
    version=1,
    system="Label.",
    user="{before}{after}User:\n{sentences}",
    before="Before: {text}",
    after="After: {text}",
    left_out="(gone)",
)
SECRET = "My password is hunter2-Blue!99."


def turn(text: str, *, before: str = "", after: str = "", finish="complete", n=1) -> TurnTexts:
    return TurnTexts(
        turn_id=f"t{n}",
        depth=n,
        said_seq=10 * n,
        branch_ms=1000 * n,
        question=user(f"u{n}", text),
        answer=answer(f"a{n}", after, finish=finish) if after else None,
        before=answer("b", before) if before else None,
        finish=finish,
    )


def delta(said: TurnTexts, memory: Memory = EMPTY, labels=None, *, seq=None):
    labelled = CheckedLabels(labels) if isinstance(labels, dict) else labels
    number = said.said_seq + 1 if seq is None else seq
    return delta_of(said, memory, labelled, seq=number, model="m", note="")


def kinds(made):
    return {learned.text: learned.kind for learned in made.learned}


def after_turn(text: str) -> Memory:
    return fold([delta(turn(text))], [], as_of=100)


def deleted(memory: Memory, text: str, *, seq: int = 50) -> Memory:
    entry = next(entry for entry in memory.entries if entry.text == text)
    act = Delete(Target(entry.id, entry.sources, entry.text))
    return fold(memory.path.deltas, [Operation(seq, "t1", 1, act, 0)], as_of=100)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "Write a poem about rain.",
        "Help me write a letter.",
        "Never mention my employer.",
        "Спасибо!",
        "Напиши стихотворение.",
        "Никогда не упоминай мою фамилию.",
        "谢谢！",
        "写一首诗。",
        "不要提到我的公司。",
        "",
    ],
)
def test_nothing_is_asked_where_rules_settle_everything(text):
    assert question_for(turn(text), EMPTY, PROMPT) is None


@pytest.mark.parametrize(
    ("text", "open_sentence"),
    [
        ("Never call me. Our cat sleeps outside.", "Our cat sleeps outside."),
        ("Никогда не звони мне. Кот спит на улице.", "Кот спит на улице."),
        ("不要给我打电话。我们的猫睡在外面。", "我们的猫睡在外面。"),
    ],
)
def test_only_what_rules_leave_open_is_asked(text, open_sentence):
    question = question_for(turn(text), EMPTY, PROMPT)

    assert question is not None
    (asked,) = question.asked
    assert (asked.number, asked.text) == (2, open_sentence)
    assert text[asked.span.start : asked.span.end] == open_sentence
    assert f"2. {open_sentence}" in question.user
    assert question.user.count("\n- ") == 1


def test_the_assistants_words_stand_beside_shortened():
    said = turn("Our cat sleeps outside.", before="b" * 900 + "END", after="START" + "a" * 900)

    question = question_for(said, EMPTY, PROMPT)

    assert question is not None
    assert "END\n" in question.user
    assert "After: START" in question.user
    assert len(question.user) < 400


def test_a_secret_is_never_asked_about_nor_shown_nor_kept():
    said = turn(f"Our cat sleeps outside. {SECRET}", before=SECRET, after=SECRET)

    question = question_for(said, EMPTY, PROMPT)
    made = delta(said, labels={1: "fact", 2: "fact"})

    assert question is not None
    assert "hunter2" not in question.key_bytes().decode()
    assert question.user.count("(gone)") == 3
    assert "hunter2" not in repr(made)
    assert [(one.reason, one.text) for one in made.rejected] == [("secret", "")]


def test_another_answer_gives_another_delta():
    said = turn("Our cat sleeps outside. We took the red sofa home.")
    question = question_for(said, EMPTY, PROMPT)
    assert question is not None
    numbers = [asked.number for asked in question.asked]

    made = {
        label: delta(said, labels=checked(question, f'{{"{numbers[0]}": "{label}"}}'))
        for label in ("fact", "task", "skip")
    }

    assert kinds(made["fact"])["Our cat sleeps outside."] == "fact"
    assert kinds(made["task"])["Our cat sleeps outside."] == "task"
    assert "Our cat sleeps outside." not in kinds(made["skip"])


def test_without_a_model_rules_alone_decide():
    made = delta(turn("Our cat sleeps outside. My order number is QX-4417."))

    assert kinds(made) == {"My order number is QX-4417.": "fact"}
    assert made.learned[0].author == "rules"


def test_a_label_of_the_model_is_marked_as_its_own():
    made = delta(turn("Our cat sleeps outside."), labels={1: "fact"})

    assert [learned.author for learned in made.learned] == ["model"]


def test_the_model_cannot_overrule_what_rules_settle():
    made = delta(turn("Never mention my employer."), labels={1: "fact"})

    assert kinds(made) == {"Never mention my employer.": "rule"}


@pytest.mark.parametrize(
    "text",
    ["Maybe the pump is broken.", "Возможно, насос сломан.", "水泵可能坏了。"],
)
@pytest.mark.parametrize("label", ["fact", "decision"])
def test_what_is_hedged_is_an_assumption_whatever_the_model_says(text, label):
    assert kinds(delta(turn(text), labels={1: label})) == {text: "assumption"}


@pytest.mark.parametrize(
    ("before", "correction"),
    [
        ("The budget is 1,200 euros.", "Correction: it is 900 euros, not 1,200."),
        ("Сумма 1200 рублей.", "Поправка: не 1200, а 900."),
        ("预算是1200元。", "更正：不是1200，是900。"),
        ("My order number is RB-2018.", "Actually, it is RB-2081, not RB-2018."),
    ],
)
def test_a_correction_takes_the_place_of_what_holds_the_old_value(before, correction):
    memory = after_turn(before)
    (entry,) = memory.entries

    made = delta(turn(correction, n=2), memory)

    assert [learned.supersedes for learned in made.learned] == [(entry.id,)]
    folded = fold([*memory.path.deltas, made], [], as_of=100)
    assert [known.text for known in folded.active()] == [correction]


def test_a_correction_leaves_other_values_alone():
    memory = after_turn("The budget is 1,300 euros.")

    made = delta(turn("Correction: it is 900 euros, not 1,200.", n=2), memory)

    assert [learned.supersedes for learned in made.learned] == [()]


def test_a_correction_in_the_same_message_counts():
    said = turn("The budget is 1,200 euros. Correction: it is 900 euros, not 1,200.")

    first, second = delta(said).learned

    assert second.supersedes == (entry_id(first.span),)


@pytest.mark.parametrize(
    "text",
    [
        "For now, answer only in Spanish.",
        "Пока отвечай только по-английски.",
        "这次只能用英文回答。",
    ],
)
def test_a_temporary_wish_is_a_field_for_a_day_and_no_entry(text):
    made = delta(turn(text), labels={1: "rule"})

    assert made.learned == ()
    (wish,) = made.fields
    assert (wish.key, wish.value) == ("temporary_preferences", text)
    assert wish.expiry == Expiry("idle", DAY_MS)
    assert wish.source == Span("u1", 0, len(text))


@pytest.mark.parametrize("text", ["For now, answer in Spanish.", "这次先用英文回答吧。"])
def test_a_wish_that_only_the_model_calls_a_rule_still_ends(text):
    made = delta(turn(text), labels={1: "rule"})

    assert made.learned == ()
    assert [(one.key, one.value) for one in made.fields] == [("temporary_preferences", text)]


def test_all_temporary_wishes_of_a_message_are_one_field():
    made = delta(turn("For now, answer only in Spanish. Never use lists today."))

    assert [one.value for one in made.fields] == [
        "For now, answer only in Spanish.\nNever use lists today."
    ]


def test_a_goal_is_an_entry_and_the_current_goal():
    text = "I want to learn to sail."
    made = delta(turn(text))

    assert kinds(made) == {text: "goal"}
    assert [(one.key, one.value) for one in made.fields] == [("current_goal", text)]


def test_what_a_person_deleted_is_neither_asked_nor_shown_nor_learned_again():
    text = "My order number is QX-4417."
    memory = deleted(after_turn(text), text)
    echo = "So your order is QX-4417, thank you."
    said = turn(f"{text} Our cat sleeps outside.", before=echo, n=2)

    question = question_for(said, memory, PROMPT)
    made = delta(said, memory, {2: "fact"}, seq=60)

    assert question is not None
    assert "QX-4417" not in question.user
    assert kinds(made) == {"Our cat sleeps outside.": "fact"}
    assert [one.reason for one in made.rejected] == ["deleted_by_user"]


@pytest.mark.parametrize(
    ("text", "echo", "word"),
    [
        ("Never mention my employer.", "You said: NEVER mention my employer!", "employer"),
        ("Не упоминай моего брата.", "Вы сказали: «Не упоминай моего брата».", "брата"),
        ("绝对不要提到我的老板。", "您说：绝对不要提到我的老板。", "老板"),
        ("The budget is 1,200 euros.", "So it is 1200 € in all.", "1200"),
    ],
)
def test_no_echo_of_what_was_deleted_is_shown(text, echo, word):
    memory = deleted(after_turn(text), text)

    question = question_for(turn("The garden is old.", before=echo, n=2), memory, PROMPT)

    assert question is not None
    assert word not in question.user


def test_the_same_words_said_anew_after_the_deletion_are_learned():
    text = "My order number is QX-4417."
    memory = deleted(after_turn(text), text, seq=15)

    assert kinds(delta(turn(text, n=2), memory)) == {text: "fact"}


def test_a_pasted_document_is_no_memory():
    text = " ".join(f"Our cat number {n} sleeps outside." for n in range(1, 300))
    said = turn(text)

    question = question_for(said, EMPTY, PROMPT)
    made = delta(said)

    assert question is None or len(question.asked) <= MAX_SENTENCES
    assert len(made.learned) <= MAX_SENTENCES
    assert [one.reason for one in made.rejected] == ["too_long"]
    assert len(made.rejected[0].text) < 300
    assert made.rejected[0].span.end == len(text)


@pytest.mark.parametrize(
    "text", ["我们的猫每天晚上都睡在外面的大树下面。" * 300, "Our cat " + "sleeps " * 60 + ". "]
)
def test_the_question_about_a_long_message_fits_into_a_small_window(text):
    question = question_for(turn(text), EMPTY, PROMPT)

    assert question is not None
    assert len(question.user) < 3_500


def test_what_stands_behind_endless_thanks_is_too_long():
    made = delta(turn("Thanks! " * 500 + "My order number is QX-4417."))

    assert made.learned == ()
    assert [one.reason for one in made.rejected] == ["too_long"]


def test_a_sentence_that_is_a_page_is_too_long():
    text = "our cat sleeps outside " * 40 + "."

    assert question_for(turn(text), EMPTY, PROMPT) is None
    assert [one.reason for one in delta(turn(text)).rejected] == ["too_long"]


def test_refused_labels_are_told_with_their_sentence_where_there_is_one():
    refused = (RefusedLabel(1, "promise", "bad_label"), RefusedLabel(9, "fact", "not_asked"))

    made = delta(turn("Our cat sleeps outside."), labels=CheckedLabels({}, refused))

    found = [(one.span, one.text, one.label, one.reason) for one in made.rejected]
    assert found == [
        (Span("u1", 0, 23), "Our cat sleeps outside.", "promise", "bad_label"),
        (Span("u1", 0, 0), "", "fact", "not_asked"),
    ]


def test_a_stopped_turn_teaches_what_the_user_said():
    said = turn("My order number is QX-4417.", after="I will call you on 5 May.", finish="stopped")

    assert kinds(delta(said)) == {"My order number is QX-4417.": "fact"}


def test_a_delta_carries_when_and_by_whom():
    made = delta_of(turn("Hi.", n=3), EMPTY, None, seq=77, model="", note="settled")

    assert (made.turn_id, made.depth, made.said_seq, made.branch_ms) == ("t3", 3, 30, 3000)
    assert (made.seq, made.model, made.note) == (77, "", "settled")
    assert (made.learned, made.rejected, made.fields) == ((), (), ())


def test_a_key_that_nobody_listed_does_not_expire():
    assert expiry_of("anything") == Expiry()
