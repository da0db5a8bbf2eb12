//! Findings about placeholders and about slates in universal time.

use sports_domain::{GameKey, Sport};
use sports_publication::findings::{Finding, FindingKind, Severity, examine};
use sports_publication::testing::{a_game, a_release, key};
use sports_publication::{Release, SeasonArchives};

use crate::releases_and_records::listing;

/// Returns the findings about a slate of games, each with its date and time.
fn found(sport: Sport, starts: &[&str]) -> Vec<Finding> {
    let label = if sport == Sport::Mlb { "2026" } else { "2026-27" };
    let slate = listing(&vec![("19:00:00", None); starts.len()]);
    let mut release =
        Release { predictions: slate.predictions, history: Vec::new(), ..a_release(sport, label, Vec::new()) };
    let rows = release.predictions.values_mut().flat_map(|file| &mut file.rows);
    for (number, (row, start)) in rows.zip(starts).enumerate() {
        let (date, time) = start.split_once(' ').expect("a date and a time");
        row.value.game.key = key(date, &format!("{time}:00"), &format!("away_{number}"), &format!("home_{number}"));
    }
    about_starts(&release)
}

fn about_starts(release: &Release) -> Vec<Finding> {
    let mut found = examine(release, &SeasonArchives::new());
    found.retain(|finding| matches!(finding.kind, FindingKind::TimeZone | FindingKind::PlaceholderStart));
    found
}

fn kinds(found: &[Finding]) -> Vec<(FindingKind, Severity)> {
    found.iter().map(|finding| (finding.kind, finding.severity)).collect()
}

#[test]
fn a_slate_with_starts_at_night_is_refused_with_the_eastern_date_and_time() {
    let refused = (FindingKind::TimeZone, Severity::Refusal);
    for sport in [Sport::Mlb, Sport::Nba, Sport::Nfl, Sport::Nhl] {
        let evening = "2026-12-10 19:00";
        for (night, is_refused) in [("00:04", false), ("00:05", true), ("08:59", true), ("09:00", false)] {
            let found = found(sport, &[evening, &format!("2026-12-11 {night}")]);
            assert_eq!(kinds(&found).contains(&refused), is_refused, "{sport} {night}");
        }
    }
    let nba = found(Sport::Nba, &["2026-12-11 00:10", "2026-12-11 03:40"]);
    let text = nba[0].to_string();
    assert!(text.contains("2 of 2 starts") && text.contains("away_0 at home_0 is 2026-12-10 19:10 Eastern"), "{text}");
    assert!(text.contains("--allow time-zone") && text.contains("column time or time_est: "), "{text}");
    let summer = found(Sport::Mlb, &["2026-08-08 00:05", "2026-08-08 00:00"])[0].to_string();
    assert!(summer.contains("1 of 2 starts") && summer.contains("at 00:00 too"), "{summer}");
    assert!(summer.contains("away_1 at home_1 is 2026-08-07 20:00 Eastern"), "{summer}");
}

#[test]
fn starts_at_night_that_no_evening_has_in_universal_time_get_no_such_hint() {
    // Games of 13:00, five hours early: 08:00 would be 03:00 in universal time.
    let early = &found(Sport::Nfl, &["2026-12-13 08:00", "2026-12-13 11:25", "2026-12-13 15:20"])[0];
    assert_eq!((early.kind, early.severity), (FindingKind::TimeZone, Severity::Refusal));
    let said =
        "at which nfl does not usually play, the first is 2026-12-13 08:00:00 away_0 at home_0. Write the Eastern";
    assert!(early.message.contains(said) && !early.message.contains("universal"), "{early}");
    // One late game does not hide a slate in universal time.
    let mixed = &found(Sport::Nba, &["2026-12-11 00:10", "2026-12-11 01:10", "2026-12-11 08:30"])[0];
    assert!(mixed.message.contains("is 2026-12-10 19:10 Eastern"), "{mixed}");
}

#[test]
fn a_college_slate_is_refused_above_a_tenth_of_ten_games() {
    for sport in [Sport::Ncaab, Sport::Ncaaf] {
        for (night, all, is_refused) in [(1, 10, false), (2, 10, true), (2, 20, false), (3, 20, true), (9, 9, false)] {
            let starts: Vec<_> =
                (0..all).map(|number| if number < night { "2026-12-11 01:00" } else { "2026-12-10 19:00" }).collect();
            assert_eq!(found(sport, &starts).len(), usize::from(is_refused), "{sport} {night} of {all}");
        }
    }
}

#[test]
fn placeholders_are_named_and_counted() {
    let named = (FindingKind::PlaceholderStart, Severity::Warning);
    let slate = found(Sport::Nba, &["2026-12-10 00:00", "2026-12-10 23:59", "2026-12-10 23:33"]);
    assert_eq!(kinds(&slate), [named]);
    let text = slate[0].to_string();
    assert!(text.contains("in 2 games") && text.contains("until 12:00 Eastern"), "{text}");
    assert!(text.ends_with("2026-12-10 23:59:00 away_1 at home_1") && !text.contains("universal time"), "{text}");
    assert!(text.contains("--allow placeholder-start"), "{text}");
    // Evening games in universal time.
    for (sport, is_suspected) in [(Sport::Nba, true), (Sport::Nhl, true), (Sport::Mlb, true), (Sport::Nfl, false)] {
        let text = found(sport, &["2026-12-11 00:00", "2026-12-11 00:00"])[0].to_string();
        assert_eq!(text.contains("the first is 2026-12-10 19:00 Eastern"), is_suspected, "{text}");
    }
    let game = |key: GameKey| a_game().with(|game| game.facts.key = key.clone()).build();
    let on = |date: &str, time: &str| game(key(date, time, "away_team", "home_team"));
    let games = vec![on("2024-12-10", "00:00:00"), on("2024-12-14", "23:59:00"), on("2024-12-18", "19:00:00")];
    let history = about_starts(&a_release(Sport::Nfl, "2024-25", games));
    assert_eq!(kinds(&history), [named]);
    let text = history[0].to_string();
    assert!(text.contains("in 2 games") && text.contains("left empty"), "{text}");
}
