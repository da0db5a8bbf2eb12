use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use sports_domain::Sport;
use sports_publication::testing::{a_game, a_release};
use sports_publication::{Catalog, CompletedRun, Run, SlateActivity, SlateRuns};

use crate::catalogs::a_catalog;

fn date(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2024, 11, day).expect("a date")
}

fn instant() -> DateTime<Utc> {
    "2024-11-24T14:50:00Z".parse().expect("an instant")
}

/// Parses a run of the tables below: `a` has started, `a!` has completed.
fn run(word: &str) -> Run {
    let completed_at = word.ends_with('!').then(instant);
    Run { id: word.to_owned(), started_at: instant(), completed_at, slate: SlateActivity::Active }
}

/// The slate day of a release, and its run.
type Published<'r> = (u32, Option<&'r str>);

/// The slate's day and run, and the day and run of the completed run of an earlier slate.
type ExpectedRuns = (u32, Option<String>, Option<(u32, String)>);

/// Returns the known runs after these releases, in this order.
fn after(releases: &[Published<'_>]) -> ExpectedRuns {
    let mut catalog: Option<Catalog> = None;
    for (day, word) in releases {
        let mut release = a_release(Sport::Nfl, "2024-25", vec![a_game().build()]);
        (release.slate_date, release.run) = (date(*day), word.map(run));
        let SlateRuns { slate_date, run, earlier_run } = SlateRuns::after(&release, catalog.as_ref());
        catalog = Some(Catalog { slate_date, run, earlier_run, ..a_catalog() });
    }
    let catalog = catalog.expect("at least one release");
    let earlier = catalog.earlier_run.map(|earlier| (earlier.slate_date().day(), earlier.run().id.clone()));
    (catalog.slate_date.day(), catalog.run.map(|run| run.id), earlier)
}

#[test]
fn a_completed_run_is_followed_only_by_another_completed_one() {
    let expected = |day, run: Option<&str>, earlier: Option<(u32, &str)>| {
        (day, run.map(str::to_owned), earlier.map(|(day, run)| (day, run.to_owned())))
    };
    let table: [(&[Published<'_>], ExpectedRuns); 12] = [
        (&[(24, None)], expected(24, None, None)),
        (&[(24, Some("a"))], expected(24, Some("a"), None)),
        (&[(24, Some("a")), (24, None)], expected(24, Some("a"), None)),
        (&[(24, Some("a")), (24, Some("a!"))], expected(24, Some("a!"), None)),
        (&[(24, Some("a!")), (24, Some("b"))], expected(24, Some("a!"), None)),
        (&[(24, Some("a!")), (24, Some("b")), (24, Some("b!"))], expected(24, Some("b!"), None)),
        // A later slate: the completed run stays known beside a started run, or without one.
        (&[(24, Some("a!")), (25, Some("b"))], expected(25, Some("b"), Some((24, "a!")))),
        (&[(24, Some("a!")), (25, None), (25, Some("b"))], expected(25, Some("b"), Some((24, "a!")))),
        (&[(24, Some("a!")), (25, Some("b")), (25, Some("b!"))], expected(25, Some("b!"), None)),
        // A completed run of the earlier day may replace the earlier run; a run of a day before may not.
        (&[(24, Some("a!")), (25, Some("b")), (24, Some("c!"))], expected(25, Some("b"), Some((24, "c!")))),
        (&[(24, Some("a!")), (25, Some("b")), (23, Some("c!"))], expected(25, Some("b"), Some((24, "a!")))),
        (&[(24, Some("a!")), (23, Some("c!"))], expected(24, Some("a!"), None)),
    ];
    for (releases, expected) in table {
        assert_eq!(after(releases), expected, "{releases:?}");
    }
}

#[test]
fn a_date_is_judged_by_a_completed_run_for_it_or_a_later_one() {
    let catalog = |earlier: Option<u32>| Catalog {
        slate_date: date(25),
        run: Some(run("b")),
        earlier_run: earlier.and_then(|day| CompletedRun::new(date(day), run("a!"))),
        ..a_catalog()
    };
    let table = [(None, 24, "b"), (Some(24), 23, "a!"), (Some(24), 24, "a!"), (Some(24), 25, "b")];
    for (earlier, day, deciding) in table {
        let catalog = catalog(earlier);
        let found = catalog.run_deciding(date(day)).map(|run| run.id.as_str());
        assert_eq!(found, Some(deciding), "{earlier:?} on {day}");
    }
    assert_eq!(a_catalog().run_deciding(date(24)), None);
}
