//! Closing-line values of a season in which lines move, each pick in its own way.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::service::{Service, Site};

/// The games: the letter of each, its Eastern date and time, and its teams.
const GAMES: [(char, &str, &str, &str, &str); 11] = [
    ('A', "2024-01-07", "13:00:00", "buffalo_bills", "miami_dolphins"),
    ('B', "2024-01-07", "13:00:00", "new_york_jets", "new_england_patriots"),
    ('C', "2024-01-07", "13:00:00", "cleveland_browns", "cincinnati_bengals"),
    ('D', "2024-01-07", "13:00:00", "minnesota_vikings", "detroit_lions"),
    ('E', "2024-01-07", "13:00:00", "atlanta_falcons", "new_orleans_saints"),
    ('F', "2024-01-07", "13:00:00", "jacksonville_jaguars", "tennessee_titans"),
    ('G', "2024-01-07", "13:00:00", "seattle_seahawks", "arizona_cardinals"),
    ('H', "2024-01-07", "13:00:00", "chicago_bears", "green_bay_packers"),
    ('I', "2024-01-07", "13:00:00", "denver_broncos", "las_vegas_raiders"),
    ('J', "2024-01-14", "13:00:00", "philadelphia_eagles", "new_york_giants"),
    ('M', "2024-01-08", "20:15:00", "dallas_cowboys", "washington_commanders"),
];

/// The line and the prices of a home spread; zero is no price.
type Spread = (f64, i32, i32);

/// The predictions of the morning: BLEND's probability of the home side, and the line served with it.
const MORNING: [(char, &str, Option<Spread>); 11] = [
    ('A', "0.6", Some((-3.0, -105, -115))),
    ('B', "0.6", Some((-3.0, -105, -115))),
    ('C', "0.6", Some((-3.0, -105, -115))),
    ('D', "0.6", Some((-3.0, -110, -110))),
    ('E', "0.6", None),
    ('F', "0.6", Some((-3.0, 0, 0))),
    ('G', "0.6", Some((-3.0, -105, -115))),
    ('H', "0.5", Some((-3.0, -105, -115))),
    ('I', "0.6", Some((-3.0, -105, -115))),
    ('J', "0.6", Some((-3.0, -105, -115))),
    ('M', "0.4", Some((-3.0, -105, -115))),
];

/// The season with its last releases: the odds of the game on Monday.
pub const TUESDAY: &str = "2024-01-09T12:00:00Z";

/// A season of five releases of odds. They move after the predictions of the morning, which change once, for D.
pub struct Season {
    pub site: Site,
}

impl Season {
    /// The number of its entries.
    pub const RELEASES: u64 = 7;

    pub fn new() -> Self {
        let season = Self { site: Site::on_one_machine() };
        season.import_a_live_row("2024-01-06T12:00:00Z");
        let same = (-3.0, -110, -110);
        let quoted = "ACDEFGHIJM".chars().map(|game| (game, same)).collect::<Vec<_>>();
        season.publish(Some(&MORNING), ("2024-01-07T11:30:00Z", &quoted), "2024-01-07T11:45:00Z");
        let moved = |game| match game {
            'F' => same,
            'G' => (-3.5, -110, -110),
            _ => (-3.0, -120, 100),
        };
        let closing: Vec<_> = "ADEFGHIJM".chars().map(|game| (game, moved(game))).collect();
        season.publish(None, ("2024-01-07T16:45:00Z", &closing), "2024-01-07T17:00:00Z");
        let noon = MORNING.map(|(game, blend, line)| (game, if game == 'D' { "0.62" } else { blend }, line));
        season.publish(Some(&noon), ("2024-01-07T17:20:00Z", &closing), "2024-01-07T17:30:00Z");
        // The game is on.
        season.publish(None, ("2024-01-07T19:59:00Z", &[('A', (-9.5, -110, -110))]), "2024-01-07T20:00:00Z");
        season.settle("I", ",,postponed", "2024-01-08T12:00:00Z");
        season.publish(None, ("2024-01-09T00:20:00Z", &[('M', (-3.0, -120, 100))]), "2024-01-09T00:30:00Z");
        season
    }

    /// Publishes predictions, if there are any, and odds as they were read at an instant.
    fn publish(
        &self,
        predictions: Option<&[(char, &str, Option<Spread>)]>,
        (read_at, quotes): (&str, &[(char, Spread)]),
        at: &str,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let mut manifest = json!({
            "sport": "nfl", "season": "2023-24", "slate_date": &at[..10], "slate": "active",
            "source_as_of": { "odds": read_at },
        });
        let odds: Vec<_> = quotes.iter().map(|(game, spread)| quote(*game, *spread)).collect();
        fs::write(path.join("odds.json"), json!({ "games": odds }).to_string()).expect("written");
        if let Some(predictions) = predictions {
            manifest["source_as_of"]["predictions"] = json!(read_at);
            manifest["run"] = json!({ "id": at, "started_at": read_at, "completed_at": read_at });
            // Openers of the publisher's own: the service would add its first quotes to later predictions.
            fs::create_dir(path.join("predictions")).expect("a folder");
            let rows: Vec<_> = predictions.iter().map(|prediction| predicted(*prediction)).collect();
            let head = "date,time,away_team,home_team,home_point_spread,home_point_spread_line,away_point_spread_line,\
                        open_home_point_spread,BLEND,CATB";
            let spreads = format!("{head}\n{}\n", rows.join("\n"));
            fs::write(path.join("predictions/won_on_spread.csv"), spreads).expect("written");
            let head = "date,time,away_team,home_team,home_money_line,away_money_line,open_home_money_line,\
                        open_away_money_line,BLEND";
            let money = format!("{head}\n{},-125,105,-120,100,0.6\n", key('A'));
            fs::write(path.join("predictions/won_on_points.csv"), money).expect("written");
        }
        fs::write(path.join("release.json"), manifest.to_string()).expect("written");
        let printed = self.site.place.ctl(["publish", path.to_str().expect("text"), "--as-of", at]);
        assert!(printed.contains("published: "), "{printed}");
    }

    /// Publishes a game of an earlier date whose live forecast another record made.
    fn import_a_live_row(&self, at: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            fs::write(file, text).expect("written");
        };
        write("release.json", r#"{"sport": "nfl", "slate_date": "2024-01-06"}"#);
        let key = "2023-12-31,13:00:00,los_angeles_rams,san_francisco_49ers";
        write(
            "games/2023-24.csv",
            &format!(
                "date,time_est,away_team,home_team,season,away_score,home_score,home_point_spread,home_point_spread_line,away_point_spread_line\n\
                 {key},2023-24,10,24,-3,-110,-110\n"
            ),
        );
        write(
            "probabilities/won_on_spread/2023-24.csv",
            &format!(
                "date,time_est,away_team,home_team,BLEND,forecast_source,forecast_run,forecast_published_at\n\
                 {key},0.6,live,elsewhere,2023-12-31T12:00:00Z\n"
            ),
        );
        let printed = self.site.place.ctl(["publish", folder.path().to_str().expect("text"), "--as-of", at]);
        assert!(printed.contains("published: "), "{printed}");
    }

    /// Settles a game: its scores and its status, as columns.
    pub fn settle(&self, game: &str, ending: &str, at: &str) {
        let key = key(game.chars().next().expect("a letter"));
        let file = self.site.place.path().join("finals.csv");
        let text =
            format!("date,time_est,away_team,home_team,away_score,home_score,settlement_status\n{key},{ending}\n");
        fs::write(&file, text).expect("written");
        let _ =
            self.site.place.ctl([Path::new("settle"), Path::new("nfl"), &file, Path::new("--as-of"), Path::new(at)]);
    }
}

/// Returns the columns that name a game.
fn key(game: char) -> String {
    let (_, date, time, away, home) = GAMES.into_iter().find(|known| known.0 == game).expect("a game");
    format!("{date},{time},{away},{home}")
}

fn predicted((game, blend, line): (char, &str, Option<Spread>)) -> String {
    let price = |price: i32| if price == 0 { String::new() } else { price.to_string() };
    let line = line
        .map_or_else(|| ",,".to_owned(), |(points, home, away)| format!("{points},{},{}", price(home), price(away)));
    format!("{},{line},-2.5,{blend},0.45", key(game))
}

fn quote(game: char, (points, home, away): Spread) -> Value {
    let (_, date, time, away_team, home_team) = GAMES.into_iter().find(|known| known.0 == game).expect("a game");
    let (home_money, away_money) = if home == -120 { (-150, 130) } else { (-125, 105) };
    json!({
        "date": date, "time": time, "away_team": away_team, "home_team": home_team,
        "home_point_spread": points, "away_point_spread": -points,
        "home_point_spread_line": home, "away_point_spread_line": away,
        "home_money_line": home_money, "away_money_line": away_money,
    })
}

/// Returns the decimal odds of an American price, and its break-even rate.
fn decimal(price: i32) -> (f64, f64) {
    let odds = if price > 0 { 1.0 + f64::from(price) / 100.0 } else { 1.0 + 100.0 / f64::from(-price) };
    (odds, 1.0 / odds)
}

/// Returns the two measures of a price by the formulas of the page: the price of the pick and of the other side, taken and
/// at the close.
fn measured(taken: (i32, i32), close: (i32, i32)) -> (f64, f64) {
    let fair = |(pick, other): (i32, i32)| decimal(pick).1 / (decimal(pick).1 + decimal(other).1);
    (decimal(taken.0).0 * fair(close) - 1.0, fair(close) - fair(taken))
}

fn close_to(figure: &Value, expected: f64) {
    let figure = figure.as_f64().unwrap_or_else(|| panic!("{figure} is no number"));
    assert!((figure - expected).abs() < 1e-9, "{figure} is not {expected}");
}

async fn clv(service: &Service, query: &str) -> Value {
    let answer = service.get(&format!("/api/v1/clv/nfl/{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn picks_are_measured_by_the_formulas_and_each_exclusion_is_counted_once() {
    let season = Season::new();
    let service = season.site.app().await;
    let answer = clv(&service, &format!("won_on_spread?season=2023-24&as_of={TUESDAY}")).await;
    assert_eq!((&answer["taken"], &answer["close_within"]), (&json!("standing"), &json!(120)));
    let left_out = ["not_recorded_here", "not_started", "not_played"].map(|name| answer[name].as_u64());
    assert_eq!(left_out, [Some(1); 3]);
    assert_eq!(answer["models"].as_array().map(Vec::len), Some(2));
    let blend = &answer["models"][0];
    assert_eq!([&blend["model"], &blend["picks"], &blend["no_pick"]], [&json!("BLEND"), &json!(8), &json!(1)]);
    let one_each = json!({
        "no_close": 1, "stale_close": 1, "no_later_odds": 1, "no_line": 1, "no_price": 1, "line_moved": 1,
    });
    assert_eq!(blend["excluded"], one_each);
    let (home, away) = (measured((-105, -115), (-120, 100)), measured((-115, -105), (100, -120)));
    for (name, home, away) in [("clv_ev", home.0, away.0), ("clv_prob", home.1, away.1)] {
        let measure = &blend[name];
        assert_eq!([&measure["picks"], &measure["dates"], &measure["positive"]], [&json!(2), &json!(2), &json!(0.5)]);
        close_to(&measure["mean"], f64::midpoint(home, away));
        // Two dates of one pick: the residuals are half of the difference, to either side.
        close_to(&measure["se"], (home - away).abs() / 2.0);
        assert!(["t", "p", "low", "high"].iter().all(|name| measure[name].is_null()), "{measure}");
    }
    // A, F and M did not move; G went from 3 to 3.5 for the home side.
    let line = &blend["line_clv"];
    assert_eq!([&line["picks"], &line["positive"]], [&json!(4), &json!(0.25)]);
    close_to(&line["mean"], 0.125);
}

#[tokio::test]
async fn the_first_forecast_an_older_close_and_dates_can_be_chosen() {
    let season = Season::new();
    let service = season.site.app().await;
    let of = async |query: &str| clv(&service, &format!("won_on_spread?season=2023-24&as_of={TUESDAY}&{query}")).await;
    let first = of("taken=first").await;
    assert_eq!(first["taken"], "first");
    let blend = &first["models"][0];
    assert_eq!([&blend["excluded"]["no_later_odds"], &blend["clv_ev"]["picks"]], [&json!(0), &json!(3)]);
    // The close of C was published with the forecast.
    let old = of("close_within=1440").await;
    let excluded = &old["models"][0]["excluded"];
    assert_eq!([&excluded["stale_close"], &excluded["no_later_odds"]], [&json!(0), &json!(2)]);
    let monday = of("from=2024-01-08&to=2024-01-08").await;
    assert_eq!([&monday["models"][0]["picks"], &monday["not_recorded_here"], &monday["not_played"]], [1, 0, 0]);
    close_to(&monday["models"][0]["clv_ev"]["mean"], measured((-115, -105), (100, -120)).0);
    // Before the start, nothing is measured yet, and the game is not called off yet.
    let early = clv(&service, "won_on_spread?season=2023-24&as_of=2024-01-07T17:59:00Z").await;
    assert_eq!([&early["models"][0]["picks"], &early["not_started"], &early["not_played"]], [0, 11, 0]);
}

#[tokio::test]
async fn models_that_are_not_listed_are_left_out_and_change_no_figure() {
    let season = Season::new();
    let service = season.site.app().await;
    let of = async |query: &str| clv(&service, &format!("won_on_spread?season=2023-24&as_of={TUESDAY}{query}")).await;
    let all = of("").await;
    assert_eq!([&all["models"][0]["model"], &all["models"][1]["model"]], ["BLEND", "CATB"]);
    for (list, listed) in [("CATB", &all["models"][1]), ("BLEND,IMPLIED", &all["models"][0])] {
        let mut expected = all.clone();
        expected["models"] = json!([listed]);
        assert_eq!(of(&format!("&models={list}")).await, expected, "{list}");
    }
    assert_eq!(of("&models=XT").await["models"], json!([]), "a model without a forecast");
}

#[tokio::test]
async fn a_moneyline_has_no_line_and_is_measured_at_any_move() {
    let season = Season::new();
    let service = season.site.app().await;
    let answer = clv(&service, &format!("won_on_points?season=2023-24&as_of={TUESDAY}")).await;
    let blend = &answer["models"][0];
    assert_eq!(blend["line_clv"], Value::Null);
    let (expected, probability) = measured((-125, 105), (-150, 130));
    assert!((expected - 0.043_697).abs() < 5e-7 && (probability - 0.047_364).abs() < 5e-7, "the worked example");
    close_to(&blend["clv_ev"]["mean"], expected);
    close_to(&blend["clv_prob"]["mean"], probability);
}

#[tokio::test]
async fn horizons_score_the_forecasts_of_their_time_by_their_lines() {
    let season = Season::new();
    season.settle("D", "20,24,settled", "2024-01-09T13:00:00Z");
    let service = season.site.app().await;
    let of = async |horizon: &str| {
        let path = format!("/api/v1/calibration/nfl/won_on_spread?season=2023-24{horizon}");
        service.get(&path).await.json()["sources"].clone()
    };
    let [today, first, day, hour] =
        [of("").await, of("&horizon=first").await, of("&horizon=24h").await, of("&horizon=1h").await];
    // The imported row of the 49ers (0.6, covered) and D (0.62, covered); the horizons have D alone.
    close_to(&today[0]["models"][0]["brier"], f64::midpoint(0.16, 0.38 * 0.38));
    let mut standing = of("&horizon=standing").await;
    assert_eq!(standing[0].as_object_mut().and_then(|block| block.remove("horizon")), Some(json!("standing")));
    assert_eq!(standing, json!([today[0]]));
    for (block, horizon) in [(&first, "first"), (&hour, "1h")] {
        assert_eq!([&block[0]["horizon"], &block[0]["not_recorded_here"]], [&json!(horizon), &json!(1)]);
        let blend = &block[0]["models"][0];
        assert_eq!([&blend["games"], &blend["no_forecast_then"]], [1, 0]);
        close_to(&blend["brier"], 0.16);
        close_to(&blend["market"]["implied"]["brier"], 0.25);
    }
    assert_eq!([&day[0]["models"][0]["games"], &day[0]["models"][0]["no_forecast_then"]], [0, 1]);
    let refused = service.get("/api/v1/calibration/nfl/won_on_spread?horizon=6h&forecast_source=walk_forward").await;
    assert_eq!(refused.failure(400), "`horizon` applies to live forecasts only");
}

#[tokio::test]
async fn other_values_are_refused_with_their_remedy() {
    let season = Season::new();
    let service = season.site.app().await;
    let market = "nfl/won_on_spread";
    for (path, detail) in [
        (format!("clv/{market}?taken=best"), "`taken` must be first or standing"),
        (format!("clv/{market}?close_within=0"), "`close_within` must be a whole number from 1 to 1440"),
        (format!("clv/{market}?close_within=1441"), "`close_within` must be a whole number from 1 to 1440"),
        (format!("calibration/{market}?horizon=12h"), "`horizon` must be first, 24h, 6h, 1h or standing"),
        (
            format!("predictions/{market}/season?hours_before=-1"),
            "`hours_before` must be a number of hours from 0.25 to 168",
        ),
        (format!("predictions/{market}/season?format=json"), "`format` must be parquet, csv or ndjson"),
        (format!("predictions/{market}/season?finals=yes"), "`finals` must be true or false"),
    ] {
        assert_eq!(service.get(&format!("/api/v1/{path}")).await.failure(400), detail, "{path}");
    }
    let past = service.get(&format!("/api/v1/predictions/{market}/season?as_of={TUESDAY}")).await.failure(400);
    assert!(past.starts_with("`as_of` is not a parameter here"), "{past}");
    for path in ["clv/nfl/won_on_spread", "predictions/nfl/won_on_spread/season"] {
        let unknown = service.get(&format!("/api/v1/{path}?season=1999-00")).await.failure(404);
        assert!(unknown.starts_with("No results are published for nfl won_on_spread in season 1999-00"), "{unknown}");
    }
    let early = service.get(&format!("/api/v1/clv/{market}?as_of=2024-01-01T00:00:00Z")).await.failure(404);
    assert!(early.starts_with("Nothing was published for nfl at 2024-01-01T00:00:00Z"), "{early}");
}
