//! Query parameters that an operation does not take.

use std::collections::BTreeSet;

use crate::operations::{self, Operation};
use crate::service::{Answer, Service, Site};
use crate::signed;

/// Names that no operation takes, and that resemble no operation's parameters.
const UNRELATED: [&str; 8] = ["handicap", "decimals", "bookmaker", "utm_source", "_", "v", "page", "fbclid"];

async fn league() -> (Site, Service) {
    let site = Site::publishing(&["nfl-2023-week-18", "nfl-2023-week-18-slate"]);
    let _ = signed::sign(&site).await;
    let service = site.app_with(&[("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000")]).await;
    (site, service)
}

/// Returns whether a path is one of old clients, which accepts every parameter.
fn is_compatible(operation: &Operation) -> bool {
    ["/api/v1/picks/", "/api/v1/edge-picks"].iter().any(|start| operation.template.starts_with(start))
}

async fn request_with(service: &Service, operation: &Operation, name: &str) -> Answer {
    let path = format!("{}?{name}=XGB", operation.path());
    Answer::to(service.call(operation.method.clone(), &path)).await
}

/// Asserts a refusal that has the given name and all parameters of the operation.
fn expect_refused(answer: &Answer, operation: &Operation, given: &str) {
    let detail = answer.failure(400);
    assert!(detail.starts_with(&format!("`{given}` is not a parameter here")), "{}: {detail}", operation.template);
    let takes = match &*operation.takes {
        [] => "This path takes no parameters".to_owned(),
        takes => format!("This path takes: {}", takes.join(", ")),
    };
    assert!(detail.ends_with(&takes), "{}: {detail}", operation.template);
}

/// Returns names that resemble another: in another case, and with one and two letters changed.
fn near_misses(name: &str) -> Vec<String> {
    let mut misses = vec![name.to_uppercase(), format!("{name}s"), format!("x{name}")];
    if name.len() > 3 {
        misses.extend([
            name[1..].to_owned(),
            format!("{name}zz"),
            format!("{}{}", &name[1..2], &name[..1]) + &name[2..],
        ]);
    }
    misses
}

#[tokio::test]
async fn every_unknown_parameter_is_refused_behind_a_key() {
    let (_site, service) = league().await;
    let operations = operations::all(&service).await;
    let known: BTreeSet<_> = operations.iter().flat_map(|operation| operation.takes.clone()).collect();
    let mut asked_of = 0;
    for operation in operations.iter().filter(|operation| !operation.public && !is_compatible(operation)) {
        let elsewhere = known.iter().filter(|name| !operation.takes.contains(name)).map(String::as_str);
        for name in UNRELATED.into_iter().chain(elsewhere) {
            expect_refused(&request_with(&service, operation, name).await, operation, name);
        }
        for name in operation.takes.iter().filter(|name| name.len() > 3) {
            let detail = request_with(&service, operation, &format!("{name}x")).await.failure(400);
            assert!(detail.contains(&format!("did you mean `{name}`?")), "{}: {detail}", operation.template);
        }
        asked_of += 1;
    }
    assert!(asked_of > 18, "{asked_of}");
}

#[tokio::test]
async fn public_paths_refuse_parameters_of_other_paths_and_near_misses() {
    let (_site, service) = league().await;
    let operations = operations::all(&service).await;
    let known: BTreeSet<_> = operations.iter().flat_map(|operation| operation.takes.clone()).collect();
    assert!(known.len() > 12, "{known:?}");
    let mut asked_of = 0;
    for operation in operations.iter().filter(|operation| operation.public && !is_compatible(operation)) {
        let plain = service.get(&operation.path()).await;
        for name in UNRELATED {
            let answer = request_with(&service, operation, name).await;
            assert_eq!((answer.status, answer.body.is_empty()), (plain.status, plain.body.is_empty()), "{name}");
        }
        for name in known.iter().filter(|name| !operation.takes.contains(name)) {
            expect_refused(&request_with(&service, operation, name).await, operation, name);
        }
        for name in known.iter().flat_map(|name| near_misses(name)).filter(|name| !known.contains(name)) {
            let detail = request_with(&service, operation, &name).await.failure(400);
            assert!(detail.contains("is not a parameter here"), "{} {name}: {detail}", operation.template);
        }
        let key = Answer::to(service.request(&format!("{}?api_key=x", operation.path()))).await;
        assert_eq!(key.status, plain.status, "{}: a client may send its key everywhere", operation.template);
        asked_of += 1;
    }
    assert!(asked_of > 5, "{asked_of}");
    for (path, status) in [
        ("/openapi.json?v=1", 200),
        ("/openapi.json?season=2024", 400),
        ("/docs/?season=2024", 200),
        ("/explore/?season=2024", 200),
        ("/?utm_source=mail", 200),
    ] {
        assert_eq!(Answer::to(service.request(path)).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn the_paths_of_old_clients_take_every_name() {
    let (_site, service) = league().await;
    let operations = operations::all(&service).await;
    let known: BTreeSet<_> = operations.iter().flat_map(|operation| operation.takes.clone()).collect();
    let compatible: Vec<_> = operations.iter().filter(|operation| is_compatible(operation)).collect();
    assert_eq!(compatible.len(), 6);
    for operation in compatible {
        let plain = service.get(&operation.path()).await.json();
        for name in UNRELATED.into_iter().chain(known.iter().map(String::as_str)).chain(["as_of", "Season", "markets"])
        {
            if !operation.takes.iter().any(|taken| taken == name) {
                assert_eq!(
                    request_with(&service, operation, name).await.json(),
                    plain,
                    "{} {name}",
                    operation.template
                );
            }
        }
    }
}

#[tokio::test]
async fn a_cached_answer_is_not_used_for_another_query() {
    let (_site, service) = league().await;
    for (path, refused) in [
        ("/api/v1/summary/nfl/over_under", "model=XGB"),
        ("/api/v1/odds/nfl", "bookmaker=dk"),
        ("/api/v1/results/nfl/over_under?limit=3", "generations=1"),
        ("/api/v1/public/ml-picks/nfl/spread", "season=2023-24"),
    ] {
        let separator = if path.contains('?') { '&' } else { '?' };
        for _ in 0..4 {
            assert_eq!(service.get(path).await.status, 200, "{path}");
            assert_eq!(service.get(&format!("{path}{separator}{refused}")).await.status, 400, "{path} {refused}");
        }
    }
}

#[tokio::test]
async fn a_download_link_takes_its_own_parameters_only() {
    let site = Site::on_one_machine();
    let (customer, key) = site.customer("buyer@example.com", "ai");
    site.add_dataset("historical-odds", "nfl.csv", b"a,b\n1,2\n");
    site.entitle(&customer, "historical-odds");
    let service = site.app().await;
    let refreshed = service.with_key(&key).post("/api/v1/service-sports-data/refresh").await.json();
    let url = refreshed["downloads"][0]["url"].as_str().expect("a link").to_owned();
    let status = async |more: &str| Answer::to(service.fetch(&format!("{url}{more}"))).await.status;
    assert_eq!((status("").await, status("&utm_source=mail").await), (200, 200));
    assert_eq!((status("&season=2024").await, status("&Signature=0").await), (400, 400));
    assert_eq!(status("&expires=1").await, 403, "given twice, it is a changed link");
}
