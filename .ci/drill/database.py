"""What a drill does to the database that keeps customers, keys and counts. Another kind gets a class like this one."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PAGE = 4096


class SqliteDatabase:
    def __init__(self, file: Path):
        self.file = file
        self.url = f"sqlite:{file}"

    @property
    def log(self) -> Path:
        return self.file.with_name(f"{self.file.name}-wal")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Another program holds the only right to write."""
        connection = sqlite3.connect(self.file, timeout=10, isolation_level=None)
        try:
            connection.execute("BEGIN EXCLUSIVE")
            yield
            connection.execute("ROLLBACK")
        finally:
            connection.close()

    def damage(self) -> dict[str, Callable[[], object]]:
        """Ways to damage a database that no program has open, by name."""
        return {
            "noise over its header": lambda: noise(self.file, 0, 100),
            "noise over its middle": lambda: noise(self.file, self.size() // 4 * PAGE, self.size() // 2 * PAGE),
            "cut to half": lambda: os.truncate(self.file, self.file.stat().st_size // 2),
            "another file in its place": lambda: self.file.write_bytes(b"customer,key\nann,1\n" * 500),
            "noise in place of its log": lambda: self.log.write_bytes(os.urandom(8 * PAGE)),
        }

    def damage_running(self) -> dict[str, Callable[[], object]]:
        """Ways to damage a database under a server that uses it, by name."""
        return {
            "noise over its header": lambda: noise(self.file, 0, 100),
            "noise over all but its first page": lambda: noise(self.file, PAGE, self.size() * PAGE),
            "noise over its log": lambda: noise(self.log, 0, self.log.stat().st_size),
            "cut to half": lambda: os.truncate(self.file, self.file.stat().st_size // 2),
        }

    def size(self) -> int:
        """In pages."""
        return self.file.stat().st_size // PAGE

    def replace(self, other: Path) -> None:
        """Another database gets this one's name, while a server has this one open."""
        shutil.copy(other, self.file.with_name("other.db"))
        os.replace(self.file.with_name("other.db"), self.file)

    def whole(self) -> bool:
        """Whether the database finds no fault in itself."""
        connection = sqlite3.connect(self.file)
        try:
            return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        except sqlite3.DatabaseError:
            return False
        finally:
            connection.close()


def noise(file: Path, start: int, length: int) -> None:
    """Random bytes over a part of a file, which keeps its length."""
    with open(file, "r+b") as opened:
        opened.seek(start)
        opened.write(os.urandom(max(0, min(length, file.stat().st_size - start))))
