//! Property tests of the strategies over arbitrary games.

mod any_season;

use proptest::prelude::*;
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameLines, HomeSpread, ModelColumn, ModelType, Side, Total, TwoWayPrices,
};
use sports_grading::Outcome;
use sports_strategies::{
    Accounting, BetResult, BettingRecord, ExclusionReason, Finality, Leaderboard, MIN_SAMPLE, Replay, RuleOutcome,
    Signal, Stance, Strategy, StrategyGame, walk,
};

use any_season::{RecordedGame, any_incoming, any_season};

fn games(model_type: ModelType, recorded: &[RecordedGame]) -> Vec<StrategyGame<'static>> {
    recorded.iter().map(|recorded| recorded.game(model_type)).collect()
}

fn record(rule: Strategy, accounting: Accounting, games: &[StrategyGame<'_>]) -> BettingRecord {
    walk(rule, accounting, games).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// If every price is −110, every final is verified and no game is a push, both accountings agree.
    #[test]
    fn recorded_at_flat_prices_without_pushes_is_legacy((model_type, recorded) in any_season()) {
        let price = AmericanPrice::new(-110).ok();
        let flat = TwoWayPrices { positive: price, negative: price };
        let recorded = recorded.into_iter().map(|recorded| RecordedGame {
            lines: GameLines { money: flat, spread_prices: flat, total_prices: flat, ..recorded.lines },
            finality: Finality::Verified,
            ..recorded
        });
        let games: Vec<_> =
            recorded.map(|recorded| recorded.game(model_type)).filter(|game| game.market().push() != Some(true)).collect();
        let [legacy, recorded] = Accounting::ALL.map(|accounting| Leaderboard::from_games(model_type, accounting, &games));
        prop_assert_eq!(legacy, recorded);
    }

    /// Every unit staked is won, lost or returned, and the profit is the sum of the bets' profits.
    #[test]
    fn stakes_are_wins_losses_and_pushes((model_type, recorded) in any_season()) {
        let games = games(model_type, &recorded);
        for (rule, accounting) in Strategy::all().into_iter().flat_map(|rule| Accounting::ALL.map(|accounting| (rule, accounting))) {
            let record = record(rule, accounting, &games);
            let bets: Vec<_> = walk(rule, accounting, &games)
                .filter_map(|step| if let RuleOutcome::Bet(bet) = step { Some(bet) } else { None })
                .collect();
            let ended = |as_so| u32::try_from(bets.iter().filter(|bet| bet.result == as_so).count()).expect("few");
            prop_assert_eq!(record.stakes() as usize, bets.len());
            prop_assert_eq!(
                (record.wins(), record.losses(), record.pushes()),
                (ended(BetResult::Win), ended(BetResult::Loss), ended(BetResult::Push))
            );
            prop_assert_eq!(record.stakes(), record.wins() + record.losses() + record.pushes());
            prop_assert_eq!(record.roi().is_none(), record.stakes() == 0);
            prop_assert_eq!(record.win_pct().is_none(), record.decisive() == 0);
            let earned: f64 = bets
                .iter()
                .map(|bet| match bet.result {
                    BetResult::Win if bet.price.get() > 0 => f64::from(bet.price.get()) / 100.0,
                    BetResult::Win => 100.0 / f64::from(bet.price.get().unsigned_abs()),
                    BetResult::Loss => -1.0,
                    BetResult::Push => 0.0,
                })
                .sum();
            prop_assert!((record.profit_units() - earned).abs() <= 1e-6 + earned.abs() * 1e-9);
            prop_assert!(accounting == Accounting::RecordedV2 || record.pushes() == 0);
        }
    }

    /// Under recorded accounting a finished game with a signal is either a stake or an exclusion.
    #[test]
    fn exclusions_and_stakes_are_the_finished_games_with_a_signal((model_type, recorded) in any_season()) {
        let games = games(model_type, &recorded);
        for rule in Strategy::all() {
            let record = record(rule, Accounting::RecordedV2, &games);
            let finished = games.iter().filter(|game| rule.bets_on(game) && game.market().outcome().is_some()).count();
            let excluded = record.excluded(ExclusionReason::MissingPrice) + record.excluded(ExclusionReason::UnverifiedFinality);
            prop_assert_eq!((record.stakes() + excluded) as usize, finished);
            let unverified = games.iter().filter(|game| {
                rule.bets_on(game) && game.market().outcome().is_some() && game.finality() == Finality::Unverified
            });
            prop_assert_eq!(record.excluded(ExclusionReason::UnverifiedFinality) as usize, unverified.count());
        }
    }

    /// Following a signal to one side and fading it from the other mirror the same bets.
    #[test]
    fn following_and_fading_on_opposite_sides_mirror_each_other((model_type, recorded) in any_season()) {
        let priced = |prices: TwoWayPrices| {
            let any = prices.positive.or(prices.negative).or(AmericanPrice::new(-110).ok());
            TwoWayPrices { positive: prices.positive.or(any), negative: prices.negative.or(any) }
        };
        let recorded: Vec<_> = recorded
            .into_iter()
            .map(|recorded| RecordedGame {
                lines: GameLines {
                    money: priced(recorded.lines.money),
                    spread_prices: priced(recorded.lines.spread_prices),
                    total_prices: priced(recorded.lines.total_prices),
                    ..recorded.lines
                },
                ..recorded
            })
            .collect();
        let games = games(model_type, &recorded);
        for signal in [Signal::Line, Signal::Edge] {
            for side in [Side::Positive, Side::Negative] {
                for accounting in Accounting::ALL {
                    let follow = record(Strategy::new(signal(Stance::Follow), side), accounting, &games);
                    let fade = record(Strategy::new(signal(Stance::Fade), side.opposite()), accounting, &games);
                    prop_assert_eq!(
                        (follow.wins(), follow.losses(), follow.pushes()),
                        (fade.losses(), fade.wins(), fade.pushes())
                    );
                    prop_assert_eq!(
                        follow.excluded(ExclusionReason::UnverifiedFinality),
                        fade.excluded(ExclusionReason::UnverifiedFinality)
                    );
                }
            }
        }
    }

    /// A replay's record and final account equal the leaderboard's entry.
    #[test]
    fn a_replay_equals_the_leaderboards_entry((model_type, recorded) in any_season()) {
        let games = games(model_type, &recorded);
        for accounting in Accounting::ALL {
            let leaderboard = Leaderboard::from_games(model_type, accounting, &games);
            for rule in Strategy::all() {
                let replay = Replay::from_games(rule, accounting, &games);
                let entry = leaderboard.entry(rule).expect("an entry");
                prop_assert_eq!(&replay.record, &entry.record);
                prop_assert_eq!(replay.bets.len(), entry.record.stakes() as usize);
                let end = replay.bets.last().map_or(0.0, |bet| bet.total);
                prop_assert!((end - entry.record.profit_units()).abs() < 1e-12);
            }
        }
    }

    /// A hybrid bets exactly if both of its halves bet its side.
    #[test]
    fn a_hybrid_bets_where_both_halves_do((model_type, recorded) in any_season()) {
        for game in games(model_type, &recorded) {
            for rule in Strategy::all() {
                let Signal::Hybrid { line, edge } = rule.signal() else { continue };
                let halves = [Signal::Line(line), Signal::Edge(edge)]
                    .map(|signal| Strategy::new(signal, rule.side()).bets_on(&game));
                prop_assert_eq!(rule.bets_on(&game), halves == [true, true]);
            }
        }
    }

    /// Games without a final or without a line change no leaderboard, at any position in the list.
    #[test]
    fn games_that_are_not_settled_change_nothing(
        (model_type, recorded) in any_season(),
        other in any_incoming(),
        place in any::<prop::sample::Index>(),
    ) {
        let settled = games(model_type, &recorded);
        let unsettled = [RecordedGame { score: None, ..other.clone() }, RecordedGame { lines: GameLines::default(), ..other }];
        for recorded in unsettled {
            let mut more = settled.clone();
            more.insert(place.index(settled.len() + 1), recorded.game(model_type));
            for accounting in Accounting::ALL {
                prop_assert_eq!(
                    Leaderboard::from_games(model_type, accounting, &more),
                    Leaderboard::from_games(model_type, accounting, &settled)
                );
            }
        }
    }

    /// Ranks count from one without gaps over entries with a large enough sample, best ROI first; the rest follow.
    #[test]
    fn ranks_follow_roi_and_the_unranked_come_last((model_type, recorded) in any_season()) {
        let games = games(model_type, &recorded);
        for accounting in Accounting::ALL {
            let leaderboard = Leaderboard::from_games(model_type, accounting, &games);
            let entries = leaderboard.entries();
            prop_assert_eq!(entries.len(), 16);
            let ranked = entries.iter().take_while(|entry| entry.rank.is_some()).count();
            prop_assert!(
                entries[ranked..].iter().all(|entry| entry.rank.is_none() && entry.record.decisive() < MIN_SAMPLE)
            );
            prop_assert!(
                entries[..ranked]
                    .iter()
                    .zip(1..)
                    .all(|(entry, place)| entry.rank == Some(place) && entry.record.decisive() >= MIN_SAMPLE)
            );
            prop_assert!(entries[..ranked].windows(2).all(|pair| pair[0].record.roi() >= pair[1].record.roi()));
            prop_assert!(
                entries[ranked..].windows(2).all(|pair| pair[0].record.decisive() >= pair[1].record.decisive())
            );
        }
    }

    /// Legacy accounting, recounted by hand from the games' signals and outcomes.
    #[test]
    fn legacy_counts_decided_games_at_assumed_or_recorded_prices((model_type, recorded) in any_season()) {
        let games = games(model_type, &recorded);
        for side in [Side::Positive, Side::Negative] {
            let record = record(Strategy::new(Signal::Line(Stance::Follow), side), Accounting::LegacyV1, &games);
            let (mut wins, mut losses) = (0, 0);
            for game in games.iter().filter(|game| game.line_move() == Some(side)) {
                let unpriced = game.market().prices().on(side).is_none();
                match game.market().outcome() {
                    _ if unpriced && model_type == ModelType::WonOnPoints => {}
                    Some(Outcome::Decided(winner)) if winner == side => wins += 1,
                    Some(Outcome::Decided(_)) => losses += 1,
                    _ => {}
                }
            }
            prop_assert_eq!((record.wins(), record.losses()), (wins, losses));
        }
    }
}

/// Builds thirty games in which the home team gives one point more than at the opener, and covers in the first
/// `home_covers`.
fn thirty(home_covers: u16, price: i32) -> Vec<StrategyGame<'static>> {
    let price = AmericanPrice::new(price).ok();
    let lines = GameLines {
        spread: HomeSpread::new(-3.5).ok(),
        open_spread: HomeSpread::new(-2.5).ok(),
        spread_prices: TwoWayPrices { positive: price, negative: price },
        ..GameLines::default()
    };
    let score = |game: u16| Some(FinalScore { away: 20, home: if game < home_covers { 27 } else { 20 } });
    let game = |number| {
        StrategyGame::new(
            ModelType::WonOnSpread,
            &lines,
            score(number),
            Forecasts::default(),
            Finality::Verified,
            ModelColumn::Blend,
        )
    };
    (0..30).map(game).collect()
}

/// The home team wins 16 and loses 14. At −110: (16 · 100/110 − 14) / 30 = 0.545454… / 30 = 1.82 percent.
#[test]
fn thirty_bets_are_ranked_and_twenty_nine_are_not() {
    let rule = Strategy::named("follow_line_home", ModelType::WonOnSpread).expect("a strategy");
    let games = thirty(16, -120);
    let legacy = Leaderboard::from_games(ModelType::WonOnSpread, Accounting::LegacyV1, &games);
    let entry = legacy.entry(rule).expect("an entry");
    assert_eq!((entry.rank, entry.record.roi(), entry.record.win_pct()), (Some(1), Some(1.82), Some(53.33)));
    // At the −120 on record: (16 · 100/120 − 14) / 30 = −0.666… / 30 = −2.22 percent.
    let recorded = Leaderboard::from_games(ModelType::WonOnSpread, Accounting::RecordedV2, &games);
    let entry = recorded.entry(rule).expect("an entry");
    assert_eq!((entry.rank, entry.record.roi(), entry.record.profit_units()), (Some(1), Some(-2.22), -0.666_667));
    // 14 won and 16 lost: (14 · 100/110 − 16) / 30 = −10.91 percent. No other strategy bets.
    let faded = legacy.entry(Strategy::named("fade_line_away", ModelType::WonOnSpread).expect("a strategy"));
    let faded = faded.expect("an entry");
    assert_eq!((faded.rank, faded.record.roi()), (Some(2), Some(-10.91)));
    assert_eq!(legacy.entries().iter().filter(|entry| entry.rank.is_some()).count(), 2);
    let fewer = Leaderboard::from_games(ModelType::WonOnSpread, Accounting::LegacyV1, &games[..29]);
    assert_eq!(fewer.entry(rule).expect("an entry").rank, None);
}

#[test]
fn a_tie_in_roi_and_sample_is_broken_by_id() {
    // 15 won, 15 lost: following to the home side and fading to the away side have equal figures.
    let games = thirty(15, -110);
    let leaderboard = Leaderboard::from_games(ModelType::WonOnSpread, Accounting::LegacyV1, &games);
    let ids: Vec<_> =
        leaderboard.entries().iter().take(2).map(|entry| entry.rule.id(ModelType::WonOnSpread).to_string()).collect();
    assert_eq!(ids, ["fade_line_away", "follow_line_home"]);
}

#[test]
fn games_of_another_market_are_skipped() {
    let (spreads, nothing) = (
        thirty(16, -120),
        Leaderboard::from_games(ModelType::OverUnder, Accounting::LegacyV1, &[] as &[StrategyGame<'_>]),
    );
    assert_eq!(Leaderboard::from_games(ModelType::OverUnder, Accounting::LegacyV1, &spreads), nothing);
    let lines = GameLines { total: Total::new(45.5).ok(), open_total: Total::new(44.0).ok(), ..GameLines::default() };
    let total = StrategyGame::new(
        ModelType::OverUnder,
        &lines,
        None,
        Forecasts::default(),
        Finality::Verified,
        ModelColumn::Blend,
    );
    let mixed: Vec<_> = spreads.iter().flat_map(|game| [total, *game]).collect();
    let of_spreads =
        |games: &[StrategyGame<'_>]| Leaderboard::from_games(ModelType::WonOnSpread, Accounting::LegacyV1, games);
    assert_eq!(of_spreads(&mixed), of_spreads(&spreads));
}
