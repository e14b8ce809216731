from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from chatapp.store import triggers


def install(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection.alias)


def remove(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection.alias)


class Migration(migrations.Migration):
    dependencies = [("chatapp", "0001_initial")]
    operations = [migrations.RunPython(install, remove)]
