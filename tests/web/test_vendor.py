"""What is vendored is what it says."""

from pathlib import Path

import pytest
from django.conf import settings

VENDOR = Path(settings.BASE_DIR) / "static" / "vendor"
HTMX_VERSION = "4.0.1"


def test_the_folder_names_the_version_in_the_file():
    script = (VENDOR / "htmx" / HTMX_VERSION / "htmx.min.js").read_text()

    assert f'version="{HTMX_VERSION}"' in script


def test_the_pages_load_the_vendored_version():
    base = (Path(settings.BASE_DIR) / "templates" / "_app_head.html").read_text()

    assert f"vendor/htmx/{HTMX_VERSION}/htmx.min.js" in base
    assert f"vendor/htmx/{HTMX_VERSION}/ext/hx-ws.min.js" in base


@pytest.mark.parametrize("folder", ["htmx/4.0.1", "fonts/onest", "fonts/jetbrains-mono"])
def test_each_piece_comes_with_its_licence(folder):
    assert (VENDOR / folder / "LICENSE").read_text().strip()
