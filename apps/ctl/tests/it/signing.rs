//! Keys of the record, signed checkpoints, and what witnesses and timestamp servers add to them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use sports_testkit::programs::{TestFolder, copy_folder, fixture};
use sports_testkit::services::{TimestampBehaviour, TimestampStandIn, WitnessBehaviour, WitnessStandIn};
use sports_transparency::{KeyKind, SignedCheckpoint, SigningKey, VerifierKey};

use crate::support::{Completed, catalog, files, run, run_json};

const SLATE: &str = "nfl-2023-week-18-slate";
const ORIGIN: &str = "example.com/api/v1/record";
const PUBLISHED: &str = "2024-01-06T15:00:00Z";
const SETTLED: &str = "2024-01-08T15:00:00Z";

/// A folder whose settings name a key file, without a key in it.
fn without_key() -> TestFolder {
    let place = TestFolder::fresh();
    let key = place.path().join("record.key").display().to_string();
    place.with("SPORTS_RECORD__KEY_FILE", key).with("SPORTS_RECORD__ORIGIN", ORIGIN)
}

/// A folder with a key; returns the vkey of nfl's log, too.
fn with_key() -> (TestFolder, VerifierKey) {
    let place = without_key();
    let made = run_json(&place, ["record", "init"]);
    let nfl = made["keys"].as_array().expect("keys").iter().find(|key| key["sport"] == "nfl").expect("nfl").clone();
    (place, nfl["vkey"].as_str().expect("a vkey").parse().expect("a vkey"))
}

fn publish(place: &TestFolder) -> Completed {
    let release = fixture(SLATE).join("release");
    run(place, ["publish", release.to_str().expect("text"), "--as-of", PUBLISHED])
}

fn settle(place: &TestFolder) -> Completed {
    settle_as_of(place, SETTLED)
}

fn settle_as_of(place: &TestFolder, instant: &str) -> Completed {
    let finals = fixture(SLATE).join("finals.csv");
    run(place, ["settle", "nfl", finals.to_str().expect("text"), "--as-of", instant])
}

fn sign(place: &TestFolder) -> Completed {
    run(place, ["record", "sign", "nfl"])
}

/// The files about trees of a size, with this ending.
fn stored(store: &Path, size: u64, ending: &str) -> Vec<PathBuf> {
    let found = files(&store.join(format!("sports/nfl/record/checkpoints/{size:012}")));
    found.into_iter().filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

/// The notes of a tree, with all signatures.
fn note(place: &TestFolder, size: u64) -> SignedCheckpoint {
    let notes = stored(&place.store(), size, "note");
    let mut notes = notes.iter().map(|path| fs::read_to_string(path).expect("a note").parse().expect("a note"));
    let first: SignedCheckpoint = notes.next().expect("a signed checkpoint");
    notes.fold(first, |mut all, note| {
        all.merge(&note);
        all
    })
}

/// The size and the root in an entry.
fn tree(place: &TestFolder, generation: u64) -> (u64, Value) {
    let record = catalog(place, "nfl", generation)["record"].clone();
    (record["size"].as_u64().expect("a size"), record["root"].clone())
}

#[test]
fn a_key_is_made_once_and_has_a_vkey_for_each_league() {
    let place = without_key();
    let made = run_json(&place, ["record", "init"]);
    let keys = made["keys"].as_array().expect("keys").clone();
    assert_eq!(keys.len(), 6);
    for key in &keys {
        let vkey: VerifierKey = key["vkey"].as_str().expect("a vkey").parse().expect("a vkey");
        assert_eq!(vkey.name().as_str(), format!("{ORIGIN}/{}", key["sport"].as_str().expect("a league")));
    }
    assert_eq!(run_json(&place, ["record", "keys"])["keys"], made["keys"]);
    let before = fs::read(place.path().join("record.key")).expect("a key");
    let again = run(&place, ["record", "init"]);
    assert!(again.code == Some(2) && again.err.contains("record.key_file: ") && again.err.contains("exists already"));
    assert_eq!(fs::read(place.path().join("record.key")).expect("a key"), before);
}

#[test]
fn a_key_file_that_cannot_be_used_stops_a_publish_before_it_begins() {
    let key = |place: &TestFolder| place.path().join("record.key");
    let (exposed, _) = with_key();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(key(&exposed), fs::Permissions::from_mode(0o644)).expect("set");
    }
    let (short, _) = with_key();
    let digits = fs::read_to_string(key(&short)).expect("a key");
    fs::write(key(&short), &digits[..60]).expect("written");
    for (place, reason) in
        [(without_key(), "cannot be read"), (exposed, "open to others"), (short, "is not a key file")]
    {
        for refused in
            [publish(&place), settle(&place), run(&place, ["record", "sign"]), run(&place, ["record", "keys"])]
        {
            assert_eq!(refused.code, Some(2), "{refused:?}");
            assert!(refused.err.contains("record.key_file: ") && refused.err.contains(reason), "{refused:?}");
            assert!(!refused.err.contains(&digits[..16]), "{refused:?}");
        }
        assert!(!place.store().exists());
    }
    let nameless = TestFolder::fresh().with("SPORTS_RECORD__KEY_FILE", "record.key");
    let refused = run(&nameless, ["record", "init"]);
    assert!(refused.code == Some(2) && refused.err.contains("`record.origin` is not set"), "{refused:?}");
}

#[test]
fn each_publish_is_signed_cosigned_and_stamped() {
    let Some(server) = TimestampStandIn::start() else { return };
    let witness = WitnessStandIn::start("witness.example/1");
    let (place, vkey) = with_key();
    witness.trust(vec![vkey.clone()]);
    let place =
        place.with("SPORTS_RECORD__WITNESSES", witness.setting()).with("SPORTS_RECORD__TIMESTAMPS", server.url());
    for (generation, done) in [(1, publish(&place)), (2, settle(&place))] {
        assert!(done.code == Some(0) && !done.err.contains("witness") && !done.err.contains("timestamp"), "{done:?}");
        let (size, root) = tree(&place, generation);
        let note = note(&place, size);
        let cosigned = note.verify(&vkey, &[witness.key().clone()]).expect("every signature holds");
        assert_eq!(cosigned.iter().map(|one| one.time).collect::<Vec<_>>(), [1_704_553_201]);
        let text = note.checkpoint().to_string();
        assert_eq!(text, format!("{ORIGIN}/nfl\n{size}\n{}\n", root.as_str().expect("a root")));
        let tokens = stored(&place.store(), size, "tsr");
        let [token] = &tokens[..] else { panic!("{tokens:?}") };
        let token = fs::read(token).expect("a token");
        assert!(server.verifies(&token, &text) && !server.verifies(&token, &text.replace("nfl", "nba")));
        assert!(done.out.contains("; cosigned by witness.example/1 at 2024-01-06T15:00:01"), "{done:?}");
    }
    let keys = files(&place.store().join("record/keys"));
    let [key] = &keys[..] else { panic!("{keys:?}") };
    let text = fs::read_to_string(key).expect("a key");
    assert!(text.starts_with(&format!("{vkey}\nsince 2024-01-06T15:00:")) && text.ends_with("\nrecord 1\n"), "{text}");
    // Everything is there, so no witness gets another request.
    let (asked, before) = (witness.requests().len(), files(&place.store()));
    let again = sign(&place);
    assert_eq!((again.code, again.err.as_str()), (Some(0), ""), "{again:?}");
    assert_eq!((witness.requests().len(), files(&place.store())), (asked, before));
}

/// The key of the store is what strangers check signatures by, so signatures without it are unchecked.
#[test]
fn a_damaged_or_missing_public_key_in_the_store_is_named() {
    let (place, vkey) = with_key();
    assert_eq!(publish(&place).code, Some(0));
    let verify = || run(&place, ["verify", "nfl"]);
    assert_eq!(verify().code, Some(0));
    let key = place.store().join(format!("record/keys/{}.vkey", vkey.id()));
    let whole = fs::read_to_string(&key).expect("a key");
    let other = whole.replacen('+', "+0", 1);
    for damaged in [other.as_str(), "", "text"] {
        fs::write(&key, damaged).expect("written");
        let found = verify();
        let expected = format!("record/keys/{}.vkey, beside the record: it is not the key of that name", vkey.id());
        assert!(found.code == Some(1) && found.err.contains(&expected), "{found:?}");
        let signed = sign(&place);
        assert!(signed.code == Some(0) && signed.err.contains("vkey is damaged"), "{signed:?}");
        assert_eq!(fs::read_to_string(&key).expect("a key"), damaged, "it is never replaced");
    }
    fs::remove_file(&key).expect("removed");
    let found = verify();
    assert!(found.code == Some(1) && found.err.contains("no key in record/keys has signed it"), "{found:?}");
    assert_eq!(sign(&place).code, Some(0));
    assert_eq!(verify().code, Some(0), "the signer names its key again");
}

#[test]
fn bad_witnesses_and_servers_are_warnings_and_record_sign_completes() {
    let Some(server) = TimestampStandIn::start() else { return };
    let witness = WitnessStandIn::start("witness.example/1");
    let (place, vkey) = with_key();
    let place = place
        .with("SPORTS_RECORD__WITNESSES", witness.setting())
        .with("SPORTS_RECORD__TIMESTAMPS", server.url())
        .with("SPORTS_RECORD__TIMEOUT", "500ms");
    let long = Duration::from_secs(20);
    let table = [
        (
            WitnessBehaviour::Slow(long),
            TimestampBehaviour::Slow(long),
            "took longer than 500ms",
            "took longer than 500ms",
        ),
        (WitnessBehaviour::Huge, TimestampBehaviour::Huge, "longer than 65536 bytes", "longer than 262144 bytes"),
        (
            WitnessBehaviour::Nonsense,
            TimestampBehaviour::Nonsense,
            "not lines of signatures",
            "not one of a timestamp server",
        ),
        (
            WitnessBehaviour::OtherTree,
            TimestampBehaviour::OtherHash,
            "not one of this checkpoint",
            "not one of this checkpoint",
        ),
        (
            WitnessBehaviour::OtherKey,
            TimestampBehaviour::OtherNonce,
            "not one of this checkpoint",
            "answers another request",
        ),
        (
            WitnessBehaviour::Refuses(503),
            TimestampBehaviour::NotGranted,
            "503",
            "did not grant a timestamp: its status is 2",
        ),
    ];
    for (place_in_table, (of_witness, of_server, why_witness, why_server)) in table.into_iter().enumerate() {
        witness.set_behaviour(of_witness.clone());
        server.set_behaviour(of_server);
        let done = if place_in_table == 0 { publish(&place) } else { sign(&place) };
        assert_eq!(done.code, Some(0), "{done:?}");
        for (name, why) in [("witness witness.example/1", why_witness), (server.url().as_str(), why_server)] {
            let told =
                done.err.lines().any(|line| line.starts_with("warning: ") && line.contains(name) && line.contains(why));
            assert!(told, "{of_witness:?}: {name}: {why}: {done:?}");
        }
    }
    let (size, _) = tree(&place, 1);
    assert_eq!(note(&place, size).verify(&vkey, &[witness.key().clone()]).expect("it holds").len(), 0);
    assert_eq!(stored(&place.store(), size, "tsr").len(), 0);

    witness.set_behaviour(WitnessBehaviour::Honest);
    server.set_behaviour(TimestampBehaviour::Honest);
    let done = sign(&place);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{done:?}");
    assert_eq!(note(&place, size).verify(&vkey, &[witness.key().clone()]).expect("it holds").len(), 1);
    assert_eq!(stored(&place.store(), size, "tsr").len(), 1);
}

#[test]
fn an_older_store_is_not_signed_on_the_machine_that_signed_more() {
    let (place, vkey) = with_key();
    assert_eq!(publish(&place).code, Some(0));
    let older = place.path().join("older");
    copy_folder(&place.store(), &older);
    assert_eq!(settle(&place).code, Some(0));
    let (size, _) = tree(&place, 2);
    assert!(note(&place, size).verify(&vkey, &[]).is_ok());

    fs::remove_dir_all(place.store()).expect("removed");
    copy_folder(&older, &place.store());
    let refused = sign(&place);
    let expected = format!("does not extend the one of {size} leaves that {ORIGIN}/nfl signed");
    assert!(refused.code == Some(1) && refused.err.contains(&expected), "{refused:?}");
    // The publish itself works: it is another tree of the same size, of an hour later.
    let published = settle_as_of(&place, "2024-01-08T16:00:00Z");
    assert!(published.code == Some(0) && published.err.contains(&expected), "{published:?}");
    assert_eq!(tree(&place, 2).0, size);
    assert_eq!(stored(&place.store(), size, "note"), Vec::<PathBuf>::new());
}

/// A machine of its own: a copy of the key file without the memory beside it, and a copy of a store.
fn another_machine(place: &TestFolder, store: &Path) -> TestFolder {
    let other = without_key();
    fs::copy(place.path().join("record.key"), other.path().join("record.key")).expect("copied");
    copy_folder(store, &other.store());
    other
}

/// A machine that published twice, and a copy of its store after the first time.
fn ahead_of_a_copy(witness: &WitnessStandIn) -> (TestFolder, PathBuf) {
    let (place, _) = with_key();
    let place = place.with("SPORTS_RECORD__WITNESSES", witness.setting());
    assert_eq!(publish(&place).code, Some(0));
    let older = place.path().join("older");
    copy_folder(&place.store(), &older);
    assert_eq!(settle(&place).code, Some(0));
    (place, older)
}

#[test]
fn an_older_store_with_a_copied_key_is_not_signed_on_another_machine() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (place, older) = ahead_of_a_copy(&witness);
    let known = witness.cosigned(&format!("{ORIGIN}/nfl")).expect("cosigned").size;

    let other = another_machine(&place, &older).with("SPORTS_RECORD__WITNESSES", witness.setting());
    let refused = sign(&other);
    let expected = format!("witness witness.example/1 has cosigned {known} leaves");
    assert!(refused.code == Some(1) && refused.err.contains(&expected), "{refused:?}");
    // The store grows to another tree of that size, of an hour later, and signing has stopped here for good.
    let settled = settle_as_of(&other, "2024-01-08T16:00:00Z");
    assert!(settled.code == Some(0) && settled.err.contains("This machine signs it no longer"), "{settled:?}");
    assert_eq!(stored(&other.store(), tree(&other, 2).0, "note"), Vec::<PathBuf>::new());

    // Without the stop, the witness contradicts the other tree, too.
    let third = another_machine(&place, &other.store()).with("SPORTS_RECORD__WITNESSES", witness.setting());
    let refused = sign(&third);
    assert!(refused.code == Some(1) && refused.err.contains("has cosigned another tree"), "{refused:?}");
    assert_eq!(stored(&third.store(), tree(&third, 2).0, "note"), Vec::<PathBuf>::new());
}

#[test]
fn a_witness_that_never_saw_the_log_is_no_witness_of_a_copied_key() {
    let witness = WitnessStandIn::start("witness.example/1");
    let strangers = ["witness.example/2", "witness.example/3"].map(WitnessStandIn::start);
    let (place, older) = ahead_of_a_copy(&witness);

    witness.set_behaviour(WitnessBehaviour::Refuses(503));
    let both = format!("{},{}", witness.setting(), strangers[0].setting());
    for witnesses in [both, strangers[1].setting()] {
        let other = another_machine(&place, &older).with("SPORTS_RECORD__WITNESSES", witnesses);
        let settled = settle_as_of(&other, "2024-01-08T16:00:00Z");
        assert!(settled.code == Some(0) && settled.err.contains("no witness answered that has one"), "{settled:?}");
        assert_eq!(stored(&other.store(), tree(&other, 2).0, "note"), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_copied_key_signs_once_a_witness_answered() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (place, vkey) = with_key();
    let place = place.with("SPORTS_RECORD__WITNESSES", witness.setting());
    assert_eq!(publish(&place).code, Some(0));
    let (size, _) = tree(&place, 1);

    let other = another_machine(&place, &place.store()).with("SPORTS_RECORD__WITNESSES", witness.setting());
    let before = stored(&other.store(), size, "note");
    witness.set_behaviour(WitnessBehaviour::Refuses(503));
    let refused = sign(&other);
    assert!(refused.code == Some(1) && refused.err.contains("no witness answered"), "{refused:?}");
    assert_eq!(stored(&other.store(), size, "note"), before);
    witness.set_behaviour(WitnessBehaviour::Honest);
    let signed = settle(&other);
    assert_eq!((signed.code, signed.err.as_str()), (Some(0), ""), "{signed:?}");
    let cosigned = note(&other, tree(&other, 2).0).verify(&vkey, &[witness.key().clone()]).expect("it holds");
    assert_eq!(cosigned.len(), 1);
}

/// Signs a checkpoint with the newest seed of the key file, and asserts that `verify` refuses it.
fn expect_early_signature_to_be_refused(place: &TestFolder, early: &SignedCheckpoint, key: &VerifierKey) {
    let seeds = fs::read_to_string(place.path().join("record.key")).expect("a key file");
    let digits = seeds.lines().next().expect("a seed").as_bytes();
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok()).expect("a digit");
    let seed: Vec<_> = digits.chunks(2).map(|pair| digit(pair[0]) * 16 + digit(pair[1])).collect();
    let signer = SigningKey::from_seed(key.name().clone(), KeyKind::Log, seed[..].try_into().expect("32 bytes"));
    let checkpoint = early.checkpoint().clone();
    let text = SignedCheckpoint::new(checkpoint.clone(), &[signer.expect("a key").sign(&checkpoint)]).to_string();
    let named = sports_domain::content::ObjectHash::from_bytes(text.as_bytes());
    let folder = place.store().join(format!("sports/nfl/record/checkpoints/{:012}", checkpoint.size));
    let path = folder.join(format!("{named}.note"));
    fs::write(&path, text).expect("written");
    let verified = run(place, ["verify", "nfl"]);
    assert!(verified.code == Some(1) && verified.err.contains("before a leaf announced this key"), "{verified:?}");
    fs::remove_file(path).expect("removed");
}

#[test]
fn both_keys_sign_after_a_rotation_and_the_old_one_stops() {
    let (place, old) = with_key();
    assert_eq!(publish(&place).code, Some(0));
    let added = run_json(&place, ["record", "keys", "add", "--overlap", "3d", "--as-of", "2024-01-06T16:00:00Z"]);
    let of_nfl: Vec<_> = added["keys"].as_array().expect("keys").iter().filter(|key| key["sport"] == "nfl").collect();
    let [new, before] = &of_nfl[..] else { panic!("{of_nfl:?}") };
    let until = before["until"].as_str().expect("an instant");
    assert!(before["vkey"] == old.to_string() && until.starts_with("2024-01-09T16:00:00"), "{before}");
    let new: VerifierKey = new["vkey"].as_str().expect("a vkey").parse().expect("a vkey");
    // The key before signs the last checkpoint that does not announce the new one.
    let size = tree(&place, 1).0;
    assert_eq!(run(&place, ["record", "sign", "nfl", "--as-of", "2024-01-06T17:00:00Z"]).code, Some(0));
    let refused = sign(&place);
    assert!(refused.code == Some(1) && refused.err.contains("is announced by the next entry"), "{refused:?}");
    assert!(note(&place, size).verify(&old, &[]).is_ok() && note(&place, size).verify(&new, &[]).is_err());
    expect_early_signature_to_be_refused(&place, &note(&place, size), &new);

    assert_eq!(settle(&place).code, Some(0));
    let size = tree(&place, 2).0;
    for key in [&old, &new] {
        assert!(note(&place, size).verify(key, &[]).is_ok(), "{key}");
    }
    let published = files(&place.store().join("record/keys"));
    let texts: Vec<_> = published.iter().map(|path| fs::read_to_string(path).expect("a key")).collect();
    let replaces = format!("\nreplaces {} until 2024-01-09T16:00:00", old.id());
    assert_eq!(texts.iter().filter(|text| text.starts_with(&new.to_string()) && text.contains(&replaces)).count(), 1);

    let corrected = place.path().join("finals.csv");
    let finals = fs::read_to_string(fixture(SLATE).join("finals.csv")).expect("finals");
    let (first, rest) = finals.split_once('\n').expect("a header");
    let line = rest.lines().next().expect("a game").to_owned();
    let scores: Vec<_> = first
        .split(',')
        .zip(line.split(','))
        .map(|(name, value)| match name {
            "home_score" | "home_team_score" => "63".to_owned(),
            _ => value.to_owned(),
        })
        .collect();
    fs::write(&corrected, format!("{first}\n{}\n", scores.join(","))).expect("written");
    let corrected = corrected.display().to_string();
    let later = run(&place, ["settle", "nfl", &corrected, "--correct", "--as-of", "2024-01-10T15:00:00Z"]);
    assert_eq!(later.code, Some(0), "{later:?}");
    let size = tree(&place, 3).0;
    assert!(note(&place, size).verify(&new, &[]).is_ok() && note(&place, size).verify(&old, &[]).is_err());
}

#[test]
fn every_key_that_signs_is_in_the_store_and_a_replaced_one_stops_on_other_machines() {
    let (place, old) = with_key();
    let other = without_key();
    fs::copy(place.path().join("record.key"), other.path().join("record.key")).expect("copied");
    let added = run_json(&place, ["record", "keys", "add", "--overlap", "1d", "--as-of", "2024-01-06T14:00:00Z"]);
    let of_nfl = added["keys"].as_array().expect("keys").iter().find(|key| key["sport"] == "nfl").expect("nfl");
    let new = of_nfl["vkey"].as_str().expect("a vkey").to_owned();
    assert_eq!(publish(&place).code, Some(0));
    let published = files(&place.store().join("record/keys"));
    let texts: Vec<_> = published.iter().map(|path| fs::read_to_string(path).expect("a key")).collect();
    for key in [&old.to_string(), &new] {
        assert_eq!(texts.iter().filter(|text| text.starts_with(key)).count(), 1, "{key}: {texts:?}");
    }
    copy_folder(&place.store(), &other.store());
    let refused = settle(&other);
    let expected = format!("{new} has replaced its key, which stopped at 2024-01-07T14:00:00Z");
    assert!(refused.code == Some(0) && refused.err.contains(&expected), "{refused:?}");
    assert_eq!(stored(&other.store(), tree(&other, 2).0, "note"), Vec::<PathBuf>::new());
}

#[test]
fn a_new_key_signs_nothing_under_the_name_of_a_lost_one() {
    let (place, _) = with_key();
    assert_eq!(publish(&place).code, Some(0));
    let (other, _) = with_key();
    copy_folder(&place.store(), &other.store());
    let refused = settle(&other);
    assert!(
        refused.code == Some(0) && refused.err.contains("a key of this name that the key file lacks"),
        "{refused:?}"
    );
    assert_eq!(stored(&other.store(), tree(&other, 2).0, "note"), Vec::<PathBuf>::new());
}

#[test]
fn a_witness_that_refuses_a_first_checkpoint_contradicts_nothing() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (place, _) = with_key();
    let place = place.with("SPORTS_RECORD__WITNESSES", witness.setting());
    witness.set_behaviour(WitnessBehaviour::Knows(0));
    let published = publish(&place);
    assert!(published.code == Some(0) && published.err.contains("refuses the first checkpoint"), "{published:?}");
    assert_eq!(stored(&place.store(), tree(&place, 1).0, "note").len(), 1);
}

/// The signed checkpoints, timestamps and keys in a store, by path, with their bytes.
fn signed(store: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let is_signed = |path: &PathBuf| {
        let text = path.display().to_string();
        text.contains("/record/checkpoints/") || text.contains("/record/keys/")
    };
    let found = files(store).into_iter().filter(is_signed);
    found.map(|path| (path.strip_prefix(store).expect("below").to_owned(), fs::read(&path).expect("a file"))).collect()
}

#[test]
fn copies_and_backups_have_every_signature_and_nothing_is_signed_anew() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (place, _) = with_key();
    let place = place.with("SPORTS_RECORD__WITNESSES", witness.setting());
    let _ = place.subscriber_key();
    assert_eq!((publish(&place).code, settle(&place).code), (Some(0), Some(0)));
    let expected = signed(&place.store());
    assert_eq!(expected.len(), 5, "two notes of each tree, and a key");

    let copy = place.path().join("copy");
    let (from, to) = (format!("file:{}", place.store().display()), format!("file:{}", copy.display()));
    for copied in [5, 0] {
        let report = run_json(&place, ["store", "copy", "--from", from.as_str(), "--to", to.as_str()]);
        assert_eq!(report["copied"]["signed"], copied, "{report}");
        assert_eq!(signed(&copy), expected);
    }
    let backup = place.path().join("backup").display().to_string();
    assert_eq!(run(&place, ["backup", &backup]).code, Some(0));
    fs::remove_dir_all(place.store()).expect("removed");
    fs::remove_file(place.path().join("sports.db")).expect("removed");
    assert_eq!(run(&place, ["restore", &backup]).code, Some(0));
    assert_eq!(signed(&place.store()), expected);
    let again = sign(&place);
    assert_eq!((again.code, again.err.as_str(), signed(&place.store())), (Some(0), "", expected), "{again:?}");
    for file in files(Path::new(&backup)) {
        assert!(!file.display().to_string().contains("record.key"), "{}", file.display());
    }
}

#[test]
fn verify_finds_a_changed_note_a_forged_one_and_one_of_no_entry() {
    let (place, _) = with_key();
    assert_eq!(publish(&place).code, Some(0));
    assert_eq!(run_json(&place, ["verify", "nfl"])["verified"][0]["files"]["notes"], 1);
    let size = tree(&place, 1).0;
    let [note] = &stored(&place.store(), size, "note")[..] else { panic!("one note") };
    let text = fs::read_to_string(note).expect("a note");
    let refused = |expected: &str| {
        let found = run(&place, ["verify", "nfl"]);
        assert!(found.code == Some(1) && found.err.contains(expected), "{expected}: {found:?}");
    };
    fs::write(note, text.replace("nfl", "nba")).expect("written");
    refused("do not hash to its name");
    fs::write(note, &text).expect("written");

    // The signature of another checkpoint, and a checkpoint of another size, under the right names of files.
    let put = |size: u64, text: &str| {
        let hash = sports_domain::content::ObjectHash::from_bytes(text.as_bytes());
        let path = place.store().join(format!("sports/nfl/record/checkpoints/{size:012}/{hash}.note"));
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, text).expect("written");
        path
    };
    let (head, signature) = text.split_once("\n\n").expect("a blank line");
    let (front, back) = signature.split_at(signature.len() - 20);
    let forged =
        put(size, &format!("{head}\n\n{front}{}", back.replacen(|symbol: char| symbol.is_ascii_lowercase(), "A", 1)));
    refused("does not hold");
    fs::remove_file(forged).expect("removed");
    let elsewhere = put(size + 1, &text);
    refused("no entry ends at this size");
    fs::remove_file(elsewhere).expect("removed");
    assert_eq!(run(&place, ["verify", "nfl"]).code, Some(0));
}

#[test]
fn a_record_without_a_key_says_so_once() {
    let place = TestFolder::fresh();
    let (first, second) = (publish(&place), settle(&place));
    let told = |done: &Completed| done.err.matches("`sportsctl record init` makes one").count();
    assert_eq!((told(&first), told(&second)), (1, 0), "{first:?} {second:?}");
    assert!(!place.store().join("sports/nfl/record").exists());
}
