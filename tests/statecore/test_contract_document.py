"""Contracts as text: every version is read, what is written reads back, what is wrong is named."""

import json

import pytest
from hypothesis import given

from statecore.contract.document import KNOWN, decoded, dump, parse, upgrade, version_of
from statecore.contract.hashing import state_hash
from statecore.contract.schema import CURRENT
from statecore.errors import InvalidInput
from tests.statecore.contract_builders import SAMPLES, contract, contracts, sample, turn

LANGUAGES = ("en", "ru", "zh")
HASHES = {
    "en": "f7886356b5a45f5172159b469a3b9f51e6842b04c2fcdf44712b603c601ab780",
    "ru": "3090f633f315cf66403afe0d17d6b755c0577f0522c0be8bef61a6b4c4e3245d",
    "zh": "c160e919908374e153ebc3be542776c012ea4c09d6d6c84a07ea18b82f5f995a",
}


@given(contracts())
def test_what_is_written_reads_back(drawn):
    assert parse(dump(drawn)) == drawn
    assert dump(parse(dump(drawn))) == dump(drawn)


def test_every_version_has_stored_samples_in_every_language():
    stored = {path.name for path in SAMPLES.glob("*.json")}
    wanted = {
        f"{name.removeprefix('glassbox.')}.{lang}.json" for name in KNOWN for lang in LANGUAGES
    }
    assert stored == wanted


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.name)
def test_every_stored_sample_is_read_and_becomes_the_current_version(path):
    found = parse(path.read_text(encoding="utf-8"))
    assert found.schema_version == CURRENT
    assert found.turns
    assert parse(dump(found)) == found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_of_the_current_version_is_written_as_it_is(language):
    text = sample(f"state.3.{language}.json")
    assert dump(parse(text)) == text


def test_the_hashes_of_the_samples_stay_what_they_are():
    hashes = {lang: state_hash(parse(sample(f"state.3.{lang}.json"))) for lang in LANGUAGES}
    assert hashes == HASHES


def test_summary_and_session_may_be_left_out():
    document = json.loads(sample("state.3.ru.json"))
    whole = parse(json.dumps(document))
    del document["memory"]["summary"], document["memory"]["session"]
    assert parse(json.dumps(document)) == whole


def test_nothing_unknown_is_passed_over():
    document = json.loads(dump(contract(turn(1))))
    document["turns"][0]["mood"] = "calm"
    with pytest.raises(InvalidInput) as refused:
        parse(json.dumps(document))
    assert str(refused.value) == "turns 1 → mood: extra inputs are not permitted"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"a":\n 1 2}', "not JSON: expecting ',' delimiter at line 2, column 4"),
        ("[" * 100_000, "not a state: its parts are nested too deep"),
        ("[]", f"schema_version: names no version; known are {', '.join(KNOWN)}"),
        (
            '{"schema_version": 3}',
            f"schema_version: 3 is not known; known are {', '.join(KNOWN)}",
        ),
        (
            '{"schema_version": "glassbox.state.9"}',
            f"schema_version: glassbox.state.9 is not known; known are {', '.join(KNOWN)}",
        ),
        ('{"schema_version": "glassbox.state.3"}', "conversation: field required"),
        (
            '{"schema_version": "glassbox.state.3", "conversation": {"id": ""}}',
            "conversation → id: string should have at least 1 character",
        ),
        (
            '{"schema_version": "glassbox.state.3", "conversation": {"id": "a\\u0000"}}',
            "conversation → id: holds a null character, which no message may hold",
        ),
    ],
)
def test_what_is_wrong_is_named_in_one_sentence(text, sentence):
    with pytest.raises(InvalidInput) as refused:
        parse(text)
    assert str(refused.value) == sentence


def test_half_a_character_is_no_text():
    text = dump(contract(turn(1))).replace('"Hi."', '"\\ud83d"')
    with pytest.raises(InvalidInput):
        parse(text)


@pytest.mark.parametrize("number", ["-1", "1.5", "true", '"1"', "9007199254740992", "NaN", "1e3"])
def test_a_time_is_a_whole_number(number):
    text = dump(contract(turn(1))).replace('"accepted_ms": 1000', f'"accepted_ms": {number}')
    with pytest.raises(InvalidInput, match=r"^turns 1 → accepted_ms: |^not JSON"):
        parse(text)


def test_a_version_is_known_before_anything_is_read():
    assert version_of({"schema": "glassbox.page.2"}) == "glassbox.page.2"
    assert version_of({"schema_version": CURRENT}) == CURRENT
    assert version_of({"schema_version": 99}) == "99"
    assert version_of({"schema_version": [1]}) == "list"
    assert version_of({"schema_version": "v" * 100}) == "v" * 60 + "…"
    assert version_of({"schema_version": None}) is None
    assert version_of({"schema": "http://other"}) is None
    assert version_of({"messages": []}) is None
    assert version_of([{"role": "user"}]) is None


@pytest.mark.parametrize("digits", [5_000, 100_000])
@pytest.mark.parametrize("key", ["schema_version", "a"])
def test_a_number_of_too_many_digits_is_refused(digits, key):
    text = f'{{"schema_version": "glassbox.state.3", "{key}": {"1" * digits}}}'
    with pytest.raises(InvalidInput, match="not JSON that can be read: a number has too many"):
        parse(text)


@pytest.mark.parametrize("messages", [{}, {"messages": [{"role": "user", "text": "Hi"}]}])
@pytest.mark.parametrize("version", [99, 1.5, "2.0", True])
def test_a_version_that_nobody_knows_is_named(version, messages):
    with pytest.raises(InvalidInput, match=f"schema_version: {version} is not known; known are"):
        parse(json.dumps({"schema_version": version} | messages))


def test_a_document_of_the_current_version_is_left_alone():
    document = {"schema_version": CURRENT}
    assert upgrade(document) is document


def test_a_file_is_utf_8_with_or_without_a_mark():
    assert decoded("\ufeff{}".encode()) == "{}"
    with pytest.raises(InvalidInput, match="not UTF-8 text at byte 2"):
        decoded(b"a\xff")
