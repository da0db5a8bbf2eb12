"""Publishing through a door of `sportsctl receive`, with a service beside it that anybody reads."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import polars as pl
import pytest
from conftest import TARGET, Api, Door, clean_environment, running, until
from polars.testing import assert_frame_equal
from proxy import Proxy, Reply, refused
from test_publishing import GAMES, KEY, chances, upcoming

import sports_model_data as smd

Pub = smd.Publisher[pl.DataFrame]
DAY = "2024-01-08"


@pytest.fixture
def pub(door: Door) -> Iterator[Pub]:
    with smd.publisher(door.url, door.token, timeout=60) as made:
        yield made


@pytest.fixture
def record(door: Door) -> Iterator[Api]:
    with smd.connect(door.record, "", cache=False) as connected:
        yield connected


def history(**columns: Any) -> dict[str, Any]:
    return {"games": GAMES.with_columns(**columns), "probabilities": {"moneyline": chances()}, "slate_date": DAY}


def await_generation(record: Api, number: int) -> None:
    """Waits until the service has a release."""

    def is_served() -> bool:
        with suppress(smd.NotFound):
            return number in record.releases("nfl").releases["generation"]
        return False

    until(is_served)


def token(door: Door, *words: str) -> str:
    command = [TARGET / "debug/sportsctl", "--config", door.settings, "publisher", "token", "create", *words, "--json"]
    made = subprocess.run(command, env=clean_environment(), check=True, capture_output=True)
    return str(json.loads(made.stdout)["token"])


def test_a_record_is_rehearsed_published_settled_and_read(pub: Pub, record: Api) -> None:
    unsettled = history(home_score=pl.lit(None, pl.Int64), away_score=pl.lit(None, pl.Int64))
    rehearsed = pub.publish("nfl", **unsettled, dry_run=True)
    assert (rehearsed.outcome, rehearsed.head, rehearsed.generation) == ("would_be", None, 1)
    done = pub.publish("nfl", **unsettled)
    assert pub.publish("nfl", **unsettled, dry_run=True).head == done.head
    settled = pub.settle("nfl", GAMES.select(*KEY, "away_score", "home_score"))
    assert (settled.generation, settled.answer["settled"]) == (2, 4)
    await_generation(record, 2)
    summary = record.summary("nfl", "moneyline", "2023-24")
    assert summary.filter(model="BLEND").select("wins", "losses").row(0) == (1, 1)


def test_an_upload_whose_answer_is_lost_is_published_once(door: Door, record: Api) -> None:
    lost: list[str] = []

    def lose(path: str, reply: Reply) -> Reply:
        lost.append(path)
        return Reply(reply.status, reply.headers, reply.content, cut=5) if len(lost) == 2 else reply

    with Proxy(door.url) as proxy, smd.publisher(proxy.url, door.token, timeout=60) as pub:
        proxy.alter = lose
        # Requests 0 and 1 are the clock and the upload that is lost.
        proxy.plan = {2: refused(503), 3: refused(502)}
        done = pub.publish("nfl", games=GAMES)
        assert done.published and done.replayed and done.generation == 1
        uploads = [one for one in proxy.seen if one.method == "POST"]
        assert [one.status for one in uploads] == [200, 503, 502, 200]
        assert len({(one.headers["idempotency-key"], one.body) for one in uploads}) == 1
    await_generation(record, 1)
    assert record.releases("nfl").releases.height == 1


def test_a_door_that_starts_again_takes_the_upload(door: Door) -> None:
    pub = smd.publisher(door.url, door.token, timeout=60)
    pub.publish("nfl", **history())
    door.process.kill()
    door.process.wait()
    receive = ["receive", "--bind", door.url.removeprefix("http://")]
    with running([TARGET / "debug/sportsctl", "--config", door.settings, *receive], env=clean_environment()):
        done = pub.publish("nfl", **history(home_score=pl.Series([20, 24, 18, 48])))
    assert done.published and done.generation == 2


def test_a_call_that_is_repeated_with_its_key_is_one_release(pub: Pub) -> None:
    slate: dict[str, Any] = {"predictions": {"spread": upcoming().with_columns(BLEND=0.5)}, "idempotency_key": "morning"}
    first, second = (pub.publish("nfl", **slate) for _ in range(2))
    assert second.replayed and not first.replayed and second.release_id == first.release_id
    with pytest.raises(smd.ReleaseRefused, match="other content"):
        pub.publish("nfl", **history(), idempotency_key="morning")


def test_a_token_publishes_what_it_may(door: Door, pub: Pub) -> None:
    with pytest.raises(smd.Unauthorized, match="token"):
        smd.publisher(door.url, "sk_publish_wrong").publish("nfl", **history())
    with pytest.raises(smd.Forbidden, match="nhl"):
        pub.publish("nhl", **history())
    narrow = smd.publisher(door.url, token(door, "--league", "nfl", "--name", "narrow", "--can", "settle"))
    with pytest.raises(smd.Forbidden, match="settle") as caught:
        narrow.publish("nfl", **history())
    assert "sk_publish_" not in str(caught.value)
    declared = smd.publisher(door.url, token(door, "--league", "nfl", "--name", "daily"))
    with pytest.raises(smd.Forbidden, match="mend"):
        declared.publish("nfl", **history(), models={"elo": smd.model("Elo")})


def test_a_wrong_address_is_named(door: Door) -> None:
    for url in (door.record, f"{door.url}/publish"):
        with pytest.raises(smd.NotFound, match=f"is {url} the address of a door"):
            smd.publisher(url, door.token).publish("nfl", **history())


def test_older_odds_are_refused_unless_they_are_meant(pub: Pub) -> None:
    odds = upcoming().with_columns(home_money_line=-150, away_money_line=130)
    now = upcoming()["start"][0] - timedelta(days=2)
    pub.publish("nfl", odds=odds, source_as_of=now)
    older = {"odds": odds.with_columns(home_money_line=-155), "source_as_of": now - timedelta(hours=1)}
    with pytest.raises(smd.Conflict, match="older: "):
        pub.publish("nfl", **older)
    assert pub.publish("nfl", **older, allow="older").published


def test_problems_findings_and_warnings_are_those_of_the_command(door: Door, pub: Pub) -> None:
    local = smd.local_publisher(settings=door.settings, sportsctl=TARGET / "debug/sportsctl")
    wrong = history(home_score=pl.Series([20, -24, 16, 48]))
    errors = []
    for publisher in (pub, local):
        with pytest.raises(smd.ReleaseRefused) as caught:
            publisher.publish("nfl", **wrong)
        errors.append(caught.value)
    assert_frame_equal(errors[0].problems, errors[1].problems)
    assert errors[0].problems["row"].to_list() == [1] and str(errors[0]) == str(errors[1])


def test_tables_are_converted_at_the_door(pub: Pub) -> None:
    table = pl.DataFrame(
        {
            "game_id": "2021_01_DAL_TB",
            "season": 2021,
            "game_type": "REG",
            "gameday": "2021-09-09",
            "gametime": "20:20",
            "away_team": "DAL",
            "home_team": "TB",
            "away_score": 29,
            "home_score": 31,
            "chance": 0.75,
        }
    )
    done = pub.convert("nfl", table, preset="nflverse", map={"models": {"won_on_points": {"BLEND": "chance"}}})
    assert done.published and done.seasons["games"].to_list() == [1, 1, 1]
    assert done.contents.filter(market="moneyline")["forecasts"].to_list() == [1]
    with pytest.raises(smd.ReleaseRefused, match=r"frame, row 0, column gameday: `9\.9\.2021`: expected a date"):
        pub.convert("nfl", table.with_columns(gameday=pl.lit("9.9.2021")), preset="nflverse")


def test_results_of_one_service_published_at_the_door_of_another_are_the_same(api: Api, pub: Pub, record: Api) -> None:
    frames = {market: api.results("nfl", market, "all") for market in ("total", "moneyline", "spread")}
    assert pub.publish("nfl", results=frames).published
    await_generation(record, 1)
    drop = ["forecast_published_at", "forecast_run", "recorded"]
    for market, frame in frames.items():
        mine = record.results("nfl", market, "all").drop(drop)  # type: ignore[arg-type]
        started = frame.join(mine, on="game_id", how="semi").drop(drop)
        assert_frame_equal(mine, started)
