"""One installation as a person would have it: data folder, models, database, processes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.web_process import WebProcess, run_python
from tests.support.worker_process import WorkerProcess

WINDOW_TOKENS = 32_000


class Installation:
    """A migrated database whose only models are those of a scripted provider."""

    def __init__(
        self,
        data_dir: Path,
        provider_url: str,
        *,
        redis_url: str = "",
        environment: Mapping[str, str] | None = None,
        for_memory: bool = False,
    ) -> None:
        self.data_dir = data_dir
        models = data_dir / "models.toml"
        models.write_text(models_toml(provider_url, for_memory=for_memory), encoding="utf-8")
        self._environment = {
            "GLASSBOX_MODELS": str(models),
            "REDIS_URL": redis_url,
            **(environment or {}),
        }

    def prepare(self) -> None:
        """Make the database."""
        self.manage("migrate", "--verbosity", "0")

    def manage(self, *arguments: str) -> str:
        """Run one management command and return its output."""
        return run_python(self.data_dir, self._environment, "manage.py", *arguments)

    def run(self, *arguments: str) -> str:
        """Run Python with its settings and return the output."""
        return run_python(self.data_dir, self._environment, *arguments)

    def ledger(self) -> list[dict[str, Any]]:
        """Return what the database holds: every turn with its status and texts."""
        printed = run_python(self.data_dir, self._environment, "-m", "tests.support.ledger")
        turns: list[dict[str, Any]] = json.loads(printed)
        return turns

    def learned(self) -> list[dict[str, Any]]:
        """Return what the database holds of memory: every turn with what it taught."""
        printed = run_python(self.data_dir, self._environment, "-m", "tests.support.learned")
        turns: list[dict[str, Any]] = json.loads(printed)
        return turns

    def lengthen(self, conversation_id: str, turns: int) -> None:
        """Copy the newest turn of a conversation until there are so many."""
        self.run("-m", "tests.support.longer", conversation_id, str(turns))

    def worker(self, name: str = "worker") -> WorkerProcess:
        """Return a worker that is not started yet."""
        return WorkerProcess(self.data_dir, self._environment, name=name)

    def web(self, name: str = "web") -> WebProcess:
        """Return a web process that is not started yet."""
        return WebProcess(self.data_dir, self._environment, name=name)


def models_toml(
    base_url: str, names: tuple[str, ...] = ("scripted", "second"), *, for_memory: bool = False
) -> str:
    """Return a registry file in which one server has these models.

    Args:
        base_url: of the server; empty for local models, which have none in the file.
        names: of the models, the default one first.
        for_memory: also asks them to label sentences, one more request for most turns.
    """
    place = f"endpoint = {json.dumps(base_url)}" if base_url else "local = true"
    abilities = ["json_schema", "stream_usage"] if for_memory else ["stream_usage"]
    return "\n".join(
        f"""
[[models]]
name = {json.dumps(name)}
{place}
remote_name = {json.dumps(name)}
window_tokens = {WINDOW_TOKENS}
reply_reserve_tokens = 1024
tokenizer = "o200k_base"
abilities = {json.dumps(abilities)}
for_memory = {json.dumps(for_memory)}
fallback_order = {order}
"""
        for order, name in enumerate(names)
    )
