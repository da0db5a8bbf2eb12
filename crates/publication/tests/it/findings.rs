//! Each finding on a release made for it, at its threshold and below.

use sports_domain::{
    AmericanPrice, GameType, HomeSpread, Market, ModelColumn, ModelName, ModelType, Probability, Sport, Total,
    TwoWayPrices,
};
use sports_publication::findings::{Finding, FindingKind, MarketReport, Severity, examine};
use sports_publication::identity::{OnRecord, Resolution};
use sports_publication::testing::{a_game, a_release, identify, place, season};
use sports_publication::{
    ArchivedGame, Extras, ForecastRecord, ForecastRow, LeagueRecord, Located, Release, RowIds, SeasonArchive,
    SeasonArchives, merge_history,
};

const SEASON: &str = "2024-25";

/// Returns `count` games of different teams, each changed by its number.
fn games(count: usize, change: impl Fn(usize, &mut ArchivedGame)) -> Vec<ArchivedGame> {
    let game = |number: usize| {
        a_game().visited_by(&format!("team_{number}")).unforecast().with(|game| change(number, game)).build()
    };
    (0..count).map(game).collect()
}

fn release(games: Vec<ArchivedGame>) -> Release {
    a_release(Sport::Nfl, SEASON, games)
}

/// Returns a record with these games in one market.
fn record(games: Vec<ArchivedGame>) -> SeasonArchives {
    let (market, season) = (Market::new(Sport::Nfl, ModelType::OverUnder), season(Sport::Nfl, SEASON));
    let archive = SeasonArchive::new(market, season, games).expect("no key repeats");
    [((market.model_type, season), archive)].into()
}

fn found(games: Vec<ArchivedGame>) -> Vec<Finding> {
    examine(&release(games), &SeasonArchives::new())
}

/// Merges the history of a release into a record; returns the contents of the archives.
fn reports(release: &Release, archives: SeasonArchives) -> Vec<MarketReport> {
    let now = "2025-03-01T12:00:00Z".parse().expect("an instant");
    let mut record = LeagueRecord { archives, ..LeagueRecord::default() };
    identify(release.sport, &mut record);
    let history = &release.history[0];
    let resolution = Resolution::of(release, &OnRecord::of(&record, None), history.season, now);
    let report = |model_type| {
        let (market, existing) =
            (Market::new(release.sport, model_type), record.archives.get(&(model_type, history.season)));
        let merged = merge_history(market, existing, history, &resolution, None, now).expect("merged");
        MarketReport::of(&merged.archive)
    };
    history.touched().into_iter().map(report).collect()
}

/// Returns the kinds and severities.
fn kinds(findings: &[Finding]) -> Vec<(FindingKind, Severity)> {
    findings.iter().map(|finding| (finding.kind, finding.severity)).collect()
}

fn prices(positive: i32, negative: i32) -> TwoWayPrices {
    TwoWayPrices { positive: AmericanPrice::new(positive).ok(), negative: AmericanPrice::new(negative).ok() }
}

/// A home favourite by the moneyline; by the spread, the home team is the favourite unless `flipped`.
fn favourite(game: &mut ArchivedGame, flipped: bool) {
    game.facts.lines.money = prices(-150, 130);
    game.facts.lines.spread = HomeSpread::new(if flipped { 3.0 } else { -3.0 }).ok();
}

#[test]
fn a_season_without_a_mistake_has_no_finding() {
    assert_eq!(found(games(40, |_, game| favourite(game, false))), []);
    assert_eq!(found(Vec::new()), []);
}

#[test]
fn spreads_against_the_moneylines_warn_below_nine_tenths_and_refuse_below_half() {
    for (flipped, expected) in [
        (4, None),
        (5, Some(Severity::Warning)),
        (20, Some(Severity::Warning)),
        (21, Some(Severity::Refusal)),
        (40, Some(Severity::Refusal)),
    ] {
        let found = found(games(40, |number, game| favourite(game, number < flipped)));
        assert_eq!(kinds(&found), expected.map(|it| (FindingKind::SpreadSigns, it)).into_iter().collect::<Vec<_>>());
        for finding in &found {
            let text = finding.to_string();
            assert!(text.contains("home_point_spread looks like expected margin: use"), "{text}");
            assert_eq!(text.contains("--allow spread-signs"), finding.severity == Severity::Refusal, "{text}");
        }
    }
    assert_eq!(found(games(9, |_, game| favourite(game, true))), [], "too few games to judge");
}

#[test]
fn totals_that_equal_the_scores_refuse_above_a_fifth() {
    let with = |same: usize| {
        found(games(40, |number, game| {
            game.facts.lines.total = Total::new(if number < same { 44.0 } else { 43.5 }).ok();
        }))
    };
    assert_eq!(kinds(&with(8)), []);
    assert_eq!(kinds(&with(9)), [(FindingKind::FinalTotal, Severity::Refusal)]);
}

#[test]
fn prices_that_do_not_fit_warn_from_a_tenth() {
    let with = |unusual: usize| {
        found(games(40, |number, game| {
            game.facts.lines.total_prices = if number < unusual { prices(150, 150) } else { prices(-110, -110) };
        }))
    };
    assert_eq!(kinds(&with(3)), []);
    let found = with(4);
    assert_eq!(kinds(&found), [(FindingKind::Vig, Severity::Warning)]);
    assert!(found[0].message.contains("prices of over_under"), "{}", found[0]);
}

#[test]
fn prices_without_their_line_warn_with_their_number() {
    let found = found(games(3, |number, game| {
        if number > 0 {
            game.facts.lines.spread = None;
        }
    }));
    assert_eq!(kinds(&found), [(FindingKind::MissingLines, Severity::Warning)]);
    assert!(found[0].message.starts_with("2 games have prices of a spread and no spread"), "{}", found[0]);
}

#[test]
fn words_that_do_not_count_are_named_with_the_word_that_is_meant() {
    let all_of = |word: &'static str| {
        found(games(3, |_, game| {
            game.facts.game_type = GameType::from_word(word);
        }))
    };
    let found = all_of("REG");
    assert_eq!(kinds(&found), [(FindingKind::NothingKept, Severity::Refusal)]);
    assert!(found[0].message.contains("3 of `reg` (did you mean `regular`?)"), "{}", found[0]);
    assert!(!found[0].to_string().contains("--allow"), "{}", found[0]);
    assert_eq!(all_of("preseason"), [], "a folder may have preseason games alone");
}

/// Returns games on 24 November and later, each with its own final, that start at these hours after 12:00.
fn starting(count: usize, hours: impl Fn(usize) -> u32) -> Vec<ArchivedGame> {
    games(count, |number, game| {
        game.facts.key.time = chrono::NaiveTime::from_hms_opt(12 + hours(number), 0, 0);
    })
}

#[test]
fn games_moved_by_the_same_hours_from_the_record_refuse_from_a_tenth() {
    for (moved, expected) in [(0, false), (3, false), (4, true), (40, true)] {
        let record = record(starting(40, |_| 1));
        let again = starting(40, |number| if number < moved { 6 } else { 1 });
        let found = examine(&release(again), &record);
        assert_eq!(kinds(&found) == [(FindingKind::TimeZone, Severity::Refusal)], expected, "{moved}: {found:?}");
        assert!(!expected || found[0].message.contains("start 5 hours after"), "{found:?}");
    }
    let by_a_day = games(40, |_, game| {
        game.facts.key.date = "2024-11-25".parse().expect("a date");
    });
    assert_eq!(examine(&release(by_a_day), &record(starting(40, |_| 1))), [], "a whole day is no time zone");
}

#[test]
fn two_moved_games_are_enough_in_a_small_season_and_one_is_not() {
    let of = |moved: usize| {
        let again = starting(5, |number| if number < moved { 6 } else { 1 });
        examine(&release(again), &record(starting(5, |_| 1))).len()
    };
    assert_eq!((of(1), of(2)), (0, 1));
}

#[test]
fn the_same_games_twice_in_a_file_are_found_by_their_shift() {
    let mut twice = starting(30, |_| 1);
    twice.extend(starting(30, |_| 6));
    assert_eq!(kinds(&found(twice)), [(FindingKind::TimeZone, Severity::Refusal)]);
}

#[test]
fn a_first_import_with_more_than_a_tenth_of_its_starts_at_night_has_a_warning() {
    let at_night = |count: usize| {
        games(40, |number, game| {
            game.facts.key.time = chrono::NaiveTime::from_hms_opt(if number < count { 6 } else { 7 }, 59, 0);
        })
    };
    assert_eq!(found(at_night(4)), []);
    assert_eq!(kinds(&found(at_night(5))), [(FindingKind::TimeZone, Severity::Warning)]);
    let on_record = examine(&release(at_night(5)), &record(at_night(5)));
    assert_eq!(on_record, [], "on a first import alone");
}

/// Returns a release of games of which the home team wins four in five, with a BLEND of this probability.
fn forecasting(model_type: ModelType, count: usize, probability: f64) -> Release {
    forecasting_by(ModelName::of(ModelColumn::Blend), model_type, count, probability)
}

/// Returns the same release with a model of this name.
fn forecasting_by(model: ModelName, model_type: ModelType, count: usize, probability: f64) -> Release {
    let games = games(count, |number, game| {
        if number % 5 == 0 {
            *game = a_game().visited_by(&format!("team_{number}")).unforecast().ending(30, 0).build();
        }
        favourite(game, false);
    });
    let probability = Probability::new(probability).expect("a probability");
    let forecast = |(index, game): (usize, &ArchivedGame)| {
        let mut record = ForecastRecord::default();
        match model.column() {
            Some(column) => record.forecasts = record.forecasts.with(column, probability),
            None => record.own.insert(model, probability),
        }
        let row =
            ForecastRow { key: game.facts.key.clone(), ids: RowIds::default(), record, extras: Extras::default() };
        Located { place: place(index + 2), value: row }
    };
    let forecasts = games.iter().enumerate().map(forecast).collect();
    let mut release = release(games);
    release.history[0].markets.entry(model_type).or_default().forecasts = forecasts;
    release
}

#[test]
fn a_model_that_scores_better_flipped_has_a_warning_from_a_hundred_games() {
    let of =
        |count, probability| examine(&forecasting(ModelType::WonOnPoints, count, probability), &SeasonArchives::new());
    assert_eq!(of(100, 0.7), []);
    // Four in five home wins: the scores of p and 1 - p differ by 0.6 (1 - 2 p).
    assert_eq!(of(100, 0.48), []);
    let found = of(100, 0.3);
    assert_eq!(kinds(&found), [(FindingKind::FlippedProbabilities, Severity::Warning)]);
    assert!(found[0].message.starts_with("BLEND of won_on_points looks like the away team's probability"), "{found:?}");
    assert_eq!(of(99, 0.3), []);
}

#[test]
fn an_own_model_has_the_record_and_the_warnings_of_a_standard_one() {
    let elo: ModelName = "ELO".parse().expect("a name");
    for (count, probability) in [(100, 0.3), (100, 0.7), (99, 0.3)] {
        let examined = |model: ModelName| {
            let release = forecasting_by(model, ModelType::WonOnPoints, count, probability);
            let findings = examine(&release, &SeasonArchives::new());
            let reports = reports(&release, SeasonArchives::new());
            let texts = findings.iter().map(ToString::to_string).chain(reports.iter().map(ToString::to_string));
            (findings.len(), texts.collect::<Vec<_>>().join("\n"))
        };
        let ((found, own), (_, standard)) = (examined(elo), examined(ModelName::of(ModelColumn::Blend)));
        assert!(own.contains("\n  ELO "), "{own}");
        assert_eq!(own, standard.replace("BLEND", "ELO"));
        assert_eq!(found, usize::from((count, probability) == (100, 0.3)));
    }
}

#[test]
fn own_models_on_record_are_in_the_report_of_new_games() {
    let mut games = games(3, |_, game| favourite(game, false));
    for name in ["nn_v2", "ELO"] {
        let probability = Probability::new(0.6).expect("a probability");
        games[0].forecast.own.insert(name.parse().expect("a name"), probability);
    }
    let markets = reports(&release(games.clone()), record(games));
    let totals = markets.iter().find(|market| market.model_type == ModelType::OverUnder).expect("a market");
    let models: Vec<_> = totals.models.iter().map(|record| record.model.to_string()).collect();
    assert_eq!((models, totals.count("forecasts"), totals.count("graded")), (vec!["ELO".into(), "nn_v2".into()], 1, 1));
}

#[test]
fn probabilities_without_games_are_compared_with_the_games_on_record() {
    let mut release = forecasting(ModelType::WonOnPoints, 100, 0.3);
    let (alone, again) = (release.clone(), release.clone());
    release.history[0].shared.clear();
    let games = again.history[0].shared[0].rows.iter().map(|row| {
        let facts = row.value.clone().recorded();
        ArchivedGame { facts, forecast: ForecastRecord::default() }
    });
    assert_eq!(examine(&release, &record(games.collect())), examine(&alone, &SeasonArchives::new()));
}

#[test]
fn a_report_counts_games_and_shares_of_each_market() {
    let markets = reports(&forecasting(ModelType::WonOnPoints, 10, 0.7), SeasonArchives::new());
    let market = |of| markets.iter().find(|market| market.model_type == of).expect("a market");
    let points = market(ModelType::WonOnPoints);
    for (name, count) in
        [("games", 10), ("times", 10), ("lines", 10), ("both_prices", 10), ("openers", 0), ("graded", 10)]
    {
        assert_eq!(points.count(name), count, "{name}");
    }
    let blend = points.models[0];
    assert_eq!((points.models.len(), blend.model, blend.wins, blend.losses), (1, ModelColumn::Blend.into(), 8, 2));
    // Eight times 0.3 squared and twice 0.7 squared.
    assert!((blend.brier.expect("known") - 0.17).abs() < 1e-12);
    assert_eq!(points.share, ("home wins", Some(0.8)));
    let (totals, spreads) = (market(ModelType::OverUnder), market(ModelType::WonOnSpread));
    assert_eq!(totals.share, ("overs", Some(0.8)));
    // 24-20 against a spread of three covers; 0-30 does not.
    assert_eq!((spreads.share, totals.count("graded")), (("favourites covered", Some(0.8)), 0));
    assert_eq!(totals.ungraded.iter().map(|(_, count)| count).sum::<usize>(), 10);
    // Twice 110 / 210, minus 1.
    assert!((totals.mean_vig.expect("known") - 0.047_619).abs() < 1e-6);
    let text = points.to_string();
    assert!(
        text.starts_with("2024-25 won_on_points: 10 games, 10 times, 10 lines, 10 both prices, 0 openers"),
        "{text}"
    );
    assert!(text.contains("\n  BLEND 8-2, Brier score 0.1700, the market's "), "{text}");
    assert!(text.ends_with("\n  home wins 80.0 %, mean vig 3.5 %"), "{text}");
}
