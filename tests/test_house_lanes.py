"""Parts of the suite run side by side, tell what they say in one piece, and end together."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from tests.support.web_process import ROOT
from tools import run_tests
from tools.lanes import Job, run_jobs

DEADLINE_S = 60.0


def python(name: str, *lines: str, **environment: str) -> Job:
    return Job(name, (sys.executable, "-u", "-c", "\n".join(lines)), environment)


def test_exit_codes_come_in_the_order_of_the_jobs(tmp_path):
    jobs = [python(str(code), f"raise SystemExit({code})") for code in (3, 0, 5)]

    assert run_jobs(jobs, 2, tmp_path, tmp_path / "logs") == [3, 0, 5]


def test_two_jobs_run_at_the_same_time_and_no_output_is_torn(tmp_path, capfd):
    """Each of them ends only when the other one is there."""
    meet = (
        "import os, pathlib, sys, time",
        "me, other = os.environ['ME'], os.environ['OTHER']",
        "print('first of', me)",
        "pathlib.Path(me).touch()",
        "deadline = time.monotonic() + 60",
        "while not pathlib.Path(other).exists() and time.monotonic() < deadline:",
        "    time.sleep(0.01)",
        "print('second of', me, pathlib.Path(other).exists(), file=sys.stderr)",
    )
    jobs = [python("a", *meet, ME="a", OTHER="b"), python("b", *meet, ME="b", OTHER="a")]

    run_jobs(jobs, 2, tmp_path, tmp_path / "logs")

    printed = capfd.readouterr().out
    assert ">>> a begins" in printed
    assert "<<< a: " in printed
    for name in "ab":
        assert f"first of {name}\nsecond of {name} True\n" in printed


def test_one_lane_runs_one_job_after_the_other(tmp_path):
    alone = (
        "import pathlib",
        "pathlib.Path('here').mkdir()",
        "pathlib.Path('here').rmdir()",
    )
    jobs = [python(f"job {number}", *alone) for number in range(3)]

    assert run_jobs(jobs, 1, tmp_path, tmp_path / "logs") == [0, 0, 0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_every_job_after_it_has_cleaned_up(tmp_path, number):
    os.mkfifo(tmp_path / "up")
    child = (
        "import pathlib, time; pathlib.Path('up').write_text('x')\n"
        "try:\n    time.sleep(600)\nfinally:\n    print('cleaned up')"
    )
    parent = textwrap.dedent(f"""
        import pathlib, sys
        from tools.lanes import Job, run_jobs
        job = Job("long", (sys.executable, "-u", "-c", {child!r}))
        run_jobs([job], 2, pathlib.Path({str(tmp_path)!r}), pathlib.Path({str(tmp_path)!r}))
    """)
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", parent],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (tmp_path / "up").read_text() == "x"  # waits for it, as a pipe does

    process.send_signal(number)

    printed, _ = process.communicate(timeout=DEADLINE_S)
    assert "cleaned up" in printed
    assert process.returncode != 0


def test_every_test_that_needs_no_weights_has_a_part():
    names = [job.name for job in run_tests.jobs([], "postgres://x@127.0.0.1/postgres")]

    assert names == ["browser and kills", "tests on SQLite", "tests on PostgreSQL"]
    assert [job.name for job in run_tests.jobs([], None)] == names[:2]


def test_words_go_to_every_part():
    for job in run_tests.jobs(["-k", "word"], "postgres://x@127.0.0.1/postgres"):
        assert job.command[-2:] == ("-k", "word")


@pytest.mark.parametrize(
    ("codes", "expected"), [([5, 0, 5], 0), ([5, 5, 5], 5), ([5, 1, 0], 1), ([2, 1, 5], 2)]
)
def test_a_word_may_match_no_test_of_some_part(monkeypatch, codes, expected):
    monkeypatch.setattr(run_tests, "run", lambda *command: 0)
    monkeypatch.setattr(run_tests, "run_jobs", lambda *arguments: codes)

    assert run_tests.main(["-k", "word"]) == expected


@pytest.mark.parametrize(
    ("codes", "report", "expected"), [([0, 0, 0], 0, 0), ([0, 5, 0], 0, 5), ([0, 0, 0], 2, 2)]
)
def test_the_whole_suite_passes_with_all_its_parts_and_the_gate(
    monkeypatch, codes, report, expected
):
    monkeypatch.setattr(run_tests, "run", lambda *command: report if "report" in command else 0)
    monkeypatch.setattr(run_tests, "run_jobs", lambda *arguments: codes)
    monkeypatch.setattr(run_tests, "postgres_address", lambda: "postgres://x@127.0.0.1/postgres")

    assert run_tests.main([]) == expected


@pytest.mark.parametrize(("strict", "expected"), [("1", 1), ("", 0)])
def test_no_postgresql_is_said_and_fails_where_no_skip_is_allowed(
    monkeypatch, capsys, strict, expected
):
    monkeypatch.setattr(run_tests, "run", lambda *command: 0)
    monkeypatch.setattr(run_tests, "run_jobs", lambda *arguments: [0, 0])
    monkeypatch.setattr(run_tests, "postgres_address", lambda: None)
    monkeypatch.setenv("GLASSBOX_NO_SKIP", strict)

    assert run_tests.main([]) == expected
    assert "no PostgreSQL answers" in capsys.readouterr().err
