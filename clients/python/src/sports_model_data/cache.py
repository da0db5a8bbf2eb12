"""A bounded folder of answers with their ETags. Files have no key, and are removed longest unused first."""

import hashlib
import json
import os
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from .spool import Body

# The head of an entry, its body, and a file that is being written.
_HEAD, _BODY, _PART = ".answer", ".body", ".part"
# The age, in seconds, at which the writer of a part is gone.
_STALE = 24 * 3600


@dataclass(frozen=True)
class Entry:
    """An answer as it was kept."""

    etag: str
    headers: dict[str, str]
    body: Body


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
        name = _name(request)
        head = self.folder / (name + _HEAD)
        try:
            fields = json.loads(head.read_bytes())
            path = self._body(name, fields["sha256"])
            with path.open("rb") as file:
                digest, size = _digest(file.fileno()), os.fstat(file.fileno()).st_size
            if fields["request"] != request or fields["sha256"] != digest:
                return None
            os.utime(head)
            return Entry(str(fields["etag"]), dict(fields["headers"]), Body(path, digest, size, is_kept=True))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, request: str, entry: Entry) -> Body:
        """Keeps an answer, unless it is larger than the limit. Returns its body, which may have become a file of the cache."""
        name, body = _name(request), entry.body
        fields = {"request": request, "etag": entry.etag, "headers": entry.headers, "sha256": body.sha256}
        head = json.dumps(fields).encode()
        if len(head) + body.size > self.limit:
            return body
        path = self._body(name, body.sha256)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._put(path, body.content)
            self._put(self.folder / (name + _HEAD), head)
        except OSError:
            # The folder cannot be written, or the file is in another file system. A file that was moved stays where it is.
            is_moved = isinstance(body.content, Path) and not body.content.exists()
            return Body(path, body.sha256, body.size, is_kept=True) if is_moved else body
        for other in self.folder.glob(f"{name}-*{_BODY}"):
            if other != path:
                other.unlink(missing_ok=True)
        self._evict()
        return Body(path, body.sha256, body.size, is_kept=True) if isinstance(body.content, Path) else body

    def clear(self) -> None:
        """Removes every entry."""
        for files in self._entries().values():
            for path in files:
                path.unlink(missing_ok=True)

    def _body(self, name: str, sha256: str) -> Path:
        return self.folder / f"{name}-{sha256[:16]}{_BODY}"

    def _put(self, path: Path, content: bytes | Path) -> None:
        """Makes a file that is whole at once: of bytes, or by another name for a file."""
        if isinstance(content, Path):
            os.replace(content, path)
            return
        handle, temporary = tempfile.mkstemp(dir=self.folder, suffix=_PART)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(temporary, path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _entries(self) -> dict[str, dict[Path, os.stat_result]]:
        """Returns the files of each entry. A part whose writer is gone is an entry of its own."""
        entries: dict[str, dict[Path, os.stat_result]] = defaultdict(dict)
        for path in self.folder.iterdir() if self.folder.is_dir() else ():
            try:
                stat = path.stat()
            except FileNotFoundError:  # another process evicts, too
                continue
            if path.suffix in (_HEAD, _BODY):
                entries[path.stem.partition("-")[0]][path] = stat
            elif path.suffix == _PART and time.time() - stat.st_mtime > _STALE:
                entries[path.name][path] = stat
        return entries

    def _evict(self) -> None:
        entries = sorted(self._entries().values(), key=lambda files: max(stat.st_mtime_ns for stat in files.values()))
        excess = sum(stat.st_size for files in entries for stat in files.values()) - self.limit
        for files in entries:
            if excess <= 0:
                return
            # The head goes first, so that no entry is without its body for long.
            for path in sorted(files, key=lambda path: path.suffix != _HEAD):
                excess -= files[path].st_size
                path.unlink(missing_ok=True)


def _name(request: str) -> str:
    return hashlib.sha256(request.encode()).hexdigest()


def _digest(descriptor: int) -> str:
    digest = hashlib.sha256()
    while piece := os.read(descriptor, 1 << 16):
        digest.update(piece)
    return digest.hexdigest()
