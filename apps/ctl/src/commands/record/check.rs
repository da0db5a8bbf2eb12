use std::path::Path;

use chrono::DateTime;
use serde_json::{Value, json};
use sports_program::regular_file;
use sports_record_signing::token::Token;
use sports_transparency::audit::Evidence;
use sports_transparency::{ForecastProof, Logged, NOTE_LIMIT};

use super::voices::Voices;
use crate::cli::Check;
use crate::failure::Failure;
use crate::report;
use crate::report::Report;

/// The result of checking a proof, with the exit codes that all verifiers share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    /// A quorum of the trusted voices had the checkpoint before the start.
    Proven,
    /// The forecast is in a signed tree, and no quorum attests since when.
    Logged,
    /// The proof does not hold.
    NotProven,
}

impl Checked {
    const fn exit_code(self) -> u8 {
        match self {
            Self::Proven => 0,
            Self::NotProven => 1,
            Self::Logged => 3,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::NotProven => "not_proven",
            Self::Logged => "logged",
        }
    }
}

/// A proof, what the trusted voices state about its checkpoint, and the tokens that none of them gave.
struct Heard {
    proof: ForecastProof,
    evidence: Evidence,
    foreign: Vec<String>,
}

/// Formats an instant, in seconds since 1970.
fn to_rfc3339(seconds: i64) -> String {
    DateTime::from_timestamp(seconds, 0).map(report::written_instant).unwrap_or_default()
}

/// Checks a proof offline, and prints the payload of one that holds.
pub fn run(arguments: &Check) -> Result<Report, Failure> {
    let voices = Voices::of(&arguments.trust, std::slice::from_ref(&arguments.log))?;
    if !arguments.token.is_empty() && !voices.trusts_authorities() {
        return Err(Failure::bad_input("--token needs the certificate of its authority: name it with --tsa-cert"));
    }
    let bytes = read(&arguments.file)?;
    match verify(&bytes, arguments, &voices) {
        Ok((proof, logged)) => Ok(heard(proof, &logged, arguments, &voices)?.report(arguments, &voices)),
        Err(reason) => Ok(ended(Checked::NotProven, &reason, None, &[])),
    }
}

/// Reads a file, one byte beyond the limit at most.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    use std::io::Read as _;
    let cannot = |error| Failure::bad_input(format!("{} cannot be read: {error}", path.display()));
    let file = regular_file::open(path).map_err(cannot)?;
    let mut bytes = Vec::new();
    file.take(NOTE_LIMIT as u64 + 1).read_to_end(&mut bytes).map_err(cannot)?;
    Ok(bytes)
}

/// Verifies everything but the time; the error is the reason for which the proof does not hold.
fn verify(bytes: &[u8], arguments: &Check, voices: &Voices) -> Result<(ForecastProof, Logged), String> {
    let proof = ForecastProof::parse(bytes).map_err(|error| error.to_string())?;
    let logged = proof.verify(&arguments.log, &voices.witnesses).map_err(|error| error.to_string())?;
    Ok((proof, logged))
}

/// Reads the tokens of a proof that holds.
fn heard(proof: ForecastProof, logged: &Logged, arguments: &Check, voices: &Voices) -> Result<Heard, Failure> {
    let (mut evidence, mut foreign) = (voices.evidence(), Vec::new());
    let checkpoint = proof.checkpoint.checkpoint();
    voices.add_cosignatures(&mut evidence, checkpoint.size, &logged.cosignatures);
    for path in &arguments.token {
        let token = Token::read(&read(path)?, &checkpoint.to_string());
        let token = token.map_err(|reason| Failure::bad_input(format!("--token {}: {reason}", path.display())))?;
        if let Err(reason) = voices.add_token(&mut evidence, checkpoint.size, &token) {
            foreign.push(format!("{}: {reason}", path.display()));
        }
    }
    Ok(Heard { proof, evidence, foreign })
}

impl Heard {
    fn report(&self, arguments: &Check, voices: &Voices) -> Report {
        let (index, start) = (self.proof.index, arguments.start.timestamp());
        let written = |time: u64| i64::try_from(time).map(to_rfc3339).unwrap_or_default();
        let mut times: Vec<_> = self.evidence.times_of(index).into_iter().map(|(voice, time)| (time, voice)).collect();
        times.sort_unstable();
        let (before, after): (Vec<_>, Vec<_>) =
            times.into_iter().partition(|(time, _)| i64::try_from(*time).is_ok_and(|time| time < start));
        let sayings: Vec<_> =
            before.iter().map(|(time, voice)| format!("{} {}", voices.statement(*voice), written(*time))).collect();
        let (sayings, start_text) = (sayings.join(", "), to_rfc3339(start));
        let (checked, sentence) = if self.evidence.is_before(index, start) {
            (Checked::Proven, format!("{sayings}, before {start_text}"))
        } else if before.is_empty() {
            (Checked::Logged, format!("no known witness received the checkpoint before {start_text}"))
        } else {
            let (heard, count) = (before.len(), voices.count());
            let sentence = format!("{heard} of {count} are no quorum: {sayings}, before {start_text}");
            (Checked::Logged, sentence)
        };
        let late = after.iter().filter(|_| checked == Checked::Proven);
        let contradictions = late.map(|(time, voice)| {
            format!("contradiction: {} {}, not before the start", voices.statement(*voice), written(*time))
        });
        let foreign = self.foreign.iter().map(|reason| format!("not counted: {reason}"));
        let notes: Vec<_> = contradictions.chain(foreign).collect();
        ended(checked, &sentence, Some(&self.proof), &notes)
    }
}

fn ended(checked: Checked, sentence: &str, proof: Option<&ForecastProof>, notes: &[String]) -> Report {
    let payload = proof.map(|proof| proof.opening.payload.clone());
    let mut lines = vec![format!("{}: {sentence}", checked.word())];
    lines.extend_from_slice(notes);
    lines.extend(payload.clone());
    let json = json!({
        "code": checked.exit_code(),
        "verdict": checked.word(),
        "sentence": sentence,
        "notes": notes,
        "payload": payload,
        "index": proof.map(|proof| proof.index),
        "checkpoint": proof.map_or(Value::Null, |proof| json!({
            "origin": proof.checkpoint.checkpoint().origin.as_str(),
            "size": proof.checkpoint.checkpoint().size,
            "root": proof.checkpoint.checkpoint().root.to_string(),
        })),
    });
    Report::new(lines, json).ending_with(checked.exit_code())
}
