//! Each finding on a release made for it, at its threshold and below.

use sports_domain::{
    AmericanPrice, FinalScore, GameLines, GameType, HomeSpread, Market, ModelColumn, ModelName, ModelType, Probability,
    Sport, Total, TwoWayPrices,
};
use sports_publication::findings::{Finding, FindingKind, MarketReport, Severity, examine};
use sports_publication::identity::{OnRecord, Resolution};
use sports_publication::testing::{a_game, a_release, identify, place, season};
use sports_publication::{
    ArchivedGame, Ending, Extras, ForecastRecord, ForecastRow, LeagueRecord, Located, Release, RowIds, SeasonArchive,
    SeasonArchives, merge_history,
};

const SEASON: &str = "2024-25";

/// Returns `count` games of different teams, each changed by its number. Of two, the home team wins one, and covers.
fn games(count: usize, change: impl Fn(usize, &mut ArchivedGame)) -> Vec<ArchivedGame> {
    let game = |number: usize| {
        let of_two = |game: &mut ArchivedGame| {
            game.facts.ending = Some(final_of(17, 27));
            if number % 2 == 1 {
                game.facts.ending = Some(final_of(24, 20));
                game.facts.lines.money = prices(-112, -108);
                (game.facts.lines.spread, game.facts.lines.total) = (HomeSpread::new(-3.0).ok(), Total::new(42.5).ok());
            }
        };
        let game = a_game().visited_by(&format!("team_{number}")).unforecast().with(of_two);
        game.with(|game| change(number, game)).build()
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

fn final_of(away: u16, home: u16) -> Ending {
    Ending::settled(FinalScore { away, home })
}

/// A home favourite by the moneyline; by the spread, the home team is the favourite unless `flipped`.
fn favourite(game: &mut ArchivedGame, flipped: bool) {
    let home_won = game.facts.score().is_some_and(|score| score.home_margin() > 0);
    game.facts.lines.money = if home_won { prices(-150, 130) } else { prices(-155, 135) };
    let points = if home_won { 3.0 } else { 3.5 };
    game.facts.lines.spread = HomeSpread::new(if flipped { points } else { -points }).ok();
}

#[test]
fn a_season_without_a_mistake_has_no_finding() {
    assert_eq!(found(games(40, |_, game| favourite(game, false))), []);
    assert_eq!(found(Vec::new()), []);
}

#[test]
fn spreads_against_the_moneylines_are_named_and_refused_below_half() {
    let other_sign = "home_point_spread looks like expected margin: use";
    let some_rows = "part of the rows may have the other sign";
    for (flipped, severity, said) in [
        (1, Severity::Warning, "favourites by spread and by moneyline differ in 1 games: row 2, "),
        (4, Severity::Warning, "favourites by spread and by moneyline differ in 4 games: row 2, "),
        (5, Severity::Warning, some_rows),
        (20, Severity::Warning, some_rows),
        (21, Severity::Refusal, some_rows),
        (40, Severity::Refusal, other_sign),
    ] {
        let mut found = found(games(40, |number, game| favourite(game, number < flipped)));
        found.retain(|finding| finding.kind != FindingKind::FinalsAgainstSpread);
        assert_eq!(kinds(&found), [(FindingKind::SpreadSigns, severity)], "{flipped}");
        let text = found[0].to_string();
        assert!(text.contains(said), "{text}");
        assert_eq!(text.contains("--allow spread-signs"), severity == Severity::Refusal, "{text}");
    }
    let few = |change: fn(&mut ArchivedGame)| {
        found(games(9, |_, game| {
            favourite(game, true);
            change(game);
        }))
    };
    assert_eq!(kinds(&few(|_| {})), [(FindingKind::SpreadSigns, Severity::Warning)], "too few games for a share");
    assert_eq!(few(|game| game.facts.lines.spread = HomeSpread::new(2.0).ok()), [], "a spread below 2.5");
    assert_eq!(few(|game| game.facts.lines.money = prices(-120, 100)), [], "a share near one half");
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
    assert!(found[0].message.starts_with("columns over_line and under_line: "), "{}", found[0]);
}

#[test]
fn moneylines_without_minus_signs_are_refused_in_most_games_and_no_spread_is_blamed() {
    for (lost, expected) in [(2, vec![]), (20, vec![Severity::Warning]), (21, vec![Severity::Refusal])] {
        let found = found(games(40, |number, game| {
            favourite(game, false);
            if number < lost {
                let positive = |price: Option<AmericanPrice>| price.map(|price| price.get().abs());
                let money = game.facts.lines.money;
                let sides = [money.positive, money.negative].map(|side| positive(side).expect("a price"));
                game.facts.lines.money = prices(sides[0], sides[1]);
            }
        }));
        let kinds = kinds(&found);
        assert_eq!(kinds, expected.into_iter().map(|severity| (FindingKind::Vig, severity)).collect::<Vec<_>>());
        for text in found.iter().map(ToString::to_string) {
            assert!(text.contains("columns home_money_line and away_money_line: "), "{text}");
            assert_eq!(text.contains("were minus signs lost?; --allow vig"), lost > 20, "{text}");
        }
    }
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
        game.facts.ending = Some(if number % 5 == 0 { final_of(22, 20) } else { final_of(20, 24) });
        game.facts.lines.money = if number % 5 == 0 { prices(-145, 125) } else { prices(-150, 130) };
        game.facts.lines.spread = HomeSpread::new([-1.0, -1.0, -1.0, -6.0, -5.5][number % 5]).ok();
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
    // By four points, favourites of 1 covered and those of 5.5 and 6 did not.
    assert_eq!((spreads.share, totals.count("graded")), (("favourites covered", Some(0.4)), 0));
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

/// Returns games of a league whose home team wins by these margins, with these lines.
fn played(count: usize, of: impl Fn(usize, &mut GameLines) -> (u16, u16)) -> Vec<ArchivedGame> {
    games(count, |number, game| {
        let (away, home) = of(number, &mut game.facts.lines);
        game.facts.ending = Some(final_of(away, home));
    })
}

fn only_spread(lines: &mut GameLines, points: f64) {
    *lines = GameLines { spread: HomeSpread::new(points).ok(), ..GameLines::default() };
}

#[test]
fn spreads_are_refused_where_favourites_covered_too_rarely_or_too_often() {
    // Of 100 games, 50 plus 22.5 covers are 4.5 standard errors.
    for (covered, expected) in [(50, false), (72, false), (73, true), (28, false), (27, true)] {
        let found = found(played(100, |number, lines| {
            only_spread(lines, if number % 2 == 0 { -3.0 } else { -4.0 });
            if number < covered { (17, 24) } else { (24, 24) }
        }));
        let refused = [(FindingKind::FinalsAgainstSpread, Severity::Refusal)];
        assert_eq!(kinds(&found) == refused, expected, "{covered}: {found:?}");
    }
}

#[test]
fn a_mean_margin_against_the_spread_is_refused_though_half_covered() {
    let of = |margin: u16| {
        found(played(100, |number, lines| {
            only_spread(lines, if number % 4 < 2 { -3.0 } else { -4.0 });
            if number % 2 == 0 { (10, 10 + margin) } else { (10, 12) }
        }))
    };
    assert_eq!(kinds(&of(8)), []);
    assert_eq!(kinds(&of(20)), [(FindingKind::FinalsAgainstSpread, Severity::Refusal)]);
}

#[test]
fn the_remedy_of_spreads_against_finals_is_their_negative_unless_half_are_wrong() {
    let of = |wrong: usize| {
        let found = found(played(200, |number, lines| {
            // True favourites cover every second game.
            let points = if number % 4 < 2 { -3.0 } else { -9.0 };
            only_spread(lines, if number % 10 < wrong { -points } else { points });
            (10, 16)
        }));
        found.first().map(ToString::to_string).unwrap_or_default()
    };
    assert_eq!(of(0), "");
    assert!(of(10).contains("looks like expected margin"), "{}", of(10));
    assert!(!of(5).contains("expected margin") && of(5).contains("part of the rows"), "{}", of(5));
    let allowed = "--allow finals-against-spread";
    assert!(of(10).contains(allowed), "{}", of(10));
}

#[test]
fn a_number_added_to_all_spreads_is_refused_though_half_of_the_favourites_cover() {
    let of = |added: f64| {
        let found = found(played(200, |number, lines| {
            // Every second favourite wins by 13, the others by 27.
            let margin = if number % 4 < 2 { 13 } else { 27 };
            let is_home = number % 2 == 0;
            only_spread(lines, added + if is_home { -20.0 } else { 20.0 });
            if is_home { (10, 10 + margin) } else { (10 + margin, 10) }
        }));
        assert_eq!(found.len(), usize::from(added.abs() > 0.0), "{found:?}");
        found.first().map(ToString::to_string).unwrap_or_default()
    };
    assert_eq!(of(0.0), "");
    for (added, said) in [(10.0, "about +10"), (-10.0, "about -10")] {
        let text = of(added);
        assert!(text.contains("column home_point_spread: favourites covered in 100 of 200 games (50.0 %)"), "{text}");
        assert!(text.contains(&format!("a number may have been added to the spreads, {said}")), "{text}");
        assert!(!text.contains("expected margin") && text.contains("--allow finals-against-spread"), "{text}");
    }
}

#[test]
fn the_fixed_spreads_of_two_leagues_are_not_compared_with_finals() {
    let of = |sport: Sport, points: f64| {
        let season = if sport == Sport::Nhl { "2021-22" } else { "2022" };
        let games = played(60, |number, lines| {
            only_spread(lines, if number % 2 == 0 { points } else { -points });
            (3, 3)
        });
        kinds(&examine(&a_release(sport, season, games), &SeasonArchives::new())).len()
    };
    assert_eq!((of(Sport::Nhl, 1.5), of(Sport::Mlb, 1.5), of(Sport::Mlb, 2.5)), (0, 0, 1));
}

#[test]
fn totals_away_from_the_scores_warn_from_two_hundred_games() {
    let of = |count: usize, beyond: f64| {
        kinds(&found(played(count, |number, lines| {
            let points = 40.0 + beyond + if number % 2 == 0 { 0.5 } else { -0.5 };
            *lines = GameLines { total: Total::new(points).ok(), ..GameLines::default() };
            (20, 20)
        })))
    };
    assert_eq!((of(200, 3.5), of(199, 4.0)), (vec![], vec![]));
    for beyond in [4.0, -4.0] {
        assert_eq!(of(200, beyond), [(FindingKind::FinalsAgainstTotal, Severity::Warning)]);
    }
}

#[test]
fn moneylines_without_spreads_warn_where_home_favourites_do_not_win() {
    let of = |won: usize| {
        kinds(&found(played(400, |number, lines| {
            let money = if number % 2 == 0 { prices(-200, 170) } else { prices(-180, 155) };
            *lines = GameLines { money, ..GameLines::default() };
            if number < won { (20, 24) } else { (24, 20) }
        })))
    };
    // 400 games: two standard errors are 20 wins above one half.
    assert_eq!((of(260), of(220)), (vec![], vec![]));
    for won in [219, 140] {
        assert_eq!(of(won), [(FindingKind::FinalsAgainstMoneyline, Severity::Warning)], "{won}");
    }
}

#[test]
fn one_value_in_all_games_warns_but_for_lines_of_few_values() {
    let of = |sport: Sport, count: usize, lines: GameLines| {
        let season = if sport == Sport::Mlb { "2022" } else { "2021-22" };
        let games = played(count, |number, of| {
            *of = lines;
            if number % 2 == 0 { (3, 4) } else { (4, 3) }
        });
        let found = examine(&a_release(sport, season, games), &SeasonArchives::new());
        found.iter().filter(|finding| finding.kind == FindingKind::EqualLines).count()
    };
    let spread = |points| GameLines { spread: HomeSpread::new(points).ok(), ..GameLines::default() };
    let total = |points| GameLines { total: Total::new(points).ok(), ..GameLines::default() };
    assert_eq!((of(Sport::Nba, 19, total(220.5)), of(Sport::Nba, 20, total(220.5))), (0, 1));
    assert_eq!((of(Sport::Nhl, 20, total(5.5)), of(Sport::Mlb, 20, total(8.5))), (0, 1));
    assert_eq!((of(Sport::Mlb, 20, spread(-1.5)), of(Sport::Mlb, 20, spread(-2.5))), (0, 1));
    let money = GameLines { money: prices(-150, 130), ..GameLines::default() };
    assert_eq!(of(Sport::Nba, 20, money), 2);
}
