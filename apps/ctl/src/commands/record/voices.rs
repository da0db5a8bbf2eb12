//! The voices that a reader trusts on the time of a record: witnesses and timestamp authorities, and how many have to agree.

use std::num::NonZeroUsize;
use std::path::Path;

use sports_program::regular_file;
use sports_program::settings::WitnessAddress;
use sports_record_signing::token::{Authority, Token};
use sports_transparency::audit::Evidence;
use sports_transparency::{Cosignature, NOTE_LIMIT, Policy, Quorum, VerifierKey};

use crate::cli::Trust;
use crate::failure::Failure;

/// The word for the authorities whose certificates ship.
const BUNDLED: &str = "bundled";

/// The trusted voices: first the witnesses, behind them the authorities.
pub struct Voices {
    pub witnesses: Vec<VerifierKey>,
    /// Those of the witnesses that can be asked.
    pub addresses: Vec<WitnessAddress>,
    /// The authorities by the words that name them.
    authorities: Vec<(String, Authority)>,
    quorum: Quorum,
}

impl Voices {
    /// Reads what a command line names, about these logs.
    pub fn of(trust: &Trust, logs: &[VerifierKey]) -> Result<Self, Failure> {
        let authorities = authorities(&trust.tsa_cert)?;
        if let Some(path) = &trust.policy {
            let policy: Policy = read_text(path)?.parse().map_err(|reason| refused(path, &reason))?;
            if let Some(other) = logs.iter().find(|log| !policy.logs.is_empty() && !policy.logs.contains(log)) {
                return Err(Failure::bad_input(format!(
                    "--log {other} is none of the logs of the policy {}: add a line `log VKEY`",
                    path.display()
                )));
            }
            return Self::of_policy(policy, authorities);
        }
        let witnesses: Vec<_> = trust.witness.iter().map(|witness| witness.key.clone()).collect();
        let addresses = trust.witness.iter().filter_map(|witness| witness.address.clone()).collect();
        let is_twice =
            |place: usize| witnesses[..place].iter().any(|other| other.public() == witnesses[place].public());
        if let Some(place) = (0..witnesses.len()).find(|place| is_twice(*place)) {
            let name = witnesses[place].name();
            return Err(Failure::bad_input(format!("the key of {name} is named twice: name each --witness once")));
        }
        let named = witnesses.len() + authorities.len();
        let quorum = match trust.quorum {
            Some(0) => return Err(Failure::bad_input("--quorum 0 would prove anything: name 1 or more")),
            Some(needed) if needed > named => {
                let more = "name more with --witness or --tsa-cert, or a smaller number";
                return Err(Failure::bad_input(format!(
                    "--quorum {needed} is above the {named} that are named: {more}"
                )));
            }
            given => NonZeroUsize::new(given.unwrap_or(named)).unwrap_or(NonZeroUsize::MIN),
        };
        Ok(Self { witnesses, addresses, authorities, quorum: Quorum::Any(quorum) })
    }

    /// Each authority is needed beside the quorum of the policy.
    fn of_policy(policy: Policy, authorities: Vec<(String, Authority)>) -> Result<Self, Failure> {
        let Policy { witnesses, quorum, .. } = policy;
        let places = witnesses.len()..witnesses.len() + authorities.len();
        let members: Vec<_> = quorum.into_iter().chain(places.map(Quorum::Voice)).collect();
        if members.is_empty() {
            let reason = "the policy needs no witness (quorum none): name an authority with --tsa-cert beside it";
            return Err(Failure::bad_input(reason));
        }
        Ok(Self { witnesses, addresses: Vec::new(), authorities, quorum: Quorum::all(members) })
    }

    /// Returns the number of voices.
    pub const fn count(&self) -> usize {
        self.witnesses.len() + self.authorities.len()
    }

    pub const fn trusts_authorities(&self) -> bool {
        !self.authorities.is_empty()
    }

    /// Returns evidence that needs the quorum, of nothing yet.
    pub fn evidence(&self) -> Evidence {
        Evidence::needing(self.quorum.clone())
    }

    /// Says when a voice had a checkpoint, such as "witness.example.com/w1 received the checkpoint at" a time.
    pub fn statement(&self, voice: usize) -> String {
        match self.witnesses.get(voice) {
            Some(witness) => format!("{} received the checkpoint at", witness.name()),
            None => format!("{} stamped the checkpoint by", self.name(voice)),
        }
    }

    /// Returns the name of a witness, or the word that names an authority.
    pub fn name(&self, voice: usize) -> &str {
        let authority = || self.authorities.get(voice.checked_sub(self.witnesses.len())?);
        let witness = self.witnesses.get(voice).map(|witness| witness.name().as_str());
        witness.or_else(|| authority().map(|(name, _)| name.as_str())).unwrap_or_default()
    }

    /// Adds verified cosignatures of a tree.
    pub fn add_cosignatures(&self, evidence: &mut Evidence, size: u64, cosignatures: &[Cosignature]) {
        for Cosignature { witness, time } in cosignatures {
            if let Some(voice) = self.witnesses.iter().position(|known| known == witness) {
                evidence.add_cosignature(voice, size, *time);
            }
        }
    }

    /// Adds a token of a tree for the first authority that it is one of: it is the word of one. The error is the reason for which it
    /// is of none.
    pub fn add_token(&self, evidence: &mut Evidence, size: u64, token: &Token) -> Result<(), String> {
        let mut reasons = Vec::new();
        for (place, (name, authority)) in self.authorities.iter().enumerate() {
            match token.time_by(authority) {
                Ok(time) => {
                    evidence.add_timestamp(self.witnesses.len() + place, size, time);
                    return Ok(());
                }
                Err(reason) => reasons.push(format!("{name}: {reason}")),
            }
        }
        Err(reasons.join("; "))
    }
}

/// Reads the certificates of authorities; a certificate that two of them have would count as two voices.
fn authorities(named: &[String]) -> Result<Vec<(String, Authority)>, Failure> {
    let mut authorities: Vec<(String, Authority)> = Vec::new();
    for name in named {
        let authority = if name == BUNDLED {
            Authority::bundled()
        } else {
            let path = Path::new(name);
            let bytes = regular_file::read(path, Authority::LIMIT).map_err(|reason| refused(path, &reason))?;
            Authority::read(&bytes).map_err(|reason| refused(path, &reason))?
        };
        if let Some((other, _)) = authorities.iter().find(|(_, other)| authority.meets(other)) {
            let reason = "one authority is one voice, so name each of its certificates once";
            return Err(Failure::bad_input(format!(
                "--tsa-cert {other} and {name} have a certificate in common: {reason}"
            )));
        }
        authorities.push((name.clone(), authority));
    }
    Ok(authorities)
}

fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = regular_file::read(path, NOTE_LIMIT as u64).map_err(|reason| refused(path, &reason))?;
    String::from_utf8(bytes).map_err(|_| refused(path, &"it is not UTF-8 text"))
}

fn refused(path: &Path, reason: &dyn std::fmt::Display) -> Failure {
    Failure::bad_input(format!("{} cannot be used: {reason}", path.display()))
}
