//! The settings of a league: its markets, the weekdays of its slates, and the dependence of its predictions on odds.
//!
//! They are part of the registry, so each generation of a league has its own, and an earlier moment keeps those of its time.

use std::collections::BTreeSet;
use std::fmt;

use chrono::{Datelike, NaiveDate, Weekday};
use sports_domain::{FormError, ModelType};

use super::Registry;

/// The declared settings of a league. An absent setting follows from the record, or has its default.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeagueSettings {
    /// The markets that the league has, at least one; `None` if they follow from its last slates.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub markets: Option<BTreeSet<ModelType>>,
    /// The weekdays of slates; `None` for every day.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub slate_days: Option<SlateDays>,
    /// False if newer odds make predictions neither pending nor stale. Default: true.
    #[cfg_attr(feature = "serde", serde(default = "dependent", skip_serializing_if = "is_dependent"))]
    pub odds_dependent: bool,
}

#[cfg(feature = "serde")]
const fn dependent() -> bool {
    true
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference to the field")]
const fn is_dependent(odds_dependent: &bool) -> bool {
    *odds_dependent
}

impl Default for LeagueSettings {
    /// Returns the settings of a league without declarations.
    fn default() -> Self {
        Self { markets: None, slate_days: None, odds_dependent: true }
    }
}

impl Registry {
    /// Returns the settings of the league.
    pub const fn league(&self) -> &LeagueSettings {
        &self.league
    }

    /// Returns the registry with these settings.
    ///
    /// # Errors
    ///
    /// [`FormError`] for an empty list of markets.
    pub fn with_league(self, league: LeagueSettings) -> Result<Self, FormError> {
        if league.markets.as_ref().is_some_and(BTreeSet::is_empty) {
            return Err(FormError::fixed("a league has one market or more"));
        }
        Ok(Self { league, ..self })
    }
}

/// Returns the codes of markets.
pub fn codes<'m>(markets: impl IntoIterator<Item = &'m ModelType>) -> Vec<&'static str> {
    markets.into_iter().map(|model_type| model_type.code()).collect()
}

/// The weekdays of a league's slates by the Eastern date, at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SlateDays(u8);

impl SlateDays {
    /// The words of the weekdays, from Monday on.
    pub const WORDS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

    /// Parses a list of words.
    ///
    /// # Errors
    ///
    /// [`FormError`] for an empty list, and for a word that is unknown or repeated.
    pub fn parse<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Self, FormError> {
        let mut days = 0_u8;
        for word in words {
            let known = Self::WORDS.iter().position(|known| *known == word);
            let day = known.ok_or_else(|| FormError::new(format!("{word} is no weekday")))?;
            if days & (1 << day) != 0 {
                return Err(FormError::new(format!("{word} is listed twice")));
            }
            days |= 1 << day;
        }
        if days == 0 { Err(FormError::fixed("a league has one slate day or more")) } else { Ok(Self(days)) }
    }

    /// Returns true if a date is one of the weekdays.
    pub fn contains(self, date: NaiveDate) -> bool {
        self.has(date.weekday())
    }

    /// Returns the words of the weekdays, from Monday on.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::WORDS.into_iter().enumerate().filter(move |(day, _)| self.0 & (1 << day) != 0).map(|(_, word)| word)
    }

    fn has(self, day: Weekday) -> bool {
        self.0 & (1 << day.num_days_from_monday()) != 0
    }
}

impl fmt::Display for SlateDays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().collect::<Vec<_>>().join(", "))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for SlateDays {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.words())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for SlateDays {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let words = Vec::<String>::deserialize(from)?;
        Self::parse(words.iter().map(String::as_str)).map_err(serde::de::Error::custom)
    }
}
