use serde_json::json;
use sports_domain::ModelName;
use sports_publication::registry::is_declarable;
use sports_publisher_files::{FileKind, TemplateKind as Kind, template};

use crate::cli::TemplateKind;
use crate::failure::Failure;
use crate::report::Report;

/// Prints an empty file, the meaning of its columns, and its JSON Schema; with `csv`, the empty file alone.
pub fn run(kind: TemplateKind, models: &[ModelName], csv: bool) -> Result<Report, Failure> {
    if csv && kind == TemplateKind::Release {
        return Err(Failure::bad_input("release.json is JSON: --csv is for tables"));
    }
    if let Some(name) = models.iter().find(|name| !is_declarable(**name)) {
        return Err(Failure::bad_input(format!("{name} is no name that a model can have: take another one")));
    }
    let has_models = matches!(kind, TemplateKind::Probabilities | TemplateKind::Results | TemplateKind::Predictions);
    if !models.is_empty() && !has_models {
        return Err(Failure::bad_input(
            "--model is for probabilities, results and predictions, which have columns of models",
        ));
    }
    let template = template(kind_of(kind)).with_models(models);
    let widest = template.columns.iter().map(|column| column.name.len()).max().unwrap_or_default();
    let explained = template.columns.iter().map(|column| {
        let required = if column.required { "required" } else { "optional" };
        format!("{:<widest$}  {required}  {}", column.name, column.explanation)
    });
    let mut lines = vec![template.empty_file.trim_end().to_owned(), String::new()];
    lines.extend(explained);
    lines.push(String::new());
    lines.push(format!("{:#}", template.schema));
    if csv {
        lines.truncate(1);
    }
    let columns = template
        .columns
        .iter()
        .map(|column| json!({ "name": column.name, "required": column.required, "explanation": column.explanation }));
    let columns = columns.collect::<Vec<_>>();
    Ok(Report::new(lines, json!({ "file": template.empty_file, "columns": columns, "schema": template.schema })))
}

const fn kind_of(kind: TemplateKind) -> Kind {
    match kind {
        TemplateKind::Games => Kind::Table(FileKind::Games),
        TemplateKind::Probabilities => Kind::Table(FileKind::Probabilities),
        TemplateKind::Results => Kind::Table(FileKind::Results),
        TemplateKind::Odds => Kind::Table(FileKind::Odds),
        TemplateKind::Predictions => Kind::Table(FileKind::Predictions),
        TemplateKind::Finals => Kind::Table(FileKind::Finals),
        TemplateKind::Release => Kind::Release,
    }
}
