//! Checks of a release for mistakes of whole files, and the report of its history.
//!
//! A single value can be right by itself although the column is wrong: spreads with the other sign, starts in UTC, the other team's
//! probability, the final total in place of the line. [`examine`] compares columns with each other, over the games where both values
//! are known, with the finals, and with the games on record. It returns findings, each with its threshold. A [`MarketReport`] has the
//! counts and shares of an archive that a person can judge. The table of findings is in `docs/publishing.md`.
//!
//! `sportsctl` examines a release before anything is written; the figures of the server do not depend on findings.

mod checks;
mod finals;
mod prices;
mod report;
mod scores;
mod season_games;
mod slate;
mod starts;

use std::fmt;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use sports_domain::Season;

use crate::{Override, Release, SeasonArchives, without_placeholders};
use season_games::{Game, SeasonGames};

pub use report::{MarketReport, ModelRecord};
pub(crate) use slate::has_other_favourite;

/// Returns the probable mistakes in the slate of a release, then in its history by season. `record` has archives of its seasons
/// that are on record; a season without an archive is a first import.
pub fn examine(release: &Release, record: &SeasonArchives) -> Vec<Finding> {
    let of_season = |history| {
        let season = SeasonGames::of(release.sport, history, record);
        let of_markets = season.markets.iter();
        let of_markets =
            of_markets.flat_map(|(model_type, market)| checks::flipped_probabilities(&season, *model_type, market));
        let of_games = checks::of_season(&season).into_iter().chain(prices::of_season(&season));
        let of_finals = finals::of_season(&season).into_iter().chain(scores::range(&season));
        of_games.chain(of_finals).chain(of_markets).collect::<Vec<_>>()
    };
    // A placeholder is no start that can be compared.
    let timed = without_placeholders(release, false);
    let history = timed.history.par_iter().map(of_season).collect::<Vec<_>>().concat();
    slate::findings(release).into_iter().chain(starts::findings(release)).chain(history).collect()
}

/// The column of starts in messages: a file has either name.
const START_COLUMN: &str = "column time or time_est";

/// The number of games of a finding that are named.
const MOST_NAMED: usize = 20;

/// Returns the first names, and the number of the others.
pub fn first_named(mut names: impl Iterator<Item = String>) -> String {
    let first: Vec<_> = names.by_ref().take(MOST_NAMED).collect();
    let others = names.count();
    let others = if others > 0 { format!("; {others} more") } else { String::new() };
    first.join("; ") + &others
}

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Spread and moneyline name different favourites.
    SpreadSigns,
    /// Starts are off by whole hours.
    TimeZone,
    /// Starts are times that feeds write while a start is not known.
    PlaceholderStart,
    /// A model's probabilities score better as their complements.
    FlippedProbabilities,
    /// The total equals the sum of the scores.
    FinalTotal,
    /// The prices of both sides do not fit together.
    Vig,
    /// Prices have no line.
    MissingLines,
    /// No row is of a part of the season that counts.
    NothingKept,
    /// Scores are outside the bounds of the league.
    ScoreRange,
    /// A column has one value in all games.
    EqualLines,
    /// The spread is larger than the total.
    LineBounds,
    /// Favourites by the spread covered too rarely or too often.
    FinalsAgainstSpread,
    /// Favourites by the moneyline won too rarely.
    FinalsAgainstMoneyline,
    /// The totals are too high or too low.
    FinalsAgainstTotal,
    /// Predictions have other lines or prices than the odds of their release.
    OtherPrices,
    /// Opening spreads of 0 are taken as pick'ems.
    ZeroOpeners,
}

impl FindingKind {
    /// Returns the name in answers and, for findings that can be overridden, on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SpreadSigns => Override::SpreadSigns.name(),
            Self::TimeZone => Override::TimeZone.name(),
            Self::PlaceholderStart => Override::PlaceholderStart.name(),
            Self::FlippedProbabilities => "flipped-probabilities",
            Self::FinalTotal => Override::FinalTotal.name(),
            Self::Vig => Override::Vig.name(),
            Self::MissingLines => "missing-lines",
            Self::NothingKept => "nothing-kept",
            Self::ScoreRange => Override::ScoreRange.name(),
            Self::EqualLines => "equal-lines",
            Self::LineBounds => "line-bounds",
            Self::FinalsAgainstSpread => Override::FinalsAgainstSpread.name(),
            Self::FinalsAgainstMoneyline => "finals-against-moneyline",
            Self::FinalsAgainstTotal => "finals-against-total",
            Self::OtherPrices => "other-prices",
            Self::ZeroOpeners => "zero-openers",
        }
    }

    /// Returns the override of a refusal; `None` if it cannot be overridden.
    pub const fn overridden_by(self) -> Option<Override> {
        match self {
            Self::SpreadSigns => Some(Override::SpreadSigns),
            Self::TimeZone => Some(Override::TimeZone),
            Self::PlaceholderStart => Some(Override::PlaceholderStart),
            Self::FinalTotal => Some(Override::FinalTotal),
            Self::ScoreRange => Some(Override::ScoreRange),
            Self::Vig => Some(Override::Vig),
            Self::FinalsAgainstSpread => Some(Override::FinalsAgainstSpread),
            Self::FlippedProbabilities
            | Self::MissingLines
            | Self::NothingKept
            | Self::EqualLines
            | Self::LineBounds
            | Self::FinalsAgainstMoneyline
            | Self::FinalsAgainstTotal
            | Self::OtherPrices
            | Self::ZeroOpeners => None,
        }
    }
}

/// The consequence of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A warning for a person to review.
    Warning,
    /// A refusal of the release.
    Refusal,
}

impl Severity {
    /// Returns the word in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Refusal => "refusal",
        }
    }
}

/// A probable mistake of a whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    /// The consequence.
    pub severity: Severity,
    /// The season; `None` in a release that names none.
    pub season: Option<Season>,
    /// The file of the first affected row.
    pub file: String,
    /// The observation, its threshold and the probable cause.
    pub message: String,
}

impl Finding {
    /// Creates a finding in the file of a game.
    fn of(kind: FindingKind, severity: Severity, season: Option<Season>, first: &Game<'_>, message: String) -> Self {
        let file = first.place.map(|place| place.file.to_string()).unwrap_or_default();
        Self { kind, severity, season, file, message }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.file, self.kind.name(), self.message)?;
        match self.kind.overridden_by().filter(|_| self.severity == Severity::Refusal) {
            Some(name) => write!(f, "; --allow {name} publishes it nevertheless, and the log entry says so"),
            None => Ok(()),
        }
    }
}
