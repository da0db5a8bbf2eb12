use std::collections::HashMap;
use std::io::Read;

use crate::folder::Folder;
use crate::service::{Answer, Service, Site};

const PAGE: &str = "/api/v1/results/nfl/over_under?season=2023-24";

async fn accepting(service: &Service, path: &str, encodings: &str) -> Answer {
    Answer::to(service.keyed(path).header("Accept-Encoding", encodings)).await
}

fn etag(answer: &Answer) -> String {
    let etag = answer.header("etag").expect("an ETag").to_owned();
    assert!(etag.len() > 2 && etag.starts_with('"') && etag.ends_with('"'), "{etag} is not strong");
    etag
}

/// Returns the decompressed body.
fn decoded(answer: &Answer) -> Vec<u8> {
    let (mut plain, body) = (Vec::new(), &*answer.body);
    let read = match answer.header("content-encoding") {
        None => return body.to_vec(),
        Some("gzip") => flate2::read::GzDecoder::new(body).read_to_end(&mut plain),
        Some("br") => brotli::Decompressor::new(body, 4096).read_to_end(&mut plain),
        Some("zstd") => zstd::stream::copy_decode(body, &mut plain).map(|()| plain.len()),
        Some(other) => panic!("{other} was not answer for"),
    };
    read.expect("a whole body");
    plain
}

#[tokio::test]
async fn compressed_pages_are_the_same_bytes_under_their_own_etags() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    for form in ["json", "csv", "ndjson", "parquet"] {
        let path = format!("{PAGE}&format={form}");
        let plain = service.get(&path).await;
        assert_eq!(plain.header("content-encoding"), None);
        let mut encoding_of = HashMap::from([(etag(&plain), None)]);
        for accepted in ["identity", "gzip", "br", "zstd", "gzip, br", "br;q=0.5, gzip", "*", "gzip;q=0", "deflate"] {
            let answer = accepting(&service, &path, accepted).await;
            assert_eq!(answer.status, 200, "{accepted}");
            assert_eq!(decoded(&answer), plain.body, "{form} {accepted}");
            let encoding = answer.header("content-encoding").map(str::to_owned);
            let named = encoding_of.entry(etag(&answer)).or_insert_with(|| encoding.clone());
            assert_eq!(*named, encoding, "{form} {accepted}: one ETag, two encodings");
            assert_eq!(etag(&accepting(&service, &path, accepted).await), etag(&answer), "{form} {accepted}");
        }
        let encodings = if form == "json" { 4 } else { 1 };
        assert_eq!(encoding_of.len(), encodings, "plain, gzip, br and zstd, or only plain: {encoding_of:?}");
    }
}

#[tokio::test]
async fn a_client_without_a_known_encoding_is_refused_in_the_common_form() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    for accepted in ["identity;q=0", "*;q=0", "identity;q=0, compress"] {
        let detail = accepting(&service, PAGE, accepted).await.failure(406);
        assert!(detail.contains("name br, zstd, gzip or identity"), "{accepted}: {detail}");
    }
    assert_eq!(accepting(&service, PAGE, "identity;q=0, gzip").await.header("content-encoding"), Some("gzip"));
}

#[tokio::test]
async fn every_answer_is_private_and_has_a_vary_header() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    for accepted in ["identity", "gzip"] {
        let answer = accepting(&service, PAGE, accepted).await;
        let varies = answer.headers.get_all("vary").iter().map(|value| value.to_str().expect("text"));
        let varies = varies.collect::<Vec<_>>().join(", ").to_lowercase();
        let varies: Vec<_> = varies.split(", ").collect();
        assert!(varies.contains(&"accept") && varies.contains(&"accept-encoding"), "{accepted}: {varies:?}");
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    }
}

#[tokio::test]
async fn a_current_page_is_answered_304() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    for encodings in ["identity", "gzip", "br", "zstd"] {
        let page = accepting(&service, PAGE, encodings).await;
        let tag = etag(&page);
        let revalidate = |had: &str| {
            Answer::to(service.keyed(PAGE).header("Accept-Encoding", encodings).header("If-None-Match", had))
        };
        for had in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let answer = revalidate(&had).await;
            assert_eq!((answer.status, answer.body.len()), (304, 0), "{encodings} {had}");
            assert_eq!(etag(&answer), tag);
            for header in ["cache-control", "x-grading-rules", "x-results-snapshot", "x-results-total"] {
                assert_eq!(answer.header(header), page.header(header), "{header}");
            }
            assert!(answer.header("x-request-id").is_some());
            assert_eq!(answer.header("content-encoding"), None);
        }
        for had in ["\"other\"", "", "nonsense"] {
            let answer = revalidate(had).await;
            assert_eq!((answer.status, &answer.body), (200, &page.body), "{encodings} {had}");
        }
    }
    // Another encoding's tag is not this page's.
    let gzipped = etag(&accepting(&service, PAGE, "gzip").await);
    let plain = Answer::to(service.keyed(PAGE).header("If-None-Match", gzipped)).await;
    assert_eq!(plain.status, 200);
}

#[tokio::test]
async fn every_page_order_market_and_form_has_its_own_etag() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let queries = [
        "over_under?season=2023-24",
        "over_under?season=2023-24&limit=7",
        "over_under?season=2023-24&limit=8",
        "over_under?limit=100",
        "over_under?limit=7",
        "over_under?limit=7&offset=7",
        "won_on_points?season=2023-24",
        "over_under?season=2023-24&format=csv",
        "over_under?season=2023-24&format=parquet",
    ];
    let mut seen = HashMap::new();
    for query in queries {
        let tag = etag(&service.page(&format!("nfl/{query}")).await);
        assert_eq!(seen.insert(tag, query), None, "{query}");
    }
    // A larger limit than there are rows gives the same page.
    let (hundred, most) = (service.get(PAGE).await, service.get(&format!("{PAGE}&limit=100000")).await);
    assert_eq!((etag(&hundred), &hundred.body), (etag(&most), &most.body));
}

#[tokio::test]
async fn a_republished_season_has_new_etags_and_others_keep_theirs() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let other = "/api/v1/results/nfl/won_on_points?season=2023-24";
    let (before, beside) = (service.get(PAGE).await, service.get(other).await);
    let folder =
        Folder::copy_of("nfl-2023-week-18").replace("probabilities/over_under/2023-24.csv", "0.4729", "0.4730");
    site.publish(folder.path());

    let after = service.until(PAGE, |page| page.body != before.body).await;
    assert_ne!(etag(&after), etag(&before));
    let answer = Answer::to(service.keyed(PAGE).header("If-None-Match", etag(&before))).await;
    assert_eq!((answer.status, &answer.body), (200, &after.body));
    let unchanged = Answer::to(service.keyed(other).header("If-None-Match", etag(&beside))).await;
    assert_eq!(unchanged.status, 304);
}
