use serde_json::json;
use sports_transparency::{Checkpoint, StatedHead};

use super::remote::{Extension, Remote};
use crate::cli::CheckHead;
use crate::failure::Failure;
use crate::report::Report;

/// The result of checking a head, with the exit codes of all verifiers.
enum Checked {
    Extended,
    Contradicted(String),
    NotSigned,
}

/// Proves that the newest checkpoint of a service extends a head.
pub async fn run(arguments: &CheckHead) -> Result<Report, Failure> {
    let StatedHead { sport, size, root } = arguments.head;
    let mut newest: Option<Checkpoint> = None;
    let mut checked = Checked::NotSigned;
    for record in Remote::of(sport, &arguments.record, &[], None).await? {
        let note = record.newest().await?;
        let checkpoint = note.checkpoint().clone();
        if checkpoint.size >= size {
            checked = match record.extends((size, root), &checkpoint).await? {
                Extension::Holds => Checked::Extended,
                Extension::Contradicts(reason) => Checked::Contradicted(reason),
            };
        }
        newest = Some(checkpoint);
        if matches!(checked, Checked::Extended) {
            break;
        }
    }
    let newest = newest.ok_or_else(|| Failure::bad_input("--log is missing"))?;
    Ok(report(arguments.head, &newest, &checked))
}

fn report(head: StatedHead, newest: &Checkpoint, checked: &Checked) -> Report {
    let StatedHead { sport, size, .. } = head;
    let (code, word, sentence) = match checked {
        Checked::Extended => {
            (0, "extended", format!("the checkpoint of size {} extends the head of size {size}", newest.size))
        }
        Checked::Contradicted(reason) => {
            (1, "contradicted", format!("the checkpoint of size {} contradicts the head: {reason}", newest.size))
        }
        Checked::NotSigned => {
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
