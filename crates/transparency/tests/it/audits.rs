//! Audits of a season of three games, as it is and with one thing wrong.

mod late;
mod season;

use chrono::TimeDelta;
use sports_domain::{FinalScore, GameKey, LineColumn, ModelName, ModelType};
use sports_transparency::audit::{
    Audit, AuditTerms, Finding, FindingKind, ListedRelease, ReleaseList, ResultRow, RowStatements, SeasonFiles,
    StatedLeaves, audit_releases, audit_season, lacks_rows, recorded_releases, skipped_generations,
};
use sports_transparency::{Leaf, LeafFact, RecordedEnding};

use season::{AFTER_THE_START, MARKET, Record, SEASON, START, game, probability};

/// Audits the record with these leaves and answers.
fn audited(record: &Record, leaves: &[Leaf], files: &SeasonFiles) -> Audit {
    let texts: Vec<_> = leaves.iter().map(Leaf::to_text).collect();
    let leaves = StatedLeaves::read(&texts).expect("leaves");
    audit_season(&leaves, &record.evidence, files, &season::terms())
}

fn as_it_is(record: &Record) -> Audit {
    audited(record, &record.leaves, &record.files)
}

fn kinds(audit: &Audit) -> Vec<(FindingKind, Option<ModelType>, String)> {
    let of = |finding: &Finding| (finding.kind, finding.model_type, finding.game.home.to_string());
    audit.findings.iter().map(of).collect()
}

fn only(kind: FindingKind, home: &str) -> Vec<(FindingKind, Option<ModelType>, String)> {
    vec![(kind, Some(MARKET), home.to_owned())]
}

fn model(name: &str) -> ModelName {
    name.parse().expect("a model's name")
}

fn row<'f>(files: &'f mut SeasonFiles, home: &str) -> &'f mut ResultRow {
    files.rows.iter_mut().find(|row| row.game.home.as_str() == home).expect("a row")
}

type Change = fn(&mut RowStatements);

#[test]
fn a_statement_that_does_not_follow_from_leaf_and_final_differs() {
    let mut record = Record::of_three();
    season::end(row(&mut record.files, "home_3"), 17, 10);
    record.add_entry(2, vec![season::ended(2, game(3), 17, 10)]);
    assert_eq!((as_it_is(&record).proven, as_it_is(&record).exit_code()), (3, 0));
    let changes: [(Change, &str); 7] = [
        (|row| row.season = "2022-23".to_owned(), "season is 2022-23"),
        (
            |row| row.published_at = row.published_at.map(|instant| instant - TimeDelta::days(1)),
            "forecast_published_at is",
        ),
        (|row| row.probability_source = Some("walk_forward".to_owned()), "model_probability_source is walk_forward"),
        (|row| row.positive_won = Some(true), "the outcome is true"),
        (|row| row.push = Some(true), "push is true"),
        (|row| row.graded = false, "graded is false"),
        (|row| row.ungraded_reason = Some("no_line".to_owned()), "ungraded_reason is no_line"),
    ];
    for (change, sentence) in changes {
        let mut files = record.files.clone();
        change(&mut row(&mut files, "home_3").statements);
        let audit = audited(&record, &record.leaves, &files);
        assert_eq!((kinds(&audit), audit.exit_code()), (only(FindingKind::Differs, "home_3"), 1), "{sentence}");
        assert!(audit.findings[0].sentence.starts_with(sentence), "{}", audit.findings[0].sentence);
    }
}

#[test]
fn a_season_as_it_was_recorded_is_proven() {
    let record = Record::of_three();
    let audit = as_it_is(&record);
    assert_eq!((audit.games, audit.proven, audit.count(FindingKind::NotRecorded), audit.not_committed), (3, 3, 0, 0));
    assert_eq!((&audit.findings[..], audit.exit_code()), (&[][..], 0));
}

#[test]
fn a_game_that_results_leave_out_is_missing() {
    let record = Record::of_three();
    let mut files = record.files.clone();
    files.rows.retain(|row| row.game != game(2));
    let audit = audited(&record, &record.leaves, &files);
    assert_eq!((kinds(&audit), audit.exit_code()), (only(FindingKind::Missing, "home_2"), 1));

    // As is a row that is a forecast of a backtest now.
    let mut files = record.files.clone();
    row(&mut files, "home_2").live_run = None;
    assert_eq!(kinds(&audited(&record, &record.leaves, &files)), only(FindingKind::Missing, "home_2"));
}

#[test]
fn a_probability_or_a_line_with_another_last_digit_differs() {
    let record = Record::of_three();
    let changes: [fn(&mut ResultRow); 6] = [
        |row| _ = row.probabilities.insert(model("BLEND"), probability(3) + 0.0001),
        |row| _ = row.lines.insert(LineColumn::HomeMoneyLine, 131.0),
        |row| _ = row.lines.insert(LineColumn::OverUnder, 44.5),
        |row| _ = row.lines.remove(&LineColumn::HomeMoneyLine),
        |row| _ = row.probabilities.insert(model("LGB"), 0.5),
        |row| row.live_run = Some("another-release".to_owned()),
    ];
    for change in changes {
        let mut files = record.files.clone();
        change(row(&mut files, "home_3"));
        let audit = audited(&record, &record.leaves, &files);
        assert_eq!((kinds(&audit), audit.exit_code()), (only(FindingKind::Differs, "home_3"), 1));
        assert_eq!(audit.proven, 2);
    }
}

#[test]
fn a_withheld_opening_differs_and_an_opening_of_another_game_too() {
    let record = Record::of_three();
    let mut files = record.files.clone();
    let withheld = files.openings.remove(0);
    assert_eq!(kinds(&audited(&record, &record.leaves, &files)), only(FindingKind::Unopened, "home_1"));
    files.openings.push(sports_transparency::audit::LocatedOpening { index: files.openings[0].index, ..withheld });
    let audit = audited(&record, &record.leaves, &files);
    let counts = [FindingKind::Differs, FindingKind::Unopened].map(|kind| audit.count(kind));
    assert_eq!(counts, [1, 1], "both games: {:?}", audit.findings);
}

#[test]
fn a_leaf_that_was_withheld_leaves_its_row_without_a_forecast() {
    let mut record = Record::of_three();
    let withheld = record
        .leaves
        .iter()
        .position(|leaf| matches!(&leaf.fact, LeafFact::Forecast { game: of, .. } if *of == game(2)));
    record.leaves.remove(withheld.expect("a leaf"));
    let audit = as_it_is(&record);
    assert_eq!(audit.exit_code(), 1);
    assert!(kinds(&audit).contains(&(FindingKind::Differs, Some(MARKET), "home_3".to_owned())), "{audit:?}");
}

/// The leaf was withheld before the log signed its tree, so all that follows fits.
#[test]
fn a_live_row_of_a_recorded_release_without_a_leaf_differs() {
    let mut record = Record::of_three();
    let withheld = record.leaves.pop();
    assert!(matches!(withheld, Some(Leaf { fact: LeafFact::Forecast { game: of, .. }, .. }) if of == game(3)));
    record.files.openings.pop();
    // The payloads of the others name the release, whatever the list of releases has.
    let audit = as_it_is(&record);
    assert_eq!((kinds(&audit), audit.exit_code()), (only(FindingKind::Differs, "home_3"), 1));
    assert_eq!((audit.proven, audit.count(FindingKind::NotRecorded)), (2, 0));
    record.files.recorded = [(1, "another-release".to_owned())].into();
    assert_eq!(as_it_is(&record).count(FindingKind::Differs), 3, "the list contradicts the payloads");
    record.files.rows.drain(..2);
    record.files.openings.clear();
    record.leaves.truncate(1);
    assert_eq!(as_it_is(&record).count(FindingKind::NotRecorded), 1, "of a release of which nothing is known");
    record.files.recorded = [(1, "release-1".to_owned())].into();
    assert_eq!(kinds(&as_it_is(&record)), only(FindingKind::Differs, "home_3"));

    let mut record = Record::of_releases();
    record.leaves.pop();
    let texts: Vec<_> = record.leaves.iter().map(Leaf::to_text).collect();
    let leaves = StatedLeaves::read(&texts).expect("leaves");
    let recorded: Vec<_> = recorded_releases(&leaves, &record.listed).into_keys().collect();
    assert_eq!(recorded, [1, 3, 4], "entry 6 is newer than the tree");
}

#[test]
fn a_forecast_that_a_witness_received_at_the_start_is_not_attested() {
    let start = u64::try_from(START).expect("after 1970");
    for (time, proven) in [(start - 1, 3), (start, 0), (start + 3 * 3600, 0)] {
        let mut record = Record::of_three();
        record.evidence = season::no_evidence();
        record.evidence.add_cosignature(0, record.leaves.len() as u64, time);
        let audit = as_it_is(&record);
        assert_eq!((audit.proven, audit.exit_code()), (proven, if proven == 3 { 0 } else { 3 }));
        assert_eq!(audit.count(FindingKind::NotAttested), usize::try_from(3 - proven).expect("few"));
    }
    let mut record = Record::of_three();
    record.evidence = season::no_evidence();
    assert_eq!(as_it_is(&record).count(FindingKind::NotAttested), 3, "without a witness");
}

#[test]
fn a_forecast_is_never_chosen_among_two_that_were_logged_in_time() {
    let mut record = Record::of_three();
    // A later forecast of game 1, from before its start; results and openings have the first one.
    record.forecast(2, &[(1, 0.9)]);
    record.cosign_in_time();
    let audit = as_it_is(&record);
    assert_eq!(kinds(&audit), only(FindingKind::Differs, "home_1"));
    let mut withheld = record.clone();
    withheld.files.openings.pop();
    assert_eq!(kinds(&as_it_is(&withheld)).last(), only(FindingKind::Unopened, "home_1").first());
    // A service that hides the cosignature of the later one chooses as well: its entry states when it was published.
    record.evidence = season::no_evidence();
    record.evidence.add_cosignature(0, record.first_entry, 1_000_000_000);
    record.evidence.add_cosignature(0, record.leaves.len() as u64, u64::try_from(START).expect("after 1970") + 60);
    assert_eq!(kinds(&as_it_is(&record)), only(FindingKind::Differs, "home_1"));
    // From after its start it changes nothing.
    let mut record = Record::of_three();
    record.forecast(AFTER_THE_START, &[(1, 0.9)]);
    record.evidence.add_cosignature(0, record.leaves.len() as u64, u64::try_from(START).expect("after 1970") + 60);
    assert_eq!(as_it_is(&record).proven, 3);
}

/// A loser that leaves the season, or becomes another game, by a leaf that no honest publisher writes.
#[test]
fn a_game_that_a_false_move_hides_is_named() {
    let other = GameKey { away: game(2).away, ..season::later(1) };
    let hiding: [Vec<(GameKey, GameKey)>; 4] = [
        vec![(game(1), other)],
        vec![(game(1), game(1))],
        vec![(game(1), season::later(1)), (season::later(1), season::later(1))],
        vec![(game(1), season::later(1)), (game(1), season::later(1))],
    ];
    for moves in hiding {
        let mut record = Record::of_three();
        record.add_entry(2, moves.into_iter().map(|(from, to)| season::moved(2, from, to)).collect());
        record.files.rows.retain(|row| row.game != game(1));
        let audit = as_it_is(&record);
        assert!(
            audit.findings.iter().any(|one| one.kind == FindingKind::Differs && one.game.home.as_str() == "home_1")
        );
        assert_eq!(audit.exit_code(), 1, "{:?}", audit.findings);
    }
    // Two games of one pair become one.
    let mut record = Record::of_three();
    record.forecast_at(2, season::later(1), 0.9);
    record.add_entry(3, vec![season::moved(3, game(1), season::later(1))]);
    record.files.rows.retain(|row| row.game != game(1));
    let found = as_it_is(&record);
    assert_eq!((found.count(FindingKind::Differs), found.count(FindingKind::Missing)), (1, 1), "{found:?}");
}

#[test]
fn a_game_belongs_to_each_season_that_its_forecasts_state() {
    let next = season::season("2024-25");
    let of_next = |mut leaf: Leaf| {
        if let LeafFact::Moved { season, .. } | LeafFact::Withdrawn { season, .. } = &mut leaf.fact {
            *season = next;
        }
        leaf
    };
    let mut record = Record::of_three();
    record.add_entry(2, vec![of_next(season::moved(2, game(1), season::later(1)))]);
    record.cosign_in_time();
    let mut row = record.files.rows.remove(0);
    let audit = as_it_is(&record);
    let moved = (FindingKind::Moved, None, "home_1".to_owned());
    assert_eq!(kinds(&audit), [only(FindingKind::Missing, "home_1")[0].clone(), moved]);
    // In the results of the other season it is counted, and named.
    (row.game, row.season, row.statements.season) = (season::later(1), next, next.to_string());
    record.files.rows.push(row);
    let audit = as_it_is(&record);
    assert_eq!((audit.proven, audit.exit_code()), (3, 0), "{:?}", audit.findings);
    assert_eq!(audit.elsewhere, [(MARKET, season::later(1), next)]);

    let mut record = Record::of_three();
    record.add_entry(2, vec![of_next(season::withdrawn(2, game(1)))]);
    record.cosign_in_time();
    record.files.rows.remove(0);
    assert_eq!(kinds(&as_it_is(&record)), only(FindingKind::Withdrawn, "home_1"));
}

#[test]
fn rows_are_lacking_until_those_of_the_other_season_are_read() {
    let record = Record::of_three();
    let texts: Vec<_> = record.leaves.iter().map(Leaf::to_text).collect();
    let leaves = StatedLeaves::read(&texts).expect("leaves");
    let lacks = |label, rows: &[ResultRow]| {
        lacks_rows(&leaves, &AuditTerms { season: season::season(label), ..season::terms() }, rows)
    };
    assert_eq!((lacks(SEASON, &record.files.rows), lacks(SEASON, &record.files.rows[1..])), (false, true));
    assert!(!lacks("2024-25", &[]) && leaves.states_season(&game(1), season::season(SEASON)));
}

#[test]
fn a_row_that_is_served_twice_differs_and_counts_once() {
    let mut record = Record::of_three();
    let again = record.files.rows[1].clone();
    record.files.rows.push(again);
    let audit = as_it_is(&record);
    assert_eq!((kinds(&audit), audit.games), (only(FindingKind::Differs, "home_2"), 3));
}

/// Of a doubleheader, one game is withdrawn. It is moved after that, which has no leaf, and the other one gets its start.
#[test]
fn a_withdrawn_game_stays_in_the_list_when_another_one_has_its_start() {
    let mut record = Record::of_three();
    record.forecast_at(2, season::later(1), 0.9);
    record.add_entry(3, vec![season::withdrawn(3, season::later(1)), season::ended(3, season::later(1), 1, 2)]);
    record.add_entry(4, vec![season::moved(4, game(1), season::later(1))]);
    record.cosign_in_time();
    record.files.rows.retain(|row| row.game != season::later(1));
    row(&mut record.files, "home_1").game = season::later(1);
    let audit = as_it_is(&record);
    let moved = (FindingKind::Moved, None, "home_1".to_owned());
    let expected = [only(FindingKind::Withdrawn, "home_1")[0].clone(), moved];
    assert_eq!((&kinds(&audit)[..], audit.proven), (&expected[..], 3), "{:?}", audit.findings);
}

#[test]
fn the_ending_of_a_game_without_a_forecast_need_not_be_in_the_log() {
    let mut record = Record::of_three();
    let mut imported = record.files.rows[0].clone();
    (imported.game, imported.live_run) = (season::later(4), Some("imported".to_owned()));
    season::end(&mut imported, 14, 9);
    record.files.rows.push(imported);
    record.add_entry(2, vec![season::moved(2, game(4), season::later(4))]);
    let audit = as_it_is(&record);
    assert_eq!((audit.findings.len(), audit.count(FindingKind::NotRecorded)), (1, 1), "{:?}", audit.findings);
    record.leaves.push(season::ended(2, season::later(4), 14, 10));
    assert_eq!(as_it_is(&record).findings.len(), 1, "no forecast of it is in the tree");
}

#[test]
fn a_game_is_followed_through_its_starts() {
    let mut record = Record::of_three();
    record.forecast_at(2, season::later(1), 0.9);
    record.cosign_in_time();
    // The second game of the pair gets the start of the first one, which is moved in the same entry.
    let moved = GameKey { time: chrono::NaiveTime::from_hms_opt(22, 0, 0), ..game(1) };
    record.add_entry(3, vec![season::moved(3, game(1), moved.clone()), season::moved(3, season::later(1), game(1))]);
    record.cosign_in_time();
    for row in &mut record.files.rows {
        if row.game == season::later(1) {
            row.game = game(1);
        } else if row.game == game(1) {
            row.game = moved.clone();
        }
    }
    let audit = as_it_is(&record);
    assert_eq!((audit.proven, audit.count(FindingKind::Moved), audit.count(FindingKind::Overlap)), (4, 2, 0));
    // Under the old start it is missing.
    record.files.rows.retain(|row| row.game != moved);
    assert_eq!(as_it_is(&record).findings[0].game, moved);
}

#[test]
fn a_withdrawn_forecast_is_listed_and_is_no_fault() {
    let mut record = Record::of_three();
    record.add_entry(2, vec![season::withdrawn(2, game(3))]);
    record.cosign_in_time();
    record.files.rows.retain(|row| row.game != game(3));
    let audit = as_it_is(&record);
    assert_eq!((kinds(&audit), audit.exit_code()), (only(FindingKind::Withdrawn, "home_3"), 0));
}

#[test]
fn finals_are_those_of_the_last_leaf() {
    let mut record = Record::of_three();
    record.add_entry(2, vec![season::ended(2, game(1), 17, 10), season::ended(2, game(2), 20, 24)]);
    assert_eq!(as_it_is(&record).count(FindingKind::Differs), 2, "results have no finals yet");
    season::end(row(&mut record.files, "home_1"), 17, 10);
    season::end(row(&mut record.files, "home_2"), 20, 24);
    assert_eq!(as_it_is(&record).exit_code(), 0);
    record.add_entry(3, vec![season::ended(3, game(1), 17, 13)]);
    let corrected = (FindingKind::Corrected, None, "home_1".to_owned());
    assert_eq!(kinds(&as_it_is(&record)), [only(FindingKind::Differs, "home_1")[0].clone(), corrected.clone()]);
    season::end(row(&mut record.files, "home_1"), 17, 13);
    row(&mut record.files, "home_3").ending =
        RecordedEnding::CalledOff { status: "postponed".parse().expect("a word") };
    let expected = [only(FindingKind::Differs, "home_3")[0].clone(), corrected];
    assert_eq!(kinds(&as_it_is(&record)), expected, "a status without a leaf");
}

#[test]
fn a_market_that_is_void_in_the_final_of_the_log_is_ungraded_in_results() {
    let mut record = Record::of_three();
    let of = |markets: &str| RecordedEnding::Final {
        score: FinalScore { away: 5, home: 3 },
        status: format!("settled void {markets}").parse().expect("a word"),
    };
    let (total, moneyline) = (of("over_under won_on_spread"), of("won_on_points"));
    let ended = [(1, &total), (2, &moneyline)].map(|(number, ending)| {
        let mut leaf = season::ended(2, game(number), 5, 3);
        leaf.fact = LeafFact::Final { season: season::season(SEASON), game: game(number), ending: ending.clone() };
        leaf
    });
    record.add_entry(2, ended.to_vec());
    season::end(row(&mut record.files, "home_1"), 5, 3);
    row(&mut record.files, "home_1").ending = total;
    row(&mut record.files, "home_2").ending = moneyline.clone();
    let void = only(FindingKind::OtherStatus, "home_2");
    assert_eq!(kinds(&as_it_is(&record)), void, "in the market");
    season::end(row(&mut record.files, "home_2"), 5, 3);
    let differs = [only(FindingKind::Differs, "home_2"), void].concat();
    assert_eq!(kinds(&as_it_is(&record)), differs, "another ending");
    row(&mut record.files, "home_2").ending = moneyline;
    assert_eq!(kinds(&as_it_is(&record)), differs, "graded by a void final");
}

#[test]
fn a_game_that_is_forecast_again_has_the_ending_of_that_entry_or_none() {
    let mut record = Record::of_three();
    let off = |generation| {
        let mut ended = season::ended(generation, game(1), 0, 0);
        let LeafFact::Final { ending, .. } = &mut ended.fact else { panic!("a final") };
        *ending = RecordedEnding::CalledOff { status: "postponed".parse().expect("a word") };
        ended
    };
    record.add_entry(2, vec![off(2)]);
    record.add_entry(3, vec![season::withdrawn(3, game(1))]);
    record.cosign_in_time();
    // Entry 4 takes the status back, which has no leaf: no row of the game is live.
    record.forecast(5, &[(1, 0.9)]);
    row(&mut record.files, "home_1").live_run = Some("release-5".to_owned());
    row(&mut record.files, "home_1").statements.published_at = Some(season::published(5));
    _ = row(&mut record.files, "home_1").probabilities.insert(model("BLEND"), 0.9);
    assert_eq!(kinds(&as_it_is(&record)), only(FindingKind::NotAttested, "home_1"));

    let mut still_off = record.clone();
    still_off.leaves.push(off(5));
    assert!(kinds(&as_it_is(&still_off)).contains(&only(FindingKind::Differs, "home_1")[0]), "results have no status");
    row(&mut still_off.files, "home_1").ending =
        RecordedEnding::CalledOff { status: "postponed".parse().expect("a word") };
    let off = (FindingKind::CalledOff, None, "home_1".to_owned());
    assert_eq!(kinds(&as_it_is(&still_off)), [only(FindingKind::NotAttested, "home_1")[0].clone(), off]);
}

#[test]
fn rows_from_before_the_tree_are_counted_apart_and_later_models_are_not_committed() {
    let mut record = Record::of_three();
    let mut before = record.files.rows[0].clone();
    (before.game, before.live_run) = (game(4), Some("before-the-tree".to_owned()));
    record.files.rows.push(before);
    _ = row(&mut record.files, "home_2").probabilities.insert(model("ELO"), 0.5);
    let audit = as_it_is(&record);
    assert_eq!((audit.games, audit.proven, audit.count(FindingKind::NotRecorded), audit.not_committed), (4, 3, 1, 1));
    assert_eq!(audit.exit_code(), 3);
    let of_model = |name: &str| {
        let texts: Vec<_> = record.leaves.iter().map(Leaf::to_text).collect();
        let terms = AuditTerms { model: Some(model(name)), ..season::terms() };
        audit_season(&StatedLeaves::read(&texts).expect("leaves"), &record.evidence, &record.files, &terms)
            .not_committed
    };
    assert_eq!((of_model("ELO"), of_model("BLEND")), (1, 0));
    // The model was known when the forecast was made.
    let model = season::model(1, "ELO");
    record.leaves.insert(1, model);
    record.shift_openings(1);
    let audit = as_it_is(&record);
    assert_eq!(audit.count(FindingKind::Differs), 1, "{audit:?}");
    assert!(kinds(&audit).contains(&only(FindingKind::Differs, "home_2")[0]));
}

#[test]
fn a_game_without_a_time_can_only_be_logged() {
    let mut record = Record::default();
    record.without_times();
    record.forecast(1, &[(1, 0.5)]);
    record.evidence.add_cosignature(0, 2, 1_000_000_000);
    let audit = as_it_is(&record);
    assert_eq!((kinds(&audit), audit.exit_code()), (only(FindingKind::NotAttested, "home_1"), 3));
}

#[test]
fn releases_are_those_of_the_leaves_one_by_one() {
    let record = Record::of_releases();
    let found = |listed: &[ListedRelease]| {
        let texts: Vec<_> = record.leaves.iter().map(Leaf::to_text).collect();
        audit_releases(&StatedLeaves::read(&texts).expect("leaves"), &list_of(listed))
    };
    let listed = record.listed.clone();
    assert_eq!(found(&listed), Vec::<String>::new());
    let texts: Vec<_> = record.leaves.iter().map(Leaf::to_text).collect();
    let leaves = StatedLeaves::read(&texts).expect("leaves");
    assert_eq!(skipped_generations(&leaves, &listed).collect::<Vec<_>>(), [2, 5]);
    let newer = ListedRelease { generation: 9, ..listed[0].clone() };
    assert_eq!(found(&[&listed[..], &[newer]].concat()), Vec::<String>::new(), "above the tree");
    assert_eq!(found(&listed[1..]).len(), 3, "generation 1 is not listed, and the next one continues and names it");
    let between = ListedRelease { generation: 5, ..listed[0].clone() };
    let between = [&listed[..3], &[between], &listed[3..]].concat();
    assert_eq!(found(&between).len(), 3, "no leaf, and the next one continues and names another");
    for place in 0..listed.len() {
        let mut other = listed.clone();
        other[place].sha256 = sports_domain::content::ObjectHash::from_bytes(b"another");
        let is_head = place + 1 == listed.len();
        assert_eq!(found(&other).is_empty(), is_head, "{place}: no leaf has the hash of the newest entry yet");
        let mut other = listed.clone();
        other[place].previous = Some(sports_domain::content::ObjectHash::from_bytes(b"another"));
        assert_eq!(found(&other).len(), 1, "{place}");
        let mut other = listed.clone();
        other[place].published_at += chrono::TimeDelta::milliseconds(1);
        assert_eq!(found(&other).len(), 1, "{place}");
    }
}

/// Returns the list of a service that has these releases, oldest first.
fn list_of(listed: &[ListedRelease]) -> ReleaseList {
    let releases: Vec<_> = listed.iter().rev().cloned().collect();
    ReleaseList { head: releases.first().map(|newest| newest.sha256), simulated: false, releases }
}

#[test]
fn a_list_of_releases_agrees_with_itself() {
    let record = Record::of_releases();
    let texts: Vec<_> = record.leaves.iter().map(Leaf::to_text).collect();
    let leaves = StatedLeaves::read(&texts).expect("leaves");
    let honest = list_of(&record.listed);
    assert_eq!(audit_releases(&leaves, &honest), Vec::<String>::new());
    let found = |change: fn(&mut ReleaseList)| {
        let mut list = honest.clone();
        change(&mut list);
        audit_releases(&leaves, &list)
    };
    let head = "the head in the list of releases is not the SHA-256 of its first release";
    assert_eq!(found(|list| list.head = Some(list.releases[1].sha256)), [head]);
    let simulated = "the list of releases states that the record is simulated, and no release has a clock that was set";
    assert_eq!(found(|list| list.simulated = true), [simulated]);
    let twice = "generation 4 is listed behind generation 4";
    assert_eq!(found(|list| list.releases.insert(1, list.releases[1].clone())), [twice]);
    assert_eq!(found(|list| list.releases.swap(1, 2)), ["generation 4 is listed behind generation 3"]);
}

#[test]
fn games_on_its_dates_that_the_log_has_in_another_season_are_counted() {
    let mut record = Record::of_three();
    assert_eq!(as_it_is(&record).other_seasons, [].into());
    for leaf in &mut record.leaves {
        if let LeafFact::Forecast { season, game, .. } = &mut leaf.fact
            && game.home.as_str() == "home_2"
        {
            *season = season::season("2022-23");
        }
    }
    assert_eq!(as_it_is(&record).other_seasons, [(season::season("2022-23"), 1)].into());
}

#[test]
fn a_leaf_that_stands_in_another_entry_than_it_states_is_named() {
    let sentences = |leaves: &[Leaf]| {
        let texts: Vec<_> = leaves.iter().map(Leaf::to_text).collect();
        let found = audit_releases(&StatedLeaves::read(&texts).expect("leaves"), &ReleaseList::default());
        found.into_iter().filter(|sentence| sentence.starts_with("leaf ")).collect::<Vec<_>>()
    };
    let honest = Record::of_three();
    assert_eq!(sentences(&honest.leaves), Vec::<String>::new());
    let mut other = honest.clone();
    let mut later = other.leaves[1].clone();
    later.generation = 3;
    other.add_entry(2, vec![later]);
    let game = game(1);
    let expected = format!("leaf 5, a forecast of {game}, states entry 3 and is among the leaves of entry 2");
    assert_eq!(sentences(&other.leaves), [expected]);
    let first = sentences(&honest.leaves[1..2]);
    assert_eq!(first, [format!("leaf 0, a forecast of {game}, states entry 1 and is among the leaves of no entry")]);
    let mut back = Record::default();
    back.add_entry(2, Vec::new());
    back.add_entry(1, Vec::new());
    let [sentence] = &sentences(&back.leaves)[..] else { panic!("one sentence") };
    assert!(
        sentence.starts_with("leaf 1 begins entry 1 of ") && sentence.contains(" behind entry 2 of "),
        "{sentence}"
    );
}

#[test]
fn a_live_row_whose_forecast_the_log_withdrew_differs() {
    let mut record = Record::of_three();
    let withdrawal = season::withdrawn(AFTER_THE_START, game(2));
    record.add_entry(AFTER_THE_START, vec![withdrawal]);
    record.cosign_in_time();
    assert_eq!(kinds(&as_it_is(&record)), only(FindingKind::Differs, "home_2"));
    record.files.rows.retain(|row| row.game != game(2));
    assert_eq!(kinds(&as_it_is(&record)), only(FindingKind::Withdrawn, "home_2"));
}
