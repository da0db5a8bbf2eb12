use std::borrow::Cow;

use sports_publication::Value;
use sports_publication::season_table::{ColumnKind, InRows, InSeasons, SEASON_COLUMNS, SeasonColumn};
use utoipa::openapi::schema::{
    AdditionalProperties, KnownFormat, OneOfBuilder, Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

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

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.extend(SEASON_COLUMNS.iter().filter_map(|column| Some((words_name(column)?, words(column)?))));
    }
}

fn property(column: &SeasonColumn) -> RefOr<Schema> {
    let nullable = column.in_rows == InRows::OrNull;
    if let Some(name) = words_name(column) {
        let words = Ref::from_schema_name(name);
        return if nullable { OneOfBuilder::new().item(words).item(null()).into() } else { words.into() };
    }
    let (of_type, format) = type_of(column.kind);
    let schema_type = if nullable { SchemaType::from_iter([of_type, Type::Null]) } else { SchemaType::Type(of_type) };
    let mut property = ObjectBuilder::new()
        .schema_type(schema_type)
        .format(format.map(SchemaFormat::KnownFormat))
        .description(Some(column.documentation));
    property = match column.kind {
        ColumnKind::Score => property.minimum(Some(0)),
        ColumnKind::GameNumber => property.minimum(Some(1)).maximum(Some(9)),
        ColumnKind::Outcome | ColumnKind::Probability => property.minimum(Some(0)).maximum(Some(1)),
        _ => property,
    };
    let mut property = property.build();
    property.example = column.example.map(json);
    property.into()
}

fn null() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Null)
}

/// Returns the name of the schema of a column with a closed set of words: the column's name in the document's
/// spelling.
fn words_name(column: &SeasonColumn) -> Option<String> {
    let ColumnKind::Word(_) = column.kind else { return None };
    let capitalised = |word: &str| word[..1].to_uppercase() + &word[1..];
    Some(column.name.split('_').map(capitalised).chain(["Code".to_owned()]).collect())
}

fn words(column: &SeasonColumn) -> Option<RefOr<Schema>> {
    let ColumnKind::Word(words) = column.kind else { return None };
    let words = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words.iter().copied()));
    Some(words.description(Some(column.documentation)).into())
}

/// Returns the JSON type of a kind's values.
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
