use std::borrow::Cow;

use sports_publication::season_table::{InRows, InSeasons, SEASON_COLUMNS, SeasonColumn};
use sports_row_formats::MARKET_PREFIXES;
use utoipa::openapi::schema::{AdditionalProperties, Schema, Type};
use utoipa::openapi::{ObjectBuilder, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::rows_schema::{column_schema, word_schemas};

/// The schema of one game with its three markets: the columns of the season table that identify a game, and for each market
/// the others, with the market's word before them.
pub struct GameItem;

impl PartialSchema for GameItem {
    fn schema() -> RefOr<Schema> {
        let description = "One game with its three markets, graded or not. Rows are flexible: a season may have further \
                           columns, and each row has every column of its season.";
        let mut row = ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some(description))
            .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(true)));
        for column in SEASON_COLUMNS.iter().filter(|column| column.identifies_games()) {
            row = row.property(column.name, column_schema(column, column.in_rows == InRows::OrNull));
            if column.in_seasons == InSeasons::All {
                row = row.required(column.name);
            }
        }
        for (model_type, prefix) in MARKET_PREFIXES {
            let is_of_market = |column: &&SeasonColumn| match column.in_seasons {
                InSeasons::All | InSeasons::Some => !column.identifies_games(),
                InSeasons::OfMarket(of) => of == model_type,
                InSeasons::None => false,
            };
            for column in SEASON_COLUMNS.iter().filter(is_of_market) {
                let name = format!("{prefix}{}", column.name);
                row = row.property(&name, column_schema(column, true));
                if column.in_seasons != InSeasons::Some {
                    row = row.required(name);
                }
            }
        }
        RefOr::T(Schema::Object(row.build()))
    }
}

impl ToSchema for GameItem {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("GameRow")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.extend(word_schemas());
    }
}
