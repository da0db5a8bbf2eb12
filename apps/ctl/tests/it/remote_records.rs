//! Records that are checked from outside: `record watch` and `audit` against a service of files, and `prove` from a
//! store.

use std::fs;
use std::net::UdpSocket;
use std::path::Path;

use serde_json::json;
use sports_domain::content::ObjectHash;
use sports_domain::{
    AmericanPrice, ClockSource, GameKey, GameLines, ModelType, Probability, Season, Sport, TeamSlug, TwoWayPrices,
};
use sports_testkit::programs::TestFolder;
use sports_testkit::services::{Certificates, Network, TimestampAuthority, WitnessBehaviour, WitnessStandIn};
use sports_transparency::{
    Checkpoint, KeyKind, Leaf, LeafFact, Nonce, Payload, RightEdge, SignedCheckpoint, SigningKey, TileKind, TilePath,
    Tree, TreeHash, bundle_bytes, tile_bytes,
};

use crate::slates::{CELTICS, SUNS, Slate};
use crate::static_site::StaticSite;
use crate::support::{Completed, run, verified};

const SEASON: &str = "2023-24";
const MARKET: ModelType = ModelType::WonOnPoints;
/// Five hours before the games start.
const COSIGNED: u64 = 1_704_558_600;

fn signer(name: &str, kind: KeyKind) -> SigningKey {
    SigningKey::from_seed(name.parse().expect("a name"), kind, &[5; 32]).expect("a key")
}

fn log() -> SigningKey {
    signer("example.com/record/nfl", KeyKind::Log)
}

fn witness() -> SigningKey {
    signer("witness.example.com/w", KeyKind::Witness)
}

/// The leaves of a record and its service.
struct Site {
    site: StaticSite,
    leaves: Vec<String>,
}

impl Site {
    fn of(leaves: Vec<String>) -> Self {
        let site = Self { site: StaticSite::started(), leaves };
        site.publish(site.leaves.len() as u64);
        site
    }

    fn tree(&self) -> Tree {
        self.leaves.iter().map(|text| TreeHash::of_leaf(text.as_bytes())).collect()
    }

    fn root(&self, size: u64) -> TreeHash {
        RightEdge::of(&self.tree(), size).expect("all hashes").root()
    }

    /// Serves the tree of the first leaves: its checkpoint, hashes and bundles.
    fn publish(&self, size: u64) {
        self.sign(size, self.root(size));
        let tree = self.tree();
        for number in 0..=size / 256 {
            for level in 0..2 {
                let Some(path) = TilePath::widest(TileKind::Hashes { level }, number, size) else { continue };
                self.put(&format!("tile/{path}"), tile_bytes(&tree, path).expect("within the tree"));
            }
            let Some(path) = TilePath::widest(TileKind::Entries, number, size) else { continue };
            let first = usize::try_from(number * 256).expect("small");
            let texts = self.leaves[first..].iter().take(usize::from(path.width())).map(String::as_str);
            self.put(&format!("tile/{path}"), bundle_bytes(texts).expect("short leaves"));
        }
    }

    fn sign(&self, size: u64, root: TreeHash) {
        let checkpoint = Checkpoint { origin: log().verifier().name().clone(), size, root };
        let lines = [log().sign(&checkpoint), witness().cosign(&checkpoint, COSIGNED)];
        let note = SignedCheckpoint::new(checkpoint, &lines).to_string();
        self.put("checkpoint", note.as_str());
        self.put(&format!("checkpoints/{size}"), note);
        let cosigned = json!([{ "name": witness().verifier().name().as_str(), "time": "2024-01-06T16:30:00Z" }]);
        let item = json!({ "size": size, "root": root.to_string(), "generation": 1, "cosigned": cosigned });
        let list = json!({ "sport": "nfl", "checkpoints": [item], "next_size": null });
        self.put("checkpoints?from_size=1&limit=100", list.to_string());
    }

    fn put(&self, file: &str, bytes: impl Into<Vec<u8>>) {
        self.site.put(&format!("/api/v1/record/nfl/{file}"), bytes);
    }

    fn ctl(&self, place: &TestFolder, words: &[&str]) -> Completed {
        let vkey = log().verifier().to_string();
        run(place, [&["record"], words, &["--url", &self.site.url, "--log", &vkey]].concat())
    }
}

fn releases(count: u64) -> Vec<String> {
    let release = |generation| Leaf {
        sport: Sport::Nfl,
        generation,
        fact: LeafFact::Release {
            published_at: "2024-01-06T15:00:00Z".parse().expect("an instant"),
            clock: ClockSource::System,
            continues: None,
        },
    };
    (1..=count).map(|generation| release(generation).to_text()).collect()
}

#[test]
fn a_watcher_keeps_checkpoints_that_extend_each_other_and_both_of_a_fork() {
    let place = TestFolder::fresh();
    let state = place.path().join("state");
    let site = Site::of(releases(600));
    let watched = || site.ctl(&place, &["watch", "nfl", "--state", state.to_str().expect("text")]);
    let kept = || fs::read_to_string(state.join("nfl.checkpoint")).expect("kept");
    let steps =
        [(255, "first", 0), (255, "unchanged", 0), (257, "extended", 0), (600, "extended", 0), (257, "older", 3)];
    for (size, word, code) in steps {
        site.publish(size);
        let done = watched();
        assert_eq!(done.code, Some(code), "{done:?}");
        assert!(done.out.contains(&format!(": {word}: ")), "{size}: {done:?}");
    }
    assert!(kept().contains("\n600\n"), "the larger one stays");
    let before = kept();
    // Another tree of the same size, of a larger one, and of a smaller one.
    for (size, root) in [(600, site.root(599)), (257, site.root(256))] {
        site.sign(size, root);
        let done = watched();
        assert_eq!((done.code, kept()), (Some(1), before.clone()), "{done:?}");
        assert!(done.out.contains(&format!("size {size} contradicts")), "{done:?}");
    }
    let forked = Site::of([releases(1), vec!["another leaf\n".to_owned()], releases(700)].concat());
    let done = forked.ctl(&place, &["watch", "nfl", "--state", state.to_str().expect("text")]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let forks = fs::read_dir(&state).expect("a folder").flatten();
    let forks = forks.filter(|file| file.file_name().to_string_lossy().ends_with(".fork"));
    assert_eq!(forks.count(), 3, "each is kept beside the one before");
}

#[test]
fn a_service_that_does_not_show_its_tiles_is_no_fork() {
    let place = TestFolder::fresh();
    let state = place.path().join("state");
    let site = Site::of(releases(600));
    let watched = || site.ctl(&place, &["watch", "nfl", "--state", state.to_str().expect("text")]).code;
    site.publish(300);
    assert_eq!(watched(), Some(0));
    // A node that has the signature of the larger tree, and no tiles of it that can be read.
    let path = TilePath::widest(TileKind::Hashes { level: 0 }, 2, 600).expect("within the tree");
    for bytes in [&b"<html>"[..], b""] {
        site.publish(600);
        site.put(&format!("tile/{path}"), bytes);
        assert_eq!(watched(), Some(4));
    }
    let kept = fs::read_dir(&state).expect("a folder").flatten();
    assert_eq!(kept.count(), 1, "no fork");
    site.publish(600);
    assert_eq!(watched(), Some(0));
}

#[test]
fn a_log_under_another_path_is_compared_with_the_checkpoint_kept_under_its_name() {
    let place = TestFolder::fresh();
    let state = place.path().join("state");
    let site = Site::of(releases(600));
    let watched = || site.ctl(&place, &["watch", "nfl", "--state", state.to_str().expect("text")]);
    site.publish(300);
    assert_eq!(watched().code, Some(0));
    let keys = json!({ "keys": [{ "vkey": log().verifier().to_string(), "path": "/api/v1/record/9/nfl" }] });
    site.site.put("/api/v1/record/keys", keys.to_string());
    let altered = TreeHash::of_leaf(b"another tree");
    for (root, code, word) in [(altered, 1, "fork"), (site.root(300), 0, "unchanged")] {
        let checkpoint = Checkpoint { origin: log().verifier().name().clone(), size: 300, root };
        let note = SignedCheckpoint::new(checkpoint.clone(), &[log().sign(&checkpoint)]).to_string();
        site.site.put("/api/v1/record/9/nfl/checkpoint", note);
        let done = watched();
        assert_eq!(done.code, Some(code), "{done:?}");
        assert!(done.out.contains(&format!(": {word}: ")), "{done:?}");
    }
    fs::write(state.join("nfl.checkpoint"), "no checkpoint").expect("written");
    let done = watched();
    assert!(done.code == Some(2) && done.err.contains("nfl.checkpoint cannot be read"), "{done:?}");
}

#[test]
fn the_key_of_another_league_is_bad_input() {
    let place = TestFolder::fresh();
    let site = Site::of(releases(3));
    let head = format!("nba 3 {}", site.root(3));
    let state = place.path().join("state");
    for words in [
        &["watch", "nba", "--state", state.to_str().expect("text")][..],
        &["watch", "nba", "--head", &head],
        &["audit", "nba", SEASON, "--key", "any"],
    ] {
        let done = site.ctl(&place, words);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert_eq!(done.err, "sportsctl: --log: example.com/record/nfl is not a log of nba\n");
    }
}

#[test]
fn a_head_is_extended_contradicted_or_not_signed_yet() {
    let place = TestFolder::fresh();
    let site = Site::of(releases(300));
    let head = |size: u64, root: TreeHash| site.ctl(&place, &["watch", "nfl", "--head", &format!("nfl {size} {root}")]);
    for (size, root, code) in [
        (1, site.root(1), 0),
        (256, site.root(256), 0),
        (300, site.root(300), 0),
        (256, site.root(255), 1),
        (300, site.root(299), 1),
        (301, site.root(300), 3),
    ] {
        assert_eq!(head(size, root).code, Some(code), "{size}");
    }
    for bad in ["nfl 300", &format!("nba 300 {}", site.root(300))] {
        assert_eq!(site.ctl(&place, &["watch", "nfl", "--head", bad]).code, Some(2), "{bad}");
    }
    // An answer that is no checkpoint.
    site.put("checkpoint", "example.com/record/nfl\n300\nnonsense\n\n");
    assert_eq!(head(1, site.root(1)).code, Some(4));
}

#[test]
fn a_service_is_verified_by_certificates_that_only_tls_reads() {
    let (place, site, certificates) = (TestFolder::fresh(), Site::of(releases(3)), Certificates::fresh());
    let plain = site.site.url.as_str();
    let address = plain.strip_prefix("http://").and_then(|address| address.parse().ok()).expect("an address");
    let network = Network::tls_to(address, &certificates);
    let (head, vkey) = (format!("nfl 3 {}", site.root(3)), log().verifier().to_string());
    let check = |url: &str, trusted: &Path| -> Completed {
        let mut command = place.sportsctl(["record", "watch", "nfl", "--head", &head, "--url", url, "--log", &vkey]);
        command.env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR").output().expect("sportsctl runs").into()
    };
    let tls = format!("https://{}", network.address());
    let (none, other) = (place.path().join("no-such-file"), Certificates::fresh());
    assert_eq!(check(&tls, &certificates.authority()).code, Some(0));
    for (trusted, reason) in [(other.authority(), "invalid peer certificate"), (none.clone(), "No CA certificates")] {
        let refused = check(&tls, &trusted);
        assert!(refused.code == Some(4) && refused.err.contains(reason), "{refused:?}");
    }
    assert_eq!(check(plain, &none).code, Some(0));
}

/// Signs the tree of the first leaves of another site, as the log's key could.
fn noted(of: &Site, size: u64) -> SignedCheckpoint {
    let checkpoint = Checkpoint { origin: log().verifier().name().clone(), size, root: of.root(size) };
    let line = log().sign(&checkpoint);
    SignedCheckpoint::new(checkpoint, &[line])
}

#[test]
fn a_watcher_compares_the_newest_checkpoint_of_a_witness() {
    let (place, site, stand_in) = (TestFolder::fresh(), Site::of(releases(300)), WitnessStandIn::start("w.example/1"));
    let setting = stand_in.setting();
    let watched = |verdict: &str, code: i32| {
        let done = site.ctl(&place, &["watch", "nfl", "--witness", &setting]);
        assert!(done.out.starts_with(&format!("w.example/1: {verdict}: ")), "{done:?}");
        assert_eq!(done.code, Some(code), "{done:?}");
    };
    watched("away", 0);
    for behaviour in [WitnessBehaviour::Refuses(503), WitnessBehaviour::Nonsense] {
        stand_in.set_behaviour(behaviour);
        watched("away", 0);
    }
    stand_in.set_behaviour(WitnessBehaviour::Honest);
    let other = Site::of([releases(299), vec![releases(301).remove(300)]].concat());
    let longer = Site::of(releases(400));
    for (note, verdict, code) in [
        (noted(&site, 200), "agrees", 0),
        (noted(&site, 300), "agrees", 0),
        // The service has no tiles beyond its tree, or it has them and keeps the checkpoint back.
        (noted(&longer, 400), "older", 3),
        (noted(&other, 300), "fork", 1),
    ] {
        stand_in.hold(&note);
        watched(verdict, code);
    }
    // A checkpoint that the log did not sign accuses nobody.
    let unsigned = SignedCheckpoint::new(noted(&other, 300).checkpoint().clone(), &[]);
    stand_in.hold(&unsigned);
    watched("away", 0);
    let words = |witness: &str| site.ctl(&place, &["watch", "nfl", "--witness", witness]).code;
    assert_eq!([words("no witness"), words(&log().verifier().to_string())], [Some(2); 2]);
}

#[test]
fn a_witness_with_a_larger_tree_shows_that_the_service_is_older() {
    let (place, site, stand_in) = (TestFolder::fresh(), Site::of(releases(400)), WitnessStandIn::start("w.example/1"));
    site.sign(300, site.root(300));
    stand_in.hold(&noted(&site, 400));
    let done = site.ctl(&place, &["watch", "nfl", "--witness", &stand_in.setting()]);
    let sentence = "it has the size 400, and the service shows an older checkpoint of 300";
    assert!(done.code == Some(3) && done.out.contains(sentence), "{done:?}");
    // Tiles of another tree are no proof for the larger one.
    let other = Site::of([releases(300), vec![releases(999).remove(998); 100]].concat());
    stand_in.hold(&noted(&other, 400));
    let done = site.ctl(&place, &["watch", "nfl", "--witness", &stand_in.setting()]);
    assert!(done.code == Some(1) && done.out.contains(": fork: "), "{done:?}");
}

#[test]
fn the_age_of_a_checkpoint_is_that_of_the_newest_cosignature_of_a_given_witness() {
    let (place, site, stand_in) = (TestFolder::fresh(), Site::of(releases(3)), WitnessStandIn::start("w.example/1"));
    let known = format!("{}@{}", witness().verifier(), stand_in.url());
    // The site's checkpoint was cosigned at 16:30.
    let aged = |witness: &str, age: &str, now: &str| {
        site.ctl(&place, &["watch", "nfl", "--witness", witness, "--max-age", age, "--as-of", now])
    };
    for (age, now, code) in [
        ("90m", "2024-01-06T17:59:00Z", 0),
        ("90m", "2024-01-06T18:01:00Z", 3),
        ("26h", "2024-01-07T18:29:00Z", 0),
        ("7d", "2024-01-13T16:31:00Z", 3),
        // A clock behind the witness.
        ("90m", "2024-01-06T12:00:00Z", 0),
    ] {
        let done = aged(&known, age, now);
        assert_eq!(done.code, Some(code), "{age} {now}: {done:?}");
    }
    let done = aged(&stand_in.setting(), "26h", "2024-01-06T17:00:00Z");
    assert!(done.code == Some(3) && done.out.contains("age: unattested: none of the witnesses has signed"), "{done:?}");
    assert_eq!(aged(&known, "soon", "2024-01-06T17:00:00Z").code, Some(2));
}

#[test]
fn keys_that_are_announced_elsewhere_are_compared_with_the_given_ones() {
    let (place, site) = (TestFolder::fresh(), Site::of(releases(3)));
    let page = |text: String| {
        site.site.put("/about", text);
        let url = format!("{}/about", site.site.url);
        let done = site.ctl(&place, &["watch", "nfl", "--from-url", &url]);
        assert_eq!(done.code, Some(0), "{done:?}");
        done.err
    };
    let (own, other) = (log().verifier().to_string(), signer("example.com/b/nfl", KeyKind::Log).verifier().to_string());
    let nba = signer("example.com/record/nba", KeyKind::Log).verifier().to_string();
    assert_eq!(page(format!("<li>Our keys: `{own}`, \"{nba}\" and {}", witness().verifier())), "");
    let warned = page(format!("_sports-record.example.com. IN TXT \"{other}\""));
    assert!(warned.contains(&format!("does not announce {own}")), "{warned}");
    assert!(warned.contains(&format!("announces {other}, which no `--log` names")), "{warned}");
    for name in ["dns:", "dns:two words", "dns://ns.example.com/example.com"] {
        let refused = site.ctl(&place, &["watch", "nfl", "--from-url", name]);
        assert!(refused.code == Some(2) && refused.err.contains("expected a name such as dns:"), "{refused:?}");
    }
}

/// A DNS server that answers every question with one TXT record, or with none; returns its address.
fn dns_server(record: Option<Vec<u8>>) -> String {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let address = socket.local_addr().expect("bound").to_string();
    std::thread::spawn(move || {
        let mut buffer = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut buffer) {
            let asked = &buffer[..length];
            // The question ends behind the name, its type and its class.
            let name = 12 + asked[12..].iter().position(|byte| *byte == 0).expect("an end");
            let answers = u8::from(record.is_some());
            let mut answer = [&asked[..2], &[0x81, 0x80, 0, 1, 0, answers, 0, 0, 0, 0], &asked[12..name + 5]].concat();
            if let Some(record) = &record {
                let length = u16::try_from(record.len()).expect("short").to_be_bytes();
                answer.extend([0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 60]);
                answer.extend(length.iter().chain(record));
            }
            drop(socket.send_to(&answer, client));
        }
    });
    address
}

#[test]
fn keys_that_a_dns_name_announces_are_compared_with_the_given_ones() {
    let (place, site) = (TestFolder::fresh(), Site::of(releases(3)));
    let watched = |record: Option<&str>| {
        // A string of a record has at most 255 bytes; a key that is cut in two is one text.
        let strings = |text: &str| {
            let (first, second) = text.split_at(text.len() / 2);
            let string = |part: &str| [&[u8::try_from(part.len()).expect("short")], part.as_bytes()].concat();
            [string(first), string(second)].concat()
        };
        let url = format!("dns://{}/_sports-record.example.com", dns_server(record.map(strings)));
        let done = site.ctl(&place, &["watch", "nfl", "--from-url", &url]);
        assert_eq!(done.code, Some(0), "{done:?}");
        done.err
    };
    let (own, other) = (log().verifier().to_string(), signer("example.com/b/nfl", KeyKind::Log).verifier().to_string());
    assert_eq!(watched(Some(&own)), "");
    let warned = watched(Some(&other));
    assert!(warned.contains(&format!("does not announce {own}")) && warned.contains(&other), "{warned}");
    let warned = watched(None);
    assert!(warned.contains(&format!("does not announce {own}")), "{warned}");
}

#[test]
fn what_a_publisher_announces_is_found_on_a_page() {
    let place = TestFolder::fresh();
    let key_file = place.path().join("record.key").display().to_string();
    let place =
        place.with("SPORTS_RECORD__KEY_FILE", key_file).with("SPORTS_RECORD__ORIGIN", "example.com:8443/record");
    assert_eq!(run(&place, ["record", "init"]).code, Some(0));
    let announced = run(&place, ["record", "announce", "nfl"]);
    let lines: Vec<_> = announced.out.lines().collect();
    let [origin, vkey, dns, readme] = lines[..] else { panic!("{announced:?}") };
    assert_eq!(origin, "origin: example.com:8443/record");
    let vkey = vkey.strip_prefix("vkey: ").expect("a vkey");
    assert_eq!(dns, format!("dns: _sports-record.example.com. 86400 IN TXT \"{vkey}\""));
    assert!(vkey.starts_with("example.com:8443/record/nfl+") && readme.contains(&format!("`{vkey}`")), "{announced:?}");

    let site = Site::of(releases(3));
    for line in [dns, readme] {
        site.site.put("/readme", line);
        let url = format!("{}/readme", site.site.url);
        let warned = site.ctl(&place, &["watch", "nfl", "--from-url", &url]).err;
        assert!(warned.contains(&format!("announces {vkey}, which no `--log` names")), "{line}: {warned}");
    }
}

#[test]
fn the_verifier_in_python_is_named_by_the_hash_of_its_file() {
    let place = TestFolder::fresh().with("SPORTS_HTTP__PUBLIC_URL", "https://example.com");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../api/web/verify/verify.py");
    let sum = std::process::Command::new("sha256sum").arg(path).output().expect("it runs").stdout;
    let sum = String::from_utf8(sum).expect("text");
    let (hash, _) = sum.split_once(' ').expect("a hash");
    let printed = run(&place, ["record", "verifier"]).out;
    assert_eq!(printed, format!("{hash}  verify.py\nserved: https://example.com/verify.py\n"));
}

/// A service with one forecast of one game, and everything that an audit reads.
fn season() -> (Site, String) {
    season_behind(&[])
}

/// The same with these leaves of its entry before the forecast.
fn season_behind(before: &[Leaf]) -> (Site, String) {
    let team = |name: &str| TeamSlug::normalise(name).expect("a team");
    let game = GameKey {
        date: "2024-01-06".parse().expect("a date"),
        time: "16:30:00".parse().ok(),
        away: team("pittsburgh_steelers"),
        home: team("baltimore_ravens"),
        game_number: None,
    };
    let money = TwoWayPrices { positive: AmericanPrice::new(130).ok(), negative: AmericanPrice::new(-155).ok() };
    let payload = Payload {
        sport: Sport::Nfl,
        model_type: MARKET,
        season: Season::parse(Sport::Nfl, SEASON).expect("a season"),
        game: &game,
        release_id: "the-release",
        published_at: "2024-01-06T15:00:00Z".parse().expect("an instant"),
        clock: ClockSource::System,
        lines: &GameLines { money, ..GameLines::default() },
        probabilities: &[("BLEND".parse().expect("a model"), Probability::new(0.5661).expect("valid"))],
    };
    let (payload, salt) = (payload.to_json(), Nonce::new([3; 32]).salt(1, MARKET, &game));
    let commitment = salt.commit(payload.as_bytes());
    let season = Season::parse(Sport::Nfl, SEASON).expect("a season");
    let leaf = Leaf {
        sport: Sport::Nfl,
        generation: 1,
        fact: LeafFact::Forecast { model_type: MARKET, season, game, commitment },
    };
    let opening =
        json!({ "index": 1 + before.len(), "entry": leaf.to_text(), "salt": salt.to_hex(), "payload": payload });
    let before = before.iter().map(Leaf::to_text).collect();
    let site = Site::of([releases(1), before, vec![leaf.to_text()]].concat());
    site.put(&format!("{MARKET}/openings?season={SEASON}"), format!("{opening}\n"));
    let sha256 = "ab".repeat(32);
    let release = json!({
        "generation": 1, "release_id": "the-release", "published_at": "2024-01-06T15:00:00Z", "clock": "system", "sha256": sha256,
        "previous": null,
    });
    let page = json!({ "head": sha256, "simulated": false, "releases": [release], "next_before": null });
    site.site.put("/api/v1/releases/nfl?limit=100", page.to_string());
    site.site.put("/api/v1/models/nfl", json!({ "models": [] }).to_string());
    let row = json!({
        "date": "2024-01-06", "time_est": "16:30:00", "away_team": "pittsburgh_steelers",
        "home_team": "baltimore_ravens", "forecast_source": "live", "forecast_run": "the-release",
        "home_money_line": 130, "away_money_line": -155, "BLEND": 0.5661, "away_score": null, "home_score": null,
        "settlement_status": null, "season": SEASON, "forecast_published_at": "2024-01-06T15:00:00Z",
        "model_probability_source": "recorded", "won_on_points": null, "push": null, "graded": false, "ungraded_reason": "no_final",
    });
    let row = format!("{row}\n");
    put_results(&site, &row);
    (site, row)
}

fn put_results(site: &Site, rows: &str) {
    let path = format!("/api/v1/results/nfl/{MARKET}?season={SEASON}&format=ndjson&generation=1");
    site.site.put(&path, rows);
}

fn audit(site: &Site, place: &TestFolder, witnesses: &[&str]) -> Completed {
    let trusted = witnesses.iter().flat_map(|witness| ["--witness", *witness]);
    let words = ["audit", "nfl", SEASON, "--key", "a-key", "--json", "--as-of", "2024-01-07T00:00:00Z"];
    let words: Vec<_> = words.into_iter().chain(trusted).collect();
    site.ctl(place, &words)
}

#[test]
fn an_audit_proves_an_honest_season_and_names_what_is_wrong_in_another() {
    let place = TestFolder::fresh();
    let (site, row) = season();
    let vkey = witness().verifier().to_string();
    let done = audit(&site, &place, &[&vkey]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!((&done.json()["games"], &done.json()["proven"]), (&json!(1), &json!(1)));
    let unattested = audit(&site, &place, &[]);
    assert_eq!((unattested.code, &unattested.json()["not_attested"]), (Some(3), &json!(1)));

    for (rows, kind) in [(String::new(), "missing"), (row.replace("0.5661", "0.5662"), "differs")] {
        put_results(&site, &rows);
        let done = audit(&site, &place, &[&vkey]);
        let found = &done.json()["findings"][0];
        assert_eq!((done.code, &found["kind"]), (Some(1), &json!(kind)), "{done:?}");
        assert!(found["game"].as_str().is_some_and(|game| game.contains("baltimore_ravens")), "{found}");
    }
    put_results(&site, &row);
    // The leaf is withheld: the rest has another root than the log signed.
    site.put("tile/entries/000.p/2", bundle_bytes([site.leaves[0].as_str(); 2]).expect("short leaves"));
    let done = audit(&site, &place, &[&vkey]);
    assert_eq!(done.code, Some(1));
    assert!(done.json()["error"].as_str().is_some_and(|error| error.contains("the log signed")), "{done:?}");
    let bad_season = site.ctl(&place, &["audit", "nfl", "2023", "--key", "a-key"]);
    assert_eq!(bad_season.code, Some(2), "{bad_season:?}");
}

#[test]
fn an_audit_compares_the_models_of_the_leaves_that_the_service_does_not_list() {
    let place = TestFolder::fresh();
    let (version, sha256) = (Some("2".to_owned()), Some(ObjectHash::from_bytes(b"a file")));
    let model = Leaf {
        sport: Sport::Nfl,
        generation: 1,
        fact: LeafFact::Model { model: "ELO".parse().expect("a model"), version, sha256 },
    };
    let (site, row) = season_behind(&[model]);
    let vkey = witness().verifier().to_string();
    let done = audit(&site, &place, &[&vkey]);
    assert_eq!((done.code, &done.json()["proven"]), (Some(0), &json!(1)), "{done:?}");
    put_results(&site, &row.replace("\"BLEND\"", "\"ELO\":0.99,\"BLEND\""));
    let done = audit(&site, &place, &[&vkey]);
    let sentence = &done.json()["findings"][0]["sentence"];
    assert_eq!((done.code, sentence), (Some(1), &json!("ELO is 0.99 in results and nothing in leaf 2")), "{done:?}");
}

#[test]
fn an_audit_passes_over_leaves_of_unknown_kinds_and_says_so() {
    let place = TestFolder::fresh();
    let later = Leaf::parse("sports-record/v1 later\nnfl words 1\na line\n").expect("a leaf of another kind");
    let (site, _) = season_behind(&[later.clone(), later]);
    let done = audit(&site, &place, &[&witness().verifier().to_string()]);
    assert_eq!((done.code, &done.json()["proven"]), (Some(0), &json!(1)), "{done:?}");
    assert!(done.err.contains("2 leaves of the kind `later` are passed over"), "{done:?}");
}

#[test]
fn an_audit_asks_witnesses_for_what_the_log_states_to_be_lost() {
    let (place, stand_in) = (TestFolder::fresh(), WitnessStandIn::start("w.example/1"));
    let old = signer("example.com/record/9/nfl", KeyKind::Log);
    let noted = |size: u64, root: TreeHash| {
        let checkpoint = Checkpoint { origin: old.verifier().name().clone(), size, root };
        SignedCheckpoint::new(checkpoint.clone(), &[old.sign(&checkpoint)])
    };
    // The tree of the first leaf was kept, and the log names a lost checkpoint, which is 3 for its season.
    let kept = TreeHash::of_leaf(releases(1)[0].as_bytes());
    let lost = noted(3, TreeHash::of_leaf(b"the root of three leaves"));
    let larger = noted(5, TreeHash::of_leaf(b"the root of five leaves"));
    for (named, held, code, word) in [
        (&lost, &lost, 3, ""),
        (&lost, &noted(1, kept), 3, ""),
        (&lost, &larger, 3, "lost_trees_elsewhere"),
        (&noted(1, kept), &larger, 1, "contradictions"),
    ] {
        let lost = ObjectHash::from_bytes(named.checkpoint().to_string().as_bytes());
        let (site, _) = season_behind(&[Leaf { sport: Sport::Nfl, generation: 1, fact: LeafFact::Restart { lost } }]);
        let path = "/api/v1/record/9/nfl";
        let keys = json!({ "keys": [{ "vkey": old.verifier().to_string(), "path": path }] });
        site.site.put("/api/v1/record/keys", keys.to_string());
        site.site.put(&format!("{path}/checkpoint"), noted(1, kept).to_string());
        let tile = TilePath::widest(TileKind::Entries, 0, 1).expect("a leaf");
        site.site.put(&format!("{path}/tile/{tile}"), bundle_bytes([releases(1)[0].as_str()]).expect("short leaves"));
        let none = json!({ "sport": "nfl", "checkpoints": [], "next_size": null });
        site.site.put(&format!("{path}/checkpoints?from_size=1&limit=100"), none.to_string());
        stand_in.hold(held);
        let vkey = old.verifier().to_string();
        let words = ["audit", "nfl", SEASON, "--key", "a-key", "--json", "--as-of", "2024-01-07T00:00:00Z"];
        let known = ["--witness", &witness().verifier().to_string(), "--witness", &stand_in.setting()];
        let done = site.ctl(&place, &[&words, &known[..], &["--quorum", "1", "--log", &vkey]].concat());
        assert_eq!(done.code, Some(code), "{done:?}");
        for list in ["lost_trees_elsewhere", "contradictions"] {
            let sentences = done.json()[list].as_array().expect("a list").clone();
            assert_eq!(sentences.len(), usize::from(list == word), "{list}: {sentences:?}");
            let is_about = |sentence: &serde_json::Value| sentence.as_str().is_some_and(|it| it.contains("size 5"));
            assert!(sentences.iter().all(is_about), "{sentences:?}");
        }
    }
}

#[test]
fn an_audit_refuses_a_checkpoint_with_a_broken_signature_of_a_given_witness() {
    let place = TestFolder::fresh();
    let (site, _) = season();
    let checkpoint = Checkpoint { origin: log().verifier().name().clone(), size: 2, root: site.root(2) };
    let other = Checkpoint { size: 1, root: site.root(1), ..checkpoint.clone() };
    let lines = [log().sign(&checkpoint), witness().cosign(&other, COSIGNED)];
    site.put("checkpoint", SignedCheckpoint::new(checkpoint, &lines).to_string());
    let done = audit(&site, &place, &[&witness().verifier().to_string()]);
    let error = done.json()["error"].as_str().unwrap_or_default().to_owned();
    assert!(done.code == Some(1) && error.contains("does not hold"), "{done:?}");
    assert_eq!(audit(&site, &place, &[]).code, Some(3), "a stranger's signature is passed over");
}

#[test]
fn an_audit_ends_with_its_tree_in_a_list_that_grows_for_ever() {
    let place = TestFolder::fresh();
    let (site, _) = season();
    let item = |size: u64, root: TreeHash, time: &str| {
        let cosigned = json!([{ "name": witness().verifier().name().as_str(), "time": time }]);
        json!({ "size": size, "root": root.to_string(), "generation": 1, "cosigned": cosigned })
    };
    let listed = [item(2, site.root(2), "2024-01-06T16:30:00Z"), item(9, site.root(1), "2024-01-06T15:00:00Z")];
    let list = json!({ "sport": "nfl", "checkpoints": listed, "next_size": 10 });
    site.put("checkpoints?from_size=1&limit=100", list.to_string());
    let done = audit(&site, &place, &[&witness().verifier().to_string()]);
    assert_eq!((done.code, &done.json()["proven"]), (Some(0), &json!(1)), "{done:?}");
}

#[test]
fn an_audit_waits_for_a_busy_service_and_goes_on() {
    let place = TestFolder::fresh();
    let (site, _) = season();
    site.site.refuse_once("/api/v1/releases/nfl?limit=100");
    let done = audit(&site, &place, &[&witness().verifier().to_string()]);
    assert_eq!((done.code, &done.json()["proven"]), (Some(0), &json!(1)), "{done:?}");
    assert_eq!(done.err.matches("The service is busy: the next request is sent in 1 s\n").count(), 1, "{done:?}");
}

#[test]
fn an_answer_that_cannot_be_read_is_an_error_of_the_audit_and_no_finding() {
    let seasons = format!("/api/v1/results/nfl/{MARKET}/seasons");
    let checkpoints = "/api/v1/record/nfl/checkpoints?from_size=1&limit=100";
    let releases = "/api/v1/releases/nfl?limit=100";
    let place = TestFolder::fresh();
    let expect_error = |site: &Site, path: &str| {
        let done = audit(site, &place, &[&witness().verifier().to_string()]);
        let json = done.json();
        assert!(done.code == Some(4) && json["findings"].is_null(), "{path}: {done:?}");
        assert!(json["error"].is_string(), "{path}: {done:?}");
    };
    for path in [&seasons, checkpoints, releases, "/api/v1/models/nfl"] {
        let (site, _) = season();
        // Rows that are missing here may be in the results of another season.
        put_results(&site, "");
        site.site.fail(path);
        expect_error(&site, path);
    }
    for path in [&seasons, checkpoints, releases, "/api/v1/models/nfl"] {
        let (site, _) = season();
        put_results(&site, "");
        site.site.put(path, "{\"detail\":\"under maintenance\"}");
        expect_error(&site, path);
    }
}

/// Lists the tree of the season with these cosignatures and a timestamp.
fn list_voices(site: &Site, cosigned: &[(&SigningKey, u64)], stamp: &[u8]) {
    let checkpoint = Checkpoint { origin: log().verifier().name().clone(), size: 2, root: site.root(2) };
    let lines = cosigned.iter().map(|(key, time)| key.cosign(&checkpoint, *time));
    let lines: Vec<_> = [log().sign(&checkpoint)].into_iter().chain(lines).collect();
    site.put("checkpoints/2", SignedCheckpoint::new(checkpoint.clone(), &lines).to_string());
    let name = ObjectHash::from_bytes(stamp).to_string();
    site.put(&format!("checkpoints/2/timestamps/{name}"), stamp);
    let cosigned: Vec<_> =
        cosigned.iter().map(|(key, time)| json!({ "name": key.verifier().name().as_str(), "time": time })).collect();
    let item = json!({
        "size": 2, "root": checkpoint.root.to_string(), "generation": 1, "cosigned": cosigned, "timestamps": [name],
    });
    let list = json!({ "sport": "nfl", "checkpoints": [item], "next_size": null });
    site.put("checkpoints?from_size=1&limit=100", list.to_string());
}

#[test]
fn an_audit_needs_the_word_of_its_quorum() {
    let Some(stamps) = TimestampAuthority::fresh() else { return };
    let place = TestFolder::fresh();
    let (site, _) = season();
    let root = stamps.certificate();
    let root = root.to_str().expect("text");
    let other = SigningKey::from_seed("other.example.com/w".parse().expect("a name"), KeyKind::Witness, &[6; 32]);
    let (one, other) = (witness(), other.expect("a key"));
    let checkpoint = Checkpoint { origin: log().verifier().name().clone(), size: 2, root: site.root(2) };
    // Years after the game.
    let stamp = stamps.stamp(&checkpoint.to_string());
    let (first, second) = (one.verifier().to_string(), other.verifier().to_string());
    let audit = |more: &[&str]| {
        let words = ["audit", "nfl", SEASON, "--key", "a-key", "--json", "--as-of", "2024-01-07T00:00:00Z"];
        site.ctl(&place, &[&words[..], &["--witness", &first], more].concat())
    };
    let both = ["--witness", second.as_str()];
    let late = COSIGNED + 24 * 3_600;
    for (time, more, code, contradicting) in [
        (COSIGNED + 60, &both[..], 0, None),
        (0, &both, 3, None),
        (late, &both, 3, None),
        (late, &["--witness", &second, "--quorum", "1"], 0, Some("other.example.com/w had 1 forecasts")),
        (COSIGNED, &["--tsa-cert", root], 3, None),
        (COSIGNED, &["--tsa-cert", root, "--quorum", "1"], 0, Some("root.pem had 1 forecasts")),
        // No authority of this reader's stamped it.
        (COSIGNED, &["--tsa-cert", "bundled", "--quorum", "1"], 0, None),
        (COSIGNED, &["--tsa-cert", "bundled"], 3, None),
    ] {
        list_voices(&site, &[(&one, COSIGNED), (&other, time)], &stamp);
        let done = audit(more);
        assert_eq!(done.code, Some(code), "{time} {more:?}: {done:?}");
        let named = done.json()["contradicting_voices"][0].as_str().unwrap_or_default().to_owned();
        assert_eq!(contradicting.is_some(), !named.is_empty(), "{time} {more:?}: {named}");
        assert!(contradicting.is_none_or(|expected| named.contains(expected)), "{time} {more:?}: {named}");
    }
    assert_eq!(audit(&["--quorum", "2"]).code, Some(2), "one is named");
    let stamp = format!("checkpoints/2/timestamps/{}", ObjectHash::from_bytes(&stamp));
    for path in [stamp.as_str(), "tile/entries/000.p/2"] {
        site.site.fail(&format!("/api/v1/record/nfl/{path}"));
        let failed = audit(&["--tsa-cert", root, "--quorum", "1"]);
        assert!(failed.code == Some(4) && failed.json()["findings"].is_null(), "{path}: {failed:?}");
    }
}

#[test]
fn a_proof_from_the_store_is_checked_offline() {
    let place = TestFolder::fresh();
    let published = Slate::of_games(&[CELTICS, SUNS]).publish(&place, "2025-12-10T15:00:00Z");
    assert_eq!(published.code, Some(0), "{published:?}");
    let file = place.path().join("celtics.tlog-proof");
    let file = file.to_str().expect("text");
    let prove = |game: &str| run(&place, ["record", "prove", "nba", "won_on_points", game, "--out", file]);
    let unsigned = prove("g1");
    assert_eq!(unsigned.code, Some(1), "{unsigned:?}");
    assert!(unsigned.err.contains("no signed checkpoint of nba yet"), "{unsigned:?}");

    let tree = verified(&place, "nba")["tree"].clone();
    let size = tree["size"].as_u64().expect("a size");
    let root = tree["root"].as_str().and_then(|root| root.parse().ok()).expect("a root");
    let checkpoint = Checkpoint { origin: log().verifier().name().clone(), size, root };
    let lines = [log().sign(&checkpoint), witness().cosign(&checkpoint, COSIGNED)];
    let note = SignedCheckpoint::new(checkpoint.clone(), &lines).to_string();
    let folder = place.store().join(format!("sports/nba/record/checkpoints/{size:012}"));
    fs::create_dir_all(&folder).expect("a folder");
    let name = sports_domain::content::ObjectHash::from_bytes(note.as_bytes());
    fs::write(folder.join(format!("{name}.note")), note).expect("written");
    let Some(stamps) = TimestampAuthority::fresh() else { return };
    let stamp = stamps.stamp(&checkpoint.to_string());
    let name = ObjectHash::from_bytes(&stamp);
    fs::write(folder.join(format!("{name}.tsr")), stamp).expect("written");

    for game in ["g9", "2025-12-10 19:00 Boston Celtics at Utah Jazz"] {
        assert_eq!(prove(game).code, Some(2), "{game}");
    }
    let proven = prove("2025-12-10 19:00 Boston Celtics at New York Knicks");
    assert_eq!(proven.code, Some(0), "{proven:?}");
    assert_eq!(prove("g1").code, Some(2), "the file exists");
    let (log, witness) = (log().verifier().to_string(), witness().verifier().to_string());
    let start = "2025-12-10T19:00:00-05:00";
    let check =
        |more: &[&str]| run(&place, [&["record", "check", file, "--log", &log, "--start", start], more].concat());
    let checked = check(&["--witness", &witness]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.out.contains(r#""probabilities":{"BLEND":0.55}"#), "{checked:?}");
    assert_eq!(check(&[]).code, Some(3));
    let token = format!("{file}.1.tsr");
    assert!(proven.out.ends_with(&format!("{token}: a timestamp of this tree\n")), "{proven:?}");
    let root = stamps.certificate();
    let stamped = check(&["--token", &token, "--tsa-cert", root.to_str().expect("text")]);
    assert!(stamped.code == Some(3) && !stamped.out.contains("not counted"), "it is of today: {stamped:?}");
}
