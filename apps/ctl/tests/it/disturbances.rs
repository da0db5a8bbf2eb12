//! Publishers that are killed behind an entry, or whose store, witness or timestamp server fails or hangs: the next publish or
//! `record sign` completes the record, in memory, in a folder and in a bucket. And publishers that race.

mod expected;
mod racing;
mod site;

use std::sync::Arc;

use sports_ports::record::{RecordFile, StoredAs};
use sports_testkit::signing::{StepFault, Steps};

use expected::{Signed, expected_tiles, signed, tiles};
use site::{Kind, Machine, SigningSite};

/// The entries whose completion is disturbed: the first one of a record, and the second.
const DISTURBED: [u64; 2] = [1, 2];

/// The completion that follows a disturbed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// `record sign`, or a publish that changes nothing.
    Sign,
    /// The publish of the next entry.
    Publish,
}

/// Completes all entries below one, undisturbed.
async fn completed_below(site: &SigningSite, generation: u64) -> Machine {
    let machine = site.machine();
    for below in 1..generation {
        complete(site, &machine, below).await;
    }
    machine
}

/// Completes the record after an entry, of which nothing may be left undone.
async fn complete(site: &SigningSite, machine: &Machine, generation: u64) {
    let done = machine.signer(site, generation, &Arc::default()).complete(site::SPORT).await;
    assert_eq!((&done.unsigned, &done.warnings[..]), (&None, &[][..]), "entry {generation}");
    let head = site.heads[usize::try_from(generation).expect("few") - 1];
    assert_eq!(done.checkpoint.map(|signed| (signed.size, signed.root)), Some((head.size, head.root)));
}

/// Begins to complete the record after an entry, and ends when a step hangs.
async fn begin(site: &SigningSite, machine: &Machine, generation: u64, steps: &Arc<Steps>) {
    let signer = machine.signer(site, generation, steps);
    tokio::select! {
        _ = signer.complete(site::SPORT) => {}
        () = steps.hung() => {}
    }
}

/// Returns the files that a machine stores for all entries up to one, without disturbances.
async fn undisturbed(site: &SigningSite, generation: u64) -> Signed {
    let machine = completed_below(site, generation + 1).await;
    signed(&machine).await
}

/// Disturbs one step behind an entry and completes the record; asserts that nothing shows it.
async fn disturb(site: &SigningSite, generation: u64, (step, fault): (usize, StepFault), next: Next, whole: &Signed) {
    let machine = completed_below(site, generation).await;
    begin(site, &machine, generation, &Arc::new(Steps::disturbed(step, fault))).await;
    let when = format!("entry {generation}, step {step}: {fault:?}, then {next:?}");
    if next == Next::Sign {
        complete(site, &machine, generation).await;
        assert_eq!(signed(&machine).await, *whole, "{when}");
        return;
    }
    complete(site, &machine, generation + 1).await;
    let found = tiles(&machine).await;
    let expected = expected_tiles(site, generation + 1);
    for (path, bytes) in &found {
        assert!(expected.get(path) == Some(bytes), "{when}: tile {path}");
    }
    // A publish that never came to store its tiles leaves its partial ones away.
    let lacking: Vec<_> = expected.keys().filter(|path| !found.contains_key(*path)).collect();
    assert!(lacking.iter().all(|path| path.is_partial()), "{when}: {lacking:?}");
    site.verify(&machine).await;
}

/// Disturbs every `stride`-th step in each of these ways; returns the number of disturbances.
async fn disturb_steps(site: &SigningSite, faults: &[StepFault], stride: usize, next: Next) -> usize {
    let mut disturbed = 0;
    for generation in DISTURBED {
        let whole = undisturbed(site, generation).await;
        assert_eq!(whole.tiles, expected_tiles(site, generation), "entry {generation}");
        let machine = completed_below(site, generation).await;
        let steps = Arc::new(Steps::default());
        begin(site, &machine, generation, &steps).await;
        for step in (0..steps.taken()).step_by(stride) {
            for fault in faults {
                disturb(site, generation, (step, *fault), next, &whole).await;
                disturbed += 1;
            }
        }
    }
    disturbed
}

#[tokio::test]
async fn a_record_in_memory_is_completed_after_any_fault_at_any_step() {
    let site = SigningSite::new(Kind::Memory).await;
    let signed = disturb_steps(&site, &StepFault::ALL, 1, Next::Sign).await;
    let published = disturb_steps(&site, &[StepFault::KillsBehind], 3, Next::Publish).await;
    assert!(signed > 200 && published >= 20, "{signed} {published}");
}

#[tokio::test]
async fn a_record_in_a_folder_is_completed_after_kills_and_hanging_steps() {
    let site = SigningSite::new(Kind::Folder).await;
    let disturbed = disturb_steps(&site, &[StepFault::KillsBehind, StepFault::Hangs], 3, Next::Sign).await;
    assert!(disturbed >= 40, "{disturbed}");
}

#[tokio::test]
async fn a_record_in_a_bucket_is_completed_after_kills_and_hanging_steps() {
    let site = SigningSite::new(Kind::Bucket).await;
    let disturbed = disturb_steps(&site, &[StepFault::KillsBehind, StepFault::Hangs], 3, Next::Sign).await;
    assert!(disturbed >= 40, "{disturbed}");
}

#[tokio::test]
async fn a_tile_does_not_continue_an_altered_one() {
    let site = SigningSite::new(Kind::Memory).await;
    let machine = site.machine();
    let altered = RecordFile::Tile(site::SPORT, "1/000.p/1".parse().expect("a tile"));
    let stored = machine.files.put_record_file(&altered, vec![7; 32].into()).await.expect("stored");
    assert_eq!(stored, StoredAs::New);
    complete(&site, &machine, 1).await;
    complete(&site, &machine, 2).await;
    let next = "1/000.p/2".parse().expect("a tile");
    let (found, expected) = (tiles(&machine).await, expected_tiles(&site, 2));
    assert!(expected.contains_key(&next) && found.get(&next) == expected.get(&next));
}
