//! The state of a league's data, and the publisher's next step.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_domain::{Sport, eastern_instant, eastern_reading};
use sports_publication::slate::freshness::{DAILY_DEADLINE, Degradation, MarketAssessment, ODDS_GO_STALE, Status};
use sports_usecases::data_status::{StoredStatus, stored_status};

use super::verify;
use crate::failure::Failure;
use crate::places::Places;
use crate::report;
use crate::report::Report;

/// Prints the state of one league, or of every league with releases.
pub async fn run(places: &Places<'_>, sport: Option<Sport>) -> Result<Report, Failure> {
    let store = places.existing_store().await?;
    let now = places.clock.now();
    let (mut lines, mut leagues, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    for league in sport.map_or_else(|| Sport::ALL.to_vec(), |sport| vec![sport]) {
        let read = stored_status(&*store.log, &store.archives, &store.slates, league, now);
        let status = read.await.map_err(Failure::other)?;
        let newest = status.newest.as_ref().map(|entry| entry.catalog.generation);
        warnings.extend(verify::warnings_above(&*store.log, league, newest).await?);
        if sport.is_some() || status.newest.is_some() {
            let next = NextStep::of(&status);
            lines.extend(lines_of(league, &status, &next));
            leagues.push(json_of(league, &status, &next));
        }
    }
    if leagues.is_empty() {
        lines.push("nothing published".to_owned());
    }
    let mut report = Report::new(lines, json!({ "leagues": leagues }));
    if !warnings.is_empty() {
        report.warn(warnings);
    }
    Ok(report)
}

/// Formats an instant on the Eastern clock and on the clock of the machine.
pub fn on_both_clocks(at: DateTime<Utc>) -> String {
    let local = at.with_timezone(&sports_program::local_zone());
    format!("{} Eastern ({})", eastern_reading(at).format("%Y-%m-%d %H:%M"), local.format("%Y-%m-%d %H:%M %Z"))
}

/// Returns the line about predictions that lack published odds, with the instant from which they are stale.
pub fn stale_predictions(from: DateTime<Utc>) -> String {
    format!("the predictions lack these odds and are stale from {}", on_both_clocks(from))
}

/// The next step of a publisher, and its deadline; `None` for a step without one.
struct NextStep {
    step: String,
    deadline: Option<DateTime<Utc>>,
}

impl NextStep {
    /// Returns the most urgent step: a missing slate, a refresh, finals, odds of today, or the next slate.
    fn of(status: &StoredStatus) -> Self {
        let day = status.verdict.day();
        let refresh = status.verdict.markets().iter().filter_map(|market| market.refresh_deadline).min();
        let odds = status.newest.as_ref().and_then(|entry| entry.catalog.odds.as_ref());
        let odds = odds.filter(|_| status.games_left_today).map(|odds| odds.source_as_of + ODDS_GO_STALE);
        let is_missing = !matches!(status.verdict.status(), Status::Fresh | Status::OffDay) && refresh.is_none();
        let (step, deadline) = if is_missing {
            ("publish today's slate: odds, predictions and a completed run".to_owned(), Some(day.deadline))
        } else if let Some(deadline) = refresh {
            ("publish predictions that include the newer odds".to_owned(), Some(deadline))
        } else if !status.awaiting.is_empty() {
            (format!("settle {} games of earlier days", status.awaiting.len()), Some(day.deadline))
        } else if let Some(deadline) = odds {
            ("publish odds again".to_owned(), Some(deadline))
        } else if let Some(date) = status.verdict.next_slate() {
            (format!("publish the slate of {date}"), Some(eastern_instant(date, DAILY_DEADLINE)))
        } else {
            ("publish the first slate of the next season".to_owned(), None)
        };
        Self { step, deadline }
    }
}

fn lines_of(sport: Sport, status: &StoredStatus, next: &NextStep) -> Vec<String> {
    let reason = status.verdict.degradation().map(|reason| format!(" ({})", reason.word())).unwrap_or_default();
    let mut lines = vec![format!("{sport}: {}{reason}", status.verdict.status().word())];
    match &status.newest {
        Some(entry) => {
            let catalog = &entry.catalog;
            let at = on_both_clocks(catalog.published_at);
            lines.push(format!("  last release: generation {}, {}, {at}", catalog.generation, catalog.release_id));
            lines.extend(catalog.odds.as_ref().map(|odds| {
                format!(
                    "  odds: read {}; old from {}",
                    on_both_clocks(odds.source_as_of),
                    on_both_clocks(odds.source_as_of + ODDS_GO_STALE)
                )
            }));
        }
        None => lines.push("  last release: none".to_owned()),
    }
    lines.extend(status.verdict.markets().iter().map(|market| format!("  {}", market_line(market))));
    lines.push(format!("  awaiting a final: {}", status.awaiting.len()));
    lines.extend(status.awaiting.iter().map(|game| format!("    {game}")));
    let by = next.deadline.map(|deadline| format!(", by {}", on_both_clocks(deadline))).unwrap_or_default();
    lines.push(format!("  next: {}{by}", next.step));
    lines
}

fn market_line(market: &MarketAssessment) -> String {
    let until = market.refresh_deadline.map(|at| format!("; rebuild by {}", on_both_clocks(at))).unwrap_or_default();
    if !market.expected {
        return format!("{}: no market of the league", market.model_type);
    }
    format!("{}: {}{until}", market.model_type, market.status.word())
}

fn json_of(sport: Sport, status: &StoredStatus, next: &NextStep) -> Value {
    let catalog = status.newest.as_ref().map(|entry| &entry.catalog);
    let odds = catalog.and_then(|catalog| catalog.odds.as_ref()).map(|odds| odds.source_as_of);
    let market = |market: &MarketAssessment| {
        json!({
            "model_type": market.model_type.code(),
            "expected": market.expected,
            "status": market.status.word(),
            "refresh_deadline": market.refresh_deadline.map(report::written_instant),
        })
    };
    json!({
        "sport": sport.code(),
        "status": status.verdict.status().word(),
        "reason": status.verdict.degradation().map(Degradation::word),
        "generation": catalog.map(|catalog| catalog.generation.get()),
        "release_id": catalog.map(|catalog| catalog.release_id.as_str()),
        "published_at": catalog.map(|catalog| report::written_instant(catalog.published_at)),
        "odds_as_of": odds.map(report::written_instant),
        "odds_old_from": odds.map(|at| report::written_instant(at + ODDS_GO_STALE)),
        "markets": status.verdict.markets().iter().map(market).collect::<Vec<_>>(),
        "awaiting": status.awaiting.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "next": { "step": next.step, "deadline": next.deadline.map(report::written_instant) },
    })
}
