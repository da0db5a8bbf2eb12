//! The leagues whose record is open without a key.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use sports_domain::{FormError, Sport};

/// The part of a league's record that is open without a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PublicRecord {
    /// Nothing.
    #[default]
    None,
    /// Finished seasons.
    Finished,
    /// Every season, but for games that have not started.
    All,
}

/// The open part of each league's record, such as `nba=finished, nfl=all`; nothing of a league that is not named.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublicRecords(BTreeMap<Sport, PublicRecord>);

const NOT_PUBLIC_RECORDS: FormError =
    FormError::fixed("leagues with `none`, `finished` or `all`, each once, such as nba=finished, nfl=all");

impl PublicRecord {
    const ALL: [Self; 3] = [Self::None, Self::Finished, Self::All];

    /// Returns the word of settings and answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Finished => "finished",
            Self::All => "all",
        }
    }
}

impl FromStr for PublicRecord {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let part = Self::ALL.into_iter().find(|part| part.word() == text.trim());
        part.ok_or(const { FormError::fixed("`none`, `finished` or `all`") })
    }
}

impl PublicRecords {
    /// Returns the open part of a league's record.
    pub fn of(&self, sport: Sport) -> PublicRecord {
        self.0.get(&sport).copied().unwrap_or_default()
    }

    /// Returns true if no league has an open part.
    pub fn is_empty(&self) -> bool {
        self.open().next().is_none()
    }

    /// Returns the leagues with an open part.
    pub fn open(&self) -> impl Iterator<Item = (Sport, PublicRecord)> + '_ {
        self.0.iter().map(|(sport, part)| (*sport, *part)).filter(|(_, part)| *part != PublicRecord::None)
    }
}

impl FromStr for PublicRecords {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let mut leagues = BTreeMap::new();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (sport, word) = item.split_once('=').ok_or(NOT_PUBLIC_RECORDS)?;
            let sport: Sport = sport.trim().parse().map_err(|_| NOT_PUBLIC_RECORDS)?;
            let part = word.parse().map_err(|_| NOT_PUBLIC_RECORDS)?;
            if leagues.insert(sport, part).is_some() {
                return Err(NOT_PUBLIC_RECORDS);
            }
        }
        Ok(Self(leagues))
    }
}

impl fmt::Display for PublicRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leagues: Vec<_> = self.0.iter().map(|(sport, part)| format!("{sport}={}", part.word())).collect();
        f.write_str(&leagues.join(", "))
    }
}
