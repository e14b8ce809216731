"""`manage.py replay`: plans recorded turns again, and says what would be different."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

from asgiref.sync import async_to_sync
from django.core.management.base import BaseCommand, CommandError

from chatapp.access import Access, conversation_by_id
from chatapp.presenters import replays
from chatapp.runtime.answering import answered, counted
from chatapp.selectors.accounts import account_named
from chatapp.selectors.replays import has_branch, has_turn, path_tip, recorded_answer, replayable
from chatapp.services.replaying import ReplayedTurn, ReplaySettings, replayed
from chatapp.wiring import AttemptFailed, registry, template_of
from statecore.context.strategies import Strategy, StrategyName
from statecore.context.tuning import tuned
from statecore.errors import InvalidInput
from statecore.models import ModelSpec
from statecore.replay.comparing import EXCUSED, totals
from statecore.templates import Template

STRATEGIES = get_args(StrategyName)


class Command(BaseCommand):
    help = (
        "Plan the turns of a conversation again, without a model: as they were, or with another "
        "template, strategy, model or setting. Says for each turn what the model would have been "
        "told otherwise. As they were, it exits with 1 when a request is not the recorded one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("conversation", nargs="*", type=UUID, metavar="CONVERSATION")
        parser.add_argument("--all", action="store_true", help="all conversations")
        parser.add_argument(
            "--user", default="", metavar="NAME", help="with --all: only of this one"
        )
        parser.add_argument("--branch", type=UUID, metavar="ID", help="default: the one looked at")
        parser.add_argument("--until", type=UUID, metavar="TURN", help="the last turn to plan")
        parser.add_argument("--attempts", choices=("newest", "all"), default="newest")
        parser.add_argument("--template", type=Path, metavar="FILE", help="a TOML of prompt texts")
        parser.add_argument("--strategy", choices=STRATEGIES)
        parser.add_argument("--model", metavar="NAME", help="a model of the registry")
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="KEY=SHARE",
            dest="tuning",
            help="a bound of the planner as a share of the window, as in tier1=0.6",
        )
        parser.add_argument("--answer", action="store_true", help="ask the model again, too")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, **options: Any) -> None:
        try:
            settings = settings_of(options)
            wanted = list(_wanted(options))
        except InvalidInput as error:
            raise CommandError(f"{error}.") from None
        documents, found = {}, []
        for access in wanted:
            turns = list(self._replay(access, settings, options))
            documents[str(access.conversation.id)] = _document(access, turns, options)
            found += [turn.found for turn in turns]
        if options["json"]:
            self.stdout.write(json.dumps(documents, ensure_ascii=False, indent=1))
        else:
            self.stdout.write(replays.summary(totals(found), is_own=settings.is_own))
        if settings.is_own and any(turn.verdict not in EXCUSED for turn in found):
            raise CommandError("Not every request is the recorded one.")

    def _replay(
        self, access: Access, settings: ReplaySettings, options: dict[str, Any]
    ) -> Iterator[ReplayedTurn]:
        if not options["json"]:
            self.stdout.write(f"conversation {access.conversation.id}")
        turns = replayed(
            access,
            path_tip(access),
            settings,
            counted,
            until=options["until"],
            every_attempt=options["attempts"] == "all",
        )
        for turn in turns:
            if not options["json"]:
                self.stdout.write(replays.line(turn))
                if options["answer"]:
                    self.stdout.write(replays.answers(*_answers(access, turn)))
            yield turn


def _wanted(options: dict[str, Any]) -> Iterator[Access]:
    """Yield what is replayed, each with the branch that was asked for."""
    names = options["conversation"]
    if bool(names) == options["all"]:
        raise InvalidInput("name a conversation, or say --all")
    if len(names) != 1 and (options["until"] or options["branch"]):
        raise InvalidInput("--until and --branch go with one conversation")
    for name in names or replayable(_user_id(options["user"])):
        access = conversation_by_id(name)
        if access is None:
            raise InvalidInput(f"there is no conversation {name}")
        access = replace(access, branch_id=options["branch"])
        if options["branch"] is not None and not has_branch(access):
            raise InvalidInput(f"conversation {name} has no branch {options['branch']}")
        if options["until"] is not None and not has_turn(access, options["until"]):
            raise InvalidInput(f"the path has no turn {options['until']}")
        yield access


def _user_id(name: str) -> int | None:
    if not name:
        return None
    user = account_named(name)
    if user is None:
        raise InvalidInput(f"there is no user {name}")
    return user.pk


def settings_of(options: dict[str, Any]) -> ReplaySettings:
    """Return what turns are planned with.

    Raises:
        InvalidInput: naming what cannot be used.
    """
    name = options["strategy"]
    return ReplaySettings(
        template=None if options["template"] is None else _template(options["template"]),
        strategy=None if name is None else Strategy(name),
        model=None if options["model"] is None else _model(options["model"]),
        tuning=tuned(options["tuning"]),
    )


def _template(path: Path) -> Template:
    try:
        return template_of(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInput(f"{path}: {error}") from None


def _model(name: str) -> ModelSpec:
    spec = registry().get(name)
    if spec is None:
        known = ", ".join(one.name for one in registry().all())
        raise InvalidInput(f"there is no model {name}; there are {known}")
    return spec


def _answers(access: Access, turn: ReplayedTurn) -> tuple[str, str]:
    """Return the recorded answer, and what the model says now."""
    before = recorded_answer(access, UUID(turn.found.turn_id)) or ""
    if turn.request is None or turn.model is None:
        return before, ""
    try:
        return before, async_to_sync(answered)(turn.request, turn.model)
    except AttemptFailed as error:
        return before, f"({error.reason}: {error.detail})"


def _document(
    access: Access, turns: Sequence[ReplayedTurn], options: dict[str, Any]
) -> dict[str, Any]:
    document = replays.document([turn.found for turn in turns])
    if options["answer"] and options["json"]:
        pairs = [_answers(access, turn) for turn in turns]
        for told, (before, after) in zip(document["turns"], pairs, strict=True):
            told |= {"answer_before": before, "answer_after": after}
    return document
