use std::sync::Arc;

use serde_json::json;
use sports_publication::SeasonArchive;
use sports_usecases::forecast_proof::{ForecastProofs, NoProof, ProofError};
use sports_usecases::record::newest_entry;

use crate::cli::Prove;
use crate::failure::Failure;
use crate::places::Places;
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
    whole_file::write(out, proof.to_string().as_bytes()).map_err(Failure::other)?;
    let (index, checkpoint) = (proof.index, proof.checkpoint.checkpoint());
    let line =
        format!("{}: leaf {index} in the tree of {} leaves of {}", out.display(), checkpoint.size, checkpoint.origin);
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
    });
    Ok(Report::new(vec![line], json))
}
