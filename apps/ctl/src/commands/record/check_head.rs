use serde_json::json;
use sports_transparency::{Checkpoint, StatedHead};

use super::remote::{Extension, Remote};
use crate::cli::CheckHead;
use crate::failure::Failure;
use crate::report::Report;

/// The verdict on a head, with the exit codes of all verifiers.
enum Verdict {
    Extended,
    Contradicted(String),
    NotSigned,
}

/// Proves that the newest checkpoint of a service extends a head.
pub async fn run(arguments: &CheckHead) -> Result<Report, Failure> {
    let StatedHead { sport, size, root } = arguments.head;
    let mut newest: Option<Checkpoint> = None;
    let mut verdict = Verdict::NotSigned;
    for record in Remote::of(sport, &arguments.record, &[], None).await? {
        let note = record.newest().await?;
        let checkpoint = note.checkpoint().clone();
        if checkpoint.size >= size {
            verdict = match record.extends((size, root), &checkpoint).await? {
                Extension::Holds => Verdict::Extended,
                Extension::Contradicts(reason) => Verdict::Contradicted(reason),
            };
        }
        newest = Some(checkpoint);
        if matches!(verdict, Verdict::Extended) {
            break;
        }
    }
    let newest = newest.ok_or_else(|| Failure::bad_input("--log is missing"))?;
    Ok(report(arguments.head, &newest, &verdict))
}

fn report(head: StatedHead, newest: &Checkpoint, verdict: &Verdict) -> Report {
    let StatedHead { sport, size, .. } = head;
    let (code, word, sentence) = match verdict {
        Verdict::Extended => {
            (0, "extended", format!("the checkpoint of size {} extends the head of size {size}", newest.size))
        }
        Verdict::Contradicted(reason) => {
            (1, "contradicted", format!("the checkpoint of size {} contradicts the head: {reason}", newest.size))
        }
        Verdict::NotSigned => {
            (3, "not_signed", format!("the newest checkpoint has the size {}, below {size}", newest.size))
        }
    };
    let json = json!({
        "code": code,
        "verdict": word,
        "sentence": sentence,
        "sport": sport.code(),
        "size": size,
        "checkpoint": { "origin": newest.origin.as_str(), "size": newest.size, "root": newest.root.to_string() },
    });
    Report::new(vec![format!("{word}: {sentence}")], json).ending_with(code)
}
