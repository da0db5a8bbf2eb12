//! The markets of a league and the days of its slates, over many days of publishing.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc, Weekday};
use proptest::prelude::*;
use sports_domain::{ModelType, Sport};
use sports_publication::registry::SlateDays;
use sports_publication::slate::freshness::{
    Degradation, Evidence, OddsEvidence, PredictionsEvidence, PublishedEvidence, RunEvidence, Status, judge,
};
use sports_publication::slate::{SlateCalendar, SlateDates};
use sports_publication::testing::season;
use sports_publication::{Catalog, Generation};

use crate::catalogs::{a_catalog, predicting};

const ALL: [ModelType; 3] = ModelType::ALL;
const MONEYLINE: ModelType = ModelType::WonOnPoints;
const TOTALS: ModelType = ModelType::OverUnder;

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

fn days(words: &str) -> SlateDays {
    SlateDays::parse(words.split(' ')).expect("weekdays")
}

/// A log of releases.
#[derive(Default)]
struct Log(Vec<Catalog>);

impl Log {
    /// Publishes predictions of these markets for a date.
    fn publish(&mut self, slate_date: NaiveDate, markets: &[ModelType]) {
        let mut next = self.0.last().cloned().unwrap_or_else(a_catalog);
        next.generation = self.0.last().map_or(Generation::FIRST, |last| last.generation.next());
        next.slate_date = self.0.last().map_or(slate_date, |last| last.slate_date.max(slate_date));
        for market in markets {
            let mut entry = predicting(season(Sport::Nfl, "2024-25"));
            entry.artifact.slate_date = slate_date;
            next.predictions.insert(*market, entry);
        }
        self.0.push(next);
    }

    /// Returns the markets as of the newest entry, and the number of entries that were read for them.
    fn markets(&self) -> (BTreeSet<ModelType>, usize) {
        let (newest, before) = self.0.split_last().expect("an entry");
        let mut dates = SlateDates::of(newest);
        let mut oldest = newest;
        let mut read = 1;
        for entry in before.iter().rev() {
            if !dates.needs_before(newest, oldest) {
                break;
            }
            dates.note(entry);
            oldest = entry;
            read += 1;
        }
        (dates.markets(), read)
    }

    /// Returns the evidence after a day's whole release of the newest entry's markets, at 08:00 in New York.
    fn evidence(&self, now: DateTime<Utc>) -> PublishedEvidence {
        let newest = self.0.last().expect("an entry");
        let slate_date = newest.slate_date;
        let source_as_of = now - TimeDelta::hours(3);
        let of = |market: &ModelType| newest.predictions.get(market).map(|entry| entry.artifact.slate_date);
        let made = |slate_date| PredictionsEvidence { slate_date, source_as_of, newer_odds_since: None };
        let (markets, _) = self.markets();
        PublishedEvidence {
            completed_run: Some(RunEvidence { slate_date, active_slate: true }),
            run_begun_for: Some(slate_date),
            odds: Some(OddsEvidence { slate_date, source_as_of }),
            predictions: ALL.map(|market| of(&market).map(made)),
            results: ALL.map(|market| of(&market)),
            left_out: ALL.into_iter().filter(|market| !markets.contains(market)).collect(),
            ..PublishedEvidence::default()
        }
    }
}

fn status(evidence: &PublishedEvidence, now: DateTime<Utc>) -> (Status, bool, Option<Degradation>) {
    let assessed = judge(&Evidence::Published(Box::new(evidence.clone())), now);
    (assessed.status(), assessed.operational(), assessed.degradation())
}

/// Returns 11:00 in New York on a winter day.
fn morning(date: NaiveDate) -> DateTime<Utc> {
    date.and_hms_opt(16, 0, 0).expect("a time").and_utc()
}

const FRESH: (Status, bool, Option<Degradation>) = (Status::Fresh, true, None);
const STALE: (Status, bool, Option<Degradation>) = (Status::Stale, false, Some(Degradation::DailyOutputStale));
const OFF: (Status, bool, Option<Degradation>) = (Status::OffDay, true, None);

#[test]
fn a_moneyline_league_is_fresh_for_thirty_days_and_stale_on_the_day_it_stops() {
    let (mut log, first) = (Log::default(), date("2024-11-10"));
    for day in 0..30 {
        let today = first + Days::new(day);
        if day > 0 {
            assert_eq!(status(&log.evidence(morning(today)), morning(today)), STALE, "{today}, before its release");
        }
        log.publish(today, &[MONEYLINE]);
        let evidence = log.evidence(morning(today));
        assert_eq!(status(&evidence, morning(today)), FRESH, "{today}");
        let assessed = judge(&Evidence::Published(Box::new(evidence)), morning(today));
        assert_eq!(assessed.markets().each_ref().map(|market| market.expected), [false, true, false]);
        assert_eq!(assessed.next_slate(), today.succ_opt());
    }
    let after = first + Days::new(30);
    assert_eq!(status(&log.evidence(morning(after)), morning(after)), STALE);
}

#[test]
fn a_market_is_expected_until_fourteen_slate_dates_are_without_it() {
    let (mut log, first) = (Log::default(), date("2024-11-10"));
    log.publish(first, &ALL);
    for slate in 1..=20 {
        // Two releases a slate, and a slate each second day.
        let today = first + Days::new(2 * slate);
        log.publish(today, &[MONEYLINE]);
        log.publish(today, &[MONEYLINE]);
        let expected = if slate < 14 { FULL } else { &[MONEYLINE] };
        assert_eq!(log.markets().0, expected.iter().copied().collect(), "slate {slate}");
        let state = status(&log.evidence(morning(today)), morning(today)).0;
        assert_eq!(state, if slate < 14 { Status::Partial } else { Status::Fresh }, "slate {slate}");
    }
    // A slate each second week: the dates count, however long ago they were.
    let mut seldom = Log::default();
    seldom.publish(first, &ALL);
    seldom.publish(first + Days::new(200), &[MONEYLINE]);
    assert_eq!(seldom.markets().0, FULL.iter().copied().collect());
}

const FULL: &[ModelType] = &ALL;

#[test]
fn entries_are_read_back_only_for_a_market_that_is_two_weeks_old() {
    let (mut log, first) = (Log::default(), date("2024-11-10"));
    for day in 0..40 {
        log.publish(first + Days::new(day), &[MONEYLINE, TOTALS]);
        assert_eq!(log.markets().1, 1, "day {day}");
    }
    for day in 40..70 {
        log.publish(first + Days::new(day), &[MONEYLINE]);
        let (markets, read) = log.markets();
        assert_eq!(markets.contains(&TOTALS), day < 53, "day {day}");
        assert!(read <= 15, "day {day}: {read} entries");
        assert_eq!(read == 1, day < 53, "day {day}: {read} entries");
    }
}

#[test]
fn before_the_first_predictions_every_market_is_expected() {
    assert_eq!(SlateDates::of(&a_catalog()).markets(), ALL.into());
    let mut log = Log::default();
    log.publish(date("2024-11-10"), &[TOTALS]);
    assert_eq!(log.markets().0, [TOTALS].into(), "a first slate has what it brings");
}

proptest! {
    /// The markets are those of the last fourteen dates with predictions, whatever was published for which date.
    #[test]
    fn markets_are_those_of_the_last_fourteen_slate_dates(
        releases in prop::collection::vec((0..4_u64, prop::sample::subsequence(ALL.to_vec(), 0..=3)), 1..80),
    ) {
        let (mut log, mut today) = (Log::default(), date("2024-09-01"));
        let mut dates: BTreeMap<NaiveDate, BTreeSet<ModelType>> = BTreeMap::new();
        for (wait, markets) in releases {
            today = today + Days::new(wait);
            log.publish(today, &markets);
            if !markets.is_empty() {
                dates.entry(today).or_default().extend(&markets);
            }
            let last: BTreeSet<_> = dates.values().rev().take(14).flatten().copied().collect();
            let expected = if last.is_empty() { ALL.into() } else { last };
            prop_assert_eq!(log.markets().0, expected);
        }
    }

    /// On a day that is due a release changes what it changed before; on any other day it makes no difference that none was.
    #[test]
    fn a_publish_gives_the_state_of_a_slate_day(
        weekdays in prop::collection::btree_set(0..7_usize, 1..7), day in 0..400_u64, hour in 0..24_i64, parts in 0..4_usize,
    ) {
        let today = date("2024-09-01") + Days::new(day);
        let words: Vec<_> = weekdays.iter().map(|day| SlateDays::WORDS[*day]).collect();
        let now = morning(today) + TimeDelta::hours(hour - 11);
        let today = judge(&Evidence::NeverPublished, now).day().date;
        let mut log = Log::default();
        log.publish(today, &[MONEYLINE]);
        let mut evidence = log.evidence(now);
        let yesterday = today.pred_opt();
        if parts < 3 {
            evidence.odds = None;
            evidence.results = [yesterday; 3];
        }
        if parts < 2 {
            evidence.predictions = [None; 3];
        }
        if parts < 1 {
            evidence.completed_run = None;
            evidence.run_begun_for = yesterday;
        }
        let every_day = status(&evidence, now);
        evidence.calendar.slate_days = SlateDays::parse(words).ok();
        let is_slate_day = weekdays.contains(&(today.format("%u").to_string().parse::<usize>().expect("a number") - 1));
        prop_assert_eq!(status(&evidence, now), if parts > 0 || is_slate_day { every_day } else { OFF });
        evidence.calendar.games = [today].into();
        prop_assert_eq!(status(&evidence, now), every_day, "a game is on record");
    }
}

#[test]
fn a_weekly_league_has_off_days_between_its_slates_and_a_game_makes_a_slate_day() {
    // Thursday 21 November 2024 to Wednesday 11 December; games on Sundays and on Saturday the 7th.
    let mut log = Log::default();
    for day in 0..21 {
        let today = date("2024-11-21") + Days::new(day);
        let is_slate_day = [Weekday::Thu, Weekday::Sun].contains(&chrono::Datelike::weekday(&today));
        let has_game = today == date("2024-12-07");
        let calendar = SlateCalendar {
            slate_days: Some(days("sun thu")),
            games: if has_game { [today].into() } else { BTreeSet::new() },
            ..SlateCalendar::default()
        };
        if !log.0.is_empty() {
            let before = PublishedEvidence { calendar: calendar.clone(), ..log.evidence(morning(today)) };
            let expected = if is_slate_day || has_game { STALE } else { OFF };
            assert_eq!(status(&before, morning(today)), expected, "{today}");
        }
        if is_slate_day || has_game {
            log.publish(today, &ALL);
            let after = PublishedEvidence { calendar, ..log.evidence(morning(today)) };
            assert_eq!(status(&after, morning(today)), FRESH, "{today}");
        }
    }
}

#[test]
fn finals_of_the_games_before_leave_a_day_without_a_slate_off() {
    let (sunday, monday) = (date("2024-11-24"), date("2024-11-25"));
    let mut log = Log::default();
    log.publish(sunday, &ALL);
    let calendar = SlateCalendar { slate_days: Some(days("sun")), ..SlateCalendar::default() };
    let settled = PublishedEvidence { results: [Some(monday); 3], calendar, ..log.evidence(morning(monday)) };
    assert_eq!(status(&settled, morning(monday)), OFF);
}

#[test]
fn no_slate_is_due_from_a_week_after_the_last_final_to_the_next_game() {
    let calendar = |games: &[&str]| SlateCalendar {
        last_final: Some(date("2025-02-09")),
        games: games.iter().map(|text| date(text)).collect(),
        ..SlateCalendar::default()
    };
    let over = calendar(&[]);
    assert!(over.is_due(date("2025-02-15")) && !over.is_due(date("2025-02-16")) && !over.is_due(date("2025-08-01")));
    assert_eq!(
        (over.next_due(date("2025-02-10")), over.next_due(date("2025-03-01"))),
        (Some(date("2025-02-11")), None)
    );
    let scheduled = calendar(&["2025-09-04"]);
    assert!(!scheduled.is_due(date("2025-09-03")) && scheduled.is_due(date("2025-09-04")));
    assert!(scheduled.is_due(date("2025-09-05")), "the next season has begun, and its game awaits its final");
    assert_eq!(scheduled.next_due(date("2025-03-01")), Some(date("2025-09-04")));
    // Of a weekly league, the seventh day is the day of the next slate. 9 February 2025 is a Sunday.
    let weekly = SlateCalendar { slate_days: Some(days("sun")), ..calendar(&[]) };
    assert!(weekly.is_due(date("2025-02-16")) && !weekly.is_due(date("2025-02-23")));
    assert_eq!(
        (weekly.next_due(date("2025-02-09")), weekly.next_due(date("2025-02-16"))),
        (Some(date("2025-02-16")), None)
    );
    let awaiting = calendar(&["2025-02-02"]);
    assert!(awaiting.is_due(date("2025-03-01")), "a game of the season awaits its final");
    assert!(SlateCalendar::default().is_due(date("2025-03-01")), "nothing was played yet");
}

#[test]
fn the_next_slate_is_on_the_next_slate_day_or_game() {
    let weekly = SlateCalendar { slate_days: Some(days("sun")), ..SlateCalendar::default() };
    // 24 November 2024 is a Sunday.
    assert_eq!(weekly.next_due(date("2024-11-23")), Some(date("2024-11-24")));
    assert_eq!(weekly.next_due(date("2024-11-24")), Some(date("2024-12-01")));
    let with_game = SlateCalendar { games: [date("2024-11-28")].into(), ..weekly };
    assert_eq!(with_game.next_due(date("2024-11-24")), Some(date("2024-11-28")));
}

#[test]
fn newer_odds_make_predictions_that_do_not_depend_on_them_neither_pending_nor_stale() {
    let today = date("2024-11-24");
    let mut log = Log::default();
    log.publish(today, &ALL);
    let mut evidence = log.evidence(morning(today));
    let since = morning(today);
    evidence.odds = evidence.odds.map(|odds| OddsEvidence { source_as_of: since, ..odds });
    for made in evidence.predictions.iter_mut().flatten() {
        made.newer_odds_since = Some(since);
    }
    let later = since + TimeDelta::hours(3);
    assert_eq!(status(&evidence, later), (Status::Stale, true, Some(Degradation::PredictionsStale)));
    evidence.odds_independent = true;
    assert_eq!(status(&evidence, later), FRESH);
    let assessed = judge(&Evidence::Published(Box::new(evidence)), later);
    assert!(!assessed.refresh_pending());
}

#[test]
fn a_market_that_the_league_does_not_have_is_never_late() {
    let today = date("2024-11-24");
    let mut log = Log::default();
    log.publish(today, &ALL);
    let mut evidence = log.evidence(morning(today));
    evidence.left_out = [TOTALS].into();
    evidence.odds = evidence.odds.map(|odds| OddsEvidence { source_as_of: morning(today), ..odds });
    for market in [1, 2] {
        evidence.predictions[market] = evidence.predictions[market]
            .map(|made| PredictionsEvidence { source_as_of: morning(today) + TimeDelta::minutes(1), ..made });
    }
    let later = morning(today) + TimeDelta::hours(3);
    assert_eq!(status(&evidence, later), FRESH);
}

#[test]
fn slate_days_are_words_in_any_order_each_once() {
    assert_eq!(days("sun mon thu").to_string(), "mon, thu, sun");
    let refused = |words: &[&str]| SlateDays::parse(words.iter().copied()).expect_err("refused").to_string();
    assert_eq!(refused(&[]), "a league has one slate day or more");
    assert_eq!(refused(&["Mon"]), "Mon is no weekday");
    assert_eq!(refused(&["mon", "tue", "mon"]), "mon is listed twice");
}
