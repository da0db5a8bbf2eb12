"""Answers that are no table: refusals, broken connections, a season that is published meanwhile."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from conftest import Api
from proxy import Proxy, Reply, refused

import sports_model_data as smd

YEARS = range(2011, 2021)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses as they were made, none of which takes its time."""
    made: list[float] = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made


@pytest.fixture
def through(proxy: Proxy, key: str) -> Iterator[Api]:
    with smd.connect(proxy.url, key, cache=False) as connected:
        yield connected


def test_a_download_of_ten_seasons_survives_every_fault_in_its_middle(
    real: tuple[str, str], real_proxy: Proxy, pauses: list[float], tmp_path: Path
) -> None:
    with smd.connect(*real, cache=False, timeout=600) as plain:
        expected = plain.results("nfl", "spread", YEARS)
    assert expected["season"].n_unique() == 10
    # Request 0 is the list of seasons, and the seasons are one more.
    real_proxy.plan = {
        1: refused(429, retry_after="2"),
        2: refused(503, retry_after="3"),
        3: refused(500),
        4: Reply(200, {"content-type": "application/vnd.apache.parquet"}, b"PAR1" * 1000, cut=1000),
        5: refused(504),
    }
    with smd.connect(real_proxy.url, real[1], cache=tmp_path, timeout=600) as api:
        assert api.results("nfl", "spread", YEARS).equals(expected)
        assert real_proxy.statuses.count(200) == 1 + 1 + 1 and len(real_proxy.seen) == 7
        assert pauses == [2, 3, 0.5, 1, 2]
        # Again: nothing but confirmations, with the same faults in between.
        real_proxy.seen.clear()
        real_proxy.plan = {1: refused(429, retry_after="2"), 2: refused(503)}
        assert api.results("nfl", "spread", YEARS).equals(expected)
    assert real_proxy.statuses == [304, 429, 503, 304]


def test_a_429_without_retry_after_is_a_full_month_and_raised_at_once(through: Api, proxy: Proxy, pauses: list[float]) -> None:
    proxy.plan = {0: refused(429)}
    with pytest.raises(smd.TooManyRequests, match="refused with 429"):
        through.leagues()
    assert proxy.statuses == [429] and pauses == []


def test_a_pause_that_exceeds_the_time_of_a_call_is_not_made(through: Api, proxy: Proxy, pauses: list[float]) -> None:
    proxy.plan = {0: refused(429, retry_after="2332800")}
    with pytest.raises(smd.TooManyRequests):
        through.leagues()
    assert proxy.statuses == [429] and pauses == []


def older(path: str, reply: Reply) -> Reply:
    """Answers as a server that has one season in a table."""
    season = parse_qs(urlsplit(path).query).get("season", [""])[0]
    return refused(400) if season == "all" or "," in season else reply


def test_seasons_of_an_older_server_are_a_request_each_and_survive_every_fault(
    real: tuple[str, str], real_proxy: Proxy, pauses: list[float], tmp_path: Path
) -> None:
    with smd.connect(*real, cache=False, timeout=600) as plain:
        expected = plain.results("nfl", "spread", YEARS)
    real_proxy.alter = older
    # Requests 0 and 1 are the list of seasons and the refused table of all of them.
    real_proxy.plan = {
        3: refused(429, retry_after="2"),
        5: refused(503, retry_after="3"),
        6: refused(503, retry_after="1"),
        8: refused(500),
        10: refused(504),
        12: Reply(200, {"content-type": "application/vnd.apache.parquet"}, b"PAR1" * 1000, cut=1000),
    }
    with smd.connect(real_proxy.url, real[1], cache=tmp_path, timeout=600) as api:
        assert api.results("nfl", "spread", YEARS).equals(expected)
        assert real_proxy.statuses.count(200) == 1 + 10 + 1
        assert pauses == [2, 3, 1, 0.5, 0.5, 0.5]
        real_proxy.seen.clear()
        real_proxy.plan = {2: refused(429, retry_after="2"), 5: refused(503)}
        assert api.results("nfl", "spread", YEARS).equals(expected)
        assert real_proxy.statuses.count(304) == 1 + 10 and 200 not in real_proxy.statuses
        # A season that the server does not have is refused by itself.
        with pytest.raises(smd.Refused):
            api.results("nfl", "spread", ["1901-02", "2019-20"])


def test_pages_begin_again_when_the_snapshot_changes(real: tuple[str, str], real_proxy: Proxy, pauses: list[float]) -> None:
    years = range(2019, 2021)
    with smd.connect(*real, cache=False, timeout=600) as plain:
        expected = plain.results("nfl", "spread", years)
    with smd.connect(real_proxy.url, real[1], cache=False, timeout=600) as api:
        real_proxy.plan = {2: refused(409), 5: refused(409), 10: refused(429, retry_after="1")}
        assert api.results("nfl", "spread", years, page_size=100).equals(expected)
    pages = [one.path for one in real_proxy.seen if "limit=100" in one.path]
    # Three pages of each season. The first season was begun three times, and one page of the second was refused.
    assert len(pages) == 2 + 3 + 3 + 3 + 1
    assert all("snapshot=" in page for page in pages if "offset=" in page)
    assert pauses == [1]


def test_a_snapshot_that_never_stays_ends_with_the_calls_time(proxy: Proxy, key: str) -> None:
    with smd.connect(proxy.url, key, cache=False, timeout=0.5) as api:
        proxy.alter = lambda path, reply: refused(409) if "offset" in path else reply
        with pytest.raises(smd.TimedOut):
            api.results("nfl", "spread", "2024-25", page_size=100)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, smd.BadRequest),
        (401, smd.Unauthorized),
        (403, smd.Forbidden),
        (404, smd.NotFound),
        (409, smd.Conflict),
        (418, smd.Refused),
    ],
)
def test_a_refusal_is_raised_at_once_with_its_detail_and_request(
    status: int, kind: type[smd.Refused], proxy: Proxy, through: Api, pauses: list[float]
) -> None:
    proxy.plan = {0: refused(status)}
    with pytest.raises(smd.Refused) as caught:
        through.odds("nba")
    error = caught.value
    assert type(error) is kind
    assert (error.status, error.code, error.detail, error.request_id) == (
        status,
        f"HTTP_{status}",
        f"refused with {status}",
        "feed-1",
    )
    assert str(error) == f"HTTP_{status}: refused with {status} (request feed-1)"
    assert (pauses, len(proxy.seen)) == ([], 1)


def test_errors_of_the_server_itself_have_its_detail(through: Api, base: str) -> None:
    with pytest.raises(smd.BadRequest, match=r"known sports: mlb, nba") as caught:
        through.odds("curling")  # type: ignore[arg-type]
    assert caught.value.request_id
    with smd.connect(base, "sk_service_unknown", cache=False) as stranger, pytest.raises(smd.Unauthorized):
        stranger.odds("nba")
    with pytest.raises(smd.BadRequest, match="did you mean `season`"):
        through.raw("results/nfl/won_on_spread", seasons="2024-25")


def test_an_error_without_json_is_one_of_a_proxy(proxy: Proxy, through: Api) -> None:
    proxy.plan = {0: Reply(403, {"content-type": "text/html"}, b"<html>no</html>")}
    with pytest.raises(smd.Forbidden, match="a proxy may have sent it"):
        through.odds("nba")


def test_a_fault_of_the_server_is_repeated_once(proxy: Proxy, through: Api, pauses: list[float]) -> None:
    proxy.plan = {0: refused(500), 1: refused(500)}
    with pytest.raises(smd.ServerError):
        through.odds("nba")
    assert len(proxy.seen) == 2
    assert through.odds("nba").height


@pytest.mark.parametrize(("status", "kind"), [(429, smd.TooManyRequests), (503, smd.Unavailable)])
def test_a_pause_that_the_time_does_not_allow_raises_the_refusal_at_once(
    status: int, kind: type[smd.Refused], proxy: Proxy, through: Api, pauses: list[float]
) -> None:
    proxy.plan = {0: refused(status, retry_after="61")}
    with pytest.raises(kind):
        through.odds("nba")
    assert (pauses, len(proxy.seen)) == ([], 1)


def test_a_date_in_retry_after_is_a_pause(proxy: Proxy, through: Api, pauses: list[float]) -> None:
    proxy.plan = {0: refused(503, retry_after="Thu, 01 Jan 2026 00:00:00 GMT")}
    assert through.odds("nba").height
    assert pauses == [0]


def test_pauses_without_retry_after_grow_and_end_with_the_calls_time(
    proxy: Proxy, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, pauses = [time.monotonic()], []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    proxy.alter = lambda path, reply: refused(502)
    with smd.connect(proxy.url, key, cache=False, timeout=30) as api, pytest.raises(smd.Refused, match="HTTP_502"):
        api.odds("nba")
    assert pauses == [0.5, 1, 2, 4, 8, 8]


def test_an_answer_that_trickles_ends_with_the_calls_time(proxy: Proxy, key: str) -> None:
    proxy.plan = {0: Reply(200, {}, b"x" * 10_000, trickle=0.02)}
    with smd.connect(proxy.url, key, cache=False, timeout=0.3) as api, pytest.raises(smd.TimedOut, match=r"0\.3 seconds"):
        api.odds("nba")


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with (
        smd.connect("http://127.0.0.1:1", cache=False, timeout=0.2) as api,
        pytest.raises(smd.Unreachable, match=r"127\.0\.0\.1"),
    ):
        api.status("nba")


def test_another_program_at_the_address_is_incompatible(proxy: Proxy, through: Api) -> None:
    proxy.plan = dict.fromkeys(range(2), Reply(200, {"content-type": "text/html"}, b"<html>"))
    with pytest.raises(smd.Incompatible, match="no JSON"):
        through.status("nba")
    with pytest.raises(smd.Incompatible, match="no Parquet"):
        through.odds("nba")


def test_a_confirmed_copy_that_is_gone_is_requested_again(proxy: Proxy, key: str, tmp_path: Path) -> None:
    with smd.connect(proxy.url, key, cache=tmp_path) as api:
        first = api.results("nfl", "spread", "2024-25")
        kept = next(tmp_path.glob("*.body"))
        kept.write_bytes(kept.read_bytes()[:-100])
        assert api.results("nfl", "spread", "2024-25").equals(first)
        assert proxy.statuses == [200, 200]
        assert api.results("nfl", "spread", "2024-25").equals(first)
    assert proxy.statuses == [200, 200, 304]
    assert isinstance(first, pl.DataFrame)


def test_a_bar_has_the_bytes_of_one_file_or_the_seasons_of_several(
    proxy: Proxy, key: str, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    bars: list[Any] = []

    class Bar:
        total: int | None = None

        def __init__(self, labels: Sequence[str] = (), **_: Any) -> None:
            self.labels, self.seen = list(labels), 0
            bars.append(self)

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def __iter__(self) -> Iterator[str]:
            return iter(self.labels)

        def update(self, size: int) -> None:
            self.seen += size

    monkeypatch.setattr("tqdm.auto.tqdm", Bar)
    labels = sorted(api.seasons("nfl", "spread").seasons)
    with smd.connect(proxy.url, key, cache=False) as through:
        expected = through.results("nfl", "spread", "all")
        assert bars[0].seen == bars[0].total > 10_000
        proxy.alter = older
        assert through.results("nfl", "spread", "all").equals(expected)
        assert bars[2].labels == labels
        through.results("nfl", "spread", labels[0])
    assert len(bars) == 3
