"""Changes of the account: keys, and the files that a customer owns."""

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from conftest import DATASET, Api
from proxy import Proxy, Reply, refused

import sports_model_data as smd
from sports_model_data.objects import KeyEntry


@pytest.fixture
def through(proxy: Proxy, key: str) -> Iterator[Api]:
    with smd.connect(proxy.url, key, cache=False) as connected:
        yield connected


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    made: list[float] = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made


def active(api: Api, made: str) -> list[KeyEntry]:
    entries = api.keys()
    return [entry for entry in entries if entry.is_active and entry.api_key == f"{made[:15]}*****"]


def ends(reader: Api) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        reader.leagues()
        time.sleep(0.1)


def test_a_key_is_made_renamed_and_revoked(api: Api, base: str) -> None:
    tomorrow = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=1)
    made = api.create_key("reads", scope="read", expires_at=tomorrow, allowed_networks=["127.0.0.0/8", "::1"])
    (entry,) = active(api, made)
    assert entry.expires_at == tomorrow
    assert (entry.name, entry.scope, entry.allowed_networks) == ("reads", "read", ("127.0.0.0/8", "::1"))
    with smd.connect(base, made, cache=False) as reader:
        assert reader.leagues().sports
        with pytest.raises(smd.Forbidden, match=r"scope `?full"):
            reader.create_key("another")
        api.rename_key(made, "reads only")
        assert [entry.name for entry in active(api, made)] == ["reads only"]
        # Named as the list does.
        api.revoke_key(f"{made[:15]}*****")
        assert active(api, made) == []
        with pytest.raises(smd.Unauthorized):
            ends(reader)
    with pytest.raises(smd.NotFound):
        api.revoke_key(made)


def test_a_change_is_repeated_after_429_alone(through: Api, proxy: Proxy, pauses: list[float]) -> None:
    proxy.plan = {0: refused(429, retry_after="2")}
    made = through.create_key("one")
    assert pauses == [2] and [one.status for one in proxy.seen] == [429, 200]
    assert [(one.method, json.loads(one.body)) for one in proxy.seen] == [("POST", {"name": "one"})] * 2
    through.revoke_key(made)
    for reply, failure in (
        (refused(429), smd.TooManyRequests),
        (refused(503, retry_after="2"), smd.Unavailable),
        (refused(500), smd.ServerError),
        (refused(504), smd.ApiError),
        (Reply(200, {}, b"{}", cut=1), smd.Unreachable),
    ):
        proxy.seen.clear()
        proxy.plan = {0: reply}
        with pytest.raises(failure):
            through.create_key("one")
        assert len(proxy.seen) == 1
    assert pauses == [2]


def test_a_dataset_is_downloaded_whole_and_without_the_key(real: tuple[str, str], tmp_path: Path, pauses: list[float]) -> None:
    with smd.connect(*real, cache=False) as api:
        before = api.datasets()
        assert (before.owned_products, before.owned_sports) == (("historical-odds",), ("nfl",))
        refresh = api.refresh()
        assert refresh.refreshes_remaining == before.refreshes_remaining - 1 == api.datasets().refreshes_remaining
        assert api.last_refresh().downloads == refresh.downloads
        (link,) = refresh.downloads
        size, sha256 = len(DATASET), hashlib.sha256(DATASET.encode()).hexdigest()
        assert (link.sport, link.filename, link.bytes, link.sha256) == ("nfl", "nfl-totals.csv", size, sha256)
        path = api.download(link, tmp_path / "files")
        assert path == tmp_path / "files/nfl-totals.csv" and path.read_text() == DATASET
        with Proxy(link.url.partition("/downloads")[0]) as proxy:
            through = replace(link, url=proxy.url + "/downloads" + link.url.partition("/downloads")[2])
            # A file that breaks off is downloaded again.
            proxy.plan = {0: Reply(200, {}, DATASET.encode(), cut=100)}
            assert api.download(through, tmp_path).read_text() == DATASET
            assert len(proxy.seen) == 2 and pauses == [0.5]
            assert not any("x-api-key" in one.headers for one in proxy.seen)

        # What is damaged gets no name, and no name leads out of the folder. An older server states neither size nor hash.
        stated = replace(link, filename="../stated.csv", bytes=None, sha256=None)
        assert api.download(stated, tmp_path / "more") == tmp_path / "more/stated.csv"
        for wrong in (replace(link, bytes=size + 1), replace(link, sha256="0" * 64)):
            with pytest.raises(smd.Damaged, match="in the link"):
                api.download(wrong, tmp_path / "damaged")
        with pytest.raises(smd.Forbidden, match="was changed since"):
            api.download(replace(link, url=link.url[:-1] + ("0" if link.url[-1] != "0" else "1")), tmp_path / "damaged")
        assert not list((tmp_path / "damaged").iterdir())


def test_a_refresh_that_is_sent_twice_is_one(real: tuple[str, str], real_proxy: Proxy, pauses: list[float]) -> None:
    # The first answer is lost on its way.
    real_proxy.alter = lambda path, reply: replace(reply, cut=10 if len(real_proxy.seen) == 2 else None)
    with smd.connect(real_proxy.url, real[1], cache=False) as api:
        before = api.datasets()
        assert api.refresh().refreshes_remaining == before.refreshes_remaining - 1
        assert [one.method for one in real_proxy.seen] == ["GET", "POST", "POST"] and pauses == [0.5]
        assert api.datasets().refreshes_used == before.refreshes_used + 1
