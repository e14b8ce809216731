import asyncio

from chatapp.local.machine import LOOPBACK
from chatapp.local.readiness import wait_until, web_answers


async def serve(answer):
    async def handle(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    return await asyncio.start_server(handle, LOOPBACK, 0)


async def answers(answer):
    async with await serve(answer) as server:
        return await web_answers(server.sockets[0].getsockname()[1])


async def test_a_healthy_web_answers():
    assert await answers(b"HTTP/1.1 200 OK\r\n\r\n")


async def test_a_web_that_refuses_our_host_name_is_up():
    assert await answers(b"HTTP/1.1 400 Bad Request\r\n\r\n")


async def test_a_web_in_trouble_does_not_count():
    assert not await answers(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")


async def test_something_else_on_the_port_does_not_count():
    assert not await answers(b"")
    assert not await answers(b"SSH-2.0-x\r\n")


async def test_nobody_on_the_port_does_not_count():
    server = await serve(b"")
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    assert not await web_answers(port)


async def test_waiting_asks_until_it_is_ready():
    replies = iter([False, False, True])

    async def ready():
        return next(replies)

    assert await wait_until(ready, 10)


async def test_waiting_ends_at_the_limit():
    async def never():
        return False

    assert not await wait_until(never, 0.05)
