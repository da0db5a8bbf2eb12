"""HTTP/1.1 over one socket, which tells an answer that was cut short from one that never came."""

import json
import socket
import time
from dataclasses import dataclass


class Refused(Exception):
    """No connection was made: the server has not seen the request."""


class Unanswered(Exception):
    """The request was sent, and nothing came back."""


class CutShort(Exception):
    """The answer began and did not end."""


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict:
        return json.loads(self.body)


def request(path: str, key: str | None = None, method: str = "GET", body: object = None, **headers: str) -> bytes:
    """The bytes of a request; `body` is sent as JSON, bytes as they are."""
    lines = [f"{method} {path} HTTP/1.1", "Host: drill"]
    if key:
        lines.append(f"X-API-Key: {key}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    content = b""
    if body is not None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


class Connection:
    """A connection that is kept for many requests. `source` is the client's address; a slow client waits `pace` seconds
    before each piece that it reads, and has a small `receive_buffer`."""

    def __init__(
        self, port: int, timeout: float = 15, source: str | None = None,
        receive_buffer: int | None = None, pace: float = 0.0,
    ):  # fmt: skip
        self.socket = socket.socket()
        self.socket.settimeout(timeout)
        self.left, self.pace = b"", pace
        try:
            if receive_buffer:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            if source:
                self.socket.bind((source, 0))
            self.socket.connect(("127.0.0.1", port))
        except OSError as error:
            self.socket.close()
            raise Refused(str(error)) from error

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def ask(self, sent: bytes) -> Answer:
        """Sends one request and reads its whole answer."""
        # What can no longer be written may have been answered already.
        try:
            self.socket.sendall(sent)
        except OSError:
            pass
        return self.read()

    def read(self) -> Answer:
        """Reads one whole answer, which has a `Content-Length`."""
        while b"\r\n\r\n" not in self.left:
            self.left += self.more()
        head, self.left = self.left.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        length = int(headers.get("content-length", 0))
        chunks, have = [self.left], len(self.left)
        while have < length:
            chunks.append(self.more(begun=True))
            have += len(chunks[-1])
        content = b"".join(chunks)
        body, self.left = content[:length], content[length:]
        return Answer(int(first.split(" ")[1]), headers, body)

    def more(self, begun: bool = False) -> bytes:
        if self.pace:
            time.sleep(self.pace)
        try:
            got = self.socket.recv(1 << 18)
        except OSError as error:
            raise (CutShort if begun or self.left else Unanswered)(str(error)) from error
        if not got:
            raise (CutShort if begun or self.left else Unanswered)("the server closed the connection")
        return got


def ask(port: int, sent: bytes, timeout: float = 15, source: str | None = None) -> Answer:
    """One request on a connection of its own."""
    with Connection(port, timeout, source) as connection:
        return connection.ask(sent)


FAILURES = (Refused, Unanswered, CutShort)
