"""Exact values are found with their kind and place, in three languages."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.language.values import Value, folded, is_telling, values
from tests.support.work import assert_linear


def found(text: str) -> list[tuple[str, str]]:
    return [(value.kind, value.text) for value in values(text)]


def one(text: str) -> Value:
    (value,) = values(text)
    return value


@pytest.mark.parametrize(
    "code", ["QX-4417", "B12", "A-113", "#48371", "ISO 9001", "v2.3.1", "ЗК-118", "№ 512"]
)
def test_a_code_is_found_in_running_text(code):
    assert found(f"order {code}, please") == [("code", code)]
    assert found(f"заказ {code}.") == [("code", code)]
    assert found(f"订单{code}。") == [("code", code)]


@pytest.mark.parametrize(
    "number", ["1,200", "1 200", "1.200", "1\u00a0200", "3.5", "15%", "7", "1,200.50"]
)
def test_numbers_are_whole_whatever_separates_them(number):
    assert found(f"about {number} of them") == [("number", number)]


@pytest.mark.parametrize(
    "money",
    [
        *("900 euros", "€900", "$1,200", "EUR 30"),
        *("900 руб.", "1 200 евро", "1.5 млн рублей"),
        *("¥500", "500元", "五百元", "5块钱"),
    ],
)
def test_money_is_a_number_with_its_currency(money):
    assert found(f"it is {money}") == [("money", money)]


@pytest.mark.parametrize(
    "date",
    [
        *("12 May", "May 12, 2026", "2026-05-12", "12.05.2026"),
        *("12 мая", "12 мая 2026 года"),
        *("5月12日", "2026年5月12日", "三月五日", "下周三"),
    ],
)
def test_dates_are_found_as_people_write_them(date):
    assert found(f"on {date}") == [("date", date)]


@pytest.mark.parametrize("time", ["14:30", "5pm", "2:15 pm", "7 вечера", "下午3点半", "3点20分"])
def test_times_are_found_as_people_write_them(time):
    assert found(f"at {time}") == [("time", time)]


def test_a_month_or_weekday_alone_needs_its_preposition():
    assert found("We go in March.") == [("date", "March")]
    assert found("Едем в пятницу.") == [("date", "пятницу")]
    assert found("You may march.") == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("email", "a.b@example.org"),
        ("phone", "+44 20 7946 0958"),
        ("phone", "8 (912) 345-67-89"),
        ("phone", "13812345678"),
        ("phone", "010-12345678"),
        ("link", "https://example.org/a-113"),
    ],
)
def test_addresses_are_one_value_each(kind, text):
    assert found(f"see {text}, please") == [(kind, text)]
    assert found(f"请看 {text}。") == [(kind, text)]


@pytest.mark.parametrize("text", ["3GB", "5-star", "top-10", "1st", "5-го", "24/7", "mp3"])
def test_measures_and_ordinals_are_no_codes(text):
    assert all(value.kind != "code" for value in values(text))


@pytest.mark.parametrize(
    "text", ["QX-4417", "B12", "4417", "1,200", "€1,200", "a@example.org", "#48371"]
)
def test_a_rare_value_is_telling(text):
    assert is_telling(one(text))


@pytest.mark.parametrize("text", ["2026", "900", "12 May", "14:30", "15%", "#12", "€900"])
def test_a_common_value_is_not(text):
    assert not is_telling(one(text))


def test_one_figure_is_the_same_however_it_is_written():
    assert {folded(one(text)) for text in ("1,200 euros", "€1 200", "1200", "1.200")} == {"1200"}
    assert folded(one("QX-4417")) == folded(one("qx-4417"))
    assert folded(one("3.5")) != folded(one("35"))


@given(st.text(alphabet="aAяЯ好年月日点元 0123456789.,:-/@#€%\n", max_size=60))
def test_values_are_exact_in_order_and_apart(text):
    spans = values(text)

    assert all(text[value.start : value.end] == value.text for value in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


@pytest.mark.parametrize(
    "unit", ["1", "1 ", "a1-", "a.b@", "+1 ", "1,000", "(1", "一", "1-2", "a-"]
)
def test_work_grows_with_the_length_and_no_faster(unit):
    assert_linear(values, unit)
