//! The file `release.json` of a converted folder.

use chrono::NaiveDate;
use serde_json::{Map, Value, json};
use sports_domain::{ModelColumn, ModelType, Season, Sport};

use crate::tables::release::ReleaseFile;

/// The error for a `release.json` of another season than the slate that is added to its folder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it has the season {there}, and the slate is of {slate}: correct the season, or name another --out")]
pub struct OtherSeason {
    /// The season of `release.json`.
    there: String,
    /// The season of the slate.
    slate: String,
}

/// Writes `release.json`, with the declarations of own models if there are any.
pub(crate) fn manifest(
    sport: Sport,
    slate_date: NaiveDate,
    season: Option<Season>,
    own_models: &Map<String, Value>,
) -> ReleaseFile {
    let mut manifest = json!({ "sport": sport.code(), "slate_date": slate_date.to_string() });
    if let Some(season) = season {
        manifest["season"] = season.to_string().into();
    }
    if !own_models.is_empty() {
        manifest["models"] = own_models.clone().into();
    }
    ReleaseFile { path: "release.json".to_owned(), bytes: written(&manifest) }
}

/// Returns the declarations of the models that are not standard, for `models` of `release.json`.
pub(crate) fn declarations(models: &[(ModelType, String)]) -> Map<String, Value> {
    let standard = |name: &str| ModelColumn::FORECASTS.iter().any(|model| model.name() == name);
    let own = models.iter().filter(|(_, name)| !standard(name));
    own.map(|(_, name)| (name.clone(), json!({}))).collect()
}

/// Adds to the `release.json` of a folder the season and the declarations of models that only a new one has; returns
/// `None` if the folder's has them, or is no JSON object. Whatever a publisher has written there is kept.
///
/// # Errors
///
/// [`OtherSeason`] if both have a season and they differ: a release has one.
pub fn completed_manifest(there: &[u8], new: &[u8]) -> Result<Option<Vec<u8>>, OtherSeason> {
    let object = |bytes| serde_json::from_slice::<Map<String, Value>>(bytes).ok();
    let (Some(before), Some(new)) = (object(there), object(new)) else { return Ok(None) };
    let mut manifest = before.clone();
    if let Some(slate) = new.get("season") {
        let season = manifest.entry("season").or_insert(Value::Null);
        if season.is_null() {
            season.clone_from(slate);
        } else if season != slate {
            return Err(OtherSeason { there: word(season), slate: word(slate) });
        }
    }
    if let Some(own_models) = new.get("models").and_then(Value::as_object)
        && let Some(models) = manifest.entry("models").or_insert_with(|| json!({})).as_object_mut()
    {
        for (name, declaration) in own_models {
            models.entry(name).or_insert_with(|| declaration.clone());
        }
    }
    Ok((manifest != before).then(|| written(&manifest.into())))
}

/// Returns a value without the quotes of a text.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn written(manifest: &Value) -> Vec<u8> {
    format!("{manifest:#}\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HISTORY: &str =
        r#"{ "sport": "nba", "slate_date": "2026-01-10", "headline": "ELO", "models": { "ELO": { "title": "Elo" } } }"#;
    const SLATE: &str =
        r#"{ "sport": "nba", "slate_date": "2026-01-15", "season": "2025-26", "models": { "ELO": {}, "nn_v2": {} } }"#;

    fn completed(there: &str, new: &str) -> Result<Option<Value>, OtherSeason> {
        let bytes = completed_manifest(there.as_bytes(), new.as_bytes())?;
        Ok(bytes.map(|bytes| serde_json::from_slice(&bytes).expect("JSON")))
    }

    #[test]
    fn a_slate_adds_its_season_and_keeps_what_a_publisher_has_written() {
        let expected = json!({
            "sport": "nba",
            "slate_date": "2026-01-10",
            "season": "2025-26",
            "headline": "ELO",
            "models": { "ELO": { "title": "Elo" }, "nn_v2": {} },
        });
        assert_eq!(completed(HISTORY, SLATE), Ok(Some(expected.clone())));
        assert_eq!(completed(&expected.to_string(), SLATE), Ok(None), "nothing is left to add");
        assert_eq!(completed(&expected.to_string(), HISTORY), Ok(None), "a history has no season to add");
        let without = r#"{ "sport": "nba", "slate_date": "2026-01-10", "season": null }"#;
        let new = r#"{ "sport": "nba", "season": "2025-26" }"#;
        let expected = json!({ "sport": "nba", "slate_date": "2026-01-10", "season": "2025-26" });
        assert_eq!(completed(without, new), Ok(Some(expected)));
    }

    #[test]
    fn a_slate_of_another_season_than_the_folder_is_refused() {
        let there = HISTORY.replace("\"headline\"", "\"season\": \"2024-25\", \"headline\"");
        let refused = completed(&there, SLATE).expect_err("two seasons");
        let message =
            "it has the season 2024-25, and the slate is of 2025-26: correct the season, or name another --out";
        assert_eq!(refused.to_string(), message);
    }
}
