use serde_json::{Map, Value, json};
use sports_domain::{ModelName, Sport};
use sports_publication::registry::{LeagueSettings, RegisteredModel, Registry, codes};
use sports_usecases::models::{LeagueModels, UndeclaredColumn, league_models};

use crate::failure::Failure;
use crate::places::Places;
use crate::report;
use crate::report::Report;

/// Lists the models of a league, and with `undeclared` the extra columns that look like models.
pub async fn run(places: &Places<'_>, sport: Sport, undeclared: bool) -> Result<Report, Failure> {
    let store = places.existing_store().await?;
    let found = league_models(&*store.log, &store.archives, &store.slates, sport, undeclared).await;
    let Some(LeagueModels { generation, registry, defaults, undeclared: columns }) = found.map_err(Failure::other)?
    else {
        let nothing = json!({ "sport": sport.code(), "generation": null, "models": [] });
        return Ok(Report::new(vec![format!("{sport}: nothing published")], nothing));
    };
    let others = defaults.markets.iter().filter(|(_, model)| **model != defaults.league);
    let others: Vec<_> = others.map(|(model_type, model)| format!(", {model} in {model_type}")).collect();
    let mut lines = vec![format!(
        "{sport}: {} models of its own, headline {}{}",
        registry.own().count(),
        defaults.league,
        others.concat()
    )];
    lines.extend(registry.models().iter().map(line));
    if !registry.not_models().is_empty() {
        let names: Vec<_> = registry.not_models().iter().map(ToString::to_string).collect();
        lines.push(format!("  no models: {}", names.join(", ")));
    }
    lines.extend(Some(league_line(registry.league())).filter(|_| *registry.league() != LeagueSettings::default()));
    let mut json = json(sport, &registry);
    json["headline"] = defaults.league.as_str().into();
    let headlines = defaults.markets.iter().map(|(of, model)| (of.code().to_owned(), model.as_str().into()));
    json["headlines"] = headlines.collect::<Map<_, _>>().into();
    json["generation"] = generation.get().into();
    if undeclared {
        lines.extend(undeclared_lines(&columns));
        json["undeclared"] = columns.iter().map(column_json).collect();
    }
    Ok(Report::new(lines, json))
}

/// Formats the models that a release declared and retired.
pub fn phrases(declared: &[ModelName], retired: &[ModelName]) -> Vec<String> {
    let changes = [("declared", declared), ("retired", retired)].into_iter().filter(|(_, models)| !models.is_empty());
    changes.map(|(word, models)| format!("models {word}: {}", names(models).join(", "))).collect()
}

/// Returns the names of models as text.
pub fn names(models: &[ModelName]) -> Vec<&str> {
    models.iter().map(ModelName::as_str).collect()
}

/// Formats the settings of a league in one line.
pub fn league_line(league: &LeagueSettings) -> String {
    let markets =
        league.markets.as_ref().map_or_else(|| "those of its last slates".to_owned(), |of| codes(of).join(", "));
    let days = league.slate_days.map_or_else(|| "every day".to_owned(), |days| days.to_string());
    let odds = if league.odds_dependent { "depend" } else { "do not depend" };
    format!("league: markets {markets}; slate days {days}; predictions {odds} on odds")
}

/// Returns the settings of a league as JSON.
pub fn league_json(league: &LeagueSettings) -> Value {
    json!({
        "markets": league.markets.as_ref().map(codes),
        "slate_days": league.slate_days.map(|days| days.words().collect::<Vec<_>>()),
        "odds_dependent": league.odds_dependent,
    })
}

/// Formats a model in one line.
fn line(model: &RegisteredModel) -> String {
    let version = model.versions.last().map(|version| format!("  version {}", version.version)).unwrap_or_default();
    let retired = model.retired.map(|retired| format!("  retired since generation {}", retired.generation));
    let public = if model.public { "  public" } else { "" };
    format!(
        "  {}  {}  declared in generation {}{version}{public}{}",
        model.name,
        model.shown_title(),
        model.declared.generation,
        retired.unwrap_or_default(),
    )
}

/// Formats the columns without a declaration, and the block that declares them as models.
fn undeclared_lines(columns: &[UndeclaredColumn]) -> Vec<String> {
    if columns.is_empty() {
        return vec!["no extra column on record looks like probabilities".to_owned()];
    }
    let mut lines: Vec<_> = columns
        .iter()
        .map(|column| {
            let markets = column.seasons.iter().map(|(model_type, seasons)| {
                let seasons: Vec<_> = seasons.iter().map(ToString::to_string).collect();
                format!("{model_type} {}", seasons.join(" "))
            });
            let markets = markets.collect::<Vec<_>>().join(", ");
            let reason = column.declarable.err().map(|reason| format!("; for a model rename the column: {reason}"));
            let UndeclaredColumn { name, games, lowest, highest, .. } = column;
            format!("  {name}: {markets}; {games} games, {lowest} to {highest}{}", reason.unwrap_or_default())
        })
        .collect();
    let declarable = columns.iter().filter(|column| column.declarable.is_ok());
    let block: Map<_, _> = declarable.map(|column| (column.name.to_string(), json!({}))).collect();
    if block.is_empty() {
        return lines;
    }
    lines.push("for models, add to release.json (`false` instead of `{}` for a column that is no model):".to_owned());
    lines.push(format!("  \"models\": {}", Value::Object(block)));
    lines
}

fn column_json(column: &UndeclaredColumn) -> Value {
    let seasons = column.seasons.iter().map(|(model_type, seasons)| {
        let seasons: Vec<_> = seasons.iter().map(ToString::to_string).collect();
        (model_type.code().to_owned(), json!(seasons))
    });
    json!({
        "name": column.name.as_str(),
        "seasons": seasons.collect::<Map<_, _>>(),
        "games": column.games,
        "lowest": column.lowest,
        "highest": column.highest,
        "not_declarable": column.declarable.err().map(|reason| reason.to_string()),
    })
}

fn json(sport: Sport, registry: &Registry) -> Value {
    let models = registry.models().iter().map(|model| {
        let versions = model.versions.iter().rev().map(|version| {
            json!({
                "version": version.version,
                "sha256": version.sha256.map(|hash| hash.to_string()),
                "since_generation": version.since.generation.get(),
                "published_at": report::written_instant(version.since.at),
            })
        });
        json!({
            "model": model.name.as_str(),
            "kind": if model.is_own() { "own" } else { "standard" },
            "title": model.shown_title(),
            "description": model.description,
            "url": model.url,
            "public": model.public,
            "model_types": model.model_types.iter().map(|model_type| model_type.code()).collect::<Vec<_>>(),
            "declared_generation": model.declared.generation.get(),
            "declared_at": report::written_instant(model.declared.at),
            "retired_generation": model.retired.map(|retired| retired.generation.get()),
            "versions": versions.collect::<Vec<_>>(),
        })
    });
    json!({
        "sport": sport.code(),
        "league": league_json(registry.league()),
        "models": models.collect::<Vec<_>>(),
        "not_models": registry.not_models().iter().map(ModelName::as_str).collect::<Vec<_>>(),
    })
}
