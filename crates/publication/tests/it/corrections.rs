//! The corrections that follow from the leaves of a league's tree.

use chrono::{DateTime, TimeDelta, Utc};
use sports_publication::{CorrectionKind, CorrectionLog, EntryLeaves, Generation, RecordChange};
use sports_transparency::WrittenLeaf;

const RAVENS: &str = "2024-01-06 16:30:00 pittsburgh_steelers baltimore_ravens";
const COLTS: &str = "2024-01-06 20:15:00 houston_texans indianapolis_colts";

/// A log of corrections, to which entries are added one by one.
#[derive(Default)]
struct Record {
    log: CorrectionLog,
    generation: u64,
    size: u64,
}

impl Record {
    /// Adds an entry with these leaves behind that of the release; each is a kind, and the lines behind the league.
    fn add(&mut self, leaves: &[(&str, &str)]) {
        self.generation += 1;
        let (generation, zeros) = (self.generation, "0".repeat(64));
        let release =
            format!("sports-record/v1 release\nnfl {generation} 2024-01-06T15:00:00.000Z system\nsha256:{zeros}\n");
        let leaf = |(kind, lines): &(&str, &str)| {
            format!("sports-record/v1 {kind}\nnfl {}\n", lines.replace("{N}", &generation.to_string()))
        };
        let texts = [release].into_iter().chain(leaves.iter().map(leaf));
        let leaves = texts.map(|text| WrittenLeaf::parse(text).expect("a leaf")).collect();
        let leaves = EntryLeaves { first: self.size, leaves };
        self.size += leaves.leaves.len() as u64;
        self.log.note(number(generation), published_at(generation), &leaves);
    }

    /// Adds an entry with the ending of a game.
    fn end(&mut self, game: &str, ending: &str) {
        self.add(&[("final", &format!("2023-24 {{N}}\n{game}\n{ending}"))]);
    }

    /// Returns every correction in words.
    fn written(&self) -> Vec<String> {
        let page = self.log.page(Generation::FIRST, number(self.generation), usize::MAX);
        let written = page.corrections.iter().map(|correction| {
            let change = match &correction.change {
                RecordChange::FinalCorrected { before, after } | RecordChange::StatusChanged { before, after } => {
                    format!("{before} to {after}")
                }
                RecordChange::Rescheduled { before } => {
                    format!("{} {} to {} {}", before.date, time(before), correction.game.date, time(&correction.game))
                }
                RecordChange::ForecastWithdrawn { model_type } => model_type.to_string(),
            };
            let (generation, index) = (correction.generation, correction.record_index);
            assert_eq!(correction.published_at, published_at(generation.get()));
            format!("{generation}/{index} {} {}: {change}", correction.change.kind().word(), correction.game.home)
        });
        written.collect()
    }

    fn page(&self, since: u64, through: u64, limit: usize) -> (Vec<u64>, Option<u64>) {
        let page = self.log.page(number(since), number(through), limit);
        let generations = page.corrections.iter().map(|correction| correction.generation.get());
        (generations.collect(), page.next.map(Generation::get))
    }
}

fn time(game: &sports_domain::GameKey) -> String {
    game.time.map_or_else(|| "-".to_owned(), |time| time.to_string())
}

fn number(generation: u64) -> Generation {
    Generation::new(generation).expect("from 1")
}

fn published_at(generation: u64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::hours(i64::try_from(generation).expect("small"))
}

#[test]
fn a_final_is_corrected_only_after_a_first_one() {
    let mut record = Record::default();
    for ending in ["17 10 settled", "17 13 settled", "17 13 forfeit", "- - -", "20 10 settled", "20 10 settled"] {
        record.end(RAVENS, ending);
    }
    // Each entry has the leaf of its release at an even index, and that of the ending behind it.
    let expected = [
        "2/3 final_corrected baltimore_ravens: 17 10 settled to 17 13 settled",
        "3/5 status_changed baltimore_ravens: 17 13 settled to 17 13 forfeit",
        "4/7 final_corrected baltimore_ravens: 17 13 forfeit to - - -",
        "5/9 final_corrected baltimore_ravens: - - - to 20 10 settled",
    ];
    assert_eq!(record.written(), expected);
}

#[test]
fn a_status_is_corrected_only_after_a_first_one() {
    let mut record = Record::default();
    for ending in ["- - postponed", "- - cancelled", "- - -", "- - postponed", "3 1 settled", "- - cancelled"] {
        record.end(RAVENS, ending);
    }
    let expected = [
        "2/3 status_changed baltimore_ravens: - - postponed to - - cancelled",
        "3/5 status_changed baltimore_ravens: - - cancelled to - - -",
        "4/7 status_changed baltimore_ravens: - - - to - - postponed",
        // The fifth is the first final.
        "6/11 final_corrected baltimore_ravens: 3 1 settled to - - cancelled",
    ];
    assert_eq!(record.written(), expected);
}

#[test]
fn a_game_that_moves_keeps_the_ending_that_is_corrected() {
    let mut record = Record::default();
    record.end(RAVENS, "17 10 settled");
    let later = RAVENS.replace("16:30", "21:00");
    record.add(&[("moved", &format!("2023-24 {{N}}\n{RAVENS}\n{later}"))]);
    record.end(&later, "17 13 settled");
    let expected = [
        "2/3 rescheduled baltimore_ravens: 2024-01-06 16:30:00 to 2024-01-06 21:00:00",
        "3/5 final_corrected baltimore_ravens: 17 10 settled to 17 13 settled",
    ];
    assert_eq!(record.written(), expected);
    // A new game at the old start has no ending yet.
    record.end(RAVENS, "3 0 settled");
    assert_eq!(record.written().len(), 2);
}

#[test]
fn games_that_change_places_in_one_entry_take_their_endings_along() {
    let (first, second) = ("2024-07-01 13:00:00 a b", "2024-07-01 19:00:00 a b");
    let mut record = Record::default();
    record.end(first, "1 0 settled");
    record.end(second, "5 4 settled");
    let moved = [format!("2023-24 {{N}}\n{first}\n{second}"), format!("2023-24 {{N}}\n{second}\n{first}")];
    record.add(&[("moved", &*moved[0]), ("moved", &*moved[1])]);
    record.end(first, "5 3 settled");
    record.end(second, "2 0 settled");
    let written = record.written();
    assert_eq!(
        written[2..],
        ["4/8 final_corrected b: 5 4 settled to 5 3 settled", "5/10 final_corrected b: 1 0 settled to 2 0 settled",]
    );
}

#[test]
fn a_withdrawn_forecast_is_a_correction_of_its_market_and_other_leaves_are_none() {
    let mut record = Record::default();
    let hash = format!("sha256:{}", "ab".repeat(32));
    record.add(&[
        ("model", "{N}\nELO 2 -"),
        ("withdrawn", &format!("over_under 2023-24 {{N}}\n{COLTS}")),
        ("forecast", &format!("won_on_points 2023-24 {{N}}\n{RAVENS}\n{hash}")),
    ]);
    assert_eq!(record.written(), ["1/2 forecast_withdrawn indianapolis_colts: over_under"]);
}

#[test]
fn a_page_ends_with_a_generation_and_names_the_next_one() {
    let mut record = Record::default();
    let withdrawn = |games: usize| {
        let leaves: Vec<_> = ["over_under", "won_on_points", "won_on_spread"]
            .iter()
            .take(games)
            .map(|of| format!("{of} 2023-24 {{N}}\n{COLTS}"))
            .collect();
        leaves
    };
    for games in [1, 0, 3, 2, 0] {
        let leaves = withdrawn(games);
        record.add(&leaves.iter().map(|lines| ("withdrawn", lines.as_str())).collect::<Vec<_>>());
    }
    let all = vec![1, 3, 3, 3, 4, 4];
    assert_eq!(record.page(1, 5, 100), (all.clone(), None));
    assert_eq!(record.page(1, 5, 1), (vec![1], Some(3)));
    assert_eq!(record.page(1, 5, 2), (vec![1, 3, 3, 3], Some(4)));
    assert_eq!(record.page(1, 5, 4), (vec![1, 3, 3, 3], Some(4)));
    assert_eq!(record.page(1, 5, 5), (all, None));
    assert_eq!(record.page(3, 5, 1), (vec![3, 3, 3], Some(4)));
    assert_eq!(record.page(4, 5, 1), (vec![4, 4], None));
    assert_eq!(record.page(5, 5, 1), (vec![], None));
    assert_eq!(record.page(900, 5, 1), (vec![], None));
    assert_eq!(record.page(1, 3, 1), (vec![1], Some(3)), "no later entry than the moment's");
    assert_eq!(record.page(1, 2, 1), (vec![1], None));
}

#[test]
fn the_list_is_complete_from_the_first_entry_with_a_tree() {
    let mut record = Record { generation: 500, ..Record::default() };
    let page = |record: &Record, through: u64| record.log.page(Generation::FIRST, number(through), 1).complete_since;
    assert_eq!(page(&record, 500), None);
    record.add(&[]);
    record.add(&[]);
    assert_eq!((page(&record, 500), page(&record, 502)), (None, Some(number(501))));
}

#[test]
fn the_words_of_kinds_differ() {
    let words: std::collections::BTreeSet<_> = CorrectionKind::ALL.iter().map(|kind| kind.word()).collect();
    assert_eq!(words.len(), 4);
}
