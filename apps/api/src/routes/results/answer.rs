use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, VARY};
use actix_web::{HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use sports_domain::escaped_for_spreadsheets;
use sports_grading::RULES_VERSION;
use sports_ports::tables::TableFormat;
use sports_usecases::results::ResultsPage as Page;

use super::row::ResultsPage;
use crate::caching::Validator;
use crate::codes::Code;
use crate::error::ApiError;
use crate::format::Format;
use crate::render::{PageBody, RenderedSeason};

/// A page in one of the forms.
pub fn page(
    page: &Page,
    season: &RenderedSeason,
    format: Format,
    validator: &Validator,
    tables: &dyn TableFormat,
) -> Result<HttpResponse, ApiError> {
    let mut response = headed(HttpResponse::Ok(), page, validator);
    response.insert_header((CONTENT_TYPE, format.essence()));
    let rows = season.rows(page.order);
    Ok(match format {
        Format::Json => response.body(PageBody::from_parts(around(page, rows.slice(&page.rows))?)),
        Format::Ndjson => response.body(lines(page, season)),
        Format::Csv => response.body(csv(page, season)?),
        Format::Parquet => {
            let market = page.season.market;
            let name = format!("{}-{}-{}.parquet", market.sport, market.model_type, page.season.season);
            response.insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
            response.body(tables.encode(season.table(page.order, page.rows.clone()))?)
        }
    })
}

/// A response with what every form of a page says in its headers.
pub fn headed(mut response: HttpResponseBuilder, page: &Page, validator: &Validator) -> HttpResponseBuilder {
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

/// The JSON page in three pieces. It is written without its rows, and they are put where they belong.
fn around(page: &Page, rows: Bytes) -> Result<[Bytes; 3], ApiError> {
    let market = page.season.market;
    let empty = ResultsPage {
        sport: Code(market.sport),
        model_type: Code(market.model_type),
        season: page.season.season.to_string(),
        results: Vec::new(),
        last_updated: page.last_updated,
        total: page.total,
        returned: page.rows.len(),
        offset: page.offset,
        next_offset: page.next_offset,
        snapshot: page.snapshot.to_string(),
        source_start: page.source_start,
        source_end: page.source_end,
    };
    let written = Bytes::from(serde_json::to_vec(&empty).map_err(|error| ApiError::Internal(error.into()))?);
    let before_rows = br#""results":["#;
    // Everything before the rows is a code or a label, so this text stands there only once.
    let found = written.windows(before_rows.len()).position(|window| window == before_rows);
    let rows_stand = found.map_or(written.len(), |start| start + before_rows.len());
    Ok([written.slice(..rows_stand), rows, written.slice(rows_stand..)])
}

fn lines(page: &Page, season: &RenderedSeason) -> Bytes {
    let rows = season.rows(page.order);
    let mut lines = Vec::with_capacity(rows.slice(&page.rows).len() + 1);
    for index in page.rows.clone() {
        lines.extend_from_slice(&rows.row(index));
        lines.push(b'\n');
    }
    lines.into()
}

fn csv(page: &Page, season: &RenderedSeason) -> Result<Bytes, ApiError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns = season.columns();
    let internal = |error: csv::Error| ApiError::Internal(error.into());
    let names = columns.iter().map(|column| escaped_for_spreadsheets(column.name(season.model_type())).into_owned());
    writer.write_record(names).map_err(internal)?;
    for game in page.rows.clone().filter_map(|index| season.game(page.order, index)) {
        let cells: Vec<_> = columns.iter().map(|column| column.cell(&game)).collect();
        writer.write_record(cells.iter().map(|cell| cell.to_csv().into_owned())).map_err(internal)?;
    }
    writer.into_inner().map(Bytes::from).map_err(|error| ApiError::Internal(error.to_string().into()))
}
