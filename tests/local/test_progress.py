import io

from chatapp.local.catalogue import MIB
from chatapp.local.progress import ProgressBar, SharedBar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_gets_one_line_that_is_drawn_again():
    terminal = Terminal()
    bar = ProgressBar("model", terminal)
    bar.show(0, 10 * MIB)
    bar.show(10 * MIB, 10 * MIB)
    bar.close()
    lines = terminal.getvalue().split("\r")
    assert lines[1] == f"model [{'.' * 30}]   0% 0 of 10 MB"
    assert lines[2] == f"model [{'#' * 30}] 100% 10 of 10 MB\n"


def test_a_terminal_is_not_flooded():
    terminal = Terminal()
    bar = ProgressBar("model", terminal)
    for done in range(100):
        bar.show(done, 1000)
    assert terminal.getvalue().count("\r") == 1


def test_a_pipe_gets_a_line_for_each_tenth():
    pipe = io.StringIO()
    bar = ProgressBar("model", pipe)
    for done in range(101):
        bar.show(done * MIB, 100 * MIB)
    bar.close()
    assert len(pipe.getvalue().splitlines()) == 11
    assert pipe.getvalue().endswith("model 100% 100 of 100 MB\n")


def test_a_bar_that_was_never_shown_closes_silently():
    terminal = Terminal()
    ProgressBar("model", terminal).close()
    assert terminal.getvalue() == ""


def test_downloads_side_by_side_share_one_bar():
    pipe = io.StringIO()
    bar = SharedBar(pipe)
    bar.put("a", 50 * MIB, 100 * MIB)
    bar.put("b", 0, 100 * MIB)
    bar.put("a", 100 * MIB, 100 * MIB)
    bar.put("b", 100 * MIB, 100 * MIB)
    assert pipe.getvalue().splitlines()[-1] == "Local models 100% 200 of 200 MB"
