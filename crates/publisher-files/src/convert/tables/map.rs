use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use sports_domain::{FormError, ModelType, Sport};
use sports_publication::registry::is_declarable;
use toml::{Table, Value};

use super::field::{NameForm, OddsForm, ProbabilityForm, RowLayout};
use crate::convert::tables::entry::{Choice, Entry, one_or_more};
use crate::convert::tables::field::Field;
use crate::{FileKind, TemplateKind, did_you_mean, template};

/// A map of another source's columns: for each value of a game the column that holds it, and its form.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ColumnMap {
    /// The source, in one line.
    pub(crate) title: Option<String>,
    /// The leagues that the source has; every league if absent.
    pub(crate) sports: Vec<String>,
    /// False for tables without a header, whose columns are called by their position.
    pub(crate) header: Option<bool>,
    pub(crate) rows: Option<RowLayout>,
    /// The columns whose values the two rows of a game share; without any, rows that follow each other are a game.
    #[serde(deserialize_with = "one_or_more")]
    pub(crate) pair_by: Vec<String>,
    /// Words that stand for an empty cell.
    pub(crate) missing: Vec<String>,
    pub(crate) odds: Option<OddsForm>,
    pub(crate) probabilities: Option<ProbabilityForm>,
    pub(crate) names: Option<NameForm>,
    pub(crate) columns: BTreeMap<Field, Choice>,
    /// The models of each market, and the columns of their probabilities.
    pub(crate) models: BTreeMap<String, BTreeMap<String, Choice>>,
    /// Conditions on columns of the file.
    pub(crate) filters: BTreeMap<String, Filter>,
    /// Names of teams as the file has them, and as a release has them.
    pub(crate) teams: BTreeMap<String, String>,
    /// Zones of venues.
    pub(crate) zones: BTreeMap<String, String>,
    /// Columns that the tables of games keep under their own names.
    pub(crate) extras: Vec<String>,
    /// The values that a file must have although the format does not need them: those that the publisher's own map names.
    #[serde(skip)]
    insisted: BTreeSet<Field>,
    #[serde(skip)]
    insisted_models: BTreeSet<(String, String)>,
}

/// A condition on a column: rows with other words are left out.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Filter {
    /// The words of rows to convert; every word if empty.
    #[serde(deserialize_with = "one_or_more")]
    pub(crate) keep: Vec<String>,
    /// The words of rows to leave out.
    #[serde(deserialize_with = "one_or_more")]
    pub(crate) drop: Vec<String>,
}

/// Returns the error of a text that is not TOML, or not a map, with its line.
fn in_text(error: &toml::de::Error, text: &str) -> FormError {
    let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
    let mut hint = String::new();
    if let Some(words) = error.message().strip_prefix("unknown field ") {
        let mut quoted = words.split('`').skip(1).step_by(2);
        hint = quoted.next().map(|given| did_you_mean(given, quoted)).unwrap_or_default();
    }
    FormError::new(format!("{line}{}{hint}", error.message()))
}

impl ColumnMap {
    /// Loads the map of a preset, a publisher's own map, or the latter over the former.
    ///
    /// A file must have every value that the own map names, unless its entry is `optional`.
    ///
    /// # Errors
    ///
    /// [`FormError`] if a text is not TOML, or has an unknown key or word.
    pub fn load(preset: Option<&str>, own: Option<&str>) -> Result<Self, FormError> {
        let own = own.map(|text| Self::parse(text).map(|map| (map, text))).transpose()?;
        let (Some(preset), Some((own, text))) = (preset, &own) else {
            let preset = preset.map(Self::parse).transpose()?;
            return Ok(own.map(|(own, _)| own.clone().insisting_on(&own)).or(preset).unwrap_or_default());
        };
        let merged: Self = Value::Table(merged(preset, text)?).try_into().map_err(|error| in_text(&error, text))?;
        merged.check_letter_case()?;
        Ok(merged.insisting_on(own))
    }

    /// Refuses files without the values that the publisher's own map names.
    fn insisting_on(mut self, own: &Self) -> Self {
        self.insisted = own.columns.keys().copied().collect();
        let models = own.models.iter();
        let models = models.flat_map(|(market, models)| models.keys().map(|name| (market.clone(), name.clone())));
        self.insisted_models = models.collect();
        self
    }

    fn parse(text: &str) -> Result<Self, FormError> {
        let map: Self = toml::from_str(text).map_err(|error| in_text(&error, text))?;
        map.check_sports()?;
        map.check_models()?;
        map.check_extras()?;
        Ok(map)
    }

    /// Returns the entry of a value; `None` if the map does not read it.
    pub(crate) fn entry(&self, field: Field) -> Option<&Entry> {
        match self.columns.get(&field)? {
            Choice::Read(entry) => Some(entry),
            Choice::NotRead => None,
        }
    }

    /// Returns true if a file without the value is refused.
    pub(crate) fn insists_on(&self, field: Field, entry: &Entry) -> bool {
        !entry.optional.unwrap_or(!self.insisted.contains(&field))
    }

    /// Returns true if a file without the model's probabilities is refused.
    pub(crate) fn insists_on_model(&self, market: ModelType, name: &str, entry: &Entry) -> bool {
        !entry.optional.unwrap_or(!self.insisted_models.contains(&(market.code().to_owned(), name.to_owned())))
    }

    /// Returns the models of a market, by name.
    pub(crate) fn models_of(&self, market: ModelType) -> impl Iterator<Item = (&str, &Entry)> {
        let entries = self.models.get(market.code()).into_iter().flatten();
        entries.filter_map(|(name, choice)| match choice {
            Choice::Read(entry) => Some((name.as_str(), &**entry)),
            Choice::NotRead => None,
        })
    }

    /// Returns true if the source has the league.
    pub(crate) fn has(&self, sport: Sport) -> bool {
        self.sports.is_empty() || self.sports.iter().any(|code| code == sport.code())
    }

    fn check_sports(&self) -> Result<(), FormError> {
        let unknown = self.sports.iter().find_map(|code| code.parse::<Sport>().err());
        unknown.map_or(Ok(()), |unknown| Err(FormError::new(format!("sports: {unknown}"))))
    }

    /// Refuses extra columns with the name of a column of releases.
    fn check_extras(&self) -> Result<(), FormError> {
        let columns = template(TemplateKind::Table(FileKind::Results)).columns;
        let is_known =
            |extra: &&String| columns.iter().any(|column| column.name.eq_ignore_ascii_case(extra)) || *extra == "time";
        let known = self.extras.iter().find(is_known);
        known.map_or(Ok(()), |known| {
            Err(FormError::new(format!("extras: `{known}` is a column of releases; its place is under [columns]")))
        })
    }

    fn check_models(&self) -> Result<(), FormError> {
        for (market, models) in &self.models {
            if !ModelType::ALL.iter().any(|known| known.code() == market) {
                let known = ModelType::ALL.map(ModelType::code);
                let hint = did_you_mean(market, known);
                return Err(FormError::new(format!("models.{market}: expected one of {}{hint}", known.join(", "))));
            }
            let bad = models.keys().find(|name| !name.parse().is_ok_and(is_declarable));
            if let Some(bad) = bad {
                let form = "1 to 32 letters, digits, `_`, `.` or `-` that begin with a letter, and no column of releases or answers";
                return Err(FormError::new(format!("models.{market}.{bad}: expected a model's name, {form}")));
            }
        }
        self.check_letter_case()
    }

    /// Refuses two models that differ in letter case alone.
    fn check_letter_case(&self) -> Result<(), FormError> {
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for (market, name) in
            ModelType::ALL.into_iter().flat_map(|of| self.models_of(of).map(move |(name, _)| (of, name)))
        {
            let first = *known.entry(name.to_ascii_lowercase()).or_insert(name);
            if first != name {
                let expected = format!("another name: it differs from `{first}` in letter case alone");
                return Err(FormError::new(format!("models.{market}.{name}: expected {expected}")));
            }
        }
        Ok(())
    }
}

/// Returns the text of a map with the columns of models alone.
///
/// # Errors
///
/// [`FormError`] for a model that a market has twice.
pub fn models_text<'m>(models: impl IntoIterator<Item = (ModelType, &'m str, &'m str)>) -> Result<String, FormError> {
    let mut markets = Table::new();
    for (market, name, column) in models {
        let of_market = markets.entry(market.code()).or_insert_with(|| Value::Table(Table::new()));
        let column = Value::String(column.to_owned());
        if of_market.as_table_mut().is_some_and(|models| models.insert(name.to_owned(), column).is_some()) {
            return Err(FormError::new(format!("the model {name} of {market} is named twice: name it once")));
        }
    }
    Ok(Table::from_iter([("models".to_owned(), Value::Table(markets))]).to_string())
}

/// Returns the text of a map over another one: that of the only map as it is, with its comments.
///
/// # Errors
///
/// [`FormError`] if a text is not TOML.
pub fn text_over(preset: Option<&str>, own: Option<&str>) -> Result<String, FormError> {
    match (preset, own) {
        (Some(preset), Some(own)) => Ok(merged(preset, own)?.to_string()),
        (only, None) | (None, only) => Ok(only.unwrap_or_default().to_owned()),
    }
}

/// Merges two maps. Entries of the same key are replaced as a whole; words for an empty cell and extra columns add up.
fn merged(preset: &str, own: &str) -> Result<Table, FormError> {
    let table = |text: &str| text.parse::<Table>().map_err(|error| in_text(&error, text));
    let (mut merged, own) = (table(preset)?, table(own)?);
    for (key, value) in own {
        let depth = match key.as_str() {
            "models" => 2,
            _ => 1,
        };
        merge(&mut merged, key, value, depth);
    }
    Ok(merged)
}

fn merge(into: &mut Table, key: String, value: Value, depth: usize) {
    match (into.get_mut(&key), value) {
        (Some(Value::Table(into)), Value::Table(own)) if depth > 0 => {
            own.into_iter().for_each(|(key, value)| merge(into, key, value, depth - 1));
        }
        (Some(Value::Array(into)), Value::Array(own)) if matches!(key.as_str(), "missing" | "extras") => {
            into.extend(own);
        }
        (_, value) => {
            into.insert(key, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        ColumnMap::load(None, Some(text)).expect_err(text).to_string()
    }

    #[test]
    fn a_wrong_key_or_word_is_refused_with_its_line_and_the_known_ones() {
        for (text, message) in [
            ("title = ", "line 1: "),
            ("[colums]\ndate = \"d\"", "line 1: unknown field `colums`, expected one of `title`"),
            (
                "[columns]\nhome_moneyline = \"h\"",
                "line 2: `home_moneyline` is no value of a game (did you mean `home_money_line`?)",
            ),
            ("[columns]\ndate = { colum = \"d\" }", "line 2: unknown field `colum`, expected one of `column`"),
            (
                "[columns]\ndate = 7",
                "line 2: invalid type: integer `7`, expected a column's name, a list of names, a table, or false",
            ),
            (
                "odds = \"decimals\"",
                "line 1: `decimals` is no form of odds: american, decimal, fractional, probability (did you mean `decimal`?)",
            ),
            ("sports = [\"xfl\"]", "sports: `xfl` is not a sport"),
            ("[models.over]\nBLEND = \"b\"", "models.over: expected one of over_under"),
            ("[models.over_under]\nENSEMBLE = \"b\"", "models.over_under.ENSEMBLE: expected a model's name"),
            ("[models.over_under]\nhome_score = \"b\"", "models.over_under.home_score: expected a model's name"),
            ("[models.over_under]\nblend = \"b\"", "models.over_under.blend: expected a model's name"),
            ("[models.over_under]\n2nd = \"b\"", "models.over_under.2nd: expected a model's name"),
            (
                "[models.over_under]\nELO = \"a\"\n[models.won_on_points]\nelo = \"b\"",
                "models.won_on_points.elo: expected another name: it differs from `ELO` in letter case alone",
            ),
            ("extras = [\"Over_Under\"]", "extras: `Over_Under` is a column of releases; its place is under [columns]"),
            (
                "[columns]\ndate = { column = \"d\", constant = \"x\" }",
                "line 2: either `column`, `after` or `constant`",
            ),
        ] {
            let refused = refused(text);
            assert!(refused.starts_with(message), "{refused}");
        }
    }

    #[test]
    fn a_misspelt_key_is_refused_with_the_one_that_is_meant() {
        for (text, meant) in
            [("[colums]\ndate = \"d\"", "columns"), ("[columns]\ndate = { patern = \"%d\" }", "pattern")]
        {
            let refused = refused(text);
            assert!(refused.ends_with(&format!(" (did you mean `{meant}`?)")), "{refused}");
        }
    }

    #[test]
    fn a_map_replaces_the_entries_of_its_base_and_keeps_the_others() {
        let preset = "odds = \"decimal\"\nmissing = [\"-\"]\n[columns]\ndate = { column = \"a\", pattern = \"%d\" }\n\
                      over_line = \"o\"\n[models.over_under]\nRF = \"r\"";
        let own = "missing = [\"NA\"]\n[columns]\ndate = { column = [\"b\", \"c\"] }\nover_line = false\n[models.over_under]\nXT = \"x\"";
        let map = ColumnMap::load(Some(preset), Some(own)).expect("a map");
        assert_eq!(
            (map.odds, map.missing.as_slice()),
            (Some(OddsForm::Decimal), &["-".to_owned(), "NA".to_owned()][..])
        );
        let date = map.entry(Field::Date).expect("an entry");
        assert_eq!((date.column.as_slice(), date.pattern.len()), (&["b".to_owned(), "c".to_owned()][..], 0));
        assert!(map.insists_on(Field::Date, date));
        assert_eq!(map.entry(Field::Line(sports_domain::LineColumn::OverLine)), None);
        assert_eq!(map.models_of(ModelType::OverUnder).map(|(name, _)| name).collect::<Vec<_>>(), ["RF", "XT"]);
        let text = text_over(Some(preset), Some(own)).expect("a text");
        assert_eq!(ColumnMap::load(Some(&text), Some(own)).expect("a map").columns, map.columns, "{text}");
    }
}
