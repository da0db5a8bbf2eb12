//! Each league's games and their markets, compared with prices computed by hand.

use std::fs;
use std::iter;

use serde_json::{Value, json};
use sports_simulation::exchange::{Reply, Request};

use super::{Comparison, market, page, row};
use crate::service::Site;

/// Publishes moneyline predictions of a day; a game is its time, teams, away and home price, and blend.
pub fn publish(site: &Site, sport: &str, date: &str, games: &[&str]) {
    let folder = site.place.path().join(sport);
    fs::create_dir_all(folder.join("predictions")).expect("a folder");
    let header = "date,time,away_team,home_team,away_money_line,home_money_line,BLEND";
    let rows = games.iter().map(|game| format!("{date},{game}"));
    let table: Vec<_> = iter::once(header.to_owned()).chain(rows).collect();
    fs::write(folder.join("predictions/won_on_points.csv"), table.join("\n")).expect("written");
    let season = if sport == "mlb" { date[..4].to_owned() } else { season_of(date) };
    let manifest = json!({ "sport": sport, "season": season, "slate_date": date });
    fs::write(folder.join("release.json"), manifest.to_string()).expect("written");
    let _ = site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", &format!("{date}T10:00:00Z")]);
}

/// Returns the label of a season that begins in summer: January belongs to the year before.
fn season_of(date: &str) -> String {
    let (year, month): (u16, u8) = (date[..4].parse().expect("a year"), date[5..7].parse().expect("a month"));
    let first = if month < 7 { year - 1 } else { year };
    format!("{first}-{:02}", (first + 1) % 100)
}

/// Returns both teams' markets of a game: bids of these many cents, offers of two more.
fn both(event: &str, (away, away_bid): (&str, u8), (home, home_bid): (&str, u8)) -> [Value; 2] {
    let of_team = |team: &str, bid: u8| {
        market(&format!("{event}-{team}"), &format!("0.{bid:02}00"), &format!("0.{:02}00", bid + 2))
    };
    [of_team(away, away_bid), of_team(home, home_bid)]
}

/// Returns an exchange that lists the requested series.
fn exchange(series: Vec<(&'static str, Vec<Value>)>) -> impl Fn(&Request) -> Reply + Send + Sync + 'static {
    move |request| {
        let requested = series.iter().find(|(name, _)| request.query("series_ticker") == Some(name));
        page(&requested.expect("a series that somebody reads").1, "")
    }
}

/// Returns the probabilities and prices of a row, and the edge.
fn comparison_fields(row: &Value) -> [&Value; 6] {
    ["model_home", "book_home", "book_away", "kalshi_home", "kalshi_away", "edge_home"].map(|name| &row[name])
}

/// The book's probability of the first game's home team is 0.6 / (0.6 + 100/230) = 69/119, of the second's 0.5 / (0.5
/// + 120/220) = 11/23; either is below the exchange's 0.59 and 0.48.
#[tokio::test]
async fn each_game_of_a_doubleheader_has_the_prices_of_its_own_market() {
    let site = Site::empty();
    let games = [
        "13:35:00,arizona_diamondbacks,washington_nationals,130,-150,0.6",
        "19:05:00,arizona_diamondbacks,washington_nationals,-120,100,0.5",
        "20:10:00,new_york_yankees,boston_red_sox,-110,-110,0.55",
    ];
    publish(&site, "mlb", "2026-07-26", &games);
    let listed = [
        // The later game is listed first, and its market was opened for an earlier start.
        both("KXMLBGAME-26JUL261845AZWSHG2", ("AZ", 51), ("WSH", 47)),
        both("KXMLBGAME-26JUL261335AZWSHG1", ("AZ", 40), ("WSH", 58)),
        // A single game and a single market belong together, though the game starts three hours later.
        both("KXMLBGAME-26JUL261710NYYBOS", ("NYY", 52), ("BOS", 46)),
        both("KXMLBGAME-26JUL251335AZWSH", ("AZ", 10), ("WSH", 80)),
    ];
    let exchange = exchange(vec![("KXMLBGAME", listed.concat())]);
    let comparison = Comparison::with_handler(site, "2026-07-26T12:00:00Z", exchange).await;
    let answer = comparison.answer_of("mlb").await;
    let games = answer["games"].as_array().expect("games");
    assert_eq!(games.iter().map(|game| &game["time"]).collect::<Vec<_>>(), ["13:35", "19:05", "20:10"]);
    assert_eq!(
        json!(comparison_fields(&games[0])),
        json!([0.6, 0.579_831_932_773, 0.420_168_067_227, 0.59, 0.41, 0.020_168_067_227])
    );
    assert_eq!(
        json!(comparison_fields(&games[1])),
        json!([0.5, 0.478_260_869_565, 0.521_739_130_435, 0.48, 0.52, 0.021_739_130_435])
    );
    assert_eq!(json!(comparison_fields(&games[2])), json!([0.55, 0.5, 0.5, 0.47, 0.53, 0.08]));
}

#[tokio::test]
async fn college_games_have_no_prices_unlike_basketball_and_hockey() {
    let site = Site::empty();
    let date = "2026-11-19";
    publish(&site, "nba", date, &["22:00:00,utah_jazz,golden_state_warriors,150,-180,0.7"]);
    publish(&site, "nhl", date, &["22:30:00,vegas_golden_knights,los_angeles_kings,-110,-110,0.45"]);
    publish(&site, "ncaaf", date, &["19:30:00,texas_longhorns,ohio_state_buckeyes,-110,-110,0.45"]);
    publish(&site, "ncaab", date, &["19:00:00,duke_blue_devils,kansas_jayhawks,,,0.45"]);
    let listed = vec![
        ("KXNBAGAME", both("KXNBAGAME-26NOV19UTAGSW", ("UTA", 37), ("GSW", 61)).to_vec()),
        ("KXNHLGAME", both("KXNHLGAME-26NOV19VGKLA", ("VGK", 58), ("LA", 39)).to_vec()),
    ];
    let comparison = Comparison::with_handler(site, "2026-11-19T15:00:00Z", exchange(listed)).await;
    // 180/280 / (180/280 + 100/250) = 45/73, which is the cheaper of the two.
    let warriors = row(&comparison.answer_of("nba").await, "golden_state_warriors");
    assert_eq!(
        json!(comparison_fields(&warriors)),
        json!([0.7, 0.616_438_356_164, 0.383_561_643_836, 0.62, 0.38, 0.083_561_643_836])
    );
    let kings = row(&comparison.answer_of("nhl").await, "los_angeles_kings");
    assert_eq!(json!(comparison_fields(&kings)), json!([0.45, 0.5, 0.5, 0.4, 0.59, 0.05]));
    let requested = comparison.exchange.requests();
    let buckeyes = row(&comparison.answer_of("ncaaf").await, "ohio_state_buckeyes");
    assert_eq!(json!(comparison_fields(&buckeyes)), json!([0.45, 0.5, 0.5, null, null, -0.05]));
    let jayhawks = row(&comparison.answer_of("ncaab").await, "kansas_jayhawks");
    assert_eq!(json!(comparison_fields(&jayhawks)), json!([0.45, null, null, null, null, null]));
    assert_eq!((requested, comparison.exchange.requests()), (2, 2), "the exchange is not requested for college games");
}
