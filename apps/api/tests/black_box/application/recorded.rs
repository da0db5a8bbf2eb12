//! The log's own word about forecasts: a season with recorded, imported and reconstructed ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::service::{Answer, Service, Site};

/// A game: its letter, its Eastern date, its teams, its final (away, home), and the price of its home side.
type Game = (char, &'static str, &'static str, &'static str, (u32, u32), i32);

/// Of all games BLEND gives the home side 0.6, at −3 and −110 on the away side.
const GAMES: [Game; 10] = [
    ('V', "2023-12-24", "buffalo_bills", "miami_dolphins", (24, 10), -110),
    ('W', "2023-12-24", "new_york_jets", "new_england_patriots", (24, 10), -110),
    ('X', "2023-12-31", "cleveland_browns", "cincinnati_bengals", (10, 24), -110),
    ('Y', "2024-01-08", "minnesota_vikings", "detroit_lions", (10, 24), -110),
    ('Z', "2023-12-31", "atlanta_falcons", "new_orleans_saints", (10, 24), -110),
    ('A', "2024-01-07", "jacksonville_jaguars", "tennessee_titans", (10, 20), -105),
    ('B', "2024-01-07", "seattle_seahawks", "arizona_cardinals", (21, 20), -110),
    ('C', "2024-01-07", "chicago_bears", "green_bay_packers", (9, 17), -110),
    ('D', "2024-01-07", "denver_broncos", "las_vegas_raiders", (14, 27), -110),
    ('E', "2024-01-14", "philadelphia_eagles", "new_york_giants", (14, 27), -110),
];

const MORNING: &str = "2024-01-07T12:00:00Z";

struct Log(Site);

impl Log {
    /// Publishes a backtest, then forecasts before the start of three games and after that of a fourth, then the finals.
    fn new() -> Self {
        let log = Self(Site::on_one_machine());
        log.import(&[('V', "walk_forward,backtest,"), ('W', "walk_forward,backtest,")], "2024-01-06T12:00:00Z");
        log.forecast("ABC", None, MORNING);
        // A held game keeps its forecast, and a game that has started gets none.
        log.forecast("AB", Some('C'), "2024-01-07T15:00:00Z");
        log.forecast("ABCD", None, "2024-01-07T20:00:00Z");
        log.settle("ABC", "2024-01-08T12:00:00Z");
        log
    }

    /// Imports the live forecasts of three games that were played days before. One names a release of this log and its time.
    async fn import_live(&self, service: &Service) -> String {
        let releases = service.get("/api/v1/releases/nfl").await.json();
        let morning = releases["releases"]
            .as_array()
            .expect("releases")
            .iter()
            .find(|release| release["release_id"].as_str().is_some_and(|id| id.contains("20240107T1200")));
        let morning = morning.expect("the release of the morning");
        let own = |field: &str| morning[field].as_str().expect("text");
        let claimed = format!("live,{},{}", own("release_id"), own("published_at"));
        let rows = [('X', "live,elsewhere,2023-12-31T12:00:00Z"), ('Y', &*claimed), ('Z', "live,,")];
        self.import(&rows, "2024-01-10T12:00:00Z")
    }

    /// Publishes history: games with their finals, and the origin of each forecast. Returns the warnings.
    fn import(&self, rows: &[(char, &str)], at: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let games = rows.iter().map(|(letter, _)| {
            let (.., (away, home), price) = game(*letter);
            format!("{},2023-24,{away},{home},-3,{price},-110", key(*letter))
        });
        let games: Vec<_> = games.collect();
        let forecasts: Vec<_> = rows.iter().map(|(letter, origin)| format!("{},0.6,{origin}", key(*letter))).collect();
        let head = "date,time_est,away_team,home_team";
        write(
            folder.path(),
            "games/2023-24.csv",
            &format!(
                "{head},season,away_score,home_score,home_point_spread,home_point_spread_line,away_point_spread_line\n{}\n",
                games.join("\n")
            ),
        );
        write(
            folder.path(),
            "probabilities/won_on_spread/2023-24.csv",
            &format!("{head},BLEND,forecast_source,forecast_run,forecast_published_at\n{}\n", forecasts.join("\n")),
        );
        write(folder.path(), "release.json", &json!({ "sport": "nfl", "slate_date": &at[..10] }).to_string());
        self.publish(folder.path(), at)
    }

    /// Publishes predictions of some games, and holds another.
    fn forecast(&self, letters: &str, held: Option<char>, at: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        let rows = letters.chars().map(|letter| format!("{},-3,{},-110,0.6", key(letter), game(letter).5));
        let rows: Vec<_> = rows.collect();
        let columns =
            "date,time,away_team,home_team,home_point_spread,home_point_spread_line,away_point_spread_line,BLEND";
        write(folder.path(), "predictions/won_on_spread.csv", &format!("{columns}\n{}\n", rows.join("\n")));
        let held: Vec<_> = held
            .into_iter()
            .map(|letter| {
                let (_, date, away_team, home_team, ..) = game(letter);
                json!({ "date": date, "time_est": "13:00:00", "away_team": away_team, "home_team": home_team })
            })
            .collect();
        let run = json!({ "id": at, "started_at": at, "completed_at": at });
        let manifest = json!({
            "sport": "nfl", "season": "2023-24", "slate_date": &at[..10], "slate": "active", "run": run,
            "source_as_of": { "predictions": at }, "held_games": { "won_on_spread": held },
        });
        write(folder.path(), "release.json", &manifest.to_string());
        self.publish(folder.path(), at);
    }

    fn publish(&self, folder: &Path, at: &str) -> String {
        let arguments = [Path::new("publish"), folder, Path::new("--as-of"), Path::new(at)];
        let output = self.0.place.sportsctl(arguments).output().expect("a program");
        let printed = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.success(), "{printed}");
        printed
    }

    fn settle(&self, letters: &str, at: &str) {
        let finals = letters.chars().map(|letter| {
            let (.., (away, home), _) = game(letter);
            format!("{},{away},{home}", key(letter))
        });
        let finals: Vec<_> = finals.collect();
        let file = self.0.place.path().join("finals.csv");
        fs::write(&file, format!("date,time_est,away_team,home_team,away_score,home_score\n{}\n", finals.join("\n")))
            .expect("written");
        let settle = [Path::new("settle"), Path::new("nfl"), &file, Path::new("--as-of")];
        let _ = self.0.place.ctl(settle.into_iter().chain([Path::new(at)]));
    }
}

fn game(letter: char) -> Game {
    GAMES.into_iter().find(|game| game.0 == letter).expect("a game")
}

fn key(letter: char) -> String {
    let (_, date, away, home, ..) = game(letter);
    format!("{date},13:00:00,{away},{home}")
}

fn write(folder: &Path, file: &str, text: &str) {
    let file = folder.join(file);
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    fs::write(file, text).expect("written");
}

/// Returns the letters of the rows by `forecast_source` and `recorded`.
fn kinds(rows: &Value) -> BTreeMap<String, String> {
    let mut kinds = BTreeMap::<_, String>::new();
    for row in rows.as_array().expect("rows") {
        let letter = GAMES.iter().find(|game| row["home_team"] == game.3).expect("a game").0;
        let recorded = row["recorded"].as_bool().expect("a flag");
        let source = row["forecast_source"].as_str().expect("a source");
        kinds.entry(format!("{source} {recorded}")).or_default().push(letter);
    }
    kinds
}

async fn rows(service: &Service) -> Value {
    service.page("nfl/won_on_spread?season=2023-24&limit=100").await.json()["results"].take()
}

/// Returns the figures of BLEND: its record, and the mean return of a unit.
async fn blend(service: &Service, query: &str) -> [Value; 4] {
    let summary = service.get(&format!("/api/v1/summary/nfl/won_on_spread?models=BLEND{query}")).await.json();
    let [blend] = summary["summaries"].as_array().expect("models").as_slice() else { return Default::default() };
    ["total_games", "wins", "losses", "ev roi"].map(|name| blend[name].clone())
}

fn counts([recorded, imported, walk_forward]: [u32; 3]) -> Value {
    json!({ "recorded": recorded, "imported": imported, "walk_forward": walk_forward })
}

/// Publishes the live rows of other days, and waits for the server to serve them.
async fn imported() -> (Log, Service, String) {
    let log = Log::new();
    let service = log.0.app().await;
    let warnings = log.import_live(&service).await;
    let path = "/api/v1/model-tracking/nfl/won_on_spread";
    let _ = service.until(path, |answer: &Answer| answer.json()["forecast_games"]["imported"] == 3).await;
    (log, service, warnings)
}

#[tokio::test]
async fn a_row_is_recorded_if_this_log_published_its_forecast_before_the_start() {
    let (_log, service, warnings) = imported().await;
    // In the order of results.
    let expected = [("live true", "CAB"), ("live false", "ZXY"), ("walk_forward false", "VW")];
    let expected: BTreeMap<_, _> = expected.map(|(kind, letters)| (kind.to_owned(), letters.to_owned())).into();
    assert_eq!(kinds(&rows(&service).await), expected);
    let table = async |path: &str| service.get(&format!("/api/v1/{path}")).await.text().to_owned();
    let ndjson = table("results/nfl/won_on_spread?season=2023-24&format=ndjson").await;
    let lines = ndjson.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(kinds(&Value::Array(lines)), expected);
    let csv = table("results/nfl/won_on_spread?season=2023-24&format=csv").await;
    assert!(csv.lines().next().is_some_and(|head| head.ends_with(",recorded")), "{csv}");
    assert_eq!(csv.lines().filter(|line| line.ends_with(",true")).count(), 3);
    let games = service.get("/api/v1/games/nfl?season=2023-24&limit=100").await.json();
    let of_spread = |flag: bool| {
        games["games"].as_array().expect("games").iter().filter(|game| game["spread_recorded"] == flag).count()
    };
    assert_eq!([of_spread(true), of_spread(false)], [3, 5]);
    assert!(
        warnings.contains("2023-24: 3 rows of forecasts came as `live` after the starts of their games"),
        "{warnings}"
    );
}

#[tokio::test]
async fn figures_count_the_forecasts_that_are_asked_for() {
    let (_log, service, _) = imported().await;
    // A covered at −105, B did not, C covered at −110; X, Y and Z covered, V and W did not.
    let recorded = (100.0 / 105.0 - 1.0 + 100.0 / 110.0) / 3.0;
    let live = (recorded * 3.0 + 300.0 / 110.0) / 6.0;
    let all = (live * 6.0 - 2.0) / 8.0;
    let table = [
        ("", [8, 5, 3], all),
        ("live", [6, 5, 1], live),
        ("recorded", [3, 2, 1], recorded),
        ("walk_forward", [2, 0, 2], -1.0),
    ];
    for (counted, record, roi) in table {
        let query = if counted.is_empty() { String::new() } else { format!("&forecast_source={counted}") };
        let [games, wins, losses, served] = blend(&service, &query).await;
        assert_eq!([games, wins, losses], record.map(Value::from), "{counted}");
        assert!((served.as_f64().expect("a number") - roi).abs() < 1e-6, "{counted}: {served} is not {roi}");
        let strategies =
            service.get(&format!("/api/v1/strategies/nfl/won_on_spread?accounting=recorded_v2{query}")).await.json();
        let rule =
            strategies["strategies"].as_array().expect("rules").iter().find(|rule| rule["id"] == "follow_edge_home");
        let rule = rule.expect("a rule");
        assert_eq!([&rule["wins"], &rule["losses"]], [record[1], record[2]], "{counted}");
        let replay = service
            .get(&format!("/api/v1/strategies/nfl/won_on_spread/follow_edge_home/replay?accounting=recorded_v2{query}"))
            .await
            .json();
        assert_eq!(&replay["strategy"], rule, "{counted}");
        let units = replay["rows"].as_array().and_then(|bets| bets.last()).map(|bet| bet["total"].as_f64());
        assert!((units.flatten().expect("units") - roi * f64::from(record[0])).abs() < 1e-5, "{counted}");
        for path in
            ["strategies/nfl/won_on_spread?", "model-tracking/nfl/won_on_spread?", "calibration/nfl/won_on_spread?"]
        {
            let answer = service.get(&format!("/api/v1/{path}{}", query.trim_start_matches('&'))).await.json();
            assert_eq!(answer["forecast_games"], counts([3, 3, 2]), "{path}{query}");
        }
    }
    let tracked = service.get("/api/v1/model-tracking/nfl/won_on_spread?forecast_source=recorded").await.json();
    assert_eq!([&tracked["archive_games"], &tracked["graded_games"], &tracked["forecast_source"]["live"]], [3, 3, 3]);
    assert_eq!(tracked["first_forecast_at"].as_str().map(|at| &at[..16]), Some(&MORNING[..16]));
}

#[tokio::test]
async fn scores_and_closes_leave_imported_forecasts_out() {
    let (_log, service, _) = imported().await;
    let path = |area: &str, query: &str| format!("/api/v1/{area}/nfl/won_on_spread?season=2023-24&{query}");
    let brier = async |query: &str| {
        let answer = service.get(&path("calibration", query)).await.json();
        let [block] = answer["sources"].as_array().expect("sources").as_slice() else { panic!("{answer}") };
        assert_eq!(block["forecast_source"], "live");
        (block["models"][0]["brier"].as_f64().expect("a score"), block["not_recorded_here"].clone())
    };
    // Of six games five were covered, of three recorded ones two.
    for (query, expected, left_out) in [
        ("forecast_source=live", (5.0 * 0.16 + 0.36) / 6.0, Value::Null),
        ("forecast_source=recorded", (2.0 * 0.16 + 0.36) / 3.0, Value::Null),
        ("horizon=first", (2.0 * 0.16 + 0.36) / 3.0, json!(3)),
        ("horizon=first&forecast_source=recorded", (2.0 * 0.16 + 0.36) / 3.0, json!(0)),
        ("horizon=standing&forecast_source=recorded", (2.0 * 0.16 + 0.36) / 3.0, Value::Null),
    ] {
        let (served, not_recorded) = brier(query).await;
        assert!((served - expected).abs() < 1e-9, "{query}: {served}");
        assert_eq!(not_recorded, left_out, "{query}");
    }
    let clv = async |query: &str| service.get(&path("clv", query)).await.json();
    let (all, recorded) = (clv("").await, clv("forecast_source=recorded").await);
    assert_eq!([&all["not_recorded_here"], &recorded["not_recorded_here"]], [3, 0]);
    assert_eq!((&all["models"], &all["forecast_games"]), (&recorded["models"], &counts([3, 3, 2])));
    assert_eq!(all["models"][0]["picks"], 3);
    let january = clv("forecast_source=recorded&from=2024-01-01").await;
    assert_eq!(january["forecast_games"], counts([3, 1, 0]), "the games of these dates");
    for query in ["forecast_source=walk_forward", "forecast_source=imported"] {
        service.get(&path("clv", query)).await.failure(400);
    }
    service.get(&path("calibration", "horizon=6h&forecast_source=walk_forward")).await.failure(400);
    let detail = service.get(&path("calibration", "forecast_source=imported")).await.failure(400);
    assert!(detail.contains("there are live, walk_forward and recorded"), "{detail}");
}

/// An answer that was cached does not outlive the publication that changes which forecasts count.
#[tokio::test]
async fn answers_follow_publications_and_moments() {
    let log = Log::new();
    let service = log.0.app().await;
    let path = "/api/v1/summary/nfl/won_on_spread?models=BLEND&forecast_source=recorded";
    let before = service.get(path).await;
    let etag = before.header("etag").expect("a validator").to_owned();
    assert_eq!(before.json()["forecast_games"], counts([3, 0, 2]));
    let again = Answer::to(service.keyed(path).header("If-None-Match", &etag)).await;
    assert_eq!(again.status, 304);
    let _ = log.import_live(&service).await;
    let imported = service.until(path, |answer| answer.json()["forecast_games"] == counts([3, 3, 2])).await;
    assert_eq!(imported.json()["summaries"], before.json()["summaries"]);
    log.forecast("E", None, "2024-01-14T12:00:00Z");
    log.settle("E", "2024-01-15T12:00:00Z");
    let after = service.until(path, |answer| answer.json()["summaries"][0]["total_games"] == 4).await;
    assert_eq!(after.json()["forecast_games"], counts([4, 3, 2]));
    let stale = Answer::to(service.keyed(path).header("If-None-Match", &etag)).await;
    assert_eq!((stale.status, stale.body), (200, after.body));
    let then = service.get(&format!("{path}&as_of=2024-01-09T12:00:00Z")).await.json();
    assert_eq!(then, before.json());
    let others = service.get(&path.replace("recorded", "walk_forward")).await.json();
    assert_eq!(others["summaries"][0]["total_games"], 2);
}
