"""The command line explains a plan, and says in one sentence what is wrong with a file."""

import io
import json
import subprocess
import sys
from textwrap import dedent

import pytest

from statecore.__main__ import main

MODEL = {"window_tokens": 400, "reply_reserve_tokens": 100}
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Name one river."}]},
    {"role": "assistant", "content": None},
    {"role": "user", "text": "Another one, please."},
]


@pytest.fixture
def explained(tmp_path, capsys):
    def run(document) -> tuple[int, str, str]:
        file = tmp_path / "case.json"
        file.write_text(document if isinstance(document, str) else json.dumps(document))
        code = main(["explain", str(file)])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_it_prints_the_account_of_a_plan(explained):
    code, out, err = explained({"messages": MESSAGES, "model": MODEL, "counts": [3, 4, 0, 5]})

    assert (code, err) == (0, "")
    assert out == dedent(
        """\
        segment  role       source  tokens  count      decision  reason              rho
        system   system     m1           8  exact      kept      system_prompt     0.020
        message  user       m2           9  exact      kept      full_history      0.022
        message  assistant  m3          12  estimated  injected  no_text_returned  0.030
        input    user       m4          10  exact      kept      current_input     0.025

        prompt 42 tokens (estimated), reply reserve 100, window 400
        rho sent 0.355, rho of the full history 0.355, turns left out 0
        """
    )


def test_without_counts_it_says_that_it_estimates(explained):
    _, out, _ = explained({"messages": MESSAGES, "model": MODEL})

    assert out.count("estimated") == 5
    assert "exact" not in out


def test_what_the_window_leaves_out_is_a_line_of_its_own(explained):
    turns = [{"role": role, "content": "x" * 200} for role in ("user", "assistant") * 10]
    last = {"role": "user", "content": "and now?"}

    code, out, _ = explained({"messages": [*turns, last], "model": MODEL})

    assert code == 0
    gap = next(line for line in out.splitlines() if line.startswith("gap"))
    assert "t1..t9" in gap
    assert "outside_window" in gap
    assert "turns left out 9" in out


def test_it_plans_for_the_last_user_message(explained):
    _, out, _ = explained(
        {"messages": [*MESSAGES, {"role": "assistant", "content": "The Don."}], "model": MODEL}
    )

    assert "input    user       m4" in out
    assert "m5" not in out


def test_tool_calls_may_lie_under_function(explained):
    messages = [
        {"role": "user", "content": "Oslo?"},
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "weather"}}]},
        {"role": "user", "content": "Never mind."},
    ]

    _, out, _ = explained({"messages": messages, "model": MODEL})

    assert "tool_result_missing" in out


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ("{", "not JSON: "),
        ("[" * 100_000, "not JSON: "),
        ([], "input should be a valid dictionary"),
        ({"messages": []}, "model: field required"),
        ({"messages": [], "model": MODEL}, "messages: there is no user message to plan for"),
        ({"messages": [{"role": "x"}], "model": MODEL}, "messages: 1.role: input should be"),
        ({"messages": MESSAGES, "model": {"window_tokens": 1}}, "model.reply_reserve_tokens: "),
        ({"messages": MESSAGES, "model": MODEL | {"x": 1}}, "model.x: extra inputs are not"),
        ({"messages": MESSAGES, "model": MODEL, "counts": [1] * 5}, "counts: 5 counts for 4"),
        ({"messages": MESSAGES, "model": MODEL, "counts": [-1]}, "counts.1"),
        (
            {"messages": MESSAGES, "model": MODEL, "counts": [3, 4, 0, 500]},
            (
                "what is never cut needs 616 tokens and the window has 400: current_input 505, "
                "reply_reserve 100, system_prompt 8"
            ),
        ),
    ],
)
def test_what_is_wrong_is_one_sentence_and_exit_code_2(explained, document, sentence):
    code, out, err = explained(document)

    assert (code, out) == (2, "")
    assert sentence.lower() in err.lower()
    assert err.count("\n") == 1


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path, capsys):
    binary = tmp_path / "x.json"
    binary.write_bytes(b"\xff\xfe")

    assert main(["explain", str(tmp_path / "none.json")]) == 2
    assert main(["explain", str(binary)]) == 2
    assert main(["explain", str(tmp_path)]) == 2

    lines = capsys.readouterr().err.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == [
        "No such file or directory",
        "not UTF-8 text",
        "Is a directory",
    ]


def test_it_reads_standard_input(monkeypatch, capsys):
    document = json.dumps({"messages": MESSAGES, "model": MODEL})
    monkeypatch.setattr(sys, "stdin", io.StringIO(document))

    assert main(["explain", "-"]) == 0
    assert "current_input" in capsys.readouterr().out


def test_it_runs_as_a_module():
    document = json.dumps({"messages": MESSAGES, "model": MODEL})

    done = subprocess.run(
        [sys.executable, "-m", "statecore", "explain", "-"],
        input=document,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "current_input" in done.stdout
