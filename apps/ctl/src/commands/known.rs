use serde_json::json;
use sports_domain::{Market, Season};
use sports_publication::movement::KnownSeason;
use sports_tables::Tabular;
use sports_usecases::known_season::known_season;

use super::table_file::TableFile;
use crate::cli::Known;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Writes a season as it was known some time before each start to a new file.
pub async fn run(places: &Places<'_>, known: &Known) -> Result<Report, Failure> {
    let Known { sport, model_type, season, hours_before, finals, out } = known;
    let season = Season::parse(*sport, season).map_err(Failure::bad_input)?;
    let file = TableFile::new(out)?;
    let (market, store) = (Market::new(*sport, *model_type), places.existing_store().await?);
    let (parts, options) = ((&store.slates, &store.archives), (*hours_before, *finals));
    let found = known_season(&store.ledgers, parts, (market, season), options, places.clock.now()).await;
    let Some(found) = found.map_err(Failure::other)? else {
        return Err(Failure::bad_input(format!("{market} has no season {season} on record")));
    };
    file.write(found.table())?;
    Ok(report(known, &found))
}

fn report(known: &Known, found: &KnownSeason) -> Report {
    let Known { sport, model_type, season, hours_before, finals, out } = known;
    let (games, unknown) = (found.games.len(), found.unknown);
    let hours = hours_before.hours();
    let line = format!("{}: {games} games of {season} as known {hours} hours before play", out.display());
    let missing = format!("{unknown} more were not known yet");
    let lines = if unknown == 0 { vec![line] } else { vec![line, missing] };
    let json = json!({
        "sport": sport.code(),
        "model_type": model_type.code(),
        "season": season,
        "hours_before": hours,
        "finals": finals,
        "games": games,
        "unknown": unknown,
        "file": out.display().to_string(),
    });
    Report::new(lines, json)
}
