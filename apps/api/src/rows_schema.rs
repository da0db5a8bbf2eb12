//! The schemas of rows and pages whose columns are those of the season table.

use sports_publication::Value;
use sports_publication::season_table::{ColumnKind, SEASON_COLUMNS, SeasonColumn};
use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, Object, OneOfBuilder, Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr};

/// Returns the schema of a page: the fields of its head, a list of rows by its name and that of their schema, and the fields
/// behind them.
pub fn page_schema(
    description: &str,
    head: RefOr<Schema>,
    list: &str,
    row: &str,
    tails: [RefOr<Schema>; 2],
) -> RefOr<Schema> {
    let rows = ArrayBuilder::new().items(Ref::from_schema_name(row)).description(Some("The rows, one a game."));
    let rows = ObjectBuilder::new().property(list, rows).required(list).build();
    let mut page = ObjectBuilder::new().description(Some(description)).build();
    for part in [object(head), rows].into_iter().chain(tails.map(object)) {
        page.properties.extend(part.properties);
        page.required.extend(part.required);
    }
    RefOr::T(Schema::Object(page))
}

/// Returns the object within the schema of a struct.
fn object(schema: RefOr<Schema>) -> Object {
    match schema {
        RefOr::T(Schema::Object(object)) => object,
        RefOr::T(_) | RefOr::Ref(_) => Object::default(),
    }
}

/// Returns the schema of a column.
pub fn column_schema(column: &SeasonColumn, nullable: bool) -> RefOr<Schema> {
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

/// Returns the schemas of the columns with closed sets of words, by their names.
pub fn word_schemas() -> impl Iterator<Item = (String, RefOr<Schema>)> {
    SEASON_COLUMNS.iter().filter_map(|column| Some((words_name(column)?, words(column)?)))
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
