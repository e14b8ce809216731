"""Every ink can be read on every ground it stands on (WCAG 2.2 AA), in light and in dark."""

import re
from pathlib import Path

import pytest
from django.conf import settings

TOKENS = (Path(settings.BASE_DIR) / "static" / "css" / "tokens.css").read_text()
COLOURS = {
    name: pair
    for name, *pair in re.findall(
        r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", TOKENS
    )
}
TEXT = 4.5
SHAPE = 3.0
PAIRS = [
    *[
        (ink, ground, TEXT)
        for ink in ("ink", "ink-soft", "ink-faint", "accent")
        for ground in ("canvas", "pane", "raised", "sunken")
    ],
    *[(ink, "question", TEXT) for ink in ("ink",)],
    *[(ink, "accent-soft", TEXT) for ink in ("ink", "ink-soft", "ink-faint", "accent")],
    ("accent-ink", "accent", TEXT),
    ("accent-ink", "accent-strong", TEXT),
    ("pane", "danger", TEXT),
    *[(ink, ground, TEXT) for ink in ("danger", "ink-soft", "ink") for ground in ("danger-soft",)],
    *[
        (ink, ground, TEXT)
        for ink in ("warning", "ink-soft", "ink")
        for ground in ("warning-soft",)
    ],
    ("danger", "raised", TEXT),
    ("warning", "raised", TEXT),
    ("warning", "pane", TEXT),
    *[(f"code-{kind}", "code", TEXT) for kind in ("keyword", "string", "number", "comment")],
    ("line-strong", "raised", SHAPE),
    *[(f"part-{kind}", "raised", SHAPE) for kind in ("system", "message", "state", "input")],
]

ORIGINS = [name for name in COLOURS if name.startswith("origin-")]
MIXED = 0.16
"""How much of its colour stands behind the words of an origin."""


def luminance(colour):
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS, ids=str)
def test_it_can_be_read(ink, ground, least, scheme):
    assert contrast(COLOURS[ink][scheme], COLOURS[ground][scheme]) >= least


def mixed(one, other, share):
    """Return a colour with a share of another in it, as `color-mix` in sRGB has it."""
    pairs = [(int(c[i : i + 2], 16) for c in (one, other)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("origin", ORIGINS)
def test_words_can_be_read_on_the_colour_of_their_origin(origin, scheme):
    colour, ground = COLOURS[origin][scheme], COLOURS["raised"][scheme]

    assert contrast(COLOURS["ink"][scheme], mixed(colour, ground, MIXED)) >= TEXT
    assert contrast(colour, ground) >= SHAPE


def test_the_style_sheet_mixes_as_much_as_was_measured():
    sheet = (Path(settings.BASE_DIR) / "static" / "css" / "wire.css").read_text()

    assert set(re.findall(r"color-mix\(in srgb, var\(--origin\) (\d+)%", sheet)) == {"16"}
    assert len(ORIGINS) == 10


def test_black_on_white_is_the_greatest_contrast():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_no_other_style_sheet_names_a_colour():
    sheets = (Path(settings.BASE_DIR) / "static" / "css").glob("*.css")

    named = {
        path.name
        for path in sheets
        if path.name != "tokens.css" and re.search(r"#[0-9a-f]{3,8}\b[^{]*;", path.read_text())
    }

    assert named == set()
