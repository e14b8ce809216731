"""Who may see a conversation: its owner; to everybody else it does not exist."""

import pytest
from django.http import Http404

from chatapp import keyring
from chatapp.access import conversation_for, owner_of
from chatapp.ids import new_id
from chatapp.models import KeySpace
from chatapp.services.conversations import conversation_create, conversation_delete

pytestmark = pytest.mark.django_db


def test_the_owner_gets_a_conversation_with_its_keys(cast):
    access = conversation_for(cast.alice, cast.access.conversation.id)

    assert access.conversation == cast.access.conversation
    assert access.owner.user_id == cast.alice.pk
    assert access.keys.id == access.conversation.key_space_id


def test_a_stranger_a_missing_and_a_deleted_conversation_look_the_same(cast):
    deleted = conversation_create(cast.owner, model_name="")
    conversation_delete(conversation_for(cast.alice, deleted.id))

    refusals = []
    for user, conversation_id in (
        (cast.mallory, cast.access.conversation.id),
        (cast.alice, new_id()),
        (cast.alice, deleted.id),
    ):
        with pytest.raises(Http404) as caught:
            conversation_for(user, conversation_id)
        refusals.append(str(caught.value))

    assert len(set(refusals)) == 1


def test_a_person_gets_a_key_space_at_the_first_use_and_keeps_it(cast, django_user_model):
    carol = django_user_model.objects.create_user("carol")

    first, second = owner_of(carol), owner_of(carol)

    assert first == second
    assert KeySpace.objects.filter(owner=carol).count() == 1
    assert first.keys.id != cast.owner.keys.id


def test_a_conversation_is_found_in_one_query_once_the_keys_are_known(
    cast, django_assert_num_queries
):
    with django_assert_num_queries(1):
        conversation_for(cast.alice, cast.access.conversation.id)
    keyring.clear()
    with django_assert_num_queries(2):
        conversation_for(cast.alice, cast.access.conversation.id)
