use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use chrono::NaiveDate;
use sports_domain::{ModelType, Side, TeamSlug};
use sports_grading::Outcome;

use crate::{SeasonGame, Tally};

/// The maximum number of a team's latest results that are listed.
pub const LAST_N: usize = 10;

/// A run of equal results that includes a team's latest game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streak {
    /// `true` for wins.
    pub won: bool,
    /// The number of games, one or more.
    pub length: u32,
}

impl fmt::Display for Streak {
    /// Writes `W3` for three wins.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.won { 'W' } else { 'L' }, self.length)
    }
}

/// A team's decided games of a season in one market, at least one.
///
/// A win depends on the market: the team won the game, or covered the spread, or, for both teams, the total went
/// over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamForm {
    /// The team.
    pub team: TeamSlug,
    /// Its record.
    pub record: Tally,
    /// The results of its latest games, oldest first, at most [`LAST_N`]; `true` for a win.
    pub last: Vec<bool>,
    /// The current streak.
    pub streak: Streak,
}

impl TeamForm {
    /// Computes a team's form from its results, oldest first; returns `None` without results.
    fn from_results(team: TeamSlug, results: &[bool]) -> Option<Self> {
        let won = *results.last()?;
        let length = results.iter().rev().take_while(|result| **result == won).count();
        Some(Self {
            team,
            record: results.iter().copied().collect(),
            last: results[results.len().saturating_sub(LAST_N)..].to_vec(),
            streak: Streak { won, length: u32::try_from(length).unwrap_or(u32::MAX) },
        })
    }

    /// Compares by share of wins, then by number of wins, both highest first, and then by name.
    fn ranking(&self, other: &Self) -> Ordering {
        // Cross-multiplied, because rounded shares would create ties.
        let share = |ours: Tally, theirs: Tally| u64::from(ours.wins) * u64::from(theirs.games());
        share(other.record, self.record)
            .cmp(&share(self.record, other.record))
            .then_with(|| other.record.wins.cmp(&self.record.wins))
            .then_with(|| self.team.cmp(&other.team))
    }
}

/// Returns the form of every team with a decided game, best first. A push is no result for either team, and games
/// without a forecast count.
pub fn team_form(games: &[SeasonGame<'_>]) -> Vec<TeamForm> {
    let mut in_order: Vec<_> = games.iter().collect();
    in_order.sort_by(|a, b| a.key().cmp(b.key()));
    let mut results: BTreeMap<&TeamSlug, Vec<bool>> = BTreeMap::new();
    for game in in_order {
        let Some(Outcome::Decided(winner)) = game.market().outcome() else { continue };
        for (team, side) in [(&game.key().home, Side::Positive), (&game.key().away, Side::Negative)] {
            let won = match game.market().model_type() {
                ModelType::OverUnder => winner == Side::Positive,
                ModelType::WonOnPoints | ModelType::WonOnSpread => winner == side,
            };
            results.entry(team).or_default().push(won);
        }
    }
    let mut form: Vec<_> =
        results.into_iter().filter_map(|(team, won)| TeamForm::from_results(team.clone(), &won)).collect();
    form.sort_by(TeamForm::ranking);
    form
}

/// Returns for each team the earliest of its games without a final that is on `today` or later.
///
/// `awaited` may combine several sources (a season's record, today's predictions), in any order.
pub fn next_game_dates<'a>(
    awaited: impl IntoIterator<Item = (&'a TeamSlug, NaiveDate)>,
    today: NaiveDate,
) -> HashMap<&'a TeamSlug, NaiveDate> {
    let mut next = HashMap::new();
    for (team, date) in awaited.into_iter().filter(|(_, date)| *date >= today) {
        let earliest = next.entry(team).or_insert(date);
        *earliest = date.min(*earliest);
    }
    next
}
