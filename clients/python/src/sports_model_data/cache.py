"""A bounded folder of answers with their ETags. Files have no key, and are removed longest unused first."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SUFFIX = ".answer"


@dataclass(frozen=True)
class Entry:
    """An answer as it was kept."""

    etag: str
    headers: dict[str, str]
    content: bytes


class DiskCache:
    """A folder of answers, at most `limit` bytes.

    The server decides about each read by the ETag, under the key of that read, so that an entry needs no owner. A file that was
    cut short or altered is no entry. A folder that cannot be written keeps nothing.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        """Takes the folder, which is made at the first write."""
        self.folder, self.limit = folder, limit

    def read(self, request: str) -> Entry | None:
        """Returns the entry of a request, and marks it as used."""
        path = self._path(request)
        try:
            head, _, content = path.read_bytes().partition(b"\n")
            fields = json.loads(head)
            if fields["request"] != request or fields["sha256"] != hashlib.sha256(content).hexdigest():
                return None
            os.utime(path)
            return Entry(str(fields["etag"]), dict(fields["headers"]), content)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, request: str, entry: Entry) -> None:
        """Keeps an answer, unless it is larger than the limit."""
        digest = hashlib.sha256(entry.content).hexdigest()
        fields = {"request": request, "etag": entry.etag, "headers": entry.headers, "sha256": digest}
        head = json.dumps(fields).encode() + b"\n"
        if len(head) + len(entry.content) > self.limit:
            return
        temporary: str | None = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, temporary = tempfile.mkstemp(dir=self.folder, suffix=".part")
            with os.fdopen(handle, "wb") as file:
                file.write(head)
                file.write(entry.content)
            os.replace(temporary, self._path(request))
            self._evict()
        except OSError:
            if temporary:
                Path(temporary).unlink(missing_ok=True)

    def clear(self) -> None:
        """Removes every entry."""
        for path, _ in self._entries():
            path.unlink(missing_ok=True)

    def _path(self, request: str) -> Path:
        return self.folder / (hashlib.sha256(request.encode()).hexdigest() + _SUFFIX)

    def _entries(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in self.folder.glob(f"*{_SUFFIX}"):
            try:
                yield path, path.stat()
            except FileNotFoundError:  # another process evicts, too
                continue

    def _evict(self) -> None:
        entries = sorted(self._entries(), key=lambda entry: entry[1].st_mtime_ns)
        excess = sum(stat.st_size for _, stat in entries) - self.limit
        for path, stat in entries:
            if excess <= 0:
                return
            path.unlink(missing_ok=True)
            excess -= stat.st_size
