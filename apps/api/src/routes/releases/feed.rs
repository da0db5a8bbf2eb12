//! The releases and corrections of a league as an Atom feed (RFC 4287), for feed readers. It is no operation, so the document does not
//! list it.

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::HeaderValue;
use actix_web::web::ServiceConfig;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use chrono::{DateTime, SecondsFormat, Utc};
use sports_domain::Sport;
use sports_http_transport::{KeptBody, ProxyTrust};
use sports_ports::PortError;
use sports_publication::registry::ShownTo;
use sports_publication::{Correction, CorrectionKind, Generation, RecordChange};
use sports_usecases::releases::{RecentRelease, RecentReleases};

use crate::answer::Answer;
use crate::auth::CrossOriginCaller;
use crate::error::ApiError;
use crate::operation::undocumented;
use crate::page::escaped;
use crate::params::Params;
use crate::paths::Path;
use crate::response_cache::Repeatable;
use crate::state::State;

/// The path of a league's feed.
pub(crate) const PATH: &str = "/api/v1/releases/{sport}/feed";

pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(undocumented(Method::GET, PATH, show_feed));
}

/// The most corrections of a feed, which has the newest.
const MOST: usize = 100;

async fn show_feed(
    _caller: CrossOriginCaller,
    path: Path<Sport>,
    _params: Params<()>,
    request: HttpRequest,
    answer: Answer,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let Path(sport) = path;
    let releases = Arc::clone(&state.published.releases);
    let newest = releases.newest(sport)?;
    let newest = newest.ok_or_else(|| ApiError::NotFound(format!("Nothing is published for {sport}")))?;
    let moment = state.published.moments.now(sport)?.read_by(ShownTo::Everyone);
    let service = match &state.site.public_url {
        Some(url) => url.as_str().trim_end_matches('/').to_owned(),
        None => ProxyTrust::base_url(&request),
    };
    let page = releases.up_to(&newest, None, RecentReleases::LISTED).await?;
    let oldest = page.releases.last().map_or(Generation::FIRST, |release| release.entry.catalog.generation);
    let corrected = state.published.corrections.page(&moment, oldest, usize::MAX).await?.corrections;
    // A correction of a game that has not started is listed once it has.
    let listed: Vec<_> = corrected.iter().map(|correction| correction.record_index).collect();
    let key = (newest.entry.digest, service.clone(), listed);
    let making = async move {
        let releases = page.releases.iter().map(|release| of_release(&service, sport, release));
        let corrections =
            corrected.iter().rev().take(MOST).map(|correction| of_correction(&service, sport, correction));
        let mut entries: Vec<_> = releases.chain(corrections).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.updated));
        let feed = feed(&service, sport, &entries);
        Ok::<_, PortError>(KeptBody::new(HeaderValue::from_static("application/atom+xml; charset=utf-8"), feed.into()))
    };
    let response = answer.public().respond(&key, making).await;
    // It has the address at which the service was asked.
    request.extensions_mut().remove::<Repeatable>();
    response
}

struct Entry {
    /// The address of the release or correction, which identifies it.
    id: String,
    title: String,
    updated: DateTime<Utc>,
    summary: String,
}

fn of_release(service: &str, sport: Sport, release: &RecentRelease) -> Entry {
    let catalog = &release.entry.catalog;
    let after = catalog.generation.next();
    let mut parts = Vec::new();
    parts.extend(release.odds.then(|| "odds".to_owned()));
    parts.extend(release.predictions.iter().map(|market| format!("predictions of {market}")));
    parts.extend(release.seasons.iter().map(|change| {
        format!(
            "{} of {}: {} games, {:+} decided",
            change.model_type, change.season, change.games, change.decided_added
        )
    }));
    parts.extend(release.models_declared.iter().map(|model| format!("{model} declared")));
    parts.extend(release.models_retired.iter().map(|model| format!("{model} retired")));
    Entry {
        id: format!("{service}/api/v1/releases/{sport}?before={after}&limit=1"),
        title: format!("{sport} release {}", catalog.release_id),
        updated: catalog.published_at,
        summary: if parts.is_empty() { "nothing that is listed".to_owned() } else { parts.join(", ") },
    }
}

/// Returns the entry of a correction, without its values.
fn of_correction(service: &str, sport: Sport, correction: &Correction) -> Entry {
    let Correction { generation, published_at, game, change, record_index, .. } = correction;
    let what = match (change.kind(), change) {
        (CorrectionKind::ForecastWithdrawn, RecordChange::ForecastWithdrawn { model_type }) => {
            format!("the forecast of {model_type} is withdrawn")
        }
        (CorrectionKind::Rescheduled, _) => "it has another start".to_owned(),
        (CorrectionKind::StatusChanged, _) => "it has another status".to_owned(),
        _ => "its final is corrected".to_owned(),
    };
    Entry {
        id: format!("{service}/api/v1/corrections/{sport}?since_generation={generation}#{record_index}"),
        title: format!("{sport} correction: {game}"),
        updated: *published_at,
        summary: what,
    }
}

fn feed(service: &str, sport: Sport, entries: &[Entry]) -> String {
    let instant = |instant: DateTime<Utc>| instant.to_rfc3339_opts(SecondsFormat::Secs, true);
    let address = escaped(&format!("{service}{}", PATH.replace("{sport}", sport.code())));
    let updated = entries.first().map(|entry| instant(entry.updated)).unwrap_or_default();
    let entry = |entry: &Entry| {
        let Entry { id, title, updated, summary } = entry;
        let (id, title, summary, updated) = (escaped(id), escaped(title), escaped(summary), instant(*updated));
        format!(
            "<entry><id>{id}</id><title>{title}</title><updated>{updated}</updated><link href=\"{id}\"/>\
             <summary>{summary}</summary></entry>\n"
        )
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>{address}</id>\
         <title>Releases and corrections of {sport}</title><updated>{updated}</updated>\
         <link rel=\"self\" href=\"{address}\"/><author><name>{}</name></author>\n{}</feed>\n",
        escaped(service),
        entries.iter().map(entry).collect::<String>()
    )
}
