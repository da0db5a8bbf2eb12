//! A day of forecasts in a signed tree, and the API with their proofs.

use bytes::Bytes;
use sports_domain::content::ObjectHash;
use sports_domain::{Forecasts, GameLines, ModelColumn, ModelType, OwnForecasts, Probability, Sport};
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles as _};
use sports_publication::slate::SlateGame;
use sports_publication::testing::{a_release, key, place};
use sports_publication::{Extras, Located, PredictedGame, PredictionsFile};
use sports_transparency::{Checkpoint, KeyKind, SignedCheckpoint, SigningKey};
use sports_usecases::record::{TreeHead, newest_entry};

use crate::world::{LABEL, Published};

const DATE: &str = "2024-04-01";
const MARKET: ModelType = ModelType::WonOnSpread;

/// Publishes forecasts of so many games of college basketball, and signs the tree together with a witness.
pub async fn publish_forecasts(published: &Published, games: u32) {
    let mut release = a_release(Sport::Ncaab, LABEL, Vec::new());
    release.history.clear();
    release.content = ObjectHash::from_bytes(b"forecasts");
    release.slate_date = DATE.parse().expect("a date");
    release.season = Some(sports_publication::testing::season(Sport::Ncaab, LABEL));
    let rows = (0..games).map(|number| Located { place: place(2), value: predicted(number) }).collect();
    release.predictions = [(MARKET, PredictionsFile { rows, ..PredictionsFile::default() })].into();
    published.publish(&release).await;
    sign(published).await;
}

fn predicted(number: u32) -> PredictedGame {
    let (away, home) = teams(number);
    let blend = Probability::new(0.3 + f64::from(number) / 1_000.0).expect("a probability");
    let game = SlateGame {
        key: key(DATE, "19:00:00", &away, &home),
        game_id: None,
        match_id: None,
        lines: GameLines::default(),
        forecasts: Forecasts::default().with(ModelColumn::Blend, blend),
        own: OwnForecasts::default(),
    };
    PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() }
}

fn teams(number: u32) -> (String, String) {
    (format!("visitor_{number}"), format!("host_{number}"))
}

async fn sign(published: &Published) {
    let key = |name: &str, kind| SigningKey::from_seed(name.parse().expect("a name"), kind, &[7; 32]).expect("a key");
    let (log, witness) = (key("example.com/ncaab", KeyKind::Log), key("witness.example.org", KeyKind::Witness));
    let newest = newest_entry(&published.store, Sport::Ncaab).await.expect("reads").expect("an entry");
    let TreeHead { size, root, .. } = TreeHead::of(&newest.catalog).expect("a tree");
    let checkpoint = Checkpoint { origin: log.verifier().name().clone(), size, root };
    let lines = [log.sign(&checkpoint), witness.cosign(&checkpoint, 1_711_974_601)];
    let note = Bytes::from(SignedCheckpoint::new(checkpoint, &lines).to_string());
    let file = CheckpointFile { size, kind: CheckpointKind::Note, content: ObjectHash::from_bytes(&note) };
    let _ = published.store.put_record_file(&RecordFile::Checkpoint(Sport::Ncaab, file), note).await.expect("stored");
}

/// Returns the path of the proof of a game's forecast.
pub fn proof_of(number: u32) -> String {
    let ((away, home), market) = (teams(number), MARKET.code());
    format!("/api/v1/record/ncaab/proof?model_type={market}&game_id=ncaab-{DATE}-{away}-{home}")
}
