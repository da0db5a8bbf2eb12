use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, VARY};
use actix_web::{HttpResponse, HttpResponseBuilder};
use sports_grading::RULES_VERSION;
use sports_ports::tables::TableFormat;
use sports_season_rows::RenderedSeason;
use sports_usecases::results::ResultsPage;

use super::page_body::PageBody;
use super::response::ResultsResponse;
use crate::caching::Etag;
use crate::error::ApiError;
use crate::format::Format;

/// A page in one of the forms.
pub fn page(
    page: &ResultsPage,
    season: &RenderedSeason,
    format: Format,
    validator: &Etag,
    tables: &dyn TableFormat,
) -> Result<HttpResponse, ApiError> {
    let mut response = headed(HttpResponse::Ok(), page, validator);
    response.insert_header((CONTENT_TYPE, format.essence()));
    let (order, rows) = (page.order, page.rows.clone());
    Ok(match format {
        Format::Json => {
            let page = ResultsResponse::from(page).json()?;
            response.body(PageBody::from_parts(page.around(season.json(order).slice(&rows))))
        }
        Format::Ndjson => response.body(season.ndjson(order, rows)),
        Format::Csv => response.body(season.csv(order, rows).map_err(|error| ApiError::Internal(error.into()))?),
        Format::Parquet => {
            let market = page.season.market;
            let name = format!("{}-{}-{}.parquet", market.sport, market.model_type, page.season.season);
            response.insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
            response.body(tables.encode(season.table(order, rows))?)
        }
    })
}

/// A response with what every form of a page says in its headers.
pub fn headed(mut response: HttpResponseBuilder, page: &ResultsPage, validator: &Etag) -> HttpResponseBuilder {
    response
        .insert_header((ETAG, validator.etag()))
        .insert_header((CACHE_CONTROL, "private, no-cache"))
        .insert_header((VARY, "Accept, Accept-Encoding"))
        .insert_header(("X-Grading-Rules", RULES_VERSION))
        .insert_header(("X-Results-Season", page.season.season.to_string()))
        .insert_header(("X-Results-Total", page.total))
        .insert_header(("X-Results-Snapshot", page.snapshot.as_str()));
    if let Some(next_offset) = page.next_offset {
        response.insert_header(("X-Results-Next-Offset", next_offset));
    }
    response
}
