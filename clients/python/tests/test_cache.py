"""The folder of answers: bounded, private, and never a source of its own."""

import hashlib
import os
import tempfile
from pathlib import Path

import pytest
from conftest import Api
from proxy import Proxy

import sports_model_data as smd
from sports_model_data.cache import DiskCache, Entry
from sports_model_data.spool import Body


def entry(size: int) -> Entry:
    content = b"x" * size
    return Entry('"tag"', {}, Body(content, hashlib.sha256(content).hexdigest(), size))


def files(folder: Path, request: str) -> tuple[Path, Path]:
    """Returns the head and the body of an entry."""
    head = folder / (hashlib.sha256(request.encode()).hexdigest() + ".answer")
    return head, next(folder.glob(f"{head.stem}-*.body"))


def test_a_second_read_costs_a_304_and_no_call(base: str, key: str, tmp_path: Path) -> None:
    with smd.connect(base, key, cache=tmp_path) as api:
        first = api.results("nfl", "moneyline", "2024-25")
        before = api.usage().monthly_requests
        assert api.results("nfl", "moneyline", "2024-25").equals(first)
        assert api.usage().monthly_requests == before
        api.results("nfl", "moneyline", "2025-26")
        assert api.usage().monthly_requests == before + 1


def test_the_folder_holds_the_limit_and_the_last_used(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, 10_000)
    for number in range(5):
        cache.write(f"request {number}", entry(2_500))
        for path in files(tmp_path, f"request {number}"):
            os.utime(path, ns=(number, number))
    assert cache.read("request 2") is not None  # used, and so the last to go
    for number in range(5, 7):
        cache.write(f"request {number}", entry(2_500))
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 10_000
    assert [number for number in range(7) if cache.read(f"request {number}")] == [2, 5, 6]
    cache.write("large", entry(10_000))
    assert cache.read("large") is None


def test_an_altered_file_is_no_entry(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, 10_000)
    cache.write("one", entry(100))
    head, body = files(tmp_path, "one")
    for path in (head, body):
        whole = path.read_bytes()
        for altered in (b"", whole[:50], whole[:-1], whole[:-1] + b"y", b"{}", b"[]" + whole):
            path.write_bytes(altered)
            assert cache.read("one") is None
        path.write_bytes(whole)
    kept = cache.read("one")
    assert kept is not None and (kept.etag, kept.body.read(), kept.body.size) == ('"tag"', b"x" * 100, 100)
    os.rename(head, tmp_path / (hashlib.sha256(b"two").hexdigest() + ".answer"))
    assert cache.read("two") is None
    cache.clear()
    assert not list(tmp_path.iterdir())


def test_a_new_answer_replaces_the_one_before_and_old_parts_go(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, 10_000)
    for size in (100, 200, 300):
        cache.write("one", entry(size))
    assert len(list(tmp_path.iterdir())) == 2
    kept = cache.read("one")
    assert kept is not None and kept.body.size == 300
    left, young = tmp_path / "left.part", tmp_path / "young.part"
    for part in (left, young):
        part.write_bytes(b"x" * 9_900)
    os.utime(left, ns=(1, 1))
    cache.write("two", entry(100))
    assert (left.exists(), young.exists()) == (False, True), "the writer of a young part may be at work"


def test_a_table_leaves_no_file_but_that_of_the_cache(
    base: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary, folder = tmp_path / "temporary", tmp_path / "cache"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with smd.connect(base, key, cache=False) as api:
        api.results("nfl", "spread", "2024-25")
        api.raw("odds/nba", format="parquet")
        with pytest.raises(smd.BadRequest):
            api.results("nfl", "spread", "2024-25", since="2031-01-01", until="2030-01-01")
    with smd.connect(base, key, cache=folder) as api:
        for _ in range(2):
            api.results("nfl", "spread", "2024-25")
    assert sorted(path.suffix for path in folder.iterdir()) == [".answer", ".body"]
    assert not list(temporary.iterdir())


def test_a_folder_that_cannot_be_written_keeps_nothing(base: str, key: str, tmp_path: Path, api: Api) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with smd.connect(base, key, cache=blocked) as other:
        assert other.results("nfl", "spread", "2024-25").equals(api.results("nfl", "spread", "2024-25"))


def test_nothing_is_kept_without_a_cache(base: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with smd.connect(base, key, cache=False) as api:
        api.results("nfl", "spread", "2024-25")
    assert not list(tmp_path.iterdir())


def test_a_copy_is_shown_to_no_key_that_the_server_refuses(base: str, key: str, tmp_path: Path) -> None:
    with smd.connect(base, key, cache=tmp_path) as api:
        api.odds("nba")
    with smd.connect(base, "sk_service_other", cache=tmp_path) as stranger, pytest.raises(smd.Unauthorized):
        stranger.odds("nba")


def test_files_of_the_cache_are_private(proxy: Proxy, key: str, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    with smd.connect(proxy.url, key, cache=folder) as api:
        api.odds("nba")
    assert folder.stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in folder.iterdir())
