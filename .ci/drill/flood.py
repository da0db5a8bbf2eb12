"""Clients that take their time: many connections that send nothing, or a byte now and then."""

import itertools
import selectors
import socket
import threading
import time
from dataclasses import dataclass, field

from wire import request

IDLE = request("/api/v1/liveness")
# What a connection sends at once, and then a byte a second.
PHASES: dict[str, tuple[bytes, bytes]] = {
    "nothing ever": (b"", b""),
    "nothing after a first answer": (IDLE, b""),
    "a head": (b"GET /api/v1/liveness HTTP/1.1\r\nHost: drill\r\nX-Slow: ", b"a"),
    "a head after a first answer": (IDLE + b"GET /api/v1/liveness HTTP/1.1\r\nHost: drill\r\nX-Slow: ", b"a"),
    "a chunked body": (
        b"GET /api/v1/sports HTTP/1.1\r\nHost: drill\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n",
    ),
    "a body of a known length": (
        b"POST /api/v1/customers/me/api-keys HTTP/1.1\r\nHost: drill\r\nContent-Length: 60000\r\n\r\n{", b" ",
    ),
}  # fmt: skip

REOPENED = 20  # connections in a tenth of a second


@dataclass
class Slow:
    """One connection; which one of the phases it is in, and how long it was kept."""

    socket: socket.socket
    phase: str
    opened: float = field(default_factory=time.monotonic)
    closed: float | None = None

    def drip(self) -> None:
        try:
            self.socket.send(PHASES[self.phase][1])
        except BlockingIOError:
            pass
        except OSError:
            self.end()

    def end(self) -> None:
        self.closed = time.monotonic()
        self.socket.close()


class Flood(threading.Thread):
    """So many slow connections from the addresses, held as long as the server does, and then opened anew."""

    def __init__(self, port: int, number: int, sources: list[str]):
        super().__init__(daemon=True)
        self.port, self.number = port, number
        self.sources, self.phases = itertools.cycle(sources), itertools.cycle(PHASES)
        self.slow: list[Slow] = []
        self.opened, self.stopping = threading.Event(), threading.Event()

    def __enter__(self) -> "Flood":
        self.start()
        self.opened.wait(30)
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self.join()
        for slow in self.slow:
            slow.socket.close()

    def run(self) -> None:
        self.fill(self.number)
        self.opened.set()
        drip = time.monotonic() + 1
        while not self.stopping.wait(0.1):
            self.notice_ends()
            self.fill(REOPENED)
            if time.monotonic() > drip:
                drip += 1
                for slow in self.held():
                    slow.drip()

    def fill(self, at_most: int) -> None:
        """Opens connections until there are enough again."""
        for _ in range(min(at_most, self.number - len(self.held()))):
            if self.stopping.is_set() or not self.open(next(self.phases), next(self.sources)):
                break

    def open(self, phase: str, source: str) -> bool:
        client = socket.socket()
        client.settimeout(0.5)
        try:
            client.bind((source, 0))
            client.connect(("127.0.0.1", self.port))
            client.sendall(PHASES[phase][0])
        except OSError:
            client.close()
            return False
        client.setblocking(False)
        self.slow.append(Slow(client, phase))
        return True

    def held(self) -> list[Slow]:
        return [slow for slow in self.slow if slow.closed is None]

    def notice_ends(self) -> None:
        """Reads what came; a connection that the server has closed reads as ended."""
        with selectors.DefaultSelector() as selector:
            for slow in self.held():
                selector.register(slow.socket, selectors.EVENT_READ, slow)
            for ready, _ in selector.select(0):
                try:
                    ended = ready.data.socket.recv(1 << 16) == b""
                except OSError:
                    ended = True
                if ended:
                    ready.data.end()

    def longest(self) -> float:
        """For how long the server kept a connection, those that it still keeps included."""
        now = time.monotonic()
        return max(((slow.closed or now) - slow.opened for slow in self.slow), default=0.0)
