"""Lists, fetches and checks the models of this installation."""

import sys
from argparse import ArgumentParser
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from chatapp.local.catalogue import CATALOGUE
from chatapp.local.faults import LocalError
from chatapp.local.probing import ask_once
from chatapp.local.progress import ProgressBar
from chatapp.local.weights import ensure_weights, weights_are_here, weights_are_sound
from chatapp.wiring import endpoint_of, model_status, registry
from statecore.errors import StateCoreError
from statecore.models import ModelSpec

INTERRUPTED = 130


class Command(BaseCommand):
    """`manage.py models`."""

    help = "Lists the models, fetches the weights of a local one, or asks one for a word."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("list", help="show all models in fallback order")
        pull = actions.add_parser("pull", help="fetch the weights of a local model")
        pull.add_argument("name", choices=sorted(CATALOGUE))
        check = actions.add_parser("check", help="send one tiny request")
        check.add_argument("name", nargs="?", help="default: every model")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002  # Django's signature
        try:
            match options["action"]:
                case "list":
                    code = self._list()
                case "pull":
                    code = self._pull(options["name"])
                case _:
                    code = self._check(options["name"])
        except (LocalError, StateCoreError) as error:
            self.stderr.write(str(error))
            code = 1
        sys.exit(code)

    def _list(self) -> int:
        for spec in registry().all():
            status = model_status(spec)
            languages = ", ".join(spec.languages) or "any language"
            self.stdout.write(f"{spec.name}: {status.state}. {status.detail}")
            self.stdout.write(
                f"    window {spec.window_tokens:,} tokens; {languages}; "
                f"{'also for memory' if spec.for_memory else 'not for memory'}"
            )
            if spec.expect:
                self.stdout.write(f"    {spec.expect}")
        return 0

    def _pull(self, name: str) -> int:
        model = CATALOGUE[name]
        if weights_are_here(settings.DATA_DIR, model):
            sound = weights_are_sound(settings.DATA_DIR, model)
            self.stdout.write(f"{name} is here" + (" and whole." if sound else ", but damaged."))
            return 0 if sound else 1
        bar = ProgressBar(name, sys.stderr)
        cancelled = Event()
        try:
            path = ensure_weights(
                settings.DATA_DIR, model, on_progress=bar.show, cancelled=cancelled
            )
        except KeyboardInterrupt:
            bar.close()
            self.stderr.write("Stopped; finished parts are kept, and the next pull goes on.")
            return INTERRUPTED
        finally:
            bar.close()
        self.stdout.write(f"{name} is in {path}.")
        return 0

    def _check(self, name: str | None) -> int:
        specs = registry().all()
        if name is not None:
            specs = tuple(spec for spec in specs if spec.name == name)
            if not specs:
                names = ", ".join(spec.name for spec in registry().all())
                self.stderr.write(f"There is no model {name!r}; the models are: {names}.")
                return 1
        return max(self._check_one(spec) for spec in specs)

    def _check_one(self, spec: ModelSpec) -> int:
        status = model_status(spec)
        if status.state != "ready":
            self.stdout.write(f"{spec.name}: {status.state}. {status.detail}")
            return 1
        endpoint = endpoint_of(spec)
        answer = ask_once(
            endpoint.base_url,
            endpoint.api_key,
            spec.remote_name,
            limit_field="max_completion_tokens" if spec.role_style == "developer" else "max_tokens",
        )
        if answer.fault:
            self.stdout.write(f"{spec.name}: {answer.fault}")
            return 1
        self.stdout.write(f"{spec.name}: ready, one word took {answer.took_ms:,} ms.")
        return 0
