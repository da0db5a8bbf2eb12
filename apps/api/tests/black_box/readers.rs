//! The tables of a server, read by polars, pandas and DuckDB.

use serde_json::{Value, json};

use crate::python;
use crate::service::Site;

/// Types that DuckDB finds in columns of Parquet answers.
const TYPES: [(&str, &[(&str, &str)]); 7] = [
    (
        "/api/v1/results/nfl/over_under?season=2024-25",
        &[
            ("date", "DATE"),
            ("time_est", "TIME"),
            ("season", "VARCHAR"),
            ("away_score", "BIGINT"),
            ("over", "BIGINT"),
            ("BLEND", "DOUBLE"),
            ("over_line", "BIGINT"),
            ("over_under", "DOUBLE"),
            ("push", "BOOLEAN"),
            ("ungraded_reason", "VARCHAR"),
            ("forecast_published_at", "TIMESTAMP WITH TIME ZONE"),
        ],
    ),
    (
        "/api/v1/predictions/nfl/won_on_spread",
        &[("sport", "VARCHAR"), ("date", "DATE"), ("time", "TIME"), ("AI", "DOUBLE"), ("ev_home_spread", "DOUBLE")],
    ),
    (
        "/api/v1/odds/nfl",
        &[("date", "DATE"), ("time", "TIME"), ("home_money_line", "BIGINT"), ("last_updated", "TIMESTAMP")],
    ),
    ("/api/v1/summary/nfl/over_under", &[("model", "VARCHAR"), ("wins", "BIGINT"), ("over % 4W", "DOUBLE")]),
    ("/api/v1/strategies/nfl/won_on_points", &[("rank", "BIGINT"), ("ranked", "BOOLEAN"), ("roi", "DOUBLE")]),
    (
        "/api/v1/strategies/nfl/won_on_points/follow_line_home/replay",
        &[("date", "DATE"), ("time_est", "TIME"), ("won", "BOOLEAN"), ("total", "DOUBLE"), ("reason", "VARCHAR")],
    ),
    (
        "/api/v1/results/nfl/over_under/team-form",
        &[("team", "VARCHAR"), ("last_10", "VARCHAR"), ("next_game_date", "DATE")],
    ),
];

#[tokio::test]
async fn data_frame_programs_read_tables_from_their_address_with_the_right_types() {
    let site = Site::publishing(&["nfl-2023-week-18-slate", "edge-cases"]);
    let service = site.serve().await;
    let (url, paths) = (service.url(""), TYPES.map(|(path, _)| path));
    let arguments: Vec<_> = [&*url].into_iter().chain(paths).collect();
    let folder = site.place.path().to_owned();
    let packages = "duckdb_extension_httpfs, pandas, polars, pyarrow";
    let script = python::Script {
        path: "black_box/readers.py",
        packages,
        folder: &folder,
        variables: &[("API_KEY", &site.key)],
    };
    // The server answers while this thread is blocked.
    let Some(read) = script.answer(&arguments) else { return };

    let season = service.page("nfl/over_under?season=2024-25").await.json();
    let rows = season["results"].as_array().expect("rows");
    let finals = rows.iter().filter(|row| !row["away_score"].is_null()).count();
    let first = rows[0]["date"].as_str().expect("a date");
    let header = service.page("nfl/over_under?season=2024-25&format=csv").await;
    let columns = header.text().lines().next().expect("a header").split(',').count();
    for (reader, date_type) in [("polars", "Date"), ("pandas", "datetime64")] {
        let read = &read[reader];
        assert_eq!((&read["rows"], &read["finals"]), (&json!(rows.len()), &json!(finals)), "{reader}");
        assert_eq!((&read["first"], &read["ndjson"]), (&json!(first), &json!(rows.len())), "{reader}");
        assert_eq!(read["csv"], json!([rows.len(), columns, date_type]), "{reader}");
    }
    let polars = &read["polars"]["types"];
    for (column, expected) in [
        ("date", "Date"),
        ("time_est", "Time"),
        ("forecast_published_at", "Datetime(time_unit='us', time_zone='UTC')"),
        ("away_score", "Int64"),
        ("graded", "Boolean"),
    ] {
        assert_eq!(polars[column], expected, "{column}");
    }
    for (path, columns) in TYPES {
        for (column, expected) in columns {
            assert_eq!(read["duckdb"][path][column], Value::from(*expected), "{path} {column}");
        }
    }
}
