//! The keys that have signed one record of a league, under one name or several.

use std::num::NonZeroU32;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{RecordFiles, of_each_size};
use sports_transparency::{Checkpoint, KeyName, VerifierKey};

use super::keys::LogKeys;
use crate::record::{ListedKey, checkpoints_of_size, newest_record};

/// The keys of the record that a log's keys sign, and those of the records before it.
pub(super) struct RecordKeys {
    sport: Sport,
    /// The number of the record.
    pub(super) number: NonZeroU32,
    of_record: Vec<VerifierKey>,
    of_earlier: Vec<VerifierKey>,
}

impl RecordKeys {
    /// Sorts the published keys of a league by the record that `keys` sign.
    pub(super) fn of(keys: &LogKeys, published: &[ListedKey], sport: Sport) -> Self {
        let own = published.iter().find(|key| key.vkey == *keys.newest.verifier()).map(|key| key.record);
        let number = own.unwrap_or_else(|| newest_record(published, sport));
        let mut sorted =
            Self { sport, number, of_record: vec![keys.newest.verifier().clone()], of_earlier: Vec::new() };
        sorted.of_record.extend(keys.earlier.iter().map(|earlier| earlier.key.verifier().clone()));
        for key in published.iter().filter(|key| key.sport == sport) {
            if key.record == number && !sorted.of_record.contains(&key.vkey) {
                sorted.of_record.push(key.vkey.clone());
            } else if key.record < number {
                sorted.of_earlier.push(key.vkey.clone());
            }
        }
        sorted
    }

    /// Returns the names under which the record was signed.
    pub(super) fn names(&self) -> Vec<&KeyName> {
        let mut names: Vec<_> = self.of_record.iter().map(VerifierKey::name).collect();
        names.sort_unstable_by_key(|name| name.as_str());
        names.dedup();
        names
    }

    /// Returns the largest stored checkpoint of the record that has at least `from` leaves.
    pub(super) async fn newest_stored(
        &self,
        files: &dyn RecordFiles,
        from: u64,
    ) -> Result<Option<Checkpoint>, PortError> {
        newest_signed(files, self.sport, from, &self.of_record).await
    }

    /// Returns the size of the largest stored checkpoint of earlier records, with which the record begins.
    pub(super) async fn beginning(&self, files: &dyn RecordFiles) -> Result<u64, PortError> {
        let newest = newest_signed(files, self.sport, 0, &self.of_earlier).await?;
        Ok(newest.map_or(0, |newest| newest.size))
    }
}

/// Returns the largest stored checkpoint of at least `from` leaves that one of these keys signed.
async fn newest_signed(
    files: &dyn RecordFiles,
    sport: Sport,
    from: u64,
    keys: &[VerifierKey],
) -> Result<Option<Checkpoint>, PortError> {
    let listed = files.checkpoints(sport, from..=u64::MAX).await?;
    for of_size in of_each_size(&listed).rev() {
        for stored in checkpoints_of_size(files, sport, of_size).await? {
            if keys.iter().any(|key| stored.note.verify(key, &[]).is_ok()) {
                return Ok(Some(stored.note.checkpoint().clone()));
            }
        }
    }
    Ok(None)
}
