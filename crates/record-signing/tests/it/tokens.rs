//! Tokens of timestamp authorities, made by `openssl ts` and read by it, too.

use std::fs;
use std::process::Command;

use chrono::NaiveDateTime;
use sports_record_signing::token::{Authority, NoAuthority, NotAToken, Token, Untrusted};
use sports_testkit::services::TimestampAuthority;
use sports_transparency::stated_timestamp;

const TEXT: &str = "example.com/api/v1/record/nfl\n2\nEQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=\n";

fn authority(stamps: &TimestampAuthority, name: &str) -> Authority {
    Authority::read(&fs::read(stamps.other_certificate(name)).expect("a file")).expect("an authority")
}

/// Returns the time of a token in milliseconds since 1970, as `openssl` prints it.
fn stated_millis(reply: &[u8]) -> i64 {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), reply).expect("written");
    let output = Command::new("openssl").args(["ts", "-reply", "-text", "-in"]).arg(file.path()).output();
    let text = String::from_utf8_lossy(&output.expect("openssl runs").stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("Time stamp: ")).expect("a time").to_owned();
    let time = NaiveDateTime::parse_from_str(&line, "%b %e %H:%M:%S%.f %Y GMT").expect("a time");
    time.and_utc().timestamp_millis()
}

#[test]
fn a_text_was_there_by_the_time_of_its_token_and_the_accuracy() {
    let Some(stamps) = TimestampAuthority::fresh() else { return };
    let reply = stamps.stamp(TEXT);
    let stated = stated_timestamp(TEXT, &reply).expect("a time");
    assert_eq!(stated.timestamp_millis(), stated_millis(&reply));
    assert_eq!((stated_timestamp("another", &reply), stated_timestamp(TEXT, &reply[..99])), (None, None));
    let token = Token::read(&reply, TEXT).expect("a token");
    // The authority states an accuracy of 1.5 seconds.
    let latest = (stated_millis(&reply) + 1_500 + 999) / 1_000;
    for name in ["root", "between", "here"] {
        assert_eq!(token.time_by(&authority(&stamps, name)).map(u64::cast_signed), Ok(latest), "{name}");
    }
}

#[test]
fn a_token_that_is_of_no_trusted_authority_is_no_evidence() {
    let (Some(stamps), Some(other)) = (TimestampAuthority::fresh(), TimestampAuthority::fresh()) else { return };
    let (reply, own) = (stamps.stamp(TEXT), authority(&stamps, "root"));
    let token = Token::read(&reply, TEXT).expect("a token");
    for stranger in [authority(&other, "root"), Authority::bundled()] {
        assert!(matches!(token.time_by(&stranger), Err(Untrusted::Chain(_))));
    }
    let expired = Token::read(&stamps.stamp_with_expired(TEXT), TEXT).expect("a token");
    assert!(matches!(expired.time_by(&own), Err(Untrusted::Chain(_))));
    let ended = Authority::read(&fs::read(stamps.other_certificate("expired")).expect("a file")).expect("an authority");
    assert!(matches!(expired.time_by(&ended), Err(Untrusted::Chain(_))), "one that is named has to be valid, too");
    // The last bytes are the signature's.
    let mut forged = reply.clone();
    if let Some(byte) = forged.last_mut() {
        *byte ^= 1;
    }
    let forged = Token::read(&forged, TEXT).expect("a token");
    assert_eq!(forged.time_by(&own), Err(Untrusted::Broken));
    // Ten years earlier: the first time is that of the content.
    let year = reply.windows(4).position(|window| matches!(window, [0x18, _, b'2', b'0'])).expect("a time") + 2;
    let mut moved = reply;
    moved[year + 2] -= 1;
    let moved = Token::read(&moved, TEXT).expect("a token");
    assert_eq!(moved.time_by(&own), Err(Untrusted::Broken));
}

#[test]
fn files_that_are_no_tokens_of_the_text_are_refused() {
    let Some(stamps) = TimestampAuthority::fresh() else { return };
    let read = |reply: &[u8]| Token::read(reply, TEXT).map(drop);
    assert_eq!(read(&stamps.stamp(&TEXT.replace('2', "3"))), Err(NotAToken::OtherText));
    assert_eq!(read(&[0x30, 5, 0x30, 3, 2, 1, 2]), Err(NotAToken::NotGranted(2)));
    assert_eq!(read(b"<html>Back soon</html>"), Err(NotAToken::Malformed));
    assert_eq!(read(&vec![0x30; 1 << 20]), Err(NotAToken::TooLong));
    let (reply, own) = (stamps.stamp(TEXT), authority(&stamps, "root"));
    let time = |reply: &[u8]| Token::read(reply, TEXT).ok()?.time_by(&own).ok();
    let honest = time(&reply);
    for at in (0..reply.len()).step_by(5) {
        assert_eq!(read(&reply[..at]), Err(NotAToken::Malformed), "{at} bytes");
        let mut changed = reply.clone();
        changed[at] ^= 1 << (at % 8);
        let changed = time(&changed);
        assert!(changed.is_none() || changed == honest, "byte {at}: {changed:?}");
    }
}

#[test]
fn certificates_are_of_timestamp_authorities() {
    let Some(stamps) = TimestampAuthority::fresh() else { return };
    let file = |name| fs::read(stamps.other_certificate(name)).expect("a file");
    let refused = |bytes: &[u8]| Authority::read(bytes).map(drop).expect_err("refused");
    assert_eq!(refused(&file("server")), NoAuthority::OtherUsage("CN=signer".to_owned()));
    assert_eq!(refused(b"no certificate"), NoAuthority::Unreadable);
    assert_eq!(refused(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), NoAuthority::Unreadable);
    let both = [file("root"), file("between")].concat();
    let both = Authority::read(&both).expect("two certificates");
    assert!(both.meets(&authority(&stamps, "root")) && !both.meets(&Authority::bundled()));
    assert!(Authority::bundled().meets(&Authority::bundled()), "it has certificates");
}
