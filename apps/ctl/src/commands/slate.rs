//! What a release changes of the slate, for people and for programs.

use serde_json::{Map, Value, json};
use sports_domain::{GameKey, ModelType};
use sports_publication::live::{MarketReport, SlateReport};

/// A line a market and what moved; with `every_game`, the games as well.
pub fn lines(slate: &SlateReport, every_game: bool) -> Vec<String> {
    let mut lines: Vec<_> = slate.moved.iter().map(|known| format!("moved: {} to {}", known.from, known.to)).collect();
    if !slate.unquoted.is_empty() {
        lines.push(format!("odds: {} dropped", slate.unquoted.len()));
        lines.extend(slate.unquoted.iter().filter(|_| every_game).map(|game| format!("  dropped: {game}")));
    }
    for (model_type, market) in &slate.markets {
        lines.push(format!("predictions/{model_type}: {}", in_words(market)));
        for (word, games) in groups(market).into_iter().filter(|_| every_game) {
            lines.extend(games.iter().map(|game| format!("  {word}: {game}")));
        }
        // What was told and is not on record is said in any case.
        let unrecorded = market.unrecorded.iter().filter(|_| !every_game);
        lines.extend(unrecorded.map(|game| format!("  not recorded, it had started: {game}")));
    }
    lines
}

/// What somebody should look at.
pub fn warnings(slate: &SlateReport) -> Vec<String> {
    let strange = slate
        .misquoted
        .iter()
        .map(|game| format!("the odds have {game} under another match_id than its predictions, and lend it no price"));
    strange.collect()
}

fn in_words(market: &MarketReport) -> String {
    if market.repeated {
        return "no change".to_owned();
    }
    let told = groups(market).into_iter().filter(|(_, games)| !games.is_empty());
    let counts: Vec<_> = told.map(|(word, games)| format!("{} {word}", games.len())).collect();
    if counts.is_empty() { "the same predictions, published anew".to_owned() } else { counts.join(", ") }
}

fn groups(market: &MarketReport) -> [(&'static str, Vec<&GameKey>); 6] {
    [
        ("new", market.new.iter().collect()),
        ("changed", market.changed.iter().collect()),
        ("held", market.held.iter().collect()),
        ("dropped", market.dropped.iter().collect()),
        ("frozen", market.frozen.iter().collect()),
        ("not recorded", market.unrecorded.iter().collect()),
    ]
}

/// The same as an object.
pub fn json(slate: &SlateReport) -> Value {
    let names = |games: Vec<&GameKey>| games.iter().map(ToString::to_string).collect::<Vec<_>>();
    let market = |(model_type, market): (&ModelType, &MarketReport)| {
        let lists = groups(market).map(|(word, games)| (word.replace(' ', "_"), json!(names(games))));
        let mut object: Map<String, Value> = lists.into_iter().collect();
        object.insert("repeated".to_owned(), market.repeated.into());
        (model_type.code().to_owned(), Value::Object(object))
    };
    let moved = slate.moved.iter().map(|known| json!({"from": known.from.to_string(), "to": known.to.to_string()}));
    json!({
        "moved": moved.collect::<Vec<_>>(),
        "odds": {
            "repeated": slate.odds_repeated,
            "dropped": names(slate.unquoted.iter().collect()),
            "of_another_id": names(slate.misquoted.iter().collect()),
        },
        "predictions": slate.markets.iter().map(market).collect::<Map<_, _>>(),
    })
}
