//! Strategies by the edge of a publisher's own model, calculated by hand.

use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameLines, ModelColumn, ModelId, ModelSet, ModelType, OwnBlock, TwoWayPrices,
};
use sports_strategies::{Accounting, BettingRecord, Finality, Leaderboard, Replay, Strategy, StrategyGame};

const NONE: f64 = f64::NAN;

/// Home and away price, away and home score, and ELO's probability of a home win.
const GAMES: [([i32; 2], (u16, u16), f64); 5] = [
    ([-150, 130], (17, 24), 0.62),
    ([120, -140], (24, 17), 0.55),
    ([-110, -110], (16, 20), 0.5),
    ([-200, 170], (16, 22), NONE),
    ([-120, 100], (20, 20), 0.6),
];

/// Returns a game with the edge of the model at a place. The same game without own models gets the same edge from the
/// model's probability.
fn game(
    own: &[OwnBlock],
    (prices, (away, home), _): ([i32; 2], (u16, u16), f64),
    edge_by: ModelId,
) -> StrategyGame<'_> {
    let [positive, negative] = prices.map(|raw| AmericanPrice::new(raw).ok());
    let lines = GameLines { money: TwoWayPrices { positive, negative }, ..GameLines::default() };
    let (market, score, finality) = (ModelType::WonOnPoints, Some(FinalScore { away, home }), Finality::Verified);
    let game = StrategyGame::new(market, &lines, score, Forecasts::default().with_own(own), finality, edge_by);
    let without = StrategyGame::new(market, &lines, score, Forecasts::default(), finality, ModelColumn::Blend);
    assert_eq!(without.edge(), None);
    assert_eq!(without.with_edge_of(game.market().probability(edge_by)).edge(), game.edge());
    game
}

fn record(own: &[[OwnBlock; 1]; 5], edge_by: ModelId, rule: &str) -> BettingRecord {
    let games: Vec<_> = own.iter().zip(GAMES).map(|(own, recorded)| game(own, recorded, edge_by)).collect();
    let rule = Strategy::named(rule, ModelType::WonOnPoints).expect("a rule");
    let board = Leaderboard::from_games(ModelType::WonOnPoints, Accounting::RecordedV2, &games);
    let entry = board.entry(rule).expect("every rule has an entry").record;
    assert_eq!(Replay::from_games(rule, Accounting::RecordedV2, &games).record, entry);
    entry
}

/// The market's probabilities are 0.5798, 0.4380, 0.5, 0.6429 and 0.5217, so ELO's edge is on the home side of the first,
/// the second and the last game: 2/3 won, 1 lost, and a push. The opposite bets lose 1 and win 5/7.
#[test]
fn the_edge_bets_of_the_hand_league_are_calculated_by_hand() {
    let elo = ModelSet::new(["ELO".parse().expect("a name")]).expect("a name").id("ELO").expect("a place");
    let own = GAMES.map(|(.., elo)| [[elo, NONE, NONE, NONE, NONE, NONE, NONE, NONE]]);
    let follow = record(&own, elo, "follow_edge_home");
    assert_eq!((follow.wins(), follow.losses(), follow.pushes()), (1, 1, 1));
    assert_eq!((follow.profit_units(), follow.roi()), (-0.333_333, Some(-11.11)));
    assert_eq!(record(&own, elo, "fade_edge_away").roi(), Some(-9.52));
    for without in [ModelColumn::Blend.into(), ModelColumn::Implied.into(), ModelId::own(8).expect("a place")] {
        for rule in ["follow_edge_home", "follow_edge_away", "fade_edge_home", "fade_edge_away"] {
            assert_eq!(record(&own, without, rule).stakes(), 0, "{without:?} {rule}");
        }
    }
}
