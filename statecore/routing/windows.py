"""How much of a model's window its provider takes, where a request was refused as too long."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from statecore.models import ModelSpec
from statecore.routing.overflow import TOLD_SHARE, ToldLimits


@dataclass(frozen=True, slots=True)
class LearnedWindow:
    """The window that requests are planned for instead of the model's own."""

    own_tokens: int
    """The window that the model's entry names."""
    window_tokens: int
    reply_reserve_tokens: int
    told_tokens: int | None = None
    """The limit that the provider named, in its own tokens; None where it named none."""

    @property
    def room_tokens(self) -> int:
        """What a prompt may have."""
        return self.window_tokens - self.reply_reserve_tokens

    def narrowed(self, model: ModelSpec) -> ModelSpec:
        """Return the model with this window."""
        return replace(
            model,
            window_tokens=self.window_tokens,
            reply_reserve_tokens=self.reply_reserve_tokens,
        )

    def grown(self, planned_tokens: int, reported_tokens: int) -> "LearnedWindow":
        """Return the window after an answer that tells how the provider counts.

        From then on estimated counts are multiplied by what they were too low, and so is the room
        that was measured in them; it never grows beyond the limit that was named.

        Args:
            planned_tokens: of the request that was answered, as it was estimated.
            reported_tokens: of the same request, by the provider.
        """
        if self.told_tokens is None or not 0 < planned_tokens < reported_tokens:
            return self
        most = int(TOLD_SHARE * self.told_tokens) - self.reply_reserve_tokens
        room = min(int(self.room_tokens * reported_tokens / planned_tokens), most)
        room = max(room, self.room_tokens)
        return replace(self, window_tokens=room + self.reply_reserve_tokens)


def learned_window(own: ModelSpec, smaller: ModelSpec, told: ToldLimits) -> LearnedWindow:
    """Return what a refusal taught.

    Args:
        own: the model as its entry says.
        smaller: for which the refused request is planned again.
        told: what the provider said.
    """
    limit = told.prompt_limit_tokens or told.window_tokens
    return LearnedWindow(
        own.window_tokens,
        smaller.window_tokens,
        smaller.reply_reserve_tokens,
        limit if limit is not None and limit < own.window_tokens else None,
    )


def window_document(window: LearnedWindow) -> dict[str, int | None]:
    """Return a learned window as plain JSON data."""
    return {name: getattr(window, name) for name in LearnedWindow.__dataclass_fields__}


def window_in(document: Mapping[str, Any]) -> LearnedWindow:
    """Return the learned window that a document holds, which may say more."""
    return LearnedWindow(
        **{name: document[name] for name in LearnedWindow.__dataclass_fields__ & document.keys()}
    )
