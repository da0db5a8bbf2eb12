use std::fs;
use std::process::Command;

use sports_transparency::{NotATimestamp, TimestampRequest};

const TEXT: &str = "example.com/api/v1/record/nfl\n2\nEQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=\n";

/// A reply with this status, and a token that has these bytes.
fn reply(status: u8, token: &[u8]) -> Vec<u8> {
    let info = [0x30, 3, 2, 1, status];
    let length = u16::try_from(info.len() + token.len()).expect("short").to_be_bytes();
    [&[0x30, 0x82], length.as_slice(), &info, token].concat()
}

#[test]
fn a_request_is_the_template_with_hash_and_nonce() {
    let request = TimestampRequest::new("abc", [0xff; 8]).to_bytes();
    assert_eq!(request.len(), TimestampRequest::LENGTH);
    let expected = "3043020101\
                    3031300d060960864801650304020105000420\
                    ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\
                    02087fffffffffffffff0101ff";
    assert_eq!(hex::encode(request), expected);
    // The number stays positive and keeps its length.
    assert!(hex::encode(TimestampRequest::new("abc", [0; 8]).to_bytes()).ends_with("020840000000000000000101ff"));
}

#[test]
fn a_reply_must_be_granted_and_have_hash_and_nonce() {
    let request = TimestampRequest::new(TEXT, [7; 8]);
    let bytes = request.to_bytes();
    let (hash, nonce) = (&bytes[22..56], &bytes[56..66]);
    let token = [b"token".as_slice(), hash, b"time", nonce].concat();
    for status in [0, 1] {
        assert_eq!(request.check(&reply(status, &token)), Ok(()));
    }
    assert_eq!(request.check(&reply(2, &token)), Err(NotATimestamp::NotGranted(2)));
    assert_eq!(request.check(&reply(0, nonce)), Err(NotATimestamp::OtherHash));
    assert_eq!(request.check(&reply(0, hash)), Err(NotATimestamp::OtherNonce));
    assert_eq!(TimestampRequest::new("other", [7; 8]).check(&reply(0, &token)), Err(NotATimestamp::OtherHash));
    assert_eq!(TimestampRequest::new(TEXT, [8; 8]).check(&reply(0, &token)), Err(NotATimestamp::OtherNonce));
    let mut cut_off = reply(0, &token);
    cut_off.pop();
    let longer = [reply(0, &token), vec![0]].concat();
    let table: [&[u8]; 8] =
        [b"", b"<html>", &[0x30], &[0x30, 0x80], &[0x30, 0x85, 1, 1, 1, 1, 1], &[0x30, 2, 0x30, 0], &cut_off, &longer];
    for bytes in table {
        assert_eq!(request.check(bytes), Err(NotATimestamp::Malformed), "{bytes:x?}");
    }
}

/// `openssl ts` reads our request.
#[test]
fn openssl_reads_a_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("request.tsq");
    fs::write(&file, TimestampRequest::new("abc", [0x12; 8]).to_bytes()).expect("written");
    let Ok(output) = Command::new("openssl").args(["ts", "-query", "-text", "-in"]).arg(&file).output() else {
        assert!(std::env::var_os("REQUIRE_SERVICES").is_none(), "openssl is required");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout).to_lowercase();
    for part in ["version: 1", "sha256", "ba 78 16 bf", "nonce: 0x5212121212121212", "certificate required: yes"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
