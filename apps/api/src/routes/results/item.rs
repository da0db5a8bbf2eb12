use std::borrow::Cow;

use sports_publication::Value;
use sports_publication::season_table::{ColumnKind, InRows, InSeasons, SEASON_COLUMNS, SeasonColumn};
use utoipa::openapi::schema::{KnownFormat, Schema, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Object, ObjectBuilder, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// One row of a season, as the document describes it: its fields are the columns of the season table. Rows themselves
/// are written by `sports-season-rows`.
pub struct ResultItem;

impl PartialSchema for ResultItem {
    fn schema() -> RefOr<Schema> {
        let description = "One game, graded or not. Rows are flexible: a season can carry further columns, such as the AI\n\
                           model, `match_id`, `game_number` and the publisher's own.";
        let mut row = ObjectBuilder::new().schema_type(Type::Object).description(Some(description));
        for column in SEASON_COLUMNS.iter().filter(|column| is_described(column)) {
            row = row.property(column.name, property(column));
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
}

/// Columns that only some seasons have, and then in each row, are among the further ones that the schema leaves open.
fn is_described(column: &SeasonColumn) -> bool {
    column.in_seasons != InSeasons::Some || column.in_rows == InRows::OrLeftOut
}

fn property(column: &SeasonColumn) -> Object {
    let (of_type, format) = type_of(column.kind);
    let schema_type = match column.in_rows {
        InRows::Filled => SchemaType::Type(of_type),
        InRows::OrNull | InRows::OrLeftOut => SchemaType::from_iter([of_type, Type::Null]),
    };
    let counts = matches!(column.kind, ColumnKind::Score | ColumnKind::Outcome);
    let mut property = ObjectBuilder::new()
        .schema_type(schema_type)
        .format(format.map(SchemaFormat::KnownFormat))
        .minimum(counts.then_some(0))
        .description(Some(column.documentation))
        .build();
    property.example = column.example.map(json);
    property
}

/// What the values of a kind are in JSON.
const fn type_of(kind: ColumnKind) -> (Type, Option<KnownFormat>) {
    match kind {
        ColumnKind::Date => (Type::String, Some(KnownFormat::Date)),
        ColumnKind::Instant => (Type::String, Some(KnownFormat::DateTime)),
        ColumnKind::Time
        | ColumnKind::WallClock
        | ColumnKind::Season
        | ColumnKind::Team
        | ColumnKind::Word(_)
        | ColumnKind::Text => (Type::String, None),
        ColumnKind::GameNumber | ColumnKind::Score | ColumnKind::Price | ColumnKind::Outcome => {
            (Type::Integer, Some(KnownFormat::Int32))
        }
        ColumnKind::Points | ColumnKind::Total | ColumnKind::Probability => (Type::Number, Some(KnownFormat::Double)),
        ColumnKind::Flag => (Type::Boolean, None),
    }
}

fn json(value: Value<&str>) -> serde_json::Value {
    match value {
        Value::Flag(flag) => flag.into(),
        Value::Integer(number) => number.into(),
        Value::Number(number) => number.into(),
        text => text.written().into(),
    }
}
