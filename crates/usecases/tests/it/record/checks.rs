//! The invariants that hold after every step.

use std::collections::{BTreeMap, BTreeSet};

use sports_domain::{ModelType, Total};
use sports_publication::{ForecastOrigin, PredictedGame};
use sports_usecases::verify::verify;

use super::cards::{Game, blend, starts};
use super::model::Model;
use super::settling::POSTPONED;
use crate::world::{SEASON, SPORT};

impl Model {
    pub(super) async fn check(&mut self) {
        self.reader.serves_one_generation(&self.world).await;
        self.reader.read_next_page(&self.world).await;
        if self.releases == 0 {
            return;
        }
        let world = &self.world;
        let verified = verify(&*world.store, &world.archives, &world.slates, SPORT).await;
        assert!(verified.is_ok(), "the chain holds: {verified:?}");
        let node = world.node();
        node.poll().await;
        let league = node.current(SPORT).expect("read").expect("published");
        assert_eq!(*league.catalog(), world.head().await, "the newest generation is current, whole");
        for model_type in ModelType::ALL {
            self.check_record(model_type).await;
            let served = self.served.get(&model_type).cloned().unwrap_or_default();
            let predictions = league.predictions.get(&model_type);
            let published: Vec<_> = predictions.map(|all| all.games().to_vec()).unwrap_or_default();
            self.check_served(model_type, &served, &published);
        }
    }

    /// Checks that the served predictions are those of the model, with the recorded values.
    fn check_served(&self, model_type: ModelType, served: &BTreeSet<usize>, published: &[PredictedGame]) {
        let expected: BTreeMap<_, _> = served
            .iter()
            .map(|number| (self.games[*number].key.clone(), self.games[*number].cards[&model_type].clone()))
            .collect();
        assert_eq!(published.len(), expected.len(), "{model_type}: as many games as the model serves");
        for game in published {
            let card = expected.get(&game.game.key).unwrap_or_else(|| panic!("{} is served", game.game.key));
            assert_eq!(blend(&game.game.forecasts), Some(card.blend), "{model_type} {}", game.game.key);
            assert_eq!(game.game.lines.total.map(Total::get), Some(card.total), "{model_type} {}", game.game.key);
        }
    }

    async fn check_record(&mut self, model_type: ModelType) {
        let head = self.world.head().await;
        let season = sports_publication::testing::season(SPORT, SEASON);
        let rows = match head.results.get(&(model_type, season)) {
            Some(entry) => {
                let market = sports_domain::Market::new(SPORT, model_type);
                let archive = sports_ports::seasons::SeasonRef::from_artifact(market, season, &entry.artifact);
                self.world.archives.read(&archive).await.expect("reads").games().to_vec()
            }
            None => Vec::new(),
        };
        let rows: BTreeMap<_, _> = rows.into_iter().map(|row| (row.facts.key.clone(), row)).collect();
        let recorded = |game: &&Game| game.cards.contains_key(&model_type);
        let keys: BTreeSet<_> = self.games.iter().filter(recorded).map(|game| game.key.clone()).collect();
        assert_eq!(rows.keys().cloned().collect::<BTreeSet<_>>(), keys, "{model_type}: no row is lost or doubled");
        let now = self.now();
        for (number, game) in self.games.iter().enumerate().filter(|(_, game)| recorded(game)) {
            let (row, card) = (&rows[&game.key], &game.cards[&model_type]);
            let id = row.facts.game_id.clone().expect("an identity");
            assert_eq!(
                self.ids.entry(number).or_insert_with(|| id.clone()),
                &id,
                "{model_type}: a game keeps its identity"
            );
            assert_eq!(blend(&row.forecast.forecasts), Some(card.blend), "{model_type} {}", game.key);
            assert_eq!(row.facts.lines.total.map(Total::get), Some(card.total), "{model_type} {}", game.key);
            assert_eq!(row.facts.lines.open_total.map(Total::get), card.opener, "{model_type} {}", game.key);
            let Some(ForecastOrigin::Live { run, published_at }) = &row.forecast.origin else { panic!("live") };
            assert!(run.is_some() && *published_at == Some(card.published_at), "{model_type} {}", game.key);
            assert!(card.published_at < starts(&game.key), "recorded before play");
            assert_eq!(row.facts.score().map(|score| score.home), game.home);
            let ending = game.home.map(|_| "settled").or(game.called_off.then_some(POSTPONED));
            assert_eq!(row.facts.settlement_status(), ending);
            if game.started(now) {
                let first = self.frozen.entry((model_type, number)).or_insert_with(|| row.clone());
                assert_eq!(
                    (&first.forecast, first.facts.lines),
                    (&row.forecast, row.facts.lines),
                    "a started game keeps its row"
                );
            }
        }
        let ids: BTreeSet<_> = self.ids.values().collect();
        assert_eq!(ids.len(), self.ids.len(), "no two games have one identity");
    }
}
