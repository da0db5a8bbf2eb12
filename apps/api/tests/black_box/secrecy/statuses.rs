use std::fs;

use reqwest::{Method, RequestBuilder};

use super::recording::Recording;
use crate::folder::{Folder, League};
use crate::service::{Service, Site};

const OLDER: &str = "/api/v1/results/nfl/over_under?season=2023-24";
const TRACE: (&str, &str) = ("RUST_LOG", "trace");

/// Returns requests for a path with a key in each of its three places.
fn thrice(service: &Service, path: &str, key: &str) -> [RequestBuilder; 3] {
    let query = format!("{path}{}api_key={key}", if path.contains('?') { '&' } else { '?' });
    [service.request(path).header("X-API-Key", key), service.request(path).bearer_auth(key), service.request(&query)]
}

/// Requests the same failure in three ways.
async fn refused(recording: &mut Recording, service: &Service, (path, key): (&str, &str), status: u16) {
    for request in thrice(service, path, key) {
        assert_eq!(recording.send(request).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn no_answer_of_any_status_shows_the_key_of_its_request() {
    let site = Site::publishing(&["nfl-2023-week-18", "edge-cases"]);
    let (_, lapsed) = site.customer("bob@example.com", "none");
    let key = &site.key;
    let mut recording = Recording::default();

    let service = site.serve_with(&[TRACE]).await;
    let page = recording.send(service.keyed(OLDER)).await;
    let snapshot = page.json()["snapshot"].as_str().expect("a snapshot").to_owned();
    for request in thrice(&service, OLDER, key) {
        let same = request.header("If-None-Match", page.header("etag").expect("an ETag"));
        assert_eq!(recording.send(same).await.status, 304);
    }
    refused(&mut recording, &service, ("/api/v1/results/nfl/over_under?limit=0", key), 400).await;
    refused(&mut recording, &service, (OLDER, &key.replace("sk_service_", "sk_service_x")), 401).await;
    refused(&mut recording, &service, (OLDER, &lapsed), 403).await;
    refused(&mut recording, &service, ("/api/v1/results/nba/over_under", key), 404).await;
    refused(&mut recording, &service, ("/api/v1/service-sports-data/refresh", key), 405).await;
    let large = service.call(Method::POST, "/api/v1/customers/me/api-keys").body(key.repeat(100_000));
    recording.send(large.header("Content-Type", "application/json")).await;
    let corrected =
        Folder::copy_of("nfl-2023-week-18").replace("probabilities/over_under/2023-24.csv", "0.4729", "0.4730");
    site.publish(corrected.path());
    let stale = format!("{OLDER}&snapshot={snapshot}");
    service.until(&stale, |answer| answer.status == 409).await;
    refused(&mut recording, &service, (&stale, key), 409).await;
    recording.stop(&site, service);

    let service = site.serve_with(&[TRACE, ("SPORTS_LIMITS__MONTHLY", "1")]).await;
    refused(&mut recording, &service, (OLDER, key), 429).await;
    recording.stop(&site, service);

    let archive = League::nfl(&site.place.store()).archive(3, "won_on_points", "2023-24");
    fs::write(archive, b"PAR1").expect("written");
    let service = site.serve_with(&[TRACE]).await;
    refused(&mut recording, &service, ("/api/v1/results/nfl/won_on_points?season=2023-24", key), 500).await;
    recording.stop(&site, service);

    let leagues = site.place.store().join("sports");
    fs::rename(&leagues, leagues.with_extension("elsewhere")).expect("moved");
    fs::write(&leagues, "not a folder").expect("written");
    let service = site.start(&[TRACE]);
    refused(&mut recording, &service, (OLDER, key), 503).await;
    recording.stop(&site, service);

    assert_eq!(recording.statuses, [200, 304, 400, 401, 403, 404, 405, 409, 413, 429, 500, 503].into());
    recording.read_files(site.place.path());
    recording.assert_without([key, &lapsed]);
}
