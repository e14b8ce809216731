"""`import_conversations`: makes conversations of a file, and says what did not come in."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chatapp.access import conversation_for
from chatapp.models import Conversation
from chatapp.selectors.contract_tree import tree_of
from tests.statecore.export_builders import chat

pytestmark = pytest.mark.django_db


def run(path, *arguments) -> tuple[list[str], str]:
    output, errors = StringIO(), StringIO()
    call_command("import_conversations", str(path), *arguments, stdout=output, stderr=errors)
    return output.getvalue().split(), errors.getvalue()


def written(folder, *conversations):
    path = folder / "conversations.json"
    path.write_text(json.dumps(conversations), encoding="utf-8")
    return path


def test_ids_are_printed_and_what_did_not_come_in_is_said(cast, tmp_path):
    path = written(tmp_path, chat("One", "Yes"), chat(), chat("Zwei", "Ja", title="Z"))
    ids, said = run(path, "--user", "mallory")
    titles = [tree_of(conversation_for(cast.mallory, made)).conversation.title for made in ids]
    assert titles == ["A talk", "Z"]
    assert "Not imported: conversation 2: holds no message of a user." in said
    assert "2 conversations imported." in said


def test_a_file_without_one_good_conversation_fails(cast, tmp_path):
    path = written(tmp_path, chat(), chat())
    before = Conversation.objects.count()
    with pytest.raises(CommandError, match="no conversation of it could be imported"):
        run(path, "--user", "alice")
    assert Conversation.objects.count() == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Say with --user whose they will be: there is not exactly one user."),
        (["--user", "nobody"], "There is no user nobody."),
        (["--user", "alice"], "nothing.json: No such file or directory."),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(cast, arguments, sentence):
    with pytest.raises(CommandError) as error:
        run("nothing.json", *arguments)
    assert str(error.value) == sentence


def test_what_is_nothing_that_is_known_is_refused(cast, tmp_path):
    path = tmp_path / "wrong.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(CommandError, match=r"wrong.json: not JSON: .* at line 1, column 2\."):
        run(path, "--user", "alice")
