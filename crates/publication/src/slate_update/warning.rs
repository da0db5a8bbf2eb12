//! Findings for a person to review; they do not prevent publication.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{GameKey, ModelName, ModelType, NearName, Season, Sport};

use crate::registry::codes;
use crate::slate::SlateDates;
use crate::{Reschedule, to_rfc3339};

/// The number of games that a warning lists; the rest is a count.
const NAMED: usize = 3;

/// A probable mistake in a release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// A game is rescheduled to another date.
    #[error("rescheduled to another date: {} to {}", .0.from, .0.to)]
    OtherDate(Reschedule),
    /// A game went back to a start in the past, and its forecasts since then do not count.
    #[error("{} went back to {}, which has passed: what was forecast for it since then does not count any more", .0.from, .0.to)]
    Restored(Reschedule),
    /// Every game of a market's file has started or was played, so that nothing in the file is new.
    #[error("predictions/{0}: every game ({1}) has started or was played, so nothing of the file is new")]
    AllFrozen(ModelType, usize),
    /// Every game of the odds has started, so that nothing in them is new.
    #[error("odds: every game ({0}) has started, so nothing of the file is new")]
    AllStarted(usize),
    /// Games that have not started are no longer in a market's file.
    #[error("predictions/{0}: not started, not in the file and no longer served: {named}", named = Named(.1))]
    Dropped(ModelType, Vec<GameKey>),
    /// Games that have not started are no longer in the odds.
    #[error("odds: not started and no longer quoted: {}", Named(.0))]
    Unquoted(Vec<GameKey>),
    /// The odds quote games that no market predicts.
    #[error("odds: no market predicts {}", Named(.0))]
    Unpredicted(Vec<GameKey>),
    /// Predictions of which the spread or the moneyline names another clear favourite than the odds on record.
    #[error(
        "predictions/{0}: the clear favourites by spread and by moneyline differ with the odds on record, which this release does \
         not replace, in {named}; the home team gives points where home_point_spread is negative, and is the favourite where \
         home_money_line is the lower price",
        named = Named(.1)
    )]
    OtherFavourite(ModelType, Vec<GameKey>),
    /// The odds have a game under another `match_id` than its predictions.
    #[error("the odds have {0} under another match_id than the record, which keeps its own")]
    OtherId(GameKey),
    /// Two listings of one pairing, 12 to 36 hours apart, have the same final.
    #[error("listed 12 to 36 hours apart with one final, which may be one game: {}", Pairs(.0))]
    SameFinal(Vec<(GameKey, GameKey)>),
    /// New games of past dates without a time and a final, each a day from a game on record that the release does not list.
    #[error(
        "new games without a time and a final, each a day from a game on record that is not listed: the dates may be off \
         by a day in {}",
        Named(.0)
    )]
    OffByADay(Vec<GameKey>),
    /// A `match_id` differs from one on record by case alone.
    #[error("match_id `{given}` differs from `{known}` on record by upper and lower case alone")]
    OtherCase {
        /// The id in the release.
        given: String,
        /// The id on record.
        known: String,
    },
    /// A college that probably has two names in a season.
    #[error("{season}: {near}")]
    NearName {
        season: Season,
        /// The name of few games, and the near one.
        near: NearName,
    },
    /// BLENDs of a file that differ from those on record, which were kept.
    #[error(
        "{season} {model_type}: {games} BLENDs of the file differ from those on record, which are kept; the largest \
         difference is {}; --replace-season {season} replaces a season without live rows", Decimals(*.ten_thousandths)
    )]
    BlendKept {
        season: Season,
        model_type: ModelType,
        games: usize,
        /// The largest difference, rounded to ten-thousandths.
        ten_thousandths: u16,
    },
    /// Live forecasts of history that came after the starts of their games.
    #[error(
        "{season}: {rows} rows of forecasts came as `live` after the starts of their games, the first of {first}: they are served as \
         live, and no entry of this log vouches for them (`recorded` is false)"
    )]
    ImportedLive {
        season: Season,
        /// The number of such rows, in all markets.
        rows: usize,
        /// The earliest game among them.
        first: GameKey,
    },
    /// A confirmed off-day of which games are still served.
    #[error(
        "release.json confirms that {0} has no games, and these are still served: {named}; publish the slate without them, or \
         settle them as called off",
        named = Named(.1)
    )]
    OffDayWithGames(NaiveDate, Vec<GameKey>),
    /// Models whose probabilities of upcoming games are gone with a file that has none of theirs.
    #[error("predictions/{0}: no probability of {models}, which had some for upcoming games", models = Models(.1))]
    Unforecast(ModelType, Vec<ModelName>),
    /// A slate without markets that the slate before had.
    #[error(
        "no predictions of {missing}, of which the slate of {last} had some: the league has these markets until \
         {slates} slate dates are without them; if it has no others any more, add \"markets\": [{there}] to release.json",
        missing = codes(.missing).join(", "),
        slates = SlateDates::LAST,
        there = Quoted(.there)
    )]
    MissingMarkets {
        missing: Vec<ModelType>,
        /// The slate date before.
        last: NaiveDate,
        /// The markets of the slate.
        there: BTreeSet<ModelType>,
    },
    /// Unchanged odds without a new source time.
    #[error(
        "the odds are unchanged and keep their time; if the source was read again, say so with `source_as_of.odds` in \
         release.json"
    )]
    OddsKeepTheirTime,
    /// Predictions for today or later without a run.
    #[error("release.json names no `run`, so the data status cannot call the slate of {0} complete")]
    NoRun(NaiveDate),
    /// Dates outside the months in which the league usually plays that season.
    #[error("{file}: dates outside the usual months of {sport} {season}: {rows}, the first is {first}")]
    UnusualDates {
        sport: Sport,
        season: Season,
        file: Arc<str>,
        /// The number of rows with such a date.
        rows: usize,
        /// The first such date.
        first: NaiveDate,
    },
    /// Starts at times that Eastern clocks skip, as times of another zone may be.
    #[error("starts in the hour that Eastern clocks skip in spring, served as an hour later; is the zone right? {}", Named(.0))]
    SkippedHour(Vec<GameKey>),
    /// Content older than the published content.
    #[error(
        "these {what} are of {}, older than those of {} that they replace",
        to_rfc3339(.source_as_of),
        to_rfc3339(.current)
    )]
    Older {
        /// The part of the release.
        what: &'static str,
        source_as_of: DateTime<Utc>,
        /// The source time of the content that it replaces.
        current: DateTime<Utc>,
    },
    /// A slate older than the current slate.
    #[error("the slate of {slate_date} replaces content of a newer one, {current}")]
    OlderSlate {
        /// The slate date of the release.
        slate_date: NaiveDate,
        /// The current slate date.
        current: NaiveDate,
    },
    /// The store has no publications yet.
    #[error(
        "nothing was published in this store before: if there should be, look at --store, store.url and the folder this is \
         run in"
    )]
    NewStore,
}

/// The display of ten-thousandths as a decimal number.
struct Decimals(u16);

impl fmt::Display for Decimals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4}", f64::from(self.0) / 1e4)
    }
}

/// The display of a list of games: the first games, and the number of the others.
struct Named<'g>(&'g [GameKey]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first: Vec<_> = self.0.iter().take(NAMED).map(ToString::to_string).collect();
        f.write_str(&first.join("; "))?;
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// Markets as the values of a JSON list.
struct Quoted<'m>(&'m BTreeSet<ModelType>);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&codes(self.0).iter().map(|code| format!("\"{code}\"")).collect::<Vec<_>>().join(", "))
    }
}

/// Names of models as text.
struct Models<'m>(&'m [ModelName]);

impl fmt::Display for Models<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(ModelName::as_str).collect();
        f.write_str(&names.join(", "))
    }
}

/// Pairs of games as text.
struct Pairs<'p>(&'p [(GameKey, GameKey)]);

impl fmt::Display for Pairs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<_> = self.0.iter().map(|(one, other)| format!("{one} and {other}")).collect();
        f.write_str(&pairs.join("; "))
    }
}
