//! Games that are moved to a start in the past, and listings beside games that were called off.

use sports_domain::content::ObjectHash;
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, Market, ModelColumn, ModelType, OwnForecasts, Probability, Sport,
};
use sports_ports::Clock as _;
use sports_ports::seasons::SeasonRef;
use sports_publication::registry::{Declaring, Moment};
use sports_publication::settle::Permissions;
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::testing::{a_release, called_off, key, place, season};
use sports_publication::{
    ArchivedGame, Catalog, Extras, FinalRow, Located, MovedBy, MovedGame, PredictedGame, PredictionsFile, Release,
    Value,
};
use sports_usecases::publish::{Mode, PublishError, Published, Settlement};
use sports_usecases::record::newest_entry;

use crate::declared::{declarations, model, name};
use crate::world::World;

pub const MARKET: ModelType = ModelType::WonOnPoints;
pub const LABEL: &str = "2025-26";
const CHOSEN: &str = "which forecast counts is not chosen afterwards";

/// A league with one game, which is first listed on 2025-12-10 at 19:00 Eastern.
pub struct Evening {
    pub sport: Sport,
    pub world: World,
}

pub fn game_at(time: &str) -> GameKey {
    key("2025-12-10", &format!("{time}:00"), "boston_celtics", "new_york_knicks")
}

fn probability(raw: f64) -> Probability {
    Probability::new(raw).expect("a probability")
}

impl Evening {
    pub fn new(sport: Sport) -> Self {
        Self { sport, world: World::new() }
    }

    pub fn bare(&self, label: &str) -> Release {
        let mut release = a_release(self.sport, label, Vec::new());
        release.history.clear();
        release.slate_date = game_at("19:00").date;
        release.season = Some(season(self.sport, label));
        release
    }

    pub async fn publish(&self, at: &str, mut release: Release) -> Result<Published, PublishError> {
        self.world.clock.set(at.parse().expect("an instant"));
        release.content = ObjectHash::from_bytes(at.as_bytes());
        let publisher = self.world.publisher();
        let known = publisher.models(self.sport).await?;
        let declaring =
            Declaring { moment: Moment { generation: known.next, at: self.world.clock.now() }, before: known.object };
        let declared = known.registry.declare(&release.models.declarations, &declaring);
        release.models.read_under = declared.map_err(PublishError::Problems)?;
        publisher.publish(&release, Mode::Commit).await
    }

    /// Predicts the game with a blend, or without one, and an extra column ELO.
    pub fn predicting(&self, label: &str, listed: &GameKey, blend: Option<f64>, elo: Option<f64>) -> Release {
        let mut extras = Extras::default();
        if let Some(elo) = elo {
            extras.insert("ELO", Value::Number(elo));
        }
        let forecasts = blend.map(|blend| Forecasts::default().with(ModelColumn::Blend, probability(blend)));
        let game = SlateGame {
            key: listed.clone(),
            game_id: None,
            match_id: None,
            lines: GameLines::default(),
            forecasts: forecasts.unwrap_or_default(),
            own: OwnForecasts::default(),
        };
        let value = PredictedGame { game, game_type: None, quote_source: None, extras };
        let file = PredictionsFile { rows: vec![Located { place: place(2), value }], ..PredictionsFile::default() };
        Release { predictions: [(MARKET, file)].into(), ..self.bare(label) }
    }

    pub async fn predict(&self, at: &str, blend: f64, elo: Option<f64>) {
        let release = self.predicting(LABEL, &game_at("19:00"), Some(blend), elo);
        self.publish(at, release).await.expect("predicts");
    }

    pub async fn declare_elo(&self, at: &str) {
        let mut release = self.bare(LABEL);
        release.models.declarations = declarations([("ELO", model(|_| {}))], None);
        self.publish(at, release).await.expect("declares");
    }

    pub async fn move_to(&self, at: &str, label: &str, time: &str) -> Result<Published, String> {
        let id = format!("{}-2025-12-10-boston_celtics-new_york_knicks", self.sport.code());
        let value = MovedGame { by: MovedBy::GameId(id), to: game_at(time) };
        let moved = vec![Located { place: place(1), value }];
        self.publish(at, Release { moved, ..self.bare(label) }).await.map_err(|error| match error {
            PublishError::Problems(problems) => problems.iter().map(ToString::to_string).collect(),
            other => other.to_string(),
        })
    }

    pub async fn call_off(&self, at: &str) {
        self.world.clock.set(at.parse().expect("an instant"));
        let ending = called_off("postponed");
        let row =
            FinalRow { key: game_at("19:00"), game_id: None, match_id: None, ending, void: None, remarks: Vec::new() };
        let finals = vec![Located { place: place(2), value: row }];
        let content = ObjectHash::from_bytes(at.as_bytes());
        let settlement = Settlement { sport: self.sport, finals, content, permissions: Permissions::default() };
        self.world.publisher().settle(&settlement, Mode::Commit).await.expect("is on record");
    }

    pub async fn head(&self) -> Catalog {
        newest_entry(&*self.world.store, self.sport).await.expect("answers").expect("published").catalog
    }

    /// Returns the row of the only game of the season.
    pub async fn row(&self) -> ArchivedGame {
        let [row] = &self.rows().await[..] else { panic!("not one game") };
        row.clone()
    }

    /// Returns the rows of the season.
    pub async fn rows(&self) -> Vec<ArchivedGame> {
        let label = season(self.sport, LABEL);
        let head = self.head().await;
        let market = Market::new(self.sport, MARKET);
        let archive = SeasonRef::from_artifact(market, label, &head.results[&(MARKET, label)].artifact);
        let archive = self.world.archives.read(&archive).await.expect("reads");
        archive.games().to_vec()
    }

    /// Returns the blend and the value of ELO on record.
    pub async fn forecast(&self) -> (Option<f64>, Option<f64>) {
        let forecast = self.row().await.forecast;
        let elo = forecast.own.iter().find(|(model, _)| *model == name("ELO"));
        (forecast.forecasts.get(ModelColumn::Blend).map(Probability::get), elo.map(|(_, value)| value.get()))
    }
}

#[tokio::test]
async fn a_return_restores_the_extra_columns_of_the_start_too() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.55, Some(0.51)).await;
    evening.predict("2025-12-10T16:00:00Z", 0.60, Some(0.99)).await;
    evening.move_to("2025-12-10T16:10:00Z", LABEL, "10:15").await.expect("goes back");
    assert_eq!(evening.row().await.facts.extras.get("ELO"), Some(&Value::Number(0.51)));
    evening.declare_elo("2025-12-10T17:00:00Z").await;
    assert_eq!(evening.forecast().await, (Some(0.55), Some(0.51)));
}

#[tokio::test]
async fn a_return_to_a_start_before_a_declaration_keeps_the_model() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.55, Some(0.51)).await;
    evening.declare_elo("2025-12-10T17:00:00Z").await;
    let published = evening.move_to("2025-12-10T19:00:00Z", LABEL, "10:30").await.expect("goes back");
    assert_eq!(published.slate.restored, []);
    assert_eq!(evening.forecast().await, (Some(0.55), Some(0.51)));
    let predictions = &evening.head().await.predictions[&MARKET].artifact;
    let served = evening.world.slates.predictions(evening.sport, predictions).await.expect("reads");
    assert_eq!(served.games()[0].game.own.get(name("ELO")), Some(probability(0.51)));
}

#[tokio::test]
async fn a_promotion_between_two_starts_is_no_other_forecast() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.55, Some(0.51)).await;
    evening.declare_elo("2025-12-11T00:30:00Z").await;
    evening.move_to("2025-12-11T01:00:00Z", LABEL, "18:30").await.expect("there is one forecast");
    assert_eq!(evening.forecast().await, (Some(0.55), Some(0.51)));
}

#[tokio::test]
async fn a_forecast_is_not_chosen_by_a_change_of_the_season() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.55, None).await;
    evening.predict("2025-12-10T18:30:00Z", 0.70, None).await;
    let refused = evening.move_to("2025-12-11T00:30:00Z", "2024-25", "13:00").await.expect_err("0.55 or 0.7?");
    assert!(refused.contains(CHOSEN), "{refused}");
    evening.move_to("2025-12-11T00:31:00Z", "2024-25", "19:00").await.expect("the start stays");
    let refused = evening.move_to("2025-12-11T00:32:00Z", LABEL, "13:00").await.expect_err("0.55 or 0.7?");
    assert!(refused.contains(CHOSEN), "{refused}");
}

#[tokio::test]
async fn a_withdrawn_forecast_is_a_choice_as_well() {
    for leaves_the_slate in [false, true] {
        let evening = Evening::new(Sport::Nba);
        evening.predict("2025-12-10T15:00:00Z", 0.55, None).await;
        let withdrawn = evening.predicting(LABEL, &game_at("19:00"), None, None);
        evening.publish("2025-12-10T23:30:00Z", withdrawn).await.expect("withdraws");
        if leaves_the_slate {
            let other = key("2025-12-11", "21:00:00", "utah_jazz", "phoenix_suns");
            let other = evening.predicting(LABEL, &other, None, None);
            evening.publish("2025-12-11T00:30:00Z", other).await.expect("another slate");
        }
        let refused = evening.move_to("2025-12-11T01:00:00Z", LABEL, "18:00").await.expect_err("0.55 or none?");
        assert!(refused.contains(CHOSEN), "{refused}");
    }
}

#[tokio::test]
async fn a_return_finds_the_forecast_made_under_a_wrong_season() {
    let evening = Evening::new(Sport::Nba);
    let wrong = evening.predicting("2024-25", &game_at("19:00"), Some(0.55), None);
    evening.publish("2025-12-10T15:00:00Z", wrong).await.expect("predicts");
    evening.move_to("2025-12-10T15:30:00Z", LABEL, "19:00").await.expect("corrects the season");
    evening.move_to("2025-12-10T16:00:00Z", LABEL, "10:15").await.expect("goes back");
    assert_eq!(evening.forecast().await, (Some(0.55), None));
}

#[tokio::test]
async fn a_return_keeps_the_odds_of_the_start() {
    let evening = Evening::new(Sport::Nba);
    let quoting = |price: i32| {
        let mut lines = GameLines::default();
        lines.money.positive = AmericanPrice::new(price).ok();
        let (key, last_updated) = (game_at("19:00"), None);
        let (game_id, match_id, quote_source) = (None, None, None);
        let value = OddsGame { key, game_id, listed_start: None, match_id, lines, quote_source, last_updated };
        Release { odds: Some(vec![Located { place: place(3), value }]), ..evening.bare(LABEL) }
    };
    let release = evening.predicting(LABEL, &game_at("19:00"), Some(0.55), None);
    let release = Release { odds: quoting(-150).odds, ..release };
    evening.publish("2025-12-10T15:00:00Z", release).await.expect("quotes");
    evening.publish("2025-12-10T15:50:00Z", quoting(-170)).await.expect("quotes again");
    let published = evening.move_to("2025-12-10T16:00:00Z", LABEL, "10:30").await.expect("goes back");
    assert_eq!(published.slate.unquoted, []);
    let odds = evening.head().await.odds.expect("odds");
    let odds = evening.world.slates.odds(evening.sport, &odds).await.expect("reads");
    let price = odds.get(&game_at("10:30")).and_then(|game| game.lines.money.positive);
    assert_eq!(price, AmericanPrice::new(-150).ok());
}

#[tokio::test]
async fn a_game_is_not_rescheduled_beside_one_that_was_called_off_in_play() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.55, None).await;
    evening.call_off("2025-12-11T00:30:00Z").await;
    let tomorrow = key("2025-12-11", "07:05:00", "boston_celtics", "new_york_knicks");
    let release = evening.predicting(LABEL, &tomorrow, Some(0.95), None);
    evening.publish("2025-12-11T00:40:00Z", release).await.expect("more than 12 hours later");
    let release = evening.predicting(LABEL, &game_at("20:15"), Some(0.97), None);
    let refused = evening.publish("2025-12-11T00:50:00Z", release).await.expect_err("it is the same evening");
    assert!(format!("{refused:?}").contains("a start more than 12 hours from every other game"), "{refused:?}");
}

#[tokio::test]
async fn a_baseball_game_called_off_in_play_is_not_listed_again_within_three_hours() {
    let evening = Evening { sport: Sport::Mlb, world: World::new() };
    let listing = |listed: &GameKey, blend| evening.predicting("2025", listed, Some(blend), None);
    evening.publish("2025-12-10T15:00:00Z", listing(&game_at("19:00"), 0.55)).await.expect("predicts");
    evening.call_off("2025-12-11T00:30:00Z").await;
    let refused = evening.publish("2025-12-11T00:40:00Z", listing(&game_at("19:45"), 0.95)).await;
    let refused = format!("{:?}", refused.expect_err("it is the same game"));
    assert!(refused.contains("a start three hours or more from"), "{refused}");
    evening.publish("2025-12-11T00:41:00Z", listing(&game_at("22:00"), 0.6)).await.expect("a second game");
    let refused = evening.publish("2025-12-11T00:42:00Z", listing(&game_at("21:55"), 0.97)).await;
    assert!(format!("{refused:?}").contains("a start three hours or more from every other game"), "{refused:?}");
}
