"""The state of today's data in words, and the refusal of a slate that is not today's."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import Api
from proxy import Proxy, Reply

import sports_model_data as smd


@pytest.fixture
def through(proxy: Proxy, key: str) -> Iterator[Api]:
    with smd.connect(proxy.url, key, cache=False) as connected:
        yield connected


def reported(proxy: Proxy, markets: dict[str, str], lacking: tuple[str, ...] = (), **fields: Any) -> None:
    """Has the server report another state, in a league that lacks some markets."""
    if "status" in fields:
        trusted = fields["status"] in ("fresh", "off_day")
        fields = {"trusted": trusted, "trusted_reason": f"Reason: {fields['status']}."} | fields

    def alter(path: str, reply: Reply) -> Reply:
        if "/data-status/" not in path:
            return reply
        state = json.loads(reply.content) | fields
        for market, status in markets.items():
            state["markets"][market]["status"] = status
        for market in lacking:
            state["markets"][market]["expected"] = False
        return Reply(200, reply.headers, json.dumps(state).encode())

    proxy.alter = alter


FRESH = dict.fromkeys(("over_under", "won_on_points", "won_on_spread"), "fresh")
SLATES: list[Callable[[Api], Any]] = [
    lambda api: api.predictions("nba", "spread", require_fresh=True),
    lambda api: api.public_picks("nba", "spread", require_fresh=True),
    lambda api: api.odds("nba", require_fresh=True),
    lambda api: api.markets("nba", require_fresh=True),
]


def test_today_is_trusted_and_a_slate_is_returned(proxy: Proxy, through: Api) -> None:
    reported(proxy, FRESH, status="fresh", degradation_reason=None, operational=True)
    state = through.status("nba")
    assert state.trusted and state.fresh("spread")
    assert str(state).startswith(f"nba, {state.date}: today's slate can be trusted: Reason: fresh.")
    for slate in SLATES:
        assert slate(through).height


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("pending", None),
        ("updating", None),
        ("partial", "daily_output_stale"),
        ("unknown", "release_unavailable"),
        ("stale", "release_missing"),
    ],
)
def test_yesterdays_slate_is_refused_with_the_servers_reason(
    status: str, reason: str | None, proxy: Proxy, through: Api
) -> None:
    reported(proxy, dict.fromkeys(FRESH, status), status=status, degradation_reason=reason)
    state = through.status("nba")
    assert not state.trusted and f"Reason: {status}." in state.words and "cannot be trusted" in state.words
    for slate in SLATES:
        with pytest.raises(smd.NotFresh, match=f"Reason: {status}"):
            slate(through)
    # Without the demand it is returned.
    assert through.predictions("nba", "spread").height


def test_the_servers_field_decides(proxy: Proxy, through: Api) -> None:
    unsettled = "results_awaiting_settlement"
    for trusted, reason in [(True, unsettled), (False, "source_stale"), (False, None)]:
        reported(proxy, FRESH, status="fresh", degradation_reason=reason, trusted=trusted)
        state = through.status("nba")
        assert state.trusted is trusted and state.fresh() is trusted


def test_one_late_market_refuses_its_own_slate_alone(proxy: Proxy, through: Api) -> None:
    late = {**FRESH, "over_under": "partial"}
    reported(proxy, late, status="partial", degradation_reason="predictions_stale")
    state = through.status("nba")
    assert "By market: total is partial, moneyline is fresh, spread is fresh." in state.words
    assert through.predictions("nba", "spread", require_fresh=True).height
    with pytest.raises(smd.NotFresh):
        through.predictions("nba", "total", require_fresh=True)
    with pytest.raises(smd.NotFresh):
        through.odds("nba", require_fresh=True)


def test_a_league_of_one_market_is_trusted_and_has_no_other_slate(proxy: Proxy, through: Api) -> None:
    markets = {"over_under": "stale", "won_on_points": "fresh", "won_on_spread": "off_day"}
    lacking = ("over_under", "won_on_spread")
    reported(proxy, markets, lacking, status="fresh", degradation_reason=None, operational=True)
    state = through.status("nba")
    assert state.trusted and state.fresh("moneyline") and state.market("moneyline").expected is None
    assert "The league's markets: moneyline." in state.words and "By market" not in state.words
    assert through.odds("nba", require_fresh=True).height
    assert through.predictions("nba", "moneyline", require_fresh=True).height
    for market in ("total", "spread"):
        with pytest.raises(smd.NotFresh, match="The league's markets: moneyline"):
            through.predictions("nba", market, require_fresh=True)


def test_an_off_day_is_a_slate_without_games(proxy: Proxy, through: Api) -> None:
    reported(proxy, dict.fromkeys(FRESH, "off_day"), status="off_day", degradation_reason=None)
    state = through.status("nba")
    assert state.trusted and "Reason: off_day." in state.words
    through.predictions("nba", "spread", require_fresh=True)


def test_words_have_held_predictions_awaited_finals_and_simulation(proxy: Proxy, through: Api) -> None:
    reported(proxy, FRESH, refresh_pending=True, awaiting_settlement={"count": 3, "games": []}, simulated=True)
    words = through.status("nba").words
    assert "Newer odds" in words and "Games that await their final: 3." in words and "The data is simulated." in words
