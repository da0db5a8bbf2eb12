//! The keys of the settings, and the others who attest to what they sign.

use std::path::Path;
use std::sync::Arc;

use sports_domain::Sport;
use sports_ports::attestation::{TimestampServer, Witness};
use sports_program::settings::{Settings, WitnessAddress};
use sports_record_signing::attestation::{HttpTimestampServer, HttpWitness};
use sports_record_signing::keys::{KeyFile, MemoryFiles};
use sports_transparency::{FormError, KeyKind, KeyName, Origin, VerifierKey};
use sports_usecases::signing::{EarlierKey, LogKeys, Signing, TreeSigning};

use crate::failure::Failure;

/// Returns the key file of the settings.
pub fn key_file(settings: &Settings) -> Result<&Path, Failure> {
    settings.record.key_file.as_deref().ok_or_else(|| {
        Failure::bad_input("`record.key_file` is not set: it names the file of the key that signs the record")
    })
}

/// Returns the common name of the logs.
pub fn origin(settings: &Settings) -> Result<Origin, Failure> {
    settings.record_origin().ok_or_else(|| {
        Failure::bad_input(
            "`record.origin` is not set, and neither is `http.public_url`, of which it is made: it names the logs, such as \
             example.com/api/v1/record",
        )
    })
}

/// Returns the keys of the settings and everybody who attests; signing is off without a key file. No request is sent.
pub fn of(settings: &Settings) -> Result<TreeSigning, Failure> {
    if settings.record.key_file.is_none() {
        return Ok(TreeSigning::Off);
    }
    let path = key_file(settings)?;
    let file = read(path)?;
    let origin = origin(settings)?;
    let keys = Sport::ALL.into_iter().map(|sport| Ok((sport, keys_of(&file, &origin.log(sport))?)));
    let (witnesses, servers) = (witnesses(settings)?, servers(settings)?);
    let memories = Arc::new(MemoryFiles::beside(path));
    let timeout = settings.record.timeout;
    let keys = keys.collect::<Result<_, Failure>>()?;
    Ok(TreeSigning::With(Arc::new(Signing { keys, memories, witnesses, servers, timeout })))
}

/// Reads a key file; a failure names the setting.
pub fn read(path: &Path) -> Result<KeyFile, Failure> {
    KeyFile::read(path).map_err(|error| Failure::bad_input(InSetting(error)))
}

/// Returns the keys of one log.
pub fn keys_of(file: &KeyFile, log: &KeyName) -> Result<LogKeys, Failure> {
    let earlier = file.earlier().iter().map(|earlier| {
        let key = earlier.key(log.clone()).map_err(Failure::bad_input)?;
        Ok(EarlierKey { key, until: earlier.until })
    });
    let newest = file.newest(log.clone()).map_err(Failure::bad_input)?;
    Ok(LogKeys { newest, earlier: earlier.collect::<Result<_, Failure>>()? })
}

/// Returns the keys of the witnesses in the settings.
pub fn witness_keys(settings: &Settings) -> Vec<VerifierKey> {
    settings.record.witnesses.as_slice().iter().map(|witness| witness.key.clone()).collect()
}

fn witnesses(settings: &Settings) -> Result<Vec<Arc<dyn Witness>>, Failure> {
    let named = settings.record.witnesses.as_slice().iter();
    let clients = named.map(|witness| HttpWitness::new(witness.key.clone(), witness.url.as_str()));
    clients.map(|client| Ok(Arc::new(client.map_err(Failure::bad_input)?) as _)).collect()
}

fn servers(settings: &Settings) -> Result<Vec<Arc<dyn TimestampServer>>, Failure> {
    let named = settings.record.timestamps.as_slice().iter();
    let clients = named.map(|address| HttpTimestampServer::new(address.as_str()));
    clients.map(|client| Ok(Arc::new(client.map_err(Failure::bad_input)?) as _)).collect()
}

/// A key file that cannot be used, as a mistake in a setting.
#[derive(Debug, thiserror::Error)]
#[error("record.key_file")]
pub struct InSetting(#[source] pub sports_record_signing::keys::KeyFileError);

// The keys of the record on the command line.

/// Parses the vkey of a log.
pub fn log_key(text: &str) -> Result<VerifierKey, String> {
    let key: VerifierKey = text.parse().map_err(|error: FormError| error.to_string())?;
    let is_log = key.kind() == KeyKind::Log;
    if is_log { Ok(key) } else { Err("this is the key of a witness: expected that of a log".to_owned()) }
}

/// A witness that a reader trusts, perhaps with the address at which its newest checkpoints are.
#[derive(Debug, Clone)]
pub struct TrustedWitness {
    pub key: VerifierKey,
    pub address: Option<WitnessAddress>,
}

/// Parses the vkey of a witness, which may have the address of the witness behind it.
pub fn trusted_witness(text: &str) -> Result<TrustedWitness, String> {
    if let Ok(address) = text.parse::<WitnessAddress>() {
        return Ok(TrustedWitness { key: address.key.clone(), address: Some(address) });
    }
    let key: VerifierKey = text.parse().map_err(|error: FormError| error.to_string())?;
    if key.kind().is_witness() {
        Ok(TrustedWitness { key, address: None })
    } else {
        Err("this is the key of a log: expected that of a witness".to_owned())
    }
}
