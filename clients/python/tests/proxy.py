"""A proxy that answers some requests itself, alters answers, and breaks connections."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

_HOP = {"connection", "content-length", "transfer-encoding", "host", "accept-encoding"}


@dataclass
class Reply:
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = b""
    #: The number of bytes after which the connection breaks.
    cut: int | None = None
    #: The pause before each byte.
    trickle: float = 0.0


def refused(status: int, **headers: str) -> Reply:
    content = json.dumps({"error": f"HTTP_{status}", "detail": f"refused with {status}", "timestamp": "2026-01-01T00:00:00Z"})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"content-type": "application/json", "x-request-id": "feed-1", **named}, content.encode())


@dataclass
class Seen:
    path: str
    headers: dict[str, str]
    status: int
    method: str = "GET"
    body: bytes = b""


class Proxy:
    """Forwards to a server. `plan` has a reply for the n-th request (from 0); `alter` changes answers of the server."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.plan: dict[int, Reply] = {}
        self.alter: Callable[[str, Reply], Reply] = lambda path, reply: reply
        self.seen: list[Seen] = []
        self._lock = threading.Lock()
        self._upstream = httpx.Client(timeout=30)
        self._listener = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._listener.server_port}"

    def __enter__(self) -> "Proxy":
        threading.Thread(target=self._listener.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._listener.server_close()
        self._upstream.close()

    @property
    def statuses(self) -> list[int]:
        return [one.status for one in self.seen]

    def reply(self, seen: Seen) -> Reply:
        with self._lock:
            number = len(self.seen)
            self.seen.append(seen)
        reply = self.plan.get(number) or self._forwarded(seen)
        self.seen[number].status = reply.status
        return reply

    def _forwarded(self, seen: Seen) -> Reply:
        sent = {name: value for name, value in seen.headers.items() if name not in _HOP} | {"accept-encoding": "identity"}
        request = self._upstream.build_request(seen.method, self.server + seen.path, headers=sent, content=seen.body)
        answer = self._upstream.send(request)
        # Tests share the limit of a server for each second; the refusals that they are about are in the plan.
        while answer.status_code == 429:
            time.sleep(float(answer.headers["retry-after"]))
            answer = self._upstream.send(request)
        kept = {name: value for name, value in answer.headers.items() if name not in _HOP}
        return self.alter(seen.path, Reply(answer.status_code, kept, answer.content))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(int(headers.get("content-length", "0")))
                reply = proxy.reply(Seen(self.path, headers, 0, self.command, body))
                self.send_response_only(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(reply.content)))
                self.end_headers()
                self._send(reply)

            do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815

            def _send(self, reply: Reply) -> None:
                if not reply.trickle:
                    self.wfile.write(reply.content[: reply.cut])
                for byte in reply.content if reply.trickle else b"":
                    try:
                        self.wfile.write(bytes([byte]))
                    except OSError:
                        break
                    time.sleep(reply.trickle)
                self.close_connection = self.close_connection or reply.cut is not None or reply.trickle > 0

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
