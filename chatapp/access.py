"""Loads what a user may see: one call for load and permission, 404 when it is hidden."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.http import Http404

from chatapp import keyring
from chatapp.keyring import SpaceKeys
from chatapp.models import Branch, Conversation


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
    branch_id: UUID | None = None
    """The branch that the page shows; None for the one that its reader chose last."""

    @property
    def keys(self) -> SpaceKeys:
        """The keys under which the conversation is sealed."""
        return self.owner.keys


def owner_of(user: User) -> Owner:
    """Return the owner that a signed-in user is, with a key space made at first use."""
    space = keyring.for_user(user)
    return Owner(user_id=user.pk, keys=keyring.keys_of(space.id))


def conversation_for(user: User, conversation_id: UUID, branch_id: UUID | None = None) -> Access:
    """Return a conversation of this user.

    Args:
        user: who is signed in.
        conversation_id: the conversation.
        branch_id: the branch that is looked at; None for the one that the user chose last.

    Raises:
        Http404: when it does not exist, is deleted, or belongs to somebody else; or when it has no
            such branch.
    """
    conversation = (
        Conversation.objects.select_related("key_space")
        .filter(pk=conversation_id, key_space__owner_id=user.pk, deleted_ms=None)
        .first()
    )
    if conversation is None:
        msg = "No such conversation."
        raise Http404(msg)
    if branch_id is not None and not _has_branch(conversation, branch_id):
        msg = "The conversation has no such branch."
        raise Http404(msg)
    owner = Owner(user_id=user.pk, keys=keyring.keys_of(conversation.key_space_id))
    return Access(owner=owner, conversation=conversation, branch_id=branch_id)


def conversation_by_id(conversation_id: UUID) -> Access | None:
    """Return any conversation in the place of its owner, for commands of who runs the installation.

    Returns:
        None when it does not exist or is deleted.
    """
    rows = Conversation.objects.select_related("key_space").filter(deleted_ms=None)
    conversation = rows.filter(pk=conversation_id, key_space__owner__isnull=False).first()
    if conversation is None or conversation.key_space.owner_id is None:
        return None
    keys = keyring.keys_of(conversation.key_space_id)
    return Access(Owner(conversation.key_space.owner_id, keys), conversation)


def _has_branch(conversation: Conversation, branch_id: UUID) -> bool:
    return Branch.objects.filter(pk=branch_id, conversation=conversation).exists()
