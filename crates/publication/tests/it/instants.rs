//! Publication instants by system clock and by hand.

use chrono::{DateTime, Utc};
use sports_publication::{Catalog, ClockError, ClockSource, publishing_instant};

use crate::catalogs::a_catalog;

const HEAD: &str = "2024-11-24T15:00:00Z";

fn at(instant: &str) -> DateTime<Utc> {
    instant.parse().expect("an instant")
}

fn head(clock: ClockSource) -> Catalog {
    Catalog { published_at: at(HEAD), clock, ..a_catalog() }
}

#[test]
fn clock_sources_are_written_as_words() {
    let words = [(ClockSource::System, "system"), (ClockSource::Set, "set")];
    for (source, word) in words {
        assert_eq!((source.word(), ClockSource::from_word(word)), (word, Some(source)));
    }
    assert_eq!(ClockSource::from_word("sundial"), None);
}

#[test]
fn time_in_a_record_only_goes_forward() {
    let table = [
        ("2024-11-24T15:00:01.5Z", Ok("2024-11-24T15:00:01.500Z")),
        ("2024-11-24T15:00:00.001Z", Ok("2024-11-24T15:00:00.001Z")),
        // At the head's own instant, and behind it by the tolerated difference.
        ("2024-11-24T15:00:00Z", Ok("2024-11-24T15:00:00.001Z")),
        ("2024-11-24T14:55:00Z", Ok("2024-11-24T15:00:00.001Z")),
        ("2024-11-24T14:54:59.999Z", Err("2024-11-24T14:54:59.999Z")),
        ("2024-11-24T12:00:00Z", Err("2024-11-24T12:00:00Z")),
    ];
    for (now, expected) in table {
        let expected = expected.map(at).map_err(|clock| ClockError::Behind { clock: at(clock), head: at(HEAD) });
        let head = head(ClockSource::System);
        assert_eq!(publishing_instant(at(now), ClockSource::System, Some(&head)), expected, "{now}");
    }
    let first = publishing_instant(at("2024-11-24T15:00:00.123456Z"), ClockSource::System, None);
    assert_eq!(first, Ok(at("2024-11-24T15:00:00.123Z")), "the log keeps milliseconds");
}

#[test]
fn a_time_set_by_hand_has_no_place_in_a_record_kept_by_clocks() {
    let now = at("2024-11-24T16:00:00Z");
    let (system, set) = (ClockSource::System, ClockSource::Set);
    let refused = Err(ClockError::SetAfterSystem { head: at(HEAD) });
    for (source, of_head, expected) in
        [(system, system, Ok(now)), (system, set, Ok(now)), (set, set, Ok(now)), (set, system, refused)]
    {
        assert_eq!(publishing_instant(now, source, Some(&head(of_head))), expected, "{source:?} after {of_head:?}");
    }
}

#[test]
fn a_refusal_names_both_instants() {
    let head = at(HEAD);
    let behind = ClockError::Behind { clock: at("2024-11-24T14:00:00.5Z"), head }.to_string();
    assert!(behind.starts_with("it is 2024-11-24T14:00:00.500Z by the clock here"), "{behind}");
    assert!(behind.contains("was published at 2024-11-24T15:00:00Z:"), "{behind}");
    let set = ClockError::SetAfterSystem { head }.to_string();
    assert!(set.contains("its newest entry since 2024-11-24T15:00:00Z:"), "{set}");
}
