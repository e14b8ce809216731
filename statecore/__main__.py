"""Explains on the command line what a model would be told: `python -m statecore explain FILE`."""

import argparse
import io
import sys  # noqa: TID251  # the one door of the core: its own command line
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, get_args

from statecore.context.strategies import Strategy, StrategyName
from statecore.errors import InvalidInput, StateCoreError
from statecore.explain.explaining import explained
from statecore.explain.options import Options
from statecore.explain.outcome import as_json, as_table, previous_of, printable
from statecore.models import RoleStyle

EXIT_INVALID = 2

MOST_DIGITS = 9
"""A longer number means no window and no count of messages."""

DESCRIPTION = """\
Shows what a model would be told next, part by part: how many tokens, from which messages, what was
decided and why. FILE is a state of a conversation (state.json), a list of messages as the OpenAI
chat API takes it, or an export of ChatGPT (conversations.json)."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InvalidInput(message)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0, or 2 with one sentence on standard error."""
    try:
        sys.stdout.write(_run(_parser().parse_args(arguments)) + "\n")
        sys.stdout.flush()
    except StateCoreError as error:
        sys.stderr.write(f"error: {' '.join(printable(str(error)).split())}\n")
        return EXIT_INVALID
    except BrokenPipeError:
        # Whoever read has seen enough; nothing may be written at exit either.
        sys.stdout = io.StringIO()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m statecore")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    command = commands.add_parser(
        "explain", help="show what a model would be told, and why", description=DESCRIPTION
    )
    add = command.add_argument
    add("file", metavar="FILE", help="the file; - reads standard input")
    add("--window", type=_positive, metavar="N", help="tokens of the model's window")
    add("--reserve", type=_positive, metavar="N", help="tokens kept for the answer")
    add("--strategy", choices=get_args(StrategyName), help="elastic unless said otherwise")
    limits = command.add_mutually_exclusive_group()
    for unit in ("messages", "tokens"):
        text = f"sliding window of the last N {unit}"
        limits.add_argument(f"--last-{unit}", type=_positive, metavar="N", help=text)
    add("--role-style", choices=get_args(RoleStyle), help="role of the leading instructions")
    add("--conversation", metavar="X", help="number or id in an export; the newest otherwise")
    add("--previous", metavar="FILE", help="what --json printed for the turn before")
    add("--json", action="store_true", help="print an object instead of a table")
    return parser


def _run(chosen: argparse.Namespace) -> str:
    options = Options(
        window_tokens=chosen.window,
        reserve_tokens=chosen.reserve,
        strategy=_strategy(chosen),
        role_style=chosen.role_style,
        conversation=chosen.conversation,
        previous=None if chosen.previous is None else previous_of(_read(chosen.previous)),
    )
    found = explained(_read(chosen.file), options)
    return as_json(found) if chosen.json else as_table(found)


def _strategy(chosen: argparse.Namespace) -> Strategy:
    is_limited = chosen.last_messages is not None or chosen.last_tokens is not None
    usual: StrategyName = "sliding" if is_limited else "elastic"
    name: StrategyName = chosen.strategy or usual
    if is_limited and name != "sliding":
        raise InvalidInput(f"only the sliding window has a number of last ones, not {name}")
    return Strategy(name, chosen.last_messages, chosen.last_tokens)


def _positive(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")


def _read(name: str) -> str:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{name}: not UTF-8 text") from None
    except ValueError as error:
        raise InvalidInput(f"{name}: {error}") from None
    return text.removeprefix("\ufeff")


if __name__ == "__main__":
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    sys.exit(main())
