use std::sync::Arc;

use actix_web::HttpResponse;
use serde_json::Value;
use sports_domain::paging::GameFilter;
use sports_domain::{Market, ModelName};
use sports_ports::PortError;
use sports_ports::seasons::SeasonRef;
use sports_ports::tables::TableColumn;
use sports_tables::SeasonTable as _;
use sports_transparency::audit::LocatedOpening;
use sports_usecases::forecast_proof::SeasonOpening;
use sports_usecases::results::archive_of;

use crate::answer::{Answer, Table};
use crate::auth::{OfSeason, RecordReader};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::format::Format;
use crate::moments::RequestMoments;
use crate::params::{Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::state::State;
use crate::wire::{TableOf, Tabular, wire, with_fields};

/// The openings of a season.
struct Openings(Vec<OpeningItem>);

wire! {
    /// The opening of the commitment to one forecast.
    row OpeningItem(opened: SeasonOpening) {
        let SeasonOpening { located: LocatedOpening { index, opening }, is_standing, .. } = opened;

        /// The index of the leaf.
        index: u64 = index,
        /// The leaf.
        entry: String = opening.entry,
        /// The salt, in hexadecimal digits.
        salt: String = opening.salt.to_hex(),
        /// The forecast as it was committed to.
        payload: String = opening.payload,
        /// True for the forecast of a row of the results; false for one that was withdrawn, or replaced by a later one.
        standing: bool = is_standing,
    }
}

impl Tabular for Openings {
    fn table(&self) -> Vec<TableColumn<'_>> {
        with_fields(TableOf::rows(&self.0)).columns()
    }
}

/// Open the commitments of a season
///
/// One line of NDJSON for each forecast of the season (the latest one without `season`) that an audit needs the numbers of, in the
/// order of leaves: the index of its leaf, the leaf, the salt and the forecast as it was committed to. They are the last forecast of
/// each game that this log recorded since it has a tree, withdrawn ones included; the last one before each withdrawal and each new
/// start; and those before them with equal numbers. Imported rows have no line.
#[utoipa::path(
    get, path = "/api/v1/record/{sport}/{model_type}/openings",
    tag = "record",
    params(MarketPath),
    responses(
        (status = 200, description = "The openings", content_type = "application/x-ndjson", body = String),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_openings(
    _reader: RecordReader<OfSeason>,
    path: Path<Market>,
    params: Params<SeasonQuery>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params(SeasonQuery { season })) = (path, params);
    let at = moments.now(market.sport)?;
    let archive = archive_of(at.moment(), market, season)?;
    let (moment, seasons) = (at.moment().clone(), Arc::clone(&state.published.tabular));
    // Commitments are to the forecasts of all models.
    let archive = SeasonRef { public_in: None, ..archive };
    let hidden = moment.hidden_models();
    let started_by = match moment.embargo() {
        Some(now) => at.query(seasons.view(&archive)).await?.index().last_start(&GameFilter::default(), now)?,
        None => None,
    };
    let key = (market, archive.season, archive.object, started_by, hidden.clone());
    let proofs = Arc::clone(&state.published.records.proofs);
    // In a box: it follows the leaves of a season.
    let making = Box::pin(async move {
        let newest = moment.catalog().ok_or_else(|| PortError::unavailable("the record", "nothing is published"))?;
        let view = seasons.view(&archive).await?;
        let openings = proofs.openings(newest, (*view).as_ref()).await?.into_iter();
        let shown = openings.filter(|opening| moment.shows(&opening.game) && !has_model(opening, &hidden));
        Ok(Table(Openings(shown.map(OpeningItem::new).collect())))
    });
    let answer = answer.in_format(Some(Format::Ndjson)).at(&at).validated_by_body().queued_if(true);
    answer.respond(&key, making).await
}

/// Returns true if an opening has a probability of one of some models.
fn has_model(opening: &SeasonOpening, models: &[ModelName]) -> bool {
    if models.is_empty() {
        return false;
    }
    let payload: Value = serde_json::from_str(&opening.located.opening.payload).unwrap_or_default();
    // A payload that cannot be read may have it.
    payload["probabilities"].as_object().is_none_or(|of| models.iter().any(|model| of.contains_key(model.as_str())))
}
