//! The file of upload tokens: hashes, and what each token may do. `sportsctl publisher token` writes it; the door reads it at each
//! request, so that a token is revoked at once.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use actix_web::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sports_accounts::{KeyDigest, KeyName, UploadRight, UploadTokenRecord};
use sports_domain::Sport;
use sports_publication::{parse_instant, to_rfc3339};

use super::refusal::Refusal;
use crate::failure::Failure;
use crate::{report, whole_file};

const NAME: &str = "publisher-tokens.toml";

/// The largest size of the file, in bytes: some ten thousand tokens.
const LARGEST: u64 = 4 << 20;

/// The file of tokens.
#[derive(Debug, Clone)]
pub struct TokenFile(PathBuf);

impl TokenFile {
    /// Names the file in a folder, whether it exists or not.
    pub fn in_folder(folder: &Path) -> Self {
        Self(folder.join(NAME))
    }

    /// Reads the tokens, oldest first; there are none without a file.
    pub fn read(&self) -> Result<Vec<UploadTokenRecord>, Failure> {
        let bytes = match sports_program::regular_file::read(&self.0, LARGEST) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.failure(&error)),
        };
        let text = String::from_utf8(bytes).map_err(|error| self.failure(&error))?;
        let Written { token } = toml::from_str(&text).map_err(|error| self.failure(&error.message()))?;
        token.into_iter().map(|token| token.record().ok_or_else(|| self.failure(&"a token is malformed"))).collect()
    }

    /// Changes the tokens. Other commands wait meanwhile, and no reader sees a part of the change.
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut Vec<UploadTokenRecord>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let cannot = |error: io::Error| self.failure(&error);
        let _turn = whole_file::turn(&self.0).map_err(cannot)?;
        let mut tokens = self.read()?;
        let changed = change(&mut tokens)?;
        let written = Written { token: tokens.iter().map(WrittenToken::of).collect() };
        let text = toml::to_string(&written).map_err(Failure::other)?;
        whole_file::write(&self.0, text.as_bytes()).map_err(cannot)?;
        Ok(changed)
    }

    /// Returns the record of a token that is valid now.
    ///
    /// # Errors
    ///
    /// The refusal of one that is unknown, expired or revoked.
    pub fn expect_valid(&self, digest: &KeyDigest, now: DateTime<Utc>) -> Result<UploadTokenRecord, Refusal> {
        let refused = |detail: String| Err(Refusal::new(StatusCode::UNAUTHORIZED, detail));
        let record = self.read()?.into_iter().find(|record| record.digest == *digest);
        let Some(record) = record else { return refused("this token is not known here".to_owned()) };
        if record.revoked_at.is_some() {
            return refused("this token was revoked: ask the operator for another one".to_owned());
        }
        if record.expires_at <= now {
            let expired = report::written_instant(record.expires_at);
            return refused(format!("this token expired at {expired}: ask the operator for another one"));
        }
        Ok(record)
    }

    fn failure(&self, error: &dyn std::fmt::Display) -> Failure {
        Failure::other(format!("{}: {error}", self.0.display()))
    }
}

/// Checks that a token may do something in a league.
///
/// # Errors
///
/// The refusal, with what it may do instead.
pub fn expect_right(token: &UploadTokenRecord, sport: Sport, right: Option<UploadRight>) -> Result<(), Refusal> {
    token.expect(sport, right).map_err(|error| Refusal::new(StatusCode::FORBIDDEN, error.to_string()))
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    token: Vec<WrittenToken>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenToken {
    id: String,
    name: String,
    sha256: String,
    leagues: Vec<String>,
    can: Vec<String>,
    created: String,
    expires: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revoked: Option<String>,
}

impl WrittenToken {
    pub fn of(record: &UploadTokenRecord) -> Self {
        Self {
            id: record.id.clone(),
            name: record.name.to_string(),
            sha256: record.digest.to_string(),
            leagues: record.leagues.iter().map(|league| league.code().to_owned()).collect(),
            can: record.rights.iter().map(|right| right.word().to_owned()).collect(),
            created: to_rfc3339(&record.created_at),
            expires: to_rfc3339(&record.expires_at),
            revoked: record.revoked_at.as_ref().map(to_rfc3339),
        }
    }

    /// Returns the record; `None` if a person wrote something else.
    pub fn record(&self) -> Option<UploadTokenRecord> {
        let instant = |text: &String| parse_instant(text);
        let revoked_at: Option<DateTime<Utc>> = match &self.revoked {
            Some(text) => Some(instant(text)?),
            None => None,
        };
        Some(UploadTokenRecord {
            id: self.id.clone(),
            digest: self.sha256.parse::<KeyDigest>().ok()?,
            name: KeyName::new(&self.name).ok()?,
            leagues: self.leagues.iter().map(|league| league.parse::<Sport>().ok()).collect::<Option<_>>()?,
            rights: self.can.iter().map(|word| word.parse().ok()).collect::<Option<BTreeSet<UploadRight>>>()?,
            created_at: instant(&self.created)?,
            expires_at: instant(&self.expires)?,
            revoked_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use sports_accounts::UploadToken;

    use super::*;

    #[test]
    fn tokens_are_read_back_and_a_file_that_is_none_is_refused() {
        let place = tempfile::tempdir().expect("a folder");
        let file = TokenFile::in_folder(place.path());
        assert!(file.read().expect("no file").is_empty());
        let token = UploadToken::from_random([1; 32]);
        let at = parse_instant("2026-03-14T12:00:00Z").expect("an instant");
        let record = UploadTokenRecord {
            id: "tok_1".to_owned(),
            digest: token.digest(),
            name: KeyName::new("colab").expect("a name"),
            leagues: [Sport::Nfl].into(),
            rights: [UploadRight::Publish, UploadRight::Mend].into(),
            created_at: at,
            expires_at: at,
            revoked_at: Some(at),
        };
        file.change(|tokens| {
            tokens.push(record.clone());
            Ok(())
        })
        .expect("written");
        assert_eq!(file.read().expect("read"), [record]);
        let text = fs::read_to_string(place.path().join(NAME)).expect("text");
        assert!(!text.contains(token.reveal()), "{text}");
        fs::write(place.path().join(NAME), text.replace("nfl", "cricket")).expect("written");
        assert!(file.read().is_err());
    }
}
