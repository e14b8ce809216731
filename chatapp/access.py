"""Loads what a user may see: one call for load and permission, 404 when it is hidden."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.http import Http404

from chatapp import keyring
from chatapp.keyring import SpaceKeys
from chatapp.models import Conversation


@dataclass(frozen=True, slots=True)
class Owner:
    """A signed-in person and the keys of what is theirs."""

    user_id: int
    keys: SpaceKeys


@dataclass(frozen=True, slots=True)
class Access:
    """One conversation that its owner may read and write."""

    owner: Owner
    conversation: Conversation

    @property
    def keys(self) -> SpaceKeys:
        """The keys under which the conversation is sealed."""
        return self.owner.keys


def owner_of(user: User) -> Owner:
    """Return the owner that a signed-in user is, with a key space made at first use."""
    space = keyring.for_user(user)
    return Owner(user_id=user.pk, keys=keyring.keys_of(space.id))


def conversation_for(user: User, conversation_id: UUID) -> Access:
    """Return a conversation of this user.

    Raises:
        Http404: when it does not exist, is deleted, or belongs to somebody else.
    """
    conversation = (
        Conversation.objects.select_related("key_space")
        .filter(pk=conversation_id, key_space__owner_id=user.pk, deleted_ms=None)
        .first()
    )
    if conversation is None:
        msg = "No such conversation."
        raise Http404(msg)
    owner = Owner(user_id=user.pk, keys=keyring.keys_of(conversation.key_space_id))
    return Access(owner=owner, conversation=conversation)
