use std::cmp::max;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, LineColumn, ModelType, Season, Sport};

use crate::catalog::{CLOCK_LEEWAY, to_rfc3339};
use crate::registry::ReleaseModels;
use crate::slate::{OddsGame, TeamNames};
use crate::{Catalog, CompletedRun, Located, Place, PredictedGame, Problem, Run, SeasonHistory};

/// The instants as of which the publisher's sources were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SourceTimes {
    pub odds: Option<DateTime<Utc>>,
    pub predictions: Option<DateTime<Utc>>,
}

/// A file of predictions; lines without a column in the file come from the odds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PredictionsFile {
    /// The line columns the file has, empty cells included.
    pub given: Vec<LineColumn>,
    /// Its games; no key and no `match_id` repeats, and every key has a time.
    pub rows: Vec<Located<PredictedGame>>,
    /// The file's team names, if it has more than slugs.
    pub names: TeamNames,
}

impl PredictionsFile {
    fn by_game(&self) -> BTreeMap<&GameKey, &PredictedGame> {
        self.rows.iter().map(|row| (&row.value.game.key, &row.value)).collect()
    }
}

/// A game whose start was changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reschedule {
    /// The game's key before the change.
    pub from: GameKey,
    /// The game's key after the change.
    pub to: GameKey,
}

impl Reschedule {
    /// Returns the new key of a game; `None` if the game keeps its key.
    pub fn target<'m>(reschedules: &'m [Self], from: &GameKey) -> Option<&'m GameKey> {
        reschedules.iter().find(|made| made.from == *from).map(|made| &made.to)
    }
}

/// The reference to a game under `moved`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MovedBy {
    /// By its identity.
    GameId(String),
    MatchId(String),
    /// By a present or earlier start.
    Start(GameKey),
}

/// A game that a release lists under `moved`: its start or its season changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedGame {
    /// The reference to the game.
    pub by: MovedBy,
    /// The game's key after the change.
    pub to: GameKey,
}

impl MovedGame {
    pub(crate) fn keys(&self) -> impl Iterator<Item = &GameKey> {
        let from = if let MovedBy::Start(key) = &self.by { Some(key) } else { None };
        from.into_iter().chain([&self.to])
    }

    pub(crate) fn keys_mut(&mut self) -> impl Iterator<Item = &mut GameKey> {
        let from = if let MovedBy::Start(key) = &mut self.by { Some(key) } else { None };
        from.into_iter().chain([&mut self.to])
    }
}

impl From<Reschedule> for MovedGame {
    fn from(Reschedule { from, to }: Reschedule) -> Self {
        Self { by: MovedBy::Start(from), to }
    }
}

impl fmt::Display for MovedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            MovedBy::GameId(id) | MovedBy::MatchId(id) => write!(f, "{id}")?,
            MovedBy::Start(from) => write!(f, "{from}")?,
        }
        write!(f, " to {}", self.to)
    }
}

/// The meaning of opening spreads of 0 in a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZeroSpreadOpeners {
    /// Feeds wrote 0 where they had no opener.
    Placeholder,
    /// The game opened as a pick'em.
    PickEm,
}

impl ZeroSpreadOpeners {
    /// Returns the meaning with this word.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "placeholder" => Some(Self::Placeholder),
            "pickem" => Some(Self::PickEm),
            _ => None,
        }
    }
}

/// The content of a publisher's folder, read and checked row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Release {
    pub sport: Sport,
    /// The Eastern date of the release's slate.
    pub slate_date: NaiveDate,
    /// The run that made it; `None` for a refresh between runs.
    pub run: Option<Run>,
    /// The instants as of which its sources were read.
    pub source_as_of: SourceTimes,
    /// The season in which predictions are recorded; always present with predictions.
    pub season: Option<Season>,
    /// Current odds; no key and no `match_id` repeats, and every key has a time.
    pub odds: Option<Vec<Located<OddsGame>>>,
    /// Predictions of the slate by market.
    pub predictions: BTreeMap<ModelType, PredictionsFile>,
    /// Games whose previous predictions stay, by market.
    pub held_games: BTreeMap<ModelType, Vec<Located<GameKey>>>,
    /// Games whose start was changed.
    pub moved: Vec<Located<MovedGame>>,
    /// Seasons with history, by label.
    pub history: Vec<SeasonHistory>,
    /// The meaning of opening spreads of 0; if `None`, placeholders in predictions and pick'ems in history.
    pub zero_spread_openers: Option<ZeroSpreadOpeners>,
    /// The declared models.
    pub models: ReleaseModels,
    /// The hash of every file of the folder: two folders with the same files are one release.
    pub content: ObjectHash,
}

impl Release {
    /// Returns the instant as of which the sources of the odds were read: the stated source time, else the end of the
    /// run.
    pub fn odds_as_of(&self) -> Option<DateTime<Utc>> {
        self.source_as_of.odds.or_else(|| self.run_completed_at())
    }

    /// Returns the instant as of which the sources of the predictions were read: the stated source time, else the end
    /// of the run.
    pub fn predictions_as_of(&self) -> Option<DateTime<Utc>> {
        self.source_as_of.predictions.or_else(|| self.run_completed_at())
    }

    /// Returns the end of its run.
    pub fn run_completed_at(&self) -> Option<DateTime<Utc>> {
        self.run.as_ref().and_then(|run| run.completed_at)
    }

    /// Returns a problem for every instant that lies ahead of the publisher's clock: data of the future cannot be
    /// judged as fresh today.
    pub fn ahead_of(&self, now: DateTime<Utc>) -> Vec<Problem> {
        let named = [
            ("run.started_at", self.run.as_ref().map(|run| run.started_at)),
            ("run.completed_at", self.run_completed_at()),
            ("source_as_of.odds", self.source_as_of.odds),
            ("source_as_of.predictions", self.source_as_of.predictions),
        ];
        let ahead = named.into_iter().filter_map(|(name, at)| Some((name, at.filter(|at| *at > now + CLOCK_LEEWAY)?)));
        ahead
            .map(|(name, at)| {
                let place = Place { file: "release.json".into(), row: None };
                let now = now.to_rfc3339_opts(SecondsFormat::Secs, true);
                Problem::at(place, format!("an instant that has come; it is {now} here")).in_cell(name, to_rfc3339(&at))
            })
            .collect()
    }

    /// Returns every date of a listed game.
    pub fn dates(&self) -> BTreeSet<NaiveDate> {
        let history = self.history.iter().flat_map(SeasonHistory::rows).map(|row| row.value.key.date);
        let moved = self.moved.iter().map(|row| row.value.to.date);
        let slate = self.slate_rows().map(|(_, key, _)| key.date).chain(moved);
        history.chain(slate).collect()
    }

    /// Returns every row of the slate's files, odds before predictions: its place, its game and the game's id.
    pub(crate) fn slate_rows(&self) -> impl Iterator<Item = (&Place, &GameKey, Option<&str>)> {
        let odds = self.odds.iter().flatten().map(|row| (&row.place, &row.value.key, row.value.match_id.as_deref()));
        let predicted = self.predictions.values().flat_map(|file| &file.rows);
        let predicted = predicted.map(|row| (&row.place, &row.value.game.key, row.value.game.match_id.as_deref()));
        odds.chain(predicted)
    }

    /// Returns the rows of every predictions file by game.
    pub(crate) fn rows_by_game(&self) -> BTreeMap<ModelType, BTreeMap<&GameKey, &PredictedGame>> {
        self.predictions.iter().map(|(model_type, file)| (*model_type, file.by_game())).collect()
    }
}

/// The latest slate of a league and its known runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlateRuns {
    /// The latest slate date published.
    pub slate_date: NaiveDate,
    /// The run of that slate: the last completed run, else the last started run.
    pub run: Option<Run>,
    /// The last completed run, if it was for an earlier slate.
    pub earlier_run: Option<CompletedRun>,
}

impl SlateRuns {
    /// Computes the slate and runs after a release. A slate date never goes back, and a completed run is replaced only
    /// by another completed run of its date or a later date.
    pub fn after(release: &Release, current: Option<&Catalog>) -> Self {
        let slate_date = max(release.slate_date, current.map_or(release.slate_date, |current| current.slate_date));
        let incoming = release.run.clone().and_then(|run| CompletedRun::new(release.slate_date, run));
        let known = current.and_then(Catalog::completed_run);
        // The later date wins; on equal dates the incoming run.
        let completed = known.into_iter().chain(incoming).max_by_key(CompletedRun::slate_date);
        match completed {
            Some(completed) if completed.slate_date() == slate_date => {
                Self { slate_date, run: Some(completed.into_run()), earlier_run: None }
            }
            earlier_run => Self { slate_date, run: last_begun(release, current, slate_date), earlier_run },
        }
    }
}

fn last_begun(release: &Release, current: Option<&Catalog>, slate_date: NaiveDate) -> Option<Run> {
    let incoming = release.run.as_ref().filter(|_| release.slate_date == slate_date);
    let known = current.filter(|current| current.slate_date == slate_date).and_then(|current| current.run.as_ref());
    incoming.or(known).cloned()
}

impl Catalog {
    /// Returns the last completed run, of any slate.
    pub fn completed_run(&self) -> Option<CompletedRun> {
        let latest = self.run.clone().and_then(|run| CompletedRun::new(self.slate_date, run));
        latest.or_else(|| self.earlier_run.clone())
    }

    /// Returns the run by which the data of a date is judged: the last completed run if it was for that date or a later
    /// date, else the last known run.
    pub fn run_deciding(&self, date: NaiveDate) -> Option<&Run> {
        let earlier = self.earlier_run.as_ref().filter(|earlier| earlier.slate_date() >= date);
        earlier.map(CompletedRun::run).or(self.run.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::SlateActivity;
    use crate::testing::a_release;

    #[test]
    fn no_time_of_a_release_lies_ahead_of_the_clock() {
        let now: DateTime<Utc> = "2024-11-24T14:50:00Z".parse().expect("an instant");
        let ahead = |later: TimeDelta| {
            let at = now + later;
            let run = Run { id: "r".to_owned(), started_at: at, completed_at: Some(at), slate: SlateActivity::Active };
            let source_as_of = SourceTimes { odds: Some(at), predictions: Some(at) };
            let release = Release { run: Some(run), source_as_of, ..a_release(Sport::Nfl, "2024-25", Vec::new()) };
            release.ahead_of(now).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(ahead(TimeDelta::minutes(5)), Vec::<String>::new(), "clocks differ a little");
        let found = ahead(TimeDelta::minutes(6));
        assert_eq!(found.len(), 4);
        assert_eq!(
            found[2],
            "release.json, column source_as_of.odds: `2024-11-24T14:56:00Z`: expected an instant that has come; it is \
             2024-11-24T14:50:00Z here"
        );
    }
}
