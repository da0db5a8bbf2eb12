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
async fn the_page_comes_from_the_program_and_reads_our_document() {
    let world = World::new();
    let redirect = world.get("/docs").await;
    assert_eq!((redirect.status.as_u16(), redirect.header("location")), (307, Some("docs/")));
    let page = world.get("/docs/").await;
    assert!(page.text.contains("swagger-ui"), "{}", page.text);
    for elsewhere in ["src=\"http", "href=\"http", "src=\"//"] {
        assert!(!page.text.contains(elsewhere), "{}", page.text);
    }
    let settings = world.get("/docs/swagger-initializer.js").await;
    assert!(settings.text.contains("\"../openapi.json\""), "{}", settings.text);
    assert!(settings.text.contains("\"validatorUrl\": \"none\""), "{}", settings.text);
    for file in ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-standalone-preset.js"] {
        assert_eq!(world.get(&format!("/docs/{file}")).await.status, 200, "{file}");
    }
}

const BUNDLE: &str = "/docs/swagger-ui-bundle.js";

fn accepting(path: &str, encodings: &str) -> TestRequest {
    TestRequest::get().uri(path).insert_header(("Accept-Encoding", encodings))
}

#[actix_web::test]
async fn kept_compressed_answers_are_sent_and_none_is_compressed_for_one_request() {
    let world = World::new();
    for path in [BUNDLE, "/docs/swagger-ui.css", "/openapi.json"] {
        let plain = world.get(path).await;
        for (accepted, sent) in [
            ("br", Some("br")),
            ("gzip", Some("gzip")),
            ("gzip, deflate, br, zstd", Some("br")),
            ("zstd", None),
            ("deflate", None),
            ("zstd, identity;q=0", None),
        ] {
            let (headers, body) = world.ask_for_bytes(accepting(path, accepted)).await;
            let encoding = headers.get("content-encoding").map(|encoding| encoding.to_str().expect("text"));
            assert_eq!(encoding, sent, "{path} {accepted}");
            let mut text = String::new();
            match sent {
                Some("br") => brotli::Decompressor::new(&*body, 4096).read_to_string(&mut text),
                Some(_) => flate2::read::GzDecoder::new(&*body).read_to_string(&mut text),
                None => (&*body).read_to_string(&mut text),
            }
            .expect("whole");
            assert!(text == plain.text, "{path} {accepted}");
        }
    }
}

/// Small as they are, a compressor costs each of them more than all the rest of the request.
#[actix_web::test]
async fn answers_without_a_key_are_never_compressed_on_their_way_out() {
    let world = World::with_subscriber().await;
    for path in
        ["/", "/nowhere", "/docs/", "/docs/nowhere", "/api/v1/health", "/api/v1/data-status/nfl", "/api/v1/sports"]
    {
        for encodings in ["br", "gzip", "deflate", "zstd", "*"] {
            let answer = world.ask(accepting(path, encodings)).await;
            assert_eq!(answer.header("content-encoding"), None, "{path} {encodings}");
            assert!(!answer.text.is_empty(), "{path} {encodings}");
        }
    }
    let keyed = accepting("/api/v1/sports", "gzip").insert_header(("X-API-Key", a_key(1).reveal()));
    let (headers, _) = world.ask_for_bytes(keyed).await;
    assert_eq!(headers.get("content-encoding").expect("said"), "gzip");
}

#[actix_web::test]
async fn a_browser_that_has_the_page_gets_304_under_the_same_policy() {
    let world = World::new();
    for path in ["/docs/", BUNDLE, "/docs/swagger-initializer.js", "/docs/favicon-32x32.png", "/openapi.json"] {
        let (headers, _) = world.ask_for_bytes(TestRequest::get().uri(path)).await;
        let etag = headers.get("etag").expect("a name").clone();
        assert_eq!(headers.get("cache-control").expect("said"), "public, no-cache", "{path}");
        let again = world.ask(TestRequest::get().uri(path).insert_header(("If-None-Match", etag))).await;
        assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.headers.get("content-security-policy"), headers.get("content-security-policy"), "{path}");
    }
    for nowhere in ["/docs/swagger-ui-es-bundle.js", "/docs/../openapi.json", "/docs/index.html/", "/docs//"] {
        assert_eq!(world.get(nowhere).await.status, 404, "{nowhere}");
    }
}
