use sports_domain::Sport;

use crate::fixture::{Fixture, Stage};
use crate::schedule::regular_days;

/// A knock-out tournament among the best teams, in single games or series.
struct Bracket {
    teams: usize,
    wins: usize,
    days_between_games: i32,
    days_between_rounds: i32,
    /// The number of single games between the next best teams, before the first round.
    bowls: usize,
    start: (u32, u32),
}

const fn bracket(sport: Sport) -> Bracket {
    let (teams, wins, days_between_games, days_between_rounds, bowls, start) = match sport {
        Sport::Mlb => (8, 3, 1, 7, 0, (20, 8)),
        Sport::Nba | Sport::Nhl => (16, 4, 2, 14, 0, (20, 30)),
        Sport::Nfl => (16, 1, 0, 7, 0, (16, 30)),
        Sport::Ncaaf => (4, 1, 0, 9, 16, (19, 30)),
        Sport::Ncaab => (64, 1, 0, 3, 0, (19, 15)),
    };
    Bracket { teams, wins, days_between_games, days_between_rounds, bowls, start }
}

/// The games of a series that the better team hosts.
const HOSTED: [bool; 7] = [true, true, false, false, true, false, true];
const DAYS_OF_REST: i32 = 3;

/// Plays a season's postseason. `ranking` lists the best team first; `play` plays a game and returns the winner.
pub(crate) fn play_off(sport: Sport, ranking: &[usize], mut play: impl FnMut(Fixture) -> usize) {
    let bracket = bracket(sport);
    let mut day = regular_days(sport) + DAYS_OF_REST;
    let next_best = ranking.get(bracket.teams..bracket.teams + 2 * bracket.bowls).unwrap_or_default();
    for (pair, off) in next_best.chunks_exact(2).zip((0..bracket.days_between_rounds).cycle()) {
        play(Fixture::new(day + off, bracket.start, (pair[1], pair[0]), Stage::Postseason));
    }
    day += if bracket.bowls > 0 { bracket.days_between_rounds } else { 0 };
    let mut left = ranking.get(..bracket.teams).unwrap_or_default().to_vec();
    while left.len() > 1 {
        let (better, worse) = left.split_at(left.len() / 2);
        let pairs = better.iter().copied().zip(worse.iter().rev().copied());
        let winners = pairs.enumerate().map(|(place, pair)| {
            // A round of single games takes two days, so that not all games start at the same time.
            let second_day = i32::from(place % 2 == 1);
            series(&bracket, day + second_day, pair, &mut play)
        });
        left = winners.collect();
        day += bracket.days_between_rounds;
    }
}

fn series(bracket: &Bracket, first: i32, teams: (usize, usize), play: &mut impl FnMut(Fixture) -> usize) -> usize {
    let (better, worse) = teams;
    let (mut won, mut lost, mut day) = (0, 0, first);
    for hosted in HOSTED {
        let pair = if hosted { (worse, better) } else { (better, worse) };
        if play(Fixture::new(day, bracket.start, pair, Stage::Postseason)) == better {
            won += 1;
        } else {
            lost += 1;
        }
        day += bracket.days_between_games;
        if won == bracket.wins || lost == bracket.wins {
            break;
        }
    }
    if won > lost { better } else { worse }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::last_day;
    use crate::teams::teams_of;

    #[test]
    fn a_postseason_ends_in_time_with_one_team_left() {
        for (sport, most) in Sport::ALL.into_iter().zip([35, 105, 15, 105, 19, 63]) {
            let ranking: Vec<_> = (0..teams_of(sport).len()).collect();
            let mut games = Vec::new();
            play_off(sport, &ranking, |game| {
                games.push(game);
                // The visitors win every second game, so that series are long.
                if games.len() % 2 == 0 { game.away } else { game.home }
            });
            assert!(games.len() <= most && games.len() * 2 > most, "{sport}: {}", games.len());
            let last = games.iter().map(|game| game.day).max().expect("a final");
            assert!(last <= last_day(sport) && last > regular_days(sport), "{sport}: {last}");
        }
    }
}
