use actix_web::http::Method;
use actix_web::test::TestRequest;

use crate::support::World;

#[actix_web::test]
async fn both_verifiers_are_served_to_anybody() {
    let world = World::new();
    for (path, file, media_type) in [
        ("/verify", "verify.html", "text/html; charset=utf-8"),
        ("/verify.py", "verify.py", "text/x-python; charset=utf-8"),
    ] {
        let answer = world.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some(media_type)), "{path}");
        assert_eq!(answer.header("cache-control"), Some("public, no-cache"), "{path}");
        let kept = format!("{}/web/verify/{file}", env!("CARGO_MANIFEST_DIR"));
        assert!(answer.text == std::fs::read_to_string(kept).expect("a file"), "{path}");
        let etag = answer.header("etag").expect("a name").to_owned();
        let again = world.send(TestRequest::get().uri(path).insert_header(("If-None-Match", etag))).await;
        assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.header("content-security-policy"), answer.header("content-security-policy"), "{path}");
        let head = world.send(TestRequest::default().method(Method::HEAD).uri(path)).await;
        assert_eq!(head.status.as_u16(), 200, "{path}");
        let posted = world.send(TestRequest::post().uri(path)).await;
        assert_eq!((posted.status.as_u16(), posted.header("allow")), (405, Some("GET, HEAD")), "{path}");
    }
    for nowhere in ["/verify/", "/verify.html", "/verify.py/"] {
        assert_eq!(world.get(nowhere).await.status.as_u16(), 404, "{nowhere}");
    }
}

#[actix_web::test]
async fn the_page_has_its_scripts_and_its_style_in_it_and_refers_to_nothing_else() {
    let page = World::new().get("/verify").await;
    for (element, count) in [("script", 2), ("style", 1)] {
        assert_eq!(page.text.matches(&format!("<{element}")).count(), count, "{element}");
        assert_eq!(page.text.matches(&format!("<{element}>")).count(), count, "{element}");
    }
    let addresses = ["src=", "http:", "https:", "import ", "fetch(", "url(", "XMLHttpRequest"];
    for word in addresses {
        assert!(!page.text.contains(word), "{word}");
    }
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("connect-src") && !policy.contains("'self'"), "{policy}");
}
