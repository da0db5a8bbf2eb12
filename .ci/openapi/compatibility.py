"""The changes between two OpenAPI documents that break clients of the older one.

Schemas are compared as sets of values. An answer is safe if every value it may have was possible before; a request is safe if
every value that was right before still is. One relation, `outside`, has the values of one schema that another does not allow.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

METHODS = ("get", "put", "post", "delete", "patch")
TYPE_NAMES = {
    type(None): "null", bool: "boolean", dict: "object", list: "array", float: "number", str: "string", int: "integer",
}  # fmt: skip
# Bounds by keyword: true if a higher one allows less.
BOUNDS = {
    "minimum": True, "minLength": True, "minItems": True,
    "maximum": False, "maxLength": False, "maxItems": False,
}  # fmt: skip

Schema = dict[str, Any]


@dataclass(frozen=True)
class Break:
    """One change that breaks clients: where, what, and what it does to them."""

    at: str
    change: str
    why: str


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text())


def breaks(old: dict[str, Any], new: dict[str, Any]) -> list[Break]:
    """Every change from `old` to `new` that breaks a client."""
    found = []
    for path, item in old["paths"].items():
        for method in METHODS:
            if method not in item:
                continue
            here = f"{method.upper()} {path}"
            operation = new["paths"].get(path, {}).get(method)
            if operation is None:
                found.append(Break(here, "removed", "a client that calls it gets 404 or 405"))
            else:
                found += Comparison(old, new, here).operation(item[method], operation)
    return found


class Comparison:
    """The comparison of one operation."""

    def __init__(self, old: dict[str, Any], new: dict[str, Any], here: str) -> None:
        self.old, self.new, self.here = old, new, here

    def operation(self, old: Schema, new: Schema) -> list[Break]:
        found = self.security(old, new)
        found += self.parameters(parameters(self.old, old), parameters(self.new, new))
        found += self.request_body(resolved(self.old, old.get("requestBody")), resolved(self.new, new.get("requestBody")))
        for status, response in old["responses"].items():
            if status.startswith("2"):
                found += self.response(status, resolved(self.old, response), resolved(self.new, new["responses"].get(status)))
        return found

    def found(self, place: str, change: str, why: str) -> Break:
        return Break(f"{self.here}: {place}", change, why)

    def security(self, old: Schema, new: Schema) -> list[Break]:
        ways = [{tuple(sorted(way)) for way in operation.get("security", [{}])} for operation in (old, new)]
        lost = [] if () in ways[1] else sorted(ways[0] - ways[1])
        named = [" and ".join(way) or "no key" for way in lost]
        return [self.found("security", f"{way} does not do", "a client that calls it so gets 401") for way in named]

    def parameters(self, old: dict[tuple[str, str], Schema], new: dict[tuple[str, str], Schema]) -> list[Break]:
        found = []
        for (kind, name), parameter in new.items():
            if parameter.get("required") and not old.get((kind, name), {}).get("required"):
                why = "a client that does not send it is refused"
                found.append(self.found(f"{kind} {name}", "required", why))
        for (kind, name), parameter in old.items():
            place = f"{kind} {name}"
            now = new.get((kind, name))
            if now is None:
                found.append(self.found(place, "removed", "a client that sends it is refused, or not heeded"))
                continue
            was, is_now = parameter.get("schema", {}), now.get("schema", {})
            if "default" in was and was["default"] != is_now.get("default"):
                change = f"default {was['default']} became {is_now.get('default')}"
                found.append(self.found(place, change, "a client that leaves it out gets another answer"))
            found += self.asked(place, was, is_now)
        return found

    def request_body(self, old: Schema | None, new: Schema | None) -> list[Break]:
        if new and new.get("required") and not (old and old.get("required")):
            return [self.found("body", "required", "a client that sends none is refused")]
        if old and not new:
            return [self.found("body", "removed", "what a client sends is not heeded")]
        found = []
        for media, content in (old or {}).get("content", {}).items():
            now = (new or {}).get("content", {}).get(media)
            if now is None:
                found.append(self.found(f"body {media}", "removed", "a client that sends it is refused"))
            else:
                found += self.asked("body", content.get("schema", {}), now.get("schema", {}))
        return found

    def response(self, status: str, old: Schema, new: Schema | None) -> list[Break]:
        if new is None:
            return [self.found(status, "removed", "a client waits for this status")]
        found = []
        for header in old.get("headers", {}):
            if header not in new.get("headers", {}):
                found.append(self.found(f"{status} header {header}", "removed", "a client that reads it misses it"))
        for media, content in old.get("content", {}).items():
            now = new.get("content", {}).get(media)
            if now is None:
                found.append(self.found(f"{status} {media}", "removed", "a client that asks for it gets another form"))
            elif "json" in media:
                found += self.answered(f"{status}", content.get("schema", {}), now.get("schema", {}))
        return found

    def asked(self, place: str, old: Schema, new: Schema) -> list[Break]:
        """Requires that everything that clients may send is still allowed."""
        lost = Values(self.old, self.new, sent_by_clients=True).outside(old, new)
        return [self.found(place + path, f"{what} is not allowed", "a client that sends this is refused") for path, what in lost]

    def answered(self, place: str, old: Schema, new: Schema) -> list[Break]:
        """Requires that everything that clients get was possible before."""
        added = Values(self.new, self.old, sent_by_clients=False).outside(new, old)
        why = "a client that was made for the old document cannot read it"
        return [self.found(place + path, f"{what} is possible", why) for path, what in added]


class Values:
    """The values of a schema of one document that a schema of another does not allow."""

    def __init__(self, of: dict[str, Any], none_of: dict[str, Any], *, sent_by_clients: bool) -> None:
        self.of, self.none_of, self.sent_by_clients = of, none_of, sent_by_clients

    def outside(self, schema: Schema, other: Schema, path: str = "") -> list[tuple[str, str]]:
        """The values of `schema` that are outside `other`, each with its path."""
        allowed = list(forms(self.none_of, other))
        found: list[tuple[str, str]] = []
        for form in forms(self.of, schema):
            alike = (self.form_outside(form, one, path) for one in allowed if is_type(form["type"], one["type"]))
            nearest = min(alike, key=len, default=[(path, form["type"])])
            found += [one for one in nearest if one not in found]
        return found

    def form_outside(self, form: Schema, other: Schema, path: str) -> list[tuple[str, str]]:
        found = []
        if "enum" in other:
            more = [value for value in form["enum"] if value not in other["enum"]] if "enum" in form else ["any other value"]
            found += [(path, f"{value}") for value in more]
        for keyword, higher_is_less in BOUNDS.items():
            if keyword in other and "enum" not in form and beyond(form.get(keyword), other[keyword], higher_is_less):
                found.append((path, f"{keyword} {form.get(keyword, 'none')} (not {other[keyword]})"))
        for keyword in ("pattern", "format"):
            if keyword in other and "enum" not in form and form.get(keyword) != other[keyword]:
                found.append((path, f"{keyword} {form.get(keyword, 'none')} (not {other[keyword]})"))
        if form["type"] == "array":
            found += self.outside(form.get("items", {}), other.get("items", {}), f"{path}[]")
        if form["type"] == "object":
            found += self.fields_outside(form, other, path)
        return found

    def fields_outside(self, form: Schema, other: Schema, path: str) -> list[tuple[str, str]]:
        fields, others = form.get("properties", {}), other.get("properties", {})
        found = [
            (f"{path}.{name}", "leaving it out")
            for name in other.get("required", [])
            if name not in form.get("required", []) and (name in fields or self.sent_by_clients)
        ]
        # Clients read and send the fields they know: none may be gone on the other side.
        mine, gone = (fields, others) if self.sent_by_clients else (others, fields)
        what = "sending it" if self.sent_by_clients else "its absence"
        found += [(f"{path}.{name}", what) for name in mine if name not in gone and not self.is_open(form, other)]
        for name in fields.keys() & others.keys():
            found += self.outside(fields[name], others[name], f"{path}.{name}")
        entries, other_entries = form.get("additionalProperties"), other.get("additionalProperties")
        if isinstance(entries, dict) and isinstance(other_entries, dict):
            found += self.outside(entries, other_entries, f"{path}.*")
        elif isinstance(other_entries, dict):
            for name in fields.keys() - others.keys():
                found += self.outside(fields[name], other_entries, f"{path}.{name}")
        return sorted(found)

    @staticmethod
    def is_open(form: Schema, other: Schema) -> bool:
        """True if one of the two is a map, whose keys are no fields."""
        return any(isinstance(one.get("additionalProperties"), dict) for one in (form, other))


def parameters(document: dict[str, Any], operation: Schema) -> dict[tuple[str, str], Schema]:
    known = (resolved(document, parameter) for parameter in operation.get("parameters", []))
    return {(parameter["in"], parameter["name"]): parameter for parameter in known}


def resolved(document: dict[str, Any], value: Any) -> Any:
    """A part of a document, and where it is a reference, its target, with the keys beside the reference."""
    while isinstance(value, dict) and "$ref" in value:
        target: Any = document
        for step in value["$ref"].removeprefix("#/").split("/"):
            target = target[step.replace("~1", "/").replace("~0", "~")]
        value = {**target, **{name: part for name, part in value.items() if name != "$ref"}}
    return value


def forms(document: dict[str, Any], schema: Schema) -> list[Schema]:
    """A schema as one or more without `oneOf`, `allOf` and lists of types: a value fits it if it fits one of these."""
    schema = resolved(document, schema)
    for several in ("oneOf", "anyOf"):
        if several in schema:
            rest = {name: part for name, part in schema.items() if name != several}
            parts = [merged(document, [rest, part]) for part in schema[several]]
            return [form for part in parts for form in forms(document, part)]
    if "allOf" in schema:
        rest = {name: part for name, part in schema.items() if name != "allOf"}
        return forms(document, merged(document, [*schema["allOf"], rest]))
    if "const" in schema:
        schema = {**schema, "enum": [schema["const"]]}
    types = schema.get("type")
    if types is None and ("properties" in schema or "additionalProperties" in schema):
        types = "object"
    if types is None and "enum" in schema:
        types = sorted({TYPE_NAMES[type(value)] for value in schema["enum"]})
    if types is None:
        types = TYPE_NAMES.values()
    return [of_type(schema, name) for name in ([types] if isinstance(types, str) else types)]


def of_type(schema: Schema, name: str) -> Schema:
    """One of the types of a schema: a null has none of its bounds."""
    if name == "null":
        return {"type": "null"}
    enum = {"enum": [value for value in schema["enum"] if value is not None]} if "enum" in schema else {}
    return {**schema, **enum, "type": name}


def merged(document: dict[str, Any], parts: list[Schema]) -> Schema:
    """A schema of the values that fit all of these."""
    whole: Schema = {}
    for part in (resolved(document, part) for part in parts):
        if "allOf" in part:
            rest = {name: of_it for name, of_it in part.items() if name != "allOf"}
            part = merged(document, [*part["allOf"], rest])
        properties = {**whole.get("properties", {}), **part.get("properties", {})}
        required = [*whole.get("required", []), *part.get("required", [])]
        whole = {**whole, **part}
        whole |= {"properties": properties} if properties else {}
        whole |= {"required": required} if required else {}
    return whole


def is_type(name: str, other: str) -> bool:
    return name == other or (name, other) == ("integer", "number")


def beyond(bound: float | None, other: float, higher_is_less: bool) -> bool:
    """True if values within one bound can be beyond the other."""
    return bound is None or (bound < other if higher_is_less else bound > other)
