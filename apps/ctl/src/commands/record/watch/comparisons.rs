//! Comparisons of a service's newest checkpoint with a head, with the checkpoints of witnesses, and with announced keys.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_domain::Sport;
use sports_ports::error_chain;
use sports_program::settings::WitnessAddress;
use sports_record_signing::dns::DnsTexts;
use sports_record_signing::service::RecordClient;
use sports_transparency::{KeyKind, SignedCheckpoint, StatedHead, VerifierKey};

use super::super::remote::{Extension, Remote, print_wait};
use crate::failure::Failure;
use crate::report;

/// The result of one comparison.
pub struct Verdict {
    /// The other side: a witness, `head` or `age`.
    pub of: String,
    pub word: &'static str,
    pub sentence: String,
    /// The exit code: 0, 1 for a contradiction, 3 for what is old or missing.
    pub code: u8,
}

impl Verdict {
    fn new(of: &str, word: &'static str, code: u8, sentence: String) -> Self {
        Self { of: of.to_owned(), word, sentence, code }
    }

    pub fn line(&self) -> String {
        format!("{}: {}: {}", self.of, self.word, self.sentence)
    }

    pub fn json(&self) -> Value {
        json!({ "of": self.of, "verdict": self.word, "sentence": self.sentence, "code": self.code })
    }
}

/// Proves that the checkpoint of one of the records extends a head that an answer of the service had.
pub async fn with_head(
    records: &[(&Remote, &SignedCheckpoint)],
    StatedHead { size, root, .. }: StatedHead,
) -> Result<Verdict, Failure> {
    let of_head = |word, code, sentence| Verdict::new("head", word, code, sentence);
    let mut verdict = of_head("not_signed", 3, format!("no checkpoint has the {size} leaves of the head yet"));
    for (remote, note) in records.iter().filter(|(_, note)| note.checkpoint().size >= size) {
        let checkpoint = note.checkpoint();
        let new = checkpoint.size;
        verdict = match remote.extends((size, root), checkpoint).await?.contradiction()? {
            None => {
                let sentence = format!("the checkpoint of size {new} extends the head of size {size}");
                return Ok(of_head("extended", 0, sentence));
            }
            Some(reason) => {
                of_head("contradicted", 1, format!("the checkpoint of size {new} contradicts the head: {reason}"))
            }
        };
    }
    Ok(verdict)
}

/// Compares a checkpoint of the service with the newest one of one of its logs that a witness has.
pub async fn with_witness(
    remote: &Remote,
    note: &SignedCheckpoint,
    (witness, log): (&WitnessAddress, &VerifierKey),
) -> Result<Verdict, Failure> {
    let name = witness.key.name().as_str();
    let known = match remote.newest_at(witness, log).await? {
        Ok(known) => known,
        Err(reason) => return Ok(Verdict::new(name, "away", 0, reason)),
    };
    let (service, size) = (note.checkpoint(), known.size);
    let (older, newer) = if size <= service.size { (&known, service) } else { (service, &known) };
    Ok(match remote.extends((older.size, older.root), newer).await? {
        Extension::Contradicts(reason) => {
            let sentence = format!("it has the size {size} of another tree than the service: {reason}");
            Verdict::new(name, "fork", 1, sentence)
        }
        // A service has no tiles beyond its own tree.
        Extension::Holds | Extension::Unshown(_) if size > service.size => {
            let sentence =
                format!("it has the size {size}, and the service shows an older checkpoint of {}", service.size);
            Verdict::new(name, "older", 3, sentence)
        }
        Extension::Unshown(reason) => return Err(Failure::unchecked(reason)),
        Extension::Holds => {
            Verdict::new(name, "agrees", 0, format!("the service extends its checkpoint of size {size}"))
        }
    })
}

/// Judges the time since one of the witnesses last signed a checkpoint.
pub fn age(
    remote: &Remote,
    note: &SignedCheckpoint,
    witnesses: &[VerifierKey],
    (now, longest): (DateTime<Utc>, Duration),
) -> Verdict {
    let cosigned = remote.cosignatures(note, witnesses).unwrap_or_default();
    let newest = cosigned.iter().map(|cosigned| cosigned.time).filter(|time| *time > 0).max();
    let size = note.checkpoint().size;
    let Some(at) = newest.and_then(|time| DateTime::from_timestamp(i64::try_from(time).ok()?, 0)) else {
        let sentence = format!("none of the witnesses has signed the checkpoint of size {size}");
        return Verdict::new("age", "unattested", 3, sentence);
    };
    let signed = format!("the checkpoint of size {size} was cosigned at {}", report::written_instant(at));
    match (now - at).to_std() {
        Ok(age) if age > longest => {
            let longest = humantime::format_duration(longest);
            Verdict::new("age", "exceeded", 3, format!("{signed}, more than {longest} ago"))
        }
        _ => Verdict::new("age", "within", 0, signed),
    }
}

/// Reads the keys that a publisher announces at another address, a page or a DNS name; returns where they differ from the given ones, in words.
pub async fn with_announced(url: &str, sport: Sport, given: &[VerifierKey]) -> Result<Vec<String>, Failure> {
    let read = if url.starts_with("dns:") {
        let name: DnsTexts =
            url.parse().map_err(|error| Failure::bad_input(format!("--from-url: expected {error}")))?;
        name.read().await.map(|texts| texts.join("\n")).map_err(|error| error_chain(&error))
    } else {
        let client = RecordClient::new(url, None, print_wait).map_err(Failure::bad_input)?;
        let page = client.get("", 1 << 20).await;
        page.map(|page| String::from_utf8_lossy(&page).into_owned()).map_err(|error| error_chain(&error))
    };
    // A page that is away accuses nobody.
    let page = match read {
        Ok(page) => page,
        Err(reason) => return Ok(vec![format!("{url} was not compared: {}", reason.trim_start())]),
    };
    let words = page.split(|symbol: char| symbol.is_whitespace() || "\"'`<>(),;|".contains(symbol));
    let keys = words.filter_map(|word| word.parse::<VerifierKey>().ok());
    let announced: Vec<_> =
        keys.filter(|key| key.kind() == KeyKind::Log && key.name().league() == Some(sport)).collect();
    let unannounced = given.iter().filter(|key| !announced.contains(key));
    let unannounced = unannounced.map(|key| format!("{url} does not announce {key}, which `--log` names"));
    let other = announced.iter().filter(|key| !given.contains(key));
    let other = other.map(|key| format!("{url} announces {key}, which no `--log` names"));
    Ok(unannounced.chain(other).collect())
}
