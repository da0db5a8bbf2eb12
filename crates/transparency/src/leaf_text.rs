//! The one text of a leaf: a first line with the kind, then lines by kind, each ended by LF.

use std::fmt::{self, Write as _};

use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};
use sports_content::ObjectHash;
use sports_domain::{ClockSource, Season, Sport};

use crate::RecordedEnding;
use crate::game_text::{parse_game, push_game};
use crate::leaf::{LEAF_LIMIT, Leaf};
use crate::model_version::{self, parse_version, version_text};

const FORM: &str = "sports-record/v1";
const NO_HASH: &str = "-";
/// The link of the first entry of a log.
const NO_ENTRY: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The error for text that is not a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotALeaf {
    /// The text is longer than a leaf can be.
    #[error("a leaf has at most {LEAF_LIMIT} bytes")]
    TooLong,
    /// The text has another form.
    #[error("not a leaf of the record in the form {FORM}")]
    OtherForm,
}

impl Leaf {
    pub fn to_text(&self) -> String {
        // As long as most leaves.
        let mut text = String::with_capacity(256);
        for part in [FORM, " ", self.kind(), "\n", self.sport().code(), " "] {
            text.push_str(part);
        }
        // Writing to a text cannot fail.
        _ = self.write_rest(&mut text);
        text.push('\n');
        text
    }

    /// Writes the leaf behind its league, without the last line break.
    fn write_rest(&self, text: &mut String) -> fmt::Result {
        match self {
            Self::Release { generation, published_at, clock, continues, .. } => {
                let entry = continues.map_or_else(|| NO_ENTRY.to_owned(), |entry| entry.to_string());
                let (instant, clock) = (instant_text(*published_at), clock.word());
                write!(text, "{generation} {instant} {clock}\nsha256:{entry}")?;
            }
            Self::Restart { generation, lost, .. } => write!(text, "{generation}\nsha256:{lost}")?,
            Self::Model { generation, model, version, sha256, .. } => {
                let hash = sha256.map_or_else(|| NO_HASH.to_owned(), |hash| format!("sha256:{hash}"));
                write!(text, "{generation}\n{model} {} {hash}", version_text(version.as_deref()))?;
            }
            Self::Moved { season, generation, from, to, .. } => {
                writeln!(text, "{season} {generation}")?;
                push_game(text, from);
                text.push('\n');
                push_game(text, to);
            }
            Self::Withdrawn { model_type, season, generation, game, .. } => {
                writeln!(text, "{model_type} {season} {generation}")?;
                push_game(text, game);
            }
            Self::Forecast { model_type, season, generation, game, commitment, .. } => {
                writeln!(text, "{model_type} {season} {generation}")?;
                push_game(text, game);
                write!(text, "\nsha256:{commitment}")?;
            }
            Self::Final { season, generation, game, ending, .. } => {
                writeln!(text, "{season} {generation}")?;
                push_game(text, game);
                write!(text, "\n{ending}")?;
            }
        }
        Ok(())
    }

    /// Parses a leaf, in its one form alone.
    ///
    /// # Errors
    ///
    /// [`NotALeaf`] if the text is too long or has another form.
    pub fn parse(text: &str) -> Result<Self, NotALeaf> {
        if text.len() > LEAF_LIMIT {
            return Err(NotALeaf::TooLong);
        }
        let leaf = parse_lines(text).ok_or(NotALeaf::OtherForm)?;
        // The one form is the one that is written.
        if leaf.to_text() == text { Ok(leaf) } else { Err(NotALeaf::OtherForm) }
    }
}

fn parse_lines(text: &str) -> Option<Leaf> {
    let mut lines = text.strip_suffix('\n')?.split('\n');
    let (form, kind) = lines.next()?.split_once(' ')?;
    let (sport, head) = lines.next()?.split_once(' ')?;
    let sport = sport.parse().ok()?;
    let body: Vec<_> = lines.collect();
    if form != FORM {
        return None;
    }
    match kind {
        "release" => parse_release(sport, head, &body),
        "restart" => {
            let [lost] = body[..] else { return None };
            Some(Leaf::Restart { sport, generation: head.parse().ok()?, lost: parse_hash(lost)? })
        }
        "model" => parse_model(sport, head, &body),
        "moved" | "final" => parse_game_event(kind, sport, head, &body),
        "withdrawn" | "forecast" => parse_forecast(kind, sport, head, &body),
        _ => None,
    }
}

fn parse_release(sport: Sport, head: &str, body: &[&str]) -> Option<Leaf> {
    let [hash] = *body else { return None };
    let [generation, instant, clock] = words(head)?;
    let (generation, published_at) = (generation.parse().ok()?, parse_instant(instant)?);
    let clock = ClockSource::from_word(clock)?;
    let continues = Some(parse_hash(hash)?).filter(|entry| entry.to_string() != NO_ENTRY);
    Some(Leaf::Release { sport, generation, published_at, clock, continues })
}

fn parse_model(sport: Sport, head: &str, body: &[&str]) -> Option<Leaf> {
    let [line] = *body else { return None };
    let [model, version, hash] = words(line)?;
    let sha256 = if hash == NO_HASH { None } else { Some(parse_hash(hash)?) };
    let version = if version == model_version::NONE { None } else { Some(parse_version(version)?) };
    Some(Leaf::Model { sport, generation: head.parse().ok()?, model: model.parse().ok()?, version, sha256 })
}

fn parse_game_event(kind: &str, sport: Sport, head: &str, body: &[&str]) -> Option<Leaf> {
    let [first, second] = *body else { return None };
    let [season, generation] = words(head)?;
    let (season, generation) = (Season::parse(sport, season).ok()?, generation.parse().ok()?);
    let game = parse_game(first)?;
    Some(if kind == "moved" {
        Leaf::Moved { sport, season, generation, from: game, to: parse_game(second)? }
    } else {
        Leaf::Final { sport, season, generation, game, ending: RecordedEnding::parse(second)? }
    })
}

fn parse_forecast(kind: &str, sport: Sport, head: &str, body: &[&str]) -> Option<Leaf> {
    let [model_type, season, generation] = words(head)?;
    let (model_type, season) = (model_type.parse().ok()?, Season::parse(sport, season).ok()?);
    let generation = generation.parse().ok()?;
    match (kind, body) {
        ("forecast", [game, commitment]) => {
            let (game, commitment) = (parse_game(game)?, parse_hash(commitment)?);
            Some(Leaf::Forecast { sport, model_type, season, generation, game, commitment })
        }
        ("withdrawn", [game]) => {
            Some(Leaf::Withdrawn { sport, model_type, season, generation, game: parse_game(game)? })
        }
        _ => None,
    }
}

/// Splits a line into exactly this many words.
fn words<const N: usize>(line: &str) -> Option<[&str; N]> {
    line.split(' ').collect::<Vec<_>>().try_into().ok()
}

fn parse_hash(text: &str) -> Option<ObjectHash> {
    text.strip_prefix("sha256:")?.parse().ok()
}

/// Writes an instant to the millisecond, the precision of the log.
pub(crate) fn instant_text(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Millis, true)
}

pub(crate) fn parse_instant(text: &str) -> Option<DateTime<Utc>> {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.3fZ").ok().map(|instant| instant.and_utc())
}
