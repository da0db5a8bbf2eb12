use std::collections::BTreeSet;
use std::fs;

use chrono::TimeDelta;
use serde_json::{Value, json};
use sports_testkit::programs::fixture;

use super::{Record, as_of, written};
use crate::service::Answer;

const PAGE: &str = "/api/v1/results/nfl/won_on_points?season=2023-24&limit=3";

#[tokio::test]
async fn an_answer_is_cached_for_a_day_only_once_a_later_entry_exists() {
    let record = Record::new();
    let service = record.site.app().await;
    let kept = service.get(&format!("{PAGE}&generation=3")).await;
    assert_eq!(kept.header("cache-control"), Some("private, max-age=86400"));
    let head = service.get(&format!("{PAGE}&generation=4")).await;
    assert_eq!(head.header("cache-control"), Some("private, no-cache"));
    let now = as_of(&service, PAGE, service.clock().await + TimeDelta::seconds(1)).await;
    assert_eq!(now.header("cache-control"), Some("private, no-cache"));

    let _ = record.site.place.ctl(["publish", fixture("nfl-2023-week-18").join("release").to_str().expect("text")]);
    let after = service.until(&format!("{PAGE}&generation=5"), |answer| answer.status == 200).await;
    assert_eq!(after.header("cache-control"), Some("private, no-cache"));
    let again = service.get(&format!("{PAGE}&generation=3")).await;
    assert_eq!((&again.body, again.header("etag")), (&kept.body, kept.header("etag")));
    let head = service.get(&format!("{PAGE}&generation=4")).await;
    assert_eq!(head.header("cache-control"), Some("private, max-age=86400"));
    let etag = kept.header("etag").expect("a validator");
    let same = Answer::to(service.keyed(&format!("{PAGE}&generation=3")).header("If-None-Match", etag)).await;
    assert_eq!((same.status, same.body.len(), same.header("x-generation")), (304, 0, Some("3")));
}

/// A publication that changes nothing in an answer made of the whole log costs the client no call.
#[tokio::test]
async fn a_publication_that_leaves_an_answer_of_the_log_as_it_is_keeps_its_validator() {
    let record = Record::new();
    let titled = |title: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let models = json!({ "LATER": { "title": title } });
        let release = json!({ "sport": "nfl", "slate_date": "2024-01-07", "models": models });
        fs::write(folder.path().join("release.json"), release.to_string()).expect("written");
        let _ = record.site.place.ctl(["publish", folder.path().to_str().expect("text")]);
    };
    titled("A title");
    let service = record.site.app().await;
    let odds = service.get("/api/v1/odds/nfl").await.json();
    let game = odds["games"][0]["game_id"].as_str().expect("a game").to_owned();
    let paths = [
        format!("/api/v1/odds/nfl/history?game_id={game}"),
        format!("/api/v1/predictions/nfl/won_on_points/history?game_id={game}&format=csv"),
        "/api/v1/odds/nfl/closing?season=2023-24&format=csv".to_owned(),
        "/api/v1/clv/nfl/won_on_points?season=2023-24".to_owned(),
        "/api/v1/calibration/nfl/won_on_points?season=2023-24&horizon=first".to_owned(),
        "/api/v1/predictions/nfl/won_on_points/season?season=2023-24&hours_before=1&format=csv".to_owned(),
        "/api/v1/corrections/nfl".to_owned(),
    ];
    let mut before = Vec::new();
    for path in &paths {
        let answer = service.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        before.push(answer);
    }
    titled("Another title");
    let _ = service.until("/api/v1/odds/nfl", |answer| answer.header("x-generation") == Some("6")).await;
    for (path, before) in paths.iter().zip(before) {
        let etag = before.header("etag").expect("a validator");
        let after = Answer::to(service.keyed(path).header("If-None-Match", etag)).await;
        assert_eq!((after.status, after.header("etag")), (304, Some(etag)), "{path}");
        let whole = service.get(path).await;
        assert_eq!((whole.header("etag"), &whole.body), (Some(etag), &before.body), "{path}");
    }
}

#[tokio::test]
async fn an_answer_names_its_moment_and_the_entries_beside_it() {
    let record = Record::new();
    let service = record.site.app().await;
    let published = record.published_at(2);
    let answer = service.get("/api/v1/odds/nfl?format=json&as_of=2024-01-07T00%3A00%3A00%2B01%3A00").await;
    let millis = published.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    assert_eq!(answer.header("x-generation"), Some("2"));
    assert_eq!(answer.header("x-published-at"), Some(&*millis));
    assert_eq!(answer.header("x-as-of"), Some("2024-01-07T00:00:00+01:00"));
    let rounded = published.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    assert_eq!(answer.header("memento-datetime"), Some(&*rounded));
    let links = "</api/v1/odds/nfl?format=json&generation=1>; rel=\"predecessor-version\", \
                 </api/v1/odds/nfl?format=json&generation=3>; rel=\"successor-version\"";
    assert_eq!(answer.header("link"), Some(links));
    let present = service.get("/api/v1/odds/nfl").await;
    assert_eq!(present.header("x-generation"), Some("4"));
    assert_eq!((present.header("x-as-of"), present.header("link")), (None, None));
}

#[tokio::test]
async fn a_season_at_an_instant_is_paged_whole_while_it_is_published_anew() {
    let record = Record::new();
    let service = record.site.app().await;
    let instant = written(record.published_at(3));
    let (mut offset, mut snapshot, mut rows) = (0, String::new(), Vec::new());
    for round in 0.. {
        let more = if round > 0 { format!("&offset={offset}&snapshot={snapshot}") } else { String::new() };
        let page = service.get(&format!("{PAGE}&as_of={instant}{more}")).await;
        assert_eq!(page.status, 200, "{}", page.text());
        let page = page.json();
        rows.extend(page["results"].as_array().expect("rows").iter().map(|row| row["game_id"].to_string()));
        let _ = record.site.place.ctl(["publish", week(round).path().to_str().expect("text")]);
        snapshot = page["snapshot"].as_str().expect("a snapshot").to_owned();
        match &page["next_offset"] {
            Value::Null => break,
            next => offset = next.as_u64().expect("an offset"),
        }
    }
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len());
    let whole = service.get(&format!("/api/v1/results/nfl/won_on_points?season=2023-24&as_of={instant}")).await.json();
    assert_eq!(whole["total"], rows.len());
    let other = service.get(&format!("{PAGE}&as_of={instant}&offset=3&snapshot=0123456789abcdef")).await;
    let detail = format!("This is not the snapshot of season 2023-24 as of {instant}: start again from the first page");
    assert_eq!(other.failure(409), detail);
}

/// Returns a release of the week with another stadium for each round.
fn week(round: usize) -> crate::folder::Folder {
    crate::folder::Folder::copy_of("edge-cases").replace("games/2024-25.csv", "Invented Park", &format!("Park {round}"))
}

#[tokio::test]
async fn the_parts_of_a_file_of_a_generation_make_up_the_file() {
    let record = Record::new();
    let service = record.site.app().await;
    let path = "/api/v1/results/nfl/won_on_points?season=2023-24&format=parquet&generation=1";
    let whole = service.get(path).await;
    let middle = whole.body.len() / 2;
    let part = async |range: String| Answer::to(service.keyed(path).header("Range", range)).await;
    let (first, second) = (part(format!("bytes=0-{}", middle - 1)).await, part(format!("bytes={middle}-")).await);
    assert_eq!((first.status, second.status), (206, 206));
    assert_eq!([&first.body[..], &second.body[..]].concat(), whole.body);
}
