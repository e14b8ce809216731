"""A digest keeps what a reader cannot guess, and depends on its message alone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.context.cutting import size
from statecore.context.digest import LONGEST_BYTES, digest_of
from statecore.language.features import features
from statecore.messages import ToolCall
from tests.statecore.builders import answer, message, result, user

FILLER = "This goes on for a while and says nothing that anybody would miss later. "


def digest_of_result(value) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    digest = digest_of(result("r", "c", text))
    assert digest is not None
    return digest


def digest_of_answer(text: str) -> str:
    digest = digest_of(answer("a", text))
    assert digest is not None
    return digest


texts = st.text(max_size=200) | st.lists(
    st.sampled_from(
        [FILLER, "- item\n", "```\n", "| a | b |\n", "|--|--|\n", "# 标题\n", "句子。", "№ 48371 "]
    ),
    max_size=60,
).map("".join)
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=80),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6)
    ),
    max_leaves=40,
).map(json.dumps)


@given(texts | documents, st.sampled_from(["assistant", "tool"]))
def test_a_digest_gains_and_is_not_shortened_again(text, role):
    digest = digest_of(message("m", role, text))
    if digest is None:
        return
    assert size(digest) <= size(text) * 3 / 4
    assert size(digest) <= LONGEST_BYTES
    assert digest_of(message("m", role, digest)) is None


@given(texts)
def test_no_fence_stays_open(text):
    digest = digest_of(answer("a", text))
    if digest is not None:
        end = len(digest)
        assert all(found.end < end for found in features(digest) if found.kind == "code")


def test_nobody_shortens_what_a_user_or_a_system_prompt_says():
    assert digest_of(user("u", FILLER * 50)) is None
    assert digest_of(message("s", "system", FILLER * 50)) is None


def test_a_short_text_has_no_digest():
    assert digest_of(answer("a", "It leaves at 14:30.")) is None
    assert digest_of(result("r", "c", '{"status": "delivered"}')) is None


def test_calls_of_an_answer_do_not_change_its_digest():
    plain = answer("a", FILLER * 20)
    calling = message("a", "assistant", plain.text)
    calling = type(plain)("a", "assistant", plain.text, 0, (ToolCall("c", "find", "{}"),))
    assert digest_of(calling) == digest_of(plain)


ORDER = {
    "order_id": 48371,
    "status": "delivered",
    "delivered_on": "2026-05-06",
    "items": [{"sku": f"A-{n}", "qty": n, "text": FILLER} for n in range(14)],
    "address": {"city": "Oslo", "zip": "0150", "geo": {"lat": 59.9, "lon": 10.7}},
    "tags": ["a", "b", "c", "d"],
    "note": None,
}


class TestJson:
    def test_it_is_one_readable_line(self):
        line, sign = digest_of_result(ORDER).split("\n")
        assert line == (
            'order_id: 48371; status: "delivered"; delivered_on: "2026-05-06"; '
            "items: 14 (first: {sku, qty, text}); "
            'address: {city: "Oslo", zip: "0150", geo: {lat: 59.9, lon: 10.7}}; '
            'tags: 4 ("a", "b", "c", …); note: null'
        )
        assert sign.startswith("[… ")

    def test_numbers_stay_as_they_were_written(self):
        text = '{"price": 12.50, "big": 123456789012345678901234567890, "rows": [%s]}'
        digest = digest_of_result(text % ",".join(map(str, range(200))))
        assert digest.startswith("price: 12.50; big: 123456789012345678901234567890; rows: 200 (")

    def test_a_list_at_the_top_is_counted(self):
        assert digest_of_result([{"id": n, "name": "x"} for n in range(40)]).startswith(
            "40 (first: {id, name})\n"
        )

    def test_a_few_objects_are_shown_with_their_values(self):
        found = {
            "flights": [{"no": "SK 4035", "at": "09:10"}, {"no": "SK 4039"}],
            "log": FILLER * 9,
        }
        digest = digest_of_result(found | {"log": FILLER * 9})
        assert 'flights: 2 ({no: "SK 4035", at: "09:10"}, {no: "SK 4039"})' in digest

    def test_a_long_string_keeps_its_first_sentence_and_its_values(self):
        digest = digest_of_result({"note": f"Left with a neighbour. {FILLER * 5}Call AB-4417-X."})
        assert digest.startswith('note: "Left with a neighbour. ')
        assert "… AB-4417-X" in digest

    def test_single_values_come_before_what_is_long(self):
        wide = {f"text{n}": FILLER * 3 for n in range(30)} | {"status": "failed"}
        digest = digest_of_result(wide)
        assert 'status: "failed"' in digest
        assert "keys)" in digest

    @pytest.mark.parametrize("text", ["[" * 5000, '{"a": ' * 3000, "{" + FILLER * 20])
    def test_what_only_looks_like_json_is_read_as_text(self, text):
        digest = digest_of(result("r", "c", text))
        assert digest is None or size(digest) < size(text)


class TestLines:
    def test_head_count_and_last_line_of_a_table_stay(self):
        rows = ["id,name,total", *(f"{n},name {n},{n * 7}" for n in range(60))]
        assert digest_of_result("\n".join(rows)).split("\n")[:-1] == [
            "id,name,total",
            "0,name 0,0",
            "1,name 1,7",
            "… (61 lines)",
            "59,name 59,413",
        ]

    @pytest.mark.parametrize("failure", ["ERROR: disk full", "Ошибка: нет места", "错误：磁盘已满"])
    def test_a_failure_in_the_middle_of_a_log_stays(self, failure):
        log = [f"12:00:{n:02} step {n} ok" for n in range(50)]
        log.insert(30, failure)
        assert failure in digest_of_result("\n".join(log))


class TestAnswer:
    @pytest.mark.parametrize(
        ("first", "more"),
        [
            ("Take the night train.", FILLER),
            ("Возьмите ночной поезд.", "Дальше идут слова, без которых легко обойтись. "),
            ("坐夜班火车去吧。", "后面的话没有什么特别的内容，可以不看。"),
        ],
    )
    def test_leading_sentences_stay(self, first, more):
        assert digest_of_answer(f"{first} {more * 30}").startswith(first)

    def test_a_later_sentence_with_an_exact_value_stays(self):
        text = f"It is booked. {FILLER * 12}The code is XK-40417. {FILLER * 12}"
        digest = digest_of_answer(text)
        assert "… The code is XK-40417." in digest
        assert digest.count(FILLER.strip()) < 6

    def test_code_is_its_first_line_and_a_count(self):
        body = "\n".join(f"    step_{n}()" for n in range(30))
        digest = digest_of_answer(f"Here it is.\n\n```python\ndef run():\n{body}\n```\nDone.")
        assert "```python\ndef run():\n... (31 lines of python)\n```" in digest

    def test_code_that_is_never_closed_is_closed(self):
        body = "\n".join(f"step_{n}()" for n in range(60))
        assert digest_of_answer(f"```\n{body}").split("\n")[-2] == "```"

    def test_a_table_is_its_head_and_a_count(self):
        rows = "\n".join(f"| row {n} | {n} |" for n in range(30))
        digest = digest_of_answer(f"The prices:\n\n| name | price |\n|---|---|\n{rows}\n")
        assert "| name | price |\n(30 rows)" in digest

    def test_a_list_is_its_first_items_those_with_values_and_a_count(self):
        items = [f"- The {word} of many things that follow" for word in "abcdefghij"]
        items[6] = "- Room 4 under code QZ-7712"
        digest = digest_of_answer("Choose:\n" + "\n".join(items))
        assert digest.split("\n")[1:5] == [items[0], items[1], items[6], "(+7)"]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "# " + " " * 100_000 + "x",
        "a.b" * 50_000,
        "**" * 50_000,
        "- x\n" * 50_000,
        "```\n" * 50_000,
        "|-" * 50_000,
        '"' * 50_000,
        json.dumps({f"key {n}": FILLER * 3 for n in range(5_000)}),
        json.dumps([FILLER] * 5_000),
    ],
    ids=range(10),
)
def test_long_odd_texts_are_shortened_in_their_stride(text):
    """Anything that grows with the square of the length would not come to an end here."""
    for role in ("assistant", "tool"):
        digest = digest_of(message("m", role, text))
        assert digest is None or size(digest) <= LONGEST_BYTES
