"""What the database itself refuses, table by table; the triggers of both databases say this."""

from dataclasses import dataclass
from typing import Final

PERMIT_TABLE: Final = "chatapp_erasurepermit"
"""SQLite: a row of this table permits one conversation, or all when it names none."""
PERMIT_SETTING: Final = "glassbox.erasure"
"""PostgreSQL: this transaction-local setting names the permitted conversation, or is `all`."""
PERMIT_ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Guard:
    """What one table refuses unless an erasure permit stands."""

    noun: str
    conversation: str
    """SQL of the conversation that the row `OLD` belongs to."""
    kept: tuple[str, ...]
    """Columns that even a permitted UPDATE must leave as they are."""
    erased: str
    """SQL that the row `NEW` of a permitted UPDATE must satisfy; `FALSE` refuses every one."""
    unique: tuple[tuple[str, ...], ...]
    """Keys under which SQLite's INSERT OR REPLACE would remove a row without asking."""
    refusal: str

    @property
    def table(self) -> str:
        """Name of the guarded table."""
        return f"chatapp_{self.noun}"


GUARDS: Final = (
    Guard(
        noun="transition",
        conversation="OLD.conversation_id",
        kept=(),
        erased="FALSE",
        unique=(("id",), ("conversation_id", "seq")),
        refusal="The log is append-only: a transition is never changed or removed.",
    ),
    Guard(
        noun="payload",
        conversation=(
            "(SELECT conversation_id FROM chatapp_transition WHERE id = OLD.transition_id)"
        ),
        kept=("id", "transition_id", "part"),
        erased="NEW.body IS NULL AND NEW.erased_ms IS NOT NULL",
        unique=(("id",), ("transition_id", "part")),
        refusal="A payload is never changed or removed, only erased under a permit.",
    ),
    Guard(
        noun="message",
        conversation="OLD.conversation_id",
        kept=("id", "conversation_id", "turn_id", "seq", "position", "role", "created_ms"),
        erased="NEW.redacted_ms IS NOT NULL",
        unique=(("id",),),
        refusal="A message is never changed or removed, only redacted under a permit.",
    ),
)
