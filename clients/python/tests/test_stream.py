"""The stream: against a server of events that breaks off, and against the demo."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import Api

import sports_model_data as smd

FIRST = """event: hello
id: nfl:1.0000000a
retry: 10
data: {"leagues":[]}

:

event: release
id: nfl:2.0000000b
data: {"generation":2}

event: release
id: nfl:3.00"""
SECOND = """event: hello
id: nfl:2.0000000b
retry: 10
data: {"leagues":[]}

event: release
id: nfl:3.0000000c
data: {"generation":3}

retry: 20

"""
LAST = """event: reset
id: nfl:3.0000000c
data: {"reason":"month"}

"""


@pytest.fixture
def breaking() -> Iterator[tuple[str, list[str | None]]]:
    """A server that ends a stream within an event, is busy once, and ends it for the month: its address, and its cursors."""
    cursors: list[str | None] = []
    answers = [(200, FIRST), (503, ""), (200, SECOND), (200, LAST), (429, "")]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            cursors.append(self.headers["Last-Event-ID"])
            status, text = answers[len(cursors) - 1]
            self.send_response(status)
            if status == 503:
                self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", cursors
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_stream_goes_on_after_the_last_whole_event_and_ends_with_the_month(breaking: tuple[str, list[str | None]]) -> None:
    base, cursors = breaking
    with smd.connect(base, None, cache=False) as api:
        events = list(api.stream(["nfl"]))
        assert [event.name for event in events] == ["hello", "release", "hello", "release", "reset"]
        assert [event.data["generation"] for event in events if event.name == "release"] == [2, 3]
        assert cursors == [None, "nfl:2.0000000b", "nfl:2.0000000b", "nfl:3.0000000c"]
        # A full month has no `Retry-After`: waiting would not help.
        with pytest.raises(smd.TooManyRequests):
            next(iter(api.stream("nfl")))


def test_a_stream_begins_where_the_caller_was(api: Api) -> None:
    hello = next(iter(api.stream("nba")))
    assert (hello.name, hello.data["leagues"][0]["sport"]) == ("hello", "nba")
    assert next(iter(api.stream("nba", last_event_id=hello.id))).id == hello.id


def test_a_refused_stream_raises(base: str) -> None:
    with smd.connect(base, "sk_service_" + "0" * 40, cache=False) as api, pytest.raises(smd.Unauthorized):
        next(iter(api.stream("nba")))
