//! Graded history with the three markets of a game beside each other.

mod list;

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::Sport;
use sports_domain::paging::PageRows;
use sports_publication::season_table::{InRows, InSeasons, SEASON_COLUMNS, SeasonColumn};
use sports_tables::MARKET_PREFIXES;
use sports_usecases::games::{GamesError, GamesSeason};
use utoipa::openapi::schema::{AdditionalProperties, Schema, Type};
use utoipa::openapi::{ObjectBuilder, RefOr};
use utoipa::{PartialSchema, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use super::results::list::{PageCut, PageKind, SeasonPage};
use crate::answer::SelectedRows;
use crate::codes::{Code, SportCode};
use crate::error::ApiError;
use crate::operation::operation;
use crate::rows_schema::{column_schema, word_schemas};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(list::list_games));
}

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

impl From<GamesError> for ApiError {
    fn from(error: GamesError) -> Self {
        match error {
            GamesError::NotReadYet(error) => error.into(),
            GamesError::NoSeason(error) => error.into(),
            GamesError::SnapshotChanged { sport, season } => Self::Conflict(format!(
                "Season {season} of {sport} was published anew since this snapshot, or never had it; start again from the first \
                 page, without `snapshot` and `offset`"
            )),
            GamesError::AnotherMoment { season } => Self::Conflict(format!(
                "This is not the snapshot of season {season} as of {{as_of}}: start again from the first page"
            )),
        }
    }
}

/// One page of the games of a season.
pub type GamesResponse = SeasonPage<Games>;

/// The kind of a page of games.
pub enum Games {}

impl PageKind for Games {
    const NAME: &'static str = "GamesPage";
    const DESCRIPTION: &'static str = "One page of the games of a season.";
    const ROWS: &'static str = "games";
    type Head = Head;
    type Totals = Totals;
    type Item = GameItem;
}

/// The fields of a page before its rows.
#[derive(Serialize, ToSchema)]
pub struct Head {
    /// The league.
    sport: SportCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
}

/// The fields of a page behind its rows that are about its season.
#[derive(Serialize, ToSchema)]
pub struct Totals {
    /// The time at which a market of the season was last published.
    last_updated: DateTime<Utc>,
    /// The number of games of the season, or of the selected games.
    total: usize,
}

impl GamesResponse {
    /// Creates the page of these rows.
    pub fn new(sport: Sport, page: &GamesSeason, rows: &SelectedRows) -> Self {
        let cut = PageCut {
            returned: rows.seasons.iter().map(PageRows::len).sum(),
            offset: page.offset,
            next_offset: rows.next_offset,
            snapshot: page.snapshot.to_string(),
            source_start: page.season.first_date,
            source_end: page.season.last_date,
        };
        Self {
            head: Head { sport: Code(sport), season: page.season.season.to_string() },
            totals: Totals { last_updated: page.season.last_updated, total: rows.total },
            cut,
        }
    }
}
