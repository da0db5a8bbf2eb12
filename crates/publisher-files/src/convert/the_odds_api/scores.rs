use std::collections::HashMap;

use chrono::NaiveDateTime;
use sports_domain::{FinalScore, Sport, TeamSlug, eastern_reading, escaped_for_spreadsheets};

use crate::convert::the_odds_api::events::{Account, League, Reason};
use crate::convert::the_odds_api::feed::{Event, Moment};
use crate::convert::the_odds_api::{Feed, FeedError, TeamTable, csv_file};

/// The finals of a feed of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Finals {
    /// The completed games, ordered by start and teams.
    pub games: Vec<FinalGame>,
    pub account: Account,
}

/// One game of a file of finals.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FinalGame {
    /// The Eastern start.
    pub start: NaiveDateTime,
    pub away: TeamSlug,
    pub home: TeamSlug,
    /// The feed's id of the event, the same as in its odds.
    pub match_id: String,
    pub away_score: u16,
    pub home_score: u16,
}

/// Takes the finals of the league's completed games from a feed of scores.
///
/// # Errors
///
/// [`FeedError`] if the feed has only events of other leagues, or none with scores. It is also an error if there are
/// completed games, and each has an unknown team.
pub fn finals(feed: &Feed, sport: Sport, teams: &TeamTable) -> Result<Finals, FeedError> {
    let (mut account, mut games) = (Account::default(), Vec::new());
    let league = League { sport, names: teams, updated: |event: &Event| event.last_update.map(Moment::instant) };
    for event in league.events(feed, &mut account)? {
        if !event.completed.ok_or_else(|| FeedError::NoScores(event.id.clone()))? {
            account.leave_out(event, Reason::NotCompleted);
            continue;
        }
        let Some((away, home)) = account.teams(event, teams)? else { continue };
        let Some(FinalScore { away: away_score, home: home_score }) = event.score() else {
            account.leave_out(event, Reason::NoScore);
            continue;
        };
        let start = eastern_reading(event.commence_time.instant());
        games.push(FinalGame { start, away, home, match_id: event.id.clone(), away_score, home_score });
    }
    account.finish(games.len())?;
    games.sort();
    Ok(Finals { games, account })
}

/// The columns of a file of finals, in their order.
const COLUMNS: [&str; 7] = ["match_id", "date", "time", "away_team", "home_team", "away_score", "home_score"];

/// Writes a file for `sportsctl settle`.
///
/// The feed changes the start of a game in play, so a start is given only where it distinguishes two games of the same
/// teams and date.
pub fn finals_file(games: &[FinalGame]) -> Vec<u8> {
    let pairing = |game: &FinalGame| (game.start.date(), game.away.clone(), game.home.clone());
    let mut counts = HashMap::new();
    for game in games {
        *counts.entry(pairing(game)).or_insert(0) += 1;
    }
    let row = |game: &FinalGame| {
        let time = (counts[&pairing(game)] > 1).then(|| game.start.time().to_string());
        [
            escaped_for_spreadsheets(&game.match_id).into_owned(),
            game.start.date().to_string(),
            time.unwrap_or_default(),
            game.away.to_string(),
            game.home.to_string(),
            game.away_score.to_string(),
            game.home_score.to_string(),
        ]
    };
    csv_file(COLUMNS, games.iter().map(row))
}
