"""The figures of the bench are what they say."""

from bench.figures import Figures
from bench.first_token import FirstToken
from bench.report import page
from bench.streams import Load, lateness
from tests.support.live import LiveView

MS = 1_000_000


def test_median_and_95th_percentile_of_many():
    values_ns = [number * MS for number in range(1, 101)]

    assert Figures.of_ns(values_ns) == Figures(median_ms=50.5, p95_ms=96.0)


def test_one_measurement_is_both():
    assert Figures.of_ns([7 * MS]) == Figures(7.0, 7.0)


def test_a_difference_is_taken_figure_by_figure():
    assert Figures(12.0, 30.0).less(Figures(2.0, 5.0)) == Figures(10.0, 25.0)


def test_only_tokens_of_the_measured_time_count():
    watcher = Frames(
        ({"kind": "start", "text": ""}, 1),
        ({"kind": "delta", "text": "1000000000001 1000000000005 "}, 1_000_000_000_009),
        ({"kind": "delta", "text": "1000000000007 "}, 1_000_000_000_010),
    )

    assert lateness(watcher, 1_000_000_000_005, 1_000_000_000_007) == [4]


def test_the_page_names_the_greatest_number_in_time():
    loads = [Load(25, Figures(20, 40), 100), Load(50, Figures(30, 60), 200)]

    text = page([FirstToken("20 turns", Figures(10, 20), Figures(4, 9))], loads, others=0.1)

    assert "| 20 turns | 10.0 / 20.0 ms | 4.0 / 9.0 ms | 6.0 / 11.0 ms |" in text
    assert "**25**" in text


class Frames:
    """What a watcher has kept, without a socket."""

    def __init__(self, *arrived: tuple[dict[str, object], int]) -> None:
        self.frames = [frame for frame, _ in arrived]
        self.arrivals_ns = [ns for _, ns in arrived]
        self.view = LiveView()
