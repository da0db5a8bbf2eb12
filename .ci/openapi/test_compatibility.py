"""Changes of a small document that break its clients, and others: python3 -m unittest discover -s .ci/openapi"""

import copy
import unittest
from typing import Any, Callable

from compatibility import breaks

SCHEMAS = {
    "Side": {"type": "string", "enum": ["home", "away"]},
    "Game": {
        "type": "object",
        "required": ["id", "side", "line"],
        "properties": {
            "id": {"type": "string"},
            "side": {"$ref": "#/components/schemas/Side"},
            "line": {"type": ["number", "null"]},
            "count": {"type": "integer", "minimum": 0},
            "by_name": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
    },
    "Name": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 64}}},
}
DOCUMENT = {
    "openapi": "3.1.0",
    "components": {"schemas": SCHEMAS},
    "paths": {
        "/games/{side}": {
            "get": {
                "security": [{"key": []}, {"bearer": []}],
                "parameters": [
                    {"in": "path", "name": "side", "required": True, "schema": {"$ref": "#/components/schemas/Side"}},
                    {"in": "query", "name": "limit", "schema": {"type": "integer", "maximum": 100, "default": 10}},
                    {"in": "query", "name": "season", "schema": {"type": "string"}},
                ],
                "responses": {
                    "200": {
                        "headers": {"ETag": {"schema": {"type": "string"}}},
                        "content": {
                            "application/json": {
                                "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Game"}}
                            },
                            "text/csv": {"schema": {"type": "string"}},
                        },
                    },
                    "404": {"description": "none"},
                },
            },
            "post": {
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Name"}}},
                    "required": True,
                },
                "responses": {"200": {"description": "done"}},
            },
        }
    },
}
GET, POST = "GET /games/{side}", "POST /games/{side}"


def get(document: dict[str, Any]) -> dict[str, Any]:
    return document["paths"]["/games/{side}"]["get"]


def schema(document: dict[str, Any], name: str) -> dict[str, Any]:
    return document["components"]["schemas"][name]


def game(document: dict[str, Any]) -> dict[str, Any]:
    return schema(document, "Game")["properties"]


def parameter(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in get(document)["parameters"] if one["name"] == name)


def after(change: Callable[[dict[str, Any]], Any]) -> list[tuple[str, str]]:
    document = copy.deepcopy(DOCUMENT)
    change(document)
    return [(one.at, one.change) for one in breaks(DOCUMENT, document)]


def variants(document: dict[str, Any]) -> None:
    """The same games in two shapes, which a constant distinguishes."""
    for side in ("home", "away"):
        one = copy.deepcopy(SCHEMAS["Game"])
        one["properties"] |= {"side": {"const": side}, f"{side}_only": {"type": "integer"}}
        document["components"]["schemas"][side] = one
    document["components"]["schemas"]["Game"] = {"oneOf": [{"$ref": f"#/components/schemas/{side}"} for side in ("home", "away")]}


class Breaking(unittest.TestCase):
    def test_what_a_client_cannot_bear_is_found(self) -> None:
        table = {
            "an operation removed": (lambda d: d["paths"]["/games/{side}"].pop("post"), (POST, "removed")),
            "a path removed": (lambda d: d["paths"].clear(), (GET, "removed")),
            "a way to send the key removed": (
                lambda d: get(d).update(security=[{"bearer": []}]), (f"{GET}: security", "key does not do")),
            "a parameter removed": (lambda d: get(d)["parameters"].pop(), (f"{GET}: query season", "removed")),
            "a parameter required": (
                lambda d: parameter(d, "season").update(required=True), (f"{GET}: query season", "required")),
            "a required parameter added": (
                lambda d: get(d)["parameters"].append({"in": "query", "name": "team", "required": True, "schema": {}}),
                (f"{GET}: query team", "required")),
            "a default changed": (
                lambda d: parameter(d, "limit")["schema"].update(default=20),
                (f"{GET}: query limit", "default 10 became 20")),
            "a bound of a parameter lowered": (
                lambda d: parameter(d, "limit")["schema"].update(maximum=50),
                (f"{GET}: query limit", "maximum 100 (not 50) is not allowed")),
            "a parameter's value removed": (
                lambda d: parameter(d, "side").update(schema={"enum": ["home"], "type": "string"}),
                (f"{GET}: path side", "away is not allowed")),
            "a parameter's text closed": (
                lambda d: parameter(d, "season")["schema"].update(enum=["2024"]),
                (f"{GET}: query season", "any other value is not allowed")),
            "a parameter's type changed": (
                lambda d: parameter(d, "season")["schema"].update(type="integer"),
                (f"{GET}: query season", "string is not allowed")),
            "a property of a body removed": (
                lambda d: schema(d, "Name").update(properties={}, required=[]),
                (f"{POST}: body.name", "sending it is not allowed")),
            "a property of a body required": (
                lambda d: (schema(d, "Name")["properties"].update(age={"type": "integer"}), schema(d, "Name")["required"].append("age")),
                (f"{POST}: body.age", "leaving it out is not allowed")),
            "an answer's property removed": (
                lambda d: game(d).pop("count"), (f"{GET}: 200[].count", "its absence is possible")),
            "an answer's property made optional": (
                lambda d: schema(d, "Game")["required"].remove("id"), (f"{GET}: 200[].id", "leaving it out is possible")),
            "an answer's property made nullable": (
                lambda d: game(d)["id"].update(type=["string", "null"]), (f"{GET}: 200[].id", "null is possible")),
            "an answer's type changed": (
                lambda d: game(d)["id"].update(type="integer"), (f"{GET}: 200[].id", "integer is possible")),
            "an answer's closed set widened": (
                lambda d: schema(d, "Side")["enum"].append("none"), (f"{GET}: 200[].side", "none is possible")),
            "an answer's closed set opened": (
                lambda d: schema(d, "Side").pop("enum"), (f"{GET}: 200[].side", "any other value is possible")),
            "an answer's bound removed": (
                lambda d: game(d)["count"].pop("minimum"), (f"{GET}: 200[].count", "minimum none (not 0) is possible")),
            "a map's values changed": (
                lambda d: game(d)["by_name"].update(additionalProperties={"type": "string"}),
                (f"{GET}: 200[].by_name.*", "string is possible")),
            "a form of an answer removed": (
                lambda d: get(d)["responses"]["200"]["content"].pop("text/csv"), (f"{GET}: 200 text/csv", "removed")),
            "a header removed": (
                lambda d: get(d)["responses"]["200"]["headers"].clear(), (f"{GET}: 200 header ETag", "removed")),
            "a status removed": (lambda d: get(d)["responses"].pop("200"), (f"{GET}: 200", "removed")),
        }  # fmt: skip
        for name, (change, expected) in table.items():
            with self.subTest(name):
                self.assertIn(expected, after(change))

    def test_what_a_client_does_not_notice_is_left_alone(self) -> None:
        table = {
            "nothing": lambda d: None,
            "a path added": lambda d: d["paths"].update({"/teams": {"get": {"responses": {}}}}),
            "an optional parameter added": lambda d: get(d)["parameters"].append(
                {"in": "header", "name": "X-Request-Id", "required": False, "schema": {"type": "string"}}),
            "a default told": lambda d: parameter(d, "season")["schema"].update(default="2024"),
            "a bound of a parameter raised": lambda d: parameter(d, "limit")["schema"].update(maximum=200),
            "a parameter's value added": lambda d: parameter(d, "side").update(
                schema={"type": "string", "enum": ["home", "away", "none"]}),
            "an optional property of a body added": lambda d: schema(d, "Name")["properties"].update(age={"type": "integer"}),
            "an answer's property added": lambda d: game(d).update(more={"type": "string"}),
            "an answer's property always there": lambda d: schema(d, "Game")["required"].append("count"),
            "an answer's property never null": lambda d: game(d)["line"].update(type="number"),
            "an answer's number whole": lambda d: game(d)["line"].update(type=["integer", "null"]),
            "an answer's text closed": lambda d: game(d)["id"].update(enum=["a", "b"]),
            "a map's keys known": lambda d: game(d).update(
                by_name={"type": "object", "properties": {"BLEND": {"type": "integer"}}}),
            "a schema renamed": lambda d: (
                d["components"]["schemas"].update(Match=SCHEMAS["Game"]),
                get(d)["responses"]["200"]["content"]["application/json"]["schema"].update(
                    items={"$ref": "#/components/schemas/Match"})),
            "a refusal added": lambda d: get(d)["responses"].update({"409": {"description": "changed"}}),
            "a way to send the key added": lambda d: get(d)["security"].append({"query": []}),
            "shapes told apart by a constant": variants,
        }  # fmt: skip
        for name, change in table.items():
            with self.subTest(name):
                self.assertEqual(after(change), [])


if __name__ == "__main__":
    unittest.main()
