"""Plays a recorded session: every transition of its log is done again, and no provider is called.

Each step goes through the same services as when it happened, at the time at which it happened; what
providers said comes from recordings. The session has to end in the same state.
"""

from chatapp.runtime.playing.player import play
from chatapp.runtime.playing.session import Fault, NotPlayable, Played

__all__ = ["Fault", "NotPlayable", "Played", "play"]
