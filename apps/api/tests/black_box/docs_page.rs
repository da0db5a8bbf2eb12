//! The documentation as a browser shows it, and what it costs.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::service::{Answer, Service, Site};

const LIVENESS: &str = "#operations-service-get_liveness";

/// How many operations the document has.
async fn operations(service: &Service) -> usize {
    let document = Answer::to(service.request("/openapi.json")).await.json();
    let paths = document["paths"].as_object().expect("paths").values();
    let methods =
        |item: &Value| ["get", "post", "put", "patch", "delete"].iter().filter(|m| item.get(m).is_some()).count();
    paths.map(methods).sum()
}

#[tokio::test]
async fn the_page_shows_every_operation_and_tries_one_out_and_its_policy_refuses_it_nothing() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let service = site.serve().await;
    let expected = operations(&service).await;
    let mut page = browser.open(&service.url("/docs/"));
    page.expect("document.querySelectorAll('.opblock').length", &json!(expected)).await;

    page.evaluate(&format!("document.querySelector('{LIVENESS} .opblock-summary-control').click()"));
    page.expect(&format!("!!document.querySelector('{LIVENESS} .execute')"), &json!(true)).await;
    page.evaluate(&format!("document.querySelector('{LIVENESS} .execute').click()"));
    let status =
        format!("document.querySelector('{LIVENESS} .live-responses-table tbody .response-col_status')?.innerText");
    page.expect(&format!("{status}?.trim().slice(0, 3) ?? ''"), &json!("200")).await;

    let rest = ".opblock:not(.is-open) .opblock-summary-control";
    page.evaluate(&format!("document.querySelectorAll('{rest}').forEach(operation => operation.click())"));
    page.expect("document.querySelectorAll('.opblock.is-open .opblock-body').length", &json!(expected)).await;
    assert_eq!(page.evaluate("window.refused"), json!([]));
    // The watch sees what is refused, so that seeing nothing means something.
    page.evaluate("document.head.append(Object.assign(document.createElement('script'), { textContent: 'evil = 1' }))");
    page.expect("window.refused.length", &json!(1)).await;
    assert_eq!(
        page.evaluate("typeof evil"),
        json!("undefined"),
        "a script that was written into the page does not run"
    );
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
            let mut asked = [0; 4096];
            let read = connection.read(&mut asked).unwrap_or_default();
            let body = if asked[..read].starts_with(b"GET /framed ") { "framed" } else { &frames };
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
async fn no_page_of_another_origin_shows_it_in_a_frame() {
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

/// What the server has worked so far, in the system's ticks.
#[cfg(target_os = "linux")]
fn work(service: &Service) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", service.id())).expect("a process");
    // The name of the program is in parentheses and may hold anything.
    let numbers: Vec<_> = stat.rsplit_once(')').expect("a name").1.split_whitespace().collect();
    [11, 12].iter().map(|at| numbers[*at].parse::<u64>().expect("a number")).sum()
}

/// It used to be compressed for each request: twenty more were twenty times the work.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_documentation_is_compressed_once_and_not_for_each_request() {
    let site = Site::empty();
    let service = site.serve().await;
    for encoding in ["br", "gzip", "zstd"] {
        let asking = || Answer::to(service.request("/docs/swagger-ui-bundle.js").header("Accept-Encoding", encoding));
        let start = work(&service);
        assert_eq!(asking().await.status, 200);
        let first = work(&service);
        for _ in 0..20 {
            assert_eq!(asking().await.status, 200);
        }
        let (first, others) = (first - start, work(&service) - first);
        assert!(others <= first.max(20), "{encoding}: {first} ticks for the first, {others} for twenty others");
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
}
