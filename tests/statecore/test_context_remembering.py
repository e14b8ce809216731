"""Results are kept for texts of common length and worked out anew for long ones."""

from statecore.context.remembering import KEPT_TEXTS, LONGEST_CHARS, remembered


def counting():
    """Return a remembered function, and the texts that it was really called with."""
    calls = []

    @remembered
    def length(text: str) -> int:
        """Return how long a text is."""
        calls.append(text)
        return len(text)

    return length, calls


def test_a_text_is_looked_at_once():
    length, calls = counting()
    assert [length("word"), length("word")] == [4, 4]
    assert calls == ["word"]


def test_a_long_text_is_not_held():
    length, calls = counting()
    long = "x" * (LONGEST_CHARS + 1)
    assert [length(long), length(long)] == [LONGEST_CHARS + 1] * 2
    assert len(calls) == 2


def test_the_oldest_results_make_room():
    length, calls = counting()
    for number in range(KEPT_TEXTS + 1):
        length(str(number))
    length("0")
    assert calls[-1] == "0"


def test_it_stays_the_function_that_it_was():
    length, _ = counting()
    assert length.__doc__ == "Return how long a text is."
