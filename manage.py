#!/usr/bin/env python
"""Runs Django's command line with the settings of Glassbox."""

import os
import sys


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415  # after the line above
    from django.core.management import execute_from_command_line  # noqa: PLC0415  # after the line above

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
