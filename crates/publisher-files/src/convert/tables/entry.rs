use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use chrono::{NaiveDate, NaiveTime};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use sports_domain::{GameKey, LineColumn, Season, TeamSlug};

use super::field::{ForecastSide, RowOfGame, TextColumn};
use super::prices::Decimal;

/// The place and the form of one value: the columns of the file that may hold it, or a constant.
///
/// In a map an entry is a column's name, a list of candidates, `false` for a value that is not read, or a table with
/// these fields.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Entry {
    /// Candidates; the first that the file has is read.
    #[serde(deserialize_with = "one_or_more")]
    pub(crate) column: Vec<String>,
    /// Candidates whose right neighbour, a column without a name, is read.
    #[serde(deserialize_with = "one_or_more")]
    pub(crate) after: Vec<String>,
    /// The value of every row.
    pub(crate) constant: Option<String>,
    /// The form of the values.
    pub(crate) is: Option<String>,
    /// The outcome that a probability is about.
    pub(crate) of: Option<ForecastSide>,
    /// The row of a game with two rows.
    pub(crate) row: Option<RowOfGame>,
    /// Patterns of dates and times.
    #[serde(deserialize_with = "one_or_more")]
    pub(crate) pattern: Vec<String>,
    pub(crate) zone: Option<ZoneEntry>,
    /// Words of the file and their meaning.
    pub(crate) words: BTreeMap<String, String>,
    /// The first date of the postseason, in files without game types.
    pub(crate) postseason_from: Option<String>,
    /// True if a file may be without the value.
    pub(crate) optional: Option<bool>,
}

/// An entry, or `false` for a value that is not read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Choice {
    NotRead,
    Read(Box<Entry>),
}

/// The time zone of starts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ZoneEntry {
    /// One zone for every row: `eastern`, `utc` or a name such as `America/Chicago`.
    Named(String),
    /// A column with the zone, or with a venue whose zone is listed under `[zones]`.
    Column(Vec<String>),
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ChoiceVisitor)
    }
}

struct ChoiceVisitor;

impl<'de> Visitor<'de> for ChoiceVisitor {
    type Value = Choice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a column's name, a list of names, a table, or false")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Choice, E> {
        Ok(Choice::Read(Box::new(Entry { column: vec![name.to_owned()], ..Entry::default() })))
    }

    fn visit_bool<E: Error>(self, is_read: bool) -> Result<Choice, E> {
        if is_read { Err(E::custom("`true` names no column")) } else { Ok(Choice::NotRead) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, names: A) -> Result<Choice, A::Error> {
        let column = Vec::deserialize(SeqAccessDeserializer::new(names))?;
        Ok(Choice::Read(Box::new(Entry { column, ..Entry::default() })))
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Choice, A::Error> {
        let entry = Entry::deserialize(MapAccessDeserializer::new(fields))?;
        let sources = [!entry.column.is_empty(), !entry.after.is_empty(), entry.constant.is_some()];
        match sources.into_iter().filter(|is_given| *is_given).count() {
            0 | 1 => Ok(Choice::Read(Box::new(entry))),
            _ => Err(A::Error::custom("either `column`, `after` or `constant`")),
        }
    }
}

impl<'de> Deserialize<'de> for ZoneEntry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Column {
            #[serde(deserialize_with = "one_or_more")]
            column: Vec<String>,
        }
        struct ZoneVisitor;
        impl<'de> Visitor<'de> for ZoneVisitor {
            type Value = ZoneEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`eastern`, `utc`, a zone such as America/Chicago, or { column = \"…\" }")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<ZoneEntry, E> {
                Ok(ZoneEntry::Named(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<ZoneEntry, A::Error> {
                Column::deserialize(MapAccessDeserializer::new(fields)).map(|zone| ZoneEntry::Column(zone.column))
            }
        }
        deserializer.deserialize_any(ZoneVisitor)
    }
}

/// Reads one text as a list of one.
pub(crate) fn one_or_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct Texts;
    impl<'de> Visitor<'de> for Texts {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text or a list of texts")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Vec<String>, E> {
            Ok(vec![text.to_owned()])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, texts: A) -> Result<Vec<String>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(texts))
        }
    }
    deserializer.deserialize_any(Texts)
}

/// A game with the values of a release.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    /// The number of its first row, in the file with this place among all files.
    pub(crate) row: u64,
    pub(crate) file: usize,
    pub(crate) season: Season,
    pub(crate) date: NaiveDate,
    pub(crate) time: Option<NaiveTime>,
    pub(crate) away: TeamSlug,
    pub(crate) home: TeamSlug,
    pub(crate) number: Option<u8>,
    /// The part of the season, in the word of a release; empty if the file has no game types.
    pub(crate) part: Box<str>,
    pub(crate) score: Option<Score>,
    pub(crate) status: Box<str>,
    pub(crate) texts: Vec<(TextColumn, Box<str>)>,
    pub(crate) prices: Vec<(LineColumn, i32)>,
    pub(crate) spreads: Spreads,
    pub(crate) totals: Vec<(LineColumn, Decimal)>,
    /// The probability of each model of the map, of the positive side.
    pub(crate) models: Vec<Option<Decimal>>,
    pub(crate) extras: Vec<Box<str>>,
}

/// A final.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) away: u16,
    pub(crate) home: u16,
}

/// The home team's spreads.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spreads {
    pub(crate) closing: Option<Decimal>,
    pub(crate) opening: Option<Decimal>,
}

impl Game {
    /// Compares games by season, start, teams and number.
    pub(crate) fn compared(&self, other: &Self) -> Ordering {
        let start = |game: &Self| (game.season, game.date, game.time.is_none(), game.time);
        let teams = || self.away.cmp(&other.away).then_with(|| self.home.cmp(&other.home));
        start(self).cmp(&start(other)).then_with(teams).then_with(|| self.number.cmp(&other.number))
    }

    pub(crate) fn key(&self) -> GameKey {
        let Self { date, time, number, .. } = *self;
        GameKey { date, time, away: self.away.clone(), home: self.home.clone(), game_number: number }
    }

    pub(crate) fn price(&self, line: LineColumn) -> Option<i32> {
        self.prices.iter().find(|(known, _)| *known == line).map(|(_, price)| *price)
    }

    pub(crate) fn total(&self, line: LineColumn) -> Option<Decimal> {
        self.totals.iter().find(|(known, _)| *known == line).map(|(_, total)| *total)
    }

    pub(crate) fn text(&self, column: TextColumn) -> &str {
        self.texts.iter().find(|(known, _)| *known == column).map_or("", |(_, text)| text)
    }

    /// Returns true if the game has a line or a price.
    pub(crate) fn is_quoted(&self) -> bool {
        !self.prices.is_empty() || self.spreads.closing.is_some() || !self.totals.is_empty()
    }
}
