//! The contents of log entries: published seasons and slates.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{ModelType, Season, Sport};
use sports_publication::testing::season;
use sports_publication::{
    ArtifactRef, Catalog, ClockSource, Exceptions, GamesFile, Generation, LeavesEntry, MarketHistory, Override,
    PredictionsEntry, RecordHead, ReleaseId, ResultsEntry, Run, SeasonCoverage, SeasonHistory, SlateActivity,
    TreeEntry,
};
use sports_transparency::{Nonce, RightEdge};

const TOTALS: ModelType = ModelType::OverUnder;

fn instant() -> DateTime<Utc> {
    "2024-11-24T14:50:00.123Z".parse().expect("an instant")
}

fn date() -> NaiveDate {
    "2024-11-24".parse().expect("a date")
}

fn release(content: &str) -> ReleaseId {
    ReleaseId::new(date(), instant(), &ObjectHash::from_bytes(content.as_bytes()))
}

/// Returns the first entry of the NFL's log, for 24 November 2024, with nothing published.
pub(crate) fn a_catalog() -> Catalog {
    Catalog {
        sport: Sport::Nfl,
        generation: Generation::FIRST,
        previous: None,
        release_id: release("abc"),
        published_at: instant(),
        clock: ClockSource::System,
        slate_date: date(),
        run: None,
        earlier_run: None,
        frozen_games: BTreeSet::new(),
        listed_ahead: BTreeSet::new(),
        default_models: BTreeMap::new(),
        ended_season: None,
        upload: None,
        models: None,
        tree: None,
        exceptions: Exceptions::default(),
        odds: None,
        predictions: BTreeMap::new(),
        openers: None,
        results: BTreeMap::new(),
    }
}

pub(crate) fn artifact(content: &str) -> ArtifactRef {
    ArtifactRef {
        object: ObjectHash::from_bytes(content.as_bytes()),
        bytes: 3,
        published_at: instant(),
        source_as_of: instant(),
        slate_date: date(),
        release_id: release(content),
    }
}

pub(crate) fn predicting(season: Season) -> PredictionsEntry {
    PredictionsEntry { artifact: artifact("predictions"), season, held_games: Vec::new(), newer_odds_since: None }
}

fn nfl(label: &str) -> Season {
    season(Sport::Nfl, label)
}

/// Returns an archive of a season, played, or with all its games unplayed.
fn archive(label: &str, played: bool) -> ResultsEntry {
    let coverage = SeasonCoverage { last_played_with_line_date: played.then(date), ..SeasonCoverage::default() };
    ResultsEntry { artifact: artifact(label), coverage, models: BTreeMap::new() }
}

fn label((season, entry): (Season, &ResultsEntry)) -> String {
    assert_eq!(entry.artifact, artifact(&season.to_string()), "the entry is that season's");
    season.to_string()
}

#[test]
fn entries_are_numbered_from_one_without_gaps() {
    assert_eq!((Generation::FIRST.get(), Generation::new(1), Generation::new(0)), (1, Some(Generation::FIRST), None));
    let seventh = Generation::new(7).expect("a number");
    assert_eq!((seventh.get(), seventh.to_string().as_str()), (7, "7"));
    assert_eq!((seventh.previous(), Some(seventh.next())), (Generation::new(6), Generation::new(8)));
    assert_eq!(Generation::FIRST.previous(), None);
}

#[test]
fn a_release_is_named_by_its_slate_its_time_and_its_content() {
    // As `printf abc | sha256sum` prints it, cut to twelve digits.
    let name = "2024-11-24.20241124T145000123Z.ba7816bf8f01";
    assert_eq!((release("abc").as_str(), release("abc").to_string().as_str()), (name, name));
    assert_eq!(ReleaseId::from_log(name.to_owned()), release("abc"));
}

#[test]
fn release_and_publication_time_are_no_content() {
    let later = Catalog {
        generation: Generation::FIRST.next(),
        previous: Some(ObjectHash::from_bytes(b"before")),
        release_id: release("again"),
        published_at: instant() + chrono::TimeDelta::hours(1),
        clock: ClockSource::Set,
        models: None,
        exceptions: Exceptions { overrides: [Override::TimeZone].into(), ..Exceptions::default() },
        ..a_catalog()
    };
    assert!(a_catalog().same_content(&later) && later.same_content(&a_catalog()));
    let run = Run { id: "r".to_owned(), started_at: instant(), completed_at: None, slate: SlateActivity::Active };
    let others = [
        Catalog { sport: Sport::Nba, ..a_catalog() },
        Catalog { results: [((TOTALS, nfl("2024-25")), archive("2024-25", true))].into(), ..a_catalog() },
        Catalog { slate_date: date().succ_opt().expect("a date"), ..a_catalog() },
        Catalog { run: Some(run), ..a_catalog() },
        Catalog { odds: Some(artifact("odds")), ..a_catalog() },
        Catalog { predictions: [(TOTALS, predicting(nfl("2024-25")))].into(), ..a_catalog() },
        Catalog { openers: Some(artifact("openers")), ..a_catalog() },
    ];
    for other in others {
        assert!(other.same_content(&other.clone()));
        assert!(!a_catalog().same_content(&other), "{other:?}");
    }
}

#[test]
fn the_live_season_is_the_latest_that_predictions_are_recorded_in() {
    assert_eq!((a_catalog().live_season(), a_catalog().live_results(TOTALS)), (None, None));
    let catalog = Catalog {
        predictions: [(TOTALS, predicting(nfl("2024-25"))), (ModelType::WonOnPoints, predicting(nfl("2023-24")))]
            .into(),
        results: ["2023-24", "2024-25", "2025-26"].map(|label| ((TOTALS, nfl(label)), archive(label, true))).into(),
        ..a_catalog()
    };
    assert_eq!(catalog.live_season(), Some(nfl("2024-25")));
    assert_eq!(catalog.live_results(TOTALS).map(label).as_deref(), Some("2024-25"));
    assert_eq!(catalog.live_results(ModelType::WonOnPoints), None);
}

#[test]
fn the_current_season_is_the_newest_with_a_game_played_against_a_line() {
    let mut results: BTreeMap<_, _> = [("2022-23", true), ("2023-24", true), ("2024-25", false)]
        .map(|(label, played)| ((TOTALS, nfl(label)), archive(label, played)))
        .into();
    results.insert((ModelType::WonOnSpread, nfl("2025-26")), archive("2025-26", false));
    let catalog = Catalog { results, ..a_catalog() };
    assert_eq!(catalog.seasons(TOTALS).map(label).collect::<Vec<_>>(), ["2022-23", "2023-24", "2024-25"]);
    let listed = |of| [catalog.current_season(of), catalog.default_season(of)].map(|season| season.map(label));
    let named = |label: &str| Some(label.to_owned());
    assert_eq!(listed(TOTALS), [named("2023-24"), named("2023-24")]);
    assert_eq!(listed(ModelType::WonOnSpread), [None, named("2025-26")], "before a first season's first game");
    assert_eq!(listed(ModelType::WonOnPoints), [None, None]);
}

#[test]
fn a_file_for_all_markets_touches_all_and_one_for_a_market_that_one() {
    let file = || GamesFile { given: Vec::new(), gives_game_type: false, rows: Vec::new() };
    let named = || BTreeMap::from([(ModelType::WonOnSpread, MarketHistory::default())]);
    let bare = || SeasonHistory::empty(nfl("2024-25"));
    let table = [
        (bare(), vec![]),
        (SeasonHistory { markets: named(), ..bare() }, vec![ModelType::WonOnSpread]),
        (SeasonHistory { shared: vec![file()], ..bare() }, ModelType::ALL.to_vec()),
        (SeasonHistory { shared: vec![file()], markets: named(), ..bare() }, ModelType::ALL.to_vec()),
    ];
    for (history, touched) in table {
        assert_eq!(history.touched(), touched);
    }
}

#[test]
fn the_head_of_a_record_is_league_size_and_root_in_one_line() {
    assert_eq!(RecordHead::of(&a_catalog()), None, "an entry that is not stored yet has no tree");
    let root = "EQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=";
    let edge = RightEdge::new(2, vec![root.parse().expect("a hash")]).expect("one subtree");
    let leaves = LeavesEntry { object: ObjectHash::from_bytes(b"leaves"), bytes: 6 };
    let tree = Some(TreeEntry { nonce: Nonce::new([0x11; Nonce::LENGTH]), first: 0, edge, leaves, keys: Vec::new() });
    let head = RecordHead::of(&Catalog { tree, ..a_catalog() }).expect("a tree");
    assert_eq!(head.to_string(), format!("nfl 2 {root}"));
    assert_eq!(head.as_str(), head.to_string());
}

#[test]
fn a_season_that_was_over_stays_so_when_a_game_is_added() {
    let day = |text: &str| text.parse::<NaiveDate>().expect("a date");
    let season = |label: &str| Season::parse(Sport::Nfl, label).expect("a season");
    let played = |label: &str, last: &str, unsettled: Option<&str>| {
        let last_date = Some(day(last));
        let coverage = SeasonCoverage {
            rows: 3,
            last_date,
            oldest_unsettled_date: unsettled.map(day),
            ..SeasonCoverage::default()
        };
        ((ModelType::OverUnder, season(label)), ResultsEntry { coverage, ..archive(label, true) })
    };
    let with = |seasons: Vec<_>, ended_season: Option<Season>| Catalog {
        results: seasons.into_iter().collect(),
        ended_season,
        ..a_catalog()
    };
    let finished = |catalog: &Catalog, today: &str| {
        let seasons = catalog.finished_seasons(day(today));
        (seasons.iter().map(ToString::to_string).collect::<Vec<_>>(), catalog.ended_season_on(day(today)))
    };
    let labels = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>();
    let (before, newest) = (played("2022-23", "2023-02-12", Some("2022-09-11")), season("2023-24"));

    let quiet = with(vec![before.clone(), played("2023-24", "2024-02-11", None)], None);
    assert_eq!(finished(&quiet, "2024-03-12"), (labels(&["2022-23"]), None), "thirty days later");
    assert_eq!(finished(&quiet, "2024-03-13"), (labels(&["2022-23", "2023-24"]), Some(newest)));
    // A game that is awaited, or added, keeps it open, unless it was over before.
    for (last, unsettled) in [("2024-02-11", Some("2024-02-11")), ("2024-03-20", None)] {
        let open = with(vec![before.clone(), played("2023-24", last, unsettled)], None);
        assert_eq!(finished(&open, "2024-03-25"), (labels(&["2022-23"]), None));
        let ended = Catalog { ended_season: Some(newest), ..open };
        assert_eq!(finished(&ended, "2024-03-25"), (labels(&["2022-23", "2023-24"]), Some(newest)));
    }
    // The next season has begun.
    let next = with(vec![played("2023-24", "2024-02-11", None), played("2024-25", "2024-09-05", None)], Some(newest));
    assert_eq!(finished(&next, "2024-09-06"), (labels(&["2023-24"]), None));
}
