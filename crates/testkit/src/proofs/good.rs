//! Proofs that hold, cosigned in time or not.

use super::maker::{GAME, Maker, PAYLOAD, SALT, START_SECOND, entry_of, json_of, unknown_line};
use super::vector::ProofVector;

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
    let table: [(&str, &[u64], &[i32]); 7] = [
        ("cosigned in time", &[START_SECOND - 23_400], PROVEN),
        ("cosigned in the second before the start", &[START_SECOND - 1], PROVEN),
        ("cosigned in the second of the start", &[START_SECOND], LOGGED),
        ("cosigned after the start", &[START_SECOND + 1], LOGGED),
        ("cosigned in the last second there is", &[i64::MAX.unsigned_abs()], LOGGED),
        ("cosigned after the start and before", &[START_SECOND + 5, START_SECOND - 5], PROVEN),
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
