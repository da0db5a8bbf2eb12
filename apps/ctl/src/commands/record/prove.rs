use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile};
use sports_publication::SeasonArchive;
use sports_usecases::forecast_proof::{ForecastProofs, NoProof, ProofError, StampedProof};
use sports_usecases::record::newest_entry;

use crate::cli::Prove;
use crate::failure::Failure;
use crate::places::{Places, Store};
use crate::report::Report;
use crate::whole_file;

/// Writes the proof of a forecast to a new file.
pub async fn run(places: &Places<'_>, arguments: &Prove) -> Result<Report, Failure> {
    let Prove { sport, model_type, game, size, out } = arguments;
    if out.try_exists().map_err(Failure::other)? {
        return Err(Failure::bad_input(format!("{} exists already: name a new file", out.display())));
    }
    let store = places.existing_store().await?;
    let newest = newest_entry(&*store.log, *sport).await.map_err(Failure::other)?;
    let newest = newest.ok_or_else(|| Failure::bad_input(NoProof::NeverMade))?;
    let proofs: ForecastProofs<SeasonArchive> =
        ForecastProofs::new(Arc::new(store.trees()), Arc::new(store.archives.clone()));
    let proof = proofs.proof(&newest.catalog, *model_type, &game.0, *size).await.map_err(|error| match error {
        // The record can be signed later.
        ProofError::Refused(reason @ NoProof::NotSigned(_)) => Failure::other(reason),
        ProofError::Refused(reason) => Failure::bad_input(reason),
        ProofError::Port(error) => Failure::other(error),
    })?;
    let StampedProof { proof, timestamps } = proof;
    let (index, checkpoint) = (proof.index, proof.checkpoint.checkpoint());
    let stamps = timestamp_files(&store, *sport, checkpoint.size, &timestamps, out).await?;
    whole_file::write(out, proof.to_string().as_bytes()).map_err(Failure::other)?;
    let mut lines = vec![format!(
        "{}: leaf {index} in the tree of {} leaves of {}",
        out.display(),
        checkpoint.size,
        checkpoint.origin
    )];
    lines.extend(stamps.iter().map(|file| format!("{}: a timestamp of this tree", file.display())));
    let json = json!({
        "sport": sport.code(),
        "model_type": model_type.code(),
        "index": index,
        "checkpoint": {
            "origin": checkpoint.origin.as_str(),
            "size": checkpoint.size,
            "root": checkpoint.root.to_string(),
        },
        "file": out.display().to_string(),
        "timestamps": stamps.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
    });
    Ok(Report::new(lines, json))
}

/// Writes the timestamps of the checkpoint in a proof to new files beside it, which it returns.
async fn timestamp_files(
    store: &Store,
    sport: Sport,
    size: u64,
    timestamps: &[ObjectHash],
    proof: &Path,
) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for content in timestamps {
        let file = CheckpointFile { size, kind: CheckpointKind::Timestamp, content: *content };
        let reply = store.record.record_file(&RecordFile::Checkpoint(sport, file)).await.map_err(Failure::other)?;
        let path = PathBuf::from(format!("{}.{}.tsr", proof.display(), files.len() + 1));
        if path.try_exists().map_err(Failure::other)? {
            return Err(Failure::bad_input(format!("{} exists already: name a new file", path.display())));
        }
        if let Some(reply) = reply {
            whole_file::write(&path, &reply).map_err(Failure::other)?;
            files.push(path);
        }
    }
    Ok(files)
}
