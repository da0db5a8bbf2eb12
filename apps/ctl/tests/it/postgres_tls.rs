use std::process::Command;

use sports_testkit::programs::TestFolder;
use sports_testkit::services::{Certificates, Postgres};

use crate::support::Completed;

fn run_untrusting(mut command: Command) -> Completed {
    command.env_remove("SSL_CERT_FILE").env_remove("SSL_CERT_DIR").output().expect("sportsctl runs").into()
}

fn trusting(mut command: Command, certificates: &Certificates) -> Completed {
    command.env("SSL_CERT_FILE", certificates.authority()).output().expect("sportsctl runs").into()
}

#[test]
fn a_server_is_verified_against_the_authorities_that_are_trusted() {
    let certificates = Certificates::fresh();
    let Some(postgres) = Postgres::start_with_tls(&certificates) else { return };
    let address = postgres.fresh_database();
    let migrate = |options: &str| {
        let place = TestFolder::fresh().with("SPORTS_DATABASE__URL", format!("{address}{options}"));
        place.sportsctl(["migrate"])
    };
    for mode in ["verify-full", "verify-ca"] {
        let options = format!("?sslmode={mode}");
        let trusted = trusting(migrate(&options), &certificates);
        assert_eq!(trusted.code, Some(0), "{trusted:?}");
        let refused = run_untrusting(migrate(&options));
        assert!(refused.code == Some(2) && refused.err.contains("certificate"), "{refused:?}");
        let rooted = run_untrusting(migrate(&format!("{options}&sslrootcert={}", certificates.authority().display())));
        assert_eq!(rooted.code, Some(0), "{rooted:?}");
    }
    // Without `sslmode=verify-full`, the connection is encrypted but the server is not verified.
    for options in ["?sslmode=require", "?sslmode=prefer", ""] {
        let encrypted = run_untrusting(migrate(options));
        assert_eq!(encrypted.code, Some(0), "{encrypted:?}");
    }
    let name = address.rsplit_once('/').expect("a name").1;
    let other =
        TestFolder::fresh().with("SPORTS_DATABASE__URL", format!("{address}?sslmode=verify-full&host=127.0.0.2"));
    let misnamed = trusting(other.sportsctl(["migrate"]), &certificates);
    assert_ne!(misnamed.code, Some(0), "{name}: {misnamed:?}");
}

#[test]
fn a_server_without_tls_is_refused_where_tls_is_required() {
    let Some(address) = Postgres::database() else { return };
    let place = TestFolder::fresh().with("SPORTS_DATABASE__URL", format!("{address}?sslmode=require"));
    let refused = run_untrusting(place.sportsctl(["migrate"]));
    assert!(refused.code == Some(2) && refused.err.contains("TLS"), "{refused:?}");
}

/// An expired certificate has the same effect as a valid one under a wrong clock.
#[test]
fn a_certificate_outside_its_validity_is_no_wrong_setting() {
    let expired = Certificates::expired();
    let Some(postgres) = Postgres::start_with_tls(&expired) else { return };
    let address = format!("{}?sslmode=verify-full", postgres.fresh_database());
    let place = TestFolder::fresh().with("SPORTS_DATABASE__URL", address);
    let refused = trusting(place.sportsctl(["migrate"]), &expired);
    assert!(refused.code == Some(1) && refused.err.contains("expired"), "{refused:?}");
}
