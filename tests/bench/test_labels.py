"""The bench of labels counts what it says, and its samples are sound."""

from bench.labels import SAMPLES, Tally, measure, table
from bench.report import part_of, replaced_part
from bench.samples import Said, Sample, read_samples
from chatapp.llm.labelling import LabelAnswer
from statecore.memory.labels import LABELS

CAT = "Our cat sleeps outside."


def sample(*labels: str) -> Sample:
    said = tuple(
        Said(n * (len(CAT) + 1), n * (len(CAT) + 1) + len(CAT), CAT, frozenset(right.split("|")))
        for n, right in enumerate(labels)
    )
    return Sample("en", "unseen", "", " ".join(CAT for _ in labels), said)


def test_every_sentence_of_the_samples_stands_where_it_says():
    for one in read_samples(SAMPLES):
        assert [one.text[said.start : said.end] for said in one.said] == [s.text for s in one.said]
        assert all(said.right <= {*LABELS, "temporary"} for said in one.said)


def test_there_are_at_least_twenty_turns_a_language():
    languages = [one.language for one in read_samples(SAMPLES)]

    assert all(languages.count(language) >= 20 for language in ("en", "ru", "zh"))


def test_precision_recall_and_kinds_are_counted_over_sentences():
    tally = Tally()
    said = sample("fact", "fact", "skip", "fact", "skip|fact").said
    for one, kind in zip(said, ["fact", "goal", "fact", None, "fact"], strict=True):
        tally.add(one, kind)

    assert (tally.hits, tally.extra, tally.missed, tally.right_kinds) == (2, 1, 1, 1)
    assert str(tally) == "0.67 | 0.67 | **0.67** | 0.50"


def test_with_nobody_to_ask_rules_alone_are_counted():
    measured = measure([sample("fact")], None)

    assert measured.tallies["all", "rules"].missed == 1
    assert ("all", "both") not in measured.tallies
    assert "No model was asked." in table(measured, "")


def test_what_a_model_answers_counts_beside_the_rules():
    measured = measure([sample("fact")], lambda _question: LabelAnswer('{"1": "fact"}', None))

    assert measured.tallies["all", "both"].hits == 1
    assert measured.tallies["all", "rules"].missed == 1


def test_an_answer_that_cannot_be_read_is_counted_and_rules_decide():
    measured = measure([sample("fact")], lambda _question: LabelAnswer("no idea", None))

    assert measured.tallies["all", "both"].missed == 1
    assert "could not be read: 1." in table(measured, "m")


def test_a_part_of_a_page_is_written_anew_and_others_stay():
    text = "# Head\n\n## Labels\n\nold\n\n## Other\n\nstays\n"

    changed = replaced_part(text, "## Labels", "## Labels\n\nnew\n")

    assert part_of(changed, "## Labels") == "## Labels\n\nnew"
    assert "stays" in changed
    assert "old" not in changed
    assert replaced_part(changed, "## Labels", part_of(changed, "## Labels")) == changed
