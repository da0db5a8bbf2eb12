"""The two ways to a record: a publisher's door over HTTP, and `sportsctl` on this machine."""

import email.utils
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Protocol, get_args

from . import terms
from .errors import Incompatible, NotFound, TimedOut, Unpublished, Unreachable
from .progress import leaving
from .release import Release
from .transport import Answer, Deadline, Transport, Value

#: Parameters of an upload, in the words of the door and, with hyphens, of `sportsctl`; one may be repeated.
Parameters = Sequence[tuple[str, Value]]
_PARQUET = "application/vnd.apache.parquet"
# The difference of two clocks, in seconds, that is named.
_SKEW = 120
INSTALL = (
    "`sportsctl` is neither beside python nor on the PATH: pip install 'sports-model-data[server]' installs it, "
    'and local_publisher(sportsctl="…") names another place'
)


class Refusal(Exception):
    """A refused upload: the sentence, the answer with its reasons, and the id of the request."""

    def __init__(self, detail: str, answer: Mapping[str, Any], request_id: str | None = None) -> None:
        """Takes the answer."""
        super().__init__(detail)
        self.detail, self.answer, self.request_id = detail, answer, request_id


class Door(Protocol):
    """A place that takes uploads: `releases`, `finals` or `convert` of a league."""

    def now(self, deadline: Deadline) -> datetime:
        """Returns the time of its clock."""

    def send(self, action: str, upload: Release, parameters: Parameters, key: str, deadline: Deadline) -> Mapping[str, Any]:
        """Returns the answer to an upload. Raises `Refusal`, or an error of the way."""

    def close(self) -> None:
        """Closes the connections."""


class HttpDoor:
    """A door of `sportsctl receive`."""

    def __init__(self, transport: Transport, progress: bool) -> None:
        """Takes the connection, whose address ends before `/v1`."""
        self._transport, self._progress, self._is_compared = transport, progress, False

    def __repr__(self) -> str:
        """Returns the address; never the token."""
        return self._transport.url

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def now(self, deadline: Deadline) -> datetime:
        """Returns the time of the door's clock, or of this machine's if its answer has none."""
        return self._clock(self._transport.headers("/v1/health", deadline)) or datetime.now(timezone.utc)

    def send(self, action: str, upload: Release, parameters: Parameters, key: str, deadline: Deadline) -> Mapping[str, Any]:
        """Returns the answer to an upload, which is repeated with its key after faults of the way."""
        content, kind = _packed(action, upload)
        headers = {"Idempotency-Key": key, "Content-Type": kind, "Content-Length": str(len(content))}
        path = f"/v1/{action}/{upload.sport}"
        try:
            with leaving(len(content), self._progress) as watch:
                answer = self._transport.upload(path, parameters, content, headers, deadline, watch)
        except NotFound as error:
            if upload.sport not in get_args(terms.Sport):
                raise
            hint = f"{error.detail}; is {self._transport.url} the address of a door, such as https://example.com/publish?"
            raise NotFound(error.status, hint, error.request_id) from None
        except (TimedOut, Unreachable) as error:
            again = f"it may be published: the same call with idempotency_key={key!r} repeats it safely"
            raise type(error)(f"{error}; {again}") from None
        self._clock(answer.headers)
        return self._parsed(answer)

    def _parsed(self, answer: Answer) -> Mapping[str, Any]:
        try:
            found = json.loads(answer.content)
        except ValueError:
            found = None
        if answer.status == 422 and isinstance(found, Mapping) and "detail" in found:
            raise Refusal(str(found["detail"]), found, answer.headers.get("x-request-id"))
        if not isinstance(found, Mapping) or not {"outcome", "release_id", "generation"} & found.keys():
            raise Incompatible(f"the answer is none of a publisher's door: is {self._transport.url} the address of one?")
        return {**found, "replayed": answer.headers.get("idempotency-replayed") == "true"}

    def _clock(self, headers: Mapping[str, str]) -> datetime | None:
        """Returns the time of an answer; warns once if this machine has another."""
        try:
            theirs = email.utils.parsedate_to_datetime(headers.get("date", ""))
        except ValueError:
            return None
        ahead = (datetime.now(timezone.utc) - theirs).total_seconds()
        if abs(ahead) > _SKEW and not self._is_compared:
            side = "ahead of" if ahead > 0 else "behind"
            message = f"this machine's clock is {abs(ahead) / 60:.0f} minutes {side} the door's, which decides: set it right"
            warnings.warn(message, stacklevel=2)
        self._is_compared = True
        return theirs


def _packed(action: str, upload: Release) -> tuple[bytes, str]:
    """Returns the body of an upload and its type. The same upload has the same bytes."""
    if action == "releases":
        return upload.archive(), "application/x-tar"
    if action == "finals":
        return upload.files["finals.parquet"], _PARQUET
    boundary = f"part-{upload.digest()[:32]}"
    parts = []
    for name, content in sorted(upload.files.items()):
        field, kind = ("map", "application/toml") if name.endswith(".toml") else ("table", _PARQUET)
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\nContent-Type: {kind}\r\n\r\n'
        )
        parts += [head.encode(), content, b"\r\n"]
    return b"".join((*parts, f"--{boundary}--\r\n".encode())), f"multipart/form-data; boundary={boundary}"


class Command:
    """The `sportsctl` of this machine."""

    def __init__(self, program: Path, options: Sequence[str]) -> None:
        """Takes the program, and the options of every command."""
        self._program, self._options = program, options

    def __repr__(self) -> str:
        """Returns the program with its options."""
        return " ".join((str(self._program), *self._options))

    def close(self) -> None:
        """Does nothing: a command ends by itself."""

    def now(self, deadline: Deadline) -> datetime:
        """Returns the time of this machine's clock."""
        return datetime.now(timezone.utc)

    def send(self, action: str, upload: Release, parameters: Parameters, key: str, deadline: Deadline) -> Mapping[str, Any]:
        """Returns what the command printed. It needs no key: publishing the same again changes nothing."""
        with tempfile.TemporaryDirectory(prefix="sports-release-") as folder:
            for name, content in upload.files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            words = [*_command(action, upload, Path(folder)), *_flags(parameters), *self._options, "--json"]
            try:
                done = subprocess.run([self._program, *words], capture_output=True, timeout=max(deadline.left(), 0.001))  # noqa: S603
            except subprocess.TimeoutExpired:
                raise TimedOut(f"`sportsctl` took longer than the call's {deadline.seconds:g} seconds and was ended") from None
            except OSError as error:
                raise Unpublished(f"`{self._program}` cannot be run: {error}") from None
        return _printed(done)


def _command(action: str, upload: Release, folder: Path) -> list[str]:
    if action == "releases":
        return ["publish", str(folder)]
    if action == "finals":
        return ["settle", upload.sport, str(folder / "finals.parquet")]
    given = ["--map", str(folder / "map.toml")] if "map.toml" in upload.files else []
    return ["publish", "--from", str(folder / "table.parquet"), "--sport", upload.sport, *given]


def _flags(parameters: Parameters) -> list[str]:
    named = [(f"--{name.replace('_', '-')}", value) for name, value in parameters]
    return [flag if value is True else f"{flag}={value}" for flag, value in named]


def _printed(done: "subprocess.CompletedProcess[bytes]") -> Mapping[str, Any]:
    try:
        found = json.loads(done.stdout)
    except ValueError:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise Unpublished(f"`sportsctl` ended with {done.returncode}: {said[-1] if said else 'no output'}") from None
    if done.returncode == 0:
        return {**found}
    if "problems" in found or "warnings" in found:
        count = found.get("total", found.get("warning_count"))
        raise Refusal(f"{found['error']}: {count} {'problem' if 'problems' in found else 'warning'}{'s' * (count != 1)}", found)
    raise Unpublished(f"sportsctl: {found.get('error', done.returncode)}")


def program(named: str | os.PathLike[str] | None) -> Path:
    """Returns the path of `sportsctl`: the named one, else that beside python, else that of the PATH."""
    if named is not None:
        if not (found := shutil.which(named)):
            raise FileNotFoundError(f"`{os.fspath(named)}` is no program: {INSTALL}")
        return Path(found)
    beside = shutil.which("sportsctl", path=str(Path(sys.executable).parent))
    if not (found := beside or shutil.which("sportsctl")):
        raise FileNotFoundError(INSTALL)
    return Path(found)
