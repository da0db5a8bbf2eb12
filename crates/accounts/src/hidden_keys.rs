use std::borrow::Cow;

use sports_domain::FormError;

use crate::{ApiKey, MaskedKey};

/// The length from which a run of letters and digits counts as a key's body without a prefix. Bodies with checksum
/// have 49.
const SUSPICIOUS: usize = 40;

/// The lengths of a SHA-1 and a SHA-256 in hexadecimal digits.
const DIGESTS: [usize; 2] = [40, 64];

/// Masks every key in a text: complete or truncated, with its prefix or without.
///
/// Use it for texts that repeat a client's input, so that a key in the wrong parameter appears neither in the
/// response nor in a log.
pub fn hide_keys(text: &str) -> Cow<'_, str> {
    let mut hidden = String::new();
    let mut kept_up_to = 0;
    for (start, end) in words(text) {
        let is_public = || is_digest(&text[start..end]) || is_base64_hash(text, end) || is_vkey(text, start, end);
        let is_suspicious = end - start >= SUSPICIOUS && !is_public();
        let shown =
            if text[..start].ends_with(ApiKey::PREFIX) || is_suspicious { start + MaskedKey::SHOWN } else { end };
        if shown < end {
            hidden.push_str(&text[kept_up_to..shown]);
            hidden.push_str(MaskedKey::STARS);
            kept_up_to = end;
        }
    }
    if kept_up_to == 0 {
        return Cow::Borrowed(text);
    }
    hidden.push_str(&text[kept_up_to..]);
    Cow::Owned(hidden)
}

const CONTAINS_KEY: FormError = FormError::fixed(
    "the text contains an API key, which is a secret: leave it out, and revoke the key if others have read it",
);

/// Returns a text that is to be stored and shown, such as a name.
///
/// # Errors
///
/// [`FormError`] if a whole key is in it, with its prefix or without. Other long words are no keys: their checksums differ.
pub fn expect_no_key(text: &str) -> Result<&str, FormError> {
    let whole = |body: &str| ApiKey::parse(&format!("{}{body}", ApiKey::PREFIX)).is_ok();
    let mut bodies = text.as_bytes().windows(ApiKey::LENGTH - ApiKey::PREFIX.len());
    if bodies.any(|body| str::from_utf8(body).is_ok_and(whole)) { Err(CONTAINS_KEY) } else { Ok(text) }
}

/// Returns `true` if a whole key with its prefix is anywhere in a text.
pub fn has_key(text: &str) -> bool {
    let key = |(start, _)| text.get(start..start + ApiKey::LENGTH);
    text.match_indices(ApiKey::PREFIX).filter_map(key).any(|key| ApiKey::parse(key).is_ok())
}

/// Returns `true` if a run of letters and digits looks like a SHA-256 or a SHA-1. The first are names of stored
/// objects, which readers of a log need; the second are ids of commits and of clients' requests. A key's body has 49
/// characters. Neither 40 of them nor a body with adjacent text consists of `0-9a-f` alone.
fn is_digest(run: &str) -> bool {
    DIGESTS.contains(&run.len()) && run.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// The characters of a SHA-256 in base64, before its `=`.
const BASE64_HASH: usize = 43;
/// The characters of a public key of a record in base64, behind its name and its id.
const BASE64_KEY: usize = 44;

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// Returns `true` if a root of a record, in base64, ends here: who compares records needs it.
fn is_base64_hash(text: &str, end: usize) -> bool {
    let length = text.as_bytes()[..end].iter().rev().take_while(|byte| is_base64(**byte)).count();
    length == BASE64_HASH && text[end..].starts_with('=')
}

/// Returns `true` if a run is within the public key of a record, such as `example.com/nfl+b56fcd52+AewsB…`.
fn is_vkey(text: &str, start: usize, end: usize) -> bool {
    let is_id = |id: &[u8]| {
        let [b'+', digits @ .., b'+'] = id else { return false };
        digits.len() == 8 && digits.iter().all(u8::is_ascii_hexdigit)
    };
    let is_key = |from: usize| {
        let (before, key) = text.as_bytes().split_at(from);
        let length = key.iter().take_while(|byte| is_base64(**byte)).count();
        length == BASE64_KEY && from + BASE64_KEY >= end && before.last_chunk::<10>().is_some_and(|id| is_id(id))
    };
    (end.saturating_sub(BASE64_KEY)..=start).any(is_key)
}

/// Returns the ranges of runs of letters and digits. Between two adjacent other characters there is an empty run.
fn words(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let breaks = |symbol: char| !symbol.is_ascii_alphanumeric();
    let mut start = 0;
    text.split_inclusive(breaks).map(move |piece| {
        let from = start;
        start += piece.len();
        (from, from + piece.trim_end_matches(breaks).len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::a_key;

    #[test]
    fn a_key_is_masked_wherever_it_is_written() {
        let (key, masked) = (a_key(7), a_key(7).masked().to_string());
        let key = key.reveal();
        let table = [
            (format!("`{key}` is not a sport"), format!("`{masked}` is not a sport")),
            (format!("two: {key}, {key}."), format!("two: {masked}, {masked}.")),
            (key[..30].to_owned(), masked.clone()),
            (key[ApiKey::PREFIX.len()..].to_owned(), masked[ApiKey::PREFIX.len()..].to_owned()),
            (masked.clone(), masked.clone()),
        ];
        for (text, expected) in table {
            assert_eq!(hide_keys(&text), expected, "{text}");
        }
    }

    #[test]
    fn the_name_of_an_object_is_no_key_unless_it_follows_the_prefix() {
        let digest = "a49ee79ddd906ffe4bdf9ea5e8acbda180282a70c90cc8fd357dc8edeccbc3de";
        for text in [
            digest.to_owned(),
            digest[..40].to_owned(),
            format!("object {digest} is missing"),
            format!("objects/{digest}.parquet"),
        ] {
            assert_eq!(hide_keys(&text), text);
        }
        for hidden in [
            format!("sk_service_{digest}"),
            digest.to_uppercase(),
            digest[1..].to_owned(),
            format!("{digest}0"),
            digest.replace('a', "g"),
        ] {
            assert!(hide_keys(&hidden).ends_with(MaskedKey::STARS), "{hidden}");
        }
    }

    #[test]
    fn roots_and_public_keys_of_records_are_no_keys() {
        let root = "wKpQPz8hTJ2cAnnmmXwHWFbzXJtCA2FqU4hhMbPAYDE=";
        let vkey = "example.com/api/v1/record/nfl+b56fcd52+AewsBXwHWFbzXJtCA2FqU4hhMbPAYDEwKpQPz8hTJ2cA";
        let with_signs = "a.example/nfl+b56fcd52+A/wsBXwHWFbzXJtCA2FqU4hhMbPAYDEwKpQPz8hTJ2cA";
        for text in [root.to_owned(), format!("the root {root}, signed"), vkey.to_owned(), format!("'{with_signs}'")] {
            assert_eq!(hide_keys(&text), text);
        }
        let key = a_key(7);
        let body = &key.reveal()[ApiKey::PREFIX.len()..];
        for text in
            [format!("sk_service_{root}"), root[..43].to_owned(), format!("{body}="), format!("+b56fcd52+{body}")]
        {
            assert!(hide_keys(&text).contains(MaskedKey::STARS), "{text}");
        }
    }

    #[test]
    fn a_key_is_masked_with_any_text_around_it() {
        let key = a_key(7);
        let body = &key.reveal()[ApiKey::PREFIX.len()..];
        for (before, after) in [("", key.reveal()), ("sk%5Fservice%5F", ""), ("é", "é"), ("x", "x"), ("_", "_")] {
            let hidden = hide_keys(&format!("{before}{body}{after}")).into_owned();
            assert!(!hidden.contains(&body[MaskedKey::SHOWN..]), "{hidden}");
        }
    }

    #[test]
    fn a_whole_key_is_found_anywhere_in_a_text_and_a_long_word_is_none() {
        let key = a_key(7);
        let (whole, body) = (key.reveal(), &key.reveal()[ApiKey::PREFIX.len()..]);
        for text in [whole.to_owned(), body.to_owned(), format!("é my key: {whole}!"), format!("x{body}x")] {
            assert_eq!(expect_no_key(&text), Err(CONTAINS_KEY), "{text}");
            assert_eq!(has_key(&text), text.contains(ApiKey::PREFIX), "{text}");
        }
        let masked = key.masked().to_string();
        for text in ["x".repeat(65), "é".repeat(65), masked, whole.replace(&body[..1], "-"), "laptop".to_owned()] {
            assert_eq!(expect_no_key(&text), Ok(text.as_str()));
            assert!(!has_key(&text), "{text}");
        }
    }

    #[test]
    fn other_texts_stay_unchanged() {
        let long = "é: words far into a text stay unchanged, `won_on_points` and 2024-11-24T14:50:00Z among them.";
        let texts =
            [long, "", "`limit` must be a whole number", "2023-24", "snapshot 009b716a95a616d6", "sk_service_", "é"];
        for text in texts {
            assert!(matches!(hide_keys(text), Cow::Borrowed(kept) if kept == text), "{text}");
        }
    }
}
