//! Histories of games, with values by hand.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, HomeSpread, ModelColumn, ModelType, OwnForecasts, Probability,
    Season, Sport, TeamSlug, TwoWayPrices,
};
use sports_publication::identity::Start;
use sports_publication::movement::{EntrySlate, GameHistory, LineMark, SeasonMovement, SeasonRows, Window};
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::testing::{GameBuilder, a_game};
use sports_publication::{Generation, Odds, PredictedGame, Predictions, ReleaseId, SeasonArchive};

const GAME: &str = "nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens";
const MONEY: ModelType = ModelType::WonOnPoints;

fn at(text: &str) -> DateTime<Utc> {
    format!("2024-01-06T{text}:00Z").parse().expect("a time")
}

fn season() -> Season {
    Season::parse(Sport::Nfl, "2023-24").expect("a season")
}

/// Returns the game with an Eastern start, five hours behind.
fn key(date: &str, time: &str) -> GameKey {
    let team = |name| TeamSlug::normalise(name).expect("a team");
    let (away, home) = (team("pittsburgh_steelers"), team("baltimore_ravens"));
    GameKey { date: date.parse().expect("a date"), time: time.parse().ok(), away, home, game_number: None }
}

fn saturday() -> GameKey {
    key("2024-01-06", "16:30:00")
}

/// Returns money lines of home and away.
fn money(home: i32, away: i32) -> GameLines {
    let money = TwoWayPrices { positive: AmericanPrice::new(home).ok(), negative: AmericanPrice::new(away).ok() };
    GameLines { money, ..GameLines::default() }
}

fn quoted(key: &GameKey, match_id: Option<&str>, lines: GameLines) -> OddsGame {
    OddsGame {
        key: key.clone(),
        game_id: Some(GAME.to_owned()),
        listed_start: None,
        match_id: match_id.map(str::to_owned),
        lines,
        quote_source: None,
        last_updated: None,
    }
}

/// A log of odds and predictions of one game.
struct Log {
    movement: SeasonMovement,
    entries: u64,
}

impl Log {
    fn new() -> Self {
        Self { movement: SeasonMovement::new(Sport::Nfl, season(), true), entries: 0 }
    }

    fn note(
        &mut self,
        published_at: DateTime<Utc>,
        odds: Option<(DateTime<Utc>, &Odds)>,
        predictions: BTreeMap<ModelType, (DateTime<Utc>, &Predictions)>,
    ) {
        self.entries += 1;
        let generation = Generation::new(self.entries).expect("a number");
        let release_id = ReleaseId::from_log(format!("r{}", self.entries));
        let season = season();
        self.movement.note(&EntrySlate {
            generation,
            published_at,
            release_id: &release_id,
            season,
            odds,
            predictions,
        });
    }

    /// Publishes odds of the game, or odds without it.
    fn odds(&mut self, published_at: &str, source_as_of: &str, key: &GameKey, lines: Option<GameLines>) {
        let games = lines.map(|lines| quoted(key, None, lines));
        let odds = Odds::new(games.into_iter().collect()).expect("one game");
        self.note(at(published_at), Some((at(source_as_of), &odds)), BTreeMap::new());
    }

    /// Publishes odds under an id, or without one.
    fn named_odds(&mut self, published_at: &str, key: &GameKey, match_id: Option<&str>) {
        let odds = Odds::new(vec![quoted(key, match_id, money(110, -130))]).expect("one game");
        self.note(at(published_at), Some((at(published_at), &odds)), BTreeMap::new());
    }

    /// Puts a row of the game into the archive.
    fn record(&mut self, row: GameBuilder) {
        let row = row.with(|game| {
            game.facts.key = saturday();
            game.facts.game_id = Some(GAME.to_owned());
        });
        let market = sports_domain::Market::new(Sport::Nfl, MONEY);
        let mut rows = SeasonRows::default();
        rows.read(&SeasonArchive::new(market, season(), vec![row.build()]).expect("one game"));
        self.movement.set_rows(rows);
    }

    /// Publishes predictions of the game by BLEND, without a probability for zero, or predictions without the game.
    fn predictions(&mut self, published_at: &str, key: &GameKey, forecast: Option<(f64, GameLines)>) {
        let games = forecast.map(|(blend, lines)| {
            let probability = Probability::new(blend).ok().filter(|_| blend > 0.0);
            let forecasts = probability.map(|given| Forecasts::default().with(ModelColumn::Blend, given));
            let game = SlateGame {
                key: key.clone(),
                game_id: Some(GAME.to_owned()),
                match_id: None,
                lines,
                forecasts: forecasts.unwrap_or_default(),
                own: OwnForecasts::default(),
            };
            PredictedGame { game, game_type: None, quote_source: None, extras: sports_publication::Extras::default() }
        });
        let predictions = Predictions::new(MONEY, season(), games.into_iter().collect()).expect("one game");
        self.note(at(published_at), None, BTreeMap::from([(MONEY, (at(published_at), &predictions))]));
    }

    fn game(&self) -> GameHistory<'_> {
        self.movement.game(GAME).expect("on record")
    }
}

/// Returns each line as generation, home money line and mark.
fn lines(game: &GameHistory<'_>) -> Vec<(u64, Option<i32>, Option<LineMark>)> {
    let lines = game.lines().lines.into_iter();
    lines
        .map(|line| {
            let home = line.lines.money.positive.map(AmericanPrice::get);
            (line.published.generation.get(), home, line.mark(true))
        })
        .collect()
}

#[test]
fn odds_after_the_start_are_counted_and_never_become_the_close() {
    let mut log = Log::new();
    log.odds("15:00", "14:30", &saturday(), Some(money(130, -155)));
    log.odds("22:30", "22:29", &saturday(), Some(money(-400, 300)));
    let game = log.game();
    assert_eq!(game.starts_at(), Some(at("21:30")));
    assert_eq!(lines(&game), [(1, Some(130), Some(LineMark::FirstAndClose))]);
    let history = game.lines();
    let close = history.close.expect("a close");
    assert_eq!((close.last_quoted.generation.get(), close.age), (1, TimeDelta::seconds(25200)));
    assert_eq!(history.quoted_after_start, 1);
}

#[test]
fn odds_published_at_the_start_are_after_it() {
    let mut log = Log::new();
    log.odds("21:29", "21:20", &saturday(), Some(money(120, -140)));
    log.odds("21:30", "21:25", &saturday(), Some(money(125, -145)));
    assert_eq!(lines(&log.game()), [(1, Some(120), Some(LineMark::FirstAndClose))]);
    assert_eq!(log.game().lines().quoted_after_start, 1);
}

#[test]
fn odds_whose_sources_were_not_read_anew_are_no_later_look_at_a_line() {
    let mut log = Log::new();
    // As by releases that move another game.
    for published_at in ["15:00", "20:00", "22:00"] {
        log.odds(published_at, "14:30", &saturday(), Some(money(130, -155)));
    }
    let history = log.game().lines();
    let close = history.close.expect("a close");
    assert_eq!((close.published.generation.get(), close.last_quoted.generation.get()), (1, 1));
    assert_eq!((close.age, history.quoted_after_start), (TimeDelta::hours(7), 1));
}

#[test]
fn a_line_that_is_published_again_keeps_its_place_and_is_younger() {
    let mut log = Log::new();
    log.odds("12:00", "11:00", &saturday(), Some(money(110, -130)));
    log.odds("14:00", "13:30", &saturday(), Some(money(130, -155)));
    log.odds("16:00", "15:30", &saturday(), Some(money(130, -155)));
    log.odds("18:00", "17:30", &saturday(), None);
    log.odds("19:00", "18:30", &saturday(), None);
    let game = log.game();
    let expected = [(1, Some(110), Some(LineMark::First)), (2, Some(130), Some(LineMark::Close)), (4, None, None)];
    assert_eq!(lines(&game), expected);
    let close = game.lines().close.expect("a close");
    assert_eq!((close.published.generation.get(), close.last_quoted.generation.get()), (2, 3));
    assert_eq!(close.age, TimeDelta::hours(6), "from 15:30 to 21:30");
    assert_eq!(game.lines_at(at("17:59")).map(|(published, _)| published.generation.get()), Some(3));
    assert_eq!(game.lines_at(at("18:00")), None);
}

#[test]
fn a_line_without_a_price_can_open_and_never_closes() {
    let mut log = Log::new();
    let spread = GameLines { spread: HomeSpread::new(3.0).ok(), ..GameLines::default() };
    log.odds("12:00", "11:00", &saturday(), Some(GameLines::default()));
    log.odds("13:00", "12:00", &saturday(), Some(spread));
    let marks = |log: &Log| lines(&log.game()).into_iter().map(|(number, _, mark)| (number, mark)).collect::<Vec<_>>();
    assert_eq!(marks(&log), [(2, Some(LineMark::First))]);
    assert_eq!(log.game().lines().close, None);
    log.odds("14:00", "13:00", &saturday(), Some(money(130, -155)));
    log.odds("15:00", "14:00", &saturday(), Some(spread));
    assert_eq!(marks(&log), [(2, Some(LineMark::First)), (3, Some(LineMark::Close)), (4, None)]);
}

#[test]
fn a_game_that_was_quoted_only_after_its_start_has_no_line() {
    let mut log = Log::new();
    log.odds("22:00", "21:59", &saturday(), Some(money(-400, 300)));
    log.odds("22:30", "22:29", &saturday(), Some(money(-500, 350)));
    let history = log.game().lines();
    assert_eq!((history.lines.len(), history.close, history.quoted_after_start), (0, None, 2));
}

#[test]
fn a_game_that_moves_before_its_start_is_followed_to_the_new_one() {
    let mut log = Log::new();
    log.odds("15:00", "14:30", &saturday(), Some(money(130, -155)));
    log.odds("21:00", "20:30", &key("2024-01-06", "18:00:00"), Some(money(140, -165)));
    log.odds("22:30", "22:15", &key("2024-01-06", "18:00:00"), Some(money(150, -175)));
    let game = log.game();
    assert_eq!((game.starts_at(), game.earlier_starts()), (Some(at("23:00")), vec![at("21:30")]));
    assert_eq!(lines(&game).last(), Some(&(3, Some(150), Some(LineMark::Close))));
    assert_eq!(game.lines().close.map(|close| close.age), Some(TimeDelta::minutes(45)));
}

#[test]
fn earlier_starts_stand_in_the_order_of_their_announcements() {
    let of = |time| key("2024-01-06", time);
    let mut log = Log::new();
    for (published, time) in
        [("10:00", "19:00:00"), ("11:00", "20:00:00"), ("12:00", "18:00:00"), ("13:00", "16:30:00")]
    {
        log.odds(published, published, &of(time), Some(money(110, -130)));
    }
    // The first predictions came after the second odds; one start is from before the entries that were read.
    log.record(a_game().unplayed().with(|game| {
        let former = ["21:00:00", "20:00:00", "18:00:00"].map(|time| Start::of(&of(time)).to_string());
        game.facts.former_starts = Some(former.join("; "));
    }));
    let earlier: Vec<_> = log.game().earlier_starts().iter().map(|start| *start - at("00:00")).collect();
    assert_eq!(earlier, [26, 24, 25, 23].map(TimeDelta::hours), "Eastern hours, five behind");
}

#[test]
fn a_game_that_moves_after_its_start_closed_at_that_start() {
    let mut log = Log::new();
    log.odds("15:00", "14:30", &saturday(), Some(money(130, -155)));
    log.odds("22:00", "21:45", &key("2024-01-07", "13:00:00"), Some(money(130, -155)));
    let game = log.game();
    assert_eq!(game.starts_at().map(|start| start - at("00:00")), Some(TimeDelta::hours(42)));
    assert_eq!(game.closes_at(), at("21:30"));
    let history = game.lines();
    assert_eq!((history.close.map(|close| close.age), history.quoted_after_start), (Some(TimeDelta::hours(7)), 1));
}

#[test]
fn a_window_begins_with_the_state_of_its_oldest_entry() {
    let mut log = Log::new();
    log.odds("10:00", "09:00", &saturday(), Some(money(110, -130)));
    let mut entry = |time: &str, lines: GameLines| log.odds(time, time, &saturday(), Some(lines));
    entry("12:00", money(110, -130));
    entry("14:00", money(120, -140));
    let game = log.game();
    // Ten hours and a half before the start.
    let window = Window::before(&log.movement, at("21:30") + TimeDelta::days(1) - TimeDelta::minutes(570), 1);
    let window = window.expect("entries");
    assert_eq!((window.oldest().generation.get(), window.has_older()), (2, true));
    let (history, is_complete) = game.lines_in(&window);
    let seen: Vec<_> = history.lines.iter().map(|line| (line.published.generation.get(), line.mark(true))).collect();
    assert_eq!((seen, is_complete), (vec![(2, Some(LineMark::First)), (3, Some(LineMark::Close))], false));
    let all = Window::before(&log.movement, at("21:30"), 14).expect("entries");
    assert!(game.lines_in(&all).1, "the record has no older entry");
}

#[test]
fn a_window_after_the_last_entry_has_the_entry_that_was_current() {
    let mut log = Log::new();
    log.odds("10:00", "09:00", &saturday(), Some(money(110, -130)));
    log.odds("11:00", "10:00", &saturday(), Some(money(120, -140)));
    let window = Window::before(&log.movement, at("21:30") + TimeDelta::days(30), 1).expect("an entry");
    assert_eq!(window.oldest().generation.get(), 2);
}

#[test]
fn the_close_names_the_release_that_quoted_it_last_whatever_the_window() {
    let mut log = Log::new();
    log.odds("10:00", "09:00", &saturday(), Some(money(110, -130)));
    log.odds("12:00", "11:00", &saturday(), Some(money(120, -140)));
    // As by a release that moves another game: no later look at the line.
    log.odds("14:00", "11:00", &saturday(), Some(money(120, -140)));
    log.predictions("16:00", &saturday(), Some((0.5, money(120, -140))));
    // The windows of a day that begin at 12:30 and at 15:00.
    for (days_end, oldest) in [("12:30", 3), ("15:00", 4)] {
        let window = Window::before(&log.movement, at(days_end) + TimeDelta::days(1), 1).expect("entries");
        let (history, _) = log.game().lines_in(&window);
        let seen: Vec<_> = history.lines.iter().map(|line| line.published.generation.get()).collect();
        let close = history.close.expect("a close");
        assert_eq!((seen, window.oldest().generation.get()), (vec![oldest], oldest));
        assert_eq!((close.last_quoted.generation.get(), close.last_quoted.published_at), (2, at("12:00")));
        assert_eq!(close.age, TimeDelta::minutes(630), "from 11:00 to 21:30");
        assert_eq!(log.game().lines().close.map(|whole| whole.last_quoted), Some(close.last_quoted));
    }
}

#[test]
fn forecasts_are_listed_where_they_change_and_one_of_them_stands() {
    let mut log = Log::new();
    log.predictions("10:00", &saturday(), Some((0.5, money(110, -130))));
    log.predictions("11:00", &saturday(), Some((0.5, money(110, -130))));
    log.predictions("12:00", &saturday(), Some((0.6, money(110, -130))));
    log.predictions("13:00", &saturday(), Some((0.0, money(110, -130))));
    log.predictions("14:00", &saturday(), None);
    log.predictions("15:00", &saturday(), Some((0.7, money(120, -140))));
    log.predictions("22:00", &saturday(), Some((0.9, money(120, -140))));
    let blend = |item: &sports_publication::movement::ForecastItem<'_>| {
        item.probability(ModelColumn::Blend).map(Probability::get)
    };
    let listed = |log: &Log| {
        let items = log.game().forecasts(MONEY).into_iter();
        items.map(|item| (item.published.generation.get(), blend(&item), item.standing)).collect::<Vec<_>>()
    };
    let expected = [(1, Some(0.5), false), (3, Some(0.6), false), (4, None, false), (6, Some(0.7), false)];
    assert_eq!(listed(&log), expected);
    // The row of the archive was recorded by the second release, which repeated the first forecast.
    log.record(a_game().unplayed().blend(0.5).live("r2", at("11:00")));
    let standing: Vec<_> = listed(&log).into_iter().map(|(number, _, standing)| (number, standing)).collect();
    assert_eq!(standing, [(1, true), (3, false), (4, false), (6, false)]);
    assert_eq!(log.game().standing(MONEY).and_then(|item| blend(&item)), Some(0.5));
    assert_eq!(log.game().forecast_at(MONEY, at("12:30")).and_then(|item| blend(&item)), Some(0.6));
    assert!(log.game().forecast_at(MONEY, at("14:30")).is_none());
}

#[test]
fn the_newest_published_id_names_a_game() {
    let (half_past, six) = (saturday(), key("2024-01-06", "18:00:00"));
    let table = [
        (vec![(&half_past, Some("a")), (&half_past, Some("b"))], "b"),
        (vec![(&half_past, Some("a")), (&half_past, Some("b")), (&half_past, Some("a"))], "a"),
        (vec![(&half_past, Some("a")), (&half_past, None)], "a"),
        (vec![(&half_past, None), (&half_past, Some("a")), (&half_past, None), (&half_past, Some("b"))], "b"),
        (vec![(&half_past, Some("a")), (&six, Some("b")), (&half_past, Some("c"))], "c"),
    ];
    for (names, expected) in table {
        let mut log = Log::new();
        for (hour, (key, id)) in (10..).zip(&names) {
            log.named_odds(&format!("{hour}:00"), key, *id);
        }
        assert_eq!(log.game().match_id(), Some(expected), "{names:?}");
        let first = log.movement.up_to(Generation::FIRST);
        assert_eq!(first.game(GAME).expect("on record").match_id(), names[0].1, "the first of {names:?}");
    }
}

#[test]
fn a_game_that_was_called_off_has_no_published_id() {
    let mut log = Log::new();
    log.named_odds("10:00", &saturday(), Some("a"));
    assert_eq!(log.game().match_id(), Some("a"));
    log.record(a_game().unplayed());
    assert_eq!(log.game().match_id(), Some("a"), "the row does not name one");
    log.record(a_game().called_off("postponed"));
    assert_eq!(log.game().match_id(), None);
}

#[test]
fn a_published_id_that_another_game_has_now_names_that_game_alone() {
    const LATER: &str = "nfl-2024-01-20-pittsburgh_steelers-baltimore_ravens";
    let mut log = Log::new();
    log.named_odds("10:00", &saturday(), Some("xy"));
    let called_off = log.movement.up_to(Generation::FIRST);
    let later = |id: Option<&str>| {
        let quoted = quoted(&key("2024-01-20", "16:30:00"), id, money(110, -130));
        Odds::new(vec![OddsGame { game_id: Some(LATER.to_owned()), ..quoted }]).expect("one game")
    };
    log.note(at("12:00"), Some((at("12:00"), &later(Some("xy")))), BTreeMap::new());
    // The game that was called off has a final now, and its row has no id.
    log.record(a_game().ending(50, 60));
    let ids = |movement: &SeasonMovement| {
        [GAME, LATER].map(|id| movement.game(id).and_then(|game| game.match_id().map(str::to_owned)))
    };
    assert_eq!(ids(&log.movement), [None, Some("xy".to_owned())]);
    assert_eq!(ids(&log.movement.up_to(Generation::FIRST)), [Some("xy".to_owned()), None], "no other game had it yet");
    // The other game has the id by its row alone.
    let mut settled = Log { movement: called_off, entries: 1 };
    settled.note(at("12:00"), Some((at("12:00"), &later(None))), BTreeMap::new());
    let row = |id: &str, key: GameKey, match_id: Option<&str>| {
        let row = a_game().ending(50, 60).with(|game| {
            game.facts.key = key;
            game.facts.game_id = Some(id.to_owned());
            game.facts.match_id = match_id.map(str::to_owned);
        });
        row.build()
    };
    let played = vec![row(GAME, saturday(), None), row(LATER, key("2024-01-20", "16:30:00"), Some("xy"))];
    let mut rows = SeasonRows::default();
    let market = sports_domain::Market::new(Sport::Nfl, MONEY);
    rows.read(&SeasonArchive::new(market, season(), played).expect("two games"));
    settled.movement.set_rows(rows);
    assert_eq!(ids(&settled.movement), [None, Some("xy".to_owned())]);
}

#[test]
fn entries_that_share_a_time_are_told_apart_by_their_numbers() {
    let mut log = Log::new();
    log.predictions("10:00", &saturday(), Some((0.6, money(110, -130))));
    log.predictions("11:00", &saturday(), Some((0.65, money(110, -130))));
    log.predictions("11:00", &saturday(), None);
    log.odds("12:00", "12:00", &saturday(), Some(money(120, -140)));
    log.odds("12:00", "12:00", &key("2024-01-06", "18:00:00"), Some(money(130, -155)));
    log.record(a_game().unplayed().blend(0.65).live("r2", at("11:00")));
    let standing = log.game().standing(MONEY).map(|item| item.published.generation.get());
    assert_eq!(standing, Some(2));
    let number = |number| Generation::new(number).expect("a number");
    assert_eq!(log.movement.entry(number(2)).map(|entry| entry.release_id.as_str()), Some("r2"));

    let window = |from: &str| Window::before(&log.movement, at(from) + TimeDelta::days(1), 1).expect("entries");
    let (forecasts, is_complete) = log.game().forecasts_in(MONEY, &window("10:30"));
    let numbers: Vec<_> = forecasts.iter().map(|item| item.published.generation.get()).collect();
    assert_eq!((numbers, is_complete), (vec![2, 3], false));
    let (history, is_complete) = log.game().lines_in(&window("11:30"));
    let numbers: Vec<_> = history.lines.iter().map(|line| line.published.generation.get()).collect();
    assert_eq!((numbers, is_complete), (vec![4, 5], false));

    let then = log.movement.up_to(number(4));
    assert_eq!(then.game(GAME).and_then(|game| game.starts_at()), Some(at("21:30")), "not yet rescheduled");
}

#[test]
fn odds_before_the_first_predictions_of_their_season_are_of_it() {
    let (game, published) = ("nfl-2024-09-08-pittsburgh_steelers-baltimore_ravens", at("15:00"));
    let odds =
        OddsGame { game_id: Some(game.to_owned()), ..quoted(&key("2024-09-08", "13:00:00"), None, money(-120, 110)) };
    let odds = Odds::new(vec![odds]).expect("one game");
    let next = Season::parse(Sport::Nfl, "2024-25").expect("a season");
    for (of, is_found) in [(season(), false), (next, true)] {
        let mut movement = SeasonMovement::new(Sport::Nfl, of, true);
        movement.note(&EntrySlate {
            generation: Generation::FIRST,
            published_at: published,
            release_id: &ReleaseId::from_log("r1".to_owned()),
            season: season(),
            odds: Some((published, &odds)),
            predictions: BTreeMap::new(),
        });
        assert_eq!(movement.game(game).is_some(), is_found, "{of}");
    }
}

#[test]
fn games_of_another_season_are_left_out_unless_an_archive_has_them() {
    // No season usually has games in August.
    let preseason = key("2024-08-10", "16:30:00");
    let mut movement = SeasonMovement::new(Sport::Nfl, season(), true);
    let odds = Odds::new(vec![quoted(&preseason, None, money(110, -130))]);
    let (odds, release_id) = (odds.expect("one game"), ReleaseId::from_log("r1".to_owned()));
    movement.note(&EntrySlate {
        generation: Generation::FIRST,
        published_at: at("10:00"),
        release_id: &release_id,
        season: Season::parse(Sport::Nfl, "2024-25").expect("a season"),
        odds: Some((at("10:00"), &odds)),
        predictions: BTreeMap::new(),
    });
    assert!(movement.game(GAME).is_none() && movement.games().is_empty());
    let row = a_game().with(|game| {
        game.facts.key = preseason.clone();
        game.facts.game_id = Some(GAME.to_owned());
    });
    let market = sports_domain::Market::new(Sport::Nfl, MONEY);
    let mut rows = SeasonRows::default();
    rows.read(&SeasonArchive::new(market, season(), vec![row.build()]).expect("one game"));
    movement.set_rows(rows);
    assert_eq!(movement.games().len(), 1);
}

proptest! {
    /// The lines of a game are the differences between its odds at every generation before the start.
    #[test]
    fn lines_are_the_differences_between_the_odds_of_all_generations(
        published in prop::collection::vec(prop::option::of((100..103, 100..102)), 1..36),
    ) {
        let mut log = Log::new();
        let start = at("21:30");
        let mut minute = 0;
        let mut expected = Vec::new();
        let mut known = None;
        for (index, quote) in published.iter().enumerate() {
            minute += 40;
            let time = at("00:00") + TimeDelta::minutes(minute);
            let quote = quote.map(|(home, away)| (home, away));
            log.odds(&time.format("%H:%M").to_string(), "00:00", &saturday(), quote.map(|(home, away)| money(home, away)));
            if time < start && quote != known {
                expected.push((index as u64 + 1, quote.map(|(home, _)| home)));
            }
            if time < start {
                known = quote;
            }
        }
        prop_assume!(published.iter().any(Option::is_some));
        let game = log.game();
        let listed: Vec<_> = lines(&game).into_iter().map(|(number, home, _)| (number, home)).collect();
        prop_assert_eq!(&listed, &expected);
        let close = expected.iter().rposition(|(_, home)| home.is_some());
        let marked = lines(&game).iter().rposition(|(.., mark)| matches!(mark, Some(LineMark::Close | LineMark::FirstAndClose)));
        prop_assert_eq!(marked, close);
    }
}
