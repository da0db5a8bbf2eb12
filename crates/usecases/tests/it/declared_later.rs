//! Forecasts that were an extra column until their model was declared.

use std::sync::Arc;

use sports_domain::{Market, ModelName, Probability, Sport};
use sports_publication::registry::{Change, ModelDeclaration, ShownTo};
use sports_publication::testing::key;
use sports_publication::{ForecastOrigin, Release, Value};
use sports_usecases::analytics::{AnalyseSeasons, Analytics, ClvRules, ListedModels, TakenRule};
use sports_usecases::moment::{LeagueMoment, Moments};
use sports_usecases::today::{self, SlateScope};

use crate::declared::{declarations, model, name};
use crate::moved_back::{Evening, LABEL, MARKET, game_at};

const DECLARED: &str = "2025-12-10T16:00:00Z";

async fn predict(evening: &Evening, at: &str, blend: Option<f64>, elo: Option<f64>) {
    evening.publish(at, evening.predicting(LABEL, &game_at("19:00"), blend, elo)).await.expect("predicts");
}

/// Predicts the game with ELO as a declared model.
async fn predict_elo(evening: &Evening, at: &str, elo: f64) {
    let mut release = evening.predicting(LABEL, &game_at("19:00"), None, None);
    let file = release.predictions.get_mut(&MARKET).expect("a market");
    file.rows[0].value.game.own.insert(name("ELO"), Probability::new(elo).expect("a probability"));
    evening.publish(at, release).await.expect("predicts");
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

#[tokio::test]
async fn a_forecast_of_a_game_to_come_is_live_from_its_declaration_on() {
    let evening = Evening::new(Sport::Nba);
    predict(&evening, "2025-12-10T15:00:00Z", None, Some(0.7)).await;
    assert!(!evening.row().await.forecast.is_live());
    evening.declare_elo(DECLARED).await;
    let declaring = evening.head().await.release_id.to_string();
    let live = ForecastOrigin::Live { run: Some(declaring), published_at: DECLARED.parse().ok() };
    assert_eq!(evening.row().await.forecast.origin, Some(live.clone()));
    predict_elo(&evening, "2025-12-10T17:00:00Z", 0.7).await;
    assert_eq!(evening.row().await.forecast.origin.as_ref().map(ForecastOrigin::word), Some("live"));
    predict(&evening, "2025-12-10T18:00:00Z", None, None).await;
    assert_eq!(evening.row().await.forecast.origin, None, "it is withdrawn before play");
}

#[tokio::test]
async fn a_forecast_of_a_game_that_began_before_the_declaration_stays_a_walk_forward_one() {
    let evening = Evening::new(Sport::Nba);
    predict(&evening, "2025-12-10T15:00:00Z", None, Some(0.7)).await;
    evening.declare_elo("2025-12-11T00:30:00Z").await;
    assert_eq!(evening.row().await.forecast.origin, Some(ForecastOrigin::WalkForward { run: None }));
}

/// Returns the present moment of a new node, and questions about it.
async fn node(evening: &Evening) -> (LeagueMoment, Analytics) {
    let world = &evening.world;
    let node = world.node();
    node.poll().await;
    let past = world.past(&node);
    let walks = world.walks(Arc::clone(&past));
    let moments = Moments::new(past, world.clock.clone());
    let analytics = Analytics::new(Arc::new(AnalyseSeasons(world.archives.clone())), walks, world.checkpoints());
    (moments.now(evening.sport).expect("read"), analytics)
}

#[tokio::test]
async fn a_standing_forecast_has_a_model_that_was_declared_after_the_start() {
    let evening = Evening::new(Sport::Nba);
    predict(&evening, "2025-12-10T15:00:00Z", Some(0.55), Some(0.7)).await;
    evening.declare_elo("2025-12-11T12:00:00Z").await;
    let (moment, analytics) = node(&evening).await;
    let picks = async |taken| {
        let rules = ClvRules { taken, ..ClvRules::default() };
        let market = Market::new(evening.sport, MARKET);
        let question = analytics.clv(&moment, market, None, rules, ListedModels::All).await.expect("a question");
        let models = question.answer().await.expect("answers").models.clone();
        models.into_iter().map(|(name, value)| (name, value.picks)).collect::<Vec<(ModelName, u32)>>()
    };
    assert_eq!(picks(TakenRule::Standing).await, [(name("BLEND"), 1), (name("ELO"), 1)]);
    assert_eq!(picks(TakenRule::First).await, [(name("BLEND"), 1), (name("ELO"), 0)], "it was not served before play");
}

#[tokio::test]
async fn predictions_depend_on_the_names_and_audience_of_models_but_not_on_titles() {
    let evening = Evening::new(Sport::Nba);
    predict(&evening, "2025-12-10T15:00:00Z", Some(0.55), Some(0.7)).await;
    let shown = async || {
        let (moment, _) = node(&evening).await;
        let market = Market::new(evening.sport, MARKET);
        today::predictions(&moment, market, SlateScope::Whole, ShownTo::Subscribers)
            .await
            .expect("predictions")
            .shown_models()
    };
    let declare = async |at: &str, change: fn(&mut ModelDeclaration)| {
        let mut release: Release = evening.bare(LABEL);
        release.models.declarations = declarations([("ELO", model(change))], None);
        evening.publish(at, release).await.expect("declares");
    };
    assert_eq!(shown().await, None);
    declare("2025-12-10T16:00:00Z", |_| {}).await;
    let declared = shown().await;
    assert!(declared.is_some());
    declare("2025-12-10T16:01:00Z", |elo| elo.title = Change::Set("Elo".to_owned())).await;
    assert_eq!(shown().await, declared);
    declare("2025-12-10T16:02:00Z", |elo| elo.public = Change::Set(true)).await;
    let public = shown().await;
    assert_ne!(public, declared);
    declare("2025-12-10T16:03:00Z", |elo| elo.retired = Change::Set(true)).await;
    assert_ne!(shown().await, public);
}
