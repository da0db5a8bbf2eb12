//! The record of each model as the openings and finals have it, beside the service's own figures.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sports_domain::{ModelName, ModelType};
use sports_transparency::audit::{DecidedPicks, ModelRecord};

use super::answers::PickReturns;

/// Returns a sentence for each model of which the service counts other picks than its own results have.
pub fn contradictions(counted: &DecidedPicks, stated: &DecidedPicks) -> Vec<String> {
    let models: BTreeSet<_> = counted.keys().chain(stated.keys()).collect();
    let differing = models.into_iter().filter(|model| counted.get(model) != stated.get(model));
    let sentence = |of: &(ModelType, ModelName)| {
        let picks = |picks: &DecidedPicks| {
            picks.get(of).map_or_else(|| "no picks".to_owned(), |[wins, losses]| format!("{wins}-{losses}"))
        };
        let (market, model) = of;
        format!("{market} {model}: the summary states {}, and its results have {}", picks(stated), picks(counted))
    };
    differing.map(sentence).collect()
}

/// Returns a sentence for each model whose record by openings and finals is not that of the results, although nothing is named that
/// could explain it.
pub fn unexplained(records: &[ModelRecord], counted: &DecidedPicks, model: Option<ModelName>) -> Vec<String> {
    let differs = |record: &&ModelRecord| {
        let picks = counted.get(&(record.model_type, record.model)).copied().unwrap_or_default();
        model.is_none_or(|model| record.model == model) && picks != [record.wins, record.losses].map(u64::from)
    };
    let sentence = |record: &ModelRecord| {
        let ModelRecord { model_type, model, wins, losses, .. } = record;
        let [won, lost] = counted.get(&(*model_type, *model)).copied().unwrap_or_default();
        format!("{model_type} {model}: openings and finals make it {wins}-{losses}, and the results {won}-{lost}")
    };
    records.iter().filter(differs).map(sentence).collect()
}

/// Returns a sentence for each model with the picks of the calibration, whose return by openings and finals is another one.
pub fn other_returns(records: &[ModelRecord], returns: &PickReturns) -> Vec<String> {
    let sentence = |record: &ModelRecord| {
        let ModelRecord { model_type, model, wins, losses, decided_roi, .. } = record;
        let (own, (picks, stated)) = ((*decided_roi)?, *returns.get(&(*model_type, *model))?);
        let is_counted = picks == [*wins, *losses].map(u64::from);
        (is_counted && (own - stated).abs() > 2e-6).then(|| {
            format!("{model_type} {model}: openings and finals return {own:+.6} by unit staked, and the calibration {stated:+.6}")
        })
    };
    records.iter().filter_map(sentence).collect()
}

/// Returns the place of a record by units among those of its market, and their number.
fn rank(records: &[ModelRecord], record: &ModelRecord) -> (usize, usize) {
    let of_market = || records.iter().filter(|other| other.model_type == record.model_type);
    (1 + of_market().filter(|other| other.units > record.units).count(), of_market().count())
}

/// Returns each record as JSON; of one model alone if it is named.
pub fn json(
    records: &[ModelRecord],
    (served, returns): (&DecidedPicks, &PickReturns),
    model: Option<ModelName>,
) -> Vec<Value> {
    let json = |record: &ModelRecord| {
        let (rank, models) = rank(records, record);
        let stated = served.get(&(record.model_type, record.model));
        json!({
            "model_type": record.model_type.code(),
            "model": record.model.as_str(),
            "games": record.games,
            "wins": record.wins,
            "losses": record.losses,
            "pushes": record.pushes,
            "staked": record.staked,
            "units": record.units,
            "roi": record.roi,
            "roi_low": record.roi_interval.map(|interval| interval.low),
            "roi_high": record.roi_interval.map(|interval| interval.high),
            "brier": record.brier,
            "quoted": record.quoted,
            "better_than_quoted": record.better,
            "rank": rank,
            "models": models,
            "api_wins": stated.map(|[wins, _]| wins),
            "api_losses": stated.map(|[_, losses]| losses),
            "roi_without_pushes": record.decided_roi,
            "api_roi_without_pushes": returns.get(&(record.model_type, record.model)).map(|(_, roi)| roi),
        })
    };
    records.iter().filter(|record| model.is_none_or(|model| record.model == model)).map(json).collect()
}

/// Returns a table of the records; of one model alone if it is named.
pub fn lines(
    records: &[ModelRecord],
    (served, returns): (&DecidedPicks, &PickReturns),
    model: Option<ModelName>,
) -> Vec<String> {
    let heads = [
        "market",
        "model",
        "W-L-P",
        "API",
        "units",
        "ROI",
        "95 %",
        "but pushes",
        "API",
        "Brier",
        "better price",
        "rank",
    ];
    let mut rows = vec![heads.map(str::to_owned)];
    for record in records.iter().filter(|record| model.is_none_or(|model| record.model == model)) {
        let (rank, models) = rank(records, record);
        let stated = served.get(&(record.model_type, record.model));
        let percent = |share: f64| format!("{:+.1} %", 100.0 * share);
        let interval = record.roi_interval.map(|roi| format!("{} to {}", percent(roi.low), percent(roi.high)));
        let none = || "-".to_owned();
        rows.push([
            record.model_type.to_string(),
            record.model.to_string(),
            format!("{}-{}-{}", record.wins, record.losses, record.pushes),
            stated.map_or_else(none, |[wins, losses]| format!("{wins}-{losses}")),
            format!("{:+.2}", record.units),
            record.roi.map_or_else(none, percent),
            interval.unwrap_or_else(none),
            record.decided_roi.map_or_else(none, percent),
            returns.get(&(record.model_type, record.model)).map_or_else(none, |(_, roi)| percent(*roi)),
            record.brier.map_or_else(none, |brier| format!("{brier:.4}")),
            if record.quoted > 0 { format!("{} of {}", record.better, record.quoted) } else { none() },
            format!("{rank} of {models}"),
        ]);
    }
    if rows.len() == 1 {
        return Vec::new();
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<_> = (0..heads.len()).map(width).collect();
    let line = |row: &[String; 12]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
