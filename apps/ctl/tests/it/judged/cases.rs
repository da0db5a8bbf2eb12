//! Inputs that people of the trade really had, which are kept beside the real data.

use std::path::{Path, PathBuf};

use sports_testkit::programs::{TestFolder, real_data};

use crate::support::{Completed, run};

/// Returns the folder of a case.
fn case(name: &str) -> Option<PathBuf> {
    Some(real_data()?.parent()?.join("cases").join(name))
}

fn publish(place: &TestFolder, folder: &Path, options: &[&str]) -> Completed {
    run(place, [&["publish", folder.to_str().expect("text")], options].concat())
}

#[test]
fn exchanged_spreads_and_totals_of_an_archive_are_named_and_no_line() {
    let Some(case) = case("01-impossible-lines") else { return };
    let place = TestFolder::fresh();
    let out = place.path().join("release");
    let [map, archive] = ["map.toml", "archive.csv"].map(|name| case.join(name).display().to_string());
    let converted = run(
        &place,
        ["convert", "csv", "--map", &map, &archive, "--sport", "nfl", "--out", out.to_str().expect("text")],
    );
    assert_eq!(converted.code, Some(0), "{converted:?}");
    let published = publish(&place, &out, &["--dry-run"]);
    assert_eq!(published.code, Some(0), "{published:?}");
    let named = |column: &str| {
        published.err.lines().any(|line| {
            line.contains(&format!("column {column}: no "))
                && ["at jacksonville", "at tampa_bay", "at atlanta"].iter().all(|home| line.contains(home))
        })
    };
    assert!(named("home_point_spread") && named("over_under"), "{}", published.err);
    assert!(published.out.contains("61 games, 0 times, 58 lines"), "{}", published.out);
}

#[test]
fn a_slate_without_minus_signs_is_refused_and_may_be_allowed() {
    let Some(case) = case("02-slate-without-minus-signs") else { return };
    let place = TestFolder::fresh();
    let at = ["--as-of", "2026-12-10T12:10:00Z"];
    let refused = publish(&place, &case.join("slate"), &at);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("were minus signs lost?; --allow vig"), "{}", refused.err);
    let allowed = publish(&place, &case.join("slate"), &[&at[..], &["--allow", "vig"]].concat());
    assert_eq!(allowed.code, Some(0), "{allowed:?}");
}

#[test]
fn the_hint_for_an_instant_is_its_eastern_date_and_time() {
    let Some(case) = case("12-hint-with-the-utc-date") else { return };
    let place = TestFolder::fresh();
    let refused = publish(&place, &case.join("release"), &["--dry-run"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("(2024-09-08, with the start 20:20:00)"), "{}", refused.err);
    let [map, feed, out] =
        [case.join("map.toml"), case.join("feed.csv"), place.path().join("out")].map(|path| path.display().to_string());
    let refused = run(&place, ["convert", "csv", "--map", &map, &feed, "--sport", "nfl", "--out", &out]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("20:20 Eastern on 2024-09-08"), "{}", refused.err);
}

#[test]
fn spreads_of_the_other_sign_are_refused_by_the_finals_alone() {
    let Some(case) = case("05-spread-signs-without-money-lines") else { return };
    let refused = publish(&TestFolder::fresh(), &case.join("flipped"), &["--dry-run"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let said = "finals-against-spread: column home_point_spread: favourites covered in 54 of 260 games (20.8 %)";
    assert!(refused.err.contains(said), "{}", refused.err);
}
