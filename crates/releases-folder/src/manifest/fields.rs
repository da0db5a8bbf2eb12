use chrono::Datelike;
use serde_json::{Map, Value};
use sports_domain::within_reach;

use crate::columns::InputColumn;
use crate::findings::Findings;
use crate::hint;

/// The fields of one JSON object, and the path to it.
#[derive(Clone, Copy)]
pub(super) struct Fields<'j> {
    pub(super) object: &'j Map<String, Value>,
    /// The prefix of field names in messages, such as `run.`.
    pub(super) within: &'j str,
}

impl<'j> Fields<'j> {
    /// Returns a field that is present and not null.
    pub(super) fn given(self, name: &str) -> Option<&'j Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(self, name: &str) -> Option<&'j str> {
        self.given(name)?.as_str()
    }

    /// Parses an optional field.
    pub(super) fn parsed<T>(
        self,
        name: &str,
        expected: &str,
        found: &mut Findings,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let value = self.given(name)?;
        let parsed = value.as_str().and_then(parse);
        if parsed.is_none() {
            self.refuse(name, expected, found);
        }
        parsed
    }

    /// Parses a required field.
    pub(super) fn needed<T>(
        self,
        name: &str,
        expected: &str,
        found: &mut Findings,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        if self.given(name).is_none() {
            self.refuse(name, expected, found);
        }
        self.parsed(name, expected, found, parse)
    }

    /// Parses an optional date or time, which must be in the supported range.
    pub(super) fn moment<T: Datelike>(
        self,
        name: &str,
        expected: &str,
        found: &mut Findings,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let reached = within_reach(self.parsed(name, expected, found, parse)?);
        reached.map_err(|out| self.refuse(name, &format!("a time {out}"), found)).ok()
    }

    /// Parses a required date or time, which must be in the supported range.
    pub(super) fn needed_moment<T: Datelike>(
        self,
        name: &str,
        expected: &str,
        found: &mut Findings,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        if self.given(name).is_none() {
            self.refuse(name, expected, found);
        }
        self.moment(name, expected, found, parse)
    }

    /// Returns the fields of a nested object.
    pub(super) fn inner(self, name: &str, within: &'j str, found: &mut Findings) -> Option<Self> {
        let value = self.given(name)?;
        if value.as_object().is_none() {
            self.refuse(name, "an object", found);
        }
        value.as_object().map(|object| Self { object, within })
    }

    pub(super) fn refuse(self, name: &str, expected: &str, found: &mut Findings) {
        let value = self.given(name).map(written);
        found.column(&format!("{}{name}", self.within), value, expected);
    }

    /// Returns the values of a list in this object, each with its path, such as `moved[0]`.
    pub(super) fn list(self, name: &str, found: &mut Findings) -> Vec<(String, &'j Value)> {
        let Some(value) = self.given(name) else { return Vec::new() };
        let Some(list) = value.as_array() else {
            self.refuse(name, "a list", found);
            return Vec::new();
        };
        let path = |index| format!("{}{name}[{index}]", self.within);
        list.iter().enumerate().map(|(index, value)| (path(index), value)).collect()
    }

    pub(super) fn refuse_unknown(self, known: &[InputColumn], found: &mut Findings) {
        self.refuse_unknown_but(known, &[], found);
    }

    /// Records a problem for every field outside `known` and `also`; messages list only `known`.
    pub(super) fn refuse_unknown_but(self, known: &[InputColumn], also: &[&str], found: &mut Findings) {
        let names: Vec<_> = known.iter().map(|column| column.name).collect();
        let is_known = |name: &str| names.contains(&name) || also.contains(&name);
        for name in self.object.keys().filter(|name| !is_known(name)) {
            let hint = hint::did_you_mean(name, names.iter().copied());
            self.refuse(name, &format!("one of the fields {}{hint}", names.join(", ")), found);
        }
    }
}

/// Returns a value as text.
pub(super) fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
