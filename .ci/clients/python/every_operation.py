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

# Values of path parameters beside the league and its market.
PATH_VALUES = {"date": "2025-01-15", "date_str": "2025-01-15", "strategy_id": "follow_line_over"}
# A demo asks no timestamp server.
STAMPED_ALONE = {"show_timestamp"}
# The answer of a stream has no end.
ENDLESS = {"stream_releases"}
# Their query names a game.
OF_A_GAME = {"show_forecast_history", "show_odds_history", "show_proof"}
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
        self.parsed: set[str] = set()
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
        return module.sync_detailed(**arguments)

    def call(self, operation: str, **arguments: object) -> typing.Any:
        """One call, and its parsed answer: a 200 in which the typed model lost nothing."""
        found = self.find(operation, **arguments)
        assert found is not None, f"{operation}: 404 for {arguments}"
        return found

    def find(self, operation: str, **arguments: object) -> typing.Any:
        """The parsed answer of one call; nothing if it is a 404."""
        answer = self.ask(operation, **arguments)
        if answer.status_code == 404:
            return None
        assert answer.status_code == 200, f"{operation}: {answer.status_code} {answer.content[:300]!r}"
        assert answer.parsed is not None, f"{operation}: a 200 that the client cannot parse"
        if hasattr(answer.parsed, "to_dict"):
            same_shape(operation, json.loads(answer.content), json.loads(json.dumps(answer.parsed.to_dict())))
        self.parsed.add(operation)
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


def market(client: Client, sport: str, model_type: str) -> None:
    """Every read operation about a market and about a game of its slate; what is not published is a 404."""
    values = {"sport": sport, "model_type": model_type, "market": PUBLIC_MARKETS[model_type], **PATH_VALUES}
    for operation, required in client.reads().items():
        if "sport" in required and values.keys() >= set(required) and operation not in OF_A_GAME | ENDLESS:
            client.find(operation, **{name: values[name] for name in required})
    slate = client.find("list_predictions", sport=sport, model_type=model_type, upcoming_only=False)
    for game in slate.games[:1] if slate else []:
        client.call("show_forecast_history", sport=sport, model_type=model_type, game_id=game.game_id)
        client.call("show_proof", sport=sport, model_type=model_type, game_id=game.game_id)
        client.find("show_odds_history", sport=sport, game_id=game.game_id)


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


def main() -> None:
    package = sys.argv[1]
    client = Client(package, os.environ["BASE_URL"], os.environ["API_KEY"])
    print(f"{package}: {len(client.operations)} operations, {len(client.models.__all__)} models import")
    discovery = client.call("list_sports")
    for sport in discovery.sports:
        for model_type in discovery.model_types:
            market(client, text(sport.code), text(model_type.code))
    manage_keys(client)
    if client.call("show_dataset_status").has_service_sports_data:
        client.call("refresh_datasets")
    signed = client.call("list_checkpoints", sport="nfl").checkpoints
    values = {"sport": "nfl", "size": signed[-1].size, **PATH_VALUES}
    for operation, required in client.reads().items():
        if operation in client.parsed or operation in STAMPED_ALONE | ENDLESS:
            continue
        if unknown := set(required) - values.keys():
            print(f"  {operation}: not asked, it needs {', '.join(sorted(unknown))}")
            continue
        client.call(operation, **{name: values[name] for name in required})
    print(f"{len(client.parsed)} operations answered and parsed")


main()
