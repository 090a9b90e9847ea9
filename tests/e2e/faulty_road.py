# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A TCP road between programs that goes wrong: seeded faults on connections to one address, counted by kind."""

import asyncio
import collections
import os
import random
import socket
import struct
import threading
import time

CHUNK = 16384
LEAST_UNREAD = 4096
# What may happen to a chunk of bytes on its way, and how often in thousand.
FAULTS = {
    "delay": 60,    # it comes late
    "cut": 12,      # both ends see a reset
    "half_open": 6,  # one direction is dead, the connection looks alive, then it is cut
    "replay": 10,   # what was sent so far arrives once more, on a connection of its own, and nobody reads the answer
    "reorder": 20,  # it waits until another connection's bytes have passed
}
LONGEST_WAIT = 1.0 if os.environ.get("MMTUNE_TEST_WHOLE", "0") != "0" else 0.3


def reset(writer):
    """Closes so that the other end gets a reset, not an orderly end."""
    sock = writer.get_extra_info("socket")
    if sock is not None and sock.fileno() >= 0:  # it may be closed already
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


class FaultyRoad:
    """Listens on a free port of 127.0.0.1 and passes on to `target` (host:port), in a thread of its own.

    `counts` has the faults so far. `heal()` ends them: bytes then pass as they are. While it is `mute`, what the
    target says is not read; a `narrow` road keeps little of it, so that the target soon has to wait. While it is
    parted, nothing passes in either direction, and new connections wait: no end is told."""

    def __init__(self, target, seed, narrow=False):
        self.target = target
        self.narrow = narrow
        self.parted_until = 0
        self.random = random.Random(seed)
        self.counts = collections.Counter()
        self.passed = 0
        self.healed = False
        self.mute = False
        self.loop = asyncio.new_event_loop()
        self.server = self.loop.run_until_complete(self.listen())
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    def heal(self):
        self.healed = True
        self.parted_until = 0

    def part(self, seconds):
        """Ends by itself. What was sent meanwhile arrives then, as TCP would send it again."""
        self.parted_until = time.monotonic() + seconds

    async def until_joined(self):
        while time.monotonic() < self.parted_until:
            await asyncio.sleep(0.05)

    async def listen(self):
        server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        return server

    def close(self):
        def stop():
            self.server.close()
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.loop.call_later(0.1, self.loop.stop)
        self.loop.call_soon_threadsafe(stop)
        self.thread.join()
        self.loop.close()

    async def dial(self):
        host, _, port = self.target.rpartition(":")
        if not self.narrow:
            return await asyncio.open_connection(host, int(port))
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LEAST_UNREAD)
        sock.setblocking(False)
        try:
            await self.loop.sock_connect(sock, (host, int(port)))
        except OSError:
            sock.close()
            raise
        return await asyncio.open_connection(sock=sock, limit=LEAST_UNREAD)

    async def connect(self, reader, writer):
        await self.until_joined()
        try:
            onward = await self.dial()
        except OSError:
            return reset(writer)
        sent = bytearray()  # by the client, from the first byte on
        ends = [asyncio.ensure_future(self.carry(reader, onward[1], sent)),
                asyncio.ensure_future(self.carry(onward[0], writer, None))]
        try:
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if any(task.result() == "half_open" for task in done):
                await asyncio.sleep(self.random.uniform(0, 3 * LONGEST_WAIT))
        finally:
            for task in ends:
                task.cancel()
            reset(writer)
            reset(onward[1])

    def draw(self):
        if self.healed:
            return None
        number = self.random.randrange(1000)
        for fault, share in FAULTS.items():
            number -= share
            if number < 0:
                return fault
        return None

    async def carry(self, reader, writer, sent):
        """One direction, until it ends: why."""
        while True:
            try:
                while self.mute and sent is None:
                    await asyncio.sleep(0.02)
                chunk = await reader.read(CHUNK)
                await self.until_joined()
                if not chunk:
                    return "end"
                if sent is not None:
                    sent += chunk
                fault = self.draw()
                if fault == "replay" and sent is None:
                    fault = None  # answers are nobody's to repeat
                if fault is not None:
                    self.counts[fault] += 1
                if fault in ("cut", "half_open"):
                    return fault
                if fault == "delay":
                    await asyncio.sleep(self.random.uniform(0, LONGEST_WAIT))
                elif fault == "reorder":
                    await self.others_first()
                elif fault == "replay":
                    asyncio.ensure_future(self.replay(bytes(sent)))
                writer.write(chunk)
                await writer.drain()
                self.passed += 1
            except OSError:
                return "error"

    async def others_first(self):
        seen = self.passed
        for _ in range(20):
            await asyncio.sleep(LONGEST_WAIT / 20)
            if self.passed > seen:
                return

    async def replay(self, sent):
        try:
            reader, writer = await self.dial()
            writer.write(sent)
            await writer.drain()
            await asyncio.wait_for(reader.read(CHUNK), LONGEST_WAIT)
            await asyncio.sleep(LONGEST_WAIT / 4)
            reset(writer)
        except (OSError, asyncio.TimeoutError):
            pass


class SocketRoad(FaultyRoad):
    """A road from one UNIX socket to another one, which only a partition disturbs."""

    def __init__(self, path, target):
        self.path = path
        super().__init__(target, 0)
        self.healed = True

    async def listen(self):
        return await asyncio.start_unix_server(self.connect, self.path)

    async def dial(self):
        return await asyncio.open_unix_connection(self.target)
