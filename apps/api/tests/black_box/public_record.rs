//! A record that is open without a key: nothing of games that have not started, nothing of models that are not public, and
//! otherwise the answers that a key gets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::operations::STREAM;
use crate::service::{Answer, Service, Site};

/// After the two games of Saturday have started, and before the fourteen of Sunday.
pub const NOW: &str = "2024-01-07T02:00:00Z";

/// The markets and their files of predictions.
pub const MARKETS: [&str; 3] = ["won_on_points", "won_on_spread", "over_under"];

/// The models in the files of predictions: the last is not public.
const MODELS: [&str; 4] = ["BLEND", "XGB", "ELO", "nn_v2"];

/// Returns the probability of a model in a game of a market: no other has it.
fn probability(market: usize, game: usize, model: usize) -> String {
    format!("0.4{market}{game:02}{model}7")
}

/// The games of the week, of which the first two have started.
fn games() -> Vec<[String; 4]> {
    let file = Folder::copy_of("nfl-2023-week-18-slate");
    let text = fs::read_to_string(file.path().join("predictions/over_under.csv")).expect("a file");
    let rows = text.lines().skip(1).map(|line| line.split(',').take(4).map(str::to_owned).collect::<Vec<_>>());
    let games: Vec<_> = rows.map(|cells| <[String; 4]>::try_from(cells).expect("a game")).collect();
    assert_eq!(games.len(), 16);
    games
}

/// A release folder of the week, in which each probability occurs once.
fn week() -> Folder {
    let folder = Folder::copy_of("nfl-2023-week-18-slate");
    fs::remove_dir_all(folder.path().join("predictions")).expect("removed");
    fs::create_dir(folder.path().join("predictions")).expect("made");
    let lines = [
        "home_money_line,away_money_line",
        "home_point_spread,home_point_spread_line,away_point_spread_line",
        "over_under,over_line,under_line",
    ];
    let prices = ["-120,100", "-2.5,-110,-110", "41.5,-110,-110"];
    for (number, market) in MARKETS.into_iter().enumerate() {
        let row = |(game, key): (usize, &[String; 4])| {
            let models: Vec<_> = (0..MODELS.len()).map(|model| probability(number, game, model)).collect();
            [&key.join(","), prices[number], &models.join(",")].join(",")
        };
        let head = ["date,time,away_team,home_team", lines[number], &MODELS.join(",")].join(",");
        let rows: Vec<_> = [head].into_iter().chain(games().iter().enumerate().map(row)).collect();
        fs::write(folder.path().join(format!("predictions/{market}.csv")), rows.join("\n")).expect("written");
    }
    folder
}

/// The games of the fixture in another season and month.
fn games_of(season: &str, month: &str) -> Folder {
    let folder = Folder::copy_of("own-models");
    for file in ["release.json", "games/2023-24.csv", "probabilities/won_on_points/2023-24.csv"] {
        let path = folder.path().join(file);
        let text = fs::read_to_string(&path).expect("a file").replace("2023-24", season).replace("2023-09", month);
        fs::remove_file(&path).expect("removed");
        fs::write(folder.path().join(file.replace("2023-24", season)), text).expect("written");
    }
    folder
}

fn published(site: &Site, at: &str, folder: &Path) {
    let printed = site.place.ctl([Path::new("publish"), Path::new("--as-of"), Path::new(at), folder]);
    assert!(printed.contains("published: "), "{printed}");
}

/// A league with a finished season, one under way, a coming slate, a model that is public and one that is not.
pub fn league() -> Site {
    let site = Site::on_one_machine();
    published(&site, "2022-09-15T10:00:00Z", games_of("2022-23", "2022-09").path());
    // Less than a month before the slate: a season that was over would stay so.
    published(&site, "2023-12-15T10:00:00Z", games_of("2023-24", "2023-12").path());
    published(&site, "2024-01-06T15:00:00Z", week().path());
    site
}

pub async fn serve(site: &Site, public: &str) -> Service {
    let variables = [
        ("SPORTS_CLOCK__AS_OF", NOW),
        ("SPORTS_RECORD__PUBLIC", public),
        ("SPORTS_HTTP__PUBLIC_URL", "https://picks.example"),
        ("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000"),
    ];
    site.serve_with(&variables).await
}

/// Sends a request without a key.
pub async fn openly(service: &Service, path: &str) -> Answer {
    Answer::to(service.request(path)).await
}

/// The values with which the parameters of operations are tried: those that ask for what is hidden, and the usual ones.
fn values() -> BTreeMap<&'static str, Vec<String>> {
    let coming = &games()[5];
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let away = coming[2].clone();
    BTreeMap::from([
        ("season", words(&["2023-24", "2022-23", "all", "2022-23,2023-24"])),
        ("format", words(&["json", "csv", "ndjson", "parquet"])),
        ("limit", words(&["1", "1000"])),
        ("offset", words(&["0", "1"])),
        ("from", words(&["2024-01-06", "2024-01-07"])),
        ("to", words(&["2024-01-06", "2024-01-08"])),
        ("team", vec![away.clone(), "buffalo_bills".to_owned()]),
        ("game_id", vec![format!("nfl-{}-{}-{}", coming[0], coming[2], coming[3])]),
        ("date", vec![coming[0].clone()]),
        ("time", vec![coming[1].clone()]),
        ("away_team", vec![away]),
        ("home_team", vec![coming[3].clone()]),
        ("match_id", vec![format!("{}-{}", coming[2], coming[3])]),
        ("upcoming_only", words(&["true", "false"])),
        ("model", words(&["nn_v2", "ELO", "BLEND"])),
        ("models", words(&["nn_v2", "ELO,nn_v2", "BLEND"])),
        ("model_type", words(&MARKETS)),
        ("include_excluded", words(&["true"])),
        ("accounting", words(&["legacy_v1", "recorded_v2"])),
        ("forecast_source", words(&["live", "recorded", "reconstructed"])),
        ("horizon", words(&["first", "24h", "6h", "1h", "standing"])),
        ("taken", words(&["first", "standing"])),
        ("close_within", words(&["168h"])),
        ("hours_before", words(&["0.25", "168"])),
        ("finals", words(&["true"])),
        ("days", words(&["60"])),
        ("since_generation", words(&["1", "3"])),
        ("as_of", words(&["2024-01-06T16:00:00Z", NOW])),
        ("generation", words(&["3"])),
    ])
}

/// Returns the queries with which an operation is tried: none, each parameter, and each pair of parameters.
fn queries(operation: &Value) -> Vec<String> {
    let values = values();
    let named = operation["parameters"].as_array().into_iter().flatten().filter(|parameter| parameter["in"] == "query");
    let named = named.filter_map(|parameter| values.get_key_value(parameter["name"].as_str()?));
    let mut sets: Vec<BTreeSet<String>> = vec![BTreeSet::new()];
    for (name, values) in named {
        let before = sets.clone();
        for set in before.iter().filter(|set| set.len() < 2) {
            sets.extend(values.iter().map(|value| set.iter().cloned().chain([format!("{name}={value}")]).collect()));
        }
    }
    // A game without an id is named by three parameters.
    sets.extend(["won_on_points", "over_under"].map(|market| {
        let [date, _, away, home] = &games()[5];
        let given = [
            format!("date={date}"),
            format!("away_team={away}"),
            format!("home_team={home}"),
            format!("model_type={market}"),
        ];
        given.into_iter().filter(|pair| pair.split_once('=').is_some_and(|(name, _)| has(operation, name))).collect()
    }));
    sets.into_iter().map(|set| set.into_iter().collect::<Vec<_>>().join("&")).collect()
}

fn has(operation: &Value, name: &str) -> bool {
    operation["parameters"].as_array().into_iter().flatten().any(|parameter| parameter["name"] == name)
}

/// Returns every address that reads something of the league.
async fn addresses(service: &Service) -> Vec<String> {
    let document = service.json_of("../../openapi.json").await;
    let mut addresses = Vec::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        let operation = &operations["get"];
        if operation.is_null() {
            continue;
        }
        for market in if path.contains("{model_type}") { &MARKETS[..] } else { &MARKETS[..1] } {
            let path = path.replace("{sport}", "nfl").replace("{model_type}", market);
            let path = path
                .replace("{strategy_id}", "follow_line_home")
                .replace("{market}", "moneyline")
                .replace("{date}", "2024-01-07");
            if path.contains('{') || path == STREAM {
                continue;
            }
            addresses.extend(queries(operation).into_iter().map(|query| format!("{path}?{query}")));
        }
    }
    addresses
}

/// Returns what of the hidden is in a text: probabilities of games that have not started, and everything of the hidden model.
pub fn leaks(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (market, game, model) in
        (0..3).flat_map(|market| (0..16).flat_map(move |game| (0..4).map(move |model| (market, game, model))))
    {
        let is_hidden = game >= 2 || model == 3;
        let digits = &probability(market, game, model)[2..];
        if is_hidden && text.contains(digits) {
            found.push(format!("{market} {game} {}", MODELS[model]));
        }
    }
    found
}

/// Everything that a reader without a key may not have is asked for in every way.
#[tokio::test]
async fn nothing_that_is_hidden_is_in_any_answer_without_a_key() {
    let site = league();
    let service = serve(&site, "nfl=all").await;
    let (mut read, mut closed) = (BTreeSet::new(), BTreeSet::new());
    let pictures = MARKETS.iter().flat_map(|market| {
        MODELS.iter().flat_map(move |model| {
            let path = format!("nfl/{market}/{model}");
            [format!("/card/{path}.svg?"), format!("/card/{path}.png?scheme=dark"), format!("/badge/{path}.svg?")]
        })
    });
    let pictures = pictures.chain(["/explore/?".to_owned(), "/api/v1/public/leagues?".to_owned()]);
    for address in addresses(&service).await.into_iter().chain(pictures) {
        let answer = openly(&service, &address).await;
        let mut text = String::from_utf8_lossy(&answer.body).into_owned();
        if answer.status >= 400 {
            // The time of a refusal can have the digits of a probability.
            text.truncate(text.find("\"timestamp\"").expect("a time"));
        }
        // The free picks of the slate are of another contract: one public model of the coming games.
        if !address.starts_with("/api/v1/public/ml-picks") {
            assert_eq!(leaks(&text), Vec::<String>::new(), "{address}: {text}");
        }
        // The tree states which release declared a model, and so does the list of releases.
        let is_of_tree = address.starts_with("/api/v1/releases") || address.starts_with("/api/v1/record/");
        assert!(is_of_tree || !text.contains("nn_v2") || address.contains("nn_v2"), "{address}: {text}");
        let is_hidden = address.starts_with("/card/") || address.starts_with("/badge/");
        assert!(!(is_hidden && address.contains("nn_v2")) || answer.status == 404, "{address}: {}", answer.status);
        let path = address.split('?').next().expect("a path").to_owned();
        match answer.status {
            200 => drop(read.insert(path)),
            401 => drop(closed.insert(path)),
            400 | 404 | 409 => {}
            status => panic!("{address}: {status} {text}"),
        }
    }
    for open in [
        "results/nfl/won_on_points",
        "games/nfl",
        "summary/nfl/won_on_points",
        "calibration/nfl/over_under",
        "clv/nfl/won_on_points",
        "strategies/nfl/won_on_points",
        "models/nfl",
        "corrections/nfl",
        "odds/nfl/closing",
    ] {
        assert!(read.contains("/card/nfl/over_under/ELO.png") && read.contains("/badge/nfl/won_on_points/BLEND.svg"));
        assert!(read.contains(&format!("/api/v1/{open}")), "{open} is open: {read:?}");
    }
    let shut = [
        "predictions/nfl/won_on_points",
        "odds/nfl",
        "markets/nfl",
        "backtest/nfl/won_on_points",
        "customers/me",
        "sports",
    ];
    for shut in shut {
        let path = format!("/api/v1/{shut}");
        assert!(closed.contains(&path) && !read.contains(&path), "{shut} needs a key: {closed:?}");
    }
}

/// Returns the rows of an answer with JSON.
fn rows(answer: &Answer, of: &str) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()[of].as_array().expect("rows").clone()
}

/// The same row without the columns of the hidden model.
fn without_hidden(mut row: Value) -> Value {
    let fields = row.as_object_mut().expect("a row");
    fields.retain(|name, _| !name.contains("nn_v2"));
    row
}

#[tokio::test]
async fn what_is_open_equals_the_answer_to_a_key_without_what_is_hidden() {
    let site = league();
    let service = serve(&site, "nfl=all").await;
    let has_started = |row: &Value| row["date"].as_str().is_some_and(|date| date < "2024-01-07");
    for (path, of) in
        [("results/nfl/won_on_points", "results"), ("results/nfl/over_under", "results"), ("games/nfl", "games")]
    {
        for query in
            ["", "?limit=3", "?season=2023-24&limit=4", "?team=buffalo_bills", "?from=2024-01-01", "?season=2022-23"]
        {
            let address = format!("/api/v1/{path}{query}");
            let mut open = Vec::new();
            let mut next = Some(address.clone());
            while let Some(page) = next {
                let answer = openly(&service, &page).await;
                if answer.status == 404 {
                    assert_eq!(service.get(&page).await.status, 404, "{page}");
                    break;
                }
                open.extend(rows(&answer, of));
                let body = answer.json();
                let join = if address.contains('?') { '&' } else { '?' };
                next = body["next_offset"].as_u64().map(|offset| {
                    let snapshot = if address.contains("season=") {
                        format!("&snapshot={}", body["snapshot"].as_str().expect("one"))
                    } else {
                        String::new()
                    };
                    format!("{address}{join}offset={offset}{snapshot}")
                });
                assert_eq!(answer.header("x-models-hidden"), Some("1"));
            }
            let whole = if address.contains("limit=") {
                address.replace("limit=3", "limit=1000").replace("limit=4", "limit=1000")
            } else {
                address.clone()
            };
            let keyed = service.get(&whole).await;
            let keyed = if keyed.status == 404 { Vec::new() } else { rows(&keyed, of) };
            let expected: Vec<_> = keyed.into_iter().filter(has_started).map(without_hidden).collect();
            assert_eq!(open.len(), expected.len(), "{address}");
            for (open, keyed) in open.iter().zip(&expected) {
                assert_eq!(open, keyed, "{address}");
            }
        }
    }
    // Figures of shown models are those that a key gets.
    for path in [
        "summary/nfl/won_on_points",
        "calibration/nfl/won_on_points?season=2023-24",
        "clv/nfl/won_on_points",
        "results/nfl/won_on_points/rolling",
        "results/nfl/won_on_points/density?model=ELO",
        "model-tracking/nfl/won_on_points",
        "models/nfl",
    ] {
        let address = format!("/api/v1/{path}");
        let (mut keyed, open) = (service.get(&address).await.json(), openly(&service, &address).await.json());
        leave_out_hidden(&mut keyed);
        assert_eq!(keyed, open, "{address}");
    }
    for path in [
        "results/nfl/won_on_points/seasons",
        "results/nfl/won_on_points/team-form",
        "strategies/nfl/won_on_points",
        "strategies/nfl/won_on_points/follow_line_home/replay?season=2023-24",
        "odds/nfl/closing?season=2022-23",
    ] {
        let address = format!("/api/v1/{path}");
        let (keyed, open) = (service.get(&address).await, openly(&service, &address).await);
        assert_eq!((keyed.status, &keyed.body), (open.status, &open.body), "{address}");
    }
}

/// Removes what an answer has of the hidden model.
fn leave_out_hidden(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.retain(|item| item["model"] != "nn_v2" && item != "nn_v2");
            items.iter_mut().for_each(leave_out_hidden);
        }
        Value::Object(fields) => {
            fields.retain(|name, _| name != "nn_v2");
            fields.values_mut().for_each(leave_out_hidden);
        }
        _ => {}
    }
}

#[tokio::test]
async fn caches_and_pages_of_any_origin_may_have_open_answers_and_no_others() {
    let site = league();
    let service = serve(&site, "nfl=all").await;
    let address = "/api/v1/results/nfl/won_on_points?season=2022-23";
    let open = openly(&service, address).await;
    assert_eq!(open.header("cache-control"), Some("public, max-age=3600"));
    assert_eq!(open.header("access-control-allow-origin"), Some("*"));
    let vary: Vec<_> = open.headers.get_all("vary").iter().map(|value| value.to_str().expect("text")).collect();
    assert!(vary.join(", ").contains("X-API-Key, Authorization"), "{vary:?}");
    let live = openly(&service, "/api/v1/results/nfl/won_on_points").await;
    assert_eq!(live.header("cache-control"), Some("public, max-age=30"));
    // Asked for again, a subscriber's answer is from memory, and still whole and private.
    for _ in 0..4 {
        let keyed = service.get("/api/v1/results/nfl/won_on_points").await;
        assert_eq!(keyed.header("cache-control"), Some("private, no-cache"));
        assert_eq!(keyed.json()["total"], 21, "{}", keyed.text());
        assert_eq!(openly(&service, "/api/v1/results/nfl/won_on_points").await.json()["total"], 7);
    }
    let etag = live.header("etag").expect("a validator").to_owned();
    let again = Answer::to(service.request("/api/v1/results/nfl/won_on_points").header("If-None-Match", etag)).await;
    assert_eq!(again.status, 304);
    let nothing = openly(&service, "/api/v1/summary/nfl/won_on_points?models=nobody").await;
    assert_eq!((nothing.status, nothing.header("cache-control")), (404, Some("no-store")));
    assert!(!nothing.text().contains("nn_v2"));
    let earlier = openly(&service, &format!("{address}&as_of=2023-10-01T00:00:00Z")).await;
    assert!(earlier.failure(401).contains("leave out `as_of`"), "{}", earlier.text());
    for key in ["sk_service_wrong", "sk_service_4fQ8mW2xKp7LbN9rTzVc1DgH5jYsEa3u6RkXoMiBtCqG"] {
        let refused = Answer::to(service.request(address).header("X-API-Key", key)).await;
        assert_eq!(refused.failure(401), "Invalid or expired API key");
    }
    let (_, unsubscribed) = site.customer("guest@example.com", "none");
    let guest = service.with_key(&unsubscribed).get(address).await;
    assert_eq!((guest.status, guest.text()), (200, open.text()));
    assert_eq!(service.with_key(&unsubscribed).get("/api/v1/predictions/nfl/won_on_points").await.status, 403);
    let mut leagues = openly(&service, "/api/v1/public/leagues").await.json();
    let cards = leagues["leagues"][0].as_object_mut().expect("a league").remove("cards").expect("addresses");
    assert_eq!(
        leagues["leagues"],
        json!([{"sport": "nfl", "public": "all", "seasons": ["2023-24", "2022-23"], "headline": "BLEND",
            "models": ["AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT", "ELO"], "models_hidden": 1}])
    );
    let card = |market: &str, model: &str| format!("https://picks.example/card/nfl/{market}/{model}.svg");
    for market in MARKETS {
        assert_eq!(cards[market]["ELO"], card(market, "ELO"), "{cards}");
        assert_eq!(cards[market].get("nn_v2"), None);
    }
}

#[tokio::test]
async fn of_a_record_of_finished_seasons_the_season_under_way_needs_a_key() {
    let site = league();
    let service = serve(&site, "nfl=finished").await;
    for path in [
        "results/nfl/won_on_points",
        "games/nfl",
        "summary/nfl/won_on_points",
        "calibration/nfl/won_on_points",
        "clv/nfl/won_on_points",
        "strategies/nfl/won_on_points",
        "odds/nfl/closing",
    ] {
        let default = openly(&service, &format!("/api/v1/{path}")).await;
        assert!(default.failure(401).contains("season=2022-23"), "{path}: {}", default.text());
        for season in ["2023-24", "2022-23,2023-24", "all", "2024-25", "nonsense", ""] {
            let asked = openly(&service, &format!("/api/v1/{path}?season={season}&format=csv")).await;
            assert_eq!(asked.status, 401, "{path} {season}: {}", asked.text());
        }
        let finished = format!("/api/v1/{path}?season=2022-23");
        let open = openly(&service, &finished).await;
        assert_eq!(open.status, service.get(&finished).await.status, "{path}: {}", open.text());
        let twice = openly(&service, &format!("{finished}&season=2023-24")).await;
        assert!([400, 401].contains(&twice.status), "{path}: {}", twice.text());
    }
    for path in [
        "results/nfl/won_on_points/rolling",
        "results/nfl/won_on_points/density",
        "results/nfl/won_on_points/team-form",
        "corrections/nfl",
    ] {
        assert!(openly(&service, &format!("/api/v1/{path}")).await.failure(401).contains("send an API key"), "{path}");
    }
    let leagues = openly(&service, "/api/v1/public/leagues").await.json();
    assert_eq!(
        (&leagues["leagues"][0]["public"], &leagues["leagues"][0]["seasons"]),
        (&json!("finished"), &json!(["2022-23"]))
    );
}

/// Nothing is open by default, and of an open league nothing else.
#[tokio::test]
async fn a_league_that_is_not_opened_needs_a_key_as_before() {
    let site = league();
    let service = serve(&site, "nba=all").await;
    for path in ["results/nfl/won_on_points", "models/nfl", "summary/nfl/won_on_points?season=2022-23"] {
        assert_eq!(openly(&service, &format!("/api/v1/{path}")).await.failure(401), "API key required", "{path}");
    }
    assert_eq!(openly(&service, "/api/v1/results/nba/won_on_points").await.status, 404);
    let refused = site.place.sportsctl(["--help"]).output().expect("it runs");
    assert!(refused.status.success());
}
