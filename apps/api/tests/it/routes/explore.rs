mod tones;

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::io;

use actix_web::http::Method;
use actix_web::test::TestRequest;

use serde_json::{Value, json};
use sports_api::page::Page;
use sports_api::state::OneClick;
use sports_program::settings::{Accent, Settings, Sources};

use crate::support::World;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/bundle");

/// The limit on the size of the whole page, compressed, in bytes, without the files that it loads on demand.
const ALL: usize = 120_000;

/// The files for the timestamps of a proof, which few visitors need.
const ON_DEMAND: [&str; 2] = ["authorities.js", "pkijs.js"];

/// Returns the address of a file of the page, as the page has it.
async fn address(world: &World, file: &str) -> String {
    let page = world.get("/explore/").await.text;
    let main = page.split('"').find(|text| text.ends_with("/main.js")).expect("a script");
    format!("/explore/{}/{file}", main.strip_suffix("/main.js").expect("a folder"))
}

/// Returns the name of every file that a browser may request.
fn files() -> BTreeSet<String> {
    let name = |entry: io::Result<DirEntry>| entry.expect("an entry").file_name().into_string().expect("text");
    let bundle = fs::read_dir(FOLDER).expect("a folder").map(name);
    bundle.chain(ON_DEMAND.map(str::to_owned)).chain(["icon.svg".to_owned()]).collect()
}

#[actix_web::test]
async fn every_file_of_the_page_is_immutable_under_its_version_and_small() {
    let world = World::new();
    let mut weight = 0;
    for name in files() {
        let request = TestRequest::get().uri(&address(&world, &name).await).insert_header(("Accept-Encoding", "gzip"));
        let (headers, body) = world.send_for_bytes(request).await;
        let cached = headers.get("cache-control").unwrap_or_else(|| panic!("{name}"));
        assert_eq!(cached, "public, max-age=31536000, immutable", "{name}");
        if !ON_DEMAND.contains(&name.as_str()) {
            weight += body.len();
        }
    }
    weight += world
        .send_for_bytes(TestRequest::get().uri("/explore/").insert_header(("Accept-Encoding", "gzip")))
        .await
        .1
        .len();
    assert!((50_000..ALL).contains(&weight), "{weight} bytes");
}

#[actix_web::test]
async fn the_page_refers_to_no_other_site() {
    let world = World::new();
    let page = world.get("/explore/").await;
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(!page.text.contains("{version}") && !page.text.contains("//"), "{}", page.text);
    let policy = page.header("content-security-policy").expect("a policy");
    for directive in
        ["script-src 'self';", "style-src 'self';", "connect-src 'self';", "require-trusted-types-for 'script'"]
    {
        assert!(policy.contains(directive), "{policy}");
    }
}

#[actix_web::test]
async fn a_cached_page_gets_304_and_a_file_of_another_build_is_revalidated() {
    let world = World::new();
    for path in
        ["/explore/".to_owned(), address(&world, "main.js").await, "/explore/0123456789abcdef/main.js".to_owned()]
    {
        let (headers, _) = world.send_for_bytes(TestRequest::get().uri(&path)).await;
        let etag = headers.get("etag").expect("a name").clone();
        let again = world.send(TestRequest::get().uri(&path).insert_header(("If-None-Match", etag))).await;
        assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.headers.get("cache-control"), headers.get("cache-control"), "{path}");
        assert_eq!(again.headers.get("content-security-policy"), headers.get("content-security-policy"), "{path}");
    }
    let (headers, _) = world.send_for_bytes(TestRequest::get().uri("/explore/0123456789abcdef/main.js")).await;
    assert_eq!(headers.get("cache-control").expect("a header"), "public, no-cache");
    for nowhere in [
        "/explore/main.js",
        "/explore/0123456789abcdef/",
        "/explore/x/../main.js",
        "/explore/x/index.html",
        "/explore/x/views/today.js",
    ] {
        assert_eq!(world.get(nowhere).await.status, 404, "{nowhere}");
    }
}

#[actix_web::test]
async fn the_page_takes_only_get_and_head() {
    let world = World::new();
    for path in ["/explore", "/explore/", &address(&world, "main.js").await, &address(&world, "page.css").await] {
        let head = world.send(TestRequest::default().method(Method::HEAD).uri(path)).await;
        assert!(head.status.is_success() || head.status.is_redirection(), "{path} {}", head.status);
        let posted = world.send(TestRequest::post().uri(path)).await;
        assert_eq!((posted.status.as_u16(), posted.header("allow")), (405, Some("GET, HEAD")), "{path}");
    }
}

#[actix_web::test]
async fn the_root_redirects_browsers_to_the_page_and_answers_programs() {
    let world = World::new();
    let get_root = async |accept: &str| world.send(TestRequest::get().uri("/").insert_header(("Accept", accept))).await;
    for browser in [
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
        "text/html",
        "application/json;q=0.5, text/html",
    ] {
        let answer = get_root(browser).await;
        let redirect = (answer.status.as_u16(), answer.header("location"), answer.header("vary"));
        assert_eq!(redirect, (307, Some("explore/"), Some("Accept")), "{browser}");
    }
    for program in
        ["*/*", "application/json", "application/json, text/html", "text/html;q=0.1, application/json", "", "x"]
    {
        let answer = get_root(program).await;
        assert_eq!((answer.status.as_u16(), answer.header("vary")), (200, Some("Accept")), "{program}");
        assert_eq!(answer.json()["docs"], "/docs", "{program}");
    }
    assert_eq!(world.get("/").await.status, 200);
    assert_eq!(world.get("/explore").await.header("location"), Some("explore/"));
}

fn settings(variables: &[(&str, &str)]) -> Settings {
    let environment = variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
    Settings::load(&Sources { environment, ..Sources::default() }).expect("settings")
}

#[actix_web::test]
async fn the_page_says_what_the_publisher_set_and_nothing_of_it_is_markup() {
    let logo = tempfile::NamedTempFile::new().expect("a file");
    let picture = b"RIFF\x0c\0\0\0WEBPVP8 \0\0\0\0";
    fs::write(logo.path(), picture).expect("written");
    let settings = settings(&[
        ("SPORTS_HTTP__PUBLIC_URL", "https://picks.example/base"),
        ("SPORTS_SITE__NAME", "Ann & <b>Bob</b>"),
        ("SPORTS_SITE__ABOUT", "# Who\n\nOne *model* {name} & a \"quote\".\n\n- [mail](mailto:a@example.com)"),
        ("SPORTS_SITE__CONTACT", "ann@example.com"),
        ("SPORTS_SITE__LOGO", logo.path().to_str().expect("a path")),
        ("SPORTS_SITE__ACCENT", "#4475f6"),
    ]);
    let mut world = World::new();
    let plain = world.get("/explore/").await.text;
    assert!(!plain.contains("site.css"), "a site without a colour of its own needs no style sheet: {plain}");
    let before = address(&world, "site.css").await;
    world.replace(|state| state.site.page = Page::from_settings(&settings).expect("a logo"));
    let page = world.get("/explore/").await.text;
    for expected in [
        "<title>Ann &#38; &#60;b&#62;Bob&#60;/b&#62;</title>",
        "<span id=\"site-name\">Ann &#38; &#60;b&#62;Bob&#60;/b&#62;</span>",
        "<meta property=\"og:title\" content=\"Ann &#38; &#60;b&#62;Bob&#60;/b&#62;\" />",
        "<meta property=\"og:description\" content=\"One model {name} &#38; a &#34;quote&#34;.\" />",
        "<meta property=\"og:url\" content=\"https://picks.example/base/explore/\" />",
        "<meta name=\"twitter:card\" content=\"summary\" />",
        "<h3>Who</h3>\n<p>One <em>model</em> {name} &amp; a \"quote\".</p>",
        "<a href=\"mailto:a@example.com\">mail</a>",
        "<p id=\"publisher\">Contact: <a href=\"mailto:ann@example.com\">ann@example.com</a></p>",
    ] {
        assert!(page.contains(expected), "no {expected} in {page}");
    }
    assert!(!page.contains("og:image"), "no record is open");
    let file = address(&world, "site.css").await;
    assert_ne!(file, before, "other settings are another version");
    assert_eq!(world.get(&file).await.text, ":root { --site-accent: #4475f6; }\n");
    let (headers, body) = world.send_for_bytes(TestRequest::get().uri(&address(&world, "logo").await)).await;
    assert_eq!(
        (headers.get("content-type").expect("a type").to_str().ok(), &body[..]),
        (Some("image/webp"), &picture[..])
    );
    let style = include_str!("../../../web/page/tokens.css");
    for paper in Accent::PAPERS {
        assert!(style.contains(&format!("--paper: {paper};")), "{paper}");
    }
}

#[test]
fn a_logo_that_is_no_picture_is_refused_with_its_path() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), "<svg xmlns='http://www.w3.org/2000/svg'/>").expect("written");
    let path = file.path().to_str().expect("a path");
    let refused = Page::from_settings(&settings(&[("SPORTS_SITE__LOGO", path)])).err().expect("no picture").to_string();
    assert!(refused.contains(path) && refused.contains("expected a PNG, JPEG or WebP file"), "{refused}");
}

/// Sends a token from an address; returns the status and the answer.
async fn exchange(world: &World, token: &str, from: &str) -> (u16, Value) {
    let from = from.parse().expect("an address");
    let request = TestRequest::post().uri("/explore/key").peer_addr(from).set_json(json!({ "token": token }));
    let answer = world.send(request).await;
    (answer.status.as_u16(), answer.json())
}

#[actix_web::test]
async fn a_token_is_exchanged_once_from_this_machine_alone() {
    const NEAR: &str = "127.0.0.1:40000";
    let mut world = World::new();
    assert_eq!(exchange(&world, "the token", NEAR).await.0, 404, "no demo");
    world.replace(|state| state.site.one_click = Some(OneClick::new("the token", "the key")));
    assert_eq!(exchange(&world, "the token", "192.0.2.7:40000").await.0, 404);
    assert_eq!(exchange(&world, "another", NEAR).await.0, 403);
    assert_eq!(exchange(&world, "the token", NEAR).await, (200, json!({ "api_key": "the key" })));
    let (status, refusal) = exchange(&world, "the token", "[::1]:40000").await;
    assert_eq!(status, 403);
    assert!(refusal["detail"].as_str().expect("text").contains("use the printed key"), "{refusal}");
}

#[actix_web::test]
async fn an_address_to_share_has_words_for_a_preview_and_opens_the_page() {
    let world = World::new();
    let game = world.get("/game/nfl/nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens").await;
    let figure = world.get("/figure/reliability-live/track-record/nfl/won_on_points?season=2023-24&x=%22").await;
    let model = world.get("/figure/moves/game/nfl/nfl-2024-01-06-a-b").await;
    for (page, expected) in [
        (
            &game,
            [
                "<meta property=\"og:title\" content=\"Pittsburgh Steelers at Baltimore Ravens · Jan 6, 2024 · NFL\" />",
                "content=\"0; url=../../explore/#/game/nfl/nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens\" />",
            ],
        ),
        (
            &figure,
            [
                "<meta property=\"og:title\" content=\"Reliability live · NFL · Moneyline\" />",
                "url=../../../../explore/#/track-record/nfl/won_on_points?season=2023-24&#38;x=%22&#38;figure=reliability-live\" />",
            ],
        ),
        (
            &model,
            [
                "<meta property=\"og:title\" content=\"Moves · NFL\" />",
                "url=../../../../explore/#/game/nfl/nfl-2024-01-06-a-b?figure=moves\" />",
            ],
        ),
    ] {
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        for part in expected {
            assert!(page.text.contains(part), "no {part} in {}", page.text);
        }
    }
    for nowhere in [
        "/game/nfl/x",
        "/game/cricket/nfl-2024-01-06-a-b",
        "/game/nfl",
        "/figure/a%22b/today/nfl/won_on_points",
        "/figure/a/today/nfl/%3Cscript%3E",
        "/figure/a//nfl",
        "/figure/a",
    ] {
        assert_eq!(world.get(nowhere).await.status, 404, "{nowhere}");
    }
}

#[actix_web::test]
async fn an_embed_alone_is_framed_by_the_origins_of_the_settings() {
    let ancestors = async |world: &World, path: &str| {
        let policy = world.get(path).await.header("content-security-policy").expect("a policy").to_owned();
        policy.split_once("frame-ancestors ").expect("a directive").1.to_owned()
    };
    let mut world = World::new();
    for path in ["/explore/", "/explore/?embed"] {
        assert_eq!(ancestors(&world, path).await, "'none'", "{path}");
    }
    let settings = settings(&[("SPORTS_HTTP__FRAME_ANCESTORS", "https://blog.example, http://localhost:8000")]);
    world.replace(|state| state.site.page = Page::from_settings(&settings).expect("settings"));
    assert_eq!(ancestors(&world, "/explore/?embed").await, "https://blog.example http://localhost:8000");
    for path in ["/explore/", "/explore/?x=embed", "/explore/?embedded", &address(&world, "main.js").await] {
        assert_eq!(ancestors(&world, path).await, "'none'", "{path}");
    }
}
