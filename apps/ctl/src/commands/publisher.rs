use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde_json::{Value, json};
use sports_accounts::{UploadRight, UploadToken, UploadTokenRecord};
use sports_ports::Random;
use sports_program::SystemRandom;

use super::receive::{self, TokenFile, Usage, UsageEntry};
use crate::cli::{NewToken, Publisher, Token};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::{self, Report, print_note};

/// Manages the tokens of the door and lists what was sent with them.
pub fn run(places: &Places<'_>, command: Publisher) -> Result<Report, Failure> {
    let folder = receive::folder(places.settings())?;
    let tokens = TokenFile::in_folder(&folder);
    match command {
        Publisher::Token(Token::Create(token)) => create(places, &tokens, token),
        Publisher::Token(Token::List) => {
            let (records, uses) = (tokens.read()?, Uses::of(&Usage::read(&folder)?));
            let mut lines: Vec<_> = records.iter().map(|record| line(record, uses.of_token(&record.id))).collect();
            if lines.is_empty() {
                lines.push("no tokens: `sportsctl publisher token create` makes one".to_owned());
            }
            let json = records.iter().map(|record| token_json(record, uses.of_token(&record.id))).collect::<Vec<_>>();
            Ok(Report::new(lines, json!({ "tokens": json })))
        }
        Publisher::Token(Token::Revoke { id }) => {
            let now = places.clock.now();
            let record = tokens.change(|all| {
                let found = all.iter_mut().find(|record| record.id == id);
                let found = found.ok_or_else(|| {
                    Failure::bad_input(format!("no token has the id {id}: `sportsctl publisher token list` has them"))
                })?;
                found.revoked_at.get_or_insert(now);
                Ok(found.clone())
            })?;
            Ok(Report::new(vec![format!("revoked: {}", described(&record))], token_json(&record, None)))
        }
        Publisher::Log { token } => {
            let entries = Usage::read(&folder)?;
            let entries: Vec<_> =
                entries.into_iter().filter(|entry| token.as_ref().is_none_or(|id| entry.token == *id)).collect();
            let mut lines: Vec<_> = entries.iter().map(entry_line).collect();
            if lines.is_empty() {
                lines.push("nothing was uploaded".to_owned());
            }
            Ok(Report::new(lines, json!({ "uploads": entries })))
        }
    }
}

/// Makes a token, which is shown this once.
fn create(places: &Places<'_>, tokens: &TokenFile, token: NewToken) -> Result<Report, Failure> {
    let NewToken { league, name, can, expires } = token;
    let mut random = [0; 32];
    SystemRandom.fill(&mut random).map_err(Failure::other)?;
    let secret = UploadToken::from_random(random);
    let now = places.clock.now();
    let expires = TimeDelta::from_std(expires).map_err(Failure::bad_input)?;
    let can = if can.is_empty() { vec![UploadRight::Publish, UploadRight::Settle] } else { can };
    let record = UploadTokenRecord {
        id: format!("tok_{}", &secret.digest().to_string()[..12]),
        digest: secret.digest(),
        name,
        leagues: league.into_iter().collect(),
        rights: can.into_iter().collect(),
        created_at: now,
        expires_at: now + expires,
        revoked_at: None,
    };
    tokens.change(|all| {
        all.push(record.clone());
        Ok(())
    })?;
    let mut json = token_json(&record, None);
    json["token"] = secret.reveal().into();
    print_note(&format!("{}; the token is not shown again", described(&record)));
    Ok(Report::new(vec![secret.reveal().to_owned()], json))
}

/// The last use and the number of uses of each token.
struct Uses(BTreeMap<String, (UsageEntry, u64)>);

impl Uses {
    fn of(entries: &[UsageEntry]) -> Self {
        let mut uses = BTreeMap::<String, (UsageEntry, u64)>::new();
        for entry in entries {
            let known = uses.entry(entry.token.clone()).or_insert_with(|| (entry.clone(), 0));
            *known = (entry.clone(), known.1 + 1);
        }
        Self(uses)
    }

    fn of_token(&self, id: &str) -> Option<(&UsageEntry, u64)> {
        self.0.get(id).map(|(last, count)| (last, *count))
    }
}

fn described(record: &UploadTokenRecord) -> String {
    let leagues: Vec<_> = record.leagues.iter().map(|league| league.code()).collect();
    let rights: Vec<_> = record.rights.iter().map(|right| right.word()).collect();
    format!(
        "{} ({}) may {} in {} until {}",
        record.id,
        record.name,
        rights.join(", "),
        leagues.join(", "),
        report::written_instant(record.expires_at)
    )
}

fn line(record: &UploadTokenRecord, used: Option<(&UsageEntry, u64)>) -> String {
    let used = used.map_or_else(
        || "never used".to_owned(),
        |(last, count)| {
            format!("used {count} times, last at {} from {}", report::written_instant(last.at), last.address)
        },
    );
    let revoked =
        record.revoked_at.map(|at| format!("; revoked at {}", report::written_instant(at))).unwrap_or_default();
    format!("{}; {used}{revoked}", described(record))
}

fn token_json(record: &UploadTokenRecord, used: Option<(&UsageEntry, u64)>) -> Value {
    json!({
        "id": record.id,
        "name": record.name.to_string(),
        "leagues": record.leagues.iter().map(|league| league.code()).collect::<Vec<_>>(),
        "can": record.rights.iter().map(|right| right.word()).collect::<Vec<_>>(),
        "created_at": report::written_instant(record.created_at),
        "expires_at": report::written_instant(record.expires_at),
        "revoked_at": record.revoked_at.map(report::written_instant),
        "last_used_at": used.map(|(last, _)| report::written_instant(last.at)),
        "last_used_from": used.map(|(last, _)| &last.address),
        "uses": used.map_or(0, |(_, count)| count),
    })
}

fn entry_line(entry: &UsageEntry) -> String {
    let UsageEntry { at, token, address, path, received, unpacked, status, release_id } = entry;
    let release = release_id.as_deref().unwrap_or("-");
    format!(
        "{}  {token}  {address}  {path}  {received} bytes, {unpacked} unpacked  {status}  {release}",
        report::written_instant(*at)
    )
}
