"""Frames have the rows of the JSON answer, cell by cell, and the types of the document."""

import json
from collections.abc import Mapping
from datetime import date, datetime, time, timezone
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from conftest import Api
from polars.testing import assert_frame_equal
from proxy import Proxy, Reply, refused
from schemas import INSTANT, Schemas

import sports_model_data as smd
from sports_model_data.frames import joined

MARKETS: tuple[smd.Market, ...] = ("over_under", "won_on_points", "won_on_spread")
# Columns of a closed set that the document has as text, and models, which are an open set that it has as a closed one.
ONCE = {"date", "time_est", "season", "game_type", "away_team", "home_team", "game_number", "match_id"}
ENUMERATED, OPEN = {"game_type", "settlement_status"}, {"model", "id"}


def flat(row: Mapping[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
    """Returns a row as tables have it: nested objects beside the others, those of `inside` without their name."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            cells |= {one if name in inside else f"{name}_{one}": cell for one, cell in value.items()}
        else:
            cells[name] = value
    return cells


def cell(value: Any, kind: pl.DataType, name: str) -> Any:
    """Returns the value of a cell that a value of JSON should be."""
    if value is None:
        return None
    if kind == pl.Date:
        return date.fromisoformat(value)
    if kind == pl.Time:
        return time.fromisoformat(value)
    if kind == INSTANT and " " in value:
        return datetime.fromisoformat(value).replace(tzinfo=ZoneInfo("America/New_York")).astimezone(timezone.utc)
    if kind == INSTANT:
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    if kind == pl.Float64:
        assert type(value) in (int, float), name
        return float(value)
    simple: dict[Any, type] = {pl.Int64: int, pl.Boolean: bool, pl.String: str, pl.Enum: str}
    python = simple.get(kind.base_type(), list)
    assert type(value) is python, f"{name}: {value!r} is no {python.__name__}"
    return value


def assert_same(frame: pl.DataFrame, rows: list[dict[str, Any]], inside: tuple[str, ...] = ()) -> None:
    """Every cell of JSON is in the frame with its value, and every other cell of the frame is null."""
    assert frame.height == len(rows)
    for row, got in zip(rows, frame.iter_rows(named=True), strict=True):
        cells = flat(row, inside)
        assert cells.keys() <= got.keys(), cells.keys() - got.keys()
        for name, kind in frame.schema.items():
            expected = cell(cells.get(name), kind, name)
            assert got[name] == expected, f"{name}: {got[name]!r}, not {expected!r}"
            assert type(got[name]) is type(expected), name
            if kind == INSTANT and got[name] is not None:
                assert got[name].utcoffset() is not None and not got[name].utcoffset(), name


def assert_typed(frame: pl.DataFrame, properties: Mapping[str, Any], schemas: Schemas) -> None:
    """Every column of the document has the type that it should have."""
    compared = 0
    for name, schema in properties.items():
        if name in frame.columns:
            enumerated = name.removeprefix("moneyline_").removeprefix("spread_").removeprefix("total_") in ENUMERATED
            wanted = pl.String if name in OPEN else pl.Enum if enumerated else schemas.column(name, schema)
            assert frame.schema[name] == wanted, f"{name}: {frame.schema[name]}, not {wanted}"
            compared += 1
    assert compared > 5


@pytest.fixture(scope="module")
def schemas(document: dict[str, Any]) -> Schemas:
    return Schemas(document)


def rows_of(api: Api, path: str, season: str, rows: str = "results") -> list[dict[str, Any]]:
    """Returns the rows of a season by JSON."""
    page = api.raw(path, season=season, limit=100000)
    assert page["next_offset"] is None
    found: list[dict[str, Any]] = page[rows]
    return found


@pytest.mark.parametrize("market", MARKETS)
def test_results_of_the_demo_equal_the_json(api: Api, market: smd.Market, schemas: Schemas) -> None:
    labels = sorted(api.seasons("nfl", market).seasons)
    frame = api.results("nfl", market, "all")
    assert_same(frame, [row for label in labels for row in rows_of(api, f"results/nfl/{market}", label)])
    assert_typed(frame, schemas.properties(schemas.named("ResultRow")), schemas)
    if market != "over_under":  # the column of that name is the line
        assert frame.schema[market] == pl.Int64


@pytest.mark.parametrize(
    ("sport", "market", "years"), [("nfl", "won_on_spread", range(2013, 2023)), ("mlb", "over_under", range(2016, 2017))]
)
def test_results_of_real_seasons_equal_the_json(
    real: tuple[str, str], sport: smd.Sport, market: smd.Market, years: range, schemas: Schemas
) -> None:
    with smd.connect(*real, cache=False, timeout=600) as api:
        labels = [label for label in sorted(api.seasons(sport, market).seasons) if int(label[:4]) in years]
        frame = api.results(sport, market, years)
        rows = [row for label in labels for row in rows_of(api, f"results/{sport}/{market}", label)]
    assert len(labels) == len(years) and frame.height > 2000
    assert_same(frame, rows)
    assert_typed(frame, schemas.properties(schemas.named("ResultRow")), schemas)


def test_games_have_the_results_of_their_three_markets(api: Api, schemas: Schemas) -> None:
    labels = sorted(api.seasons("nfl", "spread").seasons)
    frame = api.games("nfl", "all")
    assert_same(frame, [row for label in labels for row in rows_of(api, "games/nfl", label, "games")])
    assert_typed(frame, schemas.properties(schemas.named("GameRow")), schemas)
    for market, code in (("moneyline", "won_on_points"), ("spread", "won_on_spread"), ("total", "over_under")):
        rows = {row["game_id"]: row for label in labels for row in rows_of(api, f"results/nfl/{code}", label)}
        assert rows.keys() == set(frame["game_id"])
        assert_same(
            frame.select(name for name in frame.columns if name.startswith(f"{market}_") or name == "game_id"),
            [
                {name if name == "game_id" else f"{market}_{name}": one for name, one in row.items() if name not in ONCE}
                for row in (rows[game] for game in frame["game_id"])
            ],
        )
        assert isinstance(frame.schema[f"{market}_ungraded_reason"], pl.Enum)
    assert api.games("nfl").equals(api.games("nfl", labels[-1]))
    assert api.games("nfl", labels[:2], page_size=50).equals(api.games("nfl", labels[:2]))
    team = frame["home_team"][0]
    assert (
        api.games("nfl", "all", team=team).height
        == frame.filter(pl.any_horizontal(pl.col("^(home|away)_team$") == team)).height
    )


@pytest.mark.parametrize("market", MARKETS)
def test_the_tables_of_a_market_equal_the_json(api: Api, market: smd.Market, schemas: Schemas) -> None:
    for sport in ("nba", "nfl"):
        slate = api.raw(f"predictions/{sport}/{market}")
        frame = api.predictions(sport, market)
        assert_same(frame, [{**head(slate), **game} for game in slate["games"]], ("predictions",))
        assert_typed(frame, game_properties(schemas), schemas)

        summary = api.raw(f"summary/{sport}/{market}")
        heads = head(summary, "season")
        assert_same(api.summary(sport, market), [{**heads, **model} for model in summary["summaries"]])
        assert_typed(api.summary(sport, market), schemas.properties(schemas.named("SummaryEntry")), schemas)

        board = api.raw(f"strategies/{sport}/{market}", accounting="recorded_v2")
        heads = head(board, "season", "accounting")
        frame = api.strategies(sport, market, accounting="recorded_v2")
        assert_same(frame, [{**heads, **one} for one in board["strategies"]])
        assert_typed(frame, schemas.properties(schemas.named("StrategyEntry")), schemas)

        strategy = board["strategies"][0]["id"]
        replay = api.raw(f"strategies/{sport}/{market}/{strategy}/replay", include_excluded=True)
        frame = api.replay(sport, market, strategy, include_excluded=True)
        heads = {**head(replay, "season", "accounting"), "strategy_id": strategy}
        assert_same(frame, [{**heads, **bet} for bet in replay["rows"] + replay["excluded_rows"]])
        assert_typed(frame, schemas.properties(schemas.named("ReplayRow")), schemas)

        form = api.raw(f"results/{sport}/{market}/team-form")
        assert_same(api.team_form(sport, market), [{**head(form, "season"), **team} for team in form["teams"]])
        assert_typed(api.team_form(sport, market), schemas.properties(schemas.named("TeamFormEntry")), schemas)


def head(answer: Mapping[str, Any], *more: str) -> dict[str, Any]:
    return {name: answer[name] for name in ("sport", "model_type", *more)}


def game_properties(schemas: Schemas) -> dict[str, Any]:
    kinds = ("TotalPrediction", "MoneylinePrediction", "SpreadPrediction")
    return {name: schema for kind in kinds for name, schema in schemas.properties(schemas.named(kind)).items()}


def test_odds_equal_the_json_with_times_in_utc(api: Api, schemas: Schemas) -> None:
    answer = api.raw("odds/nba")
    frame = api.odds("nba")
    assert_same(frame, [{"sport": "nba", **game} for game in answer["games"]])
    assert frame.schema["last_updated"] == INSTANT
    properties = schemas.properties(schemas.named("OddsGame"))
    assert_typed(frame, {name: one for name, one in properties.items() if name != "last_updated"}, schemas)


def test_rows_of_json_become_frames(api: Api, schemas: Schemas) -> None:
    compared = api.raw("markets/nba")
    frame = api.markets("nba").drop("as_of", *[name for name in api.markets("nba").columns if name.startswith("kalshi")])
    games = [{name: one for name, one in game.items() if not name.startswith("kalshi")} for game in compared["games"]]
    assert_same(frame, [{"sport": "nba", "model": compared["model"], **game} for game in games])
    assert_typed(frame, schemas.properties(schemas.named("ComparedGame")), schemas)

    for market in ("over_under", "moneyline", "spread"):
        picks = api.raw(f"public/ml-picks/nba/{market}")
        frame = api.public_picks("nba", market)
        heads = head(picks, "model", "predictions_date")
        assert_same(frame, [{**heads, **game} for game in picks["games"]], ("lines", "models"))
        assert_typed(frame, schemas.properties(schemas.named("PublicPick")), schemas)


def test_releases_and_curves_have_the_rows_of_the_json(api: Api) -> None:
    record, answer = api.releases("nba"), api.raw("releases/nba")
    plain = [{name: one[name] for name in one if name != "changed"} for one in answer["releases"]]
    changed = ("odds", "predictions", "models_declared", "models_retired")
    assert_same(
        record.releases,
        [
            {**one, **{name: all_of["changed"][name] for name in changed}}
            for one, all_of in zip(plain, answer["releases"], strict=True)
        ],
    )
    changes = [
        {"generation": one["generation"], **season} for one in answer["releases"] for season in one["changed"]["results"]
    ]
    assert_same(record.changes, changes)

    curves, answer = api.rolling("nba", "moneyline"), api.raw("results/nba/won_on_points/rolling")
    rows = [
        {"season": season["season"], "model": model, **point}
        for season in answer["seasons"]
        for model, points in season["models"].items()
        for point in points
    ]
    assert_same(curves.curves, rows)
    assert len(rows) > 100 and curves.average.height > 100

    density, answer = api.density("nba", "moneyline"), api.raw("results/nba/won_on_points/density")
    cells = [{"period": period, **one} for period in ("current", "previous") for one in answer[period]["cells"]]
    assert_same(density.cells, cells)


def test_calibration_has_every_figure_of_the_json(api: Api) -> None:
    season = min(api.seasons("nba", "moneyline").seasons)
    curve = api.calibration("nba", "moneyline", season)
    answer = api.raw("calibration/nba/won_on_points", season=season)
    number = 0
    for source in answer["sources"]:
        for model in source["models"]:
            got = curve.scores.row(number, named=True)
            assert (got["forecast_source"], got["model"], got["brier"]) == (
                source["forecast_source"],
                model["model"],
                model["brier"],
            )
            assert got["market_brier_p_holm"] == model["market"]["brier"]["p_holm"]
            assert got["corp_mcb"] == model["corp"]["mcb"]
            assert got["ece10_if_perfect_mean"] == model["ece10_if_perfect"]["mean"]
            number += 1
    assert number == curve.scores.height > 5
    blocks = [
        {"forecast_source": source["forecast_source"], "model": model["model"], **block}
        for source in answer["sources"]
        for model in source["models"]
        for block in model["reliability_diagram"]
    ]
    assert_same(curve.blocks, blocks)
    assert curve.bins.height == 10 * number
    assert (curve.head.season, curve.head.since) == (season, None)


def test_a_backtest_has_every_figure_of_the_json(api: Api, schemas: Schemas) -> None:
    labels = sorted(api.seasons("nba", "moneyline").seasons)[:2]
    rule: dict[str, Any] = {"min_edge": 0.03, "max_price": 150, "agree": 2, "stake": "kelly", "tried": 12}
    found = api.backtest("nba", "moneyline", labels, models=["XGB", "RF"], **rule)
    answer = api.raw("backtest/nba/won_on_points", season=",".join(labels), models="XGB,RF", **rule)
    record, head = answer["record"], found.head
    assert (head.seasons, head.rule.parameters) == (tuple(labels), answer["rule"]["parameters"])
    assert head.rule.parameters["min_edge"] == "0.03" and head.rule.parameters["models"] == "RF,XGB"
    assert (head.record.bets, head.record.roi_low, head.record.mean_ev) == tuple(
        record[name] for name in ("bets", "roi_low", "mean_ev")
    )
    assert head.record.drawdown.until == date.fromisoformat(record["drawdown"]["to"])
    assert head.record.kelly and head.record.kelly.bank == record["kelly"]["bank"]
    assert head.record.exclusions.no_stake == record["exclusions"]["no_stake"]
    assert head.luck and head.out_of_sample and answer["luck"] == vars(head.luck)
    assert vars(head.search) == answer["search"] and head.search.tried == 12
    assert head.out_of_sample.newest.season == labels[1] and head.out_of_sample.before.seasons == (labels[0],)
    assert (vars(head.forecast_sources), vars(head.proof)) == (answer["forecast_sources"], answer["proof"])

    for name, frame, kind in (
        ("course", found.course, "BacktestPoint"),
        ("by_season", found.by_season, "BacktestSeason"),
        ("by_month", found.by_month, "BacktestMonth"),
        ("by_edge", found.by_edge, "BacktestBand"),
        ("by_price", found.by_price, "BacktestBand"),
        ("neighbours", found.neighbours, "BacktestNeighbour"),
    ):
        assert answer[name], name
        assert_same(frame, answer[name])
        properties = schemas.properties(schemas.named(kind))
        assert frame.columns == list(answer[name][0]) and frame.columns[0] in properties
        assert {one: schemas.column(one, schema) for one, schema in properties.items()} == dict(frame.schema), name


def test_the_bets_of_a_backtest_are_those_of_the_table(proxy: Proxy, key: str, api: Api) -> None:
    season = min(api.seasons("nba", "moneyline").seasons)
    lines = api.raw("backtest/nba/won_on_points", season=season, side="away", weekday="friday", format="ndjson").splitlines()
    with smd.connect(proxy.url, key, cache=False) as through:
        found = through.backtest("nba", "moneyline", season, side="away", weekday="friday")
        assert len(proxy.statuses) == 1, "the bets are requested at their first use"
        assert_same(found.bets, [json.loads(line) for line in lines])
        assert found.bets is found.bets and proxy.statuses == [200, 200]
    assert found.bets.height == found.head.record.bets > 10
    assert found.bets["total"][-1] == pytest.approx(found.head.record.units)
    assert set(found.bets["side"]) == {"away"} and set(found.bets["date"].dt.weekday()) == {5}
    kinds = {"date": pl.Date, "time_est": pl.Time, "game_number": pl.Int64, "price": pl.Int64, "record_index": pl.Int64}
    assert {name: found.bets.schema[name] for name in kinds} == kinds


def test_a_backtest_without_bets_has_nulls_and_the_columns_of_its_frames(api: Api) -> None:
    season = min(api.seasons("nba", "moneyline").seasons)
    some, found = api.backtest("nba", "moneyline", season), api.backtest("nba", "moneyline", season, min_edge=1)
    assert not some.bets.is_empty()
    assert (found.head.luck, found.head.out_of_sample, found.head.not_known_then) == (None, None, None)
    assert (found.head.record.bets, found.head.record.roi, found.head.record.kelly) == (0, None, None)
    assert (found.head.record.drawdown.since, found.head.record.exclusions.no_stake) == (None, None)
    assert (found.head.search.p_of_best, found.head.search.best_50) == (None, None)
    assert found.neighbours["roi"].to_list() == [None]
    for name in ("bets", "course", "by_season", "by_month", "by_edge", "by_price"):
        assert getattr(found, name).is_empty() and getattr(found, name).schema == getattr(some, name).schema, name


def test_a_backtest_decides_by_what_was_known_then(api: Api) -> None:
    rule = api.backtest("nba", "moneyline", hours_before=1.5, forecast_source="recorded")
    assert rule.head.rule.parameters["hours_before"] == "1.5" and isinstance(rule.head.not_known_then, int)
    assert rule.head.forecast_sources.recorded == rule.head.record.bets
    first, last = rule.bets["date"].min(), rule.bets["date"].max()
    assert isinstance(first, date)
    some = api.backtest("nba", "moneyline", hours_before=1.5, forecast_source="recorded", since=first, until=str(last))
    assert some.bets["game_id"].to_list() == rule.bets["game_id"].to_list()
    with pytest.raises(smd.BadRequest, match="min_line"):
        api.backtest("nba", "moneyline", min_line=3.5)


def test_forecast_source_selects_the_games_that_count(api: Api) -> None:
    rows = api.results("nba", "moneyline")
    season = rows["season"][0]
    recorded = rows.filter("recorded")
    assert api.tracking("nba", "moneyline", season).forecast_games["recorded"] == recorded.height > 0
    counted = api.tracking("nba", "moneyline", season, forecast_source="recorded")
    assert (counted.archive_games, counted.graded_games) == (recorded.height, recorded["graded"].sum())
    assert counted.forecast_games["walk_forward"] == rows.filter(forecast_source="walk_forward").height
    of: dict[str, Any] = {"season": season, "forecast_source": "recorded"}
    for frame in (
        api.summary("nba", "moneyline", **of),
        api.strategies("nba", "moneyline", **of),
        api.replay("nba", "moneyline", "follow_edge_home", **of),
        api.clv("nba", "moneyline", **of),
    ):
        assert not frame.is_empty()
    assert (api.summary("nba", "moneyline", **of)["total_games"] <= recorded.height).all()
    assert set(api.replay("nba", "moneyline", "follow_edge_home", **of)["game_id"]) <= set(recorded["game_id"])
    assert api.clv("nba", "moneyline", **of)["not_recorded_here"].max() == 0


def test_models_select_what_is_listed_and_computed(api: Api, schemas: Schemas) -> None:
    listed = api.raw("models/nba")
    frame = api.models("nba")
    plain = [{name: one for name, one in model.items() if name not in ("versions", "markets")} for model in listed["models"]]
    assert_same(frame, [{"sport": "nba", "headline": listed["headline"], **model} for model in plain])
    assert api.summary("nba", "spread", models=["XGB", "RF"])["model"].sort().to_list() == ["RF", "XGB"]
    assert api.calibration("nba", "spread", models="XGB").scores["model"].unique().to_list() == ["XGB"]
    assert api.rolling("nba", "spread", models=["XGB"]).curves["model"].unique().to_list() == ["XGB"]
    assert api.density("nba", "spread", model="XGB").model == "XGB"
    assert api.markets("nba", model="XGB")["model"].unique().to_list() == ["XGB"]
    games = api.predictions("nba", "moneyline", model="XGB")
    assert api.markets("nba", model="XGB")["model_home"].to_list() == games["XGB"].to_list()
    assert api.public_picks("nba", "moneyline", model="XGB")["blend_probability"].to_list() == games["XGB"].to_list()
    other, headline = (api.strategies("nba", "moneyline", accounting="recorded_v2", model=one) for one in ("XGB", None))
    assert not other.equals(headline)
    bets = api.replay("nba", "moneyline", "follow_edge_home", model="XGB")
    assert bets.height == other.filter(id="follow_edge_home")["stakes"][0]


def test_pandas_frames_keep_dates_and_integers_with_gaps(api: Api, base: str, key: str) -> None:
    with smd.connect(base, key, pandas=True, cache=False) as other:
        games = other.results("nfl", "spread")
        rule = other.backtest("nba", "spread")
        bets, bands = rule.bets, rule.by_edge
    assert bets["date"].tolist() == api.backtest("nba", "spread").bets["date"].to_list()
    assert bets["record_index"].isna().any() and str(bets["record_index"].dtype).startswith("int64")
    assert [str(bands[name].dtype)[:5] for name in ("to", "bets")] == ["doubl", "int64"]
    same = api.results("nfl", "spread")
    assert games["date"].tolist() == same["date"].to_list()
    assert games["away_score"].isna().any() and str(games["away_score"].dtype).startswith("int64")
    assert games["home_money_line"].sum() == same["home_money_line"].sum()


def test_seasons_are_chosen_by_label_year_range_and_all(api: Api) -> None:
    labels = sorted(api.seasons("nfl", "spread").seasons)
    years = [int(label[:4]) for label in labels]
    every = api.results("nfl", "spread", "all")
    assert every["season"].unique(maintain_order=True).to_list() == labels
    assert every["date"].is_sorted()
    assert api.results("nfl", "spread", range(years[0], years[-1] + 1)).equals(every)
    assert api.results("nfl", "spread", labels[::-1]).equals(every)
    two = api.results("nfl", "spread", years[1:])
    assert two["season"].unique(maintain_order=True).to_list() == labels[1:]
    assert api.results("nfl", "spread").equals(api.results("nfl", "spread", labels[-1]))
    with pytest.raises(ValueError, match="no season begins in 1901"):
        api.results("nfl", "spread", 1901)
    with pytest.raises(ValueError, match="names no season"):
        api.results("nfl", "spread", [])


MARKETS_OF: tuple[tuple[smd.Sport, smd.Market], ...] = (("mlb", "total"), ("ncaaf", "spread"), ("nhl", "spread"))


def assert_paged_is_whole(api: Api, sport: smd.Sport, market: smd.Market, seasons: Any, **filters: Any) -> pl.DataFrame:
    """The answer in pages is the answer of one request: rows, columns, their order and types."""
    whole = api.results(sport, market, seasons, **filters)
    assert_frame_equal(api.results(sport, market, seasons, page_size=400, **filters), whole)
    return whole


@pytest.mark.parametrize(("sport", "market"), MARKETS_OF)
def test_pages_have_the_rows_columns_and_types_of_one_table(api: Api, sport: smd.Sport, market: smd.Market) -> None:
    labels = sorted(api.seasons(sport, market).seasons)
    for chosen in ("all", labels[:2], ",".join(labels[:2]), labels[0], int(labels[0][:4]), None):
        assert_paged_is_whole(api, sport, market, chosen)
    assert_frame_equal(api.games(sport, "all", page_size=400), api.games(sport, "all"))


def test_pages_leave_out_a_season_without_such_dates(api: Api) -> None:
    every = api.results("nhl", "spread", "all")
    labels = every["season"].unique(maintain_order=True).to_list()
    last, first = every.filter(season=labels[1])["date"].max(), every["date"].min()
    assert assert_paged_is_whole(api, "nhl", "spread", "all", since=last)["season"].unique().sort().to_list() == labels[1:]
    assert assert_paged_is_whole(api, "nhl", "spread", "all", until=first)["season"].unique().to_list() == labels[:1]
    since = str(last)
    assert_frame_equal(api.games("nhl", "all", since=since, page_size=400), api.games("nhl", "all", since=since))
    for page_size in (None, 400):
        with pytest.raises(smd.BadRequest, match=r"`from`, `to`: .* no season has"):
            api.results("nhl", "spread", "all", until="1999-01-01", page_size=page_size)
        nothing = api.results("nhl", "spread", labels[0], until="1999-01-01", page_size=page_size)
        assert (nothing.height, nothing.schema["BLEND"]) == (0, every.schema["BLEND"])
        with pytest.raises(smd.BadRequest, match="`from` must be `to` or earlier"):
            api.results("nhl", "spread", "all", since=since, until=str(first), page_size=page_size)
        with pytest.raises(smd.BadRequest, match="is not a season of nhl"):
            api.results("nhl", "spread", ["x", labels[-1]], since=since, page_size=page_size)


def test_pages_have_the_columns_and_no_row_of_a_season_without_the_team(proxy: Proxy, key: str, api: Api) -> None:
    labels = sorted(api.seasons("ncaaf", "spread").seasons)
    team = api.results("ncaaf", "spread", labels[0])["home_team"][0]
    whole = api.results("ncaaf", "spread", "all", team=team)
    rest = whole.filter(pl.col("season") != labels[0])
    assert rest.columns != api.results("ncaaf", "spread", labels[1:], team=team).columns
    # The oldest season, which has a column of its own, does not know the team, as it would of a club that joined later.
    proxy.alter = lambda path, reply: refused(404) if f"season={labels[0]}" in path and "team=" in path else reply
    with smd.connect(proxy.url, key, cache=False) as through:
        assert_frame_equal(through.results("ncaaf", "spread", "all", team=team, page_size=20), rest)
        with pytest.raises(smd.NotFound):
            through.results("ncaaf", "spread", labels[0], team=team, page_size=20)
    for page_size in (None, 400):
        with pytest.raises(smd.NotFound, match="melchester_rovers"):
            api.results("nhl", "spread", "all", team="melchester_rovers", page_size=page_size)
        with pytest.raises(smd.NotFound, match="1999-00"):
            api.results("ncaaf", "spread", ["1999-00", labels[0]], team=team, page_size=page_size)


def test_the_season_of_pages_is_the_servers_default_and_none_is_not_found(proxy: Proxy, key: str, api: Api) -> None:
    labels = sorted(api.seasons("nfl", "spread").seasons)
    lists: dict[str, dict[str, Any]] = {
        "over_under": {"seasons": labels[:1], "current_season": labels[0]},
        "won_on_spread": {"seasons": labels[:2], "current_season": None},
        "won_on_points": {"seasons": [], "current_season": None},
    }

    def alter(path: str, reply: Reply) -> Reply:
        market = path.split("/")[-2]
        return Reply(200, reply.headers, json.dumps(lists[market]).encode()) if path.endswith("/seasons") else reply

    proxy.alter = alter
    with smd.connect(proxy.url, key, cache=False) as through:
        assert through.games("nfl", page_size=400)["season"].unique().to_list() == [labels[1]]
        for seasons in (None, "all", 2024):
            with pytest.raises(smd.NotFound, match="no season is published"):
                through.results("nfl", "moneyline", seasons, page_size=400)


def test_dates_that_no_season_has_are_one_request(proxy: Proxy, key: str) -> None:
    with smd.connect(proxy.url, key, cache=False) as through, pytest.raises(smd.BadRequest, match="no requested season"):
        through.results("nhl", "spread", "all", until="1999-01-01")
    assert proxy.statuses == [400]


def test_an_older_server_gives_the_frame_of_a_newer_one(proxy: Proxy, key: str, api: Api) -> None:
    proxy.alter = lambda path, reply: refused(400) if "season=all" in path else reply
    with smd.connect(proxy.url, key, cache=False) as through:
        for since in (None, api.results("ncaaf", "spread")["date"][0]):
            whole = api.results("ncaaf", "spread", "all", since=since)
            assert_frame_equal(through.results("ncaaf", "spread", "all", since=since), whole)
        assert_frame_equal(through.results("mlb", "spread", "all"), api.results("mlb", "spread", "all"))


def test_columns_of_joined_tables_stand_and_are_typed_as_the_server_does_it() -> None:
    # The examples of `UnitedHeads` in crates/tables.
    old = pl.DataFrame({"number": ["1"], "date": ["d"], "BLEND": [0.5], "old": [0.5], "push": ["p"]})
    new = pl.DataFrame({"date": ["d"], "BLEND": [0.5], "new": [0.5], "push": ["p"]})
    assert joined([old, new]).columns == ["number", "date", "BLEND", "old", "new", "push"]

    moment = datetime(2026, 1, 15, 15, 4, 5, 120000, timezone.utc)
    old = pl.DataFrame({"a": [2.5], "b": [1], "e": [moment], "f": [date(2026, 1, 15)], "d": ["x"]})
    new = pl.DataFrame({"a": [3, None], "b": [True, None], "c": [0.5, 1.0], "e": ["y", None], "f": [1, None]})
    expected = {
        "a": [2.5, 3.0, None],
        "b": ["1", "true", None],
        "c": [None, 0.5, 1.0],
        "e": ["2026-01-15T15:04:05.120Z", "y", None],
        "f": ["2026-01-15", "1", None],
        "d": ["x", None, None],
    }
    types = {"a": pl.Float64, "c": pl.Float64, "b": pl.String, "e": pl.String, "f": pl.String, "d": pl.String}
    whole = joined([old, new])
    assert_frame_equal(whole, pl.DataFrame(expected, schema={name: types[name] for name in expected}))

    numbers = pl.DataFrame({"x": [1.0, -0.5, 1e22, 1.5e-7, 123456789.123456789]})
    texts = ["1", "-0.5", "10000000000000000000000", "0.00000015", "123456789.12345679", "text"]
    assert joined([numbers, pl.DataFrame({"x": ["text"]})])["x"].to_list() == texts


def test_filters_select_games(api: Api) -> None:
    season = api.results("nfl", "spread", "2024-25")
    days = season["date"].unique().sort()
    some = api.results("nfl", "spread", "2024-25", since=days[3], until=str(days[5]))
    assert some.equals(season.filter(pl.col("date").is_between(days[3], days[5])))
    team = season["home_team"][0]
    assert api.results("nfl", "spread", "2024-25", team=team).equals(
        season.filter((pl.col("home_team") == team) | (pl.col("away_team") == team))
    )
