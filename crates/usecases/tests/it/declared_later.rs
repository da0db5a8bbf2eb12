//! Forecasts that were an extra column until their model was declared.

use sports_domain::Sport;
use sports_publication::Value;
use sports_publication::testing::key;

use crate::declared::name;
use crate::moved_back::{Evening, LABEL, MARKET, game_at};

const DECLARED: &str = "2025-12-10T16:00:00Z";

async fn predict(evening: &Evening, at: &str, blend: Option<f64>, elo: Option<f64>) {
    evening.publish(at, evening.predicting(LABEL, &game_at("19:00"), blend, elo)).await.expect("predicts");
}

#[tokio::test]
async fn a_column_withdrawn_before_its_declaration_is_no_forecast() {
    for declared_before_play in [false, true] {
        let evening = Evening::new(Sport::Nba);
        predict(&evening, "2025-12-10T14:00:00Z", Some(0.55), Some(0.7)).await;
        predict(&evening, "2025-12-10T15:00:00Z", Some(0.6), None).await;
        evening.declare_elo(if declared_before_play { DECLARED } else { "2025-12-11T12:00:00Z" }).await;
        assert_eq!(evening.forecast().await, (Some(0.6), None));
    }
}

#[tokio::test]
async fn a_column_of_a_game_that_returns_to_the_slate_without_it_is_withdrawn() {
    let evening = Evening::new(Sport::Nba);
    predict(&evening, "2025-12-10T14:00:00Z", Some(0.55), Some(0.7)).await;
    let other = key("2025-12-10", "21:00:00", "utah_jazz", "phoenix_suns");
    let other = evening.predicting(LABEL, &other, Some(0.5), None);
    evening.publish("2025-12-10T14:30:00Z", other).await.expect("another slate");
    predict(&evening, "2025-12-10T15:00:00Z", Some(0.6), None).await;
    evening.declare_elo(DECLARED).await;
    let rows = evening.rows().await;
    let row = rows.iter().find(|row| row.facts.key == game_at("19:00")).expect("a row");
    assert_eq!(row.forecast.own.get(name("ELO")), None);
}

#[tokio::test]
async fn a_text_of_an_earlier_prediction_stays_without_its_column() {
    let evening = Evening::new(Sport::Nba);
    let mut release = evening.predicting(LABEL, &game_at("19:00"), Some(0.55), None);
    let file = release.predictions.get_mut(&MARKET).expect("a market");
    file.rows[0].value.extras.insert("arena", Value::Text("Garden".to_owned()));
    evening.publish("2025-12-10T14:00:00Z", release).await.expect("predicts");
    predict(&evening, "2025-12-10T15:00:00Z", Some(0.6), None).await;
    assert_eq!(evening.row().await.facts.extras.get("arena"), Some(&Value::Text("Garden".to_owned())));
}
