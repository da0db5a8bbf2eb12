use std::cmp::Ordering;
use std::fmt;
use std::fmt::Write as _;
use std::ops::Deref;
use std::str::FromStr;

use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{ClockSource, FinalScore, FormError, GameKey, ModelName, ModelType, Season, Sport};

use crate::game_text::{parse_game, push_game};
use crate::{KeyKind, TreeHash, VerifierKey};

/// The length of the longest leaf, in bytes: what two bytes of an entry bundle can state.
pub const LEAF_LIMIT: usize = 65_535;

/// A leaf of a league's tree: what an entry of its log states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    pub sport: Sport,
    /// The generation of the entry that adds the leaf.
    pub generation: u64,
    pub fact: LeafFact,
}

/// The statement of a leaf, in the order of kinds within one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeafFact {
    /// An entry of the log; the first leaf of each entry.
    Release {
        /// The publication instant of the entry, to the millisecond.
        published_at: DateTime<Utc>,
        /// The origin of that instant.
        clock: ClockSource,
        /// The entry that it continues; `None` for the first entry of a log.
        continues: Option<ObjectHash>,
    },
    /// A record that begins anew after a loss.
    Restart {
        /// The SHA-256 of the text of the lost checkpoint.
        lost: ObjectHash,
    },
    /// A key that signs the tree from here on.
    Key { vkey: VerifierKey },
    /// A new version of a model.
    Model {
        model: ModelName,
        /// The version, in the publisher's words.
        version: Option<String>,
        /// The hash that the publisher declared.
        sha256: Option<ObjectHash>,
    },
    /// Another start of a game with a live row.
    Moved {
        season: Season,
        /// The game with its old start.
        from: GameKey,
        /// The game with its new start.
        to: GameKey,
    },
    /// A live row that lost its forecast.
    Withdrawn { model_type: ModelType, season: Season, game: GameKey },
    /// A forecast of this entry, as a commitment.
    Forecast {
        model_type: ModelType,
        season: Season,
        game: GameKey,
        /// The commitment to salt and payload.
        commitment: ObjectHash,
    },
    /// The ending of a game with a live row came, changed or went.
    Final { season: Season, game: GameKey, ending: RecordedEnding },
    /// A statement of a kind that a later program writes, which is passed over.
    Unknown {
        /// The word of the kind.
        kind: String,
        /// The words between league and generation, each with a space behind it.
        words: String,
        /// The lines below, each with its line break before it.
        lines: String,
    },
}

impl Leaf {
    /// Compares two leaves of one entry by their order in the tree: by kind, then by market, then by game. Models
    /// are ordered by name.
    pub fn record_order(&self, other: &Self) -> Ordering {
        self.fact.rank().cmp(&other.fact.rank())
    }
}

impl LeafFact {
    /// Returns the SHA-256 of the text of the lost checkpoint that the leaf states; `None` for leaves of other kinds.
    pub const fn lost_checkpoint(&self) -> Option<ObjectHash> {
        match self {
            Self::Restart { lost } => Some(*lost),
            _ => None,
        }
    }

    /// Returns the word of the leaf's kind.
    pub fn kind(&self) -> &str {
        match self {
            Self::Release { .. } => "release",
            Self::Restart { .. } => "restart",
            Self::Key { .. } => "key",
            Self::Model { .. } => "model",
            Self::Moved { .. } => "moved",
            Self::Withdrawn { .. } => "withdrawn",
            Self::Forecast { .. } => "forecast",
            Self::Final { .. } => "final",
            Self::Unknown { kind, .. } => kind,
        }
    }

    /// Returns `true` for a kind that this program does not know.
    pub const fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }

    /// Returns the game that the leaf is about, with its old start if it moved; `None` for leaves about something else.
    pub const fn game(&self) -> Option<&GameKey> {
        match self {
            Self::Moved { from: game, .. }
            | Self::Withdrawn { game, .. }
            | Self::Forecast { game, .. }
            | Self::Final { game, .. } => Some(game),
            Self::Release { .. }
            | Self::Restart { .. }
            | Self::Key { .. }
            | Self::Model { .. }
            | Self::Unknown { .. } => None,
        }
    }

    fn rank(&self) -> (u8, Option<ModelName>, Option<ModelType>, Option<&GameKey>) {
        match self {
            Self::Release { .. } => (0, None, None, None),
            Self::Restart { .. } => (1, None, None, None),
            Self::Key { .. } => (2, None, None, None),
            Self::Model { model, .. } => (3, Some(*model), None, None),
            Self::Moved { from, .. } => (4, None, None, Some(from)),
            Self::Withdrawn { model_type, game, .. } => (5, None, Some(*model_type), Some(game)),
            Self::Forecast { model_type, game, .. } => (6, None, Some(*model_type), Some(game)),
            Self::Final { game, .. } => (7, None, None, Some(game)),
            Self::Unknown { .. } => (8, None, None, None),
        }
    }
}

// The one text of a leaf: a first line with the kind, then lines by kind, each ended by LF.

const FORM: &str = "sports-record/v1";

const NO_HASH: &str = "-";

/// The link of the first entry of a log.
const NO_ENTRY: &str = "0000000000000000000000000000000000000000000000000000000000000000";

const NOT_A_LEAF: FormError = FormError::fixed("not a leaf of the record in the form sports-record/v1");

impl Leaf {
    pub fn to_text(&self) -> String {
        // As long as most leaves.
        let mut text = String::with_capacity(256);
        // Writing to a text cannot fail.
        _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        let Self { sport, generation, fact } = self;
        write!(text, "{FORM} {}\n{} ", fact.kind(), sport.code())?;
        match fact {
            LeafFact::Release { published_at, clock, continues } => {
                let entry = continues.map_or_else(|| NO_ENTRY.to_owned(), |entry| entry.to_string());
                let (instant, clock) = (instant_text(*published_at), clock.word());
                write!(text, "{generation} {instant} {clock}\nsha256:{entry}")?;
            }
            LeafFact::Restart { lost } => write!(text, "{generation}\nsha256:{lost}")?,
            LeafFact::Key { vkey } => write!(text, "{generation}\n{vkey}")?,
            LeafFact::Model { model, version, sha256 } => {
                let hash = sha256.map_or_else(|| NO_HASH.to_owned(), |hash| format!("sha256:{hash}"));
                write!(text, "{generation}\n{model} {} {hash}", version_text(version.as_deref()))?;
            }
            LeafFact::Moved { season, from, to } => {
                writeln!(text, "{season} {generation}")?;
                push_game(text, from);
                text.push('\n');
                push_game(text, to);
            }
            LeafFact::Withdrawn { model_type, season, game } => {
                writeln!(text, "{model_type} {season} {generation}")?;
                push_game(text, game);
            }
            LeafFact::Forecast { model_type, season, game, commitment } => {
                writeln!(text, "{model_type} {season} {generation}")?;
                push_game(text, game);
                write!(text, "\nsha256:{commitment}")?;
            }
            LeafFact::Final { season, game, ending } => {
                writeln!(text, "{season} {generation}")?;
                push_game(text, game);
                write!(text, "\n{ending}")?;
            }
            LeafFact::Unknown { words, lines, .. } => write!(text, "{words}{generation}{lines}")?,
        }
        text.push('\n');
        Ok(())
    }

    /// Parses a leaf, in its one form alone. Of a kind that this program does not know, that is a first line with the kind, and a
    /// second one from the league to the generation.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the text is too long or has another form.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        if text.len() > LEAF_LIMIT {
            return Err(FormError::new(format!("a leaf has at most {LEAF_LIMIT} bytes")));
        }
        let leaf = parse_lines(text).ok_or(NOT_A_LEAF)?;
        // The one form is the one that is written.
        if leaf.to_text() == text { Ok(leaf) } else { Err(NOT_A_LEAF) }
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
    let (generation, fact) = match (kind, &body[..]) {
        ("release", [hash]) => {
            let [generation, instant, clock] = words(head)?;
            let (published_at, clock) = (parse_instant(instant)?, ClockSource::from_word(clock)?);
            let continues = Some(parse_hash(hash)?).filter(|entry| entry.to_string() != NO_ENTRY);
            (generation, LeafFact::Release { published_at, clock, continues })
        }
        ("restart", [lost]) => (head, LeafFact::Restart { lost: parse_hash(lost)? }),
        ("key", [vkey]) => {
            let vkey = vkey.parse().ok().filter(|vkey: &VerifierKey| vkey.kind() == KeyKind::Log)?;
            (head, LeafFact::Key { vkey })
        }
        ("model", [line]) => (head, parse_model(line)?),
        ("moved" | "final", [first, second]) => {
            let [season, generation] = words(head)?;
            let (season, game) = (Season::parse(sport, season).ok()?, parse_game(first)?);
            let fact = if kind == "moved" {
                LeafFact::Moved { season, from: game, to: parse_game(second)? }
            } else {
                LeafFact::Final { season, game, ending: RecordedEnding::parse(second)? }
            };
            (generation, fact)
        }
        ("withdrawn" | "forecast", [game, rest @ ..]) => {
            let [model_type, season, generation] = words(head)?;
            let (model_type, season) = (model_type.parse().ok()?, Season::parse(sport, season).ok()?);
            let game = parse_game(game)?;
            let fact = match (kind, rest) {
                ("withdrawn", []) => LeafFact::Withdrawn { model_type, season, game },
                ("forecast", [commitment]) => {
                    LeafFact::Forecast { model_type, season, game, commitment: parse_hash(commitment)? }
                }
                _ => return None,
            };
            (generation, fact)
        }
        (kind, lines) if !KNOWN.contains(&kind) && is_kind(kind) => {
            let at = head.rfind(' ').map_or(0, |space| space + 1);
            let lines = lines.iter().flat_map(|line| ["\n", line]).collect();
            let (words, generation) = head.split_at(at);
            (generation, LeafFact::Unknown { kind: kind.to_owned(), words: words.to_owned(), lines })
        }
        _ => return None,
    };
    Some(Leaf { sport, generation: generation.parse().ok()?, fact })
}

/// The kinds that this program writes.
const KNOWN: [&str; 8] = ["release", "restart", "key", "model", "moved", "withdrawn", "forecast", "final"];

/// Returns true for the word of a kind, known or not.
fn is_kind(word: &str) -> bool {
    (1..=32).contains(&word.len()) && word.bytes().all(|symbol| matches!(symbol, b'a'..=b'z' | b'_'))
}

fn parse_model(line: &str) -> Option<LeafFact> {
    let [model, version, hash] = words(line)?;
    let sha256 = if hash == NO_HASH { None } else { Some(parse_hash(hash)?) };
    let version = if version == NONE { None } else { Some(parse_version(version)?) };
    Some(LeafFact::Model { model: model.parse().ok()?, version, sha256 })
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

/// The ending of a game in a `final` leaf: `17 10 settled`, `- - postponed` or `- - -`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RecordedEnding {
    /// The game has a final.
    Final {
        score: FinalScore,
        /// `settled`, or the publisher's own word.
        status: StatusWord,
    },
    /// The game was called off.
    CalledOff {
        /// The reason, never `settled`.
        status: StatusWord,
    },
    /// The game has an ending no longer.
    Gone,
}

impl RecordedEnding {
    pub(crate) const SETTLED: &str = "settled";

    /// Returns the score of a final.
    pub const fn score(&self) -> Option<FinalScore> {
        match self {
            Self::Final { score, .. } => Some(*score),
            Self::CalledOff { .. } | Self::Gone => None,
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut words = text.splitn(3, ' ');
        match (words.next()?, words.next()?, words.next()?) {
            ("-", "-", "-") => Some(Self::Gone),
            ("-", "-", Self::SETTLED) => None,
            ("-", "-", status) => Some(Self::CalledOff { status: status.parse().ok()? }),
            (away, home, status) => {
                let score = FinalScore { away: away.parse().ok()?, home: home.parse().ok()? };
                Some(Self::Final { score, status: status.parse().ok()? })
            }
        }
    }
}

impl fmt::Display for RecordedEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Final { score, status } => write!(f, "{} {} {status}", score.away, score.home),
            Self::CalledOff { status } => write!(f, "- - {status}"),
            Self::Gone => f.write_str("- - -"),
        }
    }
}

/// The status of an ending in a leaf: 1 to 64 lower-case letters, digits, `_`, `-` or spaces, other than `-` alone, which
/// stands for no status.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StatusWord(String);

impl StatusWord {
    /// The length of the longest status.
    pub const MOST: usize = 64;
    const NONE: &str = "-";

    /// Returns the word, or the nearest status of a word that an earlier program recorded in another form: in lower case,
    /// each other character as `_`, one `_` behind it, and cut off.
    pub fn like(word: &str) -> Self {
        word.parse().unwrap_or_else(|_| {
            let plain = word.chars().map(|symbol| symbol.to_ascii_lowercase());
            let plain = plain.map(|symbol| if is_plain(symbol) { symbol } else { '_' });
            Self(plain.take(Self::MOST - 1).chain(['_']).collect())
        })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const fn is_plain(symbol: char) -> bool {
    matches!(symbol, 'a'..='z' | '0'..='9' | '_' | ' ' | '-')
}

impl FromStr for StatusWord {
    type Err = FormError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let fits = (1..=Self::MOST).contains(&word.len()) && word.chars().all(is_plain) && word != Self::NONE;
        let refused = || {
            FormError::new(format!(
                "`{word}` cannot be recorded as the status of a game: expected 1 to {} lower-case letters, digits, `_`, `-` or \
                 spaces, other than `-` alone",
                Self::MOST
            ))
        };
        fits.then(|| Self(word.to_owned())).ok_or_else(refused)
    }
}

impl fmt::Display for StatusWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

// The version of a model in a leaf: `-` for none, and bytes outside `[A-Za-z0-9_.+-]` percent-encoded.

/// The text of no version.
pub(crate) const NONE: &str = "-";

pub(crate) fn version_text(version: Option<&str>) -> String {
    let Some(version) = version else { return NONE.to_owned() };
    let mut text = String::with_capacity(version.len());
    for byte in version.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-');
        if is_plain && version != NONE {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Reads a version that is stated. Other texts of the same version are refused by comparison with its one text.
pub(crate) fn parse_version(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first == b'%' {
            let (digits, tail) = rest.split_at_checked(2)?;
            bytes.extend(hex::decode(digits).ok()?);
            rest = tail;
        } else {
            bytes.push(*first);
        }
    }
    let version = String::from_utf8(bytes).ok()?;
    (version_text(Some(&version)) == text).then_some(version)
}

/// A leaf with its text, which is hashed, stored and served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenLeaf {
    leaf: Leaf,
    text: String,
}

impl WrittenLeaf {
    /// Parses a leaf, in its one form alone.
    ///
    /// # Errors
    ///
    /// The errors of [`Leaf::parse`].
    pub fn parse(text: String) -> Result<Self, FormError> {
        Ok(Self { leaf: Leaf::parse(&text)?, text })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the hash of the leaf in the tree.
    pub fn hash(&self) -> TreeHash {
        TreeHash::of_leaf(self.text.as_bytes())
    }
}

impl From<Leaf> for WrittenLeaf {
    fn from(leaf: Leaf) -> Self {
        Self { text: leaf.to_text(), leaf }
    }
}

impl Deref for WrittenLeaf {
    type Target = Leaf;

    fn deref(&self) -> &Leaf {
        &self.leaf
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for WrittenLeaf {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.text())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for WrittenLeaf {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::parse(String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}
