"""Changes the database behind the triggers' back, as somebody with the file in hand could."""

from collections.abc import Iterator
from contextlib import contextmanager

from chatapp.store import triggers
from tests.support.sql import execute


@contextmanager
def guards_down() -> Iterator[None]:
    """Take the triggers away for a block and put them back, so that no trace of it stays."""
    triggers.remove()
    yield
    triggers.install()


def tamper(*statements: str) -> None:
    """Run statements that the triggers would refuse."""
    with guards_down():
        for sql in statements:
            execute(sql)
