"""Reading the document: the properties of a schema, and the type of a column."""

from typing import Any

import polars as pl

INSTANT = pl.Datetime("us", "UTC")


class Schemas:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    def resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Follows references, and nullable ones; a description beside them is left out."""
        while True:
            if "$ref" in schema:
                found: Any = self.document
                for part in schema["$ref"].split("/")[1:]:
                    found = found[part]
                schema = found
            elif "oneOf" in schema and any(one.get("type") == "null" for one in schema["oneOf"]):
                schema = next(one for one in schema["oneOf"] if one.get("type") != "null")
            else:
                return schema

    def named(self, name: str) -> dict[str, Any]:
        return self.resolved({"$ref": f"#/components/schemas/{name}"})

    def properties(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Returns the properties of a schema and of those that it is made of, those of alternatives too."""
        schema = self.resolved(schema)
        found: dict[str, Any] = {}
        for kind in ("allOf", "oneOf", "anyOf"):
            for part in schema.get(kind, []):
                found |= self.properties(part)
        found |= schema.get("properties", {})
        return found

    def required(self, schema: dict[str, Any]) -> set[str]:
        """Returns the properties that a schema always has, with those of the parts that it is made of."""
        schema = self.resolved(schema)
        return {*schema.get("required", []), *(name for part in schema.get("allOf", []) for name in self.required(part))}

    def column(self, name: str, schema: dict[str, Any]) -> Any:
        """Returns the type of the column of a property; `pl.Enum` for a closed set, whichever its categories."""
        schema = self.resolved(schema)
        kinds = schema.get("type")
        kind = next((one for one in kinds if one != "null"), None) if isinstance(kinds, list) else kinds
        if kind == "string" and name in ("time", "time_est"):
            return pl.Time
        if kind == "string":
            by_format = {"date": pl.Date, "date-time": INSTANT}
            return pl.Enum if "enum" in schema else by_format.get(schema.get("format", ""), pl.String)
        return {"integer": pl.Int64, "number": pl.Float64, "boolean": pl.Boolean, "array": pl.List}[kind or ""]
