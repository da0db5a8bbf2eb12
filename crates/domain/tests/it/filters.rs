//! Filters of a season, compared with a scan of all games.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use proptest::prelude::*;
use sports_domain::paging::{GameFilter, GameIndex, GameProgress, GameState, Limit, NoSuchTeam, Order};
use sports_domain::{DateSpan, GameKey, Market, ModelType, Season, Sport, TeamSlug};

const MARKET: Market = Market::new(Sport::Nfl, ModelType::OverUnder);
const TEAMS: [&str; 4] = ["buffalo_bills", "miami_dolphins", "canal_foxes", "new_york_jets"];

fn season() -> Season {
    Season::parse(Sport::Nfl, "2024-25").expect("a season")
}

fn team(name: &str) -> TeamSlug {
    TeamSlug::normalise(name).expect("a team")
}

fn date(day: u64) -> NaiveDate {
    NaiveDate::from_ymd_opt(2024, 9, 1).expect("a date") + Days::new(day)
}

/// Creates games on these days between these teams, oldest first.
fn games(mut days: Vec<(u64, usize)>) -> Vec<GameKey> {
    days.sort_unstable();
    let game = |(day, away): (u64, usize)| GameKey {
        date: date(day),
        time: None,
        away: team(TEAMS[away]),
        home: team(TEAMS[(away + 1) % TEAMS.len()]),
        game_number: None,
    };
    days.into_iter().map(game).collect()
}

/// Indexes games of which nothing but the key is known.
fn index(games: &[GameKey]) -> GameIndex {
    GameIndex::new(MARKET, season(), games.iter().map(|game| (game, GameProgress::default())))
}

/// Returns the indices of the games that a filter keeps by definition: dates are inclusive, and a team plays away or
/// at home.
fn kept(games: &[GameKey], from: Option<u64>, to: Option<u64>, of: Option<&TeamSlug>) -> Vec<usize> {
    let is_kept = |game: &GameKey| {
        from.is_none_or(|from| game.date >= date(from))
            && to.is_none_or(|to| game.date <= date(to))
            && of.is_none_or(|team| game.away == *team || game.home == *team)
    };
    (0..games.len()).filter(|place| is_kept(&games[*place])).collect()
}

proptest! {
    /// In both orders, the pages of a filtered season have exactly the rows that a scan keeps.
    #[test]
    fn pages_of_a_filtered_season_tile_the_kept_games(
        days in prop::collection::vec((0..40_u64, 0..TEAMS.len()), 0..80),
        from in prop::option::of(0..45_u64),
        to in prop::option::of(0..45_u64),
        of in prop::option::of(0..TEAMS.len()),
        limit in 1..30_usize,
        newest_first in any::<bool>(),
    ) {
        prop_assume!(from.zip(to).is_none_or(|(from, to)| from <= to));
        let games = games(days);
        let of = of.map(|of| team(TEAMS[of])).filter(|team| games.iter().any(|game| game.away == *team || game.home == *team));
        let index = index(&games);
        let dates = DateSpan::new(from.map(date), to.map(date)).expect("a span");
        let filter = GameFilter { dates, team: of.clone(), ..GameFilter::default() };
        let filtered = index.filtered(&filter).expect("a team on record");
        let mut expected = kept(&games, from, to, of.as_ref());
        prop_assert_eq!(filtered.total(), expected.len());

        let order = if newest_first { Order::NewestFirst } else { Order::OldestFirst };
        if newest_first {
            expected = expected.into_iter().rev().map(|place| games.len() - 1 - place).collect();
        }
        let limit = Limit::new(limit).expect("a limit");
        let (mut seen, mut next) = (Vec::new(), Some(0));
        while let Some(offset) = next {
            prop_assert_eq!(seen.len(), offset);
            let (rows, then) = filtered.page(order, offset, limit);
            prop_assert!(rows.len() <= limit.get() && (then.is_none() || rows.len() == limit.get()));
            seen.extend(rows.iter());
            next = then;
        }
        prop_assert_eq!(seen, expected);
        let (beyond, then) = filtered.page(order, games.len() + 1, limit);
        prop_assert!(beyond.is_empty() && then.is_none());
    }
}

proptest! {
    /// A public record has no game that has not started, in whatever selection, and all others.
    #[test]
    fn games_that_have_not_started_are_left_out(
        games in prop::collection::vec((0..6_u64, prop::option::of(0..24_u32), 0..TEAMS.len()), 0..30),
        hour in 0..200_i64,
        of in prop::option::of(0..TEAMS.len()),
    ) {
        let mut games: Vec<_> = games.into_iter().enumerate().map(|(number, (day, time, away))| GameKey {
            time: time.and_then(|hour| NaiveTime::from_hms_opt(hour, 5, 0)),
            game_number: u8::try_from(number).ok(),
            ..self::games(vec![(day, away)]).remove(0)
        }).collect();
        games.sort();
        let of = of.map(|of| team(TEAMS[of])).filter(|team| games.iter().any(|game| game.away == *team || game.home == *team));
        let index = index(&games);
        // Eastern daylight time is four hours behind.
        let midnight: DateTime<Utc> = "2024-09-01T04:00:00Z".parse().expect("an instant");
        let now = midnight + TimeDelta::hours(hour);
        let start = |game: &GameKey| {
            let day = midnight + TimeDelta::days((game.date - date(0)).num_days());
            game.time.map_or(day + TimeDelta::hours(36), |time| day + (time - NaiveTime::MIN))
        };
        let all = GameFilter { team: of.clone(), ..GameFilter::default() };
        let shown = |now| {
            let filter = GameFilter { started_by: Some(now), ..all.clone() };
            index.filtered(&filter).expect("a team on record").page(Order::OldestFirst, 0, Limit::MOST).0.iter().collect::<Vec<_>>()
        };
        let selected = kept(&games, None, None, of.as_ref());
        let expected: Vec<_> = selected.iter().copied().filter(|place| start(&games[*place]) <= now).collect();
        prop_assert_eq!(shown(now), expected.clone());
        let last = index.last_start(&all, now).expect("a team on record");
        prop_assert_eq!(last.is_none(), expected.len() == selected.len());
        if let Some(last) = last {
            prop_assert_eq!(shown(last), expected);
        }
    }
}

#[test]
fn a_state_is_final_with_a_score_graded_by_a_model_or_scheduled() {
    let games = games(vec![(0, 0), (1, 1), (2, 0), (3, 2), (4, 0)]);
    let progress = |has_score, is_graded, is_called_off| GameProgress { has_score, is_graded, is_called_off };
    // Graded, a push, called off, not played yet, and called off in one market with the final of another.
    let known = [
        progress(true, true, false),
        progress(true, false, false),
        progress(false, false, true),
        GameProgress::default(),
        progress(false, false, true).or(progress(true, false, false)),
    ];
    let index = GameIndex::new(MARKET, season(), games.iter().zip(known));
    let kept = |state, team: Option<&str>| {
        let filter = GameFilter { state: Some(state), team: team.map(self::team), ..GameFilter::default() };
        assert!(!filter.leaves_all());
        let kept = index.filtered(&filter).expect("a team on record");
        let (rows, next) = kept.page(Order::NewestFirst, 0, Limit::new(2).expect("a limit"));
        (kept.total(), rows.iter().collect::<Vec<_>>(), next)
    };
    assert_eq!(kept(GameState::Final, None), (3, vec![0, 3], Some(2)));
    assert_eq!(kept(GameState::Graded, None), (1, vec![4], None));
    assert_eq!(kept(GameState::Scheduled, None), (1, vec![1], None));
    assert_eq!(kept(GameState::Final, Some("buffalo_bills")), (2, vec![0, 4], None));
}

#[test]
fn an_empty_filter_keeps_all_games() {
    assert!(GameFilter::default().leaves_all());
}

#[test]
fn a_club_is_found_by_any_of_its_names_and_an_unknown_team_is_not_found() {
    let games = games(vec![(0, 0), (1, 1), (2, 2)]);
    let index = index(&games);
    let found = |name: &str| {
        let filter = GameFilter { team: Some(team(name)), ..GameFilter::default() };
        index.filtered(&filter).map(|left| left.total())
    };
    for (name, games) in [
        ("buffalo_bills", 1),
        ("Bills", 1),
        ("BUF", 1),
        ("Miami", 2),
        ("canal_foxes", 2),
        ("NY Jets", 1),
        // A club of the league that has not played yet.
        ("dallas_cowboys", 0),
    ] {
        assert_eq!(found(name), Ok(games), "{name}");
    }
    let unknown = |name| NoSuchTeam::Unknown { market: MARKET, season: season(), team: team(name) };
    assert_eq!(found("boston_celtics"), Err(unknown("boston_celtics")));
    assert_eq!(
        unknown("boston_celtics").to_string(),
        "no game of season 2024-25 of nfl over_under has a team `boston_celtics`"
    );
    let ambiguous = found("New York").expect_err("two clubs");
    assert_eq!(ambiguous.to_string(), "`new_york` may be new_york_giants or new_york_jets");
}
