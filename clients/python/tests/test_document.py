"""The package and the document have the same operations, parameters, closed sets and fields."""

import dataclasses
import inspect
import re
import typing
from typing import Any, get_args

import pytest
from conftest import ROOT, Api
from schemas import Schemas

import sports_model_data as smd
from sports_model_data import backtests, calibration, objects, records, status, terms

# The words of the package for parameters of the API.
WORDS = {
    "api_key": "key",
    "api_key_to_rename": "key",
    "new_name": "name",
    "model_type": "market",
    "from": "since",
    "to": "until",
    "date": "day",
    "date_str": "day",
    "strategy_id": "strategy",
    "id": "webhook",
}
# Parameters that a caller does not give: the package chooses the form and pages by itself.
INTERNAL = {"format", "limit", "offset", "snapshot", "If-None-Match", "Idempotency-Key", "X-Request-Id"}
# The moment of a client: `api.at(as_of)` sends it with every request.
MOMENTS = {"as_of", "generation"}
SETS = {
    "SportCode": terms.Sport,
    "ModelTypeCode": terms.ModelType,
    "PublicMarketCode": terms.PublicMarket,
    "AccountingCode": terms.Accounting,
    "ForecastSourceCode": terms.ForecastSource,
    "CalibrationSourceCode": terms.ForecastSource,
    "CountedForecastsCode": terms.CountedForecasts,
    "CalibrationHorizonCode": terms.Horizon,
    "TakenForecastCode": terms.Taken,
    "ModelProbabilitySourceCode": terms.ProbabilitySource,
    "UngradedReasonCode": terms.UngradedReason,
    "ExclusionReasonCode": terms.ExclusionReason,
    "BetSideCode": terms.BetSide,
    "BetOutcomeCode": terms.BetOutcome,
    "StrategySignalCode": terms.Signal,
    "StrategyIdCode": terms.Strategy,
    "ClockSourceCode": terms.Clock,
    "DataStatusCode": terms.StatusCode,
    "DegradationCode": terms.Degradation,
    "CalibrationSampleCode": terms.SampleSize,
    "CalibrationVerdictCode": terms.Verdict,
    "ModelKindCode": terms.ModelKind,
    "KeyScopeCode": terms.KeyScope,
    "LuckMethodCode": terms.LuckMethod,
}
CLASSES: dict[type, str] = {
    objects.League: "SportEntry",
    objects.ModelTypeName: "ModelTypeEntry",
    objects.Leagues: "LeaguesAndModelTypes",
    objects.SeasonList: "ResultSeasons",
    objects.TrackedModel: "TrackedModel",
    objects.Tracking: "ModelTracking",
    objects.Account: "CustomerAccount",
    objects.KeyUsage: "KeyUsage",
    objects.OperationUsage: "OperationUsage",
    objects.DayUsage: "DayUsage",
    objects.Usage: "QuotaUsage",
    objects.KeyEntry: "ApiKeyEntry",
    objects.Webhook: "WebhookEntry",
    objects.Delivery: "WebhookDelivery",
    objects.Datasets: "DatasetEntitlement",
    objects.Download: "DownloadItem",
    objects.Refresh: "DatasetRefresh",
    objects.Part: "HealthDependency",
    objects.Health: "ServiceHealth",
    objects.Liveness: "ServerLiveness",
    objects.Readiness: "ServerReadiness",
    objects.PicksRecord: "PicksRecord",
    objects.PicksPerformance: "PicksPerformance",
    objects.EdgePicksRecord: "EdgePicksTrackRecord",
    calibration.CalibrationHead: "MarketCalibration",
    backtests.Rule: "BacktestRule",
    backtests.Bets: "BacktestRow",
    backtests.SeasonBets: "BacktestSeason",
    backtests.SeasonsBets: "BacktestSeasons",
    backtests.Drawdown: "BacktestDrawdown",
    backtests.Exclusions: "BacktestExclusions",
    backtests.Kelly: "BacktestKelly",
    backtests.Record: "BacktestRecord",
    backtests.Luck: "BacktestLuck",
    backtests.Search: "BacktestSearch",
    backtests.OutOfSample: "BacktestOutOfSample",
    backtests.Sources: "BacktestSources",
    backtests.Proof: "BacktestProof",
    backtests.BacktestHead: "RuleBacktest",
    objects.PublicLeague: "PublicLeague",
    objects.Team: "TeamEntry",
    status.Game: "GameKey",
    status.Awaiting: "AwaitingSettlement",
    status.Published: "PublicationTime",
    status.OddsTimes: "OddsStatus",
    status.Run: "PublisherRun",
    status.MarketStatus: "MarketStatus",
    status.Status: "DataStatus",
}
# Fields of an answer that its class leaves out: what is a frame beside it.
BESIDE: dict[type, set[str]] = {calibration.CalibrationHead: {"sources"}, backtests.BacktestHead: {*backtests.FRAMES}}
# Fields that older servers lack.
NEW: dict[type, set[str]] = {objects.Download: {"bytes", "sha256"}, objects.Usage: {"since"}}
# The operations that change something.
CHANGES = {
    *("create_api_key", "rename_api_key", "revoke_api_key", "refresh_datasets"),
    *("create_webhook", "remove_webhook", "test_webhook", "enable_webhook"),
}


def functions() -> dict[str, Any]:
    """Returns the function of each operation."""
    members = [member for _, member in inspect.getmembers(smd.Api, inspect.isfunction) if hasattr(member, "operations")]
    return {name: member for member in members for name in member.operations}


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns the operations that the package has.

    It has every one that reads but those of the provable record, which `verify.py` and `sportsctl record` read.
    """
    every = [(path, method, one) for path, methods in document["paths"].items() for method, one in methods.items()]
    reads = {one["operationId"]: one for path, method, one in every if method == "get" and "/record/" not in path}
    return reads | {
        one["operationId"]: one for _, _, one in every if isinstance(one, dict) and one.get("operationId") in CHANGES
    }


def test_every_operation_has_a_function_and_no_function_has_another(document: dict[str, Any]) -> None:
    assert functions().keys() == operations(document).keys()


def test_every_parameter_of_an_operation_is_one_of_its_function(document: dict[str, Any]) -> None:
    schemas = Schemas(document)
    for name, operation in operations(document).items():
        taken = set(inspect.signature(functions()[name]).parameters)
        given = {schemas.resolved(one)["name"] for one in operation.get("parameters", [])} - INTERNAL - MOMENTS
        if "requestBody" in operation:
            given |= schemas.properties(operation["requestBody"]["content"]["application/json"]["schema"]).keys()
        wanted = {WORDS.get(one, one) for one in given}
        if name in ("list_results", "list_games"):
            wanted = wanted - {"season"} | {"seasons"}
        assert wanted <= taken, f"{name}: {wanted - taken}"


def test_every_function_has_an_example(document: dict[str, Any]) -> None:
    for name, function in functions().items():
        assert ">>> " in (function.__doc__ or ""), name


def test_closed_sets_are_those_of_the_document(document: dict[str, Any]) -> None:
    for name, kind in SETS.items():
        assert set(get_args(kind)) == set(document["components"]["schemas"][name]["enum"]), name


def test_closed_sets_of_parameters_are_those_of_the_document(document: dict[str, Any]) -> None:
    schemas, compared = Schemas(document), set()
    for name, operation in operations(document).items():
        hints = typing.get_type_hints(functions()[name])
        for parameter in operation.get("parameters", []):
            found = schemas.resolved(parameter)
            # An older operation has leagues in capitals, and other words for markets.
            if "enum" in found["schema"] and found["name"] not in ("sport", "market"):
                (kind,) = (one for one in get_args(hints[found["name"]]) if one is not type(None))
                assert set(get_args(kind)) == set(found["schema"]["enum"]), f"{name}: {found['name']}"
                compared.add((name, found["name"]))
    assert {("show_backtest", one) for one in ("forecast_source", "bet", "side", "line_move", "weekday", "stake")} <= compared


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: str(kind.__name__))
def test_fields_of_objects_are_those_of_the_document(kind: type, document: dict[str, Any]) -> None:
    schemas = Schemas(document)
    schema = schemas.named(CLASSES[kind])
    fields = dict(records.fields(kind).values())
    properties, required = schemas.properties(schema), schemas.required(schema)
    assert fields.keys() == properties.keys() - BESIDE.get(kind, set())
    for name, hint in fields.items():
        found = properties[name]
        nullable = "null" in str(found.get("type")) or {"type": "null"} in found.get("oneOf", [])
        optional = type(None) in get_args(hint)
        can_be_missing = nullable or name not in required or name in NEW.get(kind, set())
        assert optional == can_be_missing, f"{name} can be missing"
        plain = next((one for one in get_args(hint) if one is not type(None)), hint) if optional else hint
        assert kind_of(plain) == json_kind(schemas.resolved(found)), name


def kind_of(hint: Any) -> str:
    """Returns the kind of JSON value that becomes a type of Python."""
    origin = typing.get_origin(hint)
    if origin is tuple:
        return "array"
    if origin is typing.Literal:
        return "string"
    if origin is dict or dataclasses.is_dataclass(hint):
        return "object"
    kinds: dict[str, str] = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
    return kinds.get(hint.__name__, str(hint.__name__))


def json_kind(schema: dict[str, Any]) -> str:
    if "allOf" in schema:
        return "object"
    kinds = schema["type"] if "type" in schema else schema["anyOf"][0]["type"]  # a set that is open
    kind = str(next(one for one in kinds if one != "null")) if isinstance(kinds, list) else str(kinds)
    formats: dict[str, str] = {"date": "date", "date-time": "datetime"}
    return formats.get(str(schema.get("format")), kind)


def test_the_version_is_that_of_the_server(api: Api) -> None:
    package, workspace = (
        re.findall(r'^version = "(.*)"', (ROOT / path).read_text(), re.MULTILINE)[0]
        for path in ("clients/python/pyproject.toml", "Cargo.toml")
    )
    assert package == workspace == api.server().version == smd.__version__


def test_the_readme_names_every_function(document: dict[str, Any]) -> None:
    readme = (ROOT / "clients/python/README.md").read_text()
    named = set(re.findall(r"`(\w+)\(", readme))
    missing = {function.__name__ for function in functions().values()} - named
    assert not missing
