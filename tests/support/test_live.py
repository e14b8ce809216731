"""The frame follower itself: a test that waits on a wrong view would wait in vain or pass."""

from tests.support.live import LiveView, plain, resume

START = {"kind": "start", "turn": "t", "attempt": "a", "seq": 2, "blocks": ["<p>x</p>"]}


def started() -> LiveView:
    view = LiveView()
    view.apply({**START, "tail": "on"})
    return view


def delta(seq: int, text: str) -> dict[str, object]:
    return {"kind": "delta", "turn": "t", "attempt": "a", "seq": seq, "text": text}


def test_a_delta_extends_the_tail():
    view = started()

    assert view.apply(delta(3, "e more")) is None
    assert view.answers["t"].text == "xone more"


def test_a_repeated_delta_changes_nothing():
    view = started()

    assert view.apply(delta(2, "on")) is None
    assert view.answers["t"].text == "xon"
    assert view.repeats == 1


def test_a_gap_is_asked_about():
    view = started()

    assert view.apply(delta(4, "later")) == resume("t", "a", 2)
    assert view.answers["t"].text == "xon"


def test_blocks_replace_the_tail():
    view = started()

    view.apply(
        {
            "kind": "blocks",
            "turn": "t",
            "attempt": "a",
            "seq": 3,
            "htmls": ["<p>one</p>"],
            "tail": "t",
        }
    )

    assert view.answers["t"].blocks == ["<p>x</p>", "<p>one</p>"]
    assert view.answers["t"].text == "xonet"


def test_a_delta_of_an_unknown_attempt_asks_for_the_whole():
    assert started().apply({**delta(1, "new"), "attempt": "b"}) == resume("t", None, 0)


def test_an_ended_turn_has_no_running_answer():
    view = started()

    view.apply({"kind": "turn", "turn": "t", "after": None, "status": "committed", "html": "<p>"})

    assert view.answers == {}
    assert view.status == {"t": "committed"}


def test_plain_text_has_no_tags_and_no_entities():
    assert plain("<p>a &lt; b</p>") == "a < b"
