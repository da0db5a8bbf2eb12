//! Steps of a release beyond the usual rules, which its publisher requests by name and its log entry records.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use sports_domain::{FormError, ModelType, Season};

/// A check of a release that its publisher may override.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Override {
    /// Spreads and moneylines that name different favourites.
    SpreadSigns,
    /// Starts that are off by whole hours.
    TimeZone,
    /// Final totals in the column of the line.
    FinalTotal,
    /// Scores that no team of the league has had.
    ScoreRange,
    /// Placeholders that are starts.
    PlaceholderStart,
    /// Prices of most games of a slate that do not fit together.
    Vig,
    /// Spreads that the finals contradict.
    FinalsAgainstSpread,
}

impl Override {
    /// Every override.
    pub const ALL: [Self; 7] = [
        Self::SpreadSigns,
        Self::TimeZone,
        Self::FinalTotal,
        Self::ScoreRange,
        Self::PlaceholderStart,
        Self::Vig,
        Self::FinalsAgainstSpread,
    ];

    /// Returns the name on the command line and in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SpreadSigns => "spread-signs",
            Self::TimeZone => "time-zone",
            Self::FinalTotal => "final-total",
            Self::ScoreRange => "score-range",
            Self::PlaceholderStart => "placeholder-start",
            Self::Vig => "vig",
            Self::FinalsAgainstSpread => "finals-against-spread",
        }
    }
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn unknown_override(name: &str) -> FormError {
    let known = Override::ALL.map(Override::name).join(", ");
    FormError::new(format!("`{name}` is no finding that can be overridden: those are {known}"))
}

impl FromStr for Override {
    type Err = FormError;

    fn from_str(name: &str) -> Result<Self, FormError> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| unknown_override(name))
    }
}

/// A season of one market that a release replaced as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Replacement {
    pub season: Season,
    pub model_type: ModelType,
    /// Games before.
    pub rows_before: usize,
    /// Games afterwards.
    pub rows_after: usize,
    /// The columns of models and of the publisher that had values before and have none afterwards, in alphabetical
    /// order.
    pub columns_dropped: Vec<String>,
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { season, model_type, rows_before, rows_after, columns_dropped } = self;
        write!(f, "replaced {season} {model_type}: {rows_before} games by {rows_after}")?;
        if columns_dropped.is_empty() { Ok(()) } else { write!(f, ", without {}", columns_dropped.join(", ")) }
    }
}

/// The overrides and replacements of one release; later releases do not inherit them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Exceptions {
    /// The overridden checks that would have refused the release.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeSet::is_empty"))]
    pub overrides: BTreeSet<Override>,
    /// The replaced seasons, by season and market.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub replaced: Vec<Replacement>,
}

impl Exceptions {
    /// Returns true for a release by the usual rules.
    pub fn is_empty(&self) -> bool {
        self.overrides.is_empty() && self.replaced.is_empty()
    }

    /// Returns each override and replacement as a phrase.
    pub fn phrases(&self) -> Vec<String> {
        let overrides = self.overrides.iter().map(|name| format!("{name} overridden"));
        overrides.chain(self.replaced.iter().map(ToString::to_string)).collect()
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::Sport;

    use super::*;

    #[test]
    fn an_override_is_read_by_its_name_alone() {
        for known in Override::ALL {
            assert_eq!(known.name().parse(), Ok(known));
        }
        assert_eq!("time zone".parse::<Override>(), Err(unknown_override("time zone")));
    }

    #[test]
    fn exceptions_are_described_one_by_one() {
        let mut exceptions = Exceptions::default();
        assert!(exceptions.is_empty() && exceptions.phrases().is_empty());
        exceptions.overrides.insert(Override::TimeZone);
        assert!(!exceptions.is_empty());
        let season = Season::parse(Sport::Nfl, "2021-22").expect("a season");
        let model_type = ModelType::WonOnSpread;
        let whole = Replacement { season, model_type, rows_before: 285, rows_after: 284, columns_dropped: vec![] };
        let columns_dropped = vec!["XGB".to_owned(), "wind".to_owned()];
        exceptions.replaced = vec![whole.clone(), Replacement { columns_dropped, ..whole }];
        assert_eq!(
            exceptions.phrases(),
            [
                "time-zone overridden",
                "replaced 2021-22 won_on_spread: 285 games by 284",
                "replaced 2021-22 won_on_spread: 285 games by 284, without XGB, wind",
            ]
        );
        let replaced = Exceptions { overrides: BTreeSet::new(), ..exceptions };
        assert!(!replaced.is_empty());
    }
}
