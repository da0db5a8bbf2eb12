//! The fields `models` and `headline` of `release.json`.

use std::collections::BTreeSet;

use serde_json::Value;
use sports_content::ObjectHash;
use sports_domain::{HiddenCharacter, ModelType, NotALabel, check_visible, check_visible_lines, trim_blanks};
use sports_publication::registry::{Change, Declaration, Declarations, DeclaredAs, ModelDeclaration};

use super::fields::{Fields, written};
use crate::columns;
use crate::findings::Findings;

/// The largest numbers of characters of texts.
const LONGEST_TITLE: usize = 64;
const LONGEST_DESCRIPTION: usize = 500;
const LONGEST_URL: usize = 300;
const LONGEST_VERSION: usize = 64;

impl Fields<'_> {
    /// Reads the declarations; their names are checked against the registry later.
    pub(super) fn declarations(self, found: &mut Findings) -> Declarations {
        let mut declarations = Declarations { headline: self.headline(found), ..Declarations::default() };
        let Some(models) = self.inner("models", "models.", found) else { return declarations };
        for (name, value) in models.object {
            let content = match value {
                Value::Bool(false) => DeclaredAs::NoModel,
                Value::Object(object) => {
                    let within = format!("models.{name}.");
                    DeclaredAs::Model(Box::new(Fields { object, within: &within }.model(found)))
                }
                _ => {
                    found.column(&format!("models.{name}"), Some(written(value)), "an object");
                    DeclaredAs::Model(Box::default())
                }
            };
            declarations.models.insert(name.clone(), Declaration { written: written(value), content });
        }
        declarations
    }

    fn headline(self, found: &mut Findings) -> Change<String> {
        self.change("headline", "the name of a model", found, |value| value.as_str().map(str::to_owned))
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
