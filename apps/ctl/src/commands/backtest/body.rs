//! The body of a backtest: as text, and as the API's JSON.

use serde_json::{Map, Value, json};
use sports_domain::Market;
use sports_strategies::{Band, BetsRow, CoursePoint, Parameter, Rule, RuleRecord};
use sports_usecases::analytics::{ProvenBets, RuleBacktest};

use crate::report::written_instant;

/// Returns the figures that answer the first questions.
pub fn lines(backtest: &RuleBacktest) -> Vec<String> {
    let (rule, figures, row) = (&backtest.rule, &backtest.figures, &backtest.figures.record.row);
    let record = &row.record;
    let percent = |share: f64| format!("{:+.1} %", 100.0 * share);
    let interval = row.roi.map(|roi| format!(" (95 %: {} to {})", percent(roi.low), percent(roi.high)));
    let (won, lost, pushed, units) = (record.wins(), record.losses(), record.pushes(), record.units());
    let roi = record.return_on_stakes().map_or_else(|| "none".to_owned(), percent);
    let mut lines = vec![
        rule.to_string(),
        format!(
            "{} bets, {won}-{lost}-{pushed}, {units:+.2} units, ROI {roi}{}",
            record.stakes(),
            interval.unwrap_or_default()
        ),
    ];
    let exclusions = figures.record.exclusions;
    let left_out = [
        (exclusions.missing_price, "without a price"),
        (exclusions.unverified_finality, "without a verified final"),
        (exclusions.no_stake, "without a stake"),
    ];
    let left_out: Vec<_> =
        left_out.iter().filter(|(games, _)| *games > 0).map(|(games, why)| format!("{games} {why}")).collect();
    if !left_out.is_empty() {
        lines.push(format!("no bet: {}", left_out.join(", ")));
    }
    lines.extend(backtest.not_known_then.map(|games| format!("not known then: {games} games")));
    lines.extend(figures.luck.as_ref().map(ToString::to_string));
    lines.extend(figures.search.filter(|search| search.tried > 1).map(|search| {
        let share = 100.0 * search.p_of_best;
        format!("Of {} rules with luck alone the best does so in {share:.1} of 100 cases.", search.tried)
    }));
    lines.extend(figures.record.kelly.map(|kelly| {
        format!("Bank by Kelly's stakes: {:.3} of 1, with a fall of {:.1} %.", kelly.bank, 100.0 * kelly.drawdown)
    }));
    lines.push(backtest.note());
    lines
}

/// Returns the object that the API answers with.
pub fn json(backtest: &RuleBacktest) -> Value {
    let RuleBacktest { rule, tried, figures, forecasts, not_known_then, proof, last_updated, .. } = backtest;
    let Market { sport, model_type } = rule.market();
    let ProvenBets { recorded, proven } = proof;
    json!({
        "sport": sport.code(),
        "model_type": model_type.code(),
        "model": rule.model().as_str(),
        "seasons": labels(rule),
        "rule": { "sentence": rule.to_string(), "parameters": parameters(rule) },
        "record": record(&figures.record),
        "course": figures.course.iter().map(point).collect::<Value>(),
        "by_season": table(&figures.by_season, |season| json!({ "season": season.to_string() })),
        "by_month": table(&figures.by_month, |month| json!({ "month": month.format("%Y-%m").to_string() })),
        "by_edge": table(&figures.by_edge, band),
        "by_price": table(&figures.by_price, band),
        "luck": figures.luck.as_ref().map(|luck| json!({
            "p": luck.p,
            "method": luck.lucky.method().word(),
            "bets": luck.bets,
            "p_random_games": luck.p_random_games,
            "p_in_words": luck.to_string(),
        })),
        "search": {
            "tried": tried.get(),
            "p_of_best": figures.search.map(|best| best.p_of_best),
            "best_50": figures.search.and_then(|best| best.best_50),
            "best_95": figures.search.and_then(|best| best.best_95),
        },
        "neighbours": figures.neighbours.iter().map(|neighbour| json!({
            "parameter": neighbour.parameter,
            "value": neighbour.value,
            "bets": neighbour.record.stakes(),
            "units": neighbour.record.units(),
            "roi": neighbour.record.return_on_stakes(),
        })).collect::<Value>(),
        "out_of_sample": figures.out_of_sample.as_ref().map(|sample| {
            let before: Vec<_> = labels(rule).into_iter().filter(|label| *label != sample.season.to_string()).collect();
            json!({
                "newest": with(json!({ "season": sample.season.to_string() }), row(&sample.newest)),
                "before": with(json!({ "seasons": before }), row(&sample.before)),
            })
        }),
        "forecast_sources": {
            "recorded": forecasts.recorded,
            "live_imported": forecasts.imported,
            "walk_forward": forecasts.walk_forward,
            "none": backtest.without_forecast(),
        },
        "not_known_then": not_known_then,
        "proof": { "recorded": recorded, "proven": proven },
        "note": backtest.note(),
        "last_updated": written_instant(*last_updated),
    })
}

fn labels(rule: &Rule) -> Vec<String> {
    rule.seasons().iter().map(ToString::to_string).collect()
}

fn parameters(rule: &Rule) -> Map<String, Value> {
    rule.parameters().into_iter().map(|Parameter { name, value }| (name.to_owned(), value.into())).collect()
}

fn record(record: &RuleRecord) -> Value {
    let (exclusions, drawdown, kelly) = (record.exclusions, record.drawdown, record.kelly);
    let mut json = with(
        row(&record.row),
        json!({
            "stakes": record.row.record.stakes(),
            "mean_price": record.mean_price,
            "mean_edge": record.mean_edge,
            "mean_ev": record.mean_expected_value,
            "longest_losing_run": record.longest_losing_run,
            "drawdown": { "units": drawdown.units, "from": drawdown.from, "to": drawdown.to },
            "exclusions": {
                "missing_price": exclusions.missing_price,
                "unverified_finality": exclusions.unverified_finality,
            },
        }),
    );
    if let Some(kelly) = kelly {
        json["exclusions"]["no_stake"] = exclusions.no_stake.into();
        json["kelly"] = json!({
            "bank": kelly.bank,
            "drawdown": kelly.drawdown,
            "larger_drawdown_share": kelly.larger_drawdown_share,
        });
    }
    json
}

fn point(point: &CoursePoint) -> Value {
    let [p5, p25, p50, p75, p95] = point.lucky.map_or([None; 5], |lucky| lucky.map(Some));
    json!({
        "date": point.date,
        "bets": point.bets,
        "units": point.units,
        "p5": p5,
        "p25": p25,
        "p50": p50,
        "p75": p75,
        "p95": p95,
    })
}

fn table<G>(rows: &[(G, BetsRow)], group: impl Fn(&G) -> Value) -> Value {
    rows.iter().map(|(of, bets)| with(group(of), row(bets))).collect()
}

fn band(band: &Band) -> Value {
    json!({ "from": band.from, "to": band.to })
}

fn row(row: &BetsRow) -> Value {
    let BetsRow { record, roi } = row;
    json!({
        "bets": record.stakes(),
        "wins": record.wins(),
        "losses": record.losses(),
        "pushes": record.pushes(),
        "units": record.units(),
        "roi": record.return_on_stakes(),
        "roi_low": roi.map(|roi| roi.low),
        "roi_high": roi.map(|roi| roi.high),
    })
}

/// Adds the fields of an object to another one.
fn with(mut object: Value, fields: Value) -> Value {
    if let (Value::Object(object), Value::Object(fields)) = (&mut object, fields) {
        object.extend(fields);
    }
    object
}
