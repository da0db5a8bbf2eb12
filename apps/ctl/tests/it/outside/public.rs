//! A reader without a key, of a league whose record is open.

use super::*;

/// Opens the record of a publisher's league.
fn opened(publisher: Publisher, part: &str) -> Publisher {
    let place = publisher.place.with("SPORTS_RECORD__PUBLIC", format!("nfl={part}"));
    let place = place.with("SPORTS_HTTP__PUBLIC_URL", "https://example.com");
    Publisher { place: place.with("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000"), ..publisher }
}

impl Outside<'_> {
    fn audit_without_a_key(&self, more: &[&str]) -> Completed {
        let witness = self.publisher.witness.key().to_string();
        self.check(&[&["audit", "nfl", SEASON, "--witness", &witness], more].concat())
    }
}

#[test]
fn a_reader_without_a_key_finds_what_a_customer_finds_in_games_that_have_started() {
    for part in ["all", "finished"] {
        let publisher = opened(Publisher::of_week(IN_TIME), part);
        let outside = publisher.serve();
        let (with, without) = (outside.audit(), outside.audit_without_a_key(&[]));
        assert_eq!((with.code, without.code), (Some(0), Some(0)), "{without:?}");
        let [mut with, mut without] = [with.json(), without.json()];
        assert!(with["proven"].as_u64().is_some_and(|proven| proven > 0), "{with}");
        // What only a key reads: the odds at the time of each forecast, and time passes.
        for report in [&mut with, &mut without] {
            report["evidence_age_seconds"].take();
            for record in report["records"].as_array_mut().expect("records") {
                for name in ["quoted", "better_than_quoted"] {
                    record[name].take();
                }
            }
        }
        assert_eq!(with, without);
    }
}

#[tokio::test]
async fn a_reader_without_a_key_finds_a_loser_that_was_removed() {
    let publisher = opened(Publisher::of_week(IN_TIME), "all");
    rewrite(&publisher.place.store(), 2, |game| (!cheats::is_of_ravens(&game)).then_some(game)).await;
    let sentences = found_about_ravens(&publisher.serve().audit_without_a_key(&[]), 1, "missing");
    assert_eq!(sentences.len(), 3, "{sentences:?}");
}

#[test]
fn games_that_have_not_started_are_counted_and_accuse_nobody() {
    let publisher = Publisher::new();
    publisher.witness.set_time(IN_TIME);
    publish(&publisher.place);
    let publisher = opened(publisher, "all");
    // An hour after the first game of the week, and before the others.
    let now = "2024-01-06T22:31:00Z";
    let key = publisher.place.subscriber_key();
    let server = publisher.place.serve_with(&["--as-of", now]);
    let outside = Outside { publisher: &publisher, key, server };
    let done = outside.audit_without_a_key(&["--as-of", now]);
    let report = done.json();
    assert_eq!((done.code, &report["findings"]), (Some(0), &json!([])), "{done:?}");
    let games = report["not_started"].as_u64().expect("a count");
    let keyed = outside.check(&["audit", "nfl", SEASON, "--key", &outside.key, "--as-of", now]).json();
    assert_eq!((games, &report["games"]), (15, &json!(3)), "one game of the week has begun: {report}");
    assert_eq!((&keyed["not_started"], &keyed["games"]), (&json!(0), &json!(48)), "{keyed}");
}

#[test]
fn what_is_not_open_needs_a_key() {
    let closed = Publisher::of_week(IN_TIME);
    let done = closed.serve().audit_without_a_key(&[]);
    assert!(done.code == Some(2) && done.out.contains("the record of nfl is not open: --key is missing"), "{done:?}");
}
