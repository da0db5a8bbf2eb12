//! The fields of `release.json` that change the registry: `models`, `headline` and the settings of the league.

use std::collections::BTreeSet;

use chrono::Datelike;
use serde_json::{Map, Value};
use sports_domain::content::ObjectHash;
use sports_domain::{
    HiddenCharacter, ModelType, NotALabel, check_visible, check_visible_lines, trim_blanks, within_reach,
};
use sports_publication::registry::{
    Change, Declaration, Declarations, DeclaredAs, LeagueDeclaration, ModelDeclaration, SlateDays,
};

use crate::columns::InputColumn;
use crate::findings::Findings;
use crate::{columns, names};

/// The largest numbers of characters of texts.
const LONGEST_TITLE: usize = 64;

const LONGEST_DESCRIPTION: usize = 500;

const LONGEST_URL: usize = 300;

const LONGEST_VERSION: usize = 64;

impl Fields<'_> {
    /// Reads the declarations; their names are checked against the registry later.
    pub(super) fn declarations(self, found: &mut Findings) -> Declarations {
        let (headline, league) = (self.headline(found), self.league(found));
        let mut declarations = Declarations { headline, league, ..Declarations::default() };
        let Some(models) = self.inner("models", "models.", found) else { return declarations };
        for (name, value) in models.object {
            let content = match value {
                Value::Bool(false) => DeclaredAs::NoModel,
                Value::Object(object) => {
                    let within = format!("models.{name}.");
                    DeclaredAs::Model(Box::new(Fields { object, within: &within }.model(found)))
                }
                _ => {
                    found.column(&format!("models.{name}"), Some(to_text(value)), "an object");
                    DeclaredAs::Model(Box::default())
                }
            };
            declarations.models.insert(name.clone(), Declaration { written: to_text(value), content });
        }
        declarations
    }

    fn headline(self, found: &mut Findings) -> Change<String> {
        self.change("headline", "the name of a model", found, |value| value.as_str().map(str::to_owned))
    }

    fn league(self, found: &mut Findings) -> LeagueDeclaration {
        let days = format!("a list with one or more of {}, each once", SlateDays::WORDS.join(", "));
        LeagueDeclaration {
            markets: self.change("markets", &format!("{}, each once", known_model_types()), found, |value| {
                model_types(value).filter(|listed| value.as_array().is_some_and(|all| all.len() == listed.len()))
            }),
            slate_days: self.change("slate_days", &days, found, |value| {
                let words = value.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?;
                SlateDays::parse(words).ok()
            }),
            odds_dependent: self.change("odds_dependent", "`true` or `false`", found, Value::as_bool),
        }
    }

    fn model(self, found: &mut Findings) -> ModelDeclaration {
        self.refuse_unknown(&columns::MODEL, found);
        if self.object.get("version") == Some(&Value::Null) {
            self.refuse("version", "another version, or no such field: versions stay on record", found);
        } else if self.object.contains_key("sha256") && self.given("version").is_none() {
            self.refuse("sha256", "`version` beside it", found);
        }
        let is_web = |url: &str| url.starts_with("https://") || url.starts_with("http://");
        let url = format!("an address of at most {LONGEST_URL} characters that begins with https:// or http://");
        let flag = "`true` or `false`";
        ModelDeclaration {
            title: self.line("title", LONGEST_TITLE, found),
            description: self.visible_text(
                "description",
                &a_text(LONGEST_DESCRIPTION),
                found,
                check_visible_lines,
                |text| fits(text, LONGEST_DESCRIPTION),
            ),
            url: self.visible_text("url", &url, found, check_visible, |text| fits(text, LONGEST_URL) && is_web(text)),
            version: self.line("version", LONGEST_VERSION, found),
            sha256: self.change("sha256", "64 lower-case hex digits", found, |value| {
                value.as_str()?.parse::<ObjectHash>().ok()
            }),
            model_types: self.change("model_types", &known_model_types(), found, model_types),
            public: self.change("public", flag, found, Value::as_bool),
            retired: self.change("retired", flag, found, Value::as_bool),
        }
    }

    fn line(self, name: &str, longest: usize, found: &mut Findings) -> Change<String> {
        self.visible_text(name, &a_text(longest), found, check_visible, |text| fits(text, longest))
    }

    /// Reads a text, trimmed, in which `check` finds no hidden character.
    fn visible_text(
        self,
        name: &str,
        expected: &str,
        found: &mut Findings,
        check: impl FnOnce(&str) -> Result<(), HiddenCharacter>,
        is_sound: impl FnOnce(&str) -> bool,
    ) -> Change<String> {
        let trimmed = self.object.get(name).and_then(Value::as_str).map(trim_blanks);
        if let Some(Err(hidden)) = trimmed.map(check) {
            self.refuse(name, &NotALabel::Hidden(hidden).to_string(), found);
            return Change::Keep;
        }
        self.change(name, expected, found, |_| trimmed.filter(|text| is_sound(text)).map(str::to_owned))
    }

    /// Reads a field that is kept if it is absent and removed if it is null.
    fn change<T>(
        self,
        name: &str,
        expected: &str,
        found: &mut Findings,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Change<T> {
        match self.object.get(name) {
            None => Change::Keep,
            Some(Value::Null) => Change::Remove,
            Some(value) => read(value).map_or_else(
                || {
                    self.refuse(name, expected, found);
                    Change::Keep
                },
                Change::Set,
            ),
        }
    }
}

fn a_text(longest: usize) -> String {
    format!("a text of 1 to {longest} characters")
}

fn fits(text: &str, longest: usize) -> bool {
    (1..=longest).contains(&text.chars().count())
}

fn known_model_types() -> String {
    format!("a list with one or more of {}", ModelType::ALL.map(ModelType::code).join(", "))
}

fn model_types(value: &Value) -> Option<BTreeSet<ModelType>> {
    let listed = value
        .as_array()?
        .iter()
        .map(|code| ModelType::ALL.into_iter().find(|model_type| Some(model_type.code()) == code.as_str()));
    listed.collect::<Option<BTreeSet<_>>>().filter(|listed| !listed.is_empty())
}

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
        let value = self.given(name).map(to_text);
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
            let hint = names::did_you_mean(name, names.iter().copied());
            self.refuse(name, &format!("one of the fields {}{hint}", names.join(", ")), found);
        }
    }
}

/// Returns a value as text.
pub(super) fn to_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
