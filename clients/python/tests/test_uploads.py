"""Uploads to a door: what is sent, what is repeated with the same key and bytes, and the errors of the way."""

import io
import json
import tarfile
import time
import warnings
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

import httpx
import polars as pl
import pytest
from test_publishing import GAMES, KEY, chances

import sports_model_data as smd

PUBLISHED = {"outcome": "on_air", "sport": "nfl", "generation": 7, "release_id": "r7", "head": "ab" * 32, "warnings": []}
Reply = httpx.Response | Exception


class FakeDoor:
    """A door that answers uploads by its plan, the last of which it repeats, and keeps what it got."""

    def __init__(self) -> None:
        self.plan: list[Reply] = [httpx.Response(200, json=PUBLISHED)]
        self.date = datetime.now(timezone.utc)
        self.seen: list[httpx.Request] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        request.read()
        date = {"Date": format_datetime(self.date, usegmt=True)}
        if request.method == "GET":
            return httpx.Response(200, headers=date, json={"status": "healthy"})
        reply = self.plan[min(len(self.seen), len(self.plan) - 1)]
        self.seen.append(request)
        if isinstance(reply, Exception):
            raise reply
        reply.headers.update(date)
        return reply


def refusal(status: int, detail: str = "refused", **headers: str) -> httpx.Response:
    body = {"error": f"HTTP_{status}", "detail": detail, "timestamp": "2026-01-01T00:00:00Z"}
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> FakeDoor:
    fake, client = FakeDoor(), httpx.Client
    monkeypatch.setattr(httpx, "Client", lambda **options: client(transport=httpx.MockTransport(fake.answer), **options))
    return fake


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    made: list[float] = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made


@pytest.fixture
def pub(door: FakeDoor) -> smd.Publisher[pl.DataFrame]:
    return smd.publisher("https://picks.example.com/publish/", "sk_publish_secret")


Pub = smd.Publisher[pl.DataFrame]


def test_a_release_is_an_archive_with_a_key_and_a_token(door: FakeDoor, pub: Pub) -> None:
    report = pub.publish("nfl", games=GAMES, probabilities={"moneyline": chances()}, strict=True, allow=["vig", "older"])
    request = door.seen[0]
    assert str(request.url).startswith("https://picks.example.com/publish/v1/releases/nfl?")
    assert request.url.params.multi_items() == [("strict", "true"), ("allow", "vig"), ("allow", "older")]
    assert request.headers["authorization"] == "Bearer sk_publish_secret" and "x-api-key" not in request.headers
    assert request.headers["content-type"] == "application/x-tar" and len(request.headers["idempotency-key"]) == 32
    assert request.headers["content-length"] == str(len(request.content)) and "transfer-encoding" not in request.headers
    with tarfile.open(fileobj=io.BytesIO(request.content)) as archive:
        names = archive.getnames()
        manifest = json.loads(archive.extractfile("release.json").read())  # type: ignore[union-attr]
    assert names == ["games/2023-24.parquet", "probabilities/won_on_points/2023-24.parquet", "release.json"]
    assert manifest["sport"] == "nfl"
    assert (report.generation, report.release_id, report.head, report.replayed) == (7, "r7", "ab" * 32, False)


def test_finals_and_tables_have_forms_of_their_own(door: FakeDoor, pub: Pub) -> None:
    pub.settle("nfl", GAMES.select(*KEY, "away_score", "home_score"), correct=True, dry_run=True)
    pub.convert("nfl", GAMES, preset="nflverse", map={"title": 'my "sheet"', "columns": {"date": "Tag"}}, slate=True)
    finals, table = door.seen
    assert str(finals.url).endswith("/v1/finals/nfl?correct=true&dry_run=true")
    assert finals.headers["content-type"] == "application/vnd.apache.parquet"
    assert pl.read_parquet(finals.content).height == 4
    assert str(table.url).endswith("/v1/convert/nfl?preset=nflverse&slate=true")
    kind, _, boundary = table.headers["content-type"].partition("; boundary=")
    parts = table.content.split(f"--{boundary}".encode())
    assert kind == "multipart/form-data" and parts[0] == b"" and parts[-1] == b"--\r\n"
    assert b'name="map"; filename="map.toml"' in parts[1] and b'"title" = "my \\"sheet\\""' in parts[1]
    assert b'name="table"; filename="table.parquet"' in parts[2] and parts[2].endswith(b"PAR1\r\n")


FAULTS: dict[str, Callable[[], Reply]] = {
    "502": lambda: refusal(502),
    "503": lambda: refusal(503, retry_after="2"),
    "504": lambda: refusal(504),
    "429": lambda: refusal(429, retry_after="3"),
    "429 without a time": lambda: refusal(429),
    "a refused connection": lambda: httpx.ConnectError("refused"),
    "a broken connection": lambda: httpx.RemoteProtocolError("the server disconnected"),
    "a broken upload": lambda: httpx.WriteError("broken pipe"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_upload_is_repeated_with_the_same_key_and_bytes(fault: str, door: FakeDoor, pub: Pub, pauses: list[float]) -> None:
    door.plan = [
        FAULTS[fault](),
        FAULTS[fault](),
        httpx.Response(200, json=PUBLISHED, headers={"Idempotency-Replayed": "true"}),
    ]
    report = pub.publish("nfl", games=GAMES)
    assert report.replayed and len(door.seen) == 3 and len(pauses) == 2
    assert len({one.content for one in door.seen}) == 1
    assert len({one.headers["idempotency-key"] for one in door.seen}) == 1
    door.seen.clear()
    pub.publish("nfl", games=GAMES, idempotency_key="monday")
    assert door.seen[0].headers["idempotency-key"] == "monday"


def test_a_repeated_call_with_its_key_has_the_same_bytes(door: FakeDoor, pub: Pub) -> None:
    slate = GAMES.with_columns(BLEND=0.5).drop("home_score", "away_score")
    for _ in range(2):
        pub.publish("nfl", predictions={"spread": slate}, idempotency_key="monday")
        door.date += timedelta(seconds=90)
    assert door.seen[0].content == door.seen[1].content
    pub.publish("nfl", predictions={"spread": slate})
    assert door.seen[2].content != door.seen[1].content


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, smd.BadRequest),
        (401, smd.Unauthorized),
        (403, smd.Forbidden),
        (409, smd.Conflict),
        (413, smd.Refused),
        (415, smd.Refused),
    ],
)
def test_a_refusal_is_raised_at_once_and_without_the_token(
    status: int, kind: type[smd.Refused], door: FakeDoor, pub: Pub
) -> None:
    door.plan = [refusal(status, "older: the odds on record are of 10:00")]
    with pytest.raises(kind, match=f"HTTP_{status}: older: the odds on record") as caught:
        pub.publish("nfl", games=GAMES)
    assert len(door.seen) == 1 and "secret" not in f"{caught.value!r} {pub!r}"


def test_problems_of_an_answer_are_those_of_the_frame(door: FakeDoor, pub: Pub) -> None:
    problem = {"file": "games/2023-24.parquet", "row": 4, "last_row": 5, "times": 2, "column": "home_score", "value": "-1"}
    body: dict[str, Any] = {
        "error": "HTTP_422",
        "detail": "nothing was published: 2 problems",
        "timestamp": "2026-01-01T00:00:00Z",
    }
    body |= {
        "problems": [{**problem, "expected": "a score", "hint": None, "values": [], "unlisted": 0}],
        "total": 2,
        "warnings": ["a"],
    }
    door.plan = [httpx.Response(422, json=body, headers={"x-request-id": "feed-1"})]
    with pytest.raises(smd.ReleaseRefused) as caught:
        pub.publish("nfl", games=GAMES.to_pandas().set_index(GAMES["home_team"].to_pandas()))
    error = caught.value
    assert error.problems.select("frame", "season", "row", "times").row(0) == ("games", "2023-24", "Denver Broncos", 2)
    assert (error.status, error.total, error.request_id, error.warnings.height) == (422, 2, "feed-1", 1)
    assert "games, 2023-24, row Denver Broncos (2 rows), column home_score: `-1`: expected a score" in str(error)


def test_an_idempotency_key_with_other_content_is_refused_with_its_sentence(door: FakeDoor, pub: Pub) -> None:
    door.plan = [refusal(422, "the key `monday` has other content")]
    with pytest.raises(smd.ReleaseRefused, match="the key `monday` has other content") as caught:
        pub.publish("nfl", games=GAMES, idempotency_key="monday")
    assert caught.value.problems.is_empty()


def test_the_day_and_the_run_are_those_of_the_doors_clock(door: FakeDoor, pub: Pub) -> None:
    door.date = datetime(2026, 1, 5, 3, 30, tzinfo=timezone.utc)
    with pytest.warns(UserWarning, match=r"clock is \d+ minutes (ahead of|behind) the door's"):
        pub.publish("nfl", predictions={"spread": GAMES.with_columns(BLEND=0.5)})
    with tarfile.open(fileobj=io.BytesIO(door.seen[0].content)) as archive:
        manifest = json.loads(archive.extractfile("release.json").read())  # type: ignore[union-attr]
    assert manifest["slate_date"] == "2026-01-04" and manifest["run"]["started_at"] == "2026-01-05T03:30:00Z"
    assert manifest["run"]["id"].startswith("20260105T033000Z-") and manifest["season"] == "2023-24"


@pytest.mark.parametrize(("seconds", "warned"), [(110, False), (-110, False), (130, True), (-130, True)])
def test_a_clock_that_is_off_by_two_minutes_is_named(seconds: int, warned: bool, door: FakeDoor, pub: Pub) -> None:
    door.date += timedelta(seconds=seconds)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pub.publish("nfl", games=GAMES, slate_date="2024-01-08")
        pub.publish("nfl", games=GAMES, slate_date="2024-01-08")
    assert len(caught) == int(warned)


def test_an_address_without_a_door_is_named(door: FakeDoor, pub: Pub) -> None:
    door.plan = [refusal(404, "no such operation")]
    with pytest.raises(smd.NotFound, match=r"is https://picks\.example\.com/publish the address of a door"):
        pub.publish("nfl", games=GAMES)
    door.seen, door.plan = [], [httpx.Response(200, text="<html>")]
    with pytest.raises(smd.Incompatible, match="the address of one"):
        pub.publish("nfl", games=GAMES)


def test_a_door_that_never_answers_is_unreachable_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sports_model_data.publishing._ABSENCE", 0.2)
    began = time.monotonic()
    with smd.publisher("http://127.0.0.1:1", "sk_publish_0") as pub, pytest.raises(smd.Unreachable, match=r"127\.0\.0\.1"):
        pub.publish("nfl", games=GAMES)
    assert time.monotonic() - began < 10


def test_a_call_without_an_answer_names_the_key_that_repeats_it(door: FakeDoor, pub: Pub) -> None:
    door.plan = [httpx.ReadTimeout("slow")]
    with pytest.raises(smd.TimedOut, match=r"0\.3 seconds; it may be published: .*idempotency_key='monday'"):
        pub.publish("nfl", games=GAMES, idempotency_key="monday", timeout=0.3)


def test_a_large_upload_has_a_bar(door: FakeDoor, pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[Any] = []

    class Bar:
        def __init__(self, total: int, **_: Any) -> None:
            self.total, self.seen = total, 0
            bars.append(self)

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def update(self, size: int) -> None:
            self.seen += size

    monkeypatch.setattr("tqdm.auto.tqdm", Bar)
    pub.publish("nfl", games=GAMES)
    assert not bars
    many = pl.concat([GAMES] * 50_000).with_row_index("note").with_columns(pl.col("note").hash().alias("note"))
    pub.publish("nfl", games=many)
    assert bars[0].seen == bars[0].total == len(door.seen[1].content) > 1_000_000


def test_an_address_and_a_token_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPORTS_PUBLISH_URL", "SPORTS_PUBLISH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match="SPORTS_PUBLISH_URL"):
        smd.publisher()
    with pytest.raises(ValueError, match="SPORTS_PUBLISH_TOKEN"):
        smd.publisher("https://picks.example.com/publish")
    with pytest.raises(ValueError, match="more than one word") as caught:
        smd.publisher("https://picks.example.com/publish", "sk_publish_0\ntok_0 (colab)")
    assert "sk_publish_0" not in str(caught.value)
    with pytest.raises(ValueError, match="begins with https://"):
        smd.publisher("picks.example.com", "sk_publish_0")
    monkeypatch.setenv("SPORTS_PUBLISH_URL", "http://127.0.0.1:8090")
    monkeypatch.setenv("SPORTS_PUBLISH_TOKEN", "sk_publish_0")
    assert repr(smd.publisher()) == "<publisher http://127.0.0.1:8090>"
