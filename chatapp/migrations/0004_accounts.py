import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import chatapp.ids
from chatapp.services.accounts import folded


def note_names(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    users = apps.get_model("auth", "User").objects.order_by("pk").values_list("pk", "username")
    names = apps.get_model("chatapp", "AccountName")
    rows = [names(user_id=pk, folded=folded(username)) for pk, username in users]
    # Of two names that differ in case only, the older keeps its note.
    names.objects.bulk_create(rows, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chatapp", "0003_memory_answers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountName",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="account_name",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("folded", models.CharField(max_length=450, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                        verbose_name="session key",
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                (
                    "expire_date",
                    models.DateTimeField(db_index=True, verbose_name="expire date"),
                ),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="SignInFailure",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=chatapp.ids.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("target", models.CharField(max_length=64)),
                ("created_ms", models.BigIntegerField(db_index=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["target", "created_ms"], name="sign_in_failure_recent")
                ],
            },
        ),
        migrations.RunPython(note_names, migrations.RunPython.noop),
        # Django's own table of sessions, of earlier versions: everybody signs in once more.
        migrations.RunSQL("DROP TABLE IF EXISTS django_session", migrations.RunSQL.noop),
    ]
