"""Every read operation through a generated client, found by its id: each answer is parsed, and nothing of it is lost."""

import importlib
import inspect
import json
import os
import pkgutil
import sys
import typing
from enum import Enum
from types import ModuleType

from patient import Patient

# The smallest page worth asking for, and about how many pages a season should take.
SMALLEST_PAGE, PAGES = 25, 8
# Read-only operations with other path parameters get these.
PATH_VALUES = {"market": "moneyline", "date": "2025-01-15", "date_str": "2025-01-15", "strategy_id": "follow_line_over"}
# A demo asks no timestamp server.
STAMPED_ALONE = {"show_timestamp"}
# The public feed's name of each model type.
PUBLIC_MARKETS = {"over_under": "over_under", "won_on_points": "moneyline", "won_on_spread": "spread"}


class Client:
    """The generated package, with its operations found by operation id."""

    def __init__(self, package: str, base_url: str, key: str) -> None:
        self.types = importlib.import_module(f"{package}.types")
        self.models = importlib.import_module(f"{package}.models")
        api = importlib.import_module(f"{package}.api")
        names = [m.name for m in pkgutil.walk_packages(api.__path__, f"{api.__name__}.") if not m.ispkg]
        self.operations = {name.rsplit(".", 1)[1]: importlib.import_module(name) for name in names}
        self.asked: set[str] = set()
        authenticated = importlib.import_module(package).AuthenticatedClient
        self.connection = authenticated(
            base_url=base_url,
            token=key,
            prefix="",
            auth_header_name="X-API-Key",
            raise_on_unexpected_status=True,
            httpx_args={"transport": Patient()},
        )

    def ask(self, operation: str, **arguments: object) -> typing.Any:
        """One call, and the whole response."""
        module = self.operations[operation]
        hints = typing.get_type_hints(module.sync_detailed)
        arguments = {name: as_hinted(value, hints[name]) for name, value in arguments.items()}
        if "client" in hints:
            arguments["client"] = self.connection
        self.asked.add(operation)
        return module.sync_detailed(**arguments)

    def call(self, operation: str, **arguments: object) -> typing.Any:
        """One call, and its parsed answer: a 200 in which the typed model lost nothing."""
        answer = self.ask(operation, **arguments)
        assert answer.status_code == 200, f"{operation}: {answer.status_code} {answer.content[:300]!r}"
        assert answer.parsed is not None, f"{operation}: a 200 that the client cannot parse"
        if hasattr(answer.parsed, "to_dict"):
            same_shape(operation, json.loads(answer.content), json.loads(json.dumps(answer.parsed.to_dict())))
        return answer.parsed

    def reads(self) -> dict[str, list[str]]:
        """Every GET operation with its required parameters."""
        found = {}
        for name, module in self.operations.items():
            if hasattr(module, "sync_detailed") and is_get(module):
                parameters = inspect.signature(module.sync_detailed).parameters.values()
                found[name] = [p.name for p in parameters if p.default is p.empty and p.name != "client"]
        return found


def is_get(module: ModuleType) -> bool:
    return '"method": "get"' in inspect.getsource(module._get_kwargs)


def as_hinted(value: object, hint: object) -> object:
    """`value` as the enum that the generated signature asks for, if it asks for one."""
    for kind in [hint, *typing.get_args(hint)]:
        if isinstance(kind, type) and issubclass(kind, Enum):
            return kind(value)
    return value


def text(value: object) -> str:
    return value.value if isinstance(value, Enum) else str(value)


def same_shape(where: str, sent: object, parsed: object) -> None:
    """Same keys, same lengths, same nulls: values may change spelling (`Z`, `+00:00`), not presence."""
    if isinstance(sent, dict) and isinstance(parsed, dict):
        assert sent.keys() == parsed.keys(), f"{where}: the typed model differs in {sent.keys() ^ parsed.keys()}"
        for key, value in sent.items():
            same_shape(f"{where}.{key}", value, parsed[key])
    elif isinstance(sent, list) and isinstance(parsed, list):
        assert len(sent) == len(parsed), f"{where}: {len(sent)} items became {len(parsed)}"
        for index, (left, right) in enumerate(zip(sent, parsed)):
            same_shape(f"{where}[{index}]", left, right)
    else:
        assert (sent is None) == (parsed is None), f"{where}: {sent!r} became {parsed!r}"


def page_through(client: Client, sport: str, model_type: str, season: str) -> int:
    """Every row of a season, by snapshot paging; returns how many there were."""
    here = f"{sport} {model_type} {season}"
    page = client.call("list_results", sport=sport, model_type=model_type, season=season, limit=SMALLEST_PAGE)
    total, snapshot, rows, pages = page.total, page.snapshot, list(page.results), 1
    limit = max(SMALLEST_PAGE, total // PAGES)
    while page.next_offset is not None:
        assert page.next_offset == len(rows), f"{here}: next_offset {page.next_offset} after {len(rows)} rows"
        page = client.call(
            "list_results",
            sport=sport, model_type=model_type, season=season,
            limit=limit, offset=page.next_offset, snapshot=snapshot,
        )  # fmt: skip
        assert (page.total, page.snapshot) == (total, snapshot), f"{here}: the season changed while paging"
        assert page.returned == len(page.results), f"{here}: returned {page.returned}, sent {len(page.results)}"
        rows += page.results
        pages += 1
    assert len(rows) == total, f"{here}: {len(rows)} rows in {pages} pages, total says {total}"
    dates = [str(row.date) for row in rows]
    assert dates == sorted(dates), f"{here}: a season pages oldest game first"
    print(f"  {here}: {total} rows in {pages} pages")
    return total


def in_order(games: typing.Any) -> bool:
    starts = [(str(game.date), game.time) for game in games]
    return starts == sorted(starts)


def slate(client: Client, sport: str) -> int:
    """Today's slate of a league: what data-status says is published is there, anything else is a 404."""
    status = client.call("get_data_status", sport=sport)
    games = 0
    for model_type, market in PUBLIC_MARKETS.items():
        paths = {
            "list_predictions": {"sport": sport, "model_type": model_type},
            "list_public_picks": {"sport": sport, "market": market},
        }
        published = getattr(status.markets, model_type).predictions.published_at
        for operation, path in paths.items():
            if published is None:
                assert client.ask(operation, **path).status_code == 404, f"{operation} {path}: nothing is published"
                continue
            upcoming, whole = (client.call(operation, **path, upcoming_only=only) for only in (True, False))
            assert whole.predictions_date == published, f"{operation} {path}: published {published}"
            assert in_order(whole.games) and in_order(upcoming.games), f"{operation} {path}: by date, then time"
            assert len(upcoming.games) <= len(whole.games), f"{operation} {path}: more games upcoming than in all"
            games += len(whole.games)
            if operation == "list_predictions" and whole.games:
                client.call("show_forecast_history", **path, game_id=whole.games[0].game_id)
                client.call("show_proof", **path, game_id=whole.games[0].game_id)
    odds = client.ask("list_odds", sport=sport)
    assert odds.status_code in (200, 404), f"odds of {sport}: {odds.status_code}"
    if odds.status_code == 200:
        quoted = client.call("list_odds", sport=sport).games
        games += len(quoted)
        if quoted:
            client.call("show_odds_history", sport=sport, game_id=quoted[0].game_id)
    print(f"  {sport}: {text(status.status)}, {games} games in the answers about its slate")
    return games


def manage_keys(client: Client) -> None:
    """A key from its creation to its end; everything is named as a customer would name it."""
    made = client.call("create_api_key", body=client.models.NewApiKey(name="made by a generated client"))
    masked = f"{made.api_key[:15]}*****"
    renaming = client.models.ApiKeyRenaming(api_key_to_rename=made.api_key, new_name="renamed")
    client.call("rename_api_key", body=renaming)
    ours = [key for key in client.call("list_api_keys") if key.api_key == masked and key.is_active]
    assert [key.name for key in ours] == ["renamed"], f"the new key is listed as {ours}"
    client.call("revoke_api_key", api_key=masked)
    left = [key for key in client.call("list_api_keys") if key.api_key == masked and key.is_active]
    assert not left, "a revoked key is still active"


def count(client: Client) -> None:
    """Asking after the account is not counted, any other call is."""
    before = client.call("show_usage").monthly_requests
    account = client.call("show_customer").monthly_requests
    client.call("list_sports")
    after = client.call("show_usage")
    counted = account - before, after.monthly_requests - account
    assert counted == (0, 1), f"{before}, {account}, {after}"
    assert after.requests_remaining == after.monthly_limit - after.monthly_requests


def refresh_datasets(client: Client) -> None:
    """A refresh takes one, where there is something to refresh; a demo may have nothing on sale."""
    status = client.call("show_dataset_status")
    assert status.refreshes_used + status.refreshes_remaining == status.refresh_limit
    if not status.has_service_sports_data:
        print("  refresh_datasets: not asked, the demo's customer owns no dataset")
        return
    refreshed = client.call("refresh_datasets")
    assert refreshed.refreshes_remaining == status.refreshes_remaining - 1
    assert refreshed.downloads, "a refresh without a link"


def main() -> None:
    package = sys.argv[1]
    client = Client(package, os.environ["BASE_URL"], os.environ["API_KEY"])
    print(f"{package}: {len(client.operations)} operations, {len(client.models.__all__)} models import")
    slate_operations = ["get_data_status", "list_predictions", "list_public_picks", "list_odds"]
    for needed in ["list_sports", "list_result_seasons", "list_results", *slate_operations]:
        assert needed in client.operations, f"no operation {needed} in {sorted(client.operations)}"

    discovery = client.call("list_sports")
    sports = [text(sport.code) for sport in discovery.sports]
    model_types = [text(model_type.code) for model_type in discovery.model_types]
    assert sports and model_types, "discovery names nothing"

    count(client)
    manage_keys(client)
    refresh_datasets(client)

    rows = 0
    for sport in sports:
        for model_type in model_types:
            seasons = client.call("list_result_seasons", sport=sport, model_type=model_type).seasons
            assert seasons == sorted(seasons, reverse=True), f"{sport} {model_type}: seasons run newest first"
            if seasons and model_type == model_types[sports.index(sport) % len(model_types)]:
                rows += page_through(client, sport, model_type, text(seasons[0]))
    assert rows, "no season had a row to page through"

    on_slates = sum(slate(client, sport) for sport in sports)

    signed = client.call("list_checkpoints", sport="nfl").checkpoints
    values = {"sport": "nfl", "model_type": model_types[0], "size": signed[-1].size, **PATH_VALUES}
    reads = client.reads()
    for operation, required in reads.items():
        if operation in client.asked:
            continue
        if operation in STAMPED_ALONE:
            print(f"  {operation}: not asked, nothing has a timestamp on a demo")
            continue
        if unknown := [name for name in required if name not in values]:
            print(f"  {operation}: not asked, it needs {', '.join(unknown)}")
            continue
        client.call(operation, **{name: values[name] for name in required})
    asked = len(client.asked & reads.keys())
    print(f"{asked} read operations answered and parsed, {rows} result rows paged, {on_slates} games on slates")


main()
