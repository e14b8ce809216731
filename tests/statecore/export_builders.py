"""Builds exports of ChatGPT: conversations as trees of nodes."""

from typing import Any


def node(
    name: str,
    parent: str | None,
    role: str | None = None,
    text: str = "",
    *,
    content: dict[str, Any] | None = None,
    author: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a node; without a role it has no message, like a root."""
    said = None
    if role is not None:
        said = {
            "id": name,
            "author": {"role": role, "name": author, "metadata": {}},
            "content": content or {"content_type": "text", "parts": [text]},
            "create_time": None,
            "weight": 1.0,
            "recipient": "all",
            "metadata": {},
        } | more
    return {"id": name, "message": said, "parent": parent, "children": []}


def conversation(*nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a conversation that stands at its last node."""
    return {
        "title": "A talk",
        "create_time": 1.0,
        "update_time": 2.0,
        "mapping": {one["id"]: one for one in nodes},
        "current_node": nodes[-1]["id"] if nodes else "none",
        "conversation_id": "c-1",
        "id": "c-1",
    } | more


def chat(*texts: str, **more: Any) -> dict[str, Any]:
    """Return a conversation of a user and an assistant who take turns, from a root on."""
    nodes = [node("root", None)]
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        time = 1_700_000_000 + 60 * number
        nodes.append(node(f"n{number}", nodes[-1]["id"], role, text, create_time=time))
    return conversation(*nodes, **more)
