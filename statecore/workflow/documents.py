"""Definitions of workflows as documents: strict on the way in, and errors name the place."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    ValidationError,
    model_validator,
)

from statecore.errors import InvalidInput, first_fault, place_of
from statecore.workflow.checks import check
from statecore.workflow.definition import (
    Definition,
    FieldDefinition,
    Mode,
    StateDefinition,
    Transition,
)
from statecore.workflow.guards import AnyOf, DaysAfter, Guard, OneOf, Present, SimpleTest, Within
from statecore.workflow.values import FieldType, Value

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Bound = Annotated[int | float, Field(allow_inf_nan=False)]
Place = tuple[str | int, ...]
ONE, ANY = "#one", "#any"
"""Tags of the forms of a guard; they are no place in a document."""


def _listed(value: Any) -> Any:  # noqa: ANN401  # checked by what it becomes
    return [value] if isinstance(value, str) else value


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Test(_Strict):
    field: Name
    present: bool | None = None
    equals: str | None = None
    one_of: list[str] | None = Field(default=None, alias="in", min_length=1)
    days_after: Name | None = None
    at_least: Bound | None = None
    at_most: Bound | None = None

    @model_validator(mode="after")
    def _has_one_form(self) -> Self:
        has_bounds = self.at_least is not None or self.at_most is not None
        forms = [self.present is not None, self.equals is not None, self.one_of is not None]
        if sum(forms) + has_bounds != 1:
            raise ValueError("needs one of present, equals, in, or at_least and at_most")
        if self.days_after is not None and not has_bounds:
            raise ValueError("days_after needs at_least or at_most, in days")
        return self


class _Rule(_Test):
    rule: Sentence


class _AnyRule(_Strict):
    rule: Sentence
    any: list[_Test] = Field(min_length=1)


def _form(guard: Any) -> str:  # noqa: ANN401  # checked by what it becomes
    return ANY if isinstance(guard, dict) and "any" in guard else ONE


_AnyForm = Annotated[
    Annotated[_Rule, Tag(ONE)] | Annotated[_AnyRule, Tag(ANY)], Discriminator(_form)
]


class _Field(_Strict):
    key: Name
    type: FieldType
    critical: bool = False
    choices: list[Name] = []


class _State(_Strict):
    name: Name
    terminal: bool = False
    retries: Annotated[int, Field(ge=0)] | None = None


class _Move(_Strict):
    name: Name
    sources: Annotated[list[Name], BeforeValidator(_listed), Field(alias="from", min_length=1)]
    target: Name = Field(alias="to")
    mode: Mode = "offer"
    critical: bool = False
    takes: list[Name] = []
    requires: list[Name] = []
    guards: list[_AnyForm] = []


class _Document(_Strict):
    name: Name
    version: Annotated[int, Field(ge=1)]
    start: Name
    states: Annotated[list[_State], Field(min_length=1)]
    fields: list[_Field] = []
    moves: list[_Move] = []


def definition_of(document: Mapping[str, Any]) -> Definition:
    """Return the workflow that a document describes.

    Raises:
        InvalidInput: naming the first place that is wrong, and what is wrong with it.
    """
    try:
        read = _Document.model_validate(document)
    except ValidationError as error:
        raise InvalidInput(first_fault([_untagged(fault) for fault in error.errors()])) from None
    fields = tuple(
        FieldDefinition(field.key, field.type, field.critical, tuple(field.choices))
        for field in read.fields
    )
    definition = Definition(
        name=read.name,
        version=read.version,
        start=read.start,
        states=tuple(StateDefinition(s.name, s.terminal, s.retries) for s in read.states),
        fields=fields,
        transitions=tuple(
            _transition(move, index, fields) for index, move in enumerate(read.moves)
        ),
    )
    check(definition)
    return definition


def _untagged(fault: Any) -> Any:  # noqa: ANN401  # pydantic's own shape
    return fault | {"loc": tuple(step for step in fault["loc"] if step not in {ONE, ANY})}


def _transition(move: _Move, index: int, fields: Sequence[FieldDefinition]) -> Transition:
    known = {field.key: field for field in fields}
    return Transition(
        name=move.name,
        sources=tuple(move.sources),
        target=move.target,
        mode=move.mode,
        is_critical=move.critical,
        takes=tuple(move.takes),
        requires=tuple(move.requires),
        guards=tuple(
            _guard(guard, known, ("moves", index, "guards", number))
            for number, guard in enumerate(move.guards)
        ),
    )


def _guard(guard: _Rule | _AnyRule, known: Mapping[str, FieldDefinition], place: Place) -> Guard:
    if isinstance(guard, _Rule):
        return Guard(guard.rule, _test(guard, known, place))
    tests = (_test(test, known, (*place, "any", number)) for number, test in enumerate(guard.any))
    return Guard(guard.rule, AnyOf(tuple(tests)))


def _test(test: _Test, known: Mapping[str, FieldDefinition], place: Place) -> SimpleTest:
    field = _field(test.field, known, (*place, "field"))
    if test.present is not None:
        return Present(field.key, test.present)
    if test.equals is not None:
        return OneOf(field.key, (_value(test.equals, field, (*place, "equals")),))
    if test.one_of is not None:
        values = (_value(text, field, (*place, "in")) for text in test.one_of)
        return OneOf(field.key, tuple(values))
    if test.days_after is None:
        _must_be(field, "number", (*place, "field"))
        return Within(field.key, _bound(test.at_least), _bound(test.at_most))
    since = _field(test.days_after, known, (*place, "days_after"))
    for dated, step in ((field, "field"), (since, "days_after")):
        _must_be(dated, "date", (*place, step))
    return DaysAfter(field.key, since.key, _bound(test.at_least), _bound(test.at_most))


def _field(key: str, known: Mapping[str, FieldDefinition], place: Place) -> FieldDefinition:
    if key not in known:
        raise InvalidInput(f"{place_of(place)}: there is no field {key!r}")
    return known[key]


def _must_be(field: FieldDefinition, type_: FieldType, place: Place) -> None:
    if field.type != type_:
        raise InvalidInput(f"{place_of(place)}: {field.key!r} is a {field.type}, not a {type_}")


def _value(text: str, field: FieldDefinition, place: Place) -> Value:
    value = field.read(text)
    if value is None:
        raise InvalidInput(f"{place_of(place)}: {text!r} is no value of {field.key!r}")
    return value


def _bound(bound: Bound | None) -> Decimal | None:
    return None if bound is None else Decimal(str(bound))
