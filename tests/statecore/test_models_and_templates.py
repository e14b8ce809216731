"""What a plan depends on has a hash that changes with any of it."""

import json
from dataclasses import fields, replace

import pytest

from statecore.models import (
    ModelPrices,
    ModelSpec,
    spec_document,
    spec_from_document,
    spec_hash,
)
from statecore.templates import Template
from tests.statecore.builders import TEMPLATE, spec


def test_equal_specs_have_equal_hashes_whatever_the_order_of_their_abilities():
    one = spec(abilities=frozenset(["tools", "vision", "json_schema"]))
    other = spec(abilities=frozenset(["json_schema", "tools", "vision"]))

    assert spec_hash(one) == spec_hash(other)


@pytest.mark.parametrize("field", [f.name for f in fields(ModelSpec)])
def test_every_field_of_a_spec_counts(field):
    value = getattr(spec(), field)
    changed = {
        "abilities": frozenset({"tools"}),
        "languages": ("ru",),
        "role_style": "developer",
        "state_role": "user",
        "limits": replace(spec().limits, silence_ms=1),
        "prices": replace(spec().prices, input_usd=0.0),
    }.get(field, value + "x" if isinstance(value, str) else not value)

    assert spec_hash(replace(spec(), **{field: changed})) != spec_hash(spec())


def test_a_stored_spec_comes_back_and_forgets_what_is_no_longer_known():
    given = spec(abilities=frozenset(["tools"]), languages=("ru",), prices=ModelPrices(0.1, None))
    stored = json.loads(json.dumps(spec_document(given))) | {"a_field_of_old": 1}

    assert spec_from_document(stored) == given


@pytest.mark.parametrize("field", [f.name for f in fields(Template)])
def test_every_field_of_a_template_counts(field):
    value = getattr(TEMPLATE, field)
    changed = {
        "version": 2,
        "notes": replace(TEMPLATE.notes, goal="x"),
    }.get(field, f"{value}x")
    other = replace(TEMPLATE, **{field: changed})

    assert other.hash != TEMPLATE.hash
    assert other.count_id("system") != TEMPLATE.count_id("system")
