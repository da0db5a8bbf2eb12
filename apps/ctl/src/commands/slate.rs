//! The changes of a release to the slate, as text and as JSON.

use serde_json::{Map, Value, json};
use sports_domain::{GameKey, ModelType};
use sports_publication::slate_update::{MarketReport, OddsReport, SlateReport};

/// Formats the reschedules and a line for each market; with `every_game`, the games as well.
pub fn lines(slate: &SlateReport, every_game: bool) -> Vec<String> {
    let mut lines: Vec<_> =
        slate.moved.iter().map(|reschedule| format!("rescheduled: {} to {}", reschedule.from, reschedule.to)).collect();
    let dropped = slate.unquoted.len();
    match &slate.odds {
        Some(odds) => lines.push(odds_phrase(odds, slate.odds_repeated, dropped)),
        None if dropped > 0 => lines.push(format!("odds: {dropped} dropped")),
        None => {}
    }
    if dropped > 0 {
        lines.extend(slate.unquoted.iter().filter(|_| every_game).map(|game| format!("  dropped: {game}")));
    }
    for (model_type, market) in &slate.markets {
        lines.push(format!("predictions/{model_type}: {}", market_phrase(market)));
        for (word, games) in groups(market).into_iter().filter(|_| every_game) {
            lines.extend(games.iter().map(|game| format!("  {word}: {game}")));
        }
        // Reported games that are not on record are listed without `every_game`, too.
        let unrecorded = market.unrecorded.iter().filter(|_| !every_game);
        lines.extend(unrecorded.map(|game| format!("  not recorded, it had started: {game}")));
    }
    lines
}

/// Formats the changes by new odds, such as `14 quoted: 2 new, 3 changed (7 prices), 1 dropped`.
fn odds_phrase(odds: &OddsReport, repeated: bool, dropped: usize) -> String {
    let prices = if odds.prices_changed == 1 { "price" } else { "prices" };
    let with_prices = format!("changed ({} {prices})", odds.prices_changed);
    let counts =
        [(odds.new, "new"), (odds.changed, with_prices.as_str()), (dropped, "dropped"), (odds.started, "had started")];
    let counts: Vec<_> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let changes = match (repeated, counts.as_slice()) {
        (true, _) => "no change".to_owned(),
        (false, []) => "unchanged, published again".to_owned(),
        (false, counts) => counts.join(", "),
    };
    format!("odds: {} quoted: {changes}", odds.games)
}

fn market_phrase(market: &MarketReport) -> String {
    if market.repeated {
        return "no change".to_owned();
    }
    let changes = groups(market).into_iter().filter(|(_, games)| !games.is_empty());
    let counts: Vec<_> = changes.map(|(word, games)| format!("{} {word}", games.len())).collect();
    if counts.is_empty() { "unchanged, published again".to_owned() } else { counts.join(", ") }
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

/// Returns the changes as an object.
pub fn json(slate: &SlateReport) -> Value {
    let names = |games: Vec<&GameKey>| games.iter().map(ToString::to_string).collect::<Vec<_>>();
    let market = |(model_type, market): (&ModelType, &MarketReport)| {
        let lists = groups(market).map(|(word, games)| (word.replace(' ', "_"), json!(names(games))));
        let mut object: Map<String, Value> = lists.into_iter().collect();
        object.insert("repeated".to_owned(), market.repeated.into());
        (model_type.code().to_owned(), Value::Object(object))
    };
    let moved = slate
        .moved
        .iter()
        .map(|reschedule| json!({"from": reschedule.from.to_string(), "to": reschedule.to.to_string()}));
    json!({
        "moved": moved.collect::<Vec<_>>(),
        "odds": {
            "repeated": slate.odds_repeated,
            "games": slate.odds.map_or(0, |odds| odds.games),
            "new": slate.odds.map_or(0, |odds| odds.new),
            "changed": slate.odds.map_or(0, |odds| odds.changed),
            "prices_changed": slate.odds.map_or(0, |odds| odds.prices_changed),
            "dropped": names(slate.unquoted.iter().collect()),
            "of_another_id": names(slate.misquoted.iter().collect()),
        },
        "predictions": slate.markets.iter().map(market).collect::<Map<_, _>>(),
    })
}
