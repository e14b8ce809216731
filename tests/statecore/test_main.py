"""The command line explains a plan, and says in one sentence what is wrong."""

import io
import json
import subprocess
import sys
from textwrap import dedent

import pytest

from statecore.__main__ import main
from tests.statecore.explain_files import FORMATS, long_talk, text_of

MODEL = {"window_tokens": 400, "reply_reserve_tokens": 100}
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Name one river."}]},
    {"role": "assistant", "content": None},
    {"role": "user", "text": "Another one, please."},
]
CALLS = [
    {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"c":"Oslo"}'}},
    {
        "id": "c2",
        "type": "function",
        "function": {"name": "weather", "arguments": '{"c":"Bergen"}'},
    },
]


@pytest.fixture
def run(tmp_path, capsys):
    def run(document, *arguments: str) -> tuple[int, str, str]:
        file = tmp_path / "case.json"
        file.write_text(document if isinstance(document, str) else json.dumps(document))
        code = main(["explain", str(file), *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def sent(run):
    def sent(messages, *arguments: str) -> list[dict]:
        code, out, err = run(messages, "--window", "4096", "--json", *arguments)
        assert (code, err) == (0, "")
        return json.loads(out)["request"]["messages"]

    return sent


def test_it_prints_the_account_of_a_plan(run):
    document = {"messages": MESSAGES, "model": MODEL, "counts": [3, 4, None, 5]}

    code, out, err = run(document)

    assert (code, err) == (0, "")
    assert out == dedent(
        """\
        segment  role       source  tokens  count      decision  reason              rho
        system   system     m1           8  exact      kept      system_prompt     0.020
        message  user       m2           9  exact      kept      full_history      0.022
        message  assistant  m3          14  estimated  injected  no_text_returned  0.035
        input    user       m4          10  exact      kept      current_input     0.025

        prompt 44 tokens (estimated), reply reserve 100, window 400
        rho sent 0.360, rho of the full history 0.360, turns left out 0
        strategy elastic, policy rolling, tier 0; the full history alone would mean tier 0
        """
    )


def test_without_counts_it_says_that_it_estimates(run):
    _, out, _ = run({"messages": MESSAGES, "model": MODEL})

    assert out.count("estimated") == 5
    assert "exact" not in out


def test_what_the_window_leaves_out_is_a_line_of_its_own(run):
    code, out, _ = run(long_talk(30), "--window", "1500")

    assert code == 0
    gap = next(line for line in out.splitlines() if line.startswith("gap"))
    assert "t1.." in gap
    assert "outside_window" in gap


def test_it_plans_for_the_last_user_message_and_says_so(run):
    _, out, _ = run([*MESSAGES, {"role": "assistant", "content": "The Don."}], "--window", "400")

    assert "input    user       m4" in out
    assert out.endswith("planned for m4, the last user message; 1 after it not looked at\n")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_read(run, name):
    code, out, err = run(text_of(name), "--window", "2000", "--json")

    assert (code, err) == (0, "")
    told = json.loads(out)
    assert list(told)[:5] == ["tier", "total_tokens", "window_tokens", "segments", "request"]
    assert told["request"]["messages"][-1]["content"] == "And by train?"


@pytest.mark.parametrize(
    ("arguments", "strategy"),
    [
        ((), "elastic"),
        (("--strategy", "full"), "full"),
        (("--strategy", "sliding"), "sliding"),
        (("--strategy", "summary"), "summary"),
        (("--last-messages", "2"), "sliding"),
        (("--last-tokens", "100"), "sliding"),
        (("--strategy", "sliding", "--last-tokens", "100"), "sliding"),
    ],
)
def test_every_strategy_can_be_asked_for(run, arguments, strategy):
    _, out, _ = run(MESSAGES, "--window", "2000", "--json", *arguments)

    assert json.loads(out)["strategy"] == strategy


def test_the_window_of_the_file_is_outweighed(run):
    _, out, _ = run({"messages": MESSAGES, "model": MODEL}, "--window", "900", "--reserve", "50")

    assert "reply reserve 50, window 900" in out


def test_the_role_of_the_instructions_can_be_chosen(sent):
    assert sent(MESSAGES)[0]["role"] == "system"
    assert sent(MESSAGES, "--role-style", "developer")[0]["role"] == "developer"
    assert sent(MESSAGES, "--role-style", "user")[0]["role"] == "user"


def test_a_conversation_of_an_export_is_chosen_and_named(run):
    export = [FORMATS["one conversation"], FORMATS["one conversation"] | {"title": "Другой"}]

    _, out, _ = run(export, "--window", "900", "--conversation", "2")

    assert out.endswith("conversation 2 of 2: Другой\n")


def test_the_plan_before_is_read_from_its_file(run, tmp_path):
    _, out, _ = run(long_talk(40), "--window", "4000", "--json")
    before = tmp_path / "before.json"
    before.write_text(out)

    code, again, _ = run(long_talk(41), "--window", "4000", "--json", "--previous", str(before))

    start = "window_start_depth"
    assert code == 0
    assert json.loads(again)["previous"][start] == json.loads(out)["previous"][start]


def test_a_call_without_its_result_gets_one_and_keeps_its_place(sent):
    told = sent(
        [
            {"role": "user", "content": "Weather in Oslo and Bergen?"},
            {"role": "assistant", "content": None, "tool_calls": CALLS},
            {"role": "tool", "tool_call_id": "c1", "content": "4 degrees"},
            {"role": "user", "content": "Never mind, tell me a joke."},
        ]
    )

    results = [(m["tool_call_id"], m["content"]) for m in told if m["role"] == "tool"]
    assert results == [("c1", "4 degrees"), ("c2", "cancelled by the user")]
    assert told[-1] == {"role": "user", "content": "Never mind, tell me a joke."}


@pytest.mark.parametrize(
    ("history", "left_out"),
    [
        (
            [
                {"role": "user", "content": "Weather?"},
                {"role": "tool", "tool_call_id": "c1", "content": "4 degrees"},
                {"role": "assistant", "content": "Cold."},
            ],
            "tool_result_orphan",
        ),
        (
            [
                {"role": "user", "content": "Weather?"},
                {"role": "assistant", "content": None, "tool_calls": CALLS[:1]},
                {"role": "tool", "tool_call_id": "c1", "content": "4 degrees"},
                {"role": "tool", "tool_call_id": "c1", "content": "5 degrees"},
            ],
            "tool_result_duplicate",
        ),
        (
            [
                {"role": "assistant", "content": None, "tool_calls": CALLS[:1]},
                {"role": "tool", "tool_call_id": "c1", "content": "4 degrees"},
            ],
            "before_first_user",
        ),
    ],
    ids=["a result without a call", "two results of a call", "a history that begins with a call"],
)
def test_what_no_provider_takes_is_left_out_and_said(run, history, left_out):
    messages = [*history, {"role": "user", "content": "Tell me a joke."}]

    code, out, _ = run(messages, "--window", "4096", "--json")

    told = json.loads(out)
    sent = told["request"]["messages"]
    assert code == 0
    assert left_out in {segment["reason"] for segment in told["segments"]}
    assert sent[0]["role"] == "user"
    called = [call["id"] for message in sent for call in message.get("tool_calls", ())]
    assert [m["tool_call_id"] for m in sent if m["role"] == "tool"] == called


def test_the_older_form_of_a_call_is_sent_in_the_newer_one(sent):
    told = sent(
        [
            {"role": "user", "content": "Weather?"},
            {"role": "assistant", "function_call": {"name": "weather", "arguments": "{}"}},
            {"role": "function", "name": "weather", "content": "4 degrees"},
            {"role": "user", "content": "Thanks."},
        ]
    )

    call = told[1]["tool_calls"][0]
    assert call["function"]["name"] == "weather"
    assert told[2] == {"role": "tool", "content": "4 degrees", "tool_call_id": call["id"]}


def test_an_image_leaves_a_sentence_in_its_place(sent):
    image = {"type": "image_url", "image_url": {"url": "https://example.org/x.png"}}

    told = sent([{"role": "user", "content": [{"type": "text", "text": "What is this?"}, image]}])

    assert told[0]["content"] == "What is this?\n[An image stands here that was not read.]"


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ("{", "not JSON: line 1, column 2: "),
        ("[" * 100_000, "not JSON that can be read: it is nested too deeply"),
        ([], "messages: there is no user message to plan for"),
        ({"a": 1}, "this is neither a state of a conversation"),
        ({"messages": [{"role": "x"}]}, "messages 1 → role: input should be"),
        ({"messages": MESSAGES}, "the file names no window: say how large it is"),
        ({"messages": MESSAGES, "model": {"window_tokens": 1}}, "model → reply_reserve_tokens: "),
        ({"messages": MESSAGES, "model": MODEL | {"x": 1}}, "model → x: extra inputs are not"),
        ({"messages": MESSAGES, "model": MODEL, "counts": [1] * 5}, "counts: 5 counts for 4"),
        ({"messages": MESSAGES, "model": MODEL, "counts": [-1]}, "counts 1"),
        (
            {"messages": MESSAGES, "model": MODEL, "counts": [3, 4, 0, 500]},
            (
                "what is never cut needs 616 tokens and the window has 400: current_input 505, "
                "reply_reserve 100, system_prompt 8"
            ),
        ),
    ],
)
def test_what_is_wrong_is_one_sentence_and_exit_code_2(run, document, sentence):
    code, out, err = run(document)

    assert (code, out) == (2, "")
    assert err.startswith(f"error: {sentence}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--window", "0"), "argument --window: '0' is not a whole number above zero"),
        (("--window", "8k"), "argument --window: '8k' is not a whole number above zero"),
        (("--window", "9" * 5_000), "argument --window: '99"),
        (
            ("--window", "100", "--reserve", "100"),
            "the reserve for the answer of 100 tokens leaves",
        ),
        (("--strategy", "guess"), "argument --strategy: invalid choice: 'guess'"),
        (("--last-tokens", "5", "--last-messages", "5"), "argument --last-messages: not allowed"),
        (
            ("--window", "900", "--strategy", "full", "--last-messages", "5"),
            "only the sliding window has a number of last ones, not full",
        ),
        (("--window", "900", "--conversation", "2"), "only an export of ChatGPT has conversations"),
        (("--window", "900", "--previous", "none.json"), "none.json: No such file or directory"),
    ],
)
def test_what_is_asked_wrongly_is_one_sentence_and_exit_code_2(run, arguments, sentence):
    code, out, err = run(MESSAGES, *arguments)

    assert (code, out) == (2, "")
    assert sentence in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_no_command_is_one_sentence_too(capsys):
    assert main([]) == 2
    assert capsys.readouterr().err == "error: the following arguments are required: command\n"


def test_a_name_from_the_file_does_nothing_to_a_terminal(run):
    export = [{"mapping": {"\x1b[31m\n": {"parent": "gone"}}, "current_node": "\x1b[31m\n"}]

    code, _, err = run(export, "--window", "900")

    assert code == 2
    assert "\x1b" not in err
    assert err.count("\n") == 1


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path, capsys):
    binary = tmp_path / "x.json"
    binary.write_bytes(b"\xff\xfe")

    assert main(["explain", str(tmp_path / "none.json")]) == 2
    assert main(["explain", str(binary)]) == 2
    assert main(["explain", str(tmp_path)]) == 2
    assert main(["explain", "a\0b"]) == 2

    lines = capsys.readouterr().err.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == [
        "No such file or directory",
        "not UTF-8 text",
        "Is a directory",
        "embedded null byte",
    ]


def test_a_mark_of_byte_order_is_no_part_of_a_file(tmp_path, capsys):
    file = tmp_path / "case.json"
    file.write_text("\ufeff" + json.dumps(MESSAGES), encoding="utf-8")

    assert main(["explain", str(file), "--window", "400"]) == 0
    assert "current_input" in capsys.readouterr().out


def test_it_reads_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(MESSAGES)))

    assert main(["explain", "-", "--window", "400"]) == 0
    assert "current_input" in capsys.readouterr().out


def test_it_runs_as_a_module_in_any_locale():
    document = json.dumps([{"role": "user", "content": "你好，Ёж 👋"}], ensure_ascii=False)

    done = subprocess.run(
        [sys.executable, "-m", "statecore", "explain", "-", "--window", "400", "--json"],
        input=document.encode(),
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "ascii"},
    )

    assert "你好，Ёж 👋" in done.stdout.decode()
