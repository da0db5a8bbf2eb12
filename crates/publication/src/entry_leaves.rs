//! The leaves of an entry: all statements of its tree about the entry, in the order of the tree.

use sports_content::ObjectHash;
use sports_domain::{GameKey, ModelType};
use sports_transparency::{Leaf, Nonce, Payload, RecordedEnding, StatusWord, WrittenLeaf};

use crate::registry::VersionChange;
use crate::{Catalog, Ending, ForecastMade, RowChanges};

/// The parts of an entry's leaves that follow from the entries before and from the objects of both, and the loss that its
/// publisher states.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntryChanges {
    /// The SHA-256 of the text of a lost checkpoint, if the record begins anew with this entry.
    pub restart: Option<ObjectHash>,
    /// New versions of models, by name.
    pub models: Vec<VersionChange>,
    pub rows: RowChanges,
}

impl EntryChanges {
    /// Returns the leaves of an entry. The entry has its number, time, clock and link already.
    pub fn leaves(&self, entry: &Catalog, nonce: &Nonce) -> Vec<WrittenLeaf> {
        let (sport, generation) = (entry.sport, entry.generation.get());
        let mut leaves = vec![Leaf::Release {
            sport,
            generation,
            published_at: entry.published_at,
            clock: entry.clock,
            continues: entry.previous,
        }];
        leaves.extend(self.restart.map(|lost| Leaf::Restart { sport, generation, lost }));
        leaves.extend(self.models.iter().map(|VersionChange { model, version, sha256 }| Leaf::Model {
            sport,
            generation,
            model: *model,
            version: version.clone(),
            sha256: *sha256,
        }));
        leaves.into_iter().chain(self.row_leaves(entry, nonce)).map(WrittenLeaf::from).collect()
    }

    fn row_leaves(&self, entry: &Catalog, nonce: &Nonce) -> Vec<Leaf> {
        let (sport, generation) = (entry.sport, entry.generation.get());
        let RowChanges { moved, withdrawn, forecast, ended } = &self.rows;
        let moved = moved.iter().map(|(from, (to, season))| {
            let (season, from, to) = (*season, from.clone(), to.clone());
            Leaf::Moved { sport, season, generation, from, to }
        });
        let withdrawn = withdrawn.iter().map(|((model_type, game), season)| {
            let (model_type, season, game) = (*model_type, *season, game.clone());
            Leaf::Withdrawn { sport, model_type, season, generation, game }
        });
        let forecast = forecast.iter().map(|((model_type, game), made)| Leaf::Forecast {
            sport,
            model_type: *model_type,
            season: made.season,
            generation,
            game: game.clone(),
            commitment: commitment(entry, nonce, (*model_type, game), made),
        });
        let ended = ended.iter().map(|(game, (season, ending))| {
            let (season, game, ending) = (*season, game.clone(), recorded(ending.as_ref()));
            Leaf::Final { sport, season, generation, game, ending }
        });
        moved.chain(withdrawn).chain(forecast).chain(ended).collect()
    }
}

/// Returns the payload of a forecast of an entry's release.
pub fn payload<'f>(
    entry: &'f Catalog,
    (model_type, game): (ModelType, &'f GameKey),
    made: &'f ForecastMade,
) -> Payload<'f> {
    Payload {
        sport: entry.sport,
        model_type,
        season: made.season,
        game,
        release_id: entry.release_id.as_str(),
        published_at: entry.published_at,
        clock: entry.clock,
        lines: &made.lines,
        probabilities: &made.probabilities,
    }
}

fn commitment(entry: &Catalog, nonce: &Nonce, place: (ModelType, &GameKey), made: &ForecastMade) -> ObjectHash {
    let salt = nonce.salt(entry.generation.get(), place.0, place.1);
    salt.commit(payload(entry, place, made).to_json().as_bytes())
}

fn recorded(ending: Option<&Ending>) -> RecordedEnding {
    match ending {
        Some(Ending::Final { score, status }) => {
            RecordedEnding::Final { score: *score, status: StatusWord::like(status) }
        }
        Some(Ending::CalledOff { status }) => RecordedEnding::CalledOff { status: StatusWord::like(status.word()) },
        None => RecordedEnding::Gone,
    }
}
