"""`import_state`: makes a conversation of a file, or says in one sentence why not."""

from io import BytesIO, StringIO, TextIOWrapper

import pytest
from django.core.management import CommandError, call_command

from chatapp.access import conversation_for
from chatapp.models import Conversation
from chatapp.selectors.contract import contract_of
from statecore.contract.document import parse
from statecore.contract.hashing import state_hash
from tests.statecore.contract_builders import SAMPLES, sample

pytestmark = pytest.mark.django_db
NAME = "state.3.ru.json"


def run(*arguments) -> str:
    output = StringIO()
    call_command("import_state", *arguments, stdout=output)
    return output.getvalue().strip()


def refused(*arguments) -> str:
    with pytest.raises(CommandError) as error:
        run(*arguments)
    return str(error.value)


def test_the_conversation_belongs_to_the_person_who_is_named(cast):
    made = run(str(SAMPLES / NAME), "--user", "mallory")
    found = contract_of(conversation_for(cast.mallory, made))
    assert state_hash(found) == state_hash(parse(sample(NAME)))


def test_nobody_has_to_be_named_where_there_is_one_person_only(django_user_model):
    alone = django_user_model.objects.create_user("alone")
    made = run(str(SAMPLES / NAME))
    assert conversation_for(alone, made).conversation.title_by_user is False


def test_a_state_may_come_from_standard_input(cast, monkeypatch):
    given = TextIOWrapper(BytesIO(sample(NAME).encode()))
    monkeypatch.setattr("chatapp.management.commands.import_state.sys.stdin", given)
    assert Conversation.objects.filter(pk=run("-", "--user", "alice")).exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([NAME], "Say with --user whose it will be: there is not exactly one user."),
        ([NAME, "--user", "nobody"], "There is no user nobody."),
        (["nothing.json", "--user", "alice"], "nothing.json: No such file or directory."),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(cast, arguments, sentence):
    assert refused(*arguments) == sentence


def test_a_wrong_file_makes_no_conversation(cast, tmp_path):
    path = tmp_path / "wrong.json"
    path.write_text('{"schema_version": "glassbox.state.1", "messages": [{}]}', encoding="utf-8")
    before = Conversation.objects.count()
    assert refused(str(path), "--user", "alice") == f"{path}: messages 1 → role: field required."
    assert Conversation.objects.count() == before
