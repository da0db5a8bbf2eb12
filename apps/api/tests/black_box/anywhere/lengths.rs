//! The framing of answers by the HTTP library: lengths, and answers to `HEAD`.

use reqwest::Method;

use crate::service::{Answer, Site};

const PAGE: &str = "/api/v1/results/nfl/over_under?season=2023-24";

#[tokio::test]
async fn a_head_request_has_the_headers_and_the_length_of_get() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    for path in [PAGE.to_owned(), format!("{PAGE}&format=csv"), format!("{PAGE}&format=parquet")] {
        let get = service.get(&path).await;
        for range in [None, Some("bytes=0-3")] {
            let request = service.call(Method::HEAD, &path);
            let head =
                Answer::to(range.into_iter().fold(request, |request, range| request.header("Range", range))).await;
            assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
            assert_eq!(head.header("content-length"), Some(&*get.body.len().to_string()), "{path}");
            for header in
                ["etag", "content-type", "cache-control", "accept-ranges", "x-results-snapshot", "x-results-total"]
            {
                assert_eq!(head.header(header), get.header(header), "{path} {header}");
            }
        }
    }
    let part = Answer::to(service.keyed(&format!("{PAGE}&format=csv")).header("Range", "bytes=2-99")).await;
    assert_eq!((part.status, part.header("content-length")), (206, Some("98")));
}
