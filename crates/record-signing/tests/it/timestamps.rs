//! Timestamp servers over HTTP, against `openssl ts` and against stand-ins that break the protocol.

use sports_ports::attestation::TimestampServer as _;
use sports_ports::{PortError, error_chain};
use sports_record_signing::attestation::HttpTimestampServer;
use sports_testkit::services::{TimestampBehaviour, TimestampStandIn};
use sports_transparency::{NotATimestamp, TimestampRequest};

const TEXT: &str = "example.com/api/v1/record/nfl\n2\nEQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=\n";

fn client(server: &TimestampStandIn) -> HttpTimestampServer {
    // Another test may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    HttpTimestampServer::new(&server.url()).expect("an address")
}

#[tokio::test]
async fn a_token_is_one_of_the_text_for_openssl() {
    let Some(server) = TimestampStandIn::start() else { return };
    let request = TimestampRequest::new(TEXT, [7; 8]);
    let reply = client(&server).timestamp(&request.to_bytes()).await.expect("answers");
    assert_eq!(request.check(&reply), Ok(()));
    assert!(server.verifies(&reply, TEXT));
    assert!(!server.verifies(&reply, &TEXT.replace('2', "3")));
}

#[tokio::test]
async fn replies_to_something_else_do_not_pass_the_check() {
    let Some(server) = TimestampStandIn::start() else { return };
    let request = TimestampRequest::new(TEXT, [7; 8]);
    let table = [
        (TimestampBehaviour::NotGranted, NotATimestamp::NotGranted(2)),
        (TimestampBehaviour::Nonsense, NotATimestamp::Malformed),
        (TimestampBehaviour::OtherHash, NotATimestamp::OtherHash),
        (TimestampBehaviour::OtherNonce, NotATimestamp::OtherNonce),
    ];
    for (behaviour, expected) in table {
        server.set_behaviour(behaviour.clone());
        let reply = client(&server).timestamp(&request.to_bytes()).await.expect("answers");
        assert_eq!(request.check(&reply), Err(expected), "{behaviour:?}");
    }
}

#[tokio::test]
async fn refusals_and_long_replies_of_a_timestamp_server_are_failures() {
    let Some(server) = TimestampStandIn::start() else { return };
    let request = TimestampRequest::new(TEXT, [7; 8]).to_bytes();
    for (behaviour, reason) in
        [(TimestampBehaviour::Refuses(503), "503"), (TimestampBehaviour::Huge, "longer than 262144 bytes")]
    {
        server.set_behaviour(behaviour.clone());
        let failure = client(&server).timestamp(&request).await.expect_err(reason);
        assert!(error_chain(&failure).contains(reason), "{behaviour:?}: {}", error_chain(&failure));
    }
    let gone = HttpTimestampServer::new("http://127.0.0.1:1").expect("an address");
    let failure = gone.timestamp(&request).await.expect_err("nobody listens");
    assert!(matches!(failure, PortError::Unavailable { .. }), "{failure:?}");
}
