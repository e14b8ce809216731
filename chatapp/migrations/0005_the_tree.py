import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import chatapp.ids


class Migration(migrations.Migration):
    dependencies = [
        ("chatapp", "0004_accounts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="recording",
            field=models.BinaryField(null=True),
        ),
        migrations.AddField(
            model_name="branch",
            name="clock_ms",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="branch",
            name="clock_set_ms",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="branch",
            name="left_branch",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="chatapp.branch",
            ),
        ),
        migrations.AddField(
            model_name="branch",
            name="redo_tip",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="chatapp.turn",
            ),
        ),
        migrations.AlterField(
            model_name="branch",
            name="origin",
            field=models.CharField(
                choices=[
                    ("main", "Main"),
                    ("edit", "Edit"),
                    ("regenerate", "Regenerate"),
                    ("candidate", "Candidate"),
                    ("fork", "Fork"),
                    ("rollback", "Rollback"),
                ],
                default="main",
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="Feedback",
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
                ("replaced_by", models.UUIDField(null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("thumb", "Thumb"),
                            ("edit", "Edit"),
                            ("regenerate", "Regenerate"),
                        ],
                        max_length=16,
                    ),
                ),
                ("thumb", models.SmallIntegerField(default=0)),
                ("seq", models.BigIntegerField()),
                ("created_ms", models.BigIntegerField()),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feedback",
                        to="chatapp.conversation",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feedback",
                        to="chatapp.message",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feedback",
                        to="chatapp.turn",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["turn", "kind", "-seq"], name="feedback_of_turn")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("conversation", "seq"), name="feedback_seq_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ReplayRun",
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
                ("order", models.BinaryField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("cancelled", "Cancelled"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("total", models.IntegerField(default=0)),
                ("done", models.IntegerField(default=0)),
                ("cancel_requested", models.BooleanField(default=False)),
                ("report", models.BinaryField(null=True)),
                ("detail", models.CharField(default="", max_length=300)),
                ("heartbeat_ms", models.BigIntegerField(default=0)),
                ("created_ms", models.BigIntegerField()),
                ("ended_ms", models.BigIntegerField(null=True)),
                (
                    "key_space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chatapp.keyspace",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["key_space", "-created_ms"], name="replay_by_recency")
                ],
            },
        ),
    ]
