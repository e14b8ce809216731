"""What the local model servers are doing, in one small file that the supervisor writes."""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

State = Literal["downloading", "starting", "ready", "failed", "stopped"]
"""downloading: weights are on their way; starting: the server reads them; ready: it answers;
failed: it will not come by itself; stopped: the supervisor ended it."""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One local model server at one moment."""

    state: State
    detail: str
    """One sentence for people."""
    progress: float | None = None
    """Share of the download, 0 to 1; None when nothing is being downloaded."""
    endpoint: str = ""
    """Base URL ending in /v1; empty while it is not ready."""
    key: str = ""
    """The server's key; it changes with every start."""


def status_path(data_dir: Path) -> Path:
    """Return where the file lies."""
    return data_dir / "run" / "models.json"


def read_status(data_dir: Path) -> dict[str, ModelStatus]:
    """Return the state of each local model by its registry name; empty when nothing was written."""
    try:
        document = json.loads(status_path(data_dir).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(document, dict):
        return {}
    statuses = {str(name): _status(entry) for name, entry in document.items()}
    return {name: status for name, status in statuses.items() if status is not None}


def write_status(data_dir: Path, statuses: Mapping[str, ModelStatus]) -> None:
    """Replace the file as a whole; it holds keys, so only its owner may read it."""
    path = status_path(data_dir)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    document = {name: asdict(status) for name, status in statuses.items()}
    # mkstemp makes the draft readable by its owner alone, from its first byte.
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".models-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False, indent=1)
    Path(draft).replace(path)


def _status(entry: object) -> ModelStatus | None:
    if not isinstance(entry, dict) or entry.get("state") not in get_args(State):
        return None
    progress = entry.get("progress")
    return ModelStatus(
        state=entry["state"],
        detail=str(entry.get("detail", "")),
        progress=float(progress) if isinstance(progress, int | float) else None,
        endpoint=str(entry.get("endpoint", "")),
        key=str(entry.get("key", "")),
    )
