"""Loads at start what the first turn would otherwise wait for."""

import gc
import logging

from chatapp.wiring import count_reference, warm_client

logger = logging.getLogger(__name__)


def warm_up() -> None:
    """Load the tokenizer's ranks and the provider's client; takes about two seconds."""
    try:
        count_reference("")
        warm_client()
    except Exception:
        # Without it the first turn is slow, nothing more.
        logger.exception("Warming up failed")
    # What is loaded now stays: a full collection would walk through all of it, and stop every
    # stream for a tenth of a second.
    gc.collect()
    gc.freeze()
