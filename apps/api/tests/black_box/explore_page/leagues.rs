//! Leagues side by side: default models of their publishers, and a league that begins to publish.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::visit::{Visit, list};
use crate::browser::Browser;
use crate::folder::Folder;
use crate::service::{Service, Site};

const MORNING: &str = "2024-01-06T15:00:00Z";

fn publish(site: &Site, folder: &Path, at: &str) {
    let printed = site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", at]);
    assert!(printed.contains("published: "), "{printed}");
}

/// Returns a release with ELO, which is public, as the league's default model.
fn led_by_elo(text: &str) -> String {
    let mut release: Value = serde_json::from_str(text).expect("JSON");
    release["models"]["ELO"] = json!({ "public": true });
    release["headline"] = json!("ELO");
    release.to_string()
}

/// Publishes a slate of the NFL, of whose games ELO gives 60 % to the home team.
fn publish_nfl(site: &Site) {
    let forecast = |text: &str| {
        let mut games: Value = serde_json::from_str(text).expect("JSON");
        for game in games.as_array_mut().expect("games") {
            game["ELO"] = json!(0.6);
        }
        games.to_string()
    };
    let folder = Folder::copy_of("nfl-2023-week-18-slate");
    let folder = folder.edit("release.json", led_by_elo).edit("predictions/won_on_points.json", forecast);
    publish(site, folder.path(), MORNING);
}

/// Publishes a slate of four college games, of each of which BLEND is 45 points above the book.
fn publish_college(site: &Site) {
    let folder = tempfile::tempdir().expect("a folder");
    let release = json!({
        "sport": "ncaab", "season": "2023-24", "slate_date": "2024-01-06", "slate": "active",
        "markets": ["won_on_points", "won_on_spread", "over_under"],
        "run": { "id": "college", "started_at": "2024-01-06T14:38:00Z", "completed_at": "2024-01-06T14:50:00Z" },
    });
    let games = (0..4).map(|game| {
        json!({
            "date": "2024-01-06", "time_est": format!("{}:00:00", 18 + game),
            "away_team": format!("Visitors {game}"), "home_team": format!("Hosts {game}"),
            "home_money_line": -110, "away_money_line": -110, "BLEND": 0.95,
        })
    });
    let games: Value = games.collect();
    fs::write(folder.path().join("release.json"), release.to_string()).expect("written");
    fs::create_dir(folder.path().join("predictions")).expect("a folder");
    fs::write(folder.path().join("predictions/won_on_points.json"), games.to_string()).expect("written");
    publish(site, folder.path(), MORNING);
}

async fn serve(site: &Site) -> Service {
    site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-06T15:05:00Z")]).await
}

/// Without a key there are no declarations, and the colour is the same.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_own_default_model_has_its_colour_with_a_key_and_without() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    publish_nfl(&site);
    let service = serve(&site).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    let fills = "[...new Set([...document.querySelectorAll('.mark.model[data-model=ELO]')].map(mark => \
                 `${mark.getAttribute('fill')} ${getComputedStyle(mark).fill}`))]";
    for key in [None, Some(service.key())] {
        if let Some(key) = key {
            visit.type_key(key).await;
        }
        for view in ["overview", "today/nfl/won_on_points"] {
            visit.show(view).await;
            let expected = json!(["var(--tone-own-0) rgb(68, 117, 246)"]);
            assert_eq!(visit.page.evaluate(fills), expected, "{view}");
        }
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_largest_values_of_every_league_name_the_model_of_each_row() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    publish_nfl(&site);
    publish_college(&site);
    let service = serve(&site).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.show("overview").await;
    visit.page.evaluate("document.querySelector('#see-more').click()");
    visit.page.expect("document.querySelectorAll('#figure-values-everywhere').length", &json!(1)).await;
    let legend = visit.text("#figure-values-everywhere .legend li");
    assert_eq!(legend, json!(["ELO", "BLEND", "Book, without its margin"]));
    let rows = "[...document.querySelectorAll('#figure-values-everywhere .value-row')].map(row => \
                row.querySelector('.who small').innerText.split(', ').at(-1) === row.querySelector('.mark.model').dataset.model)";
    assert_eq!(visit.page.evaluate(rows), Value::from(vec![true; 8]));
}

/// ELO gave 60 % to the winner of the only game of yesterday; no standard model has a forecast.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn last_night_has_the_default_model_of_a_league_without_a_slate() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let folder = Folder::copy_of("own-models").edit("release.json", led_by_elo);
    let folder = folder.replace("games/2023-24.csv", "philadelphia_eagles,20,20", "philadelphia_eagles,17,20");
    publish(&site, folder.path(), "2023-09-15T14:00:00Z");
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2023-09-15T15:00:00Z")]).await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.show("overview").await;
    assert_eq!(visit.text("#night-nfl [data-record=ELO]"), json!(["1\u{2013}0"]));
    assert_eq!(visit.marks("#figure-night rect.mark", "model"), [("ELO".to_owned(), "0.6".to_owned())]);
}

/// Columns of a publisher can have the names of what every JavaScript object has.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_opened_game_has_columns_of_any_name() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let widened = |text: &str| {
        let rows = text.lines().enumerate();
        let rows = rows.map(|(row, line)| format!("{line},{}\n", if row == 0 { "toString,valueOf" } else { "kept,7" }));
        rows.collect::<String>()
    };
    let folder = Folder::copy_of("own-models").edit("games/2023-24.csv", widened);
    publish(&site, folder.path(), "2023-09-15T14:00:00Z");
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2023-09-15T15:00:00Z")]).await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.show("results/nfl/won_on_points").await;
    visit.page.evaluate("document.querySelector('tbody .opener').click()");
    let game = "field-2023-09-14-minnesota-vikings-philadelphia-eagles";
    assert_eq!(visit.row(&format!("{game}-toString")), ["ToString", "kept"]);
    assert_eq!(visit.row(&format!("{game}-valueOf")), ["ValueOf", "7"]);
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_open_page_shows_a_league_that_begins_to_publish() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    publish_nfl(&site);
    let service = serve(&site).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.hasten();
    visit.page.evaluate("window.before = true; location.hash = '#/overview'; location.reload()");
    let leagues = "!window.before && document.querySelector('main')?.dataset.shown !== undefined && \
                   [...document.querySelectorAll('.leagues a')].map(link => link.innerText).join()";
    // A league alone needs no link to itself.
    visit.page.expect(leagues, &json!("")).await;
    publish_college(&site);
    visit.page.expect(leagues, &json!("NFL,College basketball")).await;
    visit.show("today/nfl/won_on_points").await;
    assert_eq!(visit.text("[aria-label=League] li"), json!(["NFL", "College basketball"]));
}

/// After the deadline, a league with three markets of which one alone was published is partial. The college games have no odds.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn todays_slate_of_a_market_is_not_called_missing_in_a_partial_league() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let all = r#""markets": ["won_on_points", "won_on_spread", "over_under"], "slate": "#;
    let folder = Folder::copy_of("nfl-2023-week-18-slate").replace("release.json", r#""slate": "#, all);
    for market in ["over_under", "won_on_spread"] {
        fs::remove_file(folder.path().join(format!("predictions/{market}.csv"))).expect("removed");
    }
    publish(&site, folder.path(), MORNING);
    publish_college(&site);
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-06T15:30:00Z")]).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    for league in ["nfl", "ncaab"] {
        let status = service.get(&format!("/api/v1/data-status/{league}")).await.json();
        assert_eq!(status["status"], "partial", "{status}");
        visit.show(&format!("today/{league}/won_on_points")).await;
        assert!(list(&visit.text(".slate .opener")).len() > 3, "{league}");
        let reading = visit.text(".reading").to_string();
        assert!(!reading.contains("missing"), "{league}: {reading}");
        let warning = visit.text(".league-status.alert")[0].to_string();
        assert!(warning.contains("late or incomplete") && !warning.contains("not served"), "{warning}");
    }
}
