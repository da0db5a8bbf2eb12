//! Games with their three markets, compared row by row with the results of each market.

use serde_json::{Map, Value};

use crate::service::{Answer, Service, Site};

type Row = Map<String, Value>;

const PATH: &str = "/api/v1/games/nfl";
const MARKETS: [(&str, &str); 3] =
    [("won_on_points", "moneyline_"), ("won_on_spread", "spread_"), ("over_under", "total_")];
/// The columns that a row has once.
const ONCE: [&str; 9] =
    ["date", "time_est", "season", "game_type", "away_team", "home_team", "game_number", "game_id", "match_id"];

async fn league() -> (Site, Service) {
    let site = Site::publishing(&["own-models", "edge-cases", "doubleheader"]);
    let service = site.app().await;
    (site, service)
}

fn rows_of(page: &Value, list: &str) -> Vec<Row> {
    page[list].as_array().expect("rows").iter().map(|row| row.as_object().expect("an object").clone()).collect()
}

/// Returns the rows that the games of a season should have, from the results of the three markets.
async fn expected(service: &Service, sport: &str, season: &str) -> Vec<Row> {
    let mut games: Vec<Row> = Vec::new();
    for (market, prefix) in MARKETS {
        let answer = service.get(&format!("/api/v1/results/{sport}/{market}?season={season}&limit=1000")).await;
        if answer.status == 404 {
            continue;
        }
        for row in rows_of(&answer.json(), "results") {
            let place = games.iter().position(|game| game["game_id"] == row["game_id"]).unwrap_or_else(|| {
                games.push(Row::new());
                games.len() - 1
            });
            for (name, value) in row {
                if ONCE.contains(&&*name) {
                    let known = games[place].entry(name).or_insert_with(|| value.clone());
                    assert_eq!(*known, value, "markets agree about a game");
                } else {
                    games[place].insert(format!("{prefix}{name}"), value);
                }
            }
        }
    }
    let key = |game: &Row| ["date", "time_est", "away_team"].map(|name| game[name].as_str().unwrap_or("99").to_owned());
    games.sort_by_key(key);
    games
}

/// Asserts that rows have every value that is expected, and null in every other column.
fn assert_same(found: &[Row], expected: &[Row]) {
    assert_eq!(found.len(), expected.len());
    for (row, game) in found.iter().zip(expected) {
        assert!(game.keys().all(|name| row.contains_key(name)), "{row:?} lacks a column of {game:?}");
        for (name, value) in row {
            assert_eq!(value, game.get(name).unwrap_or(&Value::Null), "{name} of {}", game["game_id"]);
        }
        assert_eq!(row.len(), found[0].len(), "every row has every column");
    }
}

fn lines(answer: &Answer) -> Vec<Row> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text().lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

async fn json(service: &Service, query: &str) -> Value {
    let answer = service.get(&format!("{PATH}?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.json()
}

#[tokio::test]
async fn a_game_has_the_rows_of_its_three_markets_beside_each_other() {
    let (_site, service) = league().await;
    for (sport, season) in [("nfl", "2023-24"), ("nfl", "2024-25"), ("mlb", "2017")] {
        let games = expected(&service, sport, season).await;
        let path = format!("/api/v1/games/{sport}?season={season}");
        let page = service.get(&format!("{path}&limit=1000")).await.json();
        assert_same(&rows_of(&page, "games"), &games);
        assert_eq!((&page["sport"], &page["season"]), (&sport.into(), &season.into()));
        assert_eq!((&page["total"], &page["returned"]), (&games.len().into(), &games.len().into()));
        assert_same(&lines(&service.get(&format!("{path}&format=ndjson")).await), &games);
        let csv = service.get(&format!("{path}&format=csv")).await;
        let mut reader = csv::Reader::from_reader(&*csv.body);
        let header = reader.headers().expect("a header").clone();
        let first: Vec<_> = rows_of(&page, "games")[0].keys().cloned().collect();
        let mut sorted: Vec<_> = header.iter().map(str::to_owned).collect();
        sorted.sort();
        assert_eq!(sorted, {
            let mut names = first;
            names.sort();
            names
        });
        for (record, game) in reader.records().zip(&games) {
            for (name, cell) in header.iter().zip(&record.expect("a full row")) {
                match game.get(name).unwrap_or(&Value::Null) {
                    Value::Null => assert_eq!(cell, "", "{name}"),
                    Value::String(text) => assert_eq!(cell, text, "{name}"),
                    Value::Number(number) => assert_eq!(cell.parse().ok(), number.as_f64(), "{name}"),
                    other => assert_eq!(cell, other.to_string(), "{name}"),
                }
            }
        }
    }
}

#[tokio::test]
async fn own_models_are_columns_of_their_market() {
    let (_site, service) = league().await;
    let page = json(&service, "season=2023-24").await;
    let first = &page["games"][0];
    assert_eq!((&first["moneyline_ELO"], &first["moneyline_nn_v2"]), (&0.62.into(), &0.58.into()));
    assert!(first.get("spread_ELO").is_none() && first.get("ELO").is_none());
    assert_eq!(first["total_graded"], Value::Bool(false), "the market has the game, without a line");
}

#[tokio::test]
async fn pages_of_games_follow_each_other_under_one_snapshot() {
    let (_site, service) = league().await;
    let games = expected(&service, "nfl", "2024-25").await;
    let first = json(&service, "season=2024-25&limit=7").await;
    let snapshot = first["snapshot"].as_str().expect("a snapshot").to_owned();
    let (mut found, mut next) = (rows_of(&first, "games"), first["next_offset"].as_u64());
    while let Some(offset) = next {
        let page = json(&service, &format!("season=2024-25&limit=7&offset={offset}&snapshot={snapshot}")).await;
        assert_eq!((&page["total"], &page["snapshot"]), (&first["total"], &first["snapshot"]));
        found.extend(rows_of(&page, "games"));
        next = page["next_offset"].as_u64();
    }
    assert_same(&found, &games);
    let mut newest_first = rows_of(&json(&service, "limit=1000").await, "games");
    newest_first.reverse();
    assert_same(&newest_first, &games);
    let table = service.get(&format!("{PATH}?season=2024-25&limit=7&format=ndjson")).await;
    assert_same(&lines(&table), &games[..7]);
    assert_eq!(table.header("x-results-next-offset"), Some("7"));
    assert!(table.header("link").is_some_and(|link| link.contains("offset=7") && link.contains(&snapshot)));
    let late = service.get(&format!("{PATH}?season=2024-25&offset=7")).await.failure(400);
    assert_eq!(late, "`offset` beyond the first page of a `season` needs the first page's `snapshot`");
    let other = service.get(&format!("{PATH}?season=2024-25&offset=7&snapshot=0123456789abcdef")).await.failure(409);
    assert!(other.contains("start again from the first page, without `snapshot` and `offset`"), "{other}");
}

#[tokio::test]
async fn seasons_of_games_are_one_table_and_filters_select_from_it() {
    let (_site, service) = league().await;
    let mut every = expected(&service, "nfl", "2023-24").await;
    every.extend(expected(&service, "nfl", "2024-25").await);
    let table = service.get(&format!("{PATH}?season=all&format=ndjson")).await;
    assert_same(&lines(&table), &every);
    assert_eq!(table.header("x-results-season"), Some("2023-24,2024-25"));
    let team = every[0]["away_team"].as_str().expect("a team").to_owned();
    let of_team: Vec<_> = every
        .iter()
        .filter(|game| [&game["away_team"], &game["home_team"]].contains(&&team.clone().into()))
        .cloned()
        .collect();
    let table = service.get(&format!("{PATH}?season=all&format=ndjson&team={team}")).await;
    assert_same(&lines(&table), &of_team);
    let one = json(&service, &format!("season=2023-24&team={team}")).await;
    let in_season: Vec<_> = of_team.iter().filter(|game| game["season"] == "2023-24").cloned().collect();
    assert_same(&rows_of(&one, "games"), &in_season);
    assert_eq!(one["total"], in_season.len());
    let tag = table.header("etag").expect("a tag").to_owned();
    let path = format!("{PATH}?season=all&format=ndjson&team={team}");
    assert_eq!(Answer::to(service.keyed(&path).header("If-None-Match", &tag)).await.status, 304);
}

#[tokio::test]
async fn a_request_for_games_that_cannot_be_answered_is_refused_with_the_remedy() {
    let (_site, service) = league().await;
    let detail = "`season` must be one label in JSON; several seasons are one table: add format=csv, ndjson or parquet";
    assert_eq!(service.get(&format!("{PATH}?season=all")).await.failure(400), detail);
    let unknown = service.get(&format!("{PATH}?model=BLEND")).await.failure(400);
    assert!(
        unknown.starts_with("`model` is not a parameter here. This path takes: limit, season, offset"),
        "{unknown}"
    );
    let hint = service.get(&format!("{PATH}?seasons=2023-24")).await.failure(400);
    assert!(hint.starts_with("`seasons` is not a parameter here, did you mean `season`?"), "{hint}");
    let missing = service.get(&format!("{PATH}?season=2019-20")).await.failure(404);
    assert_eq!(missing, "No results are published for nfl in season 2019-20; there are 2023-24, 2024-25");
    assert_eq!(service.get("/api/v1/games/nhl").await.failure(404), "No results are published for nhl");
    assert!(service.get("/api/v1/games/curling").await.failure(400).contains("known sports: mlb, nba, nfl"));
    Answer::to(service.request(PATH)).await.failure(401);
}
