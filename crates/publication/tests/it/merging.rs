//! Changes by a release to a season's archive.

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use sports_domain::{AmericanPrice, FinalScore, LineColumn, Market, ModelColumn, ModelType, Probability, Sport};
use sports_publication::identity::{OnRecord, Resolution};
use sports_publication::testing::{a_game, a_release, identify, place, season};
use sports_publication::{
    ArchivedGame, Ending, Extras, ForecastOrigin, ForecastRow, LeagueRecord, Located, MergeCounts, Merged, Problem,
    Release, ReportedEnding, RowIds, SeasonArchive, SeasonHistory, Value, merge_history,
};

const MARKET: Market = Market::new(Sport::Mlb, ModelType::WonOnSpread);
const LABEL: &str = "2024";

fn archive(games: Vec<ArchivedGame>) -> SeasonArchive {
    let archive = SeasonArchive::new(MARKET, season(Sport::Mlb, LABEL), games).expect("no key repeats");
    let place = (MARKET.model_type, archive.season());
    let mut record = LeagueRecord { archives: [(place, archive)].into(), ..LeagueRecord::default() };
    identify(MARKET.sport, &mut record);
    record.archives.remove(&place).expect("it is there")
}

/// Creates a history of games and, for this market, their forecasts.
fn history_with(games: Vec<ArchivedGame>) -> SeasonHistory {
    let forecasts = games.iter().filter(|game| !game.forecast.forecasts.is_empty()).enumerate().map(|(index, game)| {
        let row = ForecastRow {
            key: game.facts.key.clone(),
            ids: RowIds::default(),
            record: game.forecast.clone(),
            extras: Extras::default(),
        };
        Located { place: place(index + 2), value: row }
    });
    let forecasts = forecasts.collect();
    let mut history = a_release(Sport::Mlb, LABEL, games).history.remove(0);
    history.markets.entry(MARKET.model_type).or_default().forecasts = forecasts;
    history
}

/// Creates the game with these scores and this status in its row.
fn reporting(score: Option<(u16, u16)>, status: Option<&str>) -> SeasonHistory {
    let mut history = history_with(vec![a_game().build()]);
    let score = score.map(|(away, home)| FinalScore { away, home });
    history.shared[0].rows[0].value.ending = ReportedEnding { score, status: status.map(str::to_owned), void: None };
    history
}

/// Returns an instant a week after the builder's game.
fn now() -> DateTime<Utc> {
    "2024-12-01T12:00:00Z".parse().expect("an instant")
}

fn merge(existing: Option<&SeasonArchive>, history: &SeasonHistory) -> Result<Merged, Vec<Problem>> {
    merge_at(existing, history, Some("backtest-7"), now())
}

/// Resolves a history against an archive and merges it.
fn merge_at(
    existing: Option<&SeasonArchive>,
    history: &SeasonHistory,
    run: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Merged, Vec<Problem>> {
    let archives = existing.into_iter().map(|archive| ((MARKET.model_type, archive.season()), archive.clone()));
    let mut record = LeagueRecord { archives: archives.collect(), ..LeagueRecord::default() };
    identify(MARKET.sport, &mut record);
    let release = Release { history: vec![history.clone()], ..a_release(MARKET.sport, LABEL, Vec::new()) };
    let resolution = Resolution::of(&release, &OnRecord::of(&record, None), history.season, now);
    let record = record.following(MARKET.sport, &resolution)?;
    let existing = record.archives.get(&(MARKET.model_type, history.season));
    let merged = merge_history(MARKET, existing, history, &resolution, run, now);
    match merged {
        Ok(merged) if resolution.problems().is_empty() => Ok(merged),
        Ok(_) => Err(resolution.problems().to_vec()),
        Err(found) => Err([resolution.problems(), &found].concat()),
    }
}

#[test]
fn a_final_comes_after_the_start() {
    let history = history_with(vec![a_game().build()]);
    let at = |now: &str| merge_at(None, &history, None, now.parse().expect("an instant"));
    let refused = at("2024-11-24T17:59:59Z").expect_err("not begun");
    assert_eq!(
        refused.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["games/test.csv, row 2, column time_est: `13:00:00`: expected a start that has passed, as there is a final"]
    );
    assert_eq!(at("2024-11-24T18:00:00Z").expect("has begun").counts.added, 1);
    let untimed = history_with(vec![a_game().without_time(None).build()]);
    let on_the_eve = "2024-11-24T04:59:59Z".parse().expect("an instant");
    assert!(merge_at(None, &untimed, None, on_the_eve).is_err(), "its day has not come");
}

#[test]
fn games_are_added_and_existing_games_stay() {
    let existing = archive(vec![a_game().build()]);
    let merged = merge(Some(&existing), &history_with(vec![a_game().visited_by("others").build()])).expect("merges");
    assert_eq!(merged.counts, MergeCounts { added: 1, ..MergeCounts::default() });
    assert_eq!(merged.archive.games().len(), 2);
}

#[test]
fn publishing_the_same_again_changes_nothing() {
    let incoming = history_with(vec![a_game().build(), a_game().visited_by("others").build()]);
    let first = merge(None, &incoming).expect("merges").archive;
    let again = merge(Some(&first), &incoming).expect("merges");
    assert_eq!((again.archive, again.counts), (first, MergeCounts::default()));
}

#[test]
fn publishing_a_column_of_two_kinds_again_changes_nothing() {
    let extra = |team, value| a_game().visited_by(team).with(|game| game.facts.extras.insert("wind", value)).build();
    let games = || vec![extra("some", Value::Integer(7)), extra("others", Value::Text("calm".to_owned()))];
    let first = merge(None, &history_with(games())).expect("merges");
    let again = merge(Some(&first.archive), &history_with(games())).expect("merges");
    assert_eq!(
        again,
        Merged { archive: first.archive, counts: MergeCounts::default(), blend_gap: 0.0, imported_live: Vec::new() }
    );
}

#[test]
fn the_order_of_rows_changes_nothing() {
    let games: Vec<_> = ["a", "b", "c"].map(|away| a_game().visited_by(away).build()).into();
    let reversed: Vec<_> = games.iter().rev().cloned().collect();
    let merged = |games| merge(None, &history_with(games)).expect("merges").archive;
    assert_eq!(merged(games), merged(reversed));
}

#[test]
fn an_imported_game_follows_the_file_in_the_columns_it_has() {
    let existing = archive(vec![a_game().build()]);
    let corrected = a_game().with(|game| {
        game.facts.lines.money.positive = AmericanPrice::new(-150).ok();
        game.facts.lines.total = None;
        game.facts.lines.spread = None;
    });
    let mut incoming = history_with(vec![corrected.build()]);
    incoming.shared[0].given = vec![LineColumn::HomeMoneyLine, LineColumn::OverUnder];
    let merged = merge(Some(&existing), &incoming).expect("merges");
    let lines = merged.archive.games()[0].facts.lines;
    assert_eq!(lines.money.positive.map(AmericanPrice::get), Some(-150));
    assert_eq!(lines.total, None, "an empty cell of a column the file has");
    assert!(lines.spread.is_some(), "a column the file does not have");
    assert_eq!(merged.counts.changed, 1);
}

#[test]
fn an_empty_score_never_erases_a_final() {
    let existing = archive(vec![a_game().build()]);
    let merged = merge(Some(&existing), &history_with(vec![a_game().unplayed().build()])).expect("merges");
    assert_eq!(merged.archive, existing);
}

#[test]
fn a_live_forecast_and_its_prices_survive_any_import() {
    let live = a_game().unplayed().live("release-1", "2024-11-24T14:50:00Z".parse().expect("an instant")).build();
    let existing = archive(vec![live.clone()]);
    let import = a_game().blend(0.1).with(|game| game.facts.lines.money.positive = AmericanPrice::new(900).ok());
    let merged = merge(Some(&existing), &history_with(vec![import.build()])).expect("merges");
    let kept = &merged.archive.games()[0];
    assert_eq!(kept.forecast, live.forecast);
    assert_eq!(kept.facts.lines, live.facts.lines);
    assert_eq!(kept.facts.score(), Some(FinalScore { away: 20, home: 24 }), "a missing final is filled in");
    assert_eq!(merged.counts.live_kept, 1, "one game, with its forecast and its prices");
}

#[test]
fn a_status_calls_a_game_off_that_was_forecast_live_and_has_no_final() {
    let live = a_game().live("release-1", "2024-11-24T14:50:00Z".parse().expect("an instant"));
    let unplayed = archive(vec![live.clone().unplayed().build()]);
    let merged = merge(Some(&unplayed), &reporting(None, Some("cancelled"))).expect("merges");
    let facts = &merged.archive.games()[0].facts;
    assert_eq!(facts.ending.as_ref().map(Ending::status), Some("cancelled"));
    assert_eq!((facts.score(), merged.counts.changed), (None, 1));
    let played = archive(vec![live.build()]);
    let merged = merge(Some(&played), &reporting(None, Some("cancelled"))).expect("merges");
    assert_eq!(merged.archive, played, "a game that was played is not called off");
}

#[test]
fn a_column_of_a_live_game_stays_as_it_is_and_is_counted() {
    let live = a_game().live("release-1", "2024-11-24T14:50:00Z".parse().expect("an instant")).build();
    let existing = archive(vec![live]);
    let mut history = history_with(vec![a_game().build()]);
    history.shared[0].rows[0].value.extras.insert("ELO", Value::Number(0.4));
    let merged = merge(Some(&existing), &history).expect("merges");
    assert_eq!((&merged.archive, merged.counts.live_kept), (&existing, 1));
}

#[test]
fn a_final_that_contradicts_a_settled_live_game_is_refused() {
    let live = a_game().live("release-1", "2024-11-24T14:50:00Z".parse().expect("an instant")).build();
    let problems =
        merge(Some(&archive(vec![live])), &history_with(vec![a_game().ending(0, 3).build()])).expect_err("refused");
    assert_eq!(problems.len(), 1);
    assert!(problems[0].expected.contains("20-24"), "{}", problems[0]);
}

#[test]
fn an_existing_blend_is_kept_and_components_are_replaced() {
    let existing = archive(vec![a_game().blend(0.6).build()]);
    let incoming = a_game().blend(0.7).with(|game| {
        let probability = Probability::new(0.55).expect("valid");
        game.forecast.forecasts = game.forecast.forecasts.with(ModelColumn::Rf, probability);
        game.forecast.origin = None;
    });
    let merged = merge(Some(&existing), &history_with(vec![incoming.build()])).expect("merges");
    let record = &merged.archive.games()[0].forecast;
    assert_eq!(record.forecasts.get(ModelColumn::Blend).map(Probability::get), Some(0.6));
    assert_eq!(record.forecasts.get(ModelColumn::Rf).map(Probability::get), Some(0.55));
    assert_eq!(record.origin, Some(ForecastOrigin::WalkForward { run: Some("backtest-7".into()) }));
    assert_eq!(merged.counts.blend_kept, 1);
}

#[test]
fn a_refused_blend_alone_leaves_the_row_to_the_run_that_made_it() {
    let existing = archive(vec![a_game().blend(0.6).build()]);
    let incoming = a_game().blend(0.7).with(|game| game.forecast.origin = None);
    let merged = merge(Some(&existing), &history_with(vec![incoming.build()])).expect("merges");
    assert_eq!(merged.archive, existing);
    assert_eq!((merged.counts.changed, merged.counts.blend_kept), (0, 1));
}

#[test]
fn a_file_that_does_not_say_the_part_of_the_season_leaves_it() {
    let postseason = a_game().with(|game| game.facts.game_type = sports_domain::GameType::Postseason).build();
    let existing = archive(vec![postseason]);
    let mut incoming = history_with(vec![a_game().build()]);
    incoming.shared[0].gives_game_type = false;
    assert_eq!(merge(Some(&existing), &incoming).expect("merges").archive, existing);
    incoming.shared[0].gives_game_type = true;
    assert_eq!(merge(Some(&existing), &incoming).expect("merges").counts.changed, 1);
}

#[test]
fn a_final_settles_a_postponed_game_and_a_played_game_is_not_called_off() {
    let existing = archive(vec![a_game().called_off("postponed").build()]);
    let merged = merge(Some(&existing), &reporting(Some((20, 24)), None)).expect("merges");
    assert_eq!(merged.archive.games()[0].facts.settlement_status(), Some("settled"));

    let existing = archive(vec![a_game().build()]);
    let merged = merge(Some(&existing), &reporting(None, Some("cancelled"))).expect("merges");
    assert_eq!(merged.archive, existing);
}

/// The provenance of a row's probabilities: the run of a backtest, the end of its training, and its method.
type Said<'w> = (Option<&'w str>, Option<&'w str>, Option<&'w str>);

fn saying((run, training, method): Said<'_>) -> ArchivedGame {
    let said = |game: &mut ArchivedGame| {
        game.forecast.origin = run.map(|run| ForecastOrigin::WalkForward { run: Some(run.to_owned()) });
        game.forecast.training_through = training.map(str::to_owned);
        game.forecast.reconstruction_method = method.map(str::to_owned);
    };
    a_game().with(said).build()
}

#[test]
fn a_forecast_that_says_nothing_new_stays_as_it_was() {
    let existing = archive(vec![saying((Some("first"), Some("2022-23"), Some("rolling")))]);
    let again = [
        (None, None, None),
        (Some("first"), None, None),
        (None, Some("2022-23"), None),
        (None, None, Some("rolling")),
        (Some("first"), Some("2022-23"), Some("rolling")),
    ];
    for said in again {
        let merged = merge(Some(&existing), &history_with(vec![saying(said)])).expect("merges");
        assert_eq!((merged.archive, merged.counts.changed), (existing.clone(), 0), "{said:?}");
    }
    let otherwise: [(Said<'_>, Said<'_>); 3] = [
        ((Some("second"), None, None), (Some("second"), None, None)),
        // New content without a run gets the run of the folder.
        ((None, Some("2023-24"), None), (Some("backtest-7"), Some("2023-24"), None)),
        ((None, None, Some("expanding")), (Some("backtest-7"), None, Some("expanding"))),
    ];
    for (said, recorded) in otherwise {
        let merged = merge(Some(&existing), &history_with(vec![saying(said)])).expect("merges");
        let record = &merged.archive.games()[0].forecast;
        let words = (record.training_through.as_deref(), record.reconstruction_method.as_deref());
        let run = record.origin.as_ref().and_then(ForecastOrigin::run);
        assert_eq!((run, words.0, words.1), recorded, "{said:?}");
    }
}

#[test]
fn a_live_game_is_counted_as_kept_only_where_an_import_has_other_lines() {
    let live = || a_game().live("release-1", "2024-11-24T14:50:00Z".parse().expect("an instant"));
    let existing = archive(vec![live().build()]);
    let dearer = a_game().with(|game| game.facts.lines.money.positive = AmericanPrice::new(900).ok());
    for (imported, kept) in [(a_game(), 0), (dearer, 1)] {
        let mut incoming = history_with(vec![imported.build()]);
        incoming.markets.clear();
        let merged = merge(Some(&existing), &incoming).expect("its final is the one on record");
        assert_eq!((merged.archive, merged.counts.live_kept), (existing.clone(), kept));
    }
}

#[test]
fn the_status_of_an_imported_game_follows_its_final() {
    let (final_score, other) = (Some((20, 24)), Some((21, 24)));
    let table = [
        ("nothing is known", (None, None), (None, None), (None, None)),
        ("called off by an import", (None, None), (None, Some("postponed")), (None, Some("postponed"))),
        ("and still so", (None, Some("postponed")), (None, None), (None, Some("postponed"))),
        ("played", (None, Some("postponed")), (final_score, None), (final_score, Some("settled"))),
        ("provisional", (None, None), (final_score, Some("unverified")), (final_score, Some("unverified"))),
        ("corrected", (final_score, Some("settled")), (other, None), (other, Some("settled"))),
        ("still provisional", (final_score, Some("unverified")), (other, None), (other, Some("unverified"))),
        ("verified", (final_score, Some("unverified")), (final_score, Some("settled")), (final_score, Some("settled"))),
    ];
    for (why, before, incoming, after) in table {
        let existing = merge(None, &reporting(before.0, before.1)).expect(why).archive;
        let merged = merge(Some(&existing), &reporting(incoming.0, incoming.1)).expect(why);
        let facts = &merged.archive.games()[0].facts;
        let score = facts.score().map(|score| (score.away, score.home));
        assert_eq!((score, facts.settlement_status()), after, "{why}");
    }
}

#[test]
fn void_markets_of_a_final_are_kept_until_a_row_states_others() {
    let stating = |score, status, void: Option<&str>| {
        let mut history = reporting(score, status);
        history.shared[0].rows[0].value.ending.void = void.map(|list| list.parse().expect("markets"));
        history
    };
    let score = Some((5, 3));
    let (void, plain) = (Some("settled void over_under"), Some("settled"));
    let table = [
        (stating(score, None, Some("total")), void),
        (stating(score, None, None), void),
        (stating(Some((5, 4)), Some("settled"), None), void),
        (stating(None, None, None), void),
        (stating(score, Some("provisional"), None), Some("provisional void over_under")),
        (stating(score, Some("settled"), Some("none")), plain),
    ];
    let mut existing = None;
    for (history, after) in table {
        let merged = merge(existing.as_ref(), &history).expect("merges").archive;
        let games = merged.games();
        assert_eq!((games.len(), games[0].facts.settlement_status()), (1, after));
        existing = Some(merged);
    }
    let live = archive(vec![a_game().ending(5, 3).live("run-1", now()).build()]);
    let refused = merge(Some(&live), &stating(score, None, Some("total"))).expect_err("live and settled");
    assert!(refused[0].to_string().contains("the void markets on record"), "{}", refused[0]);
    assert!(merge(Some(&live), &stating(score, None, Some("none"))).is_ok());
}

#[test]
fn a_game_without_a_final_is_not_settled() {
    let settled = reporting(None, Some("settled"));
    for existing in [None, Some(archive(vec![a_game().unplayed().build()]))] {
        let problems = merge(existing.as_ref(), &settled).expect_err("no score");
        let expected =
            "games/test.csv, row 2, column settlement_status: `settled`: expected both scores beside `settled`";
        assert_eq!(problems[0].to_string(), expected);
    }
    let played = archive(vec![a_game().build()]);
    let merged = merge(Some(&played), &settled).expect("the final is on record");
    assert_eq!(merged.archive.games()[0].facts.ending, played.games()[0].facts.ending);
}

#[test]
fn one_release_cannot_list_a_game_with_and_without_its_time() {
    let mut incoming = history_with(vec![a_game().build()]);
    let mut untimed = incoming.shared[0].clone();
    untimed.rows[0].value.key.time = None;
    untimed.rows[0].place.file = "results/test.csv".into();
    incoming.shared.push(untimed);
    let problems = merge(None, &incoming).expect_err("the same game");
    assert_eq!(&*problems[0].place.file, "results/test.csv");
}

#[test]
fn a_forecast_without_its_game_is_refused_unless_the_game_was_left_out() {
    let mut incoming = history_with(vec![a_game().build()]);
    incoming.shared.clear();
    let problems = merge(None, &incoming).expect_err("no game");
    assert_eq!(problems[0].place.row, Some(2));

    let preseason =
        a_game().with(|game| game.facts.game_type = sports_domain::GameType::from_word("preseason")).build();
    let merged = merge(None, &history_with(vec![preseason])).expect("left out");
    assert_eq!((merged.archive.games().len(), merged.counts.left_out), (0, 1));
}

#[test]
fn a_forecast_joins_a_game_published_earlier() {
    let existing = archive(vec![a_game().unforecast().build()]);
    let mut incoming = history_with(vec![a_game().build()]);
    incoming.shared.clear();
    let merged = merge(Some(&existing), &incoming).expect("merges");
    assert_eq!(merged.counts.changed, 1);
}

#[test]
fn a_game_known_without_its_time_is_given_it_and_not_added_a_second_time() {
    let untimed = archive(vec![a_game().without_time(None).build()]);
    let merged = merge(Some(&untimed), &history_with(vec![a_game().build()])).expect("the same game").archive;
    let keys: Vec<_> = merged.games().iter().map(|game| game.facts.key.clone()).collect();
    assert_eq!(keys, [a_game().build().facts.key]);
    let again = merge(Some(&merged), &history_with(vec![a_game().without_time(None).build()])).expect("known");
    assert_eq!(again.archive, merged, "a row that knows less changes nothing");
}

#[test]
fn doubleheaders_without_times_stay_two_games() {
    let games = vec![a_game().without_time(Some(1)).build(), a_game().without_time(Some(2)).build()];
    let merged = merge(None, &history_with(games)).expect("merges");
    assert_eq!(merged.archive.games().len(), 2);
}

#[test]
fn a_doubleheader_is_numbered_in_both_rows_or_in_neither() {
    let existing = archive(vec![a_game().without_time(None).build()]);
    let numbered = vec![a_game().without_time(Some(1)).build(), a_game().without_time(Some(2)).build()];
    let problems = merge(Some(&existing), &history_with(numbered)).expect_err("three games of two");
    assert!(problems.iter().all(|problem| problem.column.as_deref() == Some("game_number")), "{problems:?}");
    let mixed = vec![a_game().without_time(None).build(), a_game().without_time(Some(2)).build()];
    assert_eq!(merge(None, &history_with(mixed)).expect_err("mixed").len(), 1);
}

#[test]
fn a_release_that_gives_a_game_two_finals_contradicts_itself() {
    let mut incoming = history_with(vec![a_game().build()]);
    assert!(incoming.contradictions().is_empty());
    let mut other = incoming.shared[0].clone();
    other.rows[0].value.ending.score = Some(FinalScore { away: 9, home: 2 });
    other.rows[0].place.file = "results/test.csv".into();
    incoming.markets.entry(MARKET.model_type).or_default().games.push(other);
    let problems = incoming.contradictions();
    assert_eq!(problems.len(), 1);
    assert_eq!(&*problems[0].place.file, "results/test.csv");
    assert!(problems[0].expected.contains("games/test.csv, row 2 has, 20-24"), "{}", problems[0]);
}

#[test]
fn a_backtest_row_that_names_no_run_gets_the_folders() {
    let incoming = a_game().with(|game| game.forecast.origin = Some(ForecastOrigin::WalkForward { run: None }));
    let first = merge(None, &history_with(vec![incoming.build()])).expect("merges").archive;
    let origin = Some(ForecastOrigin::WalkForward { run: Some("backtest-7".into()) });
    assert_eq!(first.games()[0].forecast.origin, origin);
}

proptest! {
    /// Checks that the archive has the same season and the same verdicts for any order of games and forecasts, and any
    /// other columns in a publisher's file.
    #[test]
    fn the_order_of_rows_and_unknown_columns_change_no_verdict(
        (order, finals, noise) in (1..20_usize).prop_flat_map(|count| (
            Just((0..count).collect::<Vec<_>>()).prop_shuffle(),
            proptest::collection::vec((0..40_u16, 0..40_u16, 0.0..=1.0_f64), count),
            proptest::collection::vec(any::<i64>(), count),
        ))
    ) {
        let game = |index: usize| {
            let (away, home, probability) = finals[index];
            a_game().visited_by(&format!("team {index}")).ending(away, home).blend(probability)
        };
        let in_order: Vec<_> = (0..order.len()).map(|index| game(index).build()).collect();
        let shuffled = order.iter().map(|index| {
            let value = Value::Integer(noise[*index]);
            game(*index).with(|game| game.facts.extras.insert("noise", value)).build()
        });
        let verdicts = |games: Vec<ArchivedGame>| {
            let archive = merge(None, &history_with(games)).expect("merges").archive;
            let verdict = |game: &ArchivedGame| (game.facts.key.clone(), game.market_game(MARKET.model_type).verdict());
            archive.games().iter().map(verdict).collect::<Vec<_>>()
        };
        prop_assert_eq!(verdicts(shuffled.collect()), verdicts(in_order));
    }
}
