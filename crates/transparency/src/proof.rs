use std::fmt;
use std::fmt::Write as _;

use sports_domain::FormError;

use crate::inclusion::{InclusionError, verify_inclusion};
use crate::leaf::LEAF_LIMIT;
use crate::note::{Cosignature, NOTE_LIMIT, NotSigned, SignedCheckpoint, is_terminal_control, parse_number};
use crate::opening::{NOT_AN_OPENING, Opening};
use crate::{TreeHash, VerifierKey, hash, payload};

const FORM: &str = "c2sp.org/tlog-proof@v1";

/// The number of lines of the longest path.
const LONGEST_PATH: usize = 64;

/// The proof of one forecast: a file of the form c2sp.org/tlog-proof@v1 whose `extra` is the opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForecastProof {
    /// The leaf, its salt and its payload.
    pub opening: Opening,
    /// The index of the leaf.
    pub index: u64,
    /// The path from the leaf to the root.
    pub path: Vec<TreeHash>,
    /// The checkpoint whose tree has the leaf.
    pub checkpoint: SignedCheckpoint,
}

const NO_BLANK: FormError = FormError::fixed("the blank line before the checkpoint is missing");

/// The reason for which a proof does not prove its forecast.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotProven {
    /// The entry is not the leaf of a forecast.
    #[error("the entry is not the leaf of a forecast")]
    NotAForecast,
    /// Salt and payload do not give the commitment of the leaf.
    #[error("salt and payload do not give the commitment of the leaf")]
    OtherCommitment,
    /// The payload is one of another game or market than the leaf.
    #[error("the payload is not one of the game and the market of the leaf")]
    OtherGame,
    /// The payload has control characters, with which it could alter a verdict on a terminal.
    #[error("the payload has a control character")]
    ControlCharacter,
    /// The checkpoint is not signed.
    #[error(transparent)]
    NotSigned(#[from] NotSigned),
    /// The leaf is not in the tree.
    #[error(transparent)]
    NotIncluded(#[from] InclusionError),
}

/// A forecast that is in a signed tree, and the witnesses of that tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// The cosignatures of the known witnesses.
    pub cosignatures: Vec<Cosignature>,
}

impl ForecastProof {
    /// Reads a proof. Nothing is verified.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the file is too long or malformed.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormError> {
        if bytes.len() > NOTE_LIMIT {
            return Err(FormError::fixed("the proof is longer than 1 MiB"));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| FormError::fixed("the proof is not UTF-8 text"))?;
        let (FORM, rest) = text.split_once('\n').unwrap_or((text, "")) else {
            return Err(FormError::new(format!("the file does not begin with {FORM}")));
        };
        let lines: Vec<_> = rest.split('\n').collect();
        let [extra, index, rest @ ..] = &lines[..] else { return Err(NO_BLANK) };
        let blank = rest.iter().position(|line| line.is_empty()).filter(|blank| blank + 1 < rest.len());
        let (path, note) = rest.split_at(blank.ok_or(NO_BLANK)?);
        let extra =
            extra.strip_prefix("extra ").ok_or(FormError::fixed("the second line is not `extra` and base64"))?;
        let json = hash::decode(extra).and_then(|json| String::from_utf8(json).ok()).ok_or(NOT_AN_OPENING)?;
        let opening = Opening::parse(&json)?;
        let index = index
            .strip_prefix("index ")
            .and_then(parse_number)
            .ok_or(FormError::fixed("the third line is not `index` and a number"))?;
        if path.len() > LONGEST_PATH {
            return Err(FormError::new(format!("the path has more than {LONGEST_PATH} lines")));
        }
        let path: Result<Vec<TreeHash>, _> = path.iter().map(|line| line.parse()).collect();
        let path = path.map_err(|_| FormError::fixed("a line of the path is not a hash in base64"))?;
        let checkpoint: SignedCheckpoint = note[1..].join("\n").parse()?;
        Ok(Self { opening, index, path, checkpoint })
    }

    /// Verifies that the forecast is in a tree that `log` signed, and the cosignatures of the known witnesses.
    ///
    /// # Errors
    ///
    /// [`NotProven`] if anything does not hold.
    pub fn verify(&self, log: &VerifierKey, witnesses: &[VerifierKey]) -> Result<Logged, NotProven> {
        let Opening { entry, salt, payload } = &self.opening;
        let forecast = ForecastEntry::read(entry).ok_or(NotProven::NotAForecast)?;
        if salt.commit(payload.as_bytes()).to_string() != forecast.commitment {
            return Err(NotProven::OtherCommitment);
        }
        if !payload.starts_with(&forecast.payload_start()) {
            return Err(NotProven::OtherGame);
        }
        if payload.contains(is_terminal_control) {
            return Err(NotProven::ControlCharacter);
        }
        let cosignatures = self.checkpoint.verify(log, witnesses)?;
        let checkpoint = self.checkpoint.checkpoint();
        let leaf = TreeHash::of_leaf(entry.as_bytes());
        verify_inclusion(leaf, self.index, checkpoint.size, &self.path, checkpoint.root)?;
        Ok(Logged { cosignatures })
    }
}

impl fmt::Display for ForecastProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extra = hash::encode(self.opening.to_json().as_bytes());
        writeln!(f, "{FORM}\nextra {extra}\nindex {}", self.index)?;
        self.path.iter().try_for_each(|hash| writeln!(f, "{hash}"))?;
        f.write_char('\n')?;
        self.checkpoint.fmt(f)
    }
}

// The leaf of a forecast as a reader of a proof sees it: by its form alone, since a verifier's code outlives the list of
// leagues.

/// The parts of a forecast leaf that its payload repeats, and the commitment.
pub(crate) struct ForecastEntry<'a> {
    sport: &'a str,
    model_type: &'a str,
    season: &'a str,
    date: &'a str,
    time: Option<&'a str>,
    away: &'a str,
    home: &'a str,
    number: Option<&'a str>,
    /// The commitment, as hexadecimal digits.
    pub(crate) commitment: &'a str,
}

impl<'a> ForecastEntry<'a> {
    /// Reads the text of a leaf; `None` if it is not a forecast's.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        if text.len() > LEAF_LIMIT {
            return None;
        }
        let lines: Vec<_> = text.strip_suffix('\n')?.split('\n').collect();
        let ["sports-record/v1 forecast", head, game, hash] = lines[..] else { return None };
        let [sport, model_type, season, generation] = head.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let game: Vec<_> = game.split(' ').collect();
        let ([date, time, away, home], number) = match game[..] {
            [date, time, away, home] => ([date, time, away, home], None),
            [date, time, away, home, number] => ([date, time, away, home], Some(number.strip_prefix('#')?)),
            _ => return None,
        };
        let commitment = hash.strip_prefix("sha256:")?;
        let is_season = has_form(season, "0000") || has_form(season, "0000-00");
        let is_time = time == "-" || has_form(time, "00:00:00");
        let are_words = is_word(sport) && is_word(model_type) && is_word(away) && is_word(home);
        let are_numbers = is_number(generation) && number.is_none_or(is_number);
        let is_hash = commitment.len() == 64 && commitment.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let time = Some(time).filter(|time| *time != "-");
        (is_season && is_time && are_words && are_numbers && is_hash && has_form(date, "0000-00-00")).then_some(Self {
            sport,
            model_type,
            season,
            date,
            time,
            away,
            home,
            number,
            commitment,
        })
    }

    /// Returns the bytes with which the payload of this leaf begins.
    pub(crate) fn payload_start(&self) -> String {
        let Self { sport, model_type, season, date, away, home, .. } = self;
        let time = self.time.map_or_else(|| "null".to_owned(), |time| format!("\"{time}\""));
        let number = self.number.map_or_else(String::new, |number| format!(",\"game_number\":{number}"));
        format!(
            "{{\"form\":\"{form}\",\"sport\":\"{sport}\",\"model_type\":\"{model_type}\",\"season\":\"{season}\",\
             \"date\":\"{date}\",\"time_est\":{time},\"away_team\":\"{away}\",\"home_team\":\"{home}\"{number},\
             \"release_id\":\"",
            form = payload::FORM,
        )
    }
}

/// Returns `true` for text of a form in which `0` stands for a digit and everything else for itself.
fn has_form(text: &str, form: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| if form == b'0' { byte.is_ascii_digit() } else { byte == form };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// Returns `true` for a whole number from 1 without additional zeros.
fn is_number(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}
