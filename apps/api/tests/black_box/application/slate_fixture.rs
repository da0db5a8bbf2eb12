//! A real week served as of before play, against figures computed by hand.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sports_testkit::programs::fixture;

use crate::service::{Answer, Service, Site};

const BEFORE_PLAY: &str = "2024-01-06T15:00:00Z";

fn close(served: &Value, expected: &Value) -> bool {
    let (served, expected) = (served.as_f64().expect("a number"), expected.as_f64().expect("a number"));
    (served - expected).abs() < 0.000_000_6
}

async fn week() -> (Site, Service) {
    let site = Site::empty();
    let folder = fixture("nfl-2023-week-18-slate").join("release");
    let _ = site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", BEFORE_PLAY]);
    let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", BEFORE_PLAY)]).await;
    (site, service)
}

fn expected() -> Value {
    let file = fixture("nfl-2023-week-18-slate").join("expected.json");
    serde_json::from_str(&std::fs::read_to_string(file).expect("a file")).expect("JSON")
}

#[tokio::test]
async fn expected_values_and_no_vig_probabilities_equal_those_computed_by_hand() {
    let (_site, service) = week().await;
    for (model_type, games) in expected().as_object().expect("markets") {
        let answer = service.get(&format!("/api/v1/predictions/nfl/{model_type}")).await.json();
        let served = answer["games"].as_array().expect("games");
        let games = games.as_array().expect("games");
        assert_eq!(served.len(), games.len());
        for (served, expected) in served.iter().zip(games) {
            for name in ["date", "time", "away_team", "home_team"] {
                assert_eq!(served[name], expected[name], "{model_type}");
            }
            assert!(close(&served["predictions"]["IMPLIED"], &expected["IMPLIED"]), "{served}");
            let values = expected.as_object().expect("an object").iter().filter(|(name, _)| name.starts_with("ev_"));
            let mut compared = 0;
            for (name, value) in values {
                assert!(close(&served[name], value), "{name}: {served}, expected {value}");
                compared += 1;
            }
            assert_eq!(compared, 2, "both sides");
        }
        assert_eq!(
            answer["models_used"],
            serde_json::json!(["IMPLIED", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"])
        );
    }
}

#[tokio::test]
async fn picks_have_their_usual_labels() {
    let (_site, service) = week().await;
    let markets = [("over_under", "over_under"), ("won_on_points", "moneyline"), ("won_on_spread", "spread")];
    let expected = expected();
    for (model_type, market) in markets {
        let path = format!("/api/v1/public/ml-picks/nfl/{market}");
        let answer = Answer::to(service.request(&path)).await.json();
        let (served, expected) =
            (answer["games"].as_array().expect("games"), expected[model_type].as_array().expect("games"));
        assert_eq!(served.len(), expected.len());
        for (served, expected) in served.iter().zip(expected) {
            for name in ["pick", "pick_side", "market_line"] {
                assert_eq!(served[name], expected[name], "{market}: {served}");
            }
            assert!(close(&served["confidence"], &expected["confidence"]), "{served}");
            assert!(close(&served["implied_probability"], &expected["IMPLIED"]), "{served}");
        }
    }
}

/// Returns the longest run of decimals of any number in a text.
fn decimals(text: &str) -> usize {
    let fractions = text.split('.').skip(1).map(|rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    fractions.max().unwrap_or_default()
}

/// The Ravens at 0.5661: +130 and -155 break even at 10/23 and 31/51, so IMPLIED is 510/1223; home is worth 0.5661 ·
/// 1.3 − 0.4339, away 0.4339 · 100/155 − 0.5661. The Ravens' spread is priced -115 and -105.
#[tokio::test]
async fn computed_figures_have_twelve_decimals_and_published_ones_are_unchanged() {
    let (_site, service) = week().await;
    let predictions = service.get("/api/v1/predictions/nfl/won_on_points").await.text().to_owned();
    for figure in
        [r#""IMPLIED":0.417007358953,"BLEND":0.5661,"#, r#""ev_away_ml":-0.286164516129,"#, r#""ev_home_ml":0.30203}"#]
    {
        assert!(predictions.contains(figure), "{figure} in {predictions}");
    }
    let markets = service.get("/api/v1/markets/nfl").await.text().to_owned();
    for figure in [
        r#""model_home":0.5661,"model_away":0.4339,"#,
        r#""book_home":0.417007358953,"book_away":0.582992641047,"#,
        r#""edge_home":0.149092641047"#,
    ] {
        assert!(markets.contains(figure), "{figure} in {markets}");
    }
    let picks = service.get("/api/v1/public/ml-picks/nfl/moneyline").await.text().to_owned();
    assert!(picks.contains(r#""implied_probability":0.417007358953,"#), "{picks}");
    // The Browns at the Bengals: 0.4235 of a cover at home is 0.5765 for the guests.
    let spreads = service.get("/api/v1/public/ml-picks/nfl/spread").await.text().to_owned();
    assert!(spreads.contains(r#""blend_probability":0.4235,"confidence":0.5765,"#), "{spreads}");
    for text in [predictions, markets, picks, spreads] {
        assert_eq!(decimals(&text), 12, "{text}");
    }
    let rows = service.page("nfl/won_on_points?season=2023-24").await.text().to_owned();
    assert!(rows.contains(r#""IMPLIED":0.417007358953,"#), "{rows}");
}

#[tokio::test]
async fn the_week_settles_and_its_rows_are_graded() {
    let (site, service) = week().await;
    let finals = fixture("nfl-2023-week-18-slate").join("finals.csv");
    let finals = finals.to_str().expect("text");
    let after = "2024-01-08T12:00:00Z";
    let printed = site.place.ctl(["settle", "nfl", finals, "--as-of", after]);
    assert!(printed.contains("16 settled, 0 corrected, 0 settled before"), "{printed}");
    let again = site.place.ctl(["settle", "nfl", finals, "--as-of", after]);
    assert!(again.contains("0 settled, 0 corrected, 16 settled before") && again.contains("nothing to do"), "{again}");
    drop(service);
    let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", after)]).await;
    let page = service.page("nfl/won_on_points?season=2023-24").await.json();
    let first = &page["results"][0];
    // Pittsburgh won 17-10: the home side, picked by the blend, lost.
    assert_eq!(
        (&first["away_score"], &first["home_score"], &first["won_on_points"]),
        (&17.into(), &10.into(), &0.into())
    );
    assert_eq!((&first["graded"], &first["push"]), (&true.into(), &false.into()));
    assert_eq!(first["forecast_source"], "live");
    let published_at = first["forecast_published_at"].as_str().expect("a time");
    assert!(
        published_at.parse::<DateTime<Utc>>().expect("a time")
            < "2024-01-06T21:30:00Z".parse::<DateTime<Utc>>().expect("a time")
    );
    assert_eq!(page["total"], 16);
}
