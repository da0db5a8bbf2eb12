"""Requests to the server: the key, the time of a call, retries, conditional requests."""

import email.utils
import json
import math
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

import httpx

from .cache import DiskCache, Entry
from .errors import ApiError, TimedOut, Unreachable, refusal
from .progress import Watch
from .spool import Body, Spool

Value = str | int | float | bool | None
Parameters = Mapping[str, Value]

# A request with one of these is repeated as long as the call has time; one with 500 is repeated once. A 429 without
# `Retry-After` is that of a full month, and is not repeated.
_RETRIED = frozenset({408, 429, 502, 503, 504})
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
# The seconds for a connection of a stream, and those without a line after which it is lost.
_CONNECT, _SILENCE = 10.0, 45.0
# The bytes of an upload that are sent at once.
_PIECE = 64 * 1024
# The headers that are kept beside a cached answer.
_KEPT = ("content-type", "x-results-total", "x-results-snapshot", "x-results-season", "x-results-next-offset")


class Key(httpx.Auth):
    """The header with the key. Its `repr` has none of it, and it cannot be pickled."""

    def __init__(self, key: str | None, header: str = "X-API-Key", scheme: str = "") -> None:
        """Takes the key, or `None` for requests without one, and the header that has it after the scheme."""
        self.__key, self._header, self._scheme = key, header, scheme

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Adds the header."""
        if self.__key:
            request.headers[self._header] = f"{self._scheme}{self.__key}"
        yield request

    def __repr__(self) -> str:
        """Returns text that tells only whether there is a key."""
        return "Key(*****)" if self.__key else "Key(None)"

    def __reduce__(self) -> NoReturn:
        """Refuses to be pickled."""
        raise TypeError("a key is not written to files: connect again")


@dataclass(frozen=True)
class Request:
    """A request without its key, which it has by itself where it goes to the server."""

    method: str
    address: httpx.URL
    headers: Mapping[str, str]
    body: Mapping[str, Any] | None = None
    #: The bytes of an upload, in place of a JSON body. A repeated request has the same.
    upload: bytes | None = None
    #: False for a link to another place, which must not see the key.
    keyed: bool = True

    @property
    def is_repeatable(self) -> bool:
        """True if the request can be sent twice without harm."""
        return self.method == "GET" or "Idempotency-Key" in self.headers


class Deadline:
    """The end of a call's time."""

    def __init__(self, seconds: float) -> None:
        """Starts now."""
        self.seconds, self._end = seconds, time.monotonic() + seconds

    def left(self) -> float:
        """Returns the seconds that are left."""
        return self._end - time.monotonic()

    def check(self) -> None:
        """Raises `TimedOut` if no time is left."""
        if self.left() <= 0:
            raise TimedOut(f"the call took longer than its {self.seconds:g} seconds")


@dataclass(frozen=True)
class Answer:
    """An answer that is no error, its names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    body: Body

    @property
    def content(self) -> bytes:
        """The bytes of the body."""
        return self.body.read()


class Transport:
    """The connection to a server."""

    def __init__(self, url: str, key: Key, cache: DiskCache | None, user_agent: str, absence: float = math.inf) -> None:
        """Takes the server's address without `/api/v1`.

        `absence` is the time in seconds after which a server is unreachable that has never answered.
        """
        self.url, self._cache, self._absence, self._has_answered = url.rstrip("/"), cache, absence, False
        self._client = httpx.Client(auth=key, headers={"User-Agent": user_agent}, follow_redirects=False)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def get(
        self,
        path: str,
        parameters: Iterable[tuple[str, Value]],
        deadline: Deadline,
        statuses: frozenset[int] = frozenset(),
        watch: Watch | None = None,
    ) -> Answer:
        """Returns an answer, from disk if the server confirms the copy. Raises errors but those of `statuses`.

        Parameters follow those of the path. The server refuses a parameter that is given twice.
        """
        address = httpx.URL(f"{self.url}{path}")
        given = [(name, _text(value)) for name, value in parameters if value is not None]
        address = address.copy_with(params=[*address.params.multi_items(), *given])
        if "api_key" in address.params:
            raise ValueError("the key is an argument of `connect`, not a parameter: addresses are written to the cache")
        kept = self._cache.read(str(address)) if self._cache else None
        headers = {"If-None-Match": kept.etag} if kept else {}
        answer = self._patient(Request("GET", address, headers), deadline, statuses, watch)
        if answer.status == 304 and kept:
            return Answer(200, kept.headers, kept.body)
        if self._cache and answer.status == 200 and (etag := answer.headers.get("etag")):
            headers = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
            return replace(answer, body=self._cache.write(str(address), Entry(etag, headers, answer.body)))
        return answer

    def send(
        self, method: str, path: str, body: Mapping[str, Any] | None, headers: Mapping[str, str], deadline: Deadline
    ) -> Answer:
        """Returns the answer to a request that changes something.

        Without an `Idempotency-Key` it is repeated after 429 alone, which changed nothing.
        """
        return self._patient(Request(method, httpx.URL(f"{self.url}{path}"), headers, body), deadline)

    def upload(
        self,
        path: str,
        parameters: Iterable[tuple[str, Value]],
        content: bytes,
        headers: Mapping[str, str],
        deadline: Deadline,
        watch: Watch | None = None,
    ) -> Answer:
        """Returns the answer to a `POST` of bytes, or its refusal with 422. `watch` sees them leave."""
        address = httpx.URL(f"{self.url}{path}", params=[(name, _text(value)) for name, value in parameters])
        request = Request("POST", address, headers, upload=content)
        return self._patient(request, deadline, frozenset({422}), watch)

    def headers(self, path: str, deadline: Deadline) -> Mapping[str, str]:
        """Returns the headers of an answer, whatever its status is."""
        return self._patient(Request("GET", httpx.URL(f"{self.url}{path}"), {}), deadline, frozenset(range(400, 600))).headers

    def fetch(self, link: str, folder: Path, deadline: Deadline, watch: Watch | None = None) -> Body:
        """Returns the file of a link, in the folder. Sends no key there."""
        return self._patient(Request("GET", httpx.URL(link), {}, keyed=False), deadline, watch=watch, folder=folder).body

    def lines(self, path: str, parameters: Mapping[str, str], last_event_id: str | None) -> Iterator[str]:
        """Yields the lines of a stream until the connection ends. Waits as long as the server wishes; raises other refusals."""
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_event_id} if last_event_id else {})
        # A comment arrives every 15 seconds.
        timeout = httpx.Timeout(_CONNECT, read=_SILENCE)
        try:
            with self._client.stream(
                "GET", f"{self.url}{path}", params=parameters, headers=headers, timeout=timeout
            ) as response:
                if response.status_code == 200:
                    yield from response.iter_lines()
                    return
                found = {name.lower(): value for name, value in response.headers.items()}
                spool = Spool(())
                spool.write(response.read())
                answer = Answer(response.status_code, found, spool.finish())
        except httpx.TransportError:
            return
        wanted = _retry_after(answer)
        if answer.status not in _RETRIED or (answer.status == 429 and wanted is None):
            raise _refusal(answer)
        time.sleep(_FIRST_PAUSE if wanted is None else wanted)

    def _patient(
        self,
        request: Request,
        deadline: Deadline,
        statuses: frozenset[int] = frozenset(),
        watch: Watch | None = None,
        folder: Path | None = None,
    ) -> Answer:
        """Sends a request, again where that helps and the time suffices."""
        faults, pause = 0, _FIRST_PAUSE
        while True:
            answer: Answer | None = None
            wanted: float | None = None
            deadline.check()
            is_absent = False
            try:
                answer = self._once(request, deadline, watch, folder)
                self._has_answered = True
            except httpx.TransportError as error:
                failure: ApiError = Unreachable(f"{request.address.host}: {type(error).__name__}: {error}")
                if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
                    is_absent = not self._has_answered and deadline.seconds - deadline.left() >= self._absence
                # The limit of a step is what is left of the whole call, but for that of a connection.
                if isinstance(error, httpx.TimeoutException) and deadline.left() < _FIRST_PAUSE:
                    failure = TimedOut(f"the call took longer than its {deadline.seconds:g} seconds")
            if answer is not None:
                if answer.status < 400 or answer.status in statuses:
                    return answer
                failure = _refusal(answer)
                faults += answer.status == 500
                wanted = _retry_after(answer)
                is_full_month = answer.status == 429 and wanted is None and request.upload is None
                if is_full_month or (answer.status not in _RETRIED and not (answer.status == 500 and faults == 1)):
                    raise failure
            # Outside of the handler, so that the error has no context with the request and its headers.
            if not request.is_repeatable and (answer is None or answer.status != 429):
                raise failure
            if is_absent or isinstance(failure, TimedOut) or (pause if wanted is None else wanted) >= deadline.left():
                raise failure
            time.sleep(pause if wanted is None else wanted)
            if wanted is None:
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _once(self, request: Request, deadline: Deadline, watch: Watch | None, folder: Path | None) -> Answer:
        left = max(deadline.left(), 0.001)
        with self._client.stream(
            request.method,
            request.address,
            headers=dict(request.headers),
            json=request.body,
            content=None if request.upload is None else _leaving(request.upload, deadline, watch),
            auth=httpx.USE_CLIENT_DEFAULT if request.keyed else None,
            timeout=httpx.Timeout(left, connect=min(left, self._absence)),
        ) as response:
            found = {name.lower(): value for name, value in response.headers.items()}
            is_table = "parquet" in found.get("content-type", "")
            spool = Spool((folder,) if folder and response.status_code == 200 else self._folders() if is_table else ())
            try:
                size = found.get("content-length", "")
                for piece in response.iter_bytes():
                    spool.write(piece)
                    deadline.check()
                    if watch is not None and request.upload is None:
                        watch(len(piece), int(size) if size.isdecimal() else None)
                return Answer(response.status_code, found, spool.finish())
            except BaseException:
                spool.discard()
                raise

    def _folders(self) -> tuple[Path, ...]:
        """Returns the folders for tables while they are read: that of the cache, which keeps the file, or a temporary one."""
        temporary = Path(tempfile.gettempdir())
        return (self._cache.folder, temporary) if self._cache else (temporary,)


def _leaving(content: bytes, deadline: Deadline, watch: Watch | None) -> Iterator[bytes]:
    """Yields the pieces of an upload, and shows those that were taken."""
    for start in range(0, len(content), _PIECE):
        deadline.check()
        piece = content[start : start + _PIECE]
        yield piece
        if watch is not None:
            watch(len(piece), len(content))


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refusal(answer: Answer) -> ApiError:
    try:
        detail = str(json.loads(answer.content)["detail"])
    except (ValueError, KeyError, TypeError):
        detail = "the answer is not one of the service; a proxy may have sent it"
    return refusal(answer.status, detail, answer.headers.get("x-request-id"))


def _retry_after(answer: Answer) -> float | None:
    """Returns the seconds of `Retry-After`, which is a number or a date."""
    value = answer.headers.get("retry-after", "")
    if value.isdecimal():
        return float(value)
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except ValueError:
        return None
