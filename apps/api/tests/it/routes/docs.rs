use std::io::Read;

use actix_web::test::TestRequest;
use sports_accounts::testing::a_key;

use crate::support::World;

#[actix_web::test]
async fn the_document_is_served_as_json() {
    let answer = World::new().get("/openapi.json").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["openapi"], "3.1.0");
}

#[actix_web::test]
async fn the_page_is_part_of_the_program_and_reads_its_document() {
    let world = World::new();
    let redirect = world.get("/docs").await;
    assert_eq!((redirect.status.as_u16(), redirect.header("location")), (307, Some("docs/")));
    let page = world.get("/docs/").await;
    assert!(page.text.contains("swagger-ui"), "{}", page.text);
    for elsewhere in ["src=\"http", "href=\"http", "src=\"//"] {
        assert!(!page.text.contains(elsewhere), "{}", page.text);
    }
    let script = world.get("/docs/page.js").await;
    assert!(script.text.contains("\"../openapi.json\""), "{}", script.text);
    for (file, content_type) in [
        ("swagger-ui-bundle.js", "text/javascript"),
        ("swagger-ui.css", "text/css"),
        ("page.js", "text/javascript"),
        ("page.css", "text/css"),
        ("tokens.css", "text/css"),
        ("icon.svg", "image/svg+xml"),
    ] {
        let answer = world.get(&format!("/docs/{file}")).await;
        assert_eq!(answer.status, 200, "{file}");
        assert!(answer.header("content-type").is_some_and(|sent| sent.starts_with(content_type)), "{file}");
        assert!(page.text.contains(file), "{file}: {}", page.text);
    }
}

const BUNDLE: &str = "/docs/swagger-ui-bundle.js";

fn accepting(path: &str, encodings: &str) -> TestRequest {
    TestRequest::get().uri(path).insert_header(("Accept-Encoding", encodings))
}

#[actix_web::test]
async fn the_documentation_is_sent_in_each_encoding() {
    let world = World::new();
    for path in [BUNDLE, "/docs/swagger-ui.css", "/openapi.json"] {
        let plain = world.get(path).await;
        for (accepted, sent) in [
            ("br", Some("br")),
            ("gzip", Some("gzip")),
            ("gzip, deflate, br, zstd", Some("br")),
            ("zstd", Some("zstd")),
            ("deflate", None),
            ("zstd, identity;q=0", Some("zstd")),
        ] {
            let (headers, body) = world.send_for_bytes(accepting(path, accepted)).await;
            let encoding = headers.get("content-encoding").map(|encoding| encoding.to_str().expect("text"));
            assert_eq!(encoding, sent, "{path} {accepted}");
            let mut text = String::new();
            match sent {
                Some("br") => brotli::Decompressor::new(&*body, 4096).read_to_string(&mut text),
                Some("zstd") => zstd::Decoder::new(&*body).and_then(|mut decoder| decoder.read_to_string(&mut text)),
                Some(_) => flate2::read::GzDecoder::new(&*body).read_to_string(&mut text),
                None => (&*body).read_to_string(&mut text),
            }
            .expect("whole");
            assert!(text == plain.text, "{path} {accepted}");
        }
    }
}

/// They are small enough for one packet.
#[actix_web::test]
async fn answers_without_a_cached_body_are_not_compressed() {
    let world = World::with_subscriber().await;
    for path in ["/", "/nowhere", "/docs/nowhere", "/api/v1/health", "/api/v1/data-status/nfl", "/api/v1/sports"] {
        for encodings in ["br", "gzip", "deflate", "zstd", "*"] {
            let request = accepting(path, encodings).insert_header(("X-API-Key", a_key(1).reveal()));
            let answer = world.send(request).await;
            assert_eq!(answer.header("content-encoding"), None, "{path} {encodings}");
            assert!(!answer.text.is_empty(), "{path} {encodings}");
        }
    }
}

#[actix_web::test]
async fn a_browser_that_has_the_page_gets_304_under_the_same_policy() {
    let world = World::new();
    for path in ["/docs/", BUNDLE, "/docs/page.js", "/docs/icon.svg", "/openapi.json"] {
        let (headers, _) = world.send_for_bytes(TestRequest::get().uri(path)).await;
        let etag = headers.get("etag").expect("a name").clone();
        assert_eq!(headers.get("cache-control").expect("a header"), "public, no-cache", "{path}");
        let again = world.send(TestRequest::get().uri(path).insert_header(("If-None-Match", etag))).await;
        assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.headers.get("content-security-policy"), headers.get("content-security-policy"), "{path}");
    }
    for nowhere in ["/docs/swagger-initializer.js", "/docs/../openapi.json", "/docs/index.html/", "/docs//"] {
        assert_eq!(world.get(nowhere).await.status, 404, "{nowhere}");
    }
}
