"""A small disk that can be filled, and made read-only."""

import errno
import subprocess
from contextlib import ExitStack
from pathlib import Path

from outcome import Skipped


class SmallDisk:
    """A file system of its own, in memory."""

    def __init__(self, folder: Path, megabytes: int, ends: ExitStack):
        self.folder = folder
        folder.mkdir()
        self.mount("--types", "tmpfs", "--options", f"size={megabytes}m,mode=0700", "drill")
        ends.callback(subprocess.run, ["umount", "--lazy", folder], check=False)

    def mount(self, *arguments: str) -> None:
        done = subprocess.run(["mount", *arguments, self.folder], capture_output=True, text=True)
        if done.returncode != 0:
            raise Skipped(f"needs the right to mount ({done.stderr.strip()})")

    @property
    def ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self) -> None:
        """Takes every free byte."""
        with open(self.ballast, "wb", buffering=0) as file:
            piece = bytes(1 << 16)
            while piece:
                try:
                    file.write(piece)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    piece = piece[: len(piece) // 2]

    def free(self) -> None:
        self.ballast.unlink()

    def read_only(self) -> None:
        """Works while no program has a file open for writing."""
        self.mount("--options", "remount,ro")

    def writable(self) -> None:
        self.mount("--options", "remount,rw")
