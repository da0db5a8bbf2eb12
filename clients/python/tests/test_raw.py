"""Any address: the parameters of its query and those that are arguments."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import polars as pl
import pytest
from conftest import Api
from proxy import Proxy, Reply

import sports_model_data as smd

RESULTS = "results/nfl/won_on_spread"


@pytest.fixture
def through(proxy: Proxy, key: str) -> Iterator[Api]:
    with smd.connect(proxy.url, key, cache=False) as connected:
        yield connected


def test_parameters_of_the_address_and_arguments_are_one_query(api: Api) -> None:
    oldest = min(api.seasons("nfl", "spread").seasons)
    expected = api.raw(RESULTS, season=oldest, limit=1)
    assert (expected["season"], len(expected["results"])) == (oldest, 1)
    assert api.raw(f"{RESULTS}?season={oldest}&limit=1") == expected
    assert api.raw(f"{RESULTS}?season={oldest}", limit=1, team=None) == expected
    assert api.raw(f"/api/v1/{RESULTS}?limit=1", season=oldest) == expected


def test_a_form_in_the_address_is_the_form_of_the_answer(api: Api) -> None:
    text = api.raw("odds/nba?format=csv")
    assert isinstance(text, str) and text == api.raw("odds/nba", format="csv")
    frame = api.raw(f"{RESULTS}?season=all&format=parquet")
    assert isinstance(frame, pl.DataFrame) and frame.equals(api.raw(RESULTS, season="all", format="parquet"))


def test_texts_arrive_as_they_are_whichever_way_they_are_given(proxy: Proxy, through: Api) -> None:
    for path, arguments in (
        ("?season=2024-25%2C2025-26&team=a%26b+c&to=&format=csv", {"limit": None}),
        ("?season=2024-25,2025-26", {"team": "a&b c", "to": "", "format": "csv"}),
    ):
        proxy.plan[len(proxy.seen)] = Reply(200, {"content-type": "text/csv"})
        assert through.raw(RESULTS + path, **arguments) == ""
    given = [("season", "2024-25,2025-26"), ("team", "a&b c"), ("to", ""), ("format", "csv")]
    assert [parse_qsl(urlsplit(one.path).query, keep_blank_values=True) for one in proxy.seen] == [given, given]


def test_the_moment_of_a_client_is_added_to_the_address(api: Api) -> None:
    first = api.releases("nba").releases["generation"][-1]
    expected = api.raw("results/nba/won_on_points", generation=first, limit=1)
    assert expected["total"] < api.raw("results/nba/won_on_points?limit=1")["total"]
    assert api.raw(f"results/nba/won_on_points?generation={first}&limit=1") == expected
    assert api.at(generation=first).raw("results/nba/won_on_points?limit=1") == expected


def test_a_parameter_that_is_given_twice_is_refused(api: Api) -> None:
    with pytest.raises(smd.BadRequest, match="`season` is given more than once"):
        api.raw(f"{RESULTS}?season=2024-25", season="2025-26")
    with pytest.raises(smd.BadRequest, match="`season` is given more than once"):
        api.raw(f"{RESULTS}?season=2024-25&season=2025-26")
    then = api.at(generation=1)
    with pytest.raises(smd.BadRequest, match="`generation` is given more than once"):
        then.raw("odds/nba?generation=2")
    with pytest.raises(smd.BadRequest, match="`generation` is given more than once"):
        then.raw("odds/nba", generation=2)


def test_a_key_in_an_address_is_refused_before_it_is_sent_or_kept(proxy: Proxy, key: str, tmp_path: Path) -> None:
    with smd.connect(proxy.url, key, cache=tmp_path) as api:
        with pytest.raises(ValueError, match="an argument of `connect`") as of_address:
            api.raw(f"odds/nba?api_key={key}")
        with pytest.raises(ValueError, match="an argument of `connect`") as of_argument:
            api.raw("odds/nba", api_key=key)
    assert key not in str(of_address.value) + str(of_argument.value)
    assert not proxy.seen and not list(tmp_path.iterdir())


def test_answers_of_two_queries_are_two_entries_of_the_cache(base: str, key: str, tmp_path: Path) -> None:
    with smd.connect(base, key, cache=tmp_path) as api:
        labels = api.seasons("nfl", "spread").seasons
        for _ in range(2):
            assert [api.raw(f"{RESULTS}?season={label}&limit=1")["season"] for label in labels] == list(labels)
