"""Frames are published as they are, by `sportsctl`: types, seasons, rows in messages, and refusals before anything is sent."""

import json
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import TARGET, Api, serving
from polars.testing import assert_frame_equal

import sports_model_data as smd
from sports_model_data import release
from sports_model_data.tables import taken

EASTERN = ZoneInfo("America/New_York")
Local = smd.Publisher[pl.DataFrame]
#: Four games of a season, with lines, prices and finals.
GAMES = pl.DataFrame(
    {
        "date": [date(2023, 9, 7), date(2023, 9, 10), date(2023, 9, 10), date(2024, 1, 7)],
        "time_est": [time(20, 20), time(13, 0), time(16, 25), time(13, 0)],
        "away_team": ["Detroit Lions", "Carolina Panthers", "Las Vegas Raiders", "Atlanta Falcons"],
        "home_team": ["Kansas City Chiefs", "Atlanta Falcons", "Denver Broncos", "New Orleans Saints"],
        "away_score": [21, 10, 17, 17],
        "home_score": [20, 24, 16, 48],
        "home_money_line": [-200, -180, None, -150],
        "away_money_line": [170, 150, None, 130],
        "home_point_spread": [-4.5, -3.5, None, -3.0],
    }
)
KEY = ["date", "time_est", "away_team", "home_team"]


def chances(games: pl.DataFrame = GAMES, column: str = "BLEND") -> pl.DataFrame:
    return games.select(KEY).with_columns(pl.Series(column, [0.62, 0.66, 0.48, None]))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def local(store: Path) -> Local:
    return smd.local_publisher(store, sportsctl=TARGET / "debug/sportsctl")


def upcoming() -> pl.DataFrame:
    """Two games of the coming days, with a start in two zones of the world."""
    noon = datetime.now(EASTERN).replace(hour=13, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return pl.DataFrame(
        {
            "start": [noon, noon + timedelta(hours=3)],
            "away_team": ["Dallas Cowboys", "Buffalo Bills"],
            "home_team": ["New York Giants", "Miami Dolphins"],
        }
    ).with_columns(pl.col("start").dt.convert_time_zone("Asia/Tokyo"))


# The forms of a frame.


def as_pandas(frame: pl.DataFrame) -> Any:
    return frame.to_pandas()


def as_arrow_pandas(frame: pl.DataFrame) -> Any:
    return frame.to_pandas(use_pyarrow_extension_array=True)


def as_objects(frame: pl.DataFrame) -> Any:
    return pd.DataFrame({name: pd.Series(frame[name].to_list(), dtype=object) for name in frame.columns})


def as_nullable(frame: pl.DataFrame) -> Any:
    found = frame.to_pandas().convert_dtypes()
    return found.assign(away_team=found["away_team"].astype("category"), home_team=found["home_team"].astype("category"))


def as_batch(frame: pl.DataFrame) -> Any:
    return frame.to_arrow().combine_chunks().to_batches()[0]


FORMS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "lazy": pl.DataFrame.lazy,
    "arrow": pl.DataFrame.to_arrow,
    "batch": as_batch,
    "reader": lambda frame: frame.to_arrow().to_reader(),
    "pandas": as_pandas,
    "pandas with arrow": as_arrow_pandas,
    "pandas with objects": as_objects,
    "pandas with nullable types": as_nullable,
    "categoricals": lambda frame: frame.with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "enums": lambda frame: frame.with_columns(pl.col("home_team").cast(pl.Enum(frame["home_team"].unique().to_list()))),
    "decimals": lambda frame: frame.with_columns(pl.col("home_point_spread").cast(pl.Decimal(6, 1))),
    "texts": lambda frame: frame.with_columns(pl.col("date", "time_est", "away_score").cast(pl.String)),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_a_frame_has_the_same_values(form: str, local: Local) -> None:
    local.publish("nfl", games=GAMES, probabilities={"moneyline": chances()}, slate_date="2024-01-08")
    again = local.publish("nfl", games=FORMS[form](GAMES), probabilities={"moneyline": chances()}, slate_date="2024-01-08")
    assert again.outcome == "already_on_air", str(again)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([date(2024, 1, 1), None], pl.Date),
        ([time(13, 5), None], pl.Time),
        ([datetime(2024, 1, 1, 18, tzinfo=timezone.utc), None], pl.Datetime),
        ([1, None], pl.Int64),
        ([1, 2.5, None], pl.Float64),
        ([2.5, 1, None], pl.Float64),
        ([Decimal("1.5"), 2, None], pl.Float64),
        ([datetime(2024, 1, 1), None], pl.Datetime),
        ([1.5, float("nan")], pl.Float64),
        ([True, None], pl.Boolean),
        (["a", pd.NA], pl.String),
    ],
)
def test_a_column_of_python_objects_has_their_type(values: list[Any], kind: Any) -> None:
    for frame in (
        pd.DataFrame({"a": pd.Series(values, dtype=object)}),
        pl.DataFrame({"a": pl.Series(values, dtype=pl.Object)}),
    ):
        column = taken("games", frame).rows["a"]
        assert column.dtype == kind and column.to_list() == [None if pd.isna(value) else value for value in values]


def test_instants_of_several_zones_are_one_column() -> None:
    moments = [datetime(2024, 1, 1, 13, tzinfo=EASTERN), datetime(2024, 1, 1, 18, tzinfo=timezone.utc)]
    column = taken("games", pd.DataFrame({"start": pd.Series(moments, dtype=object)})).rows["start"]
    assert column.n_unique() == 1


def test_the_same_frames_are_the_same_bytes() -> None:
    def made(frame: Any) -> bytes:
        return release.release("nfl", {"games": ("games", frame)}, {}, None, lambda made, first: {"sport": "nfl"}).archive()

    assert made(GAMES) == made(GAMES.clone()) == made(GAMES.lazy())


# Starts, seasons and defaults.


def manifest_of(monkeypatch: pytest.MonkeyPatch, local: Local, **arguments: Any) -> tuple[dict[str, Any], set[str]]:
    """Returns `release.json` and the names of the files of a call."""
    sent: list[release.Release] = []

    def keep(self: Any, action: str, upload: release.Release, *_: Any) -> dict[str, Any]:
        sent.append(upload)
        return {"outcome": "on_air"}

    monkeypatch.setattr("sports_model_data.door.Command.send", keep)
    local.publish(**arguments)
    return json.loads(sent[0].files["release.json"]), set(sent[0].files)


def test_a_slate_has_defaults_and_eastern_starts(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = upcoming()
    slate: dict[str, Any] = {"predictions": {"spread": frame.with_columns(BLEND=pl.Series([0.5, 0.6]))}, "odds": frame}
    done = local.publish("nfl", **slate)
    assert done.published and done.slate["change"].to_list() == ["new", "new"]
    manifest, files = manifest_of(monkeypatch, local, sport="nfl", **slate)
    today = datetime.now(EASTERN).date()
    assert manifest["slate_date"] == f"{today}"
    assert manifest["season"] == release._season_of("nfl", today + timedelta(days=1))
    assert re.fullmatch(r"\d{8}T\d{6}Z-[0-9a-f]{12}", manifest["run"]["id"])
    assert manifest["run"]["started_at"] == manifest["run"]["completed_at"]
    assert files == {"odds.parquet", "predictions/won_on_spread.parquet", "release.json"}


def test_a_start_becomes_the_eastern_date_and_time() -> None:
    start = pl.Series("start", ["2024-01-08T01:20:00Z", "2024-07-02T03:05:00+02:00"])
    games = pl.DataFrame([start, *GAMES.head(2).select("date", "time_est", "away_team", "home_team")])
    for frame in (games, games.with_columns(pl.col("start").str.to_datetime("%+", time_zone="UTC")), games.to_pandas()):
        made = release.release("nfl", {}, {"won_on_spread": ("p", frame)}, None, lambda made, first: {"first": first})
        rows = pl.read_parquet(made.files["predictions/won_on_spread.parquet"])
        assert rows["date"].to_list() == [date(2024, 1, 7), date(2024, 7, 1)]
        assert rows["time_est"].to_list() == [time(20, 20), time(21, 5)]
        assert "start" not in rows.columns and json.loads(made.files["release.json"]) == {"first": "2023-24"}


@pytest.mark.parametrize(
    ("sport", "day", "season"),
    [
        ("nfl", date(2024, 2, 11), "2023-24"),
        ("nfl", date(2024, 9, 5), "2024-25"),
        ("mlb", date(2024, 10, 30), "2024"),
        ("nba", date(2020, 10, 11), "2019-20"),
        ("nba", date(2020, 12, 22), "2020-21"),
        ("nhl", date(2021, 7, 7), "2020-21"),
        ("ncaab", date(1999, 11, 9), "1999-00"),
    ],
)
def test_the_season_of_a_date(sport: str, day: date, season: str) -> None:
    assert release._season_of(sport, day) == season


@pytest.mark.parametrize("season", [("2023-24", "2022-23"), (2023, 2022), (2023.0, 2022.0), ("2023", "2022"), None])
def test_a_history_of_several_seasons_is_a_file_for_each(
    season: tuple[Any, Any] | None, local: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = pl.concat([GAMES, GAMES.with_columns(pl.col("date").dt.offset_by("-1y"))])
    if season is not None:
        games = games.with_columns(season=pl.Series([season[0]] * 4 + [season[1]] * 4))
    manifest, files = manifest_of(monkeypatch, local, sport="nfl", games=games)
    assert files == {"games/2022-23.parquet", "games/2023-24.parquet", "release.json"}
    assert manifest.keys() == {"sport", "slate_date"}


def test_other_fields_are_those_of_release_json(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest, _ = manifest_of(
        monkeypatch,
        local,
        sport="nfl",
        season=2023,
        slate="none",
        slate_date=date(2024, 1, 8),
        run="monday",
        models={"elo": smd.model("Elo, weekly", public=True, markets=["spread"], url=None), "wind": False},
        headline="elo",
        source_as_of={"odds": datetime(2024, 1, 8, 13, tzinfo=EASTERN)},
        held_games={"moneyline": [{"date": date(2024, 1, 8), "time": time(13), "away_team": "a", "home_team": "b"}]},
        fields={"markets": None, "slate_days": ["sun"]},
    )
    assert manifest["models"] == {
        "elo": {"title": "Elo, weekly", "public": True, "model_types": ["won_on_spread"], "url": None},
        "wind": False,
    }
    assert (manifest["slate"], manifest["slate_date"], manifest["headline"]) == ("none", "2024-01-08", "elo")
    assert manifest["season"] == "2023-24"
    assert manifest["run"]["id"] == "monday" and manifest["run"]["completed_at"].endswith("Z")
    assert manifest["source_as_of"] == {"odds": "2024-01-08T18:00:00Z"}
    assert manifest["held_games"]["won_on_points"][0]["time"] == "13:00:00"
    assert manifest["markets"] is None and manifest["slate_days"] == ["sun"]


# The answer.


def test_a_report_has_what_changed_and_the_rows_of_warnings(local: Local) -> None:
    games = GAMES.with_columns(home_team=pl.Series([*GAMES["home_team"][:3], "Harbor Gulls"]))
    rehearsed = local.publish("nfl", games=games, slate_date="2024-01-08", dry_run=True)
    assert (rehearsed.outcome, rehearsed.published) == ("would_be", False)
    done = local.publish("nfl", games=games, probabilities={"moneyline": chances(games)}, slate_date="2024-01-08")
    assert (done.sport, done.generation, done.published) == ("nfl", 1, True)
    assert done.release_id and done.head and len(done.head) == 64
    assert done.seasons.filter(market="moneyline")["added"].to_list() == [4]
    assert done.contents.filter(market="moneyline")["forecasts"].to_list() == [3]
    assert done.records.filter(market="moneyline", model="BLEND")["wins"].to_list() == [1]
    assert done.problems.is_empty()
    assert "Harbor Gulls" in done.warnings["message"][0] and done.warnings["frame"][0] == "games"
    assert str(done).startswith("published: nfl generation 1, release ") and "4 games (4 new)" in str(done)
    again = local.publish("nfl", games=games, probabilities={"moneyline": chances(games)}, slate_date="2024-01-08")
    assert (again.outcome, again.generation) == ("already_on_air", 1)


def test_a_report_in_a_notebook_is_tables_without_markup_of_others(local: Local) -> None:
    games = GAMES.with_columns(home_team=pl.lit("<b>Gulls & Co</b>"))
    shown = local.publish("nfl", games=games, slate_date="2024-01-08", dry_run=True)._repr_html_()
    assert "<table>" in shown and "&lt;b&gt;Gulls &amp; Co" in shown and "<b>Gulls" not in shown


def refused(local: Local, **frames: Any) -> smd.ReleaseRefused[pl.DataFrame]:
    with pytest.raises(smd.ReleaseRefused) as caught:
        local.publish("nfl", slate_date="2024-01-08", **frames)
    return caught.value


def test_a_problem_names_the_label_of_pandas_or_the_position(local: Local) -> None:
    wrong = GAMES.with_columns(home_score=pl.Series([20, -24, 16, 48]))
    error = refused(local, games=wrong)
    assert error.problems.select("frame", "season", "row", "column", "value").row(0) == (
        "games",
        "2023-24",
        1,
        "home_score",
        "-24",
    )
    assert "games, 2023-24, row 1, column home_score: `-24`: expected a score" in str(error)
    assert error.total == 1 and error.status == 422 and "<table>" in error._repr_html_()
    labelled = wrong.to_pandas().set_index(pd.Index(["opener", "panthers", "raiders", "saints"]))
    assert refused(local, games=labelled).problems["row"].to_list() == ["panthers"]
    turned = wrong.reverse().to_pandas().set_index(pd.Index([70, 80, 90, 100]))
    assert refused(local, games=turned).problems["row"].to_list() == [90]


def test_a_problem_of_a_later_season_names_the_row_of_the_whole_frame(local: Local) -> None:
    older = GAMES.with_columns(pl.col("date").dt.offset_by("-1y"))
    games = pl.concat([GAMES, older]).with_columns(home_score=pl.Series([20, 24, 16, 48, 20, 24, 16, -48]))
    error = refused(local, games=games)
    assert error.problems.select("season", "row").rows() == [("2022-23", 7)]
    twice = pl.concat([GAMES, older, older.head(1)])
    assert "row 4 has" in refused(local, games=twice).problems["expected"][0]


def test_a_finding_names_the_frame_and_the_row_of_its_first_game(local: Local) -> None:
    many = pl.concat([GAMES.head(2)] * 10).with_columns(
        date=pl.date_range(date(2023, 9, 1), date(2023, 9, 20), eager=True), over_under=pl.Series([41.5, 34.0] * 10)
    )
    wrong = many.with_columns(over_under=(pl.col("home_score") + pl.col("away_score")).cast(pl.Float64))
    error = refused(local, games=wrong)
    finding = error.findings.row(0, named=True)
    assert (finding["finding"], finding["severity"], finding["frame"]) == ("final-total", "refusal", "games")
    assert "final-total" in str(error) and 'allow=["final-total"]' in str(error)
    lifted = local.publish("nfl", games=wrong, slate_date="2024-01-08", allow="final-total")
    assert lifted.published and lifted.findings["finding"].to_list() == ["final-total"]


def test_warnings_refuse_a_strict_release(local: Local) -> None:
    error = refused(local, games=GAMES, strict=True)
    assert error.problems.is_empty() and "nothing was published in this store before" in error.warnings["message"][0]
    assert "strict" in str(error)


def test_reports_are_pandas_frames_where_that_was_asked_for(store: Path) -> None:
    local = smd.local_publisher(store, sportsctl=TARGET / "debug/sportsctl", pandas=True)
    done = local.publish("nfl", games=GAMES.to_pandas(), slate_date="2024-01-08")
    assert isinstance(done.seasons, pd.DataFrame) and isinstance(done.warnings, pd.DataFrame)


def test_finals_are_settled_and_name_their_rows(local: Local) -> None:
    local.publish("nfl", games=GAMES.drop("home_score", "away_score"), slate_date="2024-01-08")
    finals = GAMES.select(*KEY, "away_score", "home_score")
    start = pl.col("date").dt.combine(pl.col("time_est")).dt.replace_time_zone("America/New_York")
    done = local.settle("nfl", finals.select(start.alias("start"), pl.all().exclude("date", "time_est")))
    assert done.published and done.answer["settled"] == 4 and "4 settled" in str(done)
    with pytest.raises(smd.ReleaseRefused, match=r"finals, row c, column .*correct=True replaces it") as caught:
        local.settle(
            "nfl", finals.with_columns(home_score=pl.Series([20, 24, 17, 48])).to_pandas().set_index(pd.Index([*"abcd"]))
        )
    assert caught.value.problems["row"].to_list() == ["c"]
    corrected = local.settle("nfl", finals.with_columns(home_score=pl.Series([20, 24, 17, 48])), correct=True)
    assert corrected.answer["corrected"] == 1


def test_a_table_of_another_source_is_converted_by_a_preset_or_a_map(local: Local) -> None:
    table = pd.DataFrame(
        {
            "game_id": ["2021_01_DAL_TB"],
            "season": [2021],
            "game_type": ["REG"],
            "gameday": ["2021-09-09"],
            "gametime": ["20:20"],
            "away_team": ["DAL"],
            "home_team": ["TB"],
            "away_score": [29.0],
            "home_score": [31.0],
            "spread_line": [10.0],
            "chance": [0.75],
        }
    )
    done = local.convert(
        "nfl", table, preset="nflverse", map={"models": {"won_on_points": {"BLEND": "chance"}}}, season="2021-22"
    )
    assert done.published and done.seasons["games"].to_list() == [1, 1, 1]
    with pytest.raises(smd.ReleaseRefused, match=r"frame, row 7, column gameday: `9\.9\.2021`: expected a date"):
        local.convert("nfl", table.assign(gameday=["9.9.2021"]).set_index(pd.Index([7])), preset="nflverse")


# What is refused before anything is sent.


def mixed() -> Any:
    return GAMES.to_pandas().assign(home_score=pd.Series([20, "24", 16, 48], dtype=object))


def half_zoned() -> Any:
    moments = [datetime(2023, 9, 7, 20, 20), datetime(2023, 9, 10, 17, tzinfo=timezone.utc)]
    return GAMES.head(2).to_pandas().assign(start=pd.Series(moments, dtype=object))


NAIVE = pl.col("date").dt.combine(pl.col("time_est"))
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "multi-index": (lambda: GAMES.to_pandas().set_index(["date", "home_team"]), r"MultiIndex: frame\.reset_index\(\)"),
    "columns in levels": (
        lambda: pd.concat({"a": GAMES.to_pandas()}, axis=1),
        "MultiIndex for columns",
    ),
    "a column twice": (lambda: pd.concat([GAMES.to_pandas()] * 2, axis=1), "column `date` twice: rename or drop"),
    "a column of arrow twice": (
        lambda: pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]),
        "twice: rename or drop",
    ),
    "a name that is no text": (lambda: GAMES.to_pandas().rename(columns={"date": 3}), r"column 3, whose name is no text"),
    "mixed objects": (mixed, r"`home_score`, is mixed: a number in row 0, text in row 1: give the column one type"),
    "instants with and without a zone": (half_zoned, r"with and without a zone, the first without in row 0"),
    "instants without a zone": (
        lambda: GAMES.with_columns(start=NAIVE),
        r'`start`, has instants without a zone: .*\.dt\.replace_time_zone\("America/New_York"\)',
    ),
    "instants of pandas without a zone": (
        lambda: GAMES.with_columns(start=NAIVE).to_pandas(),
        r'tz_localize\("America/New_York"\)',
    ),
    "texts without a zone": (lambda: GAMES.with_columns(start=pl.lit("2024-01-07T13:00:00")), "without a zone in row 0"),
    "texts that are no instants": (lambda: GAMES.with_columns(start=pl.lit("kick-off")), "`kick-off` in row 0"),
    "a start that is a date": (lambda: GAMES.with_columns(start=pl.col("date")), "holds Date, not instants"),
    "a date with a time": (lambda: GAMES.with_columns(date=NAIVE), "has times of day: call instants with their zone `start`"),
    "no rows": (lambda: GAMES.clear(), "has no rows: leave it out, or fill it"),
    "no columns": (pl.DataFrame, "has no rows"),
    "an empty team": (
        lambda: GAMES.with_columns(home_team=pl.Series(["Denver Broncos", None, None, None])).to_pandas(),
        r"`home_team`, is empty in rows 1, 2, 3: fill it in, or drop the row",
    ),
    "a date that is NaN": (lambda: GAMES.to_pandas().assign(date=float("nan")), r"`date`, is empty in rows 0, 1, 2 and 1 more"),
    "a start that is empty": (
        lambda: GAMES.with_columns(start=pl.lit(None, pl.Datetime("us", "UTC"))),
        "give `date`, and `time_est` where it is known",
    ),
    "lists": (lambda: GAMES.with_columns(tags=pl.lit([1])), r"`tags`, holds List"),
    "durations": (lambda: GAMES.with_columns(rest=pl.duration(days=7)), r"`rest`, holds Duration"),
    "objects of python": (lambda: GAMES.to_pandas().assign(note=[{1}, {2}, {3}, {4}]), "`note`"),
    "a season that is none": (lambda: GAMES.with_columns(season=pl.lit("2023-25")), "`2023-25` in rows 0, 1, 2 and 1 more"),
    "a season that is empty": (lambda: GAMES.with_columns(season=pl.lit(None, pl.String)), "`season`, is empty in rows"),
    "a date that is no text of one": (lambda: GAMES.with_columns(date=pl.lit("9/7/2023")), "`9/7/2023` in rows"),
    "a number of 100 bits": (lambda: GAMES.to_pandas().assign(note=[2**100, 1, 2, 3]), "`note`, has a value that is too large"),
    "a type that polars lacks": (lambda: pa.table({"a": pa.RunEndEncodedArray.from_arrays([1], ["a"])}), "polars can hold"),
    "another league": (lambda: GAMES.with_columns(sport=pl.lit("nba")), "`nba` in rows 0, 1, 2 and 1 more, not `nfl`"),
}


@pytest.mark.parametrize("frame", REFUSED)
def test_a_frame_that_cannot_be_published_is_refused_with_its_cure(frame: str, local: Local, store: Path) -> None:
    make, sentence = REFUSED[frame]
    with pytest.raises(smd.BadFrame, match=sentence) as caught:
        local.publish("nfl", games=make())
    assert isinstance(caught.value, ValueError) and "\n" not in str(caught.value)
    assert not store.exists()


@pytest.mark.parametrize(
    "frame",
    [{"date": ["2024-01-07"]}, [1, 2], "games.csv", 3, GAMES["date"], GAMES.to_pandas()["date"], pa.array([1]), object()],
)
def test_what_is_no_frame_is_a_type_error(frame: Any, local: Local) -> None:
    for arguments in ({"games": frame}, {"odds": frame}, {"predictions": {"spread": frame}}):
        with pytest.raises(TypeError, match=r"`\w+(\[\"spread\"\])?` is (a|no) "):
            local.publish("nfl", **arguments)
    with pytest.raises(TypeError):
        local.settle("nfl", frame)


def test_markets_are_a_dict_of_known_names(local: Local) -> None:
    with pytest.raises(TypeError, match=r"not a dict of frames by market: predictions=\{\"moneyline\": frame\}"):
        local.publish("nfl", predictions=GAMES)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`winner` is no market of `results`: give moneyline, spread, total"):
        local.publish("nfl", results={"winner": GAMES})
    with pytest.raises(ValueError, match="the market spread twice"):
        local.publish("nfl", results={"spread": GAMES, "won_on_spread": GAMES})


# Columns that the service computes, and the way back.


def test_computed_columns_are_dropped_where_they_agree_and_named_where_not(local: Local) -> None:
    graded = GAMES.join(chances(), on=KEY).with_columns(
        won_on_points=pl.Series([0, 1, 0, 1]), push=pl.lit(False), IMPLIED=pl.Series([0.642857, 0.616438, None, 0.579832])
    )
    done = local.publish("nfl", results={"moneyline": graded}, slate_date="2024-01-08")
    assert done.published and not any("compute" in one for one in done.warnings["message"])
    wrong = graded.with_columns(won_on_points=pl.Series([1, 1, 0, 1]), IMPLIED=pl.lit(0.5))
    messages = local.publish("nfl", results={"moneyline": wrong}, slate_date="2024-01-08").warnings
    told = messages.filter(pl.col("message").str.contains("computes another value"))
    assert told["message"].to_list() == [
        "column won_on_points is not taken: the service computes another value for row 0",
        "column IMPLIED is not taken: the service computes another value for rows 0, 1, 3",
    ]
    assert told["frame"].to_list() == ['results["moneyline"]'] * 2


@pytest.mark.parametrize("sport", ["nba", "nhl", "mlb"])
def test_results_of_the_api_published_into_an_empty_store_are_the_same(
    sport: smd.Sport, api: Api, store: Path, local: Local
) -> None:
    markets: tuple[smd.Market, ...] = ("total", "moneyline", "spread")
    frames = {market: api.results(sport, market, "all") for market in markets}
    own = set(api.models(sport).filter(kind="own")["model"])
    done = local.publish(sport, results=frames, models={name: smd.model() for name in own})
    assert done.published, str(done)
    with serving(store) as (address, key), smd.connect(address, key, cache=False) as copy:
        for market in markets:
            drop = ["forecast_published_at", "forecast_run", "recorded"]
            assert_frame_equal(copy.results(sport, market, "all").drop(drop), frames[market].drop(drop))


# The programs.


def test_a_missing_sportsctl_is_named_with_its_installation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"pip install 'sports-model-data\[server\]'"):
        smd.local_publisher("store")
    with pytest.raises(FileNotFoundError, match="`sportsctll` is no program"):
        smd.local_publisher("store", sportsctl="sportsctll")


def test_a_store_that_cannot_be_used_is_no_fault_of_the_release(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    local = smd.local_publisher(tmp_path / "file" / "store", sportsctl=TARGET / "debug/sportsctl")
    with pytest.raises(smd.Unpublished, match="store"):
        local.publish("nfl", games=GAMES, slate_date="2024-01-08")


def test_a_call_ends_with_its_time(local: Local) -> None:
    with pytest.raises(smd.TimedOut, match=r"0\.001 seconds"):
        local.publish("nfl", games=GAMES, slate_date="2024-01-08", timeout=0.001)
