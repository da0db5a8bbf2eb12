"""Request bodies that are small on the wire and large once they are inflated, or that do not end."""

import base64
import gzip
import zlib
from collections.abc import Callable, Iterator

# 1 GiB of zeros in 841 bytes of brotli, which the standard library cannot make.
BROTLI = zlib.decompress(
    base64.b64decode(
        "eNo7//9//Q91hkcbHRS+/5v/////D/4MRxIZG979tf/////D+Qwdh5UY7v6u//f//2F7RoF2VoZd3///+f+/vZ5JgY+boeT9/5////P/Z3GQEWN4c"
        "e//5///5f9xNljoMFzY+//5///2f4QZCiMYFlT/Pw+1aAODAy6LmEYtGrVoiFpkDwBW6Oao"
    )
)


def zstd(blocks: int = 8000) -> bytes:
    """Blocks of 128 KiB of one byte each, 4 bytes a block."""
    size, window = 1 << 17, 7 << 3
    block = (size << 3 | 1 << 1).to_bytes(3, "little") + b" "
    last = (size << 3 | 1 << 1 | 1).to_bytes(3, "little") + b" "
    return b"\x28\xb5\x2f\xfd\x00" + bytes([window]) + block * (blocks - 1) + last


def deflated(megabytes: int = 60) -> bytes:
    return zlib.compress(bytes(megabytes << 20), 9)


ENCODED: dict[str, Callable[[], bytes]] = {
    "br": lambda: BROTLI,
    "zstd": zstd,
    "gzip": lambda: gzip.compress(bytes(60 << 20), 9),
    "deflate": deflated,
}


def pieces(megabytes: int) -> Iterator[bytes]:
    """A body of spaces, a megabyte at a time."""
    piece = b" " * (1 << 20)
    for _ in range(megabytes):
        yield piece
