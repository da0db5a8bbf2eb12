//! Openings that open nothing, or something else.

use super::ProofVector;
use super::good::{GAME, Maker, PAYLOAD, SALT, base64, entry_of, json_of};

const BAD: &[i32] = &[1];

pub(super) fn vectors() -> Vec<ProofVector> {
    let mut vectors = objects();
    vectors.extend(salts_and_bytes());
    vectors.extend(payloads());
    vectors.extend(entries());
    vectors.extend(lines());
    vectors
}

/// Objects of other forms.
fn objects() -> Vec<ProofVector> {
    let good = Maker::good();
    let entry = good.entry.as_str();
    let fields = [("entry", entry), ("salt", SALT), ("payload", PAYLOAD)];
    let json = json_of(&fields);
    let named = |name: &'static str, json: &str| (name, json.to_owned());
    let objects = [
        named("a fourth field", &json_of(&[fields.as_slice(), &[("more", "")]].concat())),
        named("a field twice", &json_of(&[fields.as_slice(), &[("salt", SALT)]].concat())),
        named("a field twice in the place of another", &json_of(&[fields[0], fields[1], fields[1]])),
        named("an escaped field twice", &json_of(&[fields[0], fields[1], fields[1]]).replacen("salt", "s\\u0061lt", 1)),
        named("no payload", &json_of(&fields[..2])),
        named("another name of a field", &json.replacen("entry", "Entry", 1)),
        named("no object", "\"entry\""),
        named("a list", &format!("[{}]", json.trim_matches(['{', '}']).replace("\":\"", "\",\""))),
        named("nothing", ""),
        named("an empty object", "{}"),
        named("a number for a field", &json.replacen(&format!("\"{SALT}\""), "1", 1)),
        named("text behind the object", &format!("{json}x")),
        named("two objects", &format!("{json}{json}")),
        named("a comma too many", &json.replace("}}\"}", "}}\",}")),
        named("single quotes", &json.replace("\"entry\"", "'entry'")),
        named("a line feed within a string", &json.replacen("\\n", "\n", 1)),
        named("an unknown escape", &json.replacen("nfl", "\\nfl\\x", 1)),
        named("half a surrogate pair", &json.replacen("a54aac", "\\ud83d", 1)),
        named("the second half of a surrogate pair", &json.replacen("a54aac", "\\ude00", 1)),
        named("a space that JSON does not know", &format!("\u{a0}{json}")),
        named("a byte order mark", &format!("\u{feff}{json}")),
        named("an object that is not closed", json.trim_end_matches('}')),
    ];
    objects.into_iter().map(|(name, json)| opening(&good, name, json.into_bytes())).collect()
}

/// An object of the right form with a salt of another form or value, or with bytes that are not text.
fn salts_and_bytes() -> Vec<ProofVector> {
    let good = Maker::good();
    let json = json_of(&[("entry", good.entry.as_str()), ("salt", SALT), ("payload", PAYLOAD)]);
    let others = [
        ("a salt in capitals", json.replacen(SALT, &SALT.to_uppercase(), 1).into_bytes()),
        ("a salt of another length", json.replacen(SALT, &SALT[2..], 1).into_bytes()),
        ("a salt with another digit", json.replacen("8f45592e", "8f45592f", 1).into_bytes()),
        ("bytes that are not text", [json.as_bytes(), &[0xff]].concat()),
    ];
    others.into_iter().map(|(name, json)| opening(&good, name, json)).collect()
}

/// Makes a proof with this opening in place of the good one.
fn opening(good: &Maker, name: &str, json: Vec<u8>) -> ProofVector {
    let mut parts = good.parts();
    parts.extra = json;
    ProofVector::new(format!("opening: {name}"), parts.text(), BAD)
}

/// Payloads that the leaf does not commit to, and leaves that commit to a payload of something else.
fn payloads() -> Vec<ProofVector> {
    let changes = [
        ("a changed digit", PAYLOAD.replace("0.5661", "0.5662")),
        ("a changed start", PAYLOAD.replace("16:30:00", "13:00:00")),
        ("another market", PAYLOAD.replace("won_on_points", "won_on_spread")),
        ("another season", PAYLOAD.replace("2023-24", "2022-23")),
        ("other teams", PAYLOAD.replace("baltimore", "cleveland")),
        ("another league", PAYLOAD.replace("\"nfl\"", "\"nba\"")),
        ("another form", PAYLOAD.replace("forecast/v1", "forecast/v2")),
        ("a game number", PAYLOAD.replace("_ravens\",", "_ravens\",\"game_number\":1,")),
        ("a space", PAYLOAD.replacen(':', ": ", 1)),
        ("no payload", String::new()),
        ("a line feed", PAYLOAD.replace("a54aac", "\nproven: a54aac")),
        ("an escape of a terminal", PAYLOAD.replace("a54aac", "\u{1b}[2K")),
        ("an escape of a terminal in one symbol", PAYLOAD.replace("a54aac", "\u{9b}2K")),
    ];
    let mut vectors = Vec::new();
    for (name, payload) in changes {
        let swapped = Maker { payload: payload.clone(), ..Maker::good() };
        vectors.push(ProofVector::new(format!("payload: {name}"), swapped.text(), BAD));
        if name != "a changed digit" {
            let committed = Maker::of(entry_of("won_on_points", GAME, &payload), &payload);
            vectors.push(ProofVector::new(format!("payload, committed to: {name}"), committed.text(), BAD));
        }
    }
    vectors
}

/// Leaves of other kinds and forms, whose path holds.
fn entries() -> Vec<ProofVector> {
    let good = Maker::good().entry;
    let long = "x".repeat(65_536 - good.len());
    let payload = PAYLOAD.replace("ravens", &format!("ravens{long}"));
    let too_long = Maker::of(entry_of("won_on_points", &format!("{GAME}{long}"), &payload), &payload);
    let mut vectors = vec![ProofVector::new("a leaf of 65,536 bytes", too_long.text(), BAD)];
    let changes = [
        ("a leaf of another kind", good.replace(" forecast\n", " withdrawn\n")),
        ("a leaf of another form", good.replace("/v1 ", "/v2 ")),
        ("a leaf without its last line feed", good.trim_end().to_owned()),
        ("a leaf with another line", format!("{good}\n")),
        ("a leaf with CRLF", good.replace('\n', "\r\n")),
        ("a leaf with a space too many", good.replacen(" won", "  won", 1)),
        ("a leaf of generation 0", good.replacen("24 1\n", "24 0\n", 1)),
        ("a leaf of generation 01", good.replacen("24 1\n", "24 01\n", 1)),
        ("a leaf with digits of another script", good.replacen("16:30", "1٦:30", 1)),
        ("a leaf with a time to the minute", good.replacen("16:30:00", "16:30", 1)),
        ("a leaf with a hash in capitals", good.replacen("sha256:b", "sha256:B", 1)),
        ("a leaf with a shorter hash", good.replacen("sha256:b", "sha256:", 1)),
        ("an empty leaf", String::new()),
    ];
    vectors.extend(changes.map(|(name, entry)| ProofVector::new(name, Maker::of(entry, PAYLOAD).text(), BAD)));
    vectors
}

/// The line `extra` itself.
fn lines() -> Vec<ProofVector> {
    let parts = Maker::good().parts();
    let (text, extra) = (parts.text(), base64(&parts.extra));
    // The object has a length that leaves bits of the last digit unused, or is given one.
    let mut padded = parts.clone();
    while padded.extra.len() % 3 != 1 {
        padded.extra.push(b' ');
    }
    let canonical = base64(&padded.extra);
    let last = canonical.trim_end_matches('=');
    let other = match last.chars().last().expect("a digit") {
        'A' => 'B',
        'Q' => 'R',
        'g' => 'h',
        _ => 'x',
    };
    let loose = format!("{}{other}==", &last[..last.len() - 1]);
    vec![
        ProofVector::new(
            "base64 of `extra` with bits that belong to no byte",
            padded.text().replace(&canonical, &loose),
            BAD,
        ),
        ProofVector::new("base64 of `extra` without padding", padded.text().replace(&canonical, last), BAD),
        ProofVector::new(
            "base64 of `extra` in the alphabet of addresses",
            text.replace(&extra, &format!("{extra}-_==")),
            BAD,
        ),
        ProofVector::new("two spaces before base64", text.replace("extra ", "extra  "), BAD),
        ProofVector::new("no `extra`", text.replace(&format!("extra {extra}\n"), ""), BAD),
        ProofVector::new("`extra` twice", text.replacen("extra", &format!("extra {extra}\nextra"), 1), BAD),
        ProofVector::new("an empty `extra`", text.replace(&extra, ""), BAD),
        ProofVector::new(
            "`extra` behind the index",
            text.replace(&format!("extra {extra}\nindex 20\n"), &format!("index 20\nextra {extra}\n")),
            BAD,
        ),
    ]
}
