"""Disks that can be filled, made read-only, and made to fail."""

import errno
import subprocess
from contextlib import ExitStack
from pathlib import Path

from outcome import Skipped


class SmallDisk:
    """A file system of its own, in memory."""

    def __init__(self, folder: Path, megabytes: int, ends: ExitStack):
        self.folder = folder
        mounted(folder, ends, "--types", "tmpfs", "--options", f"size={megabytes}m,mode=0700", "drill")

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
        self.remount("ro")

    def writable(self) -> None:
        self.remount("rw")

    def remount(self, option: str) -> None:
        # The options that it has name users whom a user's own namespace does not know.
        tool("mount", "--options-mode", "ignore", "--options", f"remount,{option}", self.folder)


class FailingDisk:
    """An ext4 file system in a file, which the kernel makes read-only when it finds an error in it."""

    def __init__(self, folder: Path, megabytes: int, ends: ExitStack):
        self.folder, self.image, self.ends = folder, folder.with_suffix(".img"), ends
        with open(self.image, "wb") as file:
            file.truncate(megabytes << 20)
        tool("mkfs.ext4", "-q", "-F", self.image)
        mounted(folder, ends, "--options", "loop,errors=remount-ro", self.image)

    def sync(self) -> None:
        """What was written is on the disk."""
        tool("sync", "--file-system", self.folder)

    def fail(self) -> None:
        """The kernel finds an error, under whatever is going on."""
        device = Path(tool("findmnt", "--noheadings", "--output", "SOURCE", self.folder).strip()).name
        Path(f"/sys/fs/ext4/{device}/trigger_fs_error").write_text("1")

    def repair(self) -> None:
        """What an operator does, once no program uses the disk."""
        tool("umount", self.folder)
        subprocess.run(["e2fsck", "-f", "-y", self.image], capture_output=True, check=False)
        tool("mount", "--options", "loop", self.image, self.folder)


def mounted(folder: Path, ends: ExitStack, *what: object) -> None:
    """Mounts on a new folder, until the end."""
    folder.mkdir()
    tool("mount", *what, folder)
    ends.callback(subprocess.run, ["umount", "--lazy", folder], check=False)


def tool(*command: object) -> str:
    """What a tool of the system prints; the drill is skipped where it is missing or may not do this."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError as missing:
        raise Skipped(f"needs {command[0]}") from missing
    except subprocess.CalledProcessError as refused:
        raise Skipped(f"needs the right to do this: {refused.stderr.strip()}") from refused
