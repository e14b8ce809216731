"""What a person asks of an explanation, and the model that it is planned for."""

from dataclasses import dataclass

from statecore.context.state import Previous
from statecore.context.strategies import ELASTIC, Strategy
from statecore.errors import InvalidInput
from statecore.models import ModelSpec, RoleStyle

TOKENIZER = "estimate"
"""Name of what counts here: no tokenizer, but the scripts of a text."""

RESERVE_DIVISOR = 8
MOST_RESERVED_TOKENS = 4_096
"""So much of a window, and no more, is kept for the answer unless somebody says otherwise."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked beside the file."""

    window_tokens: int | None = None
    """None takes that of the file."""
    reserve_tokens: int | None = None
    """None takes that of the file, else a part of the window."""
    strategy: Strategy = ELASTIC
    role_style: RoleStyle | None = None
    """None takes that of the file, else the role system."""
    conversation: str | None = None
    """Number or id of the conversation of an export; None takes the newest."""
    previous: Previous | None = None
    """What the plan before has chosen."""


@dataclass(frozen=True, slots=True)
class FileModel:
    """What a file says about the model."""

    window_tokens: int | None = None
    reserve_tokens: int | None = None
    name: str = "model"
    tokenizer: str = TOKENIZER
    role_style: RoleStyle = "system"


def model_of(options: Options, file: FileModel) -> ModelSpec:
    """Return the model to plan for; what was asked outweighs what the file says.

    Raises:
        InvalidInput: when nobody says how large the window is, or nothing of it would be left.
    """
    window_tokens = options.window_tokens or file.window_tokens
    if window_tokens is None:
        raise InvalidInput("the file names no window: say how large it is, as in --window 8192")
    usual = max(1, min(MOST_RESERVED_TOKENS, window_tokens // RESERVE_DIVISOR))
    reserve_tokens = options.reserve_tokens or file.reserve_tokens or usual
    if reserve_tokens >= window_tokens:
        raise InvalidInput(
            f"the reserve for the answer of {reserve_tokens} tokens leaves nothing of a window "
            f"of {window_tokens}"
        )
    return ModelSpec(
        name=file.name,
        endpoint="",
        remote_name=file.name,
        window_tokens=window_tokens,
        reply_reserve_tokens=reserve_tokens,
        tokenizer=file.tokenizer,
        role_style=options.role_style or file.role_style,
    )
