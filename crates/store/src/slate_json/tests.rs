use serde_json::{Value, json};
use sports_domain::content::ObjectHash;
use sports_domain::{ModelColumn, ModelName, ModelType};
use sports_publication::Generation;
use sports_publication::registry::{ModelVersion, Moment, RegisteredModel, SlateDays};
use sports_testkit::publication::contract::a_registry;

use super::*;

const RELEASE: &str = "sports-record/v1 release\nnfl 1 2024-01-06T15:00:00.000Z set\nsha256:0000000000000000000000000000000000000000000000000000000000000000\n";

fn written(registry: Registry) -> Vec<u8> {
    write(Sport::Ncaaf, &SlateArtifact::Models(registry)).expect("written")
}

/// Creates a registry with the most models and versions, each text of the longest characters.
fn the_largest() -> Registry {
    let moment = |number| Moment {
        generation: Generation::new(number).expect("not zero"),
        at: "2026-11-23T15:00:00.123Z".parse().expect("an instant"),
    };
    let (early, late) = (moment(999_999_999_998), moment(999_999_999_999));
    let text = |length| Some("\u{1f3c8}".repeat(length));
    let version = || ModelVersion {
        version: text(64).expect("a text"),
        sha256: Some(ObjectHash::from_bytes(b"a version")),
        since: late,
    };
    let own = (0..Registry::MOST_EVER).map(|index| format!("m{index:0>31}").parse().expect("a name"));
    let standard = ModelColumn::FORECASTS.into_iter().map(ModelName::of);
    let models = own.chain(standard).map(|name| RegisteredModel {
        title: text(64),
        description: text(500),
        url: text(300),
        retired: Some(late),
        versions: std::iter::repeat_with(version).take(Registry::MOST_VERSIONS).collect(),
        ..RegisteredModel::new(name, early)
    });
    let not_models = (0..Registry::MOST_NOT_MODELS).map(|index| format!("n{index:0>31}").parse().expect("a name"));
    let before = ObjectHash::from_bytes(b"the one before");
    Registry::restored(Registry::DEFAULT_HEADLINE, not_models.collect(), models.collect(), Some(before))
        .expect("a registry")
}

#[test]
fn the_largest_registry_that_can_be_declared_is_read() {
    let bytes = written(the_largest());
    assert!((7 << 20..LARGEST_REGISTRY).contains(&bytes.len()), "{} bytes", bytes.len());
    assert_eq!(read(Sport::Ncaaf, &bytes).expect("a registry"), SlateArtifact::Models(the_largest()));
    let larger = [&bytes[..], &vec![b' '; LARGEST_REGISTRY]].concat();
    assert!(read(Sport::Ncaaf, &larger).is_err());
}

#[test]
fn a_registry_of_another_league_form_or_shape_is_refused() {
    let changed = |change: fn(&mut Value)| {
        let mut json = serde_json::from_slice(&written(a_registry())).expect("JSON");
        change(&mut json);
        read(Sport::Ncaaf, json.to_string().as_bytes()).map_err(|error| error.to_string())
    };
    assert_eq!(changed(|_| {}), Ok(SlateArtifact::Models(a_registry())));
    let refused: [fn(&mut Value); 9] = [
        |json| json["sport"] = "nba".into(),
        |json| json["schema_version"] = 2.into(),
        |json| json["schema_version"] = 0.into(),
        |json| json["kind"] = "odds".into(),
        |json| json["later"] = true.into(),
        |json| json["headline"] = "nobody".into(),
        |json| json["models"][0]["name"] = "implied".into(),
        |json| json["models"][0]["declared_generation"] = 0.into(),
        |json| json["models"] = json!([json["models"][0], json["models"][0]]),
    ];
    for change in refused {
        assert!(changed(change).is_err());
    }
}

#[test]
fn settings_of_the_league_are_a_form_of_their_own_and_none_keep_the_bytes() {
    let json = |registry| serde_json::from_slice::<Value>(&written(registry)).expect("JSON");
    let without = json(a_registry());
    assert_eq!(without["schema_version"], 1);
    let fields = ["markets", "slate_days", "odds_dependent"];
    assert!(fields.iter().all(|field| without.get(field).is_none()), "{without}");
    let league = LeagueSettings {
        markets: Some([ModelType::WonOnPoints].into()),
        slate_days: SlateDays::parse(["sun", "mon"]).ok(),
        odds_dependent: false,
    };
    let with = a_registry().with_league(league).expect("settings");
    let stored = json(with.clone());
    let mut expected = without;
    expected["schema_version"] = 2.into();
    expected["markets"] = json!(["won_on_points"]);
    expected["slate_days"] = json!(["mon", "sun"]);
    expected["odds_dependent"] = false.into();
    assert_eq!(stored, expected);
    assert_eq!(read(Sport::Ncaaf, &written(with.clone())).expect("a registry"), SlateArtifact::Models(with));
    for (field, value) in [
        ("schema_version", json!(1)),
        ("schema_version", json!(3)),
        ("markets", json!([])),
        ("markets", json!(["moneyline"])),
        ("markets", json!(["won_on_points", "won_on_points"])),
        ("slate_days", json!([])),
        ("slate_days", json!(["sun", "mon"])),
        ("odds_dependent", json!(true)),
    ] {
        let mut other = stored.clone();
        other[field] = value;
        assert!(read(Sport::Ncaaf, other.to_string().as_bytes()).is_err(), "{other}");
    }
}

#[test]
fn leaves_have_the_form_of_the_design() {
    let text = json!({"schema_version": 1, "sport": "nfl", "kind": "leaves", "first": 0, "leaves": [RELEASE]});
    let artifact = read(Sport::Nfl, text.to_string().as_bytes()).expect("leaves");
    assert!(matches!(&artifact, SlateArtifact::Leaves(EntryLeaves { first: 0, leaves }) if leaves.len() == 1));
    let written = String::from_utf8(write(Sport::Nfl, &artifact).expect("written")).expect("text");
    let line = RELEASE.replace('\n', "\\n");
    let expected =
        format!(r#"{{"schema_version":1,"sport":"nfl","kind":"leaves","first":0,"leaves":["{line}"]}}"#) + "\n";
    assert_eq!(written, expected);
}

#[test]
fn leaves_of_another_league_form_or_text_are_refused() {
    let valid = json!({"schema_version": 1, "sport": "nfl", "kind": "leaves", "first": 0, "leaves": [RELEASE]});
    for (field, value) in [
        ("schema_version", json!(2)),
        ("sport", json!("nba")),
        ("kind", json!("models")),
        ("first", json!(-1)),
        ("leaves", json!([RELEASE.replace("nfl", "nba")])),
        ("leaves", json!([RELEASE.trim_end()])),
        ("size", json!(1)),
    ] {
        let mut other = valid.clone();
        other[field] = value;
        assert!(read(Sport::Nfl, other.to_string().as_bytes()).is_err(), "{other}");
    }
}
