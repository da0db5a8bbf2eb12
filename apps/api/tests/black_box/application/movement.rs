//! A line that moves, from a bookmaker's feed to serving and settlement.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::service::Site;

/// Returns the feed of another program, as of noon in New York. The Vikings play the Cowboys at 16:25, the Rams the
/// Seahawks at 20:20.
fn feed() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ctl/tests/data/odds-feed.json");
    serde_json::from_str(&fs::read_to_string(file).expect("the feed")).expect("JSON")
}

/// Changes the bookmaker's price and points of an outcome of the Cowboys' game.
fn move_outcome(feed: &mut Value, market: &str, name: &str, price: i32, point: Option<f64>) {
    let named = |list: &'_ mut Value, field: &str, name: &str| -> usize {
        list.as_array().expect("a list").iter().position(|item| item[field] == name).expect(name)
    };
    let events = feed.as_array_mut().expect("events");
    let game = events.iter_mut().find(|event| event["home_team"] == "Dallas Cowboys").expect("the game");
    let books = &mut game["bookmakers"];
    let book = named(books, "key", "draftkings");
    let markets = &mut books[book]["markets"];
    let market = named(markets, "key", market);
    let outcomes = &mut markets[market]["outcomes"];
    let outcome = named(outcomes, "name", name);
    outcomes[outcome]["price"] = price.into();
    if let Some(point) = point {
        outcomes[outcome]["point"] = point.into();
    }
}

/// A publisher with a feed and models, whose files have no opening lines.
struct Publisher {
    site: Site,
    release: PathBuf,
}

impl Publisher {
    fn new() -> Self {
        let site = Site::empty();
        let release = site.place.path().join("release");
        fs::create_dir_all(&release).expect("a folder");
        let manifest = r#"{"sport":"nfl","season":"2025-26","slate_date":"2025-12-14"}"#;
        fs::write(release.join("release.json"), manifest).expect("written");
        Self { site, release }
    }

    fn ctl(&self, line: &str, as_of: &str) -> String {
        self.site.place.ctl(line.split(' ').chain(["--as-of", as_of]))
    }

    /// Converts the feed into the release's odds and publishes them.
    fn publish_odds(&self, feed: &Value, as_of: &str) {
        let file = self.site.place.path().join("feed.json");
        fs::write(&file, feed.to_string()).expect("written");
        let (file, release) = (file.display(), self.release.display());
        let convert =
            format!("convert the-odds-api {file} --sport nfl --bookmaker draftkings --out {release}/odds.csv");
        let printed = self.ctl(&convert, as_of);
        assert!(printed.contains("3 games of nfl, prices of draftkings"), "{printed}");
        self.publish(as_of);
    }

    /// Publishes the models' predictions, without any line.
    fn publish_predictions(&self, as_of: &str) {
        let folder = self.release.join("predictions");
        fs::create_dir_all(&folder).expect("a folder");
        let rows = "date,time,away_team,home_team,BLEND\n\
                    2025-12-14,16:25:00,minnesota_vikings,dallas_cowboys,0.6\n\
                    2025-12-14,20:20:00,los_angeles_rams,seattle_seahawks,0.5\n";
        for model_type in ["over_under", "won_on_points", "won_on_spread"] {
            fs::write(folder.join(format!("{model_type}.csv")), rows).expect("written");
        }
        self.publish(as_of);
    }

    fn publish(&self, as_of: &str) {
        let printed = self.ctl(&format!("publish {}", self.release.display()), as_of);
        assert!(printed.contains("published: "), "{printed}");
    }
}

/// Returns the lines of a game, in the order of the names.
fn lines(games: &Value, home: &str, names: &[&str]) -> Value {
    let game = games.as_array().expect("games").iter().find(|game| game["home_team"] == home).expect("the game");
    names.iter().map(|name| game[*name].clone()).collect()
}

const TOTAL: [&str; 4] = ["open_over_under", "over_under", "over_line", "under_line"];
const MONEY: [&str; 4] = ["open_home_money_line", "home_money_line", "open_away_money_line", "away_money_line"];
const SPREAD: [&str; 4] =
    ["open_home_point_spread", "home_point_spread", "open_away_point_spread", "away_point_spread"];

#[tokio::test]
async fn the_first_quote_of_a_feed_is_the_opening_line() {
    let publisher = Publisher::new();
    let mut feed = feed();
    publisher.publish_odds(&feed, "2025-12-14T18:00:00Z");
    move_outcome(&mut feed, "totals", "Over", -115, Some(49.0));
    move_outcome(&mut feed, "totals", "Under", -105, Some(49.0));
    move_outcome(&mut feed, "h2h", "Dallas Cowboys", -290, None);
    move_outcome(&mut feed, "h2h", "Minnesota Vikings", 240, None);
    move_outcome(&mut feed, "spreads", "Dallas Cowboys", -110, Some(-7.0));
    move_outcome(&mut feed, "spreads", "Minnesota Vikings", -110, Some(7.0));
    publisher.publish_odds(&feed, "2025-12-14T19:00:00Z");
    publisher.publish_predictions("2025-12-14T19:05:00Z");

    let service = publisher.site.app_with(&[("SPORTS_CLOCK__AS_OF", "2025-12-14T19:10:00Z")]).await;
    let expected = [
        ("over_under", TOTAL, json!([47.5, 49.0, -115, -105]), json!([45.0, 45.0, -115, -105])),
        ("won_on_points", MONEY, json!([-265, -290, 215, 240]), json!([-118, -118, -102, -102])),
        // An opening spread of zero counts as a placeholder.
        ("won_on_spread", SPREAD, json!([-6.0, -7.0, 6.0, 7.0]), json!([null, 0.0, null, 0.0])),
    ];
    for (model_type, names, dallas, seattle) in &expected {
        let games = &service.get(&format!("/api/v1/predictions/nfl/{model_type}")).await.json()["games"];
        assert_eq!(lines(games, "dallas_cowboys", names), *dallas, "{model_type}");
        assert_eq!(lines(games, "seattle_seahawks", names), *seattle, "{model_type}");
    }
    service.stop();

    // The Cowboys won 30-20: the total of 49 went over, as the line had moved.
    let finals = publisher.site.place.path().join("finals.csv");
    let played = "date,time_est,away_team,home_team,away_score,home_score\n\
                  2025-12-14,16:25:00,minnesota_vikings,dallas_cowboys,20,30\n";
    fs::write(&finals, played).expect("written");
    let after = "2025-12-15T12:00:00Z";
    let _ = publisher.ctl(&format!("settle nfl {}", finals.display()), after);
    let service = publisher.site.app_with(&[("SPORTS_CLOCK__AS_OF", after)]).await;
    for (model_type, names, dallas, _) in &expected {
        let rows = &service.page(&format!("nfl/{model_type}")).await.json()["results"];
        assert_eq!(lines(rows, "dallas_cowboys", names), *dallas, "{model_type}");
    }
    let path = "/api/v1/strategies/nfl/over_under/follow_line_over/replay";
    assert_eq!(service.get(path).await.json()["strategy"]["record"], "1-0-0", "the line moved up, and it went over");
}
