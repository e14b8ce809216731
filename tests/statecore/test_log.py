"""Whatever happens to a log is found and named."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.log import (
    LogFault,
    TransitionRecord,
    chain_next,
    chained,
    commit_part,
    path_hash_next,
    unbroken,
    verify,
)

KEY = b"k" * 32


def log_of(count: int, seqs=None) -> list[TransitionRecord]:
    rows, before = [], b""
    for seq in seqs or range(1, count + 1):
        row = TransitionRecord(
            seq, "turn_committed", f"t{seq}", seq * 10, input=commit_part(KEY, "input", b"hello")
        )
        rows.append(chained(KEY, before, row))
        before = rows[-1].chain
    return rows


def faults(rows, **more) -> list[tuple[int, str]]:
    return [(fault.seq, fault.kind) for fault in verify(rows, KEY, **more)]


lengths = st.integers(1, 12)
field_names = st.sampled_from([field.name for field in fields(TransitionRecord)])


def altered(row: TransitionRecord, name: str) -> TransitionRecord:
    value = getattr(row, name)
    if isinstance(value, bytes):
        return replace(row, **{name: value + b"x"})
    return replace(row, **{name: 1000 + value if isinstance(value, int) else f"{value}x"})


@given(st.integers(0, 12))
def test_a_log_as_it_was_written_has_no_fault(count):
    rows = log_of(count)

    assert faults(rows, head=rows[-1].chain if rows else b"") == []


def test_seqs_may_leave_gaps_where_the_chain_says_so():
    assert faults(log_of(0, seqs=[2, 3, 7])) == []


@given(lengths, st.data(), field_names.filter(lambda name: name != "seq"))
def test_any_change_of_a_row_is_found_and_named(count, data, name):
    rows = log_of(count)
    head = rows[-1].chain
    at = data.draw(st.integers(0, count - 1))
    rows[at] = altered(rows[at], name)

    assert faults(rows, head=head) == [(at + 1, "changed")]


@given(lengths, st.data())
def test_a_change_of_a_seq_is_found_under_the_seq_that_the_row_bears(count, data):
    rows = log_of(count)
    head = rows[-1].chain
    at = data.draw(st.integers(0, count - 1))
    bears = data.draw(st.integers(0, count + 3).filter(lambda seq: seq != at + 1))
    rows[at] = replace(rows[at], seq=bears)
    rows.sort(key=lambda row: row.seq)

    assert faults(rows, head=head) == [(bears, "reordered")]


@given(lengths, st.data())
def test_any_deletion_is_found_and_named(count, data):
    rows = log_of(count)
    head = rows[-1].chain
    at = data.draw(st.integers(0, count - 1))
    del rows[at]

    assert faults(rows, head=head) == [(at + 1, "missing")]


def test_a_deletion_at_the_end_shows_only_against_the_head():
    rows = log_of(3)

    assert faults(rows[:2]) == []
    assert faults(rows[:2], head=rows[2].chain) == [(3, "missing")]
    assert faults([], head=rows[2].chain) == [(1, "missing")]


@given(st.integers(2, 12), st.data())
def test_any_swap_of_places_is_found_and_named(count, data):
    rows = log_of(count)
    one, other = data.draw(st.lists(st.integers(0, count - 1), min_size=2, max_size=2, unique=True))
    rows[one], rows[other] = rows[other], rows[one]

    assert faults(rows) == sorted([(one + 1, "reordered"), (other + 1, "reordered")])


@given(st.integers(2, 12), st.data())
def test_any_swap_of_seqs_is_found_and_named(count, data):
    rows = log_of(count)
    one, other = data.draw(st.lists(st.integers(0, count - 1), min_size=2, max_size=2, unique=True))
    rows[one], rows[other] = (
        replace(rows[other], seq=one + 1),
        replace(rows[one], seq=other + 1),
    )

    assert faults(rows) == sorted([(one + 1, "reordered"), (other + 1, "reordered")])


@given(lengths, st.data())
def test_a_row_that_was_slipped_in_is_found(count, data):
    rows = log_of(count)
    at = data.draw(st.integers(1, count))
    slipped = chained(KEY, rows[at - 1].chain, replace(rows[at - 1], kind="forged"))

    assert (at, "changed") in faults([*rows[:at], slipped, *rows[at:]])


def test_a_log_under_another_key_has_no_row_that_holds():
    assert {kind for _, kind in faults([chained(b"other", b"", log_of(1)[0])])} == {"changed"}


def test_a_log_that_was_changed_everywhere_is_told_in_bounded_time():
    rows = [altered(row, "kind") for row in log_of(600)]

    assert faults(rows) == [(seq, "changed") for seq in range(1, 601)]


def test_a_commitment_depends_on_key_name_and_body():
    committed = commit_part(KEY, "input", b"a")

    assert committed == commit_part(KEY, "input", b"a")
    others = {
        commit_part(b"o" * 32, "input", b"a"),
        commit_part(KEY, "output", b"a"),
        commit_part(KEY, "input", b"b"),
        commit_part(KEY, "inputa", b""),
        path_hash_next(KEY, b"input", b"a"),
    }
    assert committed not in others
    assert len(others) == 5


def test_a_path_hash_depends_on_the_whole_path():
    one = path_hash_next(KEY, path_hash_next(KEY, b"", b"a"), b"b")

    assert one == path_hash_next(KEY, path_hash_next(KEY, b"", b"a"), b"b")
    assert one != path_hash_next(KEY, path_hash_next(KEY, b"", b"b"), b"a")
    assert one != path_hash_next(KEY, b"", b"ab")


@pytest.mark.parametrize("name", [f.name for f in fields(TransitionRecord) if f.name != "chain"])
def test_a_chain_value_depends_on_every_field(name):
    row = log_of(1)[0]

    assert chain_next(KEY, b"", altered(row, name)) != row.chain
    assert chain_next(KEY, b"before", row) != row.chain


def test_moving_bytes_from_one_field_to_the_next_changes_the_chain():
    one = TransitionRecord(1, "a", None, 0, input=b"xy", request=b"z")
    other = TransitionRecord(1, "a", None, 0, input=b"x", request=b"yz")

    assert chain_next(KEY, b"", one) != chain_next(KEY, b"", other)


def test_a_fault_is_a_value():
    assert verify(log_of(2)[1:], KEY) == (LogFault(1, "missing"),)


@given(
    rows=st.integers(0, 6), harmed=st.integers(0, 5), how=st.sampled_from(["kind", "seq", "out"])
)
def test_a_log_is_unbroken_exactly_where_verifying_finds_nothing(rows, harmed, how):
    written = log_of(rows)
    head = written[-1].chain if written else b""
    if harmed < rows and how == "out":
        del written[harmed]
    elif harmed < rows:
        value = "forged" if how == "kind" else 99
        written[harmed] = replace(written[harmed], **{how: value})
    assert unbroken(written, KEY, head=head) is (verify(written, KEY, head=head) == ())
