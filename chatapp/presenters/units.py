"""Numbers in the words of people."""

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from statecore.tokens import Quality

_SECOND_MS = 1000
_MINUTE_S = 60
_ROUGH_FROM_S = 10  # above it nobody reads tenths
_HOUR_MIN = 60
_DAY_MIN = 24 * _HOUR_MIN


def tokens(count: int, quality: Quality | str = "") -> str:
    """Return a number of tokens; an estimate says so with a sign."""
    number = number_format(count, use_l10n=True, force_grouping=True)
    return f"≈ {number}" if quality == "estimated" else number


def messages(count: int) -> str:
    """Return how many messages there are."""
    return ngettext("%(count)s message", "%(count)s messages", count) % {"count": count}


def duration(milliseconds: int) -> str:
    """Return a duration with as many digits as a person can use."""
    if milliseconds < _SECOND_MS:
        return gettext("%(number)s ms") % {"number": milliseconds}
    seconds = milliseconds / _SECOND_MS
    if seconds < _MINUTE_S:
        number = number_format(seconds, decimal_pos=1 if seconds < _ROUGH_FROM_S else 0)
        return gettext("%(number)s s") % {"number": number}
    minutes, rest = divmod(round(seconds), _MINUTE_S)
    return gettext("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": rest}


def percent(share: float) -> str:
    """Return a share of 1.0 in percent; little is not nothing."""
    if 0 < share * 100 < 1:
        return gettext("under 1 %")
    return gettext("%(number)s %%") % {"number": round(share * 100)}


def excerpt(text: str, characters: int = 80) -> str:
    """Return the beginning of a text in one line."""
    line = " ".join(text.split())
    return line if len(line) <= characters else line[: characters - 1].rstrip() + "…"


def rough(milliseconds: int) -> str:
    """Return a long duration in its largest unit; nobody plans by more digits."""
    minutes = max(1, round(milliseconds / _SECOND_MS / _MINUTE_S))
    if minutes < _HOUR_MIN:
        return gettext("%(n)s min") % {"n": minutes}
    if minutes < _DAY_MIN:
        return gettext("%(n)s h") % {"n": round(minutes / _HOUR_MIN)}
    days = round(minutes / _DAY_MIN)
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": days}
