"""Clients of an earlier moment of the record."""

from datetime import datetime, timedelta, timezone

import polars as pl
import pytest
from conftest import Api
from proxy import Proxy

import sports_model_data as smd


def test_a_client_of_an_earlier_moment_has_the_data_of_then(api: Api) -> None:
    record = api.releases("nba").releases
    newest = record["generation"][0]
    first = api.at(generation=record["generation"][-1])
    assert first.results("nba", "moneyline", "all").height < api.results("nba", "moneyline", "all").height
    for row in record.filter(pl.col("predictions").list.contains("won_on_points")).iter_rows(named=True):
        then = api.at(row["published_at"])
        assert then.predictions("nba", "moneyline").equals(api.at(generation=row["generation"]).predictions("nba", "moneyline"))
        raw = api.raw("results/nba/won_on_points", generation=row["generation"], limit=100000)
        assert then.results("nba", "moneyline").height == raw["total"]
        assert then.games("nba").height == then.raw("games/nba")["total"]
    assert api.at(generation=newest).results("nba", "moneyline").equals(api.results("nba", "moneyline"))


def test_a_moment_is_sent_with_every_request_in_utc(proxy: Proxy, key: str, api: Api) -> None:
    published = api.releases("nba").releases["published_at"][-1]
    with smd.connect(proxy.url, key, cache=False) as through:
        then = through.at(published.astimezone(timezone(timedelta(hours=2))))
        assert repr(then).startswith(f"<sports_model_data {proxy.url} as_of=20")
        for page_size in (None, 500):
            then.results("nba", "spread", page_size=page_size)
        then.status("nba")
    assert len(proxy.seen) > 3
    assert all("as_of=" in one.path and "%2B" not in one.path for one in proxy.seen)


def test_a_moment_that_cannot_be_is_refused(api: Api) -> None:
    with pytest.raises(ValueError, match="an instant or a generation"):
        api.at()
    with pytest.raises(ValueError, match="an instant or a generation"):
        api.at("2026-01-15T15:00:00Z", generation=1)
    with pytest.raises(ValueError, match="no zone"):
        api.at(datetime(2026, 1, 15))
    with pytest.raises(smd.BadRequest, match="`as_of` must be an RFC 3339 instant"):
        api.at("yesterday").odds("nba")
    with pytest.raises(smd.BadRequest, match="`generation` is not a parameter here"):
        api.at(generation=1).account()
