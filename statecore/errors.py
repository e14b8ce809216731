"""The error tree of the core: each error carries a code and whether retrying can help."""

from typing import ClassVar


class StateCoreError(Exception):
    """Raised when a promise of the core is broken; the message is one clear sentence."""

    code: ClassVar[str] = "state_core"
    retryable: ClassVar[bool] = False


class InvalidInput(StateCoreError):
    """Raised when outside data does not fit the contract; says where and what."""

    code = "invalid_input"


class LogBroken(StateCoreError):
    """Raised when a transition chain does not verify."""

    code = "log_broken"
