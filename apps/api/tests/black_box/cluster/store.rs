//! A store in a bucket, for publishers, nodes and customers.

use reqwest::header::RANGE;
use sports_testkit::programs::TestFolder;
use sports_testkit::services::{Certificates, Network, S3Server};

use super::RESULTS;
use crate::service::{Answer, Service, Site};

pub const REFRESH: &str = "/api/v1/service-sports-data/refresh";
const PRODUCT: &str = "historical-odds";
const CONTENT: &[u8] = b"date,away,home\n2024-11-24,min,chi\n";

/// Creates a place whose store is a bucket with a prefix, reached through this endpoint.
pub fn in_a_bucket(server: &S3Server, endpoint: &str) -> TestFolder {
    let url = format!("s3://{}/live", server.fresh_bucket());
    let variables = S3Server::variables_at(endpoint);
    let place = TestFolder::fresh().with("SPORTS_STORE__URL", url);
    variables.into_iter().fold(place, |place, (name, value)| place.with(name, value))
}

pub fn directly(server: &S3Server) -> TestFolder {
    in_a_bucket(server, &format!("http://{}", server.address()))
}

/// Creates a customer who owns one file; returns the key.
pub fn owner(site: &Site) -> String {
    site.add_dataset(PRODUCT, "nfl.csv", CONTENT);
    let (id, key) = site.customer("owner@example.com", "ai");
    site.entitle(&id, PRODUCT);
    key
}

/// Returns a link to the one file that a customer owns.
pub async fn link(service: &Service, key: &str) -> String {
    let refreshed = service.with_key(key).post(REFRESH).await;
    assert_eq!(refreshed.status, 200, "{}", refreshed.text());
    refreshed.json()["downloads"][0]["url"].as_str().expect("a link").to_owned()
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_bucket_is_served_settled_and_verified_like_a_folder() {
    let server = S3Server::start();
    let site = Site::at(directly(&server));
    site.publish_fixture("nfl-2023-week-18");
    let service = site.serve().await;
    assert_eq!(service.get(RESULTS).await.status, 200);
    site.publish_fixture("edge-cases");
    service.until(RESULTS, |page| page.text().contains("\"season\":\"2024-25\"")).await;
    let verified = site.place.ctl(["verify", "--unused"]);
    assert!(verified.contains("nfl: 2 log entries") && verified.contains("every object is named"), "{verified}");
    let health = service.get("/api/v1/health").await;
    assert_eq!(health.json()["status"], "healthy", "{}", health.text());
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_customer_downloads_from_the_bucket_by_its_signed_link() {
    let server = S3Server::start();
    let site = Site::at(directly(&server));
    let service = site.serve().await;
    let link = link(&service, &owner(&site)).await;
    assert!(link.starts_with(&format!("http://{}/", server.address())), "{link}");
    let file = Answer::to(service.fetch(&link)).await;
    assert_eq!((file.status, &file.body[..]), (200, CONTENT));
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"nfl.csv\""));
    let part = Answer::to(service.fetch(&link).header(RANGE, "bytes=5-13")).await;
    assert_eq!((part.status, &part.body[..]), (206, &CONTENT[5..14]));
    assert!(site.place.ctl(["dataset", "verify"]).contains("1 datasets verified"));
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_bucket_over_tls_is_used_only_with_a_trusted_authority() {
    let (server, certificates) = (S3Server::start(), Certificates::fresh());
    let network = Network::tls_to(server.address(), &certificates);
    let endpoint = format!("https://localhost:{}", network.address().port());
    let authority = certificates.authority().to_str().expect("text").to_owned();
    let site = Site::at(in_a_bucket(&server, &endpoint).with("SSL_CERT_FILE", authority));
    site.publish_fixture("nfl-2023-week-18");
    let service = site.serve().await;
    assert_eq!(service.get(RESULTS).await.status, 200);
    let refused = site.place.sportsctl(["verify"]).env_remove("SSL_CERT_FILE").output().expect("runs");
    let printed = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(1) && printed.contains("certificate"), "{printed}");
}

/// The systemd unit restarts a server unless its exit status is that of a wrong setting.
#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_store_that_denies_access_ends_programs_with_the_exit_code_of_a_passing_failure() {
    let server = S3Server::start();
    let place = directly(&server).with("AWS_SECRET_ACCESS_KEY", "another");
    let output = place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && printed.contains("refuses this program"), "{printed}");
    let output = place.sportsctl(["verify"]).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && printed.contains("refuses this program"), "{printed}");
}
