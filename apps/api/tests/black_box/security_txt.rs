//! The file by which a service names to whom vulnerabilities are reported.

use reqwest::Method;

use crate::service::{Answer, Site};

const PATH: &str = "/.well-known/security.txt";

#[tokio::test]
async fn security_txt_has_the_contacts_of_the_setting_and_a_date() {
    let site = Site::empty();
    let contact = ("SPORTS_HTTP__SECURITY_CONTACT", "mailto:security@example.com, https://example.com/report");
    let service = site.serve_with(&[contact, ("SPORTS_CLOCK__AS_OF", "2026-11-01T23:00:00Z")]).await;
    let answer = Answer::to(service.request(PATH)).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    // 29 days of November, 31 each of December and January, minus one, since the first is not counted.
    let expected = "Contact: mailto:security@example.com\nContact: https://example.com/report\n\
                    Expires: 2027-01-30T00:00:00Z\n";
    assert_eq!(answer.text(), expected);
    let posted = Answer::to(service.bare(Method::POST, PATH)).await;
    assert_eq!((posted.failure(405).is_empty(), posted.header("allow")), (false, Some("GET, HEAD")));
}

#[tokio::test]
async fn without_the_setting_there_is_no_security_txt() {
    let service = Site::empty().serve().await;
    Answer::to(service.request(PATH)).await.failure(404);
}
