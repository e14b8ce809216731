"""A reader's view turns chunks into frames: none twice, and a gap is seen."""

from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from chatapp.consumers.frames import LiveView
from tests.support.live import LiveView as Page


def followed(chunks, attempt="a1"):
    view = LiveView(uuid4())
    view.restart(attempt)
    return view, [view.take(seq, text) for seq, text in enumerate(chunks, start=1)]


def test_plain_text_is_a_delta():
    _, frames = followed(["Hel", "lo"])

    assert [(f["kind"], f["seq"], f["text"]) for f in frames] == [
        ("delta", 1, "Hel"),
        ("delta", 2, "lo"),
    ]


def test_a_closed_paragraph_is_sent_once_as_html():
    _, frames = followed(["One.\n", "\n", "Two"])

    blocks = [frame for frame in frames if frame["kind"] == "blocks"]
    assert ["One." in "".join(frame["htmls"]) for frame in blocks] == [True]


def test_an_opened_fence_changes_the_kind_of_the_tail():
    _, frames = followed(["```python\n", "x = 1\n"])

    assert frames[0]["kind"] == "blocks"
    assert frames[0]["tail_kind"] == "code"


def test_a_chunk_that_was_taken_gives_no_frame():
    view, _ = followed(["a", "b"])

    assert view.take(2, "b") is None


def test_a_missing_chunk_is_seen():
    view, _ = followed(["a"])

    assert view.has_gap_before("a1", 3)
    assert not view.has_gap_before("a1", 2)
    assert not view.has_gap_before("a2", 7)


@given(st.lists(st.text(alphabet="ab \n`#-*|>1.", min_size=1), max_size=30))
def test_frames_and_a_fresh_start_show_the_same(chunks):
    view, frames = followed(chunks)
    page, late = Page(), Page()
    for frame in [{**view.start_frame(), "seq": 0, "blocks": [], "tail": ""}, *frames]:
        page.apply(frame)
    late.apply(view.start_frame())

    turn = str(view.turn_id)
    assert page.answers[turn].text.split() == late.answers[turn].text.split()
