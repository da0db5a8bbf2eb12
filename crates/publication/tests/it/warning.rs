//! The warnings about a release.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{
    AmericanPrice, GameKey, GameLines, GameType, HomeSpread, Market, ModelType, Sport, TeamSlug, Total, TwoWayPrices,
    eastern_reading,
};
use sports_publication::slate_update::{Returns, Warning};
use sports_publication::testing::{a_game, a_release, key, place, season};
use sports_publication::{
    ArtifactRef, Catalog, CompletedRun, LeagueRecord, Located, PredictionsEntry, Release, Reschedule, Run,
    SeasonArchive, SlateActivity, SourceTimes,
};

use crate::catalogs::{a_catalog, artifact, predicting};
use crate::releases_and_records::{MARKET, after, at, listing, morning, on, publish_onto, quoting};

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

fn run() -> Run {
    Run { id: "r".to_owned(), started_at: morning(), completed_at: Some(morning()), slate: SlateActivity::Active }
}

/// Returns the release with a run.
fn made(release: Release) -> Release {
    Release { run: Some(run()), ..release }
}

fn warned(release: &Release, record: LeagueRecord, catalog: Option<&Catalog>, now: DateTime<Utc>) -> Vec<Warning> {
    publish_onto(catalog, &Returns::new(), release, record, now).expect("publishes").1.warnings
}

#[test]
fn a_release_as_it_should_be_warns_of_nothing() {
    let release =
        made(Release { odds: quoting(&[("13:00:00", "a", 41.5)]).odds, ..listing(&[("13:00:00", Some("a"))]) });
    assert_eq!(warned(&release, LeagueRecord::default(), None, morning()), []);
}

#[test]
fn another_date_is_warned_of_and_another_time_is_not() {
    let known = || after(&[("13:00:00", Some("a"))]);
    let moved = made(on("2024-11-25", listing(&[("13:00:00", Some("a"))])));
    let to = GameKey { date: date("2024-11-25"), ..at("13:00:00") };
    let expected = Warning::OtherDate(Reschedule { from: at("13:00:00"), to });
    assert_eq!(warned(&moved, known(), None, morning()), [expected]);
    assert_eq!(warned(&made(listing(&[("14:00:00", Some("a"))])), known(), None, morning()), []);
}

#[test]
fn past_games_without_time_and_final_beside_unlisted_games_are_warned_of() {
    let market = Market::new(Sport::Mlb, MARKET);
    let on_date = |date: &str| a_game().on(date).without_time(None);
    let played = vec![on_date("2024-08-20").build(), on_date("2024-08-22").build()];
    let archive = SeasonArchive::new(market, season(Sport::Mlb, "2024"), played).expect("no key repeats");
    let known = || LeagueRecord {
        archives: [((MARKET, season(Sport::Mlb, "2024")), archive.clone())].into(),
        ..LeagueRecord::default()
    };
    let history = |dates: &[&str]| {
        a_release(Sport::Mlb, "2024", dates.iter().map(|date| on_date(date).unplayed().build()).collect())
    };
    let key = |date: &str| on_date(date).build().facts.key;
    let off = |dates: &[&str], now: &str| warned(&history(dates), known(), None, instant(now));
    let expected = Warning::OffByADay(vec![key("2024-08-21"), key("2024-08-23")]);
    assert_eq!(off(&["2024-08-23", "2024-08-21"], "2024-09-30T12:00:00Z"), [expected]);
    assert_eq!(off(&["2024-08-25"], "2024-09-30T12:00:00Z"), [], "on no neighbouring date");
    assert_eq!(off(&["2024-08-20", "2024-08-21", "2024-08-22"], "2024-09-30T12:00:00Z"), [], "all are listed");
    assert_eq!(off(&["2024-08-23"], "2024-08-23T15:00:00Z"), [], "it may be played today");
}

#[test]
fn a_file_without_news_and_games_left_out_are_warned_of() {
    let afternoon = instant("2024-11-24T18:30:00Z");
    let known = || after(&[("13:00:00", None), ("19:00:00", None)]);
    let begun = made(listing(&[("13:00:00", None)]));
    let expected = [Warning::AllFrozen(MARKET, 1), Warning::Dropped(MARKET, vec![at("19:00:00")])];
    assert_eq!(warned(&begun, known(), None, afternoon), expected);
    let both = made(listing(&[("13:00:00", None), ("19:00:00", None)]));
    assert_eq!(warned(&both, known(), None, afternoon), [], "one of the two is still to come");
    let mut held = made(listing(&[]));
    let file = sports_publication::PredictionsFile::default();
    held.predictions.insert(MARKET, file);
    held.held_games = [(MARKET, vec![Located { place: place(1), value: at("19:00:00") }])].into();
    assert_eq!(warned(&held, known(), None, afternoon), [], "a file without a row");
}

#[test]
fn odds_whose_games_have_all_started_are_warned_of() {
    let afternoon = instant("2024-11-24T18:30:00Z");
    let both = |total| quoting(&[("13:00:00", "a", total), ("19:00:00", "b", total)]);
    let known =
        || publish_onto(None, &Returns::new(), &both(41.5), LeagueRecord::default(), morning()).expect("quotes").0;
    let is_all = |warning: &Warning| matches!(warning, Warning::AllStarted(1));
    let begun = quoting(&[("13:00:00", "a", 42.0)]);
    assert!(warned(&begun, known(), None, afternoon).iter().any(is_all));
    assert!(warned(&begun, LeagueRecord::default(), None, afternoon).iter().any(is_all), "the first odds of a league");
    assert!(!warned(&both(42.0), known(), None, afternoon).iter().any(is_all), "one of the two is still to come");
    assert!(!warned(&begun, known(), None, morning()).iter().any(is_all));
}

#[test]
fn a_favourite_that_the_odds_on_record_do_not_have_is_warned_of() {
    let money = |home, away| {
        let price = |price| AmericanPrice::new(price).ok();
        GameLines { money: TwoWayPrices { positive: price(home), negative: price(away) }, ..GameLines::default() }
    };
    let spread = |points| GameLines { spread: HomeSpread::new(points).ok(), ..GameLines::default() };
    let quoted = |lines: GameLines| {
        let mut odds = quoting(&[("13:00:00", "a", 41.5)]);
        odds.odds.iter_mut().flatten().for_each(|row| row.value.lines = lines);
        odds
    };
    let of = |odds: GameLines, predicted: GameLines, with_odds: bool| {
        let record = publish_onto(None, &Returns::new(), &quoted(odds), LeagueRecord::default(), morning());
        let mut listed = made(listing(&[("13:00:00", Some("a"))]));
        listed.predictions.get_mut(&MARKET).expect("listed").rows[0].value.game.lines = predicted;
        listed.odds = quoted(odds).odds.filter(|_| with_odds);
        let mut warnings = warned(&listed, record.expect("quotes").0, None, morning());
        warnings.retain(|warning| matches!(warning, Warning::OtherFavourite(..)));
        warnings
    };
    let other = [Warning::OtherFavourite(MARKET, vec![at("13:00:00")])];
    let (home, away) = (money(-180, 155), money(155, -180));
    assert_eq!(of(home, spread(1.5), false), other);
    assert_eq!(of(spread(-1.5), away, false), other);
    assert_eq!([of(home, spread(-1.5), false), of(spread(-1.5), home, false)], [[], []]);
    let both = GameLines { spread: spread(1.5).spread, ..away };
    assert_eq!(of(home, both, false), [], "the lines of one file are compared before");
    assert_eq!(of(home, spread(1.5), true), [], "odds of the release are compared before");
}

#[test]
fn starts_that_no_eastern_clock_shows_are_warned_of() {
    let spring = instant("2024-03-01T12:00:00Z");
    let at_time = |time: &str| key("2024-03-10", time, "away", "home");
    let skipped = |time: &str| {
        let mut listed = made(listing(&[("13:00:00", None)]));
        let rows = &mut listed.predictions.get_mut(&MARKET).expect("listed").rows;
        rows[0].value.game.key = at_time(time);
        let warnings = warned(&listed, LeagueRecord::default(), None, spring);
        warnings.into_iter().find(|warning| matches!(warning, Warning::SkippedHour(_)))
    };
    assert_eq!(skipped("02:30:00"), Some(Warning::SkippedHour(vec![at_time("02:30:00")])));
    assert_eq!([skipped("01:59:00"), skipped("03:00:00")], [None, None]);
}

#[test]
fn kept_odds_of_a_game_that_has_started_keep_the_time_of_their_reading() {
    let afternoon = instant("2024-11-24T18:30:00Z");
    let both = |total| quoting(&[("13:00:00", "a", total), ("19:00:00", "b", total)]);
    let (known, _) =
        publish_onto(None, &Returns::new(), &both(41.5), LeagueRecord::default(), morning()).expect("quotes");
    let catalog = Catalog { odds: published().odds, ..a_catalog() };
    let read = catalog.odds.as_ref().expect("odds").source_as_of;
    let (after, _) =
        publish_onto(Some(&catalog), &Returns::new(), &both(44.0), known, afternoon).expect("quotes again");
    let odds = after.odds.expect("odds");
    let of = |time: &str| odds.get(&at(time)).map(|game| (game.lines.total.map(Total::get), game.last_updated));
    assert_eq!(of("13:00:00"), Some((Some(41.5), Some(eastern_reading(read)))));
    assert_eq!(of("19:00:00"), Some((Some(44.0), None)));
}

#[test]
fn quotes_without_a_game_and_games_without_a_quote_are_warned_of() {
    let known = || {
        let both = quoting(&[("13:00:00", "a", 41.5), ("19:00:00", "b", 44.5)]);
        let release = Release { odds: both.odds, ..listing(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]) };
        publish_onto(None, &Returns::new(), &release, LeagueRecord::default(), morning()).expect("publishes").0
    };
    assert_eq!(
        warned(&quoting(&[("13:00:00", "a", 41.5)]), known(), None, morning()),
        [Warning::Unquoted(vec![at("19:00:00")])]
    );
    let more = quoting(&[("13:00:00", "a", 41.5), ("19:00:00", "b", 44.5), ("21:00:00", "c", 44.5)]);
    let expected = || vec![Warning::Unpredicted(vec![at("21:00:00")])];
    assert_eq!(warned(&more, known(), None, morning()), expected());
    let night = instant("2024-11-25T03:00:00Z");
    assert_eq!(warned(&more, known(), None, night), [Warning::AllStarted(3)], "it has begun");
    // Once a game has started, a book may list another time for it: its id and its teams identify it.
    let afternoon = instant("2024-11-24T18:30:00Z");
    let delayed = quoting(&[("13:30:00", "a", 41.5), ("19:00:00", "b", 44.5)]);
    assert_eq!(warned(&delayed, known(), None, afternoon), []);
    let mut strangers = quoting(&[("19:00:00", "b", 44.5), ("20:00:00", "s", 41.5)]);
    strangers.odds.as_mut().expect("quoted")[1].value.key.away = TeamSlug::normalise("strangers").expect("a team");
    let strange = GameKey { away: TeamSlug::normalise("strangers").expect("a team"), ..at("20:00:00") };
    assert_eq!(warned(&strangers, known(), None, afternoon), [Warning::Unpredicted(vec![strange])]);
    let nameless = |mut odds: Release| {
        odds.odds.iter_mut().flatten().for_each(|row| row.value.match_id = None);
        odds
    };
    let known = after(&[("19:00:00", None)]);
    let expected = vec![Warning::Unpredicted(vec![at("21:00:00")])];
    let listed = nameless(quoting(&[("19:00:00", "", 44.5), ("21:00:00", "", 44.5)]));
    assert_eq!(warned(&listed, known, None, morning()), expected, "nor is none");
}

#[test]
fn odds_under_another_id_are_warned_of() {
    let known = after(&[("13:00:00", Some("a"))]);
    assert_eq!(
        warned(&quoting(&[("13:00:00", "b", 41.5)]), known, None, morning()),
        [Warning::OtherId(at("13:00:00"))]
    );
}

#[test]
fn the_same_odds_without_a_time_of_their_own_are_warned_of() {
    let odds = || Release { odds: quoting(&[("13:00:00", "a", 41.5)]).odds, ..listing(&[]) };
    let known = || {
        let release = Release { odds: odds().odds, ..listing(&[("13:00:00", Some("a"))]) };
        publish_onto(None, &Returns::new(), &release, LeagueRecord::default(), morning()).expect("publishes").0
    };
    let catalog = Catalog { odds: Some(artifact("odds")), ..a_catalog() };
    assert_eq!(warned(&odds(), known(), Some(&catalog), morning()), [Warning::OddsKeepTheirTime]);
    let stated = SourceTimes { odds: Some(artifact("odds").source_as_of), predictions: None };
    assert_eq!(warned(&Release { source_as_of: stated, ..odds() }, known(), Some(&catalog), morning()), []);
    assert_eq!(warned(&odds(), known(), Some(&a_catalog()), morning()), []);
}

#[test]
fn predictions_of_today_or_later_need_a_run() {
    let listed = || listing(&[("13:00:00", None)]);
    let no_run = [Warning::NoRun(date("2024-11-24"))];
    let warned =
        |release: &Release, catalog: Option<&Catalog>, now| warned(release, LeagueRecord::default(), catalog, now);
    assert_eq!(warned(&listed(), None, morning()), no_run);
    assert_eq!(warned(&listed(), None, instant("2024-11-23T12:00:00Z")), no_run, "tomorrow's");
    assert_eq!(warned(&Release { slate_date: date("2024-11-23"), ..listed() }, None, morning()), [], "yesterday's");
    assert_eq!(warned(&made(listed()), None, morning()), []);
    let completed = |slate_date| Catalog {
        slate_date: date("2024-11-25"),
        earlier_run: CompletedRun::new(date(slate_date), run()),
        ..a_catalog()
    };
    assert_eq!(warned(&listed(), Some(&completed("2024-11-24")), morning()), [], "a run of the date has completed");
    assert_eq!(warned(&listed(), Some(&completed("2024-11-23")), morning()), no_run);
}

#[test]
fn dates_outside_a_leagues_usual_months_are_warned_of_file_by_file() {
    let (mlb, file) = (season(Sport::Mlb, "2024"), || place(1).file);
    let unusual =
        |rows, first| Warning::UnusualDates { sport: Sport::Mlb, season: mlb, file: file(), rows, first: date(first) };
    let spring = instant("2024-12-01T12:00:00Z");
    let mut listed = made(listing(&[("13:00:00", None), ("14:00:00", None), ("15:00:00", None)]));
    let rows = &mut listed.predictions.get_mut(&MARKET).expect("listed").rows;
    for (row, day) in rows.iter_mut().zip(["2024-12-14", "2024-12-13", "2024-12-15"]) {
        row.value.game.key.date = date(day);
    }
    assert_eq!(warned(&listed, LeagueRecord::default(), None, spring), [unusual(3, "2024-12-13")]);
    let games = ["2024-02-10", "2024-11-24", "2024-02-09"].map(|day| a_game().on(day).build());
    let history = |games: Vec<_>| a_release(Sport::Mlb, "2024", games);
    assert_eq!(warned(&history(games.to_vec()), LeagueRecord::default(), None, spring), [unusual(2, "2024-02-09")]);
    let preseason = |game: sports_publication::ArchivedGame| {
        let mut game = game;
        game.facts.game_type = GameType::from_word("preseason");
        game
    };
    assert_eq!(warned(&history(games.map(preseason).to_vec()), LeagueRecord::default(), None, spring), [], "left out");
    // The new start of a stated reschedule counts too.
    let to = GameKey { date: date("2024-12-02"), ..at("13:00:00") };
    let made = Reschedule { from: at("13:00:00"), to };
    let stated = Release { moved: vec![Located { place: place(1), value: made.clone().into() }], ..listing(&[]) };
    let expected = [unusual(1, "2024-12-02"), Warning::OtherDate(made)];
    assert_eq!(warned(&stated, after(&[("13:00:00", None)]), None, morning()), expected);
}

/// Returns the published catalog, as of noon, for the slate of the 24th.
fn published() -> Catalog {
    let noon = ArtifactRef {
        source_as_of: instant("2024-11-24T12:00:00Z"),
        slate_date: date("2024-11-24"),
        ..artifact("published")
    };
    let entry = PredictionsEntry { artifact: noon.clone(), ..predicting(season(Sport::Nfl, "2024-25")) };
    Catalog { odds: Some(noon), predictions: [(MARKET, entry)].into(), ..a_catalog() }
}

#[test]
fn content_older_than_what_it_replaces_is_warned_of() {
    let spoken = |odds: &str, predictions: &str| {
        let source_as_of = SourceTimes { odds: Some(instant(odds)), predictions: Some(instant(predictions)) };
        let odds = quoting(&[("13:00:00", "a", 42.0)]).odds;
        made(Release { odds, source_as_of, ..listing(&[("13:00:00", Some("a"))]) })
    };
    let older = |what, source_as_of: &str| {
        let current = instant("2024-11-24T12:00:00Z");
        Warning::Older { what, source_as_of: instant(source_as_of), current }
    };
    let (before, noon, later) = ("2024-11-24T11:59:59Z", "2024-11-24T12:00:00Z", "2024-11-24T14:00:00Z");
    let warned = |release: &Release| warned(release, LeagueRecord::default(), Some(&published()), morning());
    assert_eq!(warned(&spoken(before, before)), [older("odds", before), older("predictions", before)]);
    assert_eq!(warned(&spoken(noon, before)), [older("predictions", before)]);
    assert_eq!(warned(&spoken(before, later)), [older("odds", before)]);
    assert_eq!(warned(&spoken(noon, later)), []);
    // Source times of content that the release does not have are not compared.
    let odds_alone = Release { predictions: BTreeMap::new(), ..spoken(later, before) };
    assert_eq!(warned(&odds_alone), [Warning::Unpredicted(vec![at("13:00:00")])]);
    let predictions_alone = Release { odds: None, ..spoken(before, later) };
    assert_eq!(warned(&predictions_alone), []);
}

#[test]
fn repeated_content_replaces_nothing() {
    let release = Release { odds: quoting(&[("13:00:00", "a", 42.0)]).odds, ..listing(&[("13:00:00", Some("a"))]) };
    let known = publish_onto(None, &Returns::new(), &release, LeagueRecord::default(), morning()).expect("publishes").0;
    let run = Run { completed_at: None, ..run() };
    let again = Release { run: Some(run), ..release };
    let report = publish_onto(Some(&published()), &Returns::new(), &again, known, morning()).expect("publishes").1;
    assert!(report.odds_repeated && report.markets[&MARKET].repeated);
    assert_eq!(report.warnings, [Warning::OddsKeepTheirTime]);
}

#[test]
fn an_older_slate_is_warned_of_where_it_replaces_a_newer_one() {
    let older = |release: Release| made(Release { slate_date: date("2024-11-23"), ..release });
    let expected = [Warning::OlderSlate { slate_date: date("2024-11-23"), current: date("2024-11-24") }];
    let warned = |release: &Release, catalog: &Catalog| {
        let found = warned(release, LeagueRecord::default(), Some(catalog), morning());
        found.into_iter().filter(|warning| matches!(warning, Warning::OlderSlate { .. })).collect::<Vec<_>>()
    };
    let (listed, quoted) = (listing(&[("13:00:00", None)]), quoting(&[("13:00:00", "a", 41.5)]));
    assert_eq!(warned(&older(listed.clone()), &published()), expected);
    assert_eq!(warned(&older(quoted.clone()), &published()), expected);
    assert_eq!(warned(&listed, &published()), [], "of the same date");
    assert_eq!(warned(&older(listed), &Catalog { predictions: BTreeMap::new(), ..published() }), [], "of odds alone");
    assert_eq!(warned(&older(quoted), &Catalog { odds: None, ..published() }), [], "of predictions alone");
}

#[test]
fn each_warning_has_its_sentence() {
    let game = "2024-11-24 13:00:00 away_team at home_team";
    let games = |count: usize| {
        ["13:00:00", "14:00:00", "15:00:00", "16:00:00", "17:00:00"][..count].iter().map(|time| at(time)).collect()
    };
    let moved = || Reschedule { from: at("13:00:00"), to: at("14:00:00") };
    let later = "2024-11-24 14:00:00 away_team at home_team";
    let last = "2024-11-24 15:00:00 away_team at home_team";
    let table: [(Warning, String); 13] = [
        (Warning::OtherDate(moved()), format!("rescheduled to another date: {game} to {later}")),
        (
            Warning::Restored(moved()),
            format!("{game} went back to {later}, which has passed: what was forecast for it since then does not count any more"),
        ),
        (
            Warning::AllFrozen(ModelType::OverUnder, 2),
            "predictions/over_under: every game (2) has started or was played, so nothing of the file is new".to_owned(),
        ),
        (
            Warning::Dropped(ModelType::WonOnSpread, games(1)),
            format!("predictions/won_on_spread: not started, not in the file and no longer served: {game}"),
        ),
        (Warning::Unquoted(games(3)), format!("odds: not started and no longer quoted: {game}; {later}; {last}")),
        (Warning::Unquoted(games(4)), format!("odds: not started and no longer quoted: {game}; {later}; {last}; and 1 more")),
        (Warning::Unpredicted(games(5)), format!("odds: no market predicts {game}; {later}; {last}; and 2 more")),
        (
            Warning::OtherId(at("13:00:00")),
            format!("the odds have {game} under another match_id than the record, which keeps its own"),
        ),
        (
            Warning::OddsKeepTheirTime,
            "the odds are unchanged and keep their time; if the source was read again, say so with `source_as_of.odds` in \
             release.json"
                .to_owned(),
        ),
        (
            Warning::NoRun(date("2024-11-24")),
            "release.json names no `run`, so the data status cannot call the slate of 2024-11-24 complete".to_owned(),
        ),
        (
            Warning::UnusualDates {
                sport: Sport::Nfl,
                season: season(Sport::Nfl, "2024-25"),
                file: place(1).file,
                rows: 2,
                first: date("2025-05-03"),
            },
            "games/test.csv: dates outside the usual months of nfl 2024-25: 2, the first is 2025-05-03".to_owned(),
        ),
        (
            Warning::Older {
                what: "odds",
                source_as_of: instant("2024-11-24T11:00:00Z"),
                current: instant("2024-11-24T12:00:00.5Z"),
            },
            "these odds are of 2024-11-24T11:00:00Z, older than those of 2024-11-24T12:00:00.500Z that they replace".to_owned(),
        ),
        (
            Warning::OlderSlate { slate_date: date("2024-11-23"), current: date("2024-11-24") },
            "the slate of 2024-11-23 replaces content of a newer one, 2024-11-24".to_owned(),
        ),
    ];
    for (warning, text) in table {
        assert_eq!(warning.to_string(), text);
    }
    assert!(Warning::NewStore.to_string().starts_with("nothing was published in this store before"));
}

#[test]
fn a_confirmed_off_day_with_games_that_are_served_is_warned_of() {
    let known = || after(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    let off = |slate, completed_at| Release {
        slate_date: date("2024-11-24"),
        run: Some(Run { slate, completed_at, ..run() }),
        ..listing(&[])
    };
    let afternoon = instant("2024-11-24T18:30:00Z");
    let expected = Warning::OffDayWithGames(date("2024-11-24"), vec![at("19:00:00")]);
    assert_eq!(warned(&off(SlateActivity::None, Some(morning())), known(), None, afternoon), [expected]);
    assert_eq!(warned(&off(SlateActivity::None, None), known(), None, afternoon), [], "not confirmed yet");
    assert_eq!(warned(&off(SlateActivity::Active, Some(morning())), known(), None, afternoon), []);
    let evening = instant("2024-11-25T00:30:00Z");
    assert_eq!(warned(&off(SlateActivity::None, Some(morning())), known(), None, evening), [], "all have started");
}

#[test]
fn a_college_under_a_second_name_is_warned_of_with_both() {
    let named = |home: &str, day: u32| {
        let mut game = a_game().on(&format!("2024-11-{day:02}")).build();
        game.facts.key.home = TeamSlug::normalise(home).expect("a team");
        game
    };
    // History is on record before the slate of its release is published.
    let label = season(Sport::Ncaaf, "2024-25");
    let warned = |released: Vec<_>, games: Vec<_>| {
        let archive = SeasonArchive::new(Market::new(Sport::Ncaaf, MARKET), label, games).expect("no key repeats");
        let record = LeagueRecord { archives: [((MARKET, label), archive)].into(), ..LeagueRecord::default() };
        warned(&made(a_release(Sport::Ncaaf, "2024-25", released)), record, None, morning())
    };
    let usual: Vec<_> = [2, 9, 16, 23].map(|day| named("michigan_state", day)).into();
    let near = |warnings: Vec<Warning>| {
        let near = warnings.into_iter().filter(|warning| matches!(warning, Warning::NearName { .. }));
        near.map(|warning| warning.to_string()).collect::<Vec<_>>()
    };
    let sentence = "2024-25: `michigan_st` has 1 game beside `michigan_state` with 4: under two names a team has two \
                    records";
    let all = [usual.clone(), vec![named("michigan_st", 30)]].concat();
    assert_eq!(near(warned(all.clone(), all.clone())), [sentence]);
    assert_eq!(near(warned(vec![named("michigan_st", 30)], all)), [sentence], "beside the record");
    assert_eq!(near(warned(usual.clone(), usual)), [""; 0]);
}
