//! Corrections of a league's record: the changes of finals, statuses, starts and forecasts after they were recorded, as the
//! leaves of its tree state them.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use foldhash::fast::RandomState;
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, ModelType, Season};
use sports_transparency::{Leaf, LeafFact, Nonce, Payload, RecordedEnding, StatusWord, VerifierKey, WrittenLeaf};

use crate::registry::VersionChange;
use crate::{Catalog, Ending, EntryLeaves, ForecastMade, Generation, RowChanges};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The entry that made it.
    pub generation: Generation,
    /// The publication time of the entry.
    pub published_at: DateTime<Utc>,
    /// The season of the game.
    pub season: Season,
    /// The game, under its start after the correction.
    pub game: GameKey,
    pub change: RecordChange,
    /// The index of the leaf that states it.
    pub record_index: u64,
}

/// A part of a list of corrections.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CorrectionPage {
    /// The corrections, oldest first.
    pub corrections: Vec<Correction>,
    /// The generation of the correction behind; `None` on the last page.
    pub next: Option<Generation>,
    /// The first entry with a tree, from which the list has every correction; `None` without one.
    pub complete_since: Option<Generation>,
}

/// The corrections of a league, from the leaves of its entries.
#[derive(Debug, Clone, Default)]
pub struct CorrectionLog {
    first: Option<Generation>,
    corrections: Vec<Correction>,
    /// The ending of each game that had one, by its present start.
    endings: HashMap<GameKey, KnownEnding, RandomState>,
}

/// The ending of a game.
#[derive(Debug, Clone)]
struct KnownEnding {
    now: RecordedEnding,
    /// True if the game had a final, now or before.
    had_final: bool,
}

impl CorrectionLog {
    /// Notes the leaves of the next entry that has some.
    pub fn note(&mut self, generation: Generation, published_at: DateTime<Utc>, leaves: &EntryLeaves) {
        self.first.get_or_insert(generation);
        self.follow_moved(leaves);
        for (record_index, leaf) in leaves.placed() {
            let Some((season, game, change)) = self.change_by(leaf) else { continue };
            self.corrections.push(Correction { generation, published_at, season, game, change, record_index });
        }
    }

    /// Returns corrections from one entry through another: `limit` of them, and the rest of the last one's entry.
    pub fn page(&self, since: Generation, through: Generation, limit: usize) -> CorrectionPage {
        let below = |bound: Generation| self.corrections.partition_point(|correction| correction.generation < bound);
        let (start, end) = (below(since), below(through.next()).max(below(since)));
        let cut = self.corrections[start..end].get(limit.saturating_sub(1)).map(|last| below(last.generation.next()));
        let cut = cut.unwrap_or(end);
        CorrectionPage {
            corrections: self.corrections[start..cut].to_vec(),
            next: self.corrections[cut..end].first().map(|next| next.generation),
            complete_since: self.first.filter(|first| *first <= through),
        }
    }

    /// Leaves out the corrections of games that a public record does not show at an instant, by their present starts.
    pub fn shown(&self, mut page: CorrectionPage, now: DateTime<Utc>) -> CorrectionPage {
        let mut moves: HashMap<&GameKey, Vec<&Correction>, RandomState> = HashMap::default();
        for correction in &self.corrections {
            if let RecordChange::Rescheduled { before } = &correction.change {
                moves.entry(before).or_default().push(correction);
            }
        }
        page.corrections.retain(|correction| {
            let (mut key, mut index) = (&correction.game, correction.record_index);
            let next = |key: &GameKey, index: u64| moves.get(key)?.iter().find(|moved| moved.record_index > index);
            while let Some(moved) = next(key, index) {
                (key, index) = (&moved.game, moved.record_index);
            }
            key.shown_from() <= now
        });
        page
    }

    /// Returns the approximate memory, in bytes.
    pub fn bytes(&self) -> usize {
        let corrections = self.corrections.len() * (size_of::<Correction>() + 2 * OF_A_KEY);
        corrections + self.endings.len() * (size_of::<(GameKey, KnownEnding)>() + OF_A_KEY)
    }

    /// Puts the endings of games that an entry moved under their new starts, all at once: two games may change places.
    fn follow_moved(&mut self, leaves: &EntryLeaves) {
        let mut moved = Vec::new();
        for leaf in &leaves.leaves {
            if let LeafFact::Moved { from, to, .. } = &leaf.fact
                && let Some(ending) = self.endings.remove(from)
            {
                moved.push((to.clone(), ending));
            }
        }
        self.endings.extend(moved);
    }

    /// Returns the correction that a leaf states; `None` for any other statement.
    fn change_by(&mut self, leaf: &Leaf) -> Option<(Season, GameKey, RecordChange)> {
        match &leaf.fact {
            LeafFact::Moved { season, from, to } => {
                Some((*season, to.clone(), RecordChange::Rescheduled { before: from.clone() }))
            }
            LeafFact::Withdrawn { model_type, season, game } => {
                Some((*season, game.clone(), RecordChange::ForecastWithdrawn { model_type: *model_type }))
            }
            LeafFact::Final { season, game, ending } => {
                self.change_of_ending(game, ending).map(|change| (*season, game.clone(), change))
            }
            LeafFact::Release { .. }
            | LeafFact::Restart { .. }
            | LeafFact::Key { .. }
            | LeafFact::Model { .. }
            | LeafFact::Forecast { .. }
            | LeafFact::Unknown { .. } => None,
        }
    }

    /// Notes the ending of a game. A first ending corrects nothing, nor does a first final.
    fn change_of_ending(&mut self, game: &GameKey, after: &RecordedEnding) -> Option<RecordChange> {
        let is_final = after.score().is_some();
        let Some(known) = self.endings.get_mut(game) else {
            self.endings.insert(game.clone(), KnownEnding { now: after.clone(), had_final: is_final });
            return None;
        };
        let is_first_final = is_final && !known.had_final;
        let before = std::mem::replace(&mut known.now, after.clone());
        known.had_final |= is_final;
        if before == *after || is_first_final {
            return None;
        }
        let after = after.clone();
        Some(if before.score() == after.score() {
            RecordChange::StatusChanged { before, after }
        } else {
            RecordChange::FinalCorrected { before, after }
        })
    }
}

/// The approximate memory of the texts of a game's key and ending, in bytes.
const OF_A_KEY: usize = 128;

/// The change that a correction made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordChange {
    /// A final got another score, or was taken back.
    FinalCorrected { before: RecordedEnding, after: RecordedEnding },
    /// A status changed, and no score.
    StatusChanged { before: RecordedEnding, after: RecordedEnding },
    /// The game got another start.
    Rescheduled {
        /// The game under its start before.
        before: GameKey,
    },
    /// The forecast of a market was withdrawn.
    ForecastWithdrawn { model_type: ModelType },
}

/// The kind of a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CorrectionKind {
    /// A final got another score, or was taken back.
    FinalCorrected,
    /// A status changed, and no score.
    StatusChanged,
    /// The game got another start.
    Rescheduled,
    /// The forecast of a market was withdrawn.
    ForecastWithdrawn,
}

impl CorrectionKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::FinalCorrected, Self::StatusChanged, Self::Rescheduled, Self::ForecastWithdrawn];

    /// Returns the word in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::FinalCorrected => "final_corrected",
            Self::StatusChanged => "status_changed",
            Self::Rescheduled => "rescheduled",
            Self::ForecastWithdrawn => "forecast_withdrawn",
        }
    }
}

impl RecordChange {
    pub const fn kind(&self) -> CorrectionKind {
        match self {
            Self::FinalCorrected { .. } => CorrectionKind::FinalCorrected,
            Self::StatusChanged { .. } => CorrectionKind::StatusChanged,
            Self::Rescheduled { .. } => CorrectionKind::Rescheduled,
            Self::ForecastWithdrawn { .. } => CorrectionKind::ForecastWithdrawn,
        }
    }

    /// Returns the market of a withdrawn forecast.
    pub const fn model_type(&self) -> Option<ModelType> {
        match self {
            Self::ForecastWithdrawn { model_type } => Some(*model_type),
            Self::FinalCorrected { .. } | Self::StatusChanged { .. } | Self::Rescheduled { .. } => None,
        }
    }
}

// The leaves of an entry: all statements of its tree about the entry, in the order of the tree.

/// The parts of an entry's leaves that follow from the entries before and from the objects of both, and the loss that its
/// publisher states.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntryChanges {
    /// The SHA-256 of the text of a lost checkpoint, if the record begins anew with this entry.
    pub restart: Option<ObjectHash>,
    /// The keys that the entry announces, oldest first.
    pub keys: Vec<VerifierKey>,
    /// New versions of models, by name.
    pub models: Vec<VersionChange>,
    pub rows: RowChanges,
}

impl EntryChanges {
    /// Returns the leaves of an entry. The entry has its number, time, clock and link already.
    pub fn leaves(&self, entry: &Catalog, nonce: &Nonce) -> Vec<WrittenLeaf> {
        let (sport, generation) = (entry.sport, entry.generation.get());
        let (published_at, clock, continues) = (entry.published_at, entry.clock, entry.previous);
        let release = LeafFact::Release { published_at, clock, continues };
        let restart = self.restart.map(|lost| LeafFact::Restart { lost });
        let models = self.models.iter().map(|VersionChange { model, version, sha256 }| {
            let (model, version, sha256) = (*model, version.clone(), *sha256);
            LeafFact::Model { model, version, sha256 }
        });
        let keys = self.keys.iter().map(|vkey| LeafFact::Key { vkey: vkey.clone() });
        let facts = std::iter::once(release).chain(restart).chain(keys).chain(models);
        let facts = facts.chain(self.facts_of_rows(entry, nonce));
        facts.map(|fact| WrittenLeaf::from(Leaf { sport, generation, fact })).collect()
    }

    fn facts_of_rows(&self, entry: &Catalog, nonce: &Nonce) -> impl Iterator<Item = LeafFact> {
        let RowChanges { moved, withdrawn, forecast, ended, unforecast_ended } = &self.rows;
        let moved = moved.iter().map(|(from, (to, season))| {
            let (season, from, to) = (*season, from.clone(), to.clone());
            LeafFact::Moved { season, from, to }
        });
        let withdrawn = withdrawn.iter().map(|((model_type, game), season)| {
            let (model_type, season, game) = (*model_type, *season, game.clone());
            LeafFact::Withdrawn { model_type, season, game }
        });
        let forecast = forecast.iter().map(|((model_type, game), made)| LeafFact::Forecast {
            model_type: *model_type,
            season: made.season,
            game: game.clone(),
            commitment: commitment(entry, nonce, (*model_type, game), made),
        });
        let all_ended: BTreeMap<_, _> = ended.iter().chain(unforecast_ended).collect();
        let ended = all_ended.into_iter().map(|(game, (season, ending))| {
            let (season, game, ending) = (*season, game.clone(), recorded(ending.as_ref()));
            LeafFact::Final { season, game, ending }
        });
        moved.chain(withdrawn).chain(forecast).chain(ended)
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
