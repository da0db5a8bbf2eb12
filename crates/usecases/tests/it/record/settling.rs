//! The model's expectations for finals and for games that are called off.

use sports_domain::FinalScore;
use sports_domain::content::ObjectHash;
use sports_publication::settle::Permissions;
use sports_publication::testing::called_off;
use sports_publication::{Ending, FinalRow, Located};
use sports_usecases::publish::{Mode, PublishError, Settlement};

use super::cards::place;
use super::model::Model;
use crate::world::SPORT;

/// The status of a game that was called off.
pub(super) const POSTPONED: &str = "postponed";

impl Model {
    /// Reports a final, or, without a score, a postponement.
    pub(super) async fn settle(&mut self, number: usize, home: Option<u16>, correct: bool) {
        let game = &self.games[number];
        // A game that was called off and is listed elsewhere under its id would be another game; the model avoids this
        // case.
        let settled_on =
            game.announced == game.key && self.games.iter().filter(|one| one.announced == game.key).count() == 1;
        if !game.is_recorded() || (home.is_none() && !settled_on) {
            return;
        }
        let ending = match home {
            Some(home) => Ending::settled(FinalScore { away: 3, home }),
            None => called_off(POSTPONED),
        };
        let row = Located {
            place: place(number),
            value: FinalRow {
                key: game.key.clone(),
                game_id: None,
                match_id: None,
                ending,
                void: None,
                remarks: Vec::new(),
            },
        };
        let permissions = Permissions { correct, allow_unknown: false };
        let content = ObjectHash::from_bytes(b"finals");
        let settlement = Settlement { sport: SPORT, finals: vec![row], content, permissions };
        let answer = self.world.publisher().settle(&settlement, Mode::Commit).await;
        let allowed = correct || game.home.is_none() || game.home == home;
        let fits = allowed && (home.is_none() || game.started(self.now()));
        match answer {
            Ok(_) => {
                assert!(fits, "an ending that does not fit was taken: {game:?}");
                let game = &mut self.games[number];
                (game.home, game.called_off) = (home, home.is_none());
                self.last = None;
            }
            Err(PublishError::Problems(problems)) => assert!(!fits, "{problems:?}"),
            Err(other) => panic!("{other}"),
        }
    }
}
