use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use sports_domain::{FormError, Sport};

use crate::api_key::{digest_of, expect_secret, secret};
use crate::{KeyDigest, KeyName};

/// A secret with which a program sends releases and finals to the publishers' door. It has the body and the checksum of an
/// [`ApiKey`](crate::ApiKey), and cannot be printed by accident.
#[derive(Clone)]
pub struct UploadToken(String);

impl UploadToken {
    /// The prefix of every token.
    pub const PREFIX: &str = "sk_publish_";

    /// Creates a token from random bytes, which must come from a secure source such as the operating system.
    pub fn from_random(random: [u8; 32]) -> Self {
        Self(secret(Self::PREFIX, random))
    }

    /// Parses a token as a program sent it. The records show whether it was ever created.
    ///
    /// # Errors
    ///
    /// [`FormError`], which does not contain the text, if it is not a well-formed token.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        expect_secret("upload token", Self::PREFIX, text).map(|()| Self(text.to_owned()))
    }

    /// Returns the secret text, for the one answer that shows it to its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 of the text, which is stored in place of the token.
    pub fn digest(&self) -> KeyDigest {
        digest_of(&self.0)
    }
}

impl fmt::Debug for UploadToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UploadToken(…)")
    }
}

/// What a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UploadRight {
    /// Publish releases by the usual rules.
    Publish,
    /// Add finals.
    Settle,
    /// Change what is declared or on record: overrides, corrections, replaced seasons, models, markets, moved games.
    Mend,
}

impl UploadRight {
    /// Every right, in the order of lists.
    pub const ALL: [Self; 3] = [Self::Publish, Self::Settle, Self::Mend];

    /// Returns the word on the command line and in messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Settle => "settle",
            Self::Mend => "mend",
        }
    }
}

impl fmt::Display for UploadRight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for UploadRight {
    type Err = FormError;

    fn from_str(word: &str) -> Result<Self, FormError> {
        let known = Self::ALL.map(Self::word).join(", ");
        let unknown = || FormError::new(format!("`{word}` is nothing that a token may do: those are {known}"));
        Self::ALL.into_iter().find(|right| right.word() == word).ok_or_else(unknown)
    }
}

/// The stored data of a token, without the token itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadTokenRecord {
    /// The name in logs and lists.
    pub id: String,
    pub digest: KeyDigest,
    /// The name that its owner gave it.
    pub name: KeyName,
    /// The leagues that it is for.
    pub leagues: BTreeSet<Sport>,
    pub rights: BTreeSet<UploadRight>,
    pub created_at: DateTime<Utc>,
    /// The instant from which it is not valid.
    pub expires_at: DateTime<Utc>,
    pub revoked_at: Option<DateTime<Utc>>,
}

impl UploadTokenRecord {
    /// Checks that a token may do something in a league.
    ///
    /// # Errors
    ///
    /// [`FormError`] that says what it may do instead.
    pub fn expect(&self, sport: Sport, right: Option<UploadRight>) -> Result<(), FormError> {
        let leagues: Vec<_> = self.leagues.iter().map(|league| league.code()).collect();
        if !self.leagues.contains(&sport) {
            return Err(FormError::new(format!("this token is not for {sport}: it is for {}", leagues.join(", "))));
        }
        match right {
            Some(right) if !self.rights.contains(&right) => {
                let may: Vec<_> = self.rights.iter().map(|right| right.word()).collect();
                let needed = format!("this token may {} in {}", may.join(" and "), leagues.join(", "));
                Err(FormError::new(format!("{needed}: this needs one that may {right}")))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::second;

    #[test]
    fn a_token_is_read_back_and_a_mistyped_one_is_not() {
        let token = UploadToken::from_random([7; 32]);
        assert_eq!(UploadToken::parse(token.reveal()).expect("a token").digest(), token.digest());
        let mut mistyped = token.reveal().to_owned();
        let last = mistyped.pop().expect("a character");
        mistyped.push(if last == 'a' { 'b' } else { 'a' });
        for (text, expected) in [
            (mistyped.as_str(), "the last characters of the upload token do not fit the rest"),
            ("sk_service_0", "an upload token starts with sk_publish_"),
            ("sk_publish_0", "an upload token has 60 characters"),
            ("sk_publish_0-", "an upload token has only letters and digits after its prefix"),
        ] {
            assert_eq!(UploadToken::parse(text).expect_err(text).to_string(), expected);
        }
        assert_eq!(format!("{token:?}"), "UploadToken(…)");
    }

    #[test]
    fn a_refusal_says_what_the_token_may_do() {
        let record = UploadTokenRecord {
            id: "a".to_owned(),
            digest: UploadToken::from_random([7; 32]).digest(),
            name: KeyName::new("colab").expect("a name"),
            leagues: [Sport::Nfl, Sport::Nba].into(),
            rights: [UploadRight::Publish, UploadRight::Settle].into(),
            created_at: second(0),
            expires_at: second(10),
            revoked_at: None,
        };
        assert!(
            record.expect(Sport::Nba, Some(UploadRight::Settle)).is_ok() && record.expect(Sport::Nfl, None).is_ok()
        );
        let refused = |sport, right| record.expect(sport, right).expect_err("refused").to_string();
        assert_eq!(refused(Sport::Mlb, None), "this token is not for mlb: it is for nba, nfl");
        assert_eq!(
            refused(Sport::Nba, Some(UploadRight::Mend)),
            "this token may publish and settle in nba, nfl: this needs one that may mend"
        );
    }
}
