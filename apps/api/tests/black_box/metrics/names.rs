//! The names of metrics in rules, dashboards and docs.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::{MEASURED, figures};
use crate::service::Site;

/// Functions of Prometheus with an underscore in their names.
const FUNCTIONS: [&str; 2] = ["histogram_quantile", "min_over_time"];

fn file(path: &str) -> String {
    fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).expect(path)
}

/// Returns the metrics of a running server with all optional parts.
async fn metrics() -> BTreeSet<String> {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve_with(&MEASURED).await;
    let figures = figures(&service).await;
    let families = figures.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    families.map(str::to_owned).collect()
}

/// Returns the names of metrics in a Prometheus expression: without labels, their values, and functions.
fn names(expression: &str) -> BTreeSet<String> {
    let (mut bare, mut depth, mut quoted) = (String::new(), 0_u32, false);
    for letter in expression.chars() {
        match letter {
            '"' => quoted = !quoted,
            '{' if !quoted => depth += 1,
            '}' if !quoted => depth -= 1,
            _ if depth == 0 && !quoted => bare.push(letter),
            _ => {}
        }
    }
    let words = bare.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let names = words.filter(|word| word.contains('_') && !FUNCTIONS.contains(word));
    names.map(|name| name.strip_suffix("_bucket").unwrap_or(name).to_owned()).collect()
}

/// Returns the texts in backticks at the beginning of the rows of the table under a heading.
fn first_column(page: &str, heading: &str) -> Vec<String> {
    let section = page.split(&format!("\n## {heading}\n")).nth(1).expect("a heading").split("\n## ").next();
    let rows = section.expect("a section").lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    rows.map(str::to_owned).collect()
}

#[tokio::test]
async fn rules_and_dashboard_use_existing_metrics_and_the_page_lists_them() {
    let metrics = metrics().await;
    let rules = file("deploy/prometheus/alerts.yml");
    let expressions = rules.split("expr:").skip(1).map(|rest| rest.split("for:").next().expect("an expression"));
    let dashboard: Value = serde_json::from_str(&file("deploy/grafana/dashboard.json")).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().expect("targets"));
    let shown = targets.map(|target| target["expr"].as_str().expect("an expression"));
    let used: BTreeSet<_> = expressions.chain(shown).flat_map(names).collect();
    assert!(used.is_subset(&metrics), "not there: {:?}", used.difference(&metrics));
    assert!(used.len() > 8, "{used:?}");
    let documented: BTreeSet<_> = first_column(&file("docs/monitoring.md"), "The figures").into_iter().collect();
    assert_eq!(documented, metrics);
}

#[test]
fn the_page_has_instructions_for_each_alert() {
    let rules = file("deploy/prometheus/alerts.yml");
    let alerts: Vec<_> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert_eq!(first_column(&file("docs/monitoring.md"), "Alerts and responses"), alerts);
}

#[test]
fn metric_names_are_extracted_from_expressions() {
    let expression = "histogram_quantile(0.9, sum by (le) (rate(a_seconds_bucket{b_c=\"d_e\"}[5m]))) > on (x) f_total";
    assert_eq!(names(expression).into_iter().collect::<Vec<_>>(), ["a_seconds", "f_total"]);
}
