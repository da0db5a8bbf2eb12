//! One answer about a season, compared with every other answer about it.

use serde_json::{Map, Value, json};
use sports_domain::{ModelType, Sport};

use crate::service::Service;

/// Compares results, summary, tracking, team form, leaderboards and replays of every league's current season.
pub async fn check_all(service: &Service, sports: &[Sport]) {
    for sport in sports {
        for model_type in ModelType::ALL {
            check(service, &format!("{sport}/{model_type}"), model_type.outcome_column()).await;
        }
    }
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn sum(entries: &Value, field: &str) -> u64 {
    list(entries).iter().map(|entry| entry[field].as_u64().expect(field)).sum()
}

/// Counts wins and losses of a model in served rows.
fn record(rows: &[Value], model: &str, outcome: &str) -> (u64, u64) {
    let (mut wins, mut losses) = (0, 0);
    for row in rows.iter().filter(|row| row["graded"] == true) {
        let favours = row[model].as_f64().and_then(|probability| probability.partial_cmp(&0.5));
        let Some(favours) = favours.filter(|favours| favours.is_ne()) else { continue };
        if favours.is_gt() == (row[outcome] == 1) { wins += 1 } else { losses += 1 }
    }
    (wins, losses)
}

/// Compares the current season's rows of one market with every other answer about it.
async fn check(service: &Service, market: &str, outcome: &str) {
    let page = service.json_of(&format!("results/{market}?limit=100000")).await;
    let (rows, season) = (list(&page["results"]), page["season"].as_str().expect("a label"));

    let tracking = service.json_of(&format!("model-tracking/{market}")).await;
    assert_eq!((&tracking["season"], &tracking["archive_games"]), (&page["season"], &page["total"]), "{market}");
    assert_eq!(tracking["last_updated"], page["last_updated"]);
    let because = |reason: &str| rows.iter().filter(|row| row["ungraded_reason"] == reason).count();
    assert_eq!(tracking["graded_games"], rows.iter().filter(|row| row["graded"] == true).count());
    for reason in ["no_final", "no_line", "push", "no_prediction"] {
        assert_eq!(tracking["ungraded"][reason], because(reason), "{market} {reason}");
    }
    for kinds in ["forecast_source", "model_probability_source"] {
        let counted: u64 =
            tracking[kinds].as_object().expect("kinds").values().map(|count| count.as_u64().expect("a count")).sum();
        assert_eq!(page["total"], counted, "{market} {kinds}");
    }

    let summary = service.json_of(&format!("summary/{market}")).await;
    assert_eq!((&summary["season"], &summary["generated_date"]), (&page["season"], &page["last_updated"]));
    for entry in list(&summary["summaries"]).iter().filter(|entry| entry["model"] != "ENSEMBLE") {
        let model = entry["model"].as_str().expect("a name");
        assert_eq!(json!([entry["wins"], entry["losses"]]), json!(record(rows, model, outcome)), "{market} {model}");
    }

    let of_kind = |source: &str, recorded: bool| {
        rows.iter().filter(|row| row["forecast_source"] == source && row["recorded"] == recorded).count()
    };
    let (imported, reconstructed) = (of_kind("live", false), of_kind("walk_forward", false));
    let kinds = json!({ "recorded": of_kind("live", true), "imported": imported, "walk_forward": reconstructed });
    assert_eq!(tracking["forecast_games"], kinds, "{market}");
    let recorded: Vec<_> = rows.iter().filter(|row| row["recorded"] == true).cloned().collect();
    let summary_of_recorded = service.json_of(&format!("summary/{market}?forecast_source=recorded")).await;
    assert_eq!(summary_of_recorded["forecast_games"], kinds, "{market}");
    for entry in list(&summary_of_recorded["summaries"]).iter().filter(|entry| entry["model"] != "ENSEMBLE") {
        let model = entry["model"].as_str().expect("a name");
        assert_eq!(
            json!([entry["wins"], entry["losses"]]),
            json!(record(&recorded, model, outcome)),
            "{market} {model}"
        );
    }

    let form = service.json_of(&format!("results/{market}/team-form")).await;
    let decided = rows.iter().filter(|row| row["push"] == false).count();
    assert_eq!(sum(&form["teams"], "games"), 2 * decided as u64, "{market}");
    assert_eq!((&form["season_end"], &form["current_season"]), (&page["source_end"], &page["season"]));
    for team in list(&form["teams"]) {
        let own = rows.iter().filter(|row| row["push"] == false);
        let results = own.filter_map(|row| {
            let positive = row[outcome] == 1;
            match (row["home_team"] == team["team"], row["away_team"] == team["team"]) {
                (true, _) => Some(positive),
                (_, true) => Some(if outcome == "over" { positive } else { !positive }),
                _ => None,
            }
        });
        // Rows are newest first here, and the last ten are listed oldest first.
        let results: Vec<_> = results.map(u8::from).collect();
        let wins: usize = results.iter().map(|won| usize::from(*won)).sum();
        assert_eq!(json!([team["games"], team["wins"]]), json!([results.len(), wins]), "{market} {team}");
        let last: Vec<_> = results.iter().take(10).rev().collect();
        assert_eq!(team["last_10"], json!(last), "{market} {team}");
    }

    for accounting in ["legacy_v1", "recorded_v2"] {
        let path = format!("strategies/{market}?season={season}&accounting={accounting}");
        let leaderboard = service.json_of(&path).await;
        assert_eq!(list(&leaderboard["strategies"]).len(), 16);
        for entry in list(&leaderboard["strategies"]) {
            replayed(service, market, &format!("season={season}&accounting={accounting}"), entry).await;
        }
    }

    let rolling = service.json_of(&format!("results/{market}/rolling")).await;
    let curves = list(&rolling["seasons"]).iter().find(|curves| curves["season"] == season).expect("the season");
    assert_eq!(
        curves["models"].as_object().map_or(0, Map::len),
        list(&summary["summaries"]).len() - ensembles(&summary)
    );
    let density = service.json_of(&format!("results/{market}/density")).await;
    assert_eq!(density["current"]["games"], sum(&density["current"]["cells"], "games"));
}

fn ensembles(summary: &Value) -> usize {
    list(&summary["summaries"]).iter().filter(|entry| entry["model"] == "ENSEMBLE").count()
}

/// Asserts that a replay agrees with the leaderboard's entry, by its rows as well.
async fn replayed(service: &Service, market: &str, query: &str, entry: &Value) {
    let id = entry["id"].as_str().expect("an id");
    let replay = service.json_of(&format!("strategies/{market}/{id}/replay?{query}&include_excluded=true")).await;
    assert_eq!(replay["strategy"], *entry, "{market} {id}");
    let rows = list(&replay["rows"]);
    let ended = |word: &str| rows.iter().filter(|row| row["outcome"] == word).count();
    assert_eq!(json!([ended("win"), ended("loss")]), json!([entry["wins"], entry["losses"]]), "{market} {id}");
    let total = rows.last().map_or(json!(0.0), |row| row["total"].clone());
    if let Some(profit) = entry.get("profit_units") {
        assert_eq!(*profit, total, "{market} {id}");
        assert_eq!(json!([rows.len(), ended("push")]), json!([entry["stakes"], entry["pushes"]]), "{market} {id}");
        let excluded =
            entry["exclusions"].as_object().expect("counts").values().map(|count| count.as_u64().expect("a count"));
        assert_eq!(list(&replay["excluded_rows"]).len() as u64, excluded.sum::<u64>(), "{market} {id}");
    }
}
