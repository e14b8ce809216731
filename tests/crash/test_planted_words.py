"""Words planted in every personal place are found in no file that the application writes."""

from pathlib import Path

import pytest

from tests.support.client import ChatClient
from tests.support.installation import Installation
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.valkey import Valkey

pytestmark = pytest.mark.crash

TITLE = "zebrafinch-title"
QUESTION = "quokka-question"
ANSWER = "axolotl-answer"
BROKEN = "pangolin-partial"
REFUSAL = "capybara-error"
REASONING = "tapir-reasoning"
PLANTED = (TITLE, QUESTION, ANSWER, BROKEN, REFUSAL, REASONING)


async def test_planted_words_are_in_no_file(
    installation: Installation, provider: ProviderThread, valkey: Valkey
):
    with installation.web() as web:
        async with ChatClient(web.url) as client:
            conversation = await client.create()
            await client.post(f"/c/{conversation}/rename", title=TITLE)
            await answer_one(client, conversation, provider)
            await break_one(client, conversation, provider)
            await refuse_one(client, provider)
            await think_one(client, provider)
            await kill_one(client, conversation, provider)
        # While it runs, so that the write-ahead log is still there.
        found = planted_in(installation.data_dir, valkey)
        web.kill()

    assert found == []
    assert planted_in(installation.data_dir, valkey) == []


async def test_the_search_reads_the_files_of_the_database(
    installation: Installation, provider: ProviderThread, valkey: Valkey
):
    with installation.web() as web:
        async with ChatClient(web.url) as client:
            conversation = await client.create()
            await answer_one(client, conversation, provider)
        # The name of a tokenizer is not personal: it is there to be found.
        found = planted_in(installation.data_dir, valkey, words=("o200k_base",))
        web.kill()

    assert "glassbox.sqlite3" in {name.removesuffix("-wal") for name, _ in found}


async def test_the_search_itself_finds_what_is_there(tmp_path: Path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "leak.log").write_text(f"... {QUESTION} ...")

    assert planted_in(tmp_path, None) == [("deep/leak.log", QUESTION)]


async def answer_one(client: ChatClient, conversation: str, provider: ProviderThread) -> None:
    provider.enqueue(replies.answer(f"{ANSWER} in full"))
    async with client.watch(conversation) as watcher:
        (await client.send(conversation, QUESTION)).raise_for_status()
        turn = await watcher.wait_status("committed")
    assert ANSWER in watcher.view.html[turn]
    assert QUESTION in watcher.view.html[turn]


async def break_one(client: ChatClient, conversation: str, provider: ProviderThread) -> None:
    provider.when(replies.error_in_stream(BROKEN, REFUSAL))
    async with client.watch(conversation) as watcher:
        (await client.send(conversation, QUESTION)).raise_for_status()
        await watcher.wait_status("failed")
    provider.script.clear()


async def refuse_one(client: ChatClient, provider: ProviderThread) -> None:
    provider.when(replies.openai_error(400, f"Cannot read {REFUSAL}: {QUESTION}", None))
    conversation = await client.create()
    async with client.watch(conversation) as watcher:
        (await client.send(conversation, QUESTION)).raise_for_status()
        await watcher.wait_status("failed")
    provider.script.clear()


async def think_one(client: ChatClient, provider: ProviderThread) -> None:
    provider.when(replies.only_reasoning(REASONING))
    conversation = await client.create()
    async with client.watch(conversation) as watcher:
        (await client.send(conversation, QUESTION)).raise_for_status()
        await watcher.wait_status("failed", "committed")
    provider.script.clear()


async def kill_one(client: ChatClient, conversation: str, provider: ProviderThread) -> None:
    """Leave a running answer behind, so that partial text lies in the database."""
    provider.enqueue(replies.held(f"{BROKEN} "))
    async with client.watch(conversation) as watcher:
        (await client.send(conversation, QUESTION)).raise_for_status()
        await watcher.wait_text(BROKEN)


def planted_in(
    folder: Path, valkey: Valkey | None, *, words: tuple[str, ...] = PLANTED
) -> list[tuple[str, str]]:
    """Return file and word for each of the words that a file holds."""
    contents = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    if valkey is not None:
        contents["append-only file"] = valkey.written()
    return [
        (name, word)
        for name, content in contents.items()
        for word in words
        if word.encode() in content
    ]
