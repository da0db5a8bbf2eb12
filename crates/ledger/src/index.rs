//! The facts of 256 entries in one file, so that a reader of a bucket needs one request for them.
//!
//! An index is a copy of what the entries state, and no evidence: a reader compares it with the link of the entry above, and
//! reads the entries themselves if it differs. Verification reads no index.

use std::fmt::Write as _;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::{StreamExt, TryStreamExt, stream};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_ports::record::{RecordFile, RecordFiles};
use sports_publication::{ClockSource, Generation, LeavesEntry, to_rfc3339};

use crate::head::{Read, read};
use crate::{EntryFacts, TreeFacts};

/// The number of entries of an index; its last number is a multiple of it.
pub const BLOCK: u64 = 256;

/// The number of entries read concurrently.
const AT_ONCE: usize = 16;

const FORM: &str = "sports-ledger-index 1";

/// Returns the last number of the block that has a number.
pub(crate) fn end_of_block(number: Generation) -> Generation {
    let blocks = number.get().div_ceil(BLOCK);
    Generation::new(blocks.saturating_mul(BLOCK)).unwrap_or(number)
}

/// Writes the facts of linked entries, oldest first: one line each, then the SHA-256 of all lines above.
pub fn encode(sport: Sport, entries: &[EntryFacts]) -> Bytes {
    let mut text = format!("{FORM} {sport}\n");
    for entry in entries {
        let previous = entry.previous.map_or_else(|| "-".to_owned(), |previous| previous.to_string());
        let published_at = to_rfc3339(&entry.published_at);
        let clock = match entry.clock {
            ClockSource::System => "system",
            ClockSource::Set => "set",
        };
        // Writing to a text cannot fail.
        let _ = write!(text, "{} {} {previous} {published_at} {clock}", entry.generation, entry.digest);
        if let Some(TreeFacts { first, size, root, leaves }) = entry.tree {
            let _ = write!(text, " {first} {size} {root} {} {}", leaves.object, leaves.bytes);
        }
        text.push('\n');
    }
    let digest = ObjectHash::from_bytes(text.as_bytes());
    let _ = writeln!(text, "{digest}");
    Bytes::from(text)
}

/// Reads the facts of linked entries; `None` if the text is no index of this league.
pub fn decode(sport: Sport, bytes: &[u8]) -> Option<Vec<EntryFacts>> {
    let text = str::from_utf8(bytes).ok()?;
    let (above, digest) = text.strip_suffix('\n')?.rsplit_once('\n')?;
    if ObjectHash::from_bytes(&bytes[..=above.len()]).to_string() != digest {
        return None;
    }
    let mut lines = above.split('\n');
    if lines.next()? != format!("{FORM} {sport}") {
        return None;
    }
    let entries: Vec<_> = lines.map(entry).collect::<Option<_>>()?;
    entries.windows(2).all(|pair| pair[1].continues(&pair[0])).then_some(entries)
}

fn entry(line: &str) -> Option<EntryFacts> {
    let mut fields = line.split(' ');
    let mut next = || fields.next();
    let generation = Generation::new(next()?.parse().ok()?)?;
    let digest = next()?.parse().ok()?;
    let previous = match next()? {
        "-" => None,
        hash => Some(hash.parse().ok()?),
    };
    let published_at = DateTime::parse_from_rfc3339(next()?).ok()?.with_timezone(&Utc);
    let clock = match next()? {
        "system" => ClockSource::System,
        "set" => ClockSource::Set,
        _ => return None,
    };
    let tree = match next() {
        None => None,
        Some(first) => {
            let (first, size) = (first.parse().ok()?, next()?.parse().ok()?);
            let root = next()?.parse().ok()?;
            let leaves = LeavesEntry { object: next()?.parse().ok()?, bytes: next()?.parse().ok()? };
            Some(TreeFacts { first, size, root, leaves })
        }
    };
    fields.next().is_none().then_some(EntryFacts { generation, digest, previous, published_at, clock, tree })
}

/// Returns the file of an index by its last number.
pub(crate) const fn file(sport: Sport, last: Generation) -> RecordFile {
    RecordFile::Index(sport, last)
}

/// Writes the indexes that are missing below the newest entry, the newest one first. Returns the number of written ones.
///
/// # Errors
///
/// [`PortError`] if the store cannot be read or written. Entries that cannot be read or are not linked have no index.
pub async fn write_indexes(
    log: &dyn PublicationLog,
    files: &dyn RecordFiles,
    sport: Sport,
    newest: Generation,
) -> Result<u64, PortError> {
    let mut written = 0;
    for block in (1..=newest.get() / BLOCK).rev() {
        let Some(last) = Generation::new(block * BLOCK) else { break };
        if files.record_file(&file(sport, last)).await?.is_some() {
            break;
        }
        let numbers = ((block - 1) * BLOCK + 1..=block * BLOCK).filter_map(Generation::new);
        let reads = stream::iter(numbers).map(|number| read(log, sport, number)).buffered(AT_ONCE);
        let read: Vec<_> = reads.try_collect().await?;
        let facts =
            read.iter().map(|read| if let Read::Entry(entry) = read { Some(EntryFacts::from(&**entry)) } else { None });
        let Some(facts) = facts.collect::<Option<Vec<_>>>() else { continue };
        if facts.windows(2).all(|pair| pair[1].continues(&pair[0])) {
            files.put_record_file(&file(sport, last), encode(sport, &facts)).await?;
            written += 1;
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::tests::facts;

    fn some() -> Vec<EntryFacts> {
        (1..=20).map(|count| EntryFacts { tree: facts(count).tree.filter(|_| count > 3), ..facts(count) }).collect()
    }

    #[test]
    fn an_index_reads_back_equal_and_is_of_one_league() {
        let bytes = encode(Sport::Nfl, &some());
        assert_eq!(decode(Sport::Nfl, &bytes), Some(some()));
        assert_eq!(decode(Sport::Mlb, &bytes), None);
    }

    #[test]
    fn entries_that_are_not_linked_are_no_index() {
        let mut entries = some();
        entries.remove(7);
        assert_eq!(decode(Sport::Nfl, &encode(Sport::Nfl, &entries)), None);
    }

    #[test]
    fn blocks_end_at_multiples() {
        let of = |number| end_of_block(Generation::new(number).expect("not zero")).get();
        assert_eq!([of(1), of(256), of(257), of(512)], [256, 256, 512, 512]);
    }

    proptest! {
        #[test]
        fn a_changed_byte_makes_an_index_unreadable(at in any::<prop::sample::Index>(), bit in 0..8_u32) {
            let mut bytes = encode(Sport::Nfl, &some()).to_vec();
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(decode(Sport::Nfl, &bytes), None);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            prop_assert_eq!(decode(Sport::Nfl, &bytes), None);
        }
    }
}
