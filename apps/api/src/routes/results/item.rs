use std::borrow::Cow;

use sports_publication::season_table::{InRows, InSeasons, SEASON_COLUMNS};
use utoipa::openapi::schema::{AdditionalProperties, Schema, Type};
use utoipa::openapi::{ObjectBuilder, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::rows_schema::{column_schema, word_schemas};

/// The schema of one row of a season: its fields are the columns of the season table. Rows themselves are written by
/// `sports-row-formats`.
pub struct ResultItem;

impl PartialSchema for ResultItem {
    fn schema() -> RefOr<Schema> {
        let description = "One game, graded or not. Rows are flexible: a season may have further columns.";
        let mut row = ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some(description))
            .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(true)));
        for column in SEASON_COLUMNS.iter().filter(|column| column.in_seasons != InSeasons::None) {
            row = row.property(column.name, column_schema(column, column.in_rows == InRows::OrNull));
            if column.in_seasons == InSeasons::All && column.in_rows != InRows::OrLeftOut {
                row = row.required(column.name);
            }
        }
        RefOr::T(Schema::Object(row.build()))
    }
}

impl ToSchema for ResultItem {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("ResultRow")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.extend(word_schemas());
    }
}
