"""A call to a local model gives way to answers, is made again, and in the end runs through."""

import asyncio

import pytest

from chatapp.runtime import giving_way as module
from chatapp.runtime.giving_way import giving_way


class Model:
    """Calls that end when a test says so, and whether somebody else needs the model."""

    def __init__(self) -> None:
        self.calls: list[asyncio.Future] = []
        self.called = asyncio.Condition()
        self.busy = False
        self.looks = 0
        self.looked = asyncio.Condition()

    async def ask(self) -> str:
        future = asyncio.get_running_loop().create_future()
        async with self.called:
            self.calls.append(future)
            self.called.notify_all()
        return await future

    async def is_busy(self) -> bool:
        async with self.looked:
            self.looks += 1
            self.looked.notify_all()
        return self.busy

    async def until_calls(self, count: int) -> None:
        async with self.called:
            await asyncio.wait_for(self.called.wait_for(lambda: len(self.calls) >= count), 10)

    async def until_looked(self, times: int = 2) -> None:
        """Wait until it was looked at so often from now on."""
        wanted = self.looks + times
        async with self.looked:
            await asyncio.wait_for(self.looked.wait_for(lambda: self.looks >= wanted), 10)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(module, "POLL_S", 0.001)


@pytest.fixture
def model():
    return Model()


def begin(model):
    return asyncio.create_task(giving_way(model.ask, model.is_busy))


async def test_a_call_that_nobody_disturbs_is_made_once(model):
    task = begin(model)
    await model.until_calls(1)
    await model.until_looked()

    model.calls[0].set_result("labels")

    assert await task == "labels"
    assert len(model.calls) == 1


async def test_it_waits_while_somebody_needs_the_model(model):
    model.busy = True
    task = begin(model)
    await model.until_looked(3)
    assert model.calls == []

    model.busy = False
    await model.until_calls(1)
    model.calls[0].set_result("labels")

    assert await task == "labels"


async def test_a_call_is_cut_off_when_an_answer_begins_and_made_again_after(model):
    task = begin(model)
    await model.until_calls(1)

    model.busy = True
    await model.until_looked()
    assert model.calls[0].cancelled()
    assert len(model.calls) == 1

    model.busy = False
    await model.until_calls(2)
    model.calls[1].set_result("labels")
    assert await task == "labels"


async def test_after_its_patience_it_runs_through(model, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE_S", 0.0)
    model.busy = True
    task = begin(model)

    await model.until_calls(1)
    model.calls[0].set_result("labels")

    assert await task == "labels"
    assert len(model.calls) == 1


async def test_a_failure_of_the_call_is_its_outcome(model):
    task = begin(model)
    await model.until_calls(1)

    model.calls[0].set_exception(ConnectionError("gone"))

    with pytest.raises(ConnectionError):
        await task


async def test_whoever_cuts_it_off_leaves_no_call_behind(model):
    task = begin(model)
    await model.until_calls(1)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.calls[0].cancelled()


async def test_a_look_that_fails_leaves_no_call_behind(model):
    looks = iter([False])

    async def is_busy():
        try:
            return next(looks)
        except StopIteration:
            raise ConnectionError("the database is away") from None

    task = asyncio.create_task(giving_way(model.ask, is_busy))

    with pytest.raises(ConnectionError):
        await task
    assert all(call.cancelled() for call in model.calls)
