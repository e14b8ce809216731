"""Contracts as text: read and checked, upgraded from older versions, and written."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from statecore.contract.checks import check
from statecore.contract.page import from_page
from statecore.contract.page_places import page_place
from statecore.contract.places import Steps, WrongAt, first_wrong, wrong
from statecore.contract.plain import from_plain
from statecore.contract.plain_places import plain_place
from statecore.contract.projection import check_projection, projected
from statecore.contract.schema import CURRENT, Contract
from statecore.errors import InvalidInput

Document = dict[str, Any]

UPGRADES: Mapping[str, Callable[[Document], Document]] = {
    "glassbox.state.1": from_plain,
    "glassbox.page.2": from_page,
}
"""By version, what makes a document one of a newer version."""

PLACES: Mapping[str, Callable[[Document, Steps], Steps]] = {
    "glassbox.state.1": plain_place,
    "glassbox.page.2": page_place,
}
"""By version, where in a document lies what is at a place of the state that it becomes."""

KNOWN = (*UPGRADES, CURRENT)

SHOWN_CHARACTERS = 60


def parse(text: str) -> Contract:
    """Return the contract that a JSON text holds, upgraded where it is of an older version.

    Readable parts that deltas and operations come to may be left out; where they are there they
    have to agree, so that nobody edits them in vain.

    Raises:
        InvalidInput: naming the first place that is wrong, and why.
    """
    return contract_from(read_json(text), text)


def contract_from(found: object, text: str | None = None) -> Contract:
    """Return the contract that a JSON value is; `text` spares writing it out again.

    Raises:
        InvalidInput: as `parse`.
    """
    upgraded = upgrade(found)
    try:
        contract = _validated(text if text and upgraded is found else json.dumps(upgraded))
        check(contract)
        return check_projection(contract)
    except WrongAt as error:
        raise wrong(place_in_file(found, error.steps), error.sentence) from None


def place_in_file(found: object, steps: Steps) -> Steps:
    """Return where in a document lies what is at a place of the state that it becomes.

    Args:
        found: the document, of whatever version; one that could be upgraded.
        steps: the place in the state.
    """
    place = PLACES.get(version_of(found) or "")
    return steps if place is None or not isinstance(found, dict) else place(found, steps)


def read_json(text: str) -> Any:  # noqa: ANN401  # JSON is what it is
    """Return what a JSON text holds.

    Raises:
        InvalidInput: when it is none; says at which line.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        said = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise InvalidInput(f"{said} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise InvalidInput("not a state: its parts are nested too deep") from None
    except ValueError:
        raise InvalidInput("not JSON that can be read: a number has too many digits") from None


def decoded(body: bytes) -> str:
    """Return the text of a file.

    Raises:
        InvalidInput: when it is not UTF-8.
    """
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"not UTF-8 text at byte {error.start + 1}") from None


def version_of(document: object) -> str | None:
    """Return the version that a document names, known or not; None when it names none."""
    if not isinstance(document, dict):
        return None
    named = document.get("schema_version")
    if named is not None:
        return _shown(named)
    named = document.get("schema")
    return named if isinstance(named, str) and named.startswith("glassbox.") else None


def _shown(named: object) -> str:
    text = str(named) if isinstance(named, str | int | float) else type(named).__name__
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def upgrade(document: object) -> Document:
    """Return a document in the current version.

    Raises:
        InvalidInput: when it names no known version, or is not what its version says.
    """
    version = version_of(document)
    if not isinstance(document, dict) or version is None:
        raise wrong(("schema_version",), f"names no version; known are {', '.join(KNOWN)}")
    upgraded = document
    while version != CURRENT:
        if version not in UPGRADES:
            raise wrong(
                ("schema_version",), f"{version} is not known; known are {', '.join(KNOWN)}"
            )
        upgraded = UPGRADES[version](upgraded)
        version = version_of(upgraded) or ""
    return upgraded


def dump(contract: Contract) -> str:
    """Return a contract as JSON text; equal contracts give equal text."""
    return projected(contract).model_dump_json(indent=1, exclude_defaults=True) + "\n"


def _validated(text: str) -> Contract:
    try:
        return Contract.model_validate_json(text)
    except ValidationError as error:
        raise first_wrong(error) from None
