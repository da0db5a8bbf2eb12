//! The moves from one slate to another.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sports_domain::{
    AmericanPrice, Forecasts, GameLines, HomeSpread, ModelColumn, ModelType, OwnForecasts, Probability, Total,
    TwoWayPrices,
};
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::testing::{key, season};
use sports_publication::{Extras, MoveKind, MovingSlate, Odds, PredictedGame, Predictions, SlateMove};

/// A game of a slate: its start, a price, a line of each other market, and a probability.
#[derive(Debug, Clone, Copy)]
struct Listed {
    hour: u8,
    price: i32,
    total: u8,
    spread: i8,
    blend: Option<u8>,
    reading: u8,
}

fn a_slate() -> impl Strategy<Value = BTreeMap<u8, Listed>> {
    let game = (18..20_u8, -102..-100_i32, 40..42_u8, 2..4_i8, prop::option::of(40..42_u8), 10..12_u8);
    let game = game.prop_map(|(hour, price, total, spread, blend, reading)| Listed {
        hour,
        price,
        total,
        spread,
        blend,
        reading,
    });
    prop::collection::btree_map(0..6_u8, game, 0..6)
}

fn lines(listed: &Listed) -> GameLines {
    let price = AmericanPrice::new(listed.price).ok();
    GameLines {
        money: TwoWayPrices { positive: price, negative: price },
        total: Total::new(f64::from(listed.total)).ok(),
        spread: HomeSpread::new(f64::from(listed.spread)).ok(),
        ..GameLines::default()
    }
}

fn odds(slate: &BTreeMap<u8, Listed>) -> Odds {
    let game = |(number, listed): (&u8, &Listed)| OddsGame {
        key: key("2024-11-24", &format!("{}:00:00", listed.hour), &format!("team_{number}"), "home_team"),
        game_id: Some(format!("game {number}")),
        listed_start: None,
        match_id: None,
        lines: lines(listed),
        quote_source: None,
        last_updated: "2024-11-24T09:00:00"
            .parse()
            .ok()
            .map(|read: chrono::NaiveDateTime| read + chrono::TimeDelta::minutes(listed.reading.into())),
    };
    Odds::new(slate.iter().map(game).collect()).expect("no key repeats")
}

fn predictions(slate: &BTreeMap<u8, Listed>) -> Predictions {
    let probability = |percent: u8| Probability::new(f64::from(percent) / 100.0).expect("a probability");
    let game = |(number, listed): (&u8, &Listed)| {
        let blend = listed.blend.map(probability);
        let forecasts =
            blend.map_or_else(Forecasts::default, |blend| Forecasts::default().with(ModelColumn::Blend, blend));
        let key = key("2024-11-24", &format!("{}:00:00", listed.hour), &format!("team_{number}"), "home_team");
        let game = SlateGame {
            key,
            game_id: Some(format!("game {number}")),
            match_id: None,
            lines: lines(listed),
            forecasts,
            own: OwnForecasts::default(),
        };
        PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() }
    };
    let season = season(sports_domain::Sport::Nfl, "2024-25");
    Predictions::new(ModelType::OverUnder, season, slate.iter().map(game).collect()).expect("no key repeats")
}

/// Applies moves to the games of a slate, each with the values that a move has, by number.
fn applied<S: MovingSlate, V: Clone + PartialEq + std::fmt::Debug>(
    before: &[S::Game],
    moves: &[SlateMove<S::Game>],
    values: impl Fn(&S::Game) -> V,
) -> BTreeMap<String, V> {
    let id = |game: &S::Game| S::id(game).expect("an identity").to_owned();
    let mut games: BTreeMap<_, _> = before.iter().map(|game| (id(game), values(game))).collect();
    for SlateMove { kind, game } in moves {
        let known = match kind {
            MoveKind::Gone => games.remove(&id(game)),
            _ => games.insert(id(game), values(game)),
        };
        assert_eq!(known.is_none(), *kind == MoveKind::New, "{:?}", id(game));
        assert_ne!(known, Some(values(game)), "nothing moved");
    }
    games
}

proptest! {
    /// The moves of odds lead from any slate to any other, and none is of another reading of the same lines.
    #[test]
    fn moves_of_odds_lead_to_the_later_slate(before in a_slate(), after in a_slate()) {
        let (before, after) = (odds(&before), odds(&after));
        let values = |game: &OddsGame| (game.key.clone(), game.lines);
        let reached = applied::<Odds, _>(before.games(), &after.moves_since(Some(&before)), values);
        prop_assert_eq!(reached, applied::<Odds, _>(after.games(), &[], values));
    }

    /// The moves of predictions lead from any slate to any other, and none is of a line of another market.
    #[test]
    fn moves_of_predictions_lead_to_the_later_slate(before in a_slate(), after in a_slate()) {
        let (before, after) = (predictions(&before), predictions(&after));
        let values = |PredictedGame { game, .. }: &PredictedGame| {
            (game.key.clone(), game.lines.of_market(ModelType::OverUnder), game.forecasts)
        };
        let reached = applied::<Predictions, _>(before.games(), &after.moves_since(Some(&before)), values);
        prop_assert_eq!(reached, applied::<Predictions, _>(after.games(), &[], values));
    }
}

#[test]
fn a_game_that_is_gone_has_no_values_and_comes_last() {
    let listed = Listed { hour: 18, price: -110, total: 40, spread: 2, blend: Some(60), reading: 0 };
    let [before, after] = [[1, 2], [2, 3]].map(|numbers| numbers.into_iter().map(|number| (number, listed)).collect());
    let moves = odds(&after).moves_since(Some(&odds(&before)));
    let brief: Vec<_> = moves.iter().map(|moved| (moved.kind.word(), moved.game.game_id.as_deref())).collect();
    assert_eq!(brief, [("new", Some("game 3")), ("gone", Some("game 1"))]);
    assert_eq!((moves[1].game.lines, moves[1].game.last_updated), (GameLines::default(), None));
    let moves = predictions(&after).moves_since(Some(&predictions(&before)));
    let gone = &moves[1].game.game;
    assert_eq!((gone.lines, gone.models().next()), (GameLines::default(), None));
    assert_eq!(odds(&after).moves_since(None).len(), 2, "all games of a first slate are new");
}
