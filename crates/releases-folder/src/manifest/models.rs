//! The fields `models` and `headline` of `release.json`.

use std::collections::BTreeSet;

use serde_json::Value;
use sports_content::ObjectHash;
use sports_domain::ModelType;
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
        let is_web = |url: &String| url.starts_with("https://") || url.starts_with("http://");
        let url = format!("an address of at most {LONGEST_URL} characters that begins with https:// or http://");
        let flag = "`true` or `false`";
        ModelDeclaration {
            title: self.line("title", LONGEST_TITLE, found),
            description: self.change("description", &a_text(LONGEST_DESCRIPTION), found, |value| {
                text(value, LONGEST_DESCRIPTION, |letter| letter != '\n')
            }),
            url: self.change("url", &url, found, |value| text(value, LONGEST_URL, |_| true).filter(is_web)),
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
        self.change(name, &a_text(longest), found, |value| text(value, longest, |_| true))
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
    format!("a text of 1 to {longest} characters without control characters")
}

/// Returns a trimmed text; `None` for one that is empty, too long or has a control character that `is_refused`.
fn text(value: &Value, longest: usize, is_refused: impl Fn(char) -> bool) -> Option<String> {
    let text = value.as_str()?.trim();
    let is_sound = !text.contains(|letter: char| letter.is_control() && is_refused(letter));
    (is_sound && (1..=longest).contains(&text.chars().count())).then(|| text.to_owned())
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
