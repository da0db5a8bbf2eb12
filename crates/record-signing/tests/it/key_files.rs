//! Key files, and the memory beside them.

use std::fs;

use sports_domain::content::ObjectHash;
use sports_ports::signing::{SigningMemories as _, SigningMemory, TreeLoss};
use sports_record_signing::keys::{KeyFile, KeyFileError, MemoryFiles};
use sports_testkit::disks::FailingDisk;
use sports_testkit::random::RandomFake;
use sports_transparency::{Checkpoint, KeyId, KeyName, TreeHash};

fn log() -> KeyName {
    "example.com/api/v1/record/nfl".parse().expect("a name")
}

#[cfg(unix)]
#[test]
fn a_key_is_made_once_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("record.key");
    let made = KeyFile::create(&path, &RandomFake::default()).expect("made");
    let permissions = fs::metadata(&path).expect("a file").permissions();
    assert_eq!(permissions.mode() & 0o777, 0o600);
    assert_eq!(fs::read(&path).expect("a file").len(), 65);
    assert!(KeyFile::read(&path).expect("reads") == made);
    let before = fs::read(&path).expect("a file");
    let again = KeyFile::create(&path, &RandomFake::default());
    assert!(matches!(again, Err(KeyFileError::Exists(_))), "{again:?}");
    assert_eq!(fs::read(&path).expect("a file"), before);

    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
    let message = KeyFile::read(&path).expect_err("exposed").to_string();
    assert!(message.contains("open to others") && message.contains("chmod go="), "{message}");
}

#[test]
fn a_new_key_file_and_a_rotated_one_outlive_a_power_cut() {
    let Some(disk) = FailingDisk::mounted(16) else { return };
    let (path, random) = (disk.path().join("record.key"), RandomFake::default());
    let made = KeyFile::create(&path, &random).expect("made");
    disk.cut_power();
    assert!(KeyFile::read(&path).expect("reads") == made);
    let rotated = made.rotate(&path, "2030-01-01T00:00:00Z".parse().expect("an instant"), &random).expect("rotated");
    disk.cut_power();
    assert!(KeyFile::read(&path).expect("reads") == rotated, "the old key is back");
}

#[test]
fn a_key_file_of_another_form_is_refused_without_its_content() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("record.key");
    let seed = "5f".repeat(32);
    for text in [
        String::new(),
        "5f".repeat(31),
        "5f".repeat(33),
        "zz".repeat(32),
        format!("{seed}\n{seed}\n"),
        format!("{seed}\n{seed} until tomorrow\n"),
        format!("{seed}\n\n"),
    ] {
        let file = tempfile::Builder::new().tempfile_in(folder.path()).expect("a file of its owner");
        fs::write(file.path(), &text).expect("written");
        fs::rename(file.path(), &path).expect("moved");
        let refused = KeyFile::read(&path).expect_err(&text);
        assert!(!format!("{refused} {refused:?}").contains("5f5f"), "{refused}");
        assert!(refused.to_string().contains(&format!("it has {} bytes", text.len())), "{refused}");
    }
}

#[test]
fn a_rotated_key_file_has_the_earlier_seeds_and_their_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("record.key");
    let random = RandomFake::default();
    let first = KeyFile::create(&path, &random).expect("made");
    let (one, two) =
        ("2026-12-24T15:00:00Z".parse().expect("an instant"), "2027-02-01T00:00:00Z".parse().expect("an instant"));
    let second = first.rotate(&path, one, &random).expect("rotated");
    let third = second.rotate(&path, two, &random).expect("rotated");
    assert!(KeyFile::read(&path).expect("reads, so it belongs to its owner alone") == third);
    let vkey = |key: sports_transparency::SigningKey| key.verifier().to_string();
    let earlier: Vec<_> = third.earlier().iter().map(|it| (vkey(it.key(log()).expect("a key")), it.until)).collect();
    let newest = |file: &KeyFile| vkey(file.newest(log()).expect("a key"));
    assert_eq!(earlier, [(newest(&second), two), (newest(&first), one)]);
    assert_ne!(newest(&third), newest(&second));
}

#[test]
fn a_seed_is_in_no_debug_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("record.key");
    let made = KeyFile::create(&path, &RandomFake::default()).expect("made");
    let digits = fs::read_to_string(&path).expect("a file");
    let shown = format!("{made:?} {:?}", made.newest(log()).expect("a key"));
    assert!(!shown.contains(&digits[..16]), "{shown}");
}

#[test]
fn a_memory_reads_back_and_an_unknown_log_has_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = MemoryFiles::beside(&folder.path().join("record.key"));
    assert_eq!(files.recall(&log()).expect("reads"), None);
    assert_eq!(files.logs().expect("listed"), []);
    let fresh = SigningMemory::default();
    files.remember(&log(), &fresh).expect("written");
    assert_eq!(files.recall(&log()).expect("reads"), Some(fresh));
    let memory = SigningMemory {
        signed: Some(Checkpoint { origin: log(), size: 4145, root: TreeHash::of_leaf(b"a") }),
        witnessed: [(KeyId::new([1, 2, 3, 4]), 4145), (KeyId::new([9, 9, 9, 9]), 12)].into(),
        timestamped: ["http://tsa.example/a".to_owned()].into(),
        stopped: Some("a witness knows more".to_owned()),
        after: Some(TreeLoss { checkpoint: ObjectHash::from_bytes(b"a lost checkpoint"), size: 49 }),
    };
    files.remember(&log(), &memory).expect("written");
    let again = MemoryFiles::beside(&folder.path().join("record.key"));
    assert_eq!(again.recall(&log()).expect("reads"), Some(memory));
    let other: KeyName = "example.com/api/v1/record/2/nfl".parse().expect("a name");
    assert_eq!(again.recall(&other).expect("reads"), None);
    assert_eq!(again.logs().expect("listed"), [log()]);
    fs::write(folder.path().join("record.key.signed/README"), "what this is").expect("written");
    fs::create_dir(folder.path().join("record.key.signed/lost+found")).expect("made");
    let _lock = again.try_lock().expect("no other process").expect("free");
    again.remember(&other, &SigningMemory::default()).expect("written");
    let mut logs = again.logs().expect("listed");
    logs.sort();
    assert_eq!(logs, [other, log()]);
}

#[test]
fn a_damaged_memory_is_an_error_and_not_a_forgotten_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = MemoryFiles::beside(&folder.path().join("record.key"));
    files.remember(&log(), &SigningMemory::default()).expect("written");
    let inside = fs::read_dir(folder.path().join("record.key.signed")).expect("a folder");
    let file = inside.flatten().find(|file| file.file_name().to_string_lossy().starts_with("nfl-")).expect("a file");
    for text in ["", "log elsewhere/nfl\n", "log example.com/api/v1/record/nfl\nsigned 12\n"] {
        fs::write(file.path(), text).expect("written");
        assert!(files.recall(&log()).is_err(), "{text}");
    }
    fs::write(file.path(), "an example\n").expect("written");
    assert!(files.logs().is_err());
}

#[test]
fn a_second_lock_is_taken_once_the_first_is_dropped() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = MemoryFiles::beside(&folder.path().join("record.key"));
    let first = files.try_lock().expect("a lock").expect("free");
    assert!(files.try_lock().expect("a lock").is_none());
    drop(first);
    assert!(files.try_lock().expect("a lock").is_some());
}
