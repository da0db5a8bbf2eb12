"""The body of an answer while it arrives: in a file if it is a table, so that it is not in memory beside its frame."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import BinaryIO


class Spool:
    """Takes a body piece by piece. Memory takes the place of a file that cannot be written."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        """Opens a file in the first of the folders that can be written; none are memory."""
        self._memory, self._digest, self._size = bytearray(), hashlib.sha256(), 0
        self._file: BinaryIO | None = None
        self._path: Path | None = None
        for folder in folders:
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
            except OSError:
                continue
            self._file, self._path = os.fdopen(handle, "wb"), Path(name)
            break

    def write(self, piece: bytes) -> None:
        """Takes the next piece."""
        self._digest.update(piece)
        self._size += len(piece)
        if self._file is None:
            self._memory += piece
        else:
            self._file.write(piece)

    def finish(self) -> "Body":
        """Returns the body."""
        if self._file is not None:
            self._file.close()
        return Body(self._path or bytes(self._memory), self._digest.hexdigest(), self._size)

    def discard(self) -> None:
        """Removes the file."""
        if self._file is not None and self._path is not None:
            self._file.close()
            self._path.unlink(missing_ok=True)


class Body:
    """A body that has arrived, in memory or in a file."""

    def __init__(self, content: bytes | Path, sha256: str, size: int, *, is_kept: bool = False) -> None:
        """Takes what a spool has; `is_kept` for a file of the cache, which its readers do not remove."""
        self.content, self.sha256, self.size, self.is_kept = content, sha256, size, is_kept

    def read(self) -> bytes:
        """Returns the bytes."""
        return self.content.read_bytes() if isinstance(self.content, Path) else self.content

    def discard(self) -> None:
        """Removes a file that is not of the cache."""
        if isinstance(self.content, Path) and not self.is_kept:
            self.content.unlink(missing_ok=True)
