"""A customer's first day, with the client that openapi-python-client made of the document."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
from patient import Patient
from sports_client import AuthenticatedClient
from sports_client.api.account import create_api_key, revoke_api_key
from sports_client.api.discovery import list_sports
from sports_client.api.predictions import list_predictions
from sports_client.api.results import list_result_seasons, list_results
from sports_client.api.strategies import list_strategies
from sports_client.models import Error, ModelTypeCode, NewApiKey, ResultRow, SportCode, SpreadPredictions
from sports_client.types import UNSET

SPORT, MARKET = SportCode.NFL, ModelTypeCode.WON_ON_SPREAD


def client_with(key: str, transport: Patient) -> AuthenticatedClient:
    return AuthenticatedClient(
        base_url=os.environ["BASE_URL"],
        token=key,
        prefix="",
        auth_header_name="X-API-Key",
        httpx_args={"transport": transport},
        timeout=httpx.Timeout(30),
    )


def season(client: AuthenticatedClient, label: str, offset: int = 0, snapshot: str | None = None) -> tuple[list[ResultRow], int]:
    """Every row of a season. A snapshot that is no longer current answers 409: start again."""
    rows: list[ResultRow] = []
    conflicts = 0
    while True:
        answer = list_results.sync_detailed(
            SPORT, MARKET, client=client, season=label, limit=100, offset=offset, snapshot=snapshot or UNSET
        )
        page = answer.parsed
        if answer.status_code == 409:
            assert isinstance(page, Error) and page.error == "HTTP_409"
            conflicts, offset, snapshot = conflicts + 1, 0, None
            rows.clear()
            continue
        assert page is not None and not isinstance(page, Error | str), page
        rows += page.results
        if page.next_offset is None:
            assert len(rows) == page.total
            return rows, conflicts
        offset, snapshot = page.next_offset, page.snapshot


def revoked(client: AuthenticatedClient) -> Error:
    """The refusal of a key that has just been revoked: it comes within two seconds."""
    began = time.monotonic()
    while time.monotonic() - began < 30:
        refusal = list_sports.sync(client=client)
        if isinstance(refusal, Error):
            return refusal
        time.sleep(0.1)
    raise AssertionError("a revoked key still works")


def main() -> None:
    transport = Patient()
    client = client_with(os.environ["API_KEY"], transport)

    discovery = list_sports.sync(client=client)
    assert discovery is not None and not isinstance(discovery, Error)
    assert SPORT in {sport.code for sport in discovery.sports}

    predictions = list_predictions.sync(SPORT, MARKET, client=client, upcoming_only=False)
    assert isinstance(predictions, SpreadPredictions)
    assert all(isinstance(game.predictions.blend, float) and game.home_point_spread for game in predictions.games)

    seasons = list_result_seasons.sync(SPORT, MARKET, client=client)
    assert seasons is not None and not isinstance(seasons, Error)
    label = seasons.seasons[-1]
    rows, _ = season(client, label)
    assert all(row.graded or row.ungraded_reason for row in rows)
    again, conflicts = season(client, label, offset=100, snapshot="0123456789abcdef")
    assert (again, conflicts) == (rows, 1)

    board = list_strategies.sync(SPORT, MARKET, client=client, season=label)
    assert board is not None and not isinstance(board, Error)
    assert len(board.strategies) == 16

    made = create_api_key.sync(client=client, body=NewApiKey(name="made in Python"))
    assert made is not None and not isinstance(made, Error)
    other = client_with(made.api_key, Patient())
    assert not isinstance(list_sports.sync(client=other), Error | None)
    masked = f"{made.api_key[:15]}*****"
    assert not isinstance(revoke_api_key.sync(masked, client=client), Error | None)
    assert revoked(other).error == "HTTP_401"

    with ThreadPoolExecutor(60) as at_once:
        answers = list(at_once.map(lambda _: list_sports.sync_detailed(client=client).status_code, range(60)))
    assert set(answers) == {200}
    assert transport.waits, "no call of sixty at once was told to wait"

    print(
        f"openapi-python-client: {len(predictions.games)} predictions, {len(rows)} rows paged, "
        f"{board.strategies[0].name} leads, a key made and revoked, {transport.waits} waits"
    )


main()
