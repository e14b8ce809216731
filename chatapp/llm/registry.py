"""The models of this installation: found once, read again when their file changes."""

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

from django.conf import settings

from chatapp.llm.discovery import models_by_variables, models_on_this_machine
from chatapp.llm.model_file import ModelsFileError, format_models, read_models
from chatapp.local.status import State, read_status
from statecore.models import ModelSpec

logger = logging.getLogger(__name__)

FILE_VARIABLE = "GLASSBOX_MODELS"
CHOICE_VARIABLE = "MODEL"
NICKNAMES = {"small": "smollm2-135m", "default": "qwen2.5-coder-1.5b"}
# Nothing listens there: a call to a model that is not up fails as any unreachable server does.
NOWHERE = "http://127.0.0.1:1/v1"


@dataclass(frozen=True, slots=True)
class ModelState:
    """Whether a model can be asked now."""

    state: State
    detail: str
    """One sentence."""
    progress: float | None = None
    """Share of the download, 0 to 1; None when there is none."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the models come from."""

    path: Path | None
    """The models file, or None when they were found without one."""
    found: tuple[ModelSpec, ...] = ()


class Registry:
    """Looks for models in this order, and stays with the first place that has some.

    The file in GLASSBOX_MODELS; OPENAI_API_KEY or OPENAI_BASE_URL; a server that answers on this
    machine; the models file of the repository, whose models Glassbox fetches and serves itself.
    MODEL narrows what was found to one model.
    """

    def __init__(
        self,
        *,
        environ: Mapping[str, str],
        data_dir: Path,
        shipped: Path,
        nearby: Callable[[], tuple[ModelSpec, ...]] = models_on_this_machine,
        by_variables: Callable[
            [Mapping[str, str], str], tuple[ModelSpec, ...] | None
        ] = models_by_variables,
    ) -> None:
        self._environ = environ
        self._data_dir = data_dir
        self._shipped = shipped
        self._nearby = nearby
        self._by_variables = by_variables
        self._lock = Lock()
        self._source: Source | None = None
        self._stamp: tuple[int, int] | None = None
        self._models: tuple[ModelSpec, ...] = ()

    def all(self) -> tuple[ModelSpec, ...]:
        """Return the models in fallback order; a changed file is read again.

        Raises:
            ModelsFileError: when there is no usable list; a file that breaks later is reported
                in the log, and the models known before stay.
        """
        with self._lock:
            if self._source is None:
                self._source = self._find()
            self._refresh(self._source)
            return self._models

    def get(self, name: str) -> ModelSpec | None:
        """Return the model of a name, or None."""
        return next((spec for spec in self.all() if spec.name == name), None)

    def default(self) -> ModelSpec | None:
        """Return the first model in fallback order, or None when there is none."""
        return next(iter(self.all()), None)

    def endpoint_of(self, spec: ModelSpec) -> tuple[str, str]:
        """Return base URL and key of a model as they are now; the key is empty where none is."""
        if not spec.local:
            return spec.endpoint, self._key_of(spec)
        status = read_status(self._data_dir).get(spec.name)
        return (status.endpoint or NOWHERE, status.key) if status else (NOWHERE, "")

    def state_of(self, spec: ModelSpec) -> ModelState:
        """Return whether a model can be asked now, and if not, why."""
        if not spec.local:
            if spec.key_variable and not self._key_of(spec):
                return ModelState("failed", f"{spec.name} needs a key: set {spec.key_variable}.")
            return ModelState("ready", f"{spec.name} is reached at {spec.endpoint}.")
        status = read_status(self._data_dir).get(spec.name)
        if status is None:
            detail = f"{spec.name} is not running: start Glassbox with make run."
            return ModelState("stopped", detail)
        return ModelState(status.state, status.detail, status.progress)

    def pin(self, path: Path) -> Path:
        """Return a file that other processes can read to have the same models.

        Args:
            path: where to write one, if the models were found without a file.
        """
        models = self.all()
        if self._source and self._source.path:
            return self._source.path.resolve()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text(format_models(models), encoding="utf-8")
        return path

    def _find(self) -> Source:
        if named := self._environ.get(FILE_VARIABLE, "").strip():
            return Source(Path(named))
        choice = self._choice()
        # The local models have names of their own, which mean them whatever else is there.
        if choice in NICKNAMES.values():
            return Source(self._shipped)
        found = self._by_variables(self._environ, choice)
        if found is None:
            found = self._nearby() or None
        elif not found:
            raise ModelsFileError(
                "The server in OPENAI_BASE_URL does not answer or lists no models: check the "
                "address, or name the model in MODEL."
            )
        return Source(None, found) if found else Source(self._shipped)

    def _refresh(self, source: Source) -> None:
        if source.path is None:
            self._models = self._narrow(source.found)
            return
        try:
            stat = source.path.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
        except OSError as error:
            stamp = (0, 0)
            if not self._models:
                raise ModelsFileError(
                    f"The models file {source.path} cannot be read: {error.strerror}."
                ) from error
        if stamp == self._stamp:
            return
        try:
            self._models = self._narrow(read_models(source.path))
        except ModelsFileError as error:
            if not self._models:
                raise
            logger.warning("The models stay as they were: %s", error)
        self._stamp = stamp

    def _narrow(self, models: tuple[ModelSpec, ...]) -> tuple[ModelSpec, ...]:
        choice = self._choice()
        if not choice:
            return models
        chosen = tuple(spec for spec in models if spec.name == choice)
        if not chosen:
            names = ", ".join(spec.name for spec in models)
            raise ModelsFileError(
                f"MODEL names {choice!r}, which is not among the models: {names}."
            )
        return chosen

    def _choice(self) -> str:
        choice = self._environ.get(CHOICE_VARIABLE, "").strip()
        return NICKNAMES.get(choice, choice)

    def _key_of(self, spec: ModelSpec) -> str:
        return self._environ.get(spec.key_variable, "").strip() if spec.key_variable else ""


@lru_cache(maxsize=1)
def default_registry() -> Registry:
    """Return the registry of this process."""
    return Registry(
        environ=os.environ,
        data_dir=settings.DATA_DIR,
        shipped=settings.BASE_DIR / "models.toml",
    )
