//! The outcome of a change of the record, as text and as JSON.

use serde_json::{Map, Value, json};
use sports_domain::{GameKey, ModelType, Sport};
use sports_publication::slate_update::{MarketReport, OddsReport, SlateReport};
use sports_publication::{Exceptions, Generation, Replacement};
use sports_usecases::publish::PublishOutcome;

use super::audit_log;
use crate::places::Places;
use crate::report::Report;

/// The beginning of the line about a new entry.
pub const PUBLISHED: &str = "published: ";

/// The outcome of a publish that added an entry, as JSON.
pub const ON_RECORD: &str = "on_air";

/// Formats the outcome in one line, or in two with the head of the record.
pub fn line(sport: Sport, outcome: &PublishOutcome) -> String {
    match outcome {
        PublishOutcome::Published { generation, release_id, digest, simulated } => {
            let simulated = if *simulated { " (simulated)" } else { "" };
            format!(
                "{PUBLISHED}{sport} generation {generation}{simulated}, release {release_id}\nhead of the record: {digest}"
            )
        }
        PublishOutcome::AlreadyPublished { generation } => {
            format!("nothing to do: {sport} generation {generation} already has this content")
        }
        PublishOutcome::WouldBe { generation } => {
            format!("dry run, nothing was written: it would be {sport} generation {generation}")
        }
    }
}

/// Adds a new entry of the record to the audit log.
pub async fn note(
    places: &Places<'_>,
    action: &'static str,
    sport: Sport,
    outcome: &PublishOutcome,
    report: &mut Report,
) {
    if let PublishOutcome::Published { generation, release_id, .. } = outcome {
        audit_log::note(places, action, &format!("{sport} generation {generation}, release {release_id}"), report)
            .await;
    }
}

/// Returns the outcome as an object, to which a command adds fields of its own.
pub fn json(sport: Sport, outcome: &PublishOutcome) -> Value {
    let (word, generation) = match outcome {
        PublishOutcome::Published { generation, .. } => (ON_RECORD, generation),
        PublishOutcome::AlreadyPublished { generation } => ("already_on_air", generation),
        PublishOutcome::WouldBe { generation } => ("would_be", generation),
    };
    let mut json = json!({ "outcome": word, "sport": sport.code(), "generation": generation.get() });
    if let PublishOutcome::Published { release_id, digest, simulated, .. } = outcome {
        json["release_id"] = release_id.as_str().into();
        json["head"] = digest.to_string().into();
        json["simulated"] = (*simulated).into();
    }
    json
}

// The changes of a release to the slate, as text and as JSON.

/// Formats the reschedules and a line for each market; with `every_game`, the games as well.
pub fn slate_lines(slate: &SlateReport, every_game: bool) -> Vec<String> {
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
pub fn slate_json(slate: &SlateReport) -> Value {
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

// The exceptions of a release as JSON.

/// Returns the exceptions of an entry with its number.
pub fn exceptions_of_entry(generation: Generation, exceptions: &Exceptions) -> Value {
    let mut json = json!({ "generation": generation.get() });
    add_exceptions(&mut json, exceptions);
    json
}

/// Adds the fields `overrides` and `replaced`, which are empty for a release by the usual rules.
pub fn add_exceptions(json: &mut Value, exceptions: &Exceptions) {
    json["overrides"] = exceptions.overrides.iter().map(ToString::to_string).collect();
    json["replaced"] = exceptions.replaced.iter().map(replacement).collect();
}

fn replacement(made: &Replacement) -> Value {
    json!({
        "season": made.season.to_string(),
        "model_type": made.model_type.code(),
        "rows_before": made.rows_before,
        "rows_after": made.rows_after,
        "columns_dropped": made.columns_dropped,
    })
}
