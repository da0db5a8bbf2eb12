"""A server that is older or newer by a minor version."""

import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest
from conftest import Api
from proxy import Proxy, Reply, refused

import sports_model_data as smd


@pytest.fixture
def through(proxy: Proxy, key: str) -> Iterator[Api]:
    with smd.connect(proxy.url, key, cache=False) as connected:
        yield connected


def altered(table: Callable[[pl.DataFrame], pl.DataFrame], body: Callable[[Any], Any]) -> Callable[[str, Reply], Reply]:
    """Returns a change of every answer of a server, table or JSON."""

    def alter(path: str, reply: Reply) -> Reply:
        if "parquet" in reply.headers.get("content-type", ""):
            written = io.BytesIO()
            table(pl.read_parquet(io.BytesIO(reply.content))).write_parquet(written)
            return Reply(reply.status, reply.headers, written.getvalue())
        return Reply(reply.status, reply.headers, json.dumps(body(json.loads(reply.content))).encode())

    return alter


def with_more(value: Any) -> Any:
    """Returns an answer of a newer server: every object has one more field."""
    if isinstance(value, dict):
        # An object whose fields are all alike is a map: its keys are data.
        plain = len({type(one) for one in value.values()}) == 1
        more = {} if plain else {"newer_field": "new"}
        return {**{name: with_more(one) for name, one in value.items()}, **more}
    return [with_more(one) for one in value] if isinstance(value, list) else value


def test_columns_fields_and_categories_of_a_newer_server_are_kept_or_left_out(proxy: Proxy, api: Api, through: Api) -> None:
    def newer(table: pl.DataFrame) -> pl.DataFrame:
        table = table.with_columns(newer_column=pl.lit(7))
        if "ungraded_reason" in table.columns:
            table = table.with_columns(pl.col("ungraded_reason").replace("no_final", "void"))
        return table

    season = api.results("nfl", "spread")
    proxy.alter = altered(newer, lambda body: body)
    games = through.results("nfl", "spread")
    assert games["newer_column"].to_list() == [7] * season.height
    assert games.drop("newer_column", "ungraded_reason").equals(season.drop("ungraded_reason"))
    assert games.schema["ungraded_reason"].categories[-1] == "void"  # type: ignore[attr-defined]
    assert "void" in games["ungraded_reason"].to_list()

    proxy.alter = altered(newer, with_more)
    assert through.status("nba") == api.status("nba")
    assert through.tracking("nba", "moneyline").archive_games == api.tracking("nba", "moneyline").archive_games
    assert through.seasons("nba", "moneyline") == api.seasons("nba", "moneyline")
    assert through.account().customer_id == api.account().customer_id
    assert through.markets("nba")["newer_field"].to_list() == ["new"] * api.markets("nba").height
    assert through.calibration("nba", "moneyline").scores["newer_field"].unique().to_list() == ["new"]
    assert through.releases("nba").head == api.releases("nba").head


def test_the_word_of_a_newer_server_on_a_status_of_its_own_decides(proxy: Proxy, through: Api) -> None:
    def body(answer: Any) -> Any:
        of_a_strike = {"status": "delayed", "degradation_reason": "strike", "trusted": False}
        return {**answer, **of_a_strike, "trusted_reason": "A strike delays the slate."}

    proxy.alter = altered(lambda table: table, body)
    state = through.status("nba")
    assert not state.trusted and "cannot be trusted: A strike delays the slate." in state.words


def test_columns_that_an_older_server_lacks_are_missing_and_its_refusals_are_raised(
    proxy: Proxy, api: Api, through: Api
) -> None:
    proxy.alter = altered(lambda table: table.drop("game_id", strict=False), lambda body: body)
    season = api.results("nfl", "spread", "2024-25")
    assert through.results("nfl", "spread", "2024-25").equals(season.drop("game_id"))
    assert "game_id" not in through.predictions("nba", "spread").columns

    unknown = json.dumps({"error": "HTTP_404", "detail": "no such address", "timestamp": "2026-01-01T00:00:00Z"})
    proxy.alter = lambda path, reply: Reply(404, {"content-type": "application/json"}, unknown.encode())
    with pytest.raises(smd.NotFound, match="no such address"):
        through.calibration("nba", "moneyline")


def test_a_field_that_an_older_server_lacks_is_none_or_named(proxy: Proxy, through: Api) -> None:
    def without(*names: str) -> Callable[[str, Reply], Reply]:
        return altered(lambda table: table, lambda body: {name: one for name, one in body.items() if name not in names})

    proxy.alter = without("release_id", "odds")
    state = through.status("nba")
    assert (state.release_id, state.odds) == (None, None)
    proxy.alter = without("operational")
    with pytest.raises(smd.Incompatible, match=r"no `Status\.operational`.*another version"):
        through.status("nba")
    proxy.alter = altered(lambda table: table, lambda body: {**body, "date": 7})
    with pytest.raises(smd.Incompatible, match=r"`Status\.date` is int"):
        through.status("nba")
    proxy.alter = lambda path, reply: refused(404)
    with pytest.raises(smd.NotFound):
        through.status("nba")
