//! A season as it was known some time before each start, from the store alone.

use chrono::{DateTime, Utc};
use sports_domain::{Market, Season};
use sports_ports::PortError;
use sports_ports::seasons::SeasonRef;
use sports_publication::movement::{BeforeStart, KnownSeason};

use crate::analytics::SeasonAnalytics;
use crate::record::{Archives, Ledgers, Slates};
use crate::season_walk::walk_season;

/// Reads a season of one market as it was known; `None` if the newest entry has no archive of it.
///
/// # Errors
///
/// [`PortError`] if the record cannot be read.
pub async fn known_season(
    ledgers: &Ledgers,
    (slates, archives): (&Slates, &Archives),
    (market, season): (Market, Season),
    (before, has_finals): (BeforeStart, bool),
    now: DateTime<Utc>,
) -> Result<Option<KnownSeason>, PortError> {
    let newest = ledgers.of(market.sport).read_newest().await?;
    let Some(newest) = newest.map(|newest| newest.entry) else { return Ok(None) };
    let Some(entry) = newest.catalog.results.get(&(market.model_type, season)) else { return Ok(None) };
    let archive = archives.read(&SeasonRef::from_artifact(market, season, &entry.artifact)).await?;
    let movement = walk_season(ledgers, slates, archives, &newest, season).await?;
    let (known, registry) =
        (movement.known_season(market.model_type, before, now), slates.registry(&newest.catalog).await?);
    Ok(Some(SeasonAnalytics::from_archive(&archive).complete(known, &registry, &[], has_finals)))
}
