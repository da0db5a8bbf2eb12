"""The tree of RFC 6962, section 2.1, as its definitions read: a second implementation that shares no code.

Reads requests, one a line (`root SIZE`, `path INDEX SIZE`, `proof OLD SIZE`), and writes one line for each: hashes in
hexadecimal digits, separated by spaces. Leaf number i is the text `leaf i`.
"""

import hashlib
import sys
from functools import lru_cache


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def split(size: int) -> int:
    k = 1
    while k * 2 < size:
        k *= 2
    return k


@lru_cache(maxsize=None)
def mth(start: int, end: int) -> bytes:
    if start == end:
        return sha(b"")
    if end - start == 1:
        return sha(b"\x00" + b"leaf %d" % start)
    k = start + split(end - start)
    return sha(b"\x01" + mth(start, k) + mth(k, end))


def path(m: int, start: int, end: int) -> list[bytes]:
    if end - start == 1:
        return []
    k = split(end - start)
    if m < k:
        return path(m, start, start + k) + [mth(start + k, end)]
    return path(m - k, start + k, end) + [mth(start, start + k)]


def subproof(m: int, start: int, end: int, whole: bool) -> list[bytes]:
    if m == end - start:
        return [] if whole else [mth(start, end)]
    k = split(end - start)
    if m <= k:
        return subproof(m, start, start + k, whole) + [mth(start + k, end)]
    return subproof(m - k, start + k, end, False) + [mth(start, start + k)]


for line in sys.stdin:
    kind, *numbers = line.split()
    numbers = [int(number) for number in numbers]
    if kind == "root":
        hashes = [mth(0, numbers[0])]
    elif kind == "path":
        hashes = path(numbers[0], 0, numbers[1])
    else:
        hashes = subproof(numbers[0], 0, numbers[1], True)
    print(*(digest.hex() for digest in hashes))
