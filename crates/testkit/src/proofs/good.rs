//! Proofs that hold, cosigned in time or not.

use sports_domain::content::ObjectHash;
use sports_transparency::{Checkpoint, KeyKind, RightEdge, SignatureLine, SigningKey, Tree, TreeHash, inclusion_path};

use super::ProofVector;

const PROVEN: &[i32] = &[0];

const LOGGED: &[i32] = &[3];

const NEUTRAL: &str = "— example.com/api/v1/record/nfl \
                       0ChFmAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAErpLYc23g9q5UOkHsBIq+uPguxQS7PWk2x4fi4Wfwgk=";

pub(super) fn vectors() -> Vec<ProofVector> {
    let mut vectors = times();
    vectors.extend(shapes());
    vectors.extend(lines());
    vectors.extend(openings());
    vectors
}

/// Times of cosignatures around the start.
fn times() -> Vec<ProofVector> {
    let table: [(&str, &[u64], &[i32]); 8] = [
        ("cosigned in time", &[START_SECOND - 23_400], PROVEN),
        ("cosigned in the second before the start", &[START_SECOND - 1], PROVEN),
        ("cosigned in the second of the start", &[START_SECOND], LOGGED),
        ("cosigned after the start", &[START_SECOND + 1], LOGGED),
        ("cosigned in the last second there is", &[i64::MAX.unsigned_abs()], LOGGED),
        ("cosigned after the start and before", &[START_SECOND + 5, START_SECOND - 5], PROVEN),
        ("cosigned without a time", &[0], LOGGED),
        ("not cosigned", &[], LOGGED),
    ];
    table
        .into_iter()
        .map(|(name, times, codes)| {
            ProofVector::new(name, Maker { times: times.to_vec(), ..Maker::good() }.text(), codes)
        })
        .collect()
}

/// Trees and games of other shapes.
fn shapes() -> Vec<ProofVector> {
    let mut vectors = Vec::new();
    for (index, size) in [(0, 1), (0, 2), (1, 2), (2, 3), (255, 256), (256, 257), (600, 1030), (0, 1025), (1024, 1025)]
    {
        let proof = Maker { index, size, ..Maker::good() };
        vectors.push(ProofVector::new(format!("leaf {index} of {size}"), proof.text(), PROVEN));
    }
    let payload = PAYLOAD.replace("\"16:30:00\"", "null");
    let game = GAME.replace("16:30:00", "-");
    vectors.push(ProofVector::new(
        "a game without a time",
        Maker::of(entry_of("won_on_points", &game, &payload), &payload).text(),
        PROVEN,
    ));
    let payload = payload.replace(",\"release_id\"", ",\"game_number\":2,\"release_id\"");
    let entry = entry_of("won_on_points", &format!("{game} #2"), &payload);
    vectors.push(ProofVector::new("the second game of a day", Maker::of(entry, &payload).text(), PROVEN));
    let payload = PAYLOAD.replace("a54aac9ef36b", "Ünïcode 🏈 \\\" \u{7f}\u{2028}");
    let entry = entry_of("won_on_points", GAME, &payload);
    vectors.push(ProofVector::new("a release with an unusual name", Maker::of(entry, &payload).text(), PROVEN));
    // 65,535 bytes, the longest leaf: the name of a team fills it.
    let short = entry_of("won_on_points", GAME, PAYLOAD).len();
    let long = "x".repeat(65_535 - short);
    let payload = PAYLOAD.replace("ravens", &format!("ravens{long}"));
    let entry = entry_of("won_on_points", &format!("{GAME}{long}"), &payload);
    vectors.push(ProofVector::new("a leaf of 65,535 bytes", Maker::of(entry, &payload).text(), PROVEN));
    vectors
}

/// Lines of signatures beside those of known keys.
fn lines() -> Vec<ProofVector> {
    let good = Maker::good();
    let unknown: Vec<_> = (10..40).map(|seed| unknown_line(&good.checkpoint(), seed).to_string()).collect();
    let with = |name: &str, change: &dyn Fn(&mut Vec<String>), codes| {
        let mut parts = good.parts();
        change(&mut parts.signatures);
        ProofVector::new(name, parts.text(), codes)
    };
    let before = |count: usize| {
        let unknown = &unknown;
        move |lines: &mut Vec<String>| lines.splice(1..1, unknown[..count].iter().cloned()).for_each(drop)
    };
    let full = |length: usize| {
        let mut parts = good.parts();
        parts.signatures.extend(unknown[..15].iter().cloned());
        let filler = length - parts.text().len() - 1;
        parts.signatures.push("x".repeat(filler));
        parts.text()
    };
    vec![
        with("the witness' line before the log's", &|lines| lines.swap(0, 1), PROVEN),
        with("a line of an unknown witness", &before(1), PROVEN),
        with("an unknown line of another kind", &|lines| lines.push("— other.example/key AAAAAAAA".to_owned()), PROVEN),
        with("15 lines before the witness'", &before(15), PROVEN),
        with("16 lines before the witness'", &before(16), LOGGED),
        with("30 lines before the log's", &|lines| lines.splice(0..0, unknown.iter().cloned()).for_each(drop), LOGGED),
        with(
            "a malformed line behind 16 others",
            &|lines| {
                lines.extend(unknown[..15].iter().cloned());
                lines.push("no signature".to_owned());
            },
            PROVEN,
        ),
        // Made by another program, of the log's private key: R is the neutral point, which RFC 8032 permits.
        with("a signature whose R is the neutral point", &|lines| NEUTRAL.clone_into(&mut lines[0]), PROVEN),
        ProofVector::new("1 MiB of lines", full(1 << 20), PROVEN),
        ProofVector::new("1 MiB and a byte", full((1 << 20) + 1), &[1]),
    ]
}

/// Openings in another notation of JSON.
fn openings() -> Vec<ProofVector> {
    let good = Maker::good();
    let spaced = json_of(&[("payload", PAYLOAD), ("entry", &good.entry), ("salt", SALT)]).replace("\":\"", "\" :\t\"");
    let escaped = json_of(&[("entry", &good.entry), ("salt", SALT), ("payload", PAYLOAD)]);
    let escaped =
        escaped.replacen("entry", "\\u0065ntry", 1).replace("ravens", "r\\u0061v\\u0065ns").replace('/', "\\/");
    [("spaces and another order of fields", format!(" \r\n{spaced} ")), ("escapes without need", escaped)]
        .into_iter()
        .map(|(name, json)| {
            let mut parts = good.parts();
            parts.extra = json.into_bytes();
            ProofVector::new(name, parts.text(), PROVEN)
        })
        .collect()
}

/// The vkey of the log that signs the vectors.
pub const LOG: &str = "example.com/api/v1/record/nfl+d0284598+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";

/// The vkey of the witness that the readers of the vectors know.
pub const WITNESS: &str = "witness.example.com/w1+745fb5e8+BIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU";

/// The start of the game: second 1704576600 since 1970.
pub const START: &str = "2024-01-06T21:30:00.5Z";

/// The second of [`START`].
pub(super) const START_SECOND: u64 = 1_704_576_600;

pub(super) const SALT: &str = "8f45592e4bc851941780012960144068a4a46510561759319f6766215cd78bd0";

pub(super) const GAME: &str = "2024-01-06 16:30:00 pittsburgh_steelers baltimore_ravens";

pub(super) const PAYLOAD: &str = concat!(
    r#"{"form":"sports-forecast/v1","sport":"nfl","model_type":"won_on_points","season":"2023-24","date":"2024-01-06","#,
    r#""time_est":"16:30:00","away_team":"pittsburgh_steelers","home_team":"baltimore_ravens","#,
    r#""release_id":"2024-01-06.20240106T150000000Z.a54aac9ef36b","published_at":"2024-01-06T15:00:00.000Z","#,
    r#""clock":"set","lines":{"home_money_line":130,"away_money_line":-155},"probabilities":{"BLEND":0.5661}}"#,
);

/// A proof in the making: its parts as text, so that any of them can be wrong.
#[derive(Clone)]
pub(super) struct Maker {
    pub(super) entry: String,
    pub(super) salt: String,
    pub(super) payload: String,
    pub(super) index: u64,
    pub(super) size: u64,
    pub(super) origin: &'static str,
    /// The times of the known witness' cosignatures.
    pub(super) times: Vec<u64>,
}

/// The parts of a finished proof.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) extra: Vec<u8>,
    pub(super) index: String,
    pub(super) path: Vec<String>,
    pub(super) checkpoint: String,
    pub(super) signatures: Vec<String>,
}

impl Maker {
    /// The forecast of the design's vector, leaf 20 of 37, cosigned six hours before the start.
    pub(super) fn good() -> Self {
        Self {
            entry: entry_of("won_on_points", GAME, PAYLOAD),
            salt: SALT.to_owned(),
            payload: PAYLOAD.to_owned(),
            index: 20,
            size: 37,
            origin: "example.com/api/v1/record/nfl",
            times: vec![START_SECOND - 23_400],
        }
    }

    /// Another forecast under the same salt.
    pub(super) fn of(entry: String, payload: &str) -> Self {
        Self { entry, payload: payload.to_owned(), ..Self::good() }
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        let root = RightEdge::of(&self.tree(), self.size).expect("all hashes").root();
        Checkpoint { origin: self.origin.parse().expect("a name"), size: self.size, root }
    }

    fn tree(&self) -> Tree {
        let other = |index: u64| format!("another leaf, {index}");
        let text = |index: u64| if index == self.index { self.entry.clone() } else { other(index) };
        let leaf = |index: u64| TreeHash::of_leaf(text(index).as_bytes());
        (0..self.size).map(leaf).collect()
    }

    pub(super) fn parts(&self) -> Parts {
        let path = inclusion_path(&self.tree(), self.index, self.size).expect("all hashes");
        let checkpoint = self.checkpoint();
        let mut signatures = vec![log().sign(&checkpoint)];
        signatures.extend(self.times.iter().map(|time| witness().cosign(&checkpoint, *time)));
        let Self { entry, salt, payload, .. } = self;
        Parts {
            extra: json_of(&[("entry", entry), ("salt", salt), ("payload", payload)]).into_bytes(),
            index: self.index.to_string(),
            path: path.iter().map(ToString::to_string).collect(),
            checkpoint: checkpoint.to_string(),
            signatures: signatures.iter().map(ToString::to_string).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        self.parts().text()
    }
}

impl Parts {
    pub(super) fn text(&self) -> String {
        let lines = |lines: &[String]| lines.iter().map(|line| line.clone() + "\n").collect::<String>();
        format!(
            "c2sp.org/tlog-proof@v1\nextra {}\nindex {}\n{}\n{}\n{}",
            base64(&self.extra),
            self.index,
            lines(&self.path),
            self.checkpoint,
            lines(&self.signatures),
        )
    }
}

/// Returns the text of a forecast's leaf.
pub(super) fn entry_of(market: &str, game: &str, payload: &str) -> String {
    let salt: [u8; 32] = std::array::from_fn(|at| u8::from_str_radix(&SALT[2 * at..2 * at + 2], 16).expect("digits"));
    let commitment = ObjectHash::from_bytes(&[b"sports-forecast/v1\n", salt.as_slice(), payload.as_bytes()].concat());
    format!("sports-record/v1 forecast\nnfl {market} 2023-24 1\n{game}\nsha256:{commitment}\n")
}

/// Returns an object of JSON with these strings, none of which has a control character but LF and the escape of a terminal.
pub(super) fn json_of(fields: &[(&str, &str)]) -> String {
    let escaped =
        |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\u{1b}', "\\u001b");
    let fields: Vec<_> = fields.iter().map(|(name, text)| format!("\"{name}\":\"{}\"", escaped(text))).collect();
    format!("{{{}}}", fields.join(","))
}

/// Encodes bytes in base64 with padding, by hand: the crate under test has no part in it.
pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().enumerate().fold(0, |bits, (at, byte)| bits | usize::from(*byte) << (16 - 8 * at));
        for at in 0..4 {
            let digit = char::from(DIGITS[bits >> (18 - 6 * at) & 63]);
            text.push(if at <= group.len() { digit } else { '=' });
        }
    }
    text
}

fn key(name: &str, kind: KeyKind, seed: u8) -> SigningKey {
    SigningKey::from_seed(name.parse().expect("a name"), kind, &[seed; 32]).expect("a key")
}

/// The key of the log, with a seed of ones.
pub(super) fn log() -> SigningKey {
    key("example.com/api/v1/record/nfl", KeyKind::Log, 1)
}

/// The key of the known witness, with a seed of twos.
pub(super) fn witness() -> SigningKey {
    key("witness.example.com/w1", KeyKind::Witness, 2)
}

/// A line of an unknown witness.
pub(super) fn unknown_line(checkpoint: &Checkpoint, seed: u8) -> SignatureLine {
    key(&format!("unknown.example.com/w{seed}"), KeyKind::Witness, seed).cosign(checkpoint, START_SECOND - 20_000)
}

/// A key with the name of the log that is another key.
pub(super) fn other_log() -> SigningKey {
    key("example.com/api/v1/record/nfl", KeyKind::Log, 3)
}
