use serde_json::{Map, Value, json};
use sports_domain::{AmericanPrice, ModelColumn, ModelName, ModelType};
use sports_publication::season_table::ColumnKind;

use crate::cells::{LARGEST_LINE, LARGEST_PRICE, LAST_GAME_NUMBER};
use crate::columns;
use crate::columns::{FileKind, InputColumn, InputKind, columns_of};

/// A kind of file for which a template exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateKind {
    /// A table of the release.
    Table(FileKind),
    /// `release.json`.
    Release,
}

/// An empty input file with an explanation of its columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// The file without data: a CSV header, or a `release.json` with its required fields.
    pub empty_file: String,
    /// The columns or fields, in order.
    pub columns: Vec<TemplateColumn>,
    /// The JSON Schema of a row, or of `release.json`.
    pub schema: Value,
}

/// A column or field of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateColumn {
    /// The exact name.
    pub name: String,
    /// True if every file must have the column.
    pub required: bool,
    /// A one-sentence explanation.
    pub explanation: String,
}

impl From<&InputColumn> for TemplateColumn {
    fn from(column: &InputColumn) -> Self {
        Self { name: column.name.to_owned(), required: column.required, explanation: column.explanation.to_string() }
    }
}

impl Template {
    /// Adds columns for a publisher's own models behind those of the specification. A file without models, and a column
    /// that the file has already, stay as they are.
    pub fn with_models(mut self, models: &[ModelName]) -> Self {
        let is_last = |column: &TemplateColumn| column.name == ModelColumn::Xt.name();
        let Some(behind) = self.columns.iter().position(is_last) else { return self };
        let listed =
            |template: &Self, model: &ModelName| template.columns.iter().any(|column| column.name == model.as_str());
        for model in models.iter().rev() {
            if listed(&self, model) {
                continue;
            }
            let explanation = "Your own model's probability of the positive side; declared under `models`.".to_owned();
            let mut schema = nullable(cell_schema(ColumnKind::Probability), false);
            schema["description"] = explanation.clone().into();
            self.schema["properties"][model.as_str()] = schema;
            let column = TemplateColumn { name: model.to_string(), required: false, explanation };
            self.columns.insert(behind + 1, column);
        }
        let names: Vec<_> = self.columns.iter().map(|column| column.name.as_str()).collect();
        self.empty_file = names.join(",") + "\n";
        self
    }
}

impl TemplateKind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Table(FileKind::Games),
        Self::Table(FileKind::Probabilities),
        Self::Table(FileKind::Results),
        Self::Table(FileKind::Odds),
        Self::Table(FileKind::Predictions),
        Self::Table(FileKind::Finals),
        Self::Release,
    ];

    /// Returns the name of the kind on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Table(kind) => kind.word(),
            Self::Release => "release",
        }
    }
}

/// Returns the template of a kind: the file without rows, and the meaning of its columns.
pub fn template(kind: TemplateKind) -> Template {
    match kind {
        TemplateKind::Table(kind) => table(kind),
        TemplateKind::Release => release(),
    }
}

fn table(kind: FileKind) -> Template {
    let columns: Vec<_> = columns_of(kind).iter().collect();
    let names: Vec<_> = columns.iter().map(|column| column.name).collect();
    let mut schema = object(&columns, |column| nullable(schema_of(column.kind), column.required));
    // Tables may have other columns, so the schema stays open.
    schema["title"] = format!("A row of {}", kind.place()).into();
    Template {
        empty_file: names.join(",") + "\n",
        columns: columns.into_iter().map(TemplateColumn::from).collect(),
        schema: dated(schema),
    }
}

fn release() -> Template {
    let columns: Vec<_> = columns::MANIFEST.iter().collect();
    let mut schema = object(&columns, |column| match column.name {
        "run" => fields(&columns::RUN),
        "source_as_of" => fields(&columns::SOURCE_TIMES),
        "held_games" => held_games(),
        "models" => models(),
        "headline" => nullable(schema_of(column.kind), false),
        "moved" => {
            list(&closed(object(&columns::RESCHEDULE.iter().collect::<Vec<_>>(), |_| fields(&columns::GAME_KEY))))
        }
        _ => schema_of(column.kind),
    });
    schema["title"] = "release.json".into();
    let empty_file = "{\n  \"sport\": \"\",\n  \"slate_date\": \"\"\n}\n".to_owned();
    let columns = columns.into_iter().map(TemplateColumn::from).collect();
    Template { empty_file, columns, schema: dated(closed(schema)) }
}

/// Returns the schema of an object with these fields and no others.
fn fields(columns: &'static [InputColumn]) -> Value {
    closed(object(&columns.iter().collect::<Vec<_>>(), |field| schema_of(field.kind)))
}

/// Returns the schema of declarations: an object of models by name, or `false` for a column that is no model.
fn models() -> Value {
    let model = object(&columns::MODEL.iter().collect::<Vec<_>>(), |field| match field.name {
        "model_types" => nullable(list(&json!({"enum": ModelType::ALL.map(ModelType::code)})), false),
        _ => nullable(schema_of(field.kind), false),
    });
    json!({
        "type": "object",
        "propertyNames": {"pattern": "^[A-Za-z][A-Za-z0-9_.-]{0,31}$"},
        "additionalProperties": {"anyOf": [closed(model), {"const": false}]},
    })
}

fn held_games() -> Value {
    let markets = ModelType::ALL.map(|model_type| (model_type.code().to_owned(), list(&fields(&columns::GAME_KEY))));
    closed(json!({"type": "object", "properties": Map::from_iter(markets)}))
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

fn object(columns: &[&InputColumn], property_of: impl Fn(&InputColumn) -> Value) -> Value {
    let property = |column: &&InputColumn| {
        let mut schema = property_of(column);
        schema["description"] = column.explanation.as_ref().into();
        (column.name.to_owned(), schema)
    };
    let properties: Map<_, _> = columns.iter().map(property).collect();
    let required: Vec<_> = columns.iter().filter(|column| column.required).map(|column| column.name).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn closed(mut schema: Value) -> Value {
    schema["additionalProperties"] = false.into();
    schema
}

fn dated(mut schema: Value) -> Value {
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema
}

/// Allows null in an optional cell.
fn nullable(schema: Value, required: bool) -> Value {
    if required { schema } else { json!({"anyOf": [schema, {"type": "null"}]}) }
}

fn schema_of(kind: InputKind) -> Value {
    match kind {
        InputKind::Cell(kind) => cell_schema(kind),
        InputKind::Object => json!({"type": "object"}),
        InputKind::List => json!({"type": "array"}),
    }
}

fn cell_schema(kind: ColumnKind) -> Value {
    match kind {
        ColumnKind::Date => json!({"type": "string", "format": "date"}),
        ColumnKind::Time => json!({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"}),
        ColumnKind::WallClock => {
            json!({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} ([01][0-9]|2[0-3])(:[0-5][0-9]){2}$"})
        }
        ColumnKind::Instant => json!({"type": "string", "format": "date-time"}),
        ColumnKind::Season => json!({"type": "string", "pattern": "^[1-9][0-9]{3}(-[0-9]{2})?$"}),
        ColumnKind::Team => json!({"type": "string", "minLength": 1}),
        ColumnKind::GameNumber => json!({"type": "integer", "minimum": 1, "maximum": LAST_GAME_NUMBER}),
        ColumnKind::Score => json!({"type": "integer", "minimum": 0}),
        ColumnKind::Price => {
            let (smallest, largest) = (i64::from(AmericanPrice::SMALLEST), i64::from(LARGEST_PRICE));
            let either_way = [json!({"maximum": -smallest}), json!({"const": 0}), json!({"minimum": smallest})];
            json!({"type": "integer", "minimum": -largest, "maximum": largest, "anyOf": either_way})
        }
        ColumnKind::Points => {
            let widest = i32::from(LARGEST_LINE);
            json!({"type": "number", "minimum": -widest, "maximum": widest})
        }
        ColumnKind::Total => json!({"type": "number", "minimum": 0, "maximum": LARGEST_LINE}),
        ColumnKind::Probability => json!({"type": "number", "minimum": 0, "maximum": 1}),
        ColumnKind::Word(words) => json!({"enum": words}),
        ColumnKind::Text => json!({"type": "string"}),
        ColumnKind::Flag => json!({"type": "boolean"}),
        ColumnKind::Outcome => json!({"enum": [0, 1]}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_table_is_its_header() {
        let template = template(TemplateKind::Table(FileKind::Probabilities));
        assert_eq!(
            template.empty_file,
            "date,time_est,season,away_team,home_team,game_number,game_id,match_id,AI,BLEND,CATB,RF,LGB,LOGR,XGB,XT,\
             forecast_source,forecast_run,forecast_published_at,model_probability_source,model_training_through,\
             model_reconstruction_method\n"
        );
        assert_eq!(template.schema["required"], json!(["date", "away_team", "home_team"]));
        assert_eq!(template.schema["properties"]["RF"]["anyOf"][0]["maximum"], json!(1));
    }

    #[test]
    fn the_files_of_a_slate_begin_with_their_key() {
        let header = |kind| template(TemplateKind::Table(kind)).empty_file;
        assert_eq!(
            header(FileKind::Odds),
            "date,time,away_team,home_team,game_number,game_id,match_id,home_money_line,away_money_line,home_point_spread,away_point_spread,\
             home_point_spread_line,away_point_spread_line,over_under,over_line,under_line,quote_source,last_updated\n"
        );
        assert_eq!(
            header(FileKind::Finals),
            "date,time_est,away_team,home_team,game_number,game_id,match_id,away_score,home_score,settlement_status,void_markets,\
             sport\n"
        );
        let predictions = header(FileKind::Predictions);
        assert!(predictions.starts_with(
            "date,time,away_team,home_team,game_number,game_id,match_id,season,game_type,quote_source,home_m"
        ));
        assert!(predictions.ends_with(",open_over_under,AI,BLEND,CATB,RF,LGB,LOGR,XGB,XT\n"));
    }

    #[test]
    fn own_models_have_columns_behind_those_of_the_specification() {
        let names: Vec<ModelName> = ["ELO", "nn_v2", "RF"].map(|name| name.parse().expect("a name")).into();
        let template = template(TemplateKind::Table(FileKind::Predictions)).with_models(&names);
        assert!(template.empty_file.ends_with(",LGB,LOGR,XGB,XT,ELO,nn_v2\n"), "{}", template.empty_file);
        assert_eq!(template.schema["properties"]["nn_v2"]["anyOf"][0]["maximum"], json!(1));
        let games = super::template(TemplateKind::Table(FileKind::Games));
        assert_eq!(games.clone().with_models(&names), games);
    }

    #[test]
    fn held_and_rescheduled_games_are_keys_with_their_start() {
        let properties = &template(TemplateKind::Release).schema["properties"];
        let held = &properties["held_games"]["properties"]["won_on_spread"]["items"];
        let moved = &properties["moved"]["items"]["properties"]["to"];
        for key in [held, moved] {
            assert_eq!(key["required"], json!(["date", "time_est", "away_team", "home_team"]));
            assert_eq!(key["additionalProperties"], json!(false));
        }
        assert_eq!(properties["moved"]["items"]["required"], json!(["to"]));
    }

    #[test]
    fn a_headline_is_a_name_or_null_which_removes_it() {
        let schema = &template(TemplateKind::Release).schema["properties"]["headline"];
        assert_eq!(schema["anyOf"], json!([{"type": "string"}, {"type": "null"}]));
    }

    #[test]
    fn a_schema_explains_every_column_and_release_json_takes_no_other() {
        for kind in TemplateKind::ALL {
            let Template { columns, schema, .. } = template(kind);
            for column in columns {
                assert_eq!(
                    schema["properties"][&column.name]["description"],
                    column.explanation.as_str(),
                    "{}",
                    column.name
                );
            }
            let closed = schema.get("additionalProperties").is_some();
            assert_eq!(closed, kind == TemplateKind::Release);
        }
    }
}
