//! The games of odds and first quotes.

use sports_domain::{AmericanPrice, HomeSpread, LineColumn, Total, TwoWayPrices};
use sports_publication::slate_update::OddsReport;
use sports_publication::{LeagueRecord, ZeroSpreadOpeners};

use crate::releases_and_records::{GAME_ID, MARKET, at, listing, morning, publish, quoting};

#[test]
fn lines_a_file_lacks_come_from_the_odds_with_their_source() {
    let mut quoted = quoting(&[("13:00:00", "a", 41.5)]);
    let quote = &mut quoted.odds.as_mut().expect("quoted")[0].value;
    quote.quote_source = Some("a book".to_owned());
    quote.lines.spread = HomeSpread::new(0.0).ok();
    let published_as = |given: &[LineColumn], zeros: Option<ZeroSpreadOpeners>| {
        let mut incoming = listing(&[("13:00:00", None)]);
        incoming.zero_spread_openers = zeros;
        incoming.predictions.get_mut(&MARKET).expect("predicted").rows[0].value.game.lines.open_spread =
            HomeSpread::new(0.0).ok();
        incoming.predictions.get_mut(&MARKET).expect("predicted").given = given.to_vec();
        let (record, _) = publish(&quoted, LeagueRecord::default(), morning()).expect("quoted");
        let (record, _) = publish(&incoming, record, morning()).expect("publishes");
        let facts = record.archives.values().next().expect("an archive").games()[0].facts.clone();
        let served = record.predictions[&MARKET].games()[0].clone();
        assert_eq!((served.game.lines, &served.quote_source), (facts.lines, &facts.quote_source));
        facts
    };
    let published = |given: &[LineColumn]| published_as(given, None);
    let facts = published(&[]);
    assert_eq!((facts.match_id.as_deref(), facts.quote_source.as_deref()), (Some("a"), Some("a book")));
    assert_eq!(facts.lines.total, Total::new(41.5).ok());
    assert_eq!(
        (facts.lines.spread, facts.lines.open_spread),
        (HomeSpread::new(0.0).ok(), None),
        "a placeholder opener"
    );
    for (zeros, opener) in [
        (None, None),
        (Some(ZeroSpreadOpeners::Placeholder), None),
        (Some(ZeroSpreadOpeners::PickEm), HomeSpread::new(0.0).ok()),
    ] {
        let lines = published_as(&[LineColumn::OpenHomePointSpread], zeros).lines;
        assert_eq!((lines.open_spread, lines.open_spread_placeholder.0), (opener, opener.is_none()), "{zeros:?}");
    }
    let own = published(&[LineColumn::OverUnder]);
    assert_eq!((own.lines.total, own.quote_source), (Total::new(43.5).ok(), None));
}

#[test]
fn a_quote_at_the_start_of_a_game_is_of_it_under_any_id() {
    let (record, _) =
        publish(&quoting(&[("19:00:00", "a", 41.5)]), LeagueRecord::default(), morning()).expect("one is quoted");
    let mut incoming = listing(&[("19:00:00", Some("b"))]);
    incoming.predictions.get_mut(&MARKET).expect("predicted").given.clear();
    let (record, _) = publish(&incoming, record, morning()).expect("the same is predicted");
    let lines = record.predictions[&MARKET].games()[0].game.lines;
    assert_eq!((lines.total, lines.open_total), (Total::new(41.5).ok(), None));
    let (after, report) = publish(&quoting(&[("19:00:00", "a", 42.0)]), record, morning()).expect("quoted again");
    assert_eq!(report.misquoted, [at("19:00:00")], "a person should look at it");
    let quoted = after.odds.expect("odds").games()[0].clone();
    assert_eq!((quoted.match_id.as_deref(), quoted.game_id.as_deref()), (Some("b"), Some(GAME_ID)));
}

#[test]
fn odds_follow_their_game_when_it_is_rescheduled() {
    let (record, _) =
        publish(&listing(&[("13:00:00", Some("a"))]), LeagueRecord::default(), morning()).expect("one is predicted");
    let (record, _) = publish(&quoting(&[("13:00:00", "b", 41.5)]), record, morning()).expect("it is quoted");
    let (record, report) = publish(&listing(&[("16:00:00", Some("a"))]), record, morning()).expect("it is rescheduled");
    assert_eq!((report.moved.len(), report.unquoted), (1, Vec::new()));
    assert!(record.odds.expect("odds").get(&at("16:00:00")).is_some());
}

#[test]
fn first_quotes_stay_with_games_that_change_places() {
    let first = quoting(&[("13:00:00", "a", 41.5), ("19:00:00", "b", 49.5)]);
    let (record, _) = publish(&first, LeagueRecord::default(), morning()).expect("quoted");
    let (record, _) =
        publish(&listing(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]), record, morning()).expect("predicted");
    // The first game has started: it closed, and no later quote belongs to it.
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let swapped = quoting(&[("13:00:00", "b", 50.0), ("19:00:00", "a", 42.0)]);
    let (record, report) = publish(&swapped, record, afternoon).expect("quoted late");
    assert_eq!((report.moved.len(), report.frozen), (2, [at("19:00:00")].into()));
    let opener = |time: &str| {
        let seen = record.openers.get(&at(time));
        seen.and_then(|seen| seen.lines.open_total.or(seen.unconfirmed.open_total))
    };
    assert_eq!((opener("19:00:00"), opener("13:00:00")), (Total::new(41.5).ok(), Total::new(49.5).ok()));
    let quoted = record.odds.as_ref().and_then(|odds| odds.get(&at("19:00:00"))).expect("quoted before");
    assert_eq!(quoted.lines.total, Total::new(41.5).ok(), "a game that has closed keeps its price");
}

#[test]
fn a_first_quote_is_an_opener_once_later_odds_quote_the_game_again() {
    let (first, unchanged) = (quoting(&[("19:00:00", "a", 41.5)]), quoting(&[("19:00:00", "a", 41.5)]));
    let opener = |record: &LeagueRecord| record.openers.get(&at("19:00:00")).and_then(|seen| seen.lines.open_total);
    let predicted = listing(&[("19:00:00", Some("a"))]);
    let recorded = |record: &LeagueRecord| {
        let (record, _) = publish(&predicted, record.clone(), morning()).expect("predicted");
        let archive = record.archives.values().next().expect("an archive");
        let served = record.predictions[&MARKET].games()[0].game.lines.open_total;
        assert_eq!(served, archive.games()[0].facts.lines.open_total, "served and recorded alike");
        served
    };
    let (record, _) = publish(&first, LeagueRecord::default(), morning()).expect("quoted");
    assert_eq!((opener(&record), recorded(&record)), (None, None), "what is posted now is no opener");
    let (record, _) = publish(&unchanged, record, morning()).expect("quoted again");
    assert_eq!(opener(&record), Total::new(41.5).ok(), "changed or not");
    let (record, _) = publish(&quoting(&[("19:00:00", "a", 44.0)]), record, morning()).expect("and again");
    assert_eq!((opener(&record), recorded(&record)), (Total::new(41.5).ok(), Total::new(41.5).ok()));
}

#[test]
fn a_market_first_quoted_later_waits_for_a_quote_of_its_own() {
    let mut spread_too = quoting(&[("19:00:00", "a", 42.0)]);
    spread_too.odds.as_mut().expect("quoted")[0].value.lines.spread = HomeSpread::new(-3.0).ok();
    let mut nothing = quoting(&[("19:00:00", "a", 42.0)]);
    nothing.odds.as_mut().expect("quoted")[0].value.lines.total = None;
    let mut record = LeagueRecord::default();
    for (odds, total, spread) in [
        (quoting(&[("19:00:00", "a", 41.5)]), None, None),
        (nothing, None, None),
        (spread_too.clone(), Total::new(41.5).ok(), None),
        (spread_too, Total::new(41.5).ok(), HomeSpread::new(-3.0).ok()),
    ] {
        (record, _) = publish(&odds, record, morning()).expect("quoted");
        let lines = record.openers.get(&at("19:00:00")).expect("seen").lines;
        assert_eq!((lines.open_total, lines.open_spread), (total, spread));
    }
}

#[test]
fn first_quotes_are_remembered_for_two_days_after_their_game() {
    let (record, _) =
        publish(&quoting(&[("19:00:00", "a", 41.5)]), LeagueRecord::default(), morning()).expect("quoted");
    let mut later = quoting(&[("19:00:00", "b", 44.0)]);
    later.odds.as_mut().expect("quoted")[0].value.key.date = "2024-11-28".parse().expect("a date");
    // The day changes at midnight Eastern, five hours after midnight UTC.
    for (now, remembered) in [("2024-11-27T04:59:59Z", true), ("2024-11-27T05:00:00Z", false)] {
        let (record, _) = publish(&later, record.clone(), now.parse().expect("an instant")).expect("quoted");
        assert_eq!(record.openers.get(&at("19:00:00")).is_some(), remembered, "{now}");
        let ids: Vec<_> = record.openers.iter().filter_map(|(_, opener)| opener.match_id.as_deref()).collect();
        assert_eq!(ids, if remembered { vec!["a", "b"] } else { vec!["b"] }, "{now}");
    }
}

#[test]
fn money_lines_open_as_one_market() {
    let posted = |home: i32, away: i32| {
        let money = TwoWayPrices { positive: AmericanPrice::new(home).ok(), negative: AmericanPrice::new(away).ok() };
        let mut odds = quoting(&[("19:00:00", "a", 42.0)]);
        odds.odds.as_mut().expect("quoted")[0].value.lines.money = money;
        (odds, money)
    };
    let none = TwoWayPrices::default();
    let [(unpriced, _), (first, opener), (second, _), (third, _)] =
        [(0, 0), (-120, 0), (-130, 110), (-140, 120)].map(|(home, away)| posted(home, away));
    let mut record = LeagueRecord::default();
    let table = [
        (unpriced.clone(), none, none),
        // A first quote becomes the opener with the next quote, even if one side has no price.
        (first, none, opener),
        (second, opener, none),
        (third, opener, none),
        (unpriced, opener, none),
    ];
    for (odds, open, waiting) in table {
        (record, _) = publish(&odds, record, morning()).expect("quoted");
        let seen = record.openers.get(&at("19:00:00")).expect("seen");
        assert_eq!((seen.lines.open_money, seen.unconfirmed.open_money), (open, waiting));
    }
}

#[test]
fn odds_run_out_once_every_game_has_started() {
    let (record, _) =
        publish(&quoting(&[("13:00:00", "a", 41.5)]), LeagueRecord::default(), morning()).expect("quoted");
    assert!(publish(&quoting(&[]), record.clone(), morning()).is_err(), "it is still to come");
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let (record, report) = publish(&quoting(&[]), record, afternoon).expect("nothing is left to quote");
    assert_eq!((record.odds.expect("odds").games().len(), report.unquoted.len()), (0, 0));
}

#[test]
fn new_odds_are_counted_by_what_they_change() {
    let (known, _) = publish(
        &quoting(&[("13:00:00", "a", 41.5), ("16:00:00", "b", 44.5), ("19:00:00", "c", 47.5)]),
        LeagueRecord::default(),
        morning(),
    )
    .expect("quoted");
    let mut later = quoting(&[
        ("13:00:00", "a", 41.5),
        ("16:00:00", "b", 45.0),
        ("19:00:00", "c", 48.0),
        ("20:00:00", "d", 50.0),
        ("21:00:00", "e", 51.0),
    ]);
    // A spread is one line, although both teams have a column for it.
    let rows = later.odds.as_mut().expect("quoted");
    rows[2].value.lines.spread = HomeSpread::new(-3.0).ok();
    rows[2].value.lines.spread_prices.positive = AmericanPrice::new(-105).ok();
    let (_, report) = publish(&later, known, morning()).expect("quoted again");
    let counts = OddsReport { games: 5, new: 2, changed: 2, prices_changed: 4, started: 0 };
    assert_eq!(report.odds, Some(counts));
    let (_, report) =
        publish(&listing(&[("13:00:00", Some("a"))]), LeagueRecord::default(), morning()).expect("no odds");
    assert_eq!(report.odds, None);
}

#[test]
fn served_lines_are_those_of_newer_odds_in_the_markets_that_they_quote() {
    let mut listed = listing(&[("13:00:00", None), ("19:00:00", None)]);
    for row in &mut listed.predictions.get_mut(&MARKET).expect("predicted").rows {
        let lines = &mut row.value.game.lines;
        (lines.spread, lines.open_total) = (HomeSpread::new(-3.0).ok(), Total::new(40.0).ok());
        lines.total_prices.positive = AmericanPrice::new(-110).ok();
    }
    let file = listed.predictions.get_mut(&MARKET).expect("predicted");
    file.given =
        vec![LineColumn::OverUnder, LineColumn::OverLine, LineColumn::OpenOverUnder, LineColumn::HomePointSpread];
    let (record, _) = publish(&listed, LeagueRecord::default(), morning()).expect("predicted");
    let (record, _) = publish(&quoting(&[("13:00:00", "a", 45.5)]), record, morning()).expect("quoted");
    let predictions = &record.predictions[&MARKET];
    let served = predictions.quoting(record.odds.as_ref().expect("odds"));
    let lines = served.games()[0].game.lines;
    assert_eq!((lines.total, lines.total_prices), (Total::new(45.5).ok(), TwoWayPrices::default()), "without a price");
    assert_eq!((lines.spread, lines.open_total), (HomeSpread::new(-3.0).ok(), Total::new(40.0).ok()));
    assert_eq!(served.games()[1], predictions.games()[1], "it is not quoted");
}
