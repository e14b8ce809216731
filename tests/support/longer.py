"""Makes a conversation of an installation longer: `python -m tests.support.longer ID TURNS`.

Runs as a process of its own, under the installation's own settings and keys.
"""

import os
import sys
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")


def main() -> None:
    """Copy the newest turn of the conversation until there are as many as asked for."""
    django.setup()
    # Django must be set up before its models are imported.
    from django.contrib.auth.models import User  # noqa: PLC0415

    from chatapp.access import conversation_for  # noqa: PLC0415
    from tests.support.lengthen import lengthen  # noqa: PLC0415

    lengthen(conversation_for(User.objects.get(), UUID(sys.argv[1])), int(sys.argv[2]))


if __name__ == "__main__":
    main()
