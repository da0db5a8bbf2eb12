//! A publisher who takes a loser back after its game, and honest ones who change what they stated in time.

use chrono::{DateTime, NaiveTime, TimeDelta};
use sports_domain::GameKey;
use sports_transparency::audit::{Audit, AuditTerms, FindingKind, Schedule, ScheduledGame, StatedLeaves, audit_season};
use sports_transparency::{Leaf, LeafFact, RecordedEnding};

use super::season::{self, AFTER_THE_START, Record, START, game};

const HOUR: i64 = 3_600;

fn days_later(number: u32, days: i64) -> GameKey {
    GameKey { date: game(number).date + TimeDelta::days(days), ..game(number) }
}

fn ending_with(generation: u64, game: GameKey, ending: RecordedEnding) -> Leaf {
    let mut leaf = season::ended(generation, game, 0, 0);
    let LeafFact::Final { ending: of_leaf, .. } = &mut leaf.fact else { panic!("a final") };
    *of_leaf = ending;
    leaf
}

fn called_off(generation: u64, game: GameKey) -> Leaf {
    ending_with(generation, game, RecordedEnding::CalledOff { status: "postponed".parse().expect("a word") })
}

/// A record in the making, whose witness cosigns each entry.
struct Publisher {
    record: Record,
    generation: u64,
    /// The key of game 1 in results; none without a row.
    shown: Option<GameKey>,
}

impl Publisher {
    /// Three forecasts that were cosigned hours before play.
    fn with_three() -> Self {
        Self { record: Record::of_three(), generation: 1, shown: Some(game(1)) }
    }

    /// Adds an entry that states to be published in the next minute of the morning, or after the games; the witness has it then or
    /// later.
    fn add(&mut self, is_after: bool, seen: i64, leaves: impl FnOnce(u64) -> Vec<Leaf>) {
        self.generation = (self.generation + 1).max(if is_after { AFTER_THE_START } else { 0 });
        let leaves = leaves(self.generation);
        self.record.add_entry(self.generation, leaves);
        self.cosigned(seen);
    }

    fn cosigned(&mut self, seen: i64) {
        let time = u64::try_from(START + seen).expect("after 1970");
        self.record.evidence.add_cosignature(0, self.record.leaves.len() as u64, time);
    }

    /// Settles the games that are left, and serves what the leaves have.
    fn settled(mut self, lost: bool) -> Self {
        let generation = self.generation.max(AFTER_THE_START) + 1;
        let finals = if lost { &[1, 2, 3][..] } else { &[2, 3] };
        let ended = finals.iter().map(|number| season::ended(generation, game(*number), 20, 17)).collect();
        self.generation = generation;
        self.record.add_entry(generation, ended);
        self.cosigned(5 * HOUR);
        for number in finals {
            if let Some(row) = self.record.files.rows.iter_mut().find(|row| row.game == game(*number)) {
                season::end(row, 20, 17);
            }
        }
        self
    }

    fn audit(&self, schedule: Option<Schedule>) -> Audit {
        let mut files = self.record.files.clone();
        files.rows.retain(|row| row.game != game(1) || self.shown.is_some());
        for row in files.rows.iter_mut().filter(|row| row.game == game(1)) {
            row.game = self.shown.clone().expect("a row");
        }
        let texts: Vec<_> = self.record.leaves.iter().map(Leaf::to_text).collect();
        let now = DateTime::from_timestamp(START + 96 * HOUR, 0).expect("an instant");
        let terms = AuditTerms { now, schedule, ..season::terms() };
        audit_season(&StatedLeaves::read(&texts).expect("leaves"), &self.record.evidence, &files, &terms)
    }
}

/// A change of the record in words, the kind of finding that it leads to, and the change.
type Way = (&'static str, FindingKind, fn(&mut Publisher));

/// The ways to lose the loser, each after its game.
const WAYS: [Way; 6] = [
    ("withdrawn by a slow clock", FindingKind::LateWithdrawal, |publisher| {
        let at = publisher.shown.clone().unwrap_or_else(|| game(1));
        publisher.add(false, 7 * HOUR / 2, |generation| vec![season::withdrawn(generation, at)]);
        publisher.shown = None;
    }),
    ("withdrawn by a hand-made entry", FindingKind::LateWithdrawal, |publisher| {
        let at = publisher.shown.clone().unwrap_or_else(|| game(1));
        publisher.add(true, 11 * HOUR, |generation| vec![season::withdrawn(generation, at)]);
        publisher.shown = None;
    }),
    ("moved to next week", FindingKind::LateMove, |publisher| {
        let from = publisher.shown.clone().unwrap_or_else(|| game(1));
        let to = GameKey { date: from.date + TimeDelta::days(7), ..from.clone() };
        publisher.add(true, 4 * HOUR, |generation| vec![season::moved(generation, from, to.clone())]);
        publisher.shown = publisher.shown.take().map(|_| to);
    }),
    ("called off", FindingKind::LateCallOff, |publisher| {
        let at = publisher.shown.clone().unwrap_or_else(|| game(1));
        publisher.add(true, 4 * HOUR, |generation| vec![called_off(generation, at.clone())]);
        let off = RecordedEnding::CalledOff { status: "postponed".parse().expect("a word") };
        for row in publisher.record.files.rows.iter_mut().filter(|row| row.game == game(1)) {
            row.ending = off.clone();
        }
    }),
    ("never settled", FindingKind::Unsettled, |_| {}),
    ("settled with another word", FindingKind::OtherStatus, |publisher| {
        let at = publisher.shown.clone().unwrap_or_else(|| game(1));
        let RecordedEnding::Final { score, .. } = season::ending(20, 17) else { panic!("a final") };
        let ending = RecordedEnding::Final { score, status: "protested".parse().expect("a word") };
        publisher.add(true, 4 * HOUR, |generation| vec![ending_with(generation, at.clone(), ending.clone())]);
        for row in publisher.record.files.rows.iter_mut().filter(|row| row.game == game(1)) {
            season::end(row, 20, 17);
            row.ending = ending.clone();
        }
    }),
];

#[test]
fn an_honest_season_is_proven() {
    let audit = Publisher::with_three().settled(true).audit(None);
    assert_eq!((audit.proven, audit.exit_code(), &audit.findings[..]), (3, 0, &[][..]));
    let [record] = &audit.records[..] else { panic!("one model: {:?}", audit.records) };
    // The model takes the home team at +130 three times, and it loses 20-17.
    assert_eq!((record.wins, record.losses, record.pushes, record.units), (0, 3, 0, -3.0));
    let brier = (0.51_f64.powi(2) + 0.52_f64.powi(2) + 0.53_f64.powi(2)) / 3.0;
    assert!((record.brier.expect("decided games") - brier).abs() < 1e-12);
}

#[test]
fn no_way_to_lose_a_loser_passes_alone_or_behind_another() {
    for (first, kind, way) in WAYS {
        let mut publisher = Publisher::with_three();
        way(&mut publisher);
        let audit = publisher.settled(false).audit(None);
        let named = audit.findings.iter().any(|found| found.kind == kind && found.game.home.as_str() == "home_1");
        assert!(named && audit.exit_code() != 0, "{first}: {:?}", audit.findings);
        for (second, _, next) in WAYS {
            let mut publisher = Publisher::with_three();
            way(&mut publisher);
            next(&mut publisher);
            let audit = publisher.settled(false).audit(None);
            let open = audit.findings.iter().any(|found| found.code != 0 && found.game.home.as_str() == "home_1");
            assert!(open && audit.exit_code() != 0, "{first}, {second}: {:?}", audit.findings);
        }
    }
}

/// The statement that came too late changes no figure: the loser counts, where the log has its final.
#[test]
fn a_loser_that_was_withdrawn_late_counts_in_the_record() {
    for (way, code) in [(0, 3), (1, 1)] {
        let mut publisher = Publisher::with_three();
        WAYS[way].2(&mut publisher);
        let audit = publisher.settled(true).audit(None);
        assert_eq!((audit.records[0].losses, audit.exit_code()), (3, code), "{:?}", audit.findings);
    }
    // A cosignature from after the start of the tree without the withdrawal proves that it came after it.
    let mut publisher = Publisher::with_three();
    publisher.cosigned(HOUR);
    WAYS[0].2(&mut publisher);
    assert_eq!(publisher.settled(true).audit(None).exit_code(), 1);
}

/// A loser moved by a slow clock, forecast anew with the right one and settled with its score is no proven win.
#[test]
fn a_loser_that_was_moved_and_forecast_anew_is_no_win() {
    let mut publisher = Publisher::with_three();
    let to = days_later(1, 7);
    publisher.add(false, 4 * HOUR, |generation| vec![season::moved(generation, game(1), to.clone())]);
    publisher.generation = AFTER_THE_START;
    publisher.record.forecast_at(AFTER_THE_START, to.clone(), 0.1);
    publisher.cosigned(5 * HOUR);
    publisher.record.files.rows.retain(|row| row.game != game(1));
    let generation = AFTER_THE_START + 1;
    publisher.record.add_entry(generation, vec![season::ended(generation, to.clone(), 20, 17)]);
    publisher.cosigned(8 * HOUR);
    for row in publisher.record.files.rows.iter_mut().filter(|row| row.game == to) {
        season::end(row, 20, 17);
    }
    publisher.generation = generation;
    let audit = publisher.settled(false).audit(None);
    assert_eq!((audit.count(FindingKind::LateMove), audit.exit_code()), (1, 3), "{:?}", audit.findings);
    assert_eq!((audit.records[0].wins, audit.records[0].losses), (0, 3), "the forecast of before counts");
}

#[test]
fn what_is_stated_in_time_counts_and_accuses_nobody() {
    // Withdrawn, called off, moved an hour before the game: named, exit 0.
    let in_time: [Way; 3] = [
        ("withdrawn", FindingKind::Withdrawn, |publisher| {
            publisher.add(false, -HOUR, |generation| vec![season::withdrawn(generation, game(1))]);
            publisher.shown = None;
        }),
        ("called off", FindingKind::CalledOff, |publisher| {
            publisher.add(false, -HOUR, |generation| vec![called_off(generation, game(1))]);
            let off = RecordedEnding::CalledOff { status: "postponed".parse().expect("a word") };
            publisher
                .record
                .files
                .rows
                .iter_mut()
                .filter(|row| row.game == game(1))
                .for_each(|row| row.ending = off.clone());
        }),
        ("moved", FindingKind::Moved, |publisher| {
            let to = days_later(1, 3);
            publisher.add(false, -HOUR, |generation| vec![season::moved(generation, game(1), to.clone())]);
            publisher.shown = Some(to);
        }),
    ];
    for (name, kind, way) in in_time {
        let mut publisher = Publisher::with_three();
        way(&mut publisher);
        let audit = publisher.settled(false).audit(None);
        let found = (audit.count(kind), audit.findings.len(), audit.exit_code());
        assert_eq!(found, (1, 1, 0), "{name}: {:?}", audit.findings);
    }
}

#[test]
fn a_start_that_is_brought_back_undoes_what_was_published_behind_it() {
    // Announced for 16:30 and forecast again at 15:30 Eastern; the real start at 15:20 is announced at 15:50.
    let mut publisher = Publisher::with_three();
    publisher.record.forecast(330, &[(1, 0.9)]);
    publisher.cosigned(-50 * 60);
    let early = GameKey { time: NaiveTime::from_hms_opt(15, 20, 0), ..game(1) };
    publisher.generation = 349;
    publisher.add(false, -40 * 60, |generation| {
        vec![season::moved(generation, game(1), early.clone()), season::ended(generation, early.clone(), 20, 17)]
    });
    publisher.shown = Some(early);
    publisher.record.files.rows.iter_mut().filter(|row| row.game == game(1)).for_each(|row| season::end(row, 20, 17));
    let mut publisher = publisher.settled(false);
    let audit = publisher.audit(None);
    assert_eq!((audit.proven, audit.exit_code()), (3, 0), "{:?}", audit.findings);
    // The one that counts has to be opened as well.
    let openings = &mut publisher.record.files.openings;
    let first = openings.iter().map(|opening| opening.index).min();
    openings.retain(|opening| Some(opening.index) != first);
    let audit = publisher.audit(None);
    assert_eq!((audit.count(FindingKind::Unopened), audit.exit_code()), (1, 1), "{:?}", audit.findings);
}

#[test]
fn all_forecasts_from_the_last_one_before_a_start_that_is_brought_back_are_opened() {
    let mut publisher = Publisher::with_three();
    for generation in [310, 320, 330] {
        publisher.record.forecast(generation, &[(1, 0.9)]);
    }
    let texts = |publisher: &Publisher| publisher.record.leaves.iter().map(Leaf::to_text).collect::<Vec<_>>();
    let to_open = |publisher: &Publisher| {
        let leaves = StatedLeaves::read(&texts(publisher)).expect("leaves");
        leaves
            .to_open(season::terms().season)
            .into_keys()
            .filter(|leaf| leaves.game_of(*leaf).is_some_and(|key| key.home == game(1).home))
            .count()
    };
    assert_eq!(to_open(&publisher), 1, "the last one");
    publisher.generation = 349;
    let early = GameKey { time: NaiveTime::from_hms_opt(15, 15, 0), ..game(1) };
    publisher.add(false, -40 * 60, |generation| vec![season::moved(generation, game(1), early.clone())]);
    assert_eq!(to_open(&publisher), 3, "15:10, 15:20 and 15:30 Eastern");
}

#[test]
fn games_that_were_called_off_in_time_do_not_get_a_start_after_play() {
    let mut publisher = Publisher::with_three();
    publisher.add(false, -HOUR, |generation| vec![called_off(generation, game(1))]);
    let later = GameKey { time: NaiveTime::from_hms_opt(23, 55, 0), ..game(1) };
    publisher.add(true, 5 * HOUR, |generation| vec![season::moved(generation, game(1), later.clone())]);
    publisher.shown = Some(later);
    let off = RecordedEnding::CalledOff { status: "postponed".parse().expect("a word") };
    publisher.record.files.rows.iter_mut().filter(|row| row.game == game(1)).for_each(|row| row.ending = off.clone());
    let audit = publisher.settled(false).audit(None);
    assert_eq!((audit.count(FindingKind::LateMove), audit.exit_code()), (1, 3), "{:?}", audit.findings);
}

#[test]
fn an_unchanged_forecast_is_as_evident_as_the_first() {
    for (probability, proven) in [(season::probability(1), 3), (0.9, 2)] {
        let mut publisher = Publisher::with_three();
        publisher.record.files.rows.retain(|row| row.game != game(1));
        // Published again before the start, and received after it.
        publisher.record.forecast(2, &[(1, probability)]);
        publisher.generation = 2;
        publisher.cosigned(HOUR);
        let audit = publisher.settled(true).audit(None);
        assert_eq!(
            (audit.proven, audit.exit_code()),
            (proven, if proven == 3 { 0 } else { 3 }),
            "{:?}",
            audit.findings
        );
    }
}

#[test]
fn games_that_were_called_off_in_time_are_not_chosen_after_play() {
    let mut publisher = Publisher::with_three();
    publisher.add(false, -HOUR, |generation| vec![called_off(generation, game(1))]);
    let audit = publisher.settled(true).audit(None);
    assert_eq!((audit.count(FindingKind::LateCallOff), audit.exit_code()), (1, 3), "{:?}", audit.findings);
}

#[test]
fn a_schedule_confirms_or_contradicts_what_came_late() {
    let scheduled = |key: &GameKey, is_called_off: bool| {
        let GameKey { date, time, away, home, .. } = key.clone();
        ScheduledGame { date, time, away, home, is_called_off, score: None }
    };
    let of = |first: &[ScheduledGame]| {
        let others = [scheduled(&game(2), false), scheduled(&game(3), false)];
        Some(Schedule { games: [first, &others].concat() })
    };
    let later = days_later(1, 7);
    let was_played = of(&[scheduled(&game(1), false)]);
    let cases = [
        (2, of(&[scheduled(&game(1), true), scheduled(&later, false)]), 0),
        (2, was_played.clone(), 1),
        (2, of(&[scheduled(&later, false)]), 0),
        (3, of(&[scheduled(&game(1), true)]), 0),
        (3, of(&[scheduled(&later, false)]), 0),
        (3, was_played, 1),
    ];
    for (way, schedule, code) in cases {
        let mut publisher = Publisher::with_three();
        WAYS[way].2(&mut publisher);
        let audit = publisher.settled(false).audit(schedule);
        let late = audit.findings.iter().find(|found| found.kind == WAYS[way].1).expect("named");
        assert_eq!((late.code, audit.exit_code()), (code, code), "{:?}", audit.findings);
    }
    let invented = Publisher::with_three().settled(true).audit(of(&[]));
    assert_eq!((invented.count(FindingKind::Schedule), invented.exit_code()), (1, 1), "no such game");
    let mut real = of(&[scheduled(&game(1), false)]).expect("a schedule");
    real.games[0].time = NaiveTime::from_hms_opt(10, 0, 0);
    let began = Publisher::with_three().settled(true).audit(Some(real));
    assert_eq!(began.count(FindingKind::Schedule), 1, "it began before the witness had the forecast");
    // Announced two hours late, and withdrawn after its real start or not.
    let mut real = of(&[scheduled(&game(1), false)]).expect("a schedule");
    real.games[0].time = NaiveTime::from_hms_opt(14, 30, 0);
    let announced_late = Publisher::with_three().settled(true).audit(Some(real.clone()));
    assert_eq!((announced_late.count(FindingKind::Schedule), announced_late.exit_code()), (1, 0));
    let mut publisher = Publisher::with_three();
    publisher.add(false, -HOUR, |generation| vec![season::withdrawn(generation, game(1))]);
    publisher.shown = None;
    let withdrawn = publisher.settled(false).audit(Some(real));
    assert_eq!((withdrawn.count(FindingKind::Schedule), withdrawn.exit_code()), (1, 1), "{:?}", withdrawn.findings);
}

#[test]
fn one_game_under_two_names_is_named() {
    let beside = |other: GameKey| {
        let mut publisher = Publisher::with_three();
        publisher.record.forecast_at(2, other, 0.1);
        publisher.generation = 2;
        publisher.record.cosign_in_time();
        publisher.settled(true).audit(None)
    };
    let two_hours_later = GameKey { time: NaiveTime::from_hms_opt(18, 30, 0), ..game(1) };
    let other_spelling = GameKey { home: game(2).home, ..two_hours_later.clone() };
    for other in [two_hours_later, other_spelling] {
        let audit = beside(other);
        assert!(audit.count(FindingKind::Overlap) > 0 && audit.exit_code() == 3, "{:?}", audit.findings);
    }
    let next_day = beside(days_later(1, 1));
    assert_eq!((next_day.count(FindingKind::Twin), next_day.count(FindingKind::Overlap)), (1, 0));
    assert_eq!(beside(days_later(1, 2)).count(FindingKind::Twin), 0);
}

/// A record that goes back to the forecasts that won, when the games are over.
#[test]
fn a_game_that_began_while_later_forecasts_may_have_been_lost_is_not_attested() {
    let begin_anew = |publisher: &mut Publisher, seen: i64| {
        publisher.add(true, seen, |generation| {
            let fact = LeafFact::Restart { lost: sports_domain::content::ObjectHash::from_bytes(b"a checkpoint") };
            vec![Leaf { sport: season::SPORT, generation, fact }]
        });
    };
    let restarted = |seen: i64| {
        let mut publisher = Publisher::with_three();
        begin_anew(&mut publisher, seen);
        publisher.settled(true).audit(None)
    };
    let after = restarted(HOUR);
    assert_eq!((after.count(FindingKind::NotAttested), after.losses.len(), after.exit_code()), (3, 1, 3));
    // None of these games began meanwhile; one that the tree no longer has may have.
    let before = restarted(-HOUR);
    assert_eq!((before.count(FindingKind::NotAttested), before.losses.len(), before.exit_code()), (0, 1, 3));
    // Nobody plays in April.
    let mut publisher = Publisher::with_three().settled(true);
    publisher.cosigned(90 * 24 * HOUR);
    begin_anew(&mut publisher, 91 * 24 * HOUR);
    let april = publisher.audit(None);
    assert_eq!((april.proven, april.losses.len(), april.exit_code()), (3, 0, 0), "{:?}", april.findings);
}
