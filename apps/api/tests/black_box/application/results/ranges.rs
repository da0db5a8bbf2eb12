use reqwest::Method;

use crate::service::{Answer, Service, Site};

const PAGE: &str = "/api/v1/results/nfl/over_under?season=2023-24";

async fn history() -> (Site, Service) {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    (site, service)
}

async fn get_with(service: &Service, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = service.keyed(path);
    Answer::to(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

#[tokio::test]
async fn a_range_of_a_table_has_those_bytes() {
    let (_site, service) = history().await;
    for format in ["csv", "parquet", "ndjson"] {
        let path = format!("{PAGE}&format={format}");
        let whole = service.get(&path).await;
        assert_eq!((whole.status, whole.header("accept-ranges")), (200, Some("bytes")));
        let size = whole.body.len();
        let parts = [
            ("bytes=0-0".to_owned(), 0..1),
            ("bytes=2-99".to_owned(), 2..100),
            ("bytes=100-".to_owned(), 100..size),
            ("bytes=-8".to_owned(), size - 8..size),
            // Beyond the end the range is cut, and a suffix longer than the file is the whole file.
            (format!("bytes={}-{}", size - 1, size + 1_000), size - 1..size),
            ("bytes=0-99999999999".to_owned(), 0..size),
            (format!("bytes=-{}", size + 1), 0..size),
        ];
        for (range, expected) in parts {
            // After repeated requests the whole answer is in the response cache; parts are not cached.
            for _ in 0..3 {
                let part = get_with(&service, &path, &[("Range", &range)]).await;
                let content_range = format!("bytes {}-{}/{size}", expected.start, expected.end - 1);
                assert_eq!(
                    (part.status, part.header("content-range")),
                    (206, Some(&*content_range)),
                    "{format} {range}"
                );
                assert_eq!(part.body, whole.body[expected.clone()], "{format} {range}");
                for header in ["etag", "content-type", "x-results-total", "x-results-snapshot"] {
                    assert_eq!(part.header(header), whole.header(header), "{header}");
                }
                assert_eq!(part.header("content-encoding"), None);
                service.get(&path).await;
            }
        }
        for range in ["bytes=0-1,5-6", "bytes=5-2", "lines=0-1", "bytes", "bytes=a-b"] {
            let answer = get_with(&service, &path, &[("Range", range)]).await;
            assert_eq!((answer.status, &answer.body), (200, &whole.body), "{format} {range}");
        }
        for range in [format!("bytes={size}-"), "bytes=-0".to_owned(), format!("bytes={}-{}", size + 5, size + 9)] {
            let refused = get_with(&service, &path, &[("Range", &range)]).await;
            assert_eq!(refused.header("content-range"), Some(&*format!("bytes */{size}")), "{format} {range}");
            let detail = format!("The file has {size} bytes; the requested range is outside it");
            assert_eq!(refused.failure(416), detail);
        }
    }
}

#[tokio::test]
async fn a_range_with_if_range_is_of_the_clients_version() {
    let (_site, service) = history().await;
    let path = format!("{PAGE}&format=parquet");
    let whole = service.get(&path).await;
    let tag = whole.header("etag").expect("an ETag").to_owned();
    let range = ("Range", "bytes=0-3");
    let part = get_with(&service, &path, &[range, ("If-Range", &tag)]).await;
    assert_eq!((part.status, &*part.body), (206, &b"PAR1"[..]));
    for other in ["\"other\"", &format!("W/{tag}"), "Sat, 29 Oct 1994 19:43:31 GMT"] {
        let answer = get_with(&service, &path, &[range, ("If-Range", other)]).await;
        assert_eq!((answer.status, &answer.body), (200, &whole.body), "{other}");
    }
    let unchanged = get_with(&service, &path, &[range, ("If-None-Match", &tag)]).await;
    assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));
}

#[tokio::test]
async fn an_unchanged_table_has_accept_ranges() {
    let (_site, service) = history().await;
    for format in ["csv", "ndjson", "parquet", "json"] {
        let path = format!("{PAGE}&format={format}");
        let (whole, expected) = (service.get(&path).await, (format != "json").then_some("bytes"));
        let tag = whole.header("etag").expect("an ETag");
        // Answered by the handler and from the response cache; with a list and a star, which only the handler reads.
        for given in [tag, tag, tag, &format!("\"x\", {tag}"), "*"] {
            for method in [Method::GET, Method::HEAD] {
                let unchanged = Answer::to(service.call(method, &path).header("If-None-Match", given)).await;
                assert_eq!((unchanged.status, unchanged.header("accept-ranges")), (304, expected), "{format} {given}");
            }
        }
    }
}

#[tokio::test]
async fn a_table_is_never_compressed() {
    let (_site, service) = history().await;
    for format in ["csv", "parquet", "ndjson"] {
        let path = format!("{PAGE}&format={format}");
        let plain = service.get(&path).await;
        for _ in 0..3 {
            let answer = get_with(&service, &path, &[("Accept-Encoding", "gzip, br, zstd")]).await;
            assert_eq!((answer.header("content-encoding"), &answer.body), (None, &plain.body), "{format}");
            assert_eq!(answer.header("etag"), plain.header("etag"));
        }
    }
}

#[tokio::test]
async fn json_has_no_ranges() {
    let (_site, service) = history().await;
    let whole = service.get(PAGE).await;
    assert_eq!(whole.header("accept-ranges"), None);
    let answer = get_with(&service, PAGE, &[("Range", "bytes=0-3")]).await;
    assert_eq!((answer.status, &answer.body), (200, &whole.body));
}

#[tokio::test]
async fn every_part_counts_as_a_request_and_takes_a_key_in_the_address() {
    let (site, service) = history().await;
    let before = service.monthly_requests().await;
    let path = format!("{PAGE}&format=parquet&api_key={}", site.key);
    for range in ["bytes=0-3", "bytes=-8", "bytes=99999999-"] {
        let answer = Answer::to(service.request(&path).header("Range", range)).await;
        assert!(matches!(answer.status, 206 | 416), "{range}: {}", answer.status);
    }
    assert_eq!(service.monthly_requests().await, before + 2, "a range outside of the table does not count");
}
