use actix_web::HttpResponse;
use actix_web::web::Data;
use sports_domain::Market;
use sports_ports::PortError;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableColumn;
use sports_row_formats::TabularSeason;
use sports_usecases::forecast_proof::{ForecastProofs, LocatedOpening};
use sports_usecases::results::archive_of;

use crate::answer::{Answer, Table};
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::format::Format;
use crate::moments::RequestMoments;
use crate::params::{Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::wire::{TableOf, Tabular, wire, with_fields};

/// The openings of a season.
struct Openings(Vec<OpeningItem>);

wire! {
    /// The opening of the commitment to one forecast.
    row OpeningItem(located: LocatedOpening) {
        let LocatedOpening { index, opening } = located;

        /// The index of the leaf.
        index: u64 = index,
        /// The leaf.
        entry: String = opening.entry,
        /// The salt, in hexadecimal digits.
        salt: String = opening.salt.to_hex(),
        /// The forecast as it was committed to.
        payload: String = opening.payload,
    }
}

impl Tabular for Openings {
    fn table(&self) -> Vec<TableColumn<'_>> {
        with_fields(TableOf::rows(&self.0)).columns()
    }
}

/// Open the commitments of a season
///
/// One line of NDJSON for each forecast of the season's results (the latest season without `season`) that this log recorded since it
/// has a tree: the index of its leaf, the leaf, the salt and the forecast as it was committed to. With them, an audit compares each
/// row of the results with the tree. Imported rows have no line. The forecasts are those that results have.
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
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<SeasonQuery>,
    answer: Answer,
    moments: RequestMoments,
    proofs: Data<ForecastProofs<TabularSeason>>,
    seasons: Data<dyn SeasonViews<TabularSeason>>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params(SeasonQuery { season })) = (path, params);
    let at = moments.now(market.sport)?;
    let archive = archive_of(at.moment(), market, season)?;
    let key = (market, archive.season, archive.object);
    let moment = at.moment().clone();
    let making = async move {
        let newest = moment.catalog().ok_or_else(|| PortError::unavailable("the record", "nothing is published"))?;
        let view = seasons.view(&archive).await?;
        let openings = proofs.openings(newest, (*view).as_ref()).await?;
        Ok(Table(Openings(openings.into_iter().map(OpeningItem::new).collect())))
    };
    let answer = answer.in_format(Some(Format::Ndjson)).at(&at).validated_by_body().queued_if(true);
    answer.respond(&key, making).await
}
