//! Settlement: adding finals to games on record.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use foldhash::fast::RandomState;
use sports_domain::{GameKey, Sport, eastern_instant};

use crate::catalog::to_rfc3339;
use crate::identity::{GamesOfFinals, KnownGame, NoGame, OnRecord};
use crate::{Ending, FinalRow, ForecastOrigin, Located, Problem, SeasonArchive, SeasonArchives};

/// The permissions of a settlement beyond adding finals to games without a final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Permissions {
    /// Replace endings on record.
    pub correct: bool,
    /// Skip games that are not on record.
    pub allow_unknown: bool,
}

/// The result of a settlement, in games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettleReport {
    /// Games that got a final, or whose provisional final is settled now.
    pub settled: usize,
    /// Games that were called off and had no ending before.
    pub called_off: usize,
    /// Games that were called off and get a final; they count as settled.
    pub revived: Vec<GameKey>,
    /// Games whose ending was replaced.
    pub corrected: usize,
    /// Games with the same ending before.
    pub unchanged: usize,
    /// Skipped games that are not on record.
    pub unknown: Vec<GameKey>,
    /// Hints at the recorded games that the skipped rows probably mean.
    pub warnings: Vec<String>,
}

/// Writes endings into every archive that has the game, and returns the archives. Every game has its identity.
///
/// The rules for the game of a row are those of [`identity`](crate::identity).
///
/// # Errors
///
/// Returns a problem for every row:
/// - of a game that is not on record, unless allowed;
/// - of several games, or whose id and start are of two games;
/// - of a game that has not started, or that another row has already;
/// - with a start before the standing forecast of a game whose start is not on record;
/// - whose ending contradicts the ending on record, unless corrections are allowed.
pub fn settle(
    mut archives: SeasonArchives,
    finals: &[Located<FinalRow>],
    permissions: Permissions,
    now: DateTime<Utc>,
) -> Result<(SeasonArchives, SettleReport), Vec<Problem>> {
    let on_record = OnRecord::of_archives(&archives);
    let sport = archives.values().next().map(|archive| archive.market().sport);
    let mut settling = Settling {
        sport,
        games: GamesOfFinals::of(sport, &on_record, finals),
        forecast: forecast_without_start(&archives),
        on_record: endings(&archives),
        permissions,
        now,
        endings: HashMap::default(),
        seen: HashSet::default(),
        report: SettleReport::default(),
    };
    let problems: Vec<_> = finals.iter().filter_map(|row| settling.row(row).err()).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    let Settling { endings, report, .. } = settling;
    for archive in archives.values_mut() {
        archive.end(|id| endings.get(id));
    }
    Ok((archives, report))
}

/// Returns the ending of each game by its identity. A file of one market may have settled a game in that market only.
fn endings(archives: &SeasonArchives) -> HashMap<String, Ending, RandomState> {
    let mut endings = HashMap::default();
    for facts in archives.values().flat_map(SeasonArchive::games).map(|game| &game.facts) {
        if let (Some(id), Some(ending)) = (&facts.game_id, &facts.ending) {
            endings.entry(id.clone()).or_insert_with(|| ending.clone());
        }
    }
    endings
}

/// Returns the instant of the standing live forecast of each game without a start.
fn forecast_without_start(archives: &SeasonArchives) -> HashMap<String, DateTime<Utc>, RandomState> {
    let mut forecast = HashMap::default();
    let games = archives.values().flat_map(SeasonArchive::games);
    for game in games.filter(|game| game.facts.key.time.is_none()) {
        if let (Some(id), Some(ForecastOrigin::Live { published_at: Some(at), .. })) =
            (&game.facts.game_id, &game.forecast.origin)
        {
            let last: &mut DateTime<Utc> = forecast.entry(id.clone()).or_insert(*at);
            *last = (*last).max(*at);
        }
    }
    forecast
}

struct Settling<'a> {
    sport: Option<Sport>,
    games: GamesOfFinals<'a>,
    forecast: HashMap<String, DateTime<Utc>, RandomState>,
    on_record: HashMap<String, Ending, RandomState>,
    permissions: Permissions,
    now: DateTime<Utc>,
    endings: HashMap<&'a str, Ending, RandomState>,
    seen: HashSet<&'a str, RandomState>,
    report: SettleReport,
}

impl<'a> Settling<'a> {
    fn row(&mut self, row: &Located<FinalRow>) -> Result<(), Problem> {
        let game = match self.games.game_of(row) {
            Ok(game) => game,
            Err(NoGame::Unknown { likely, .. }) if self.permissions.allow_unknown => {
                self.pass_over(row, likely);
                return Ok(());
            }
            Err(NoGame::Unknown { problem, .. } | NoGame::Refused(problem)) => return Err(*problem),
        };
        let key = &game.key;
        if !self.seen.insert(&game.id) {
            return Err(Problem::at(row.place.clone(), format!("each game once; another row is of {key} too")));
        }
        if matches!(row.value.ending, Ending::Final { .. }) && !key.may_have_started(self.now) {
            let expected = format!("a game that has started; {key} has not");
            return Err(wrong_ending(row, expected));
        }
        self.check_start(row, game)?;
        self.end(row, game)
    }

    /// Refuses the start of a game without one on record if it is before the standing forecast: finals change no start, and the
    /// game must not keep a forecast from during play.
    fn check_start(&self, row: &Located<FinalRow>, game: &KnownGame) -> Result<(), Problem> {
        let key = &row.value.key;
        let (Some(time), Some(forecast)) = (key.time, self.forecast.get(&*game.id)) else { return Ok(()) };
        let is_known = self.sport.is_none_or(|sport| !key.has_placeholder(sport));
        if !is_known || *forecast < eastern_instant(key.date, time) {
            return Ok(());
        }
        let expected = format!(
            "this start on record first, since the standing forecast is of {}, after it: publish the game at this start in `games/`, \
             which takes the later forecast back",
            to_rfc3339(forecast)
        );
        Err(Problem::at(row.place.clone(), expected).in_cell("time_est", time.to_string()))
    }

    fn pass_over(&mut self, row: &Located<FinalRow>, likely: Option<String>) {
        let (place, key) = (&row.place, &row.value.key);
        let warning = likely.map(|likely| format!("{place}: {key} is not on record; {likely}"));
        self.report.warnings.extend(warning);
        self.report.unknown.push(key.clone());
    }

    fn end(&mut self, row: &Located<FinalRow>, game: &'a KnownGame) -> Result<(), Problem> {
        let existing = self.on_record.get(&*game.id);
        let ending = row.value.ending.clone().with_void(row.value.void.as_ref(), existing);
        match existing {
            Some(existing) if *existing == ending => self.report.unchanged += 1,
            // A postponed or suspended game may be played later.
            Some(Ending::CalledOff { .. }) | None => match &ending {
                Ending::Final { .. } => {
                    self.report.settled += 1;
                    self.report.revived.extend(game.is_called_off.then(|| game.key.clone()));
                }
                Ending::CalledOff { .. } => self.report.called_off += 1,
            },
            Some(existing) if confirms(&ending, existing) => self.report.settled += 1,
            Some(_) if self.permissions.correct => self.report.corrected += 1,
            Some(existing) => {
                let expected = format!("the ending on record, {existing}; --correct replaces it");
                return Err(wrong_ending(row, expected));
            }
        }
        self.endings.insert(&game.id, ending);
        Ok(())
    }
}

/// Returns true if an ending confirms a provisional final unchanged.
fn confirms(incoming: &Ending, existing: &Ending) -> bool {
    let ((_, void), (word, known)) = (incoming.word_and_void(), existing.word_and_void());
    incoming.score().is_some() && incoming.score() == existing.score() && void == known && word != Ending::SETTLED
}

/// Creates a problem with the ending of a row.
fn wrong_ending(row: &Located<FinalRow>, expected: impl Into<String>) -> Problem {
    Problem::at(row.place.clone(), expected).in_cell("away_score, home_score", row.value.ending.to_string())
}
