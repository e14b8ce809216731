"""Why something local could not be had; the message is one clear sentence for the terminal."""


class LocalError(Exception):
    """Raised when a local part cannot be had; tells what happened and what to do."""


class Cancelled(LocalError):
    """Raised when the user stopped a download; finished parts are kept."""


class Busy(LocalError):
    """Raised when another process holds what was asked for."""
