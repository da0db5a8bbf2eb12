//! A database over TLS.

use sports_testkit::programs::TestFolder;
use sports_testkit::services::{Certificates, Postgres};

use super::SPORTS;
use crate::service::Site;

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_node_starts_with_a_database_over_tls_only_with_a_trusted_authority() {
    let (trusted, other) = (Certificates::fresh(), Certificates::fresh());
    let Some(postgres) = Postgres::start_with_tls(&trusted) else { return };
    let database = postgres.fresh_database();
    let (_, name) = database.rsplit_once('/').expect("a name");
    let authority = trusted.authority().to_str().expect("text").to_owned();
    let place = TestFolder::fresh().with("SPORTS_DATABASE__URL", format!("{database}?sslmode=verify-full"));
    let site = Site::at(place.with("SSL_CERT_FILE", authority));
    let node = site.serve().await;
    assert_eq!(node.get(SPORTS).await.status, 200);
    let are_encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                         WHERE datname = current_database() AND pid <> pg_backend_pid()";
    assert_eq!(postgres.run(name, are_encrypted).trim(), "t");
    node.stop();
    let mut untrusting = site.place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]);
    let refused = untrusting.env("SSL_CERT_FILE", other.authority()).output().expect("it runs");
    let printed = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && printed.contains("certificate"), "{printed}");
    assert!(!printed.contains("not-a-secret"), "{printed}");
}
