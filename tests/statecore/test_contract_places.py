"""Places are named as people count."""

from statecore.contract.places import place, wrong


def test_indices_count_from_one_and_stand_with_their_list():
    assert place(("turns", 2, "messages", 1, "role")) == "turns 3 → messages 2 → role"
    assert place((0, "role")) == "1 → role"
    assert place(()) == ""


def test_an_error_names_the_place_where_there_is_one():
    assert str(wrong(("turns",), "is empty")) == "turns: is empty"
    assert str(wrong((), "is empty")) == "is empty"
