//! The documentation page in a browser, and its cost.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use serde_json::{Value, json};

use crate::browser::{Browser, Page, TELEPHONE};
use crate::service::{Answer, Service, Site};

const LIVENESS: &str = "#operations-service-get_liveness";

/// Returns the number of operations in the document.
pub async fn operations(service: &Service) -> usize {
    let document = Answer::to(service.request("/openapi.json")).await.json();
    let paths = document["paths"].as_object().expect("paths").values();
    let methods =
        |item: &Value| ["get", "post", "put", "patch", "delete"].iter().filter(|m| item.get(m).is_some()).count();
    paths.map(methods).sum()
}

/// The script that unfolds every area, and counts the operations on the page.
const OPERATIONS: &str = "(() => { \
    document.querySelectorAll('.opblock-tag[data-is-open=false]').forEach(area => area.click()); \
    return document.querySelectorAll('.opblock').length; })()";

/// Returns the names of the areas of the page.
pub async fn areas(page: &mut Page<'_>) -> Vec<String> {
    page.expect("document.querySelectorAll('.opblock-tag').length > 5", &json!(true)).await;
    let headings = ids(page, ".opblock-tag").into_iter();
    headings.map(|id| id.trim_start_matches("operations-tag-").to_owned()).collect()
}

/// Returns the ids of the parts of the page that a selector finds.
fn ids(page: &mut Page<'_>, selector: &str) -> Vec<String> {
    let found = page.evaluate(&format!("[...document.querySelectorAll('{selector}')].map(part => part.id)"));
    found.as_array().expect("ids").iter().map(|id| id.as_str().expect("an id").to_owned()).collect()
}

/// Unfolds one area; returns the ids of its operations. The page gets slower with every unfolded area.
pub async fn unfold(page: &mut Page<'_>, area: &str) -> Vec<String> {
    click_area(page, area, true).await;
    ids(page, &format!("[id^=operations-{area}-]"))
}

/// Folds one area.
pub async fn fold(page: &mut Page<'_>, area: &str) {
    click_area(page, area, false).await;
}

async fn click_area(page: &mut Page<'_>, area: &str, open: bool) {
    let heading = format!("document.querySelector('#operations-tag-{area}')");
    page.expect(&format!("!!{heading}"), &json!(true)).await;
    page.evaluate(&format!("{heading}.dataset.isOpen === '{open}' || {heading}.click()"));
    page.expect(&format!("{heading}.dataset.isOpen"), &json!(open.to_string())).await;
}

/// The script that writes into a field as a person does, so that the page's handlers run.
const WRITE: &str = "window.write = (field, text) => { \
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, text); \
    field.dispatchEvent(new Event('input', { bubbles: true })); }; 0";

/// Returns the script that opens an operation, named by its selector, or closes it again.
pub fn toggle(operation: &str) -> String {
    format!("document.querySelector('{operation} .opblock-summary-control').click()")
}

/// The script that measures the page's width.
const WIDTH: &str = "document.documentElement.scrollWidth";

/// Opens each operation completely, and closes it again, as the page gets slower with every open operation. Returns the widths
/// of the page with each of them.
async fn open_each(page: &mut Page<'_>) -> Vec<Value> {
    let mut widths = Vec::new();
    for area in areas(page).await {
        for id in unfold(page, &area).await {
            let toggle = toggle(&format!("#{id}"));
            page.evaluate(&toggle);
            let is_open = format!(
                "!!document.querySelector('#{id} .opblock-body') && !document.querySelector('#{id} .opblock-loading-animation')"
            );
            page.expect(&is_open, &json!(true)).await;
            widths.push(page.evaluate(WIDTH));
            page.evaluate(&toggle);
        }
        fold(page, &area).await;
    }
    widths
}

/// Returns whether an address is on this server, or part of the page.
pub fn is_of(service: &Service, url: &str) -> bool {
    url.starts_with(&service.url("/")) || url.starts_with("data:")
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_page_shows_every_operation_and_sends_one_within_its_policy() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let service = site.serve().await;
    let expected = operations(&service).await;
    let mut page = browser.open(&service.url("/docs/"));
    page.expect(OPERATIONS, &json!(expected)).await;
    assert_eq!(page.evaluate("document.title"), json!("Sports model data: API"));
    let icon = page.evaluate("document.querySelector('link[rel=icon]').href");
    let icon = Answer::to(service.fetch(icon.as_str().expect("an address"))).await;
    assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/svg+xml")));
    assert_eq!(page.evaluate("document.querySelectorAll('.topbar, .download-url-input').length"), json!(0));

    page.evaluate(&toggle(LIVENESS));
    page.expect(&format!("!!document.querySelector('{LIVENESS} .execute')"), &json!(true)).await;
    page.evaluate(&format!("document.querySelector('{LIVENESS} .execute').click()"));
    let status =
        format!("document.querySelector('{LIVENESS} .live-responses-table tbody .response-col_status')?.innerText");
    page.expect(&format!("{status}?.trim().slice(0, 3) ?? ''"), &json!("200")).await;

    assert_eq!(page.evaluate("window.refused"), json!([]));
    assert_eq!(page.errors(), Vec::<Value>::new());
    let outside: Vec<_> = page.requested().into_iter().filter(|url| !is_of(&service, url)).collect();
    assert_eq!(outside, Vec::<String>::new());
    // A violation is provoked, to prove that violations are recorded.
    page.evaluate("document.head.append(Object.assign(document.createElement('script'), { textContent: 'evil = 1' }))");
    page.expect("window.refused.length", &json!(1)).await;
    assert_eq!(
        page.evaluate("typeof evil"),
        json!("undefined"),
        "a script that was written into the page does not run"
    );
}

/// The page has a resolver of its own, in place of one that takes seconds for each operation.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_page_resolves_references_as_its_library_does() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let service = site.serve().await;
    let mut page = browser.open(&service.url("/docs/"));
    areas(&mut page).await;
    page.evaluate(
        "window.byLibrary = SwaggerUIBundle({ spec: {}, domNode: document.createElement('div') }).getSystem().fn.resolveSubtree; \
         window.spec = page.getSystem().specSelectors.specJson().toJS(); \
         window.baseDoc = new URL('../openapi.json', location.href).href; 0",
    );
    for (path, method) in [
        ("/api/v1/summary/{sport}/{model_type}", "get"),
        ("/api/v1/predictions/{sport}/{model_type}", "get"),
        ("/api/v1/customers/me/api-keys", "post"),
    ] {
        let place = json!(["paths", path, method]);
        let by_library = page.evaluate(&format!("byLibrary(spec, {place}, {{ baseDoc }})"));
        let by_page = page.evaluate(&format!("page.getSystem().fn.resolveSubtree(spec, {place})"));
        assert!(by_library.to_string().contains("$$ref"), "{path}: {by_library}");
        assert_eq!(by_page, by_library, "{path}");
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn areas_are_folded_until_the_filter_finds_an_operation_in_them() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let service = site.serve().await;
    let mut page = browser.open(&service.url("/docs/"));
    page.expect("document.querySelectorAll('.opblock-tag').length > 5", &json!(true)).await;
    assert_eq!(page.evaluate("document.querySelectorAll('.opblock').length"), json!(0));
    page.evaluate(WRITE);
    let shown = "[...document.querySelectorAll('.opblock')].map(operation => operation.id)";
    for (text, found) in [
        ("density", json!(["operations-performance-show_result_density"])),
        ("LIVENESS", json!(["operations-service-get_liveness"])),
        ("no such operation", json!([])),
    ] {
        page.evaluate(&format!("write(document.querySelector('.operation-filter-input'), '{text}')"));
        page.expect(shown, &found).await;
    }
    let page_of_data = page.evaluate("document.querySelector('nav a').href");
    assert_eq!(page_of_data, json!(service.url("/explore/#/overview")));
    for (scheme, is_dark) in [("dark", true), ("light", false)] {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        page.call("Emulation.setEmulatedMedia", &features);
        page.expect("document.documentElement.classList.contains('dark-mode')", &json!(is_dark)).await;
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

/// Names in sentences are on lines of their own height, so that none covers another.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn no_name_in_a_sentence_covers_another() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let service = site.serve().await;
    let mut page = browser.open(&service.url("/docs/"));
    page.expect("document.querySelectorAll('.info code').length > 20", &json!(true)).await;
    let covered = "(() => { const boxes = [...document.querySelectorAll('.info code')].flatMap(code => [...code.getClientRects()]); \
        return boxes.flatMap((one, i) => boxes.slice(i + 1).filter(other => one.left < other.right && other.left < one.right \
        && one.top < other.bottom && other.top < one.bottom)).length; })()";
    assert_eq!(page.evaluate(covered), json!(0));
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_page_fits_a_telephone() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let service = site.serve().await;
    let expected = operations(&service).await;
    let mut page = browser.tab();
    page.on_a_telephone();
    page.go(&service.url("/docs/"));
    assert_eq!(open_each(&mut page).await, vec![json!(TELEPHONE.0); expected]);
    page.expect(OPERATIONS, &json!(expected)).await;
    assert_eq!(page.evaluate(WIDTH), json!(TELEPHONE.0));
    page.evaluate("document.querySelectorAll('.models [aria-expanded=false]').forEach(model => model.click())");
    page.expect("document.querySelectorAll('.models [aria-expanded=false]').length", &json!(0)).await;
    assert_eq!(page.evaluate(WIDTH), json!(TELEPHONE.0));
    assert_eq!(page.evaluate("window.refused"), json!([]));
    assert_eq!(page.errors(), Vec::<Value>::new());
}

/// Enters a key as a person does, in one of the ways of the dialogue.
pub async fn enter(page: &mut Page<'_>, way: usize, key: &str) {
    page.evaluate(WRITE);
    page.evaluate("document.querySelector('.btn.authorize').click()");
    page.expect("document.querySelectorAll('.auth-container input').length", &json!(3)).await;
    let field = format!("document.querySelectorAll('.auth-container input')[{way}]");
    page.evaluate(&format!("write({field}, '{key}')"));
    page.evaluate(&format!("{field}.closest('form').querySelector('button[type=submit]').click()"));
    page.expect("document.querySelectorAll('.btn.authorize.locked').length", &json!(1)).await;
    page.evaluate("document.querySelector('.btn-done').click()");
}

const SPORTS: &str = "#operations-discovery-list_sports";

/// Sends the prefilled request of an operation; returns its status once it is displayed.
pub async fn execute(page: &mut Page<'_>, operation: &str) -> String {
    let open = format!("document.querySelector('{operation}:not(.is-open) .opblock-summary-control')?.click()");
    page.evaluate(&open);
    // A click while the page still reads the operation's parameters has no effect.
    page.expect(&format!("!!document.querySelector('{operation} .execute')"), &json!(true)).await;
    page.expect(&format!("!document.querySelector('{operation} .opblock-loading-animation')"), &json!(true)).await;
    page.evaluate(&format!("document.querySelector('{operation} .execute').click()"));
    let status = format!(
        "document.querySelector('{operation} .live-responses-table tbody .response-col_status')?.innerText.trim() ?? ''"
    );
    page.expect(&format!("/^\\d{{3}}/.test({status})"), &json!(true)).await;
    page.evaluate(&status).as_str().expect("text")[..3].to_owned()
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_key_is_kept_for_its_tab_and_is_in_no_address_and_no_log() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let service = site.serve().await;
    let docs = service.url("/docs/");
    // A header, a bearer token, and the query, which the page turns into a header.
    for way in 0..3 {
        let mut page = browser.open(&docs);
        unfold(&mut page, "discovery").await;
        enter(&mut page, way, &site.key).await;
        assert_eq!(execute(&mut page, SPORTS).await, "200", "way {way}");
        page.go(&docs);
        unfold(&mut page, "discovery").await;
        page.expect("document.querySelectorAll('.btn.authorize.locked').length", &json!(1)).await;
        assert_eq!(execute(&mut page, SPORTS).await, "200", "way {way}, after the page was loaded again");
        assert_eq!(page.evaluate("localStorage.length + document.cookie.length"), json!(0));
        assert!(page.requested().iter().all(|url| !url.contains(&site.key)), "{:?}", page.requested());
        assert_eq!(page.errors(), Vec::<Value>::new());
        let mut other = browser.open(&docs);
        unfold(&mut other, "discovery").await;
        assert_eq!(other.evaluate("sessionStorage.length"), json!(0), "another tab does not have it");
        assert_eq!(other.evaluate("document.querySelectorAll('.btn.authorize.locked').length"), json!(0));
    }
    let mut page = browser.open(&docs);
    unfold(&mut page, "discovery").await;
    enter(&mut page, 0, &site.key).await;
    page.evaluate("document.querySelector('.btn.authorize').click()");
    page.evaluate(
        "[...document.querySelectorAll('.auth-btn-wrapper button')].find(b => b.innerText === 'Logout').click()",
    );
    page.expect("sessionStorage.length", &json!(0)).await;
    assert!(!site.log().contains(&site.key));
}

/// Serves a page of another origin that shows these addresses in frames.
fn framing(addresses: &[String]) -> SocketAddr {
    let frames: Vec<_> = addresses.iter().map(|address| format!("<iframe src=\"{address}\"></iframe>")).collect();
    let frames = frames.concat();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let own = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.expect("a connection");
            let mut bytes = [0; 4096];
            let read = connection.read(&mut bytes).unwrap_or_default();
            let body = if bytes[..read].starts_with(b"GET /framed ") { "framed" } else { &frames };
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let _ = connection.write_all(format!("{head}{body}").as_bytes());
        }
    });
    own
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn no_page_of_another_origin_can_frame_the_page() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let service = site.serve().await;
    let (docs, data) = (service.url("/docs/"), service.url("/api/v1/liveness"));
    let willing = "/framed".to_owned();
    let other = framing(&[docs, data, willing]);
    let mut page = browser.open(&format!("http://{other}/"));
    page.expect("document.readyState", &json!("complete")).await;
    let tree = page.call("Page.getFrameTree", &json!({}));
    let frames = tree["frameTree"]["childFrames"].as_array().expect("frames").clone();
    let shown: Vec<_> = frames.iter().map(|child| child["frame"]["url"].as_str().expect("an address")).collect();
    assert_eq!(shown[..2], ["chrome-error://chromewebdata/"; 2], "they are refused");
    assert_eq!(shown[2], format!("http://{other}/framed"), "a page that does not mind is shown");
}

/// Returns the CPU time of the server so far, in the system's ticks.
#[cfg(target_os = "linux")]
fn work(service: &Service) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", service.id())).expect("a process");
    // The name of the program is in parentheses and may contain any characters.
    let numbers: Vec<_> = stat.rsplit_once(')').expect("a name").1.split_whitespace().collect();
    [11, 12].iter().map(|at| numbers[*at].parse::<u64>().expect("a number")).sum()
}

/// Compressing for each request would make twenty more requests twenty times the work.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_documentation_is_compressed_once() {
    let site = Site::empty();
    let service = site.serve().await;
    for encoding in ["br", "gzip", "zstd"] {
        let request = || Answer::to(service.request("/docs/swagger-ui-bundle.js").header("Accept-Encoding", encoding));
        let start = work(&service);
        assert_eq!(request().await.status, 200);
        let first = work(&service);
        for _ in 0..20 {
            assert_eq!(request().await.status, 200);
        }
        let (first, others) = (first - start, work(&service) - first);
        assert!(others <= first.max(20), "{encoding}: {first} ticks for the first, {others} for twenty others");
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
}
