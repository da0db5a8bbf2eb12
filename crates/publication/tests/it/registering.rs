//! Declarations of models.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelName, ModelType, Sport};
use sports_publication::registry::{
    Change, Declaration, Declarations, DeclaredAs, Declaring, LeagueDeclaration, LeagueSettings, ModelDeclaration,
    Moment, NamedColumn, Registry, ShownTo, SlateDays,
};
use sports_publication::slate_update::refused_markets;
use sports_publication::testing::{a_game, a_release, season};
use sports_publication::{Generation, PredictionsFile, SeasonArchive, Value, promote_archive};

fn at(number: u64) -> Declaring {
    let at: DateTime<Utc> = DateTime::UNIX_EPOCH;
    let generation = Generation::new(number).expect("not zero");
    let before = (number > 1).then(|| ObjectHash::from_bytes(&number.to_be_bytes()));
    Declaring { moment: Moment { generation, at }, before }
}

fn model(change: impl FnOnce(&mut ModelDeclaration)) -> DeclaredAs {
    let mut declared = ModelDeclaration::default();
    change(&mut declared);
    DeclaredAs::Model(Box::new(declared))
}

fn plain() -> DeclaredAs {
    model(|_| {})
}

fn retired(retired: bool) -> DeclaredAs {
    model(|declared| declared.retired = Change::Set(retired))
}

fn release(models: impl IntoIterator<Item = (String, DeclaredAs)>, headline: Option<&str>) -> Declarations {
    let declaration = |content| Declaration { written: "{…}".to_owned(), content };
    let models = models.into_iter().map(|(name, content)| (name, declaration(content))).collect();
    let headline = headline.map_or(Change::Keep, |name| Change::Set(name.to_owned()));
    Declarations { models, headline, ..Declarations::default() }
}

fn one(name: &str, content: DeclaredAs) -> Declarations {
    release([(name.to_owned(), content)], None)
}

fn elo() -> Registry {
    Registry::default().declare(&one("ELO", plain()), &at(1)).expect("a model")
}

fn refused(registry: &Registry, declarations: &Declarations) -> Vec<String> {
    let problems = registry.declare(declarations, &at(9)).expect_err("refused");
    problems.iter().map(|problem| problem.to_string().replace("release.json, column ", "")).collect()
}

#[test]
fn names_outside_the_pattern_reserved_ones_and_those_of_another_case_are_refused() {
    let pattern = "a name of 1 to 32 letters, digits, `_`, `.` or `-` that begins with a letter";
    for name in ["2nd", "", "x y", "__proto__", &"m".repeat(33)] {
        assert_eq!(refused(&elo(), &one(name, plain())), [format!("models.{name}: `{name}`: expected {pattern}")]);
    }
    for name in ["implied", "Ensemble", "home_score", "over_under", "EV_mine", "open_x", "odds_x", "None", "win_pct"] {
        let expected = format!("models.{name}: `{name}`: expected a name that is not reserved");
        assert_eq!(refused(&elo(), &one(name, plain())), [expected]);
    }
    for (name, known) in [("blend", "BLEND"), ("elo", "ELO")] {
        let expected =
            format!("models.{name}: `{name}`: expected another name: it differs from `{known}` in letter case alone");
        assert_eq!(refused(&elo(), &one(name, plain())), [expected]);
    }
    let not_foo = elo().declare(&one("Foo", DeclaredAs::NoModel), &at(2)).expect("an extra column");
    let expected = "models.foo: `foo`: expected another name: it differs from `Foo` in letter case alone";
    assert_eq!(refused(&not_foo, &one("foo", plain())), [expected]);
    assert!(not_foo.declare(&one("foo", DeclaredAs::NoModel), &at(3)).is_ok(), "neither is a model");
    assert!(not_foo.declare(&one("Foo", plain()), &at(3)).is_ok(), "the same name");
    for name in ["a.b-c_1", "constructor", "toString", "nan", "true"] {
        assert!(elo().declare(&one(name, plain()), &at(2)).is_ok(), "{name}");
    }
}

#[test]
fn a_standard_model_takes_texts_and_versions_alone() {
    let expected = "models.BLEND: `{…}`: expected title, description, url, version or sha256: it is a standard model";
    for content in [retired(true), retired(false), DeclaredAs::NoModel, model(|it| it.public = Change::Set(true))] {
        assert_eq!(refused(&elo(), &one("BLEND", content)), [expected]);
    }
    let version = model(|it| it.version = Change::Set("1".to_owned()));
    let registry = elo().declare(&one("BLEND", version), &at(2)).expect("a version");
    assert_eq!(registry.get("BLEND").map(|blend| blend.versions.len()), Some(1));
    assert_eq!(registry.own().count(), 1);
    assert_eq!(elo().declare(&one("BLEND", plain()), &at(2)).expect("nothing"), elo());
}

#[test]
fn a_headline_is_a_model_in_use_and_is_not_retired_before_another_is_named() {
    let unknown = "headline: `nn`: expected a declared model that is not retired";
    assert_eq!(refused(&elo(), &release([], Some("nn"))), [unknown]);
    assert_eq!(refused(&elo(), &release([], Some("IMPLIED"))).len(), 1);
    let headed = elo().declare(&release([], Some("ELO")), &at(2)).expect("a headline");
    assert_eq!(headed.declared_headline(), "ELO".parse().ok());
    assert_eq!(refused(&headed, &one("ELO", retired(true))), ["models.ELO: `{…}`: expected another `headline` first"]);
    let both = release([("ELO".to_owned(), retired(true))], Some("AI"));
    let without = headed.declare(&both, &at(3)).expect("another headline");
    assert_eq!(without.declared_headline(), "AI".parse().ok());
    assert_eq!(refused(&without, &release([], Some("ELO"))).len(), 1);
}

#[test]
fn settings_of_the_league_hold_until_they_are_changed_or_taken_back() {
    let league = |league| Declarations { league, ..Declarations::default() };
    let markets = || BTreeSet::from([ModelType::WonOnPoints]);
    let days = SlateDays::parse(["thu", "sun"]).expect("weekdays");
    let set = league(LeagueDeclaration {
        markets: Change::Set(markets()),
        slate_days: Change::Set(days),
        odds_dependent: Change::Set(false),
    });
    let declared = elo().declare(&set, &at(2)).expect("settings");
    let expected = LeagueSettings { markets: Some(markets()), slate_days: Some(days), odds_dependent: false };
    assert_eq!((declared.league(), declared.before()), (&expected, at(2).before));
    let kept = declared.declare(&one("GLM", plain()), &at(3)).expect("a model");
    assert_eq!(kept.league(), &expected);
    let taken_back =
        league(LeagueDeclaration { markets: Change::Remove, slate_days: Change::Keep, odds_dependent: Change::Remove });
    let after = declared.declare(&taken_back, &at(3)).expect("settings");
    assert_eq!(after.league(), &LeagueSettings { slate_days: Some(days), ..LeagueSettings::default() });
    assert_eq!(declared.declare(&set, &at(3)).expect("the same"), declared);
    let none = LeagueSettings { markets: Some(BTreeSet::new()), ..LeagueSettings::default() };
    assert!(elo().with_league(none).is_err());
}

#[test]
fn predictions_of_a_market_that_the_league_does_not_have_are_refused() {
    let mut release = a_release(Sport::Nfl, "2024-25", Vec::new());
    release.predictions = ModelType::ALL.map(|of| (of, PredictionsFile::default())).into();
    let refused = |settings: &LeagueSettings| {
        refused_markets(&release, settings).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let markets = Some([ModelType::WonOnPoints, ModelType::WonOnSpread].into());
    let expected = "predictions/over_under: expected no such file: `markets` of nfl names won_on_points, won_on_spread; to \
                    publish over_under, add it to `markets` in release.json";
    assert_eq!(refused(&LeagueSettings { markets, ..LeagueSettings::default() }), [expected]);
    assert_eq!(refused(&LeagueSettings::default()), [""; 0]);
}

#[test]
fn a_model_stays_one_and_a_column_that_was_none_can_become_one() {
    assert_eq!(
        refused(&elo(), &one("ELO", DeclaredAs::NoModel)),
        ["models.ELO: `{…}`: expected retired: a model stays one"]
    );
    let not = elo().declare(&one("nn", DeclaredAs::NoModel), &at(2)).expect("no model");
    assert_eq!(not.column("nn", None), NamedColumn::NoModel);
    let now = not.declare(&one("nn", plain()), &at(3)).expect("a model after all");
    assert!(now.not_models().is_empty());
    assert!(matches!(now.column("nn", None), NamedColumn::Model(_)));
}

#[test]
fn the_limits_are_32_models_in_use_256_ever_and_64_names_of_no_models() {
    let many = |from: usize, count: usize, content: &DeclaredAs| {
        release((from..from + count).map(|index| (format!("m{index:03}"), content.clone())), None)
    };
    let full = Registry::default().declare(&many(0, 32, &plain()), &at(1)).expect("32 models");
    let expected = "expected at most 32 models of your own that are not retired; retire one first";
    assert_eq!(refused(&full, &many(40, 1, &plain())), [format!("models.m040: `{{…}}`: {expected}")]);
    let retiring = many(0, 32, &retired(true));
    let mut registry = full.declare(&retiring, &at(2)).expect("all retired");
    assert_eq!(refused(&registry, &many(0, 33, &retired(false))).len(), 1);
    for (number, start) in (3_u64..).zip((32..256).step_by(32)) {
        registry = registry.declare(&many(start, 32, &retired(true)), &at(number)).expect("retired ones");
    }
    let expected = "models.m999: `{…}`: expected at most 256 models of your own ever";
    assert_eq!(refused(&registry, &many(999, 1, &retired(true))), [expected]);
    let not = Registry::default().declare(&many(0, 64, &DeclaredAs::NoModel), &at(1)).expect("64 names");
    let expected = "models.m064: `{…}`: expected at most 64 names declared `false`; leave this one out: its column is kept all the \
                    same, with a warning";
    assert_eq!(refused(&not, &many(64, 1, &DeclaredAs::NoModel)), [expected]);
}

#[test]
fn a_name_that_becomes_a_model_leaves_room_for_another_in_any_order() {
    let names = (0..64).map(|index| (format!("m{index:03}"), DeclaredAs::NoModel));
    let full = Registry::default().declare(&release(names, None), &at(1)).expect("64 names");
    for new in ["a", "z"] {
        let exchange = release([("m063".to_owned(), plain()), (new.to_owned(), DeclaredAs::NoModel)], None);
        assert_eq!(full.declare(&exchange, &at(2)).map(|next| next.not_models().len()), Ok(64), "{new}");
    }
}

#[test]
fn all_problems_of_a_release_are_reported_at_once() {
    let declarations = release(
        [("2nd".to_owned(), plain()), ("blend".to_owned(), plain()), ("implied".to_owned(), DeclaredAs::NoModel)],
        Some("nobody"),
    );
    assert_eq!(refused(&elo(), &declarations).len(), 4);
}

#[test]
fn a_repeated_declaration_changes_nothing_and_a_new_version_is_kept_with_its_time() {
    let version = |text: &str| one("ELO", model(|it| it.version = Change::Set(text.to_owned())));
    let mut registry = elo();
    for number in 2..80 {
        let next = registry.declare(&version(&number.to_string()), &at(number)).expect("a version");
        assert_eq!(next.before(), at(number).before);
        assert_eq!(next.declare(&version(&number.to_string()), &at(number + 1)).as_ref(), Ok(&next));
        registry = next;
    }
    let versions = &registry.get("ELO").expect("a model").versions;
    assert_eq!(versions.len(), Registry::MOST_VERSIONS);
    assert_eq!(versions.last().map(|last| last.since.generation.get()), Some(79));
}

#[test]
fn a_model_keeps_the_markets_that_it_has() {
    let markets = |markets: &[ModelType]| {
        let markets: BTreeSet<_> = markets.iter().copied().collect();
        one("nn", model(|it| it.model_types = Change::Set(markets)))
    };
    let registry = elo().declare(&markets(&[ModelType::OverUnder]), &at(2)).expect("one market");
    assert_eq!(registry.column("nn", Some(ModelType::WonOnSpread)), NamedColumn::NoModel);
    let more = registry.declare(&markets(&[ModelType::OverUnder, ModelType::WonOnSpread]), &at(3)).expect("two");
    assert!(matches!(more.column("nn", Some(ModelType::WonOnSpread)), NamedColumn::Model(_)));
    assert_eq!(
        refused(&more, &markets(&[ModelType::OverUnder])),
        ["models.nn: `{…}`: expected every market that the model has: over_under, won_on_spread"]
    );
}

#[test]
fn an_extra_column_becomes_a_models_column_or_its_wrong_value_is_named() {
    let archive = |values: &[Value<String>]| {
        let games = values.iter().enumerate().map(|(index, value)| {
            let game = a_game().visited_by(&format!("team_{index}")).unforecast();
            game.with(|game| game.facts.extras.insert("ELO", value.clone())).build()
        });
        let market = Market::new(Sport::Nfl, ModelType::WonOnPoints);
        SeasonArchive::new(market, season(Sport::Nfl, "2024-25"), games.collect()).expect("no game twice")
    };
    let elo: ModelName = "ELO".parse().expect("a name");
    let mut sound = archive(&[Value::Number(0.6), Value::Integer(1), Value::Text("0.25".to_owned())]);
    let promoted = promote_archive(&mut sound, &[elo]).expect("probabilities");
    assert_eq!(promoted[&elo], 3);
    assert!(sound.games().iter().all(|game| game.forecast.origin.is_some() && game.facts.extras.get("ELO").is_none()));
    let problems = promote_archive(&mut archive(&[Value::Number(1.2)]), &[elo]).expect_err("1.2");
    assert_eq!(
        problems[0].to_string(),
        format!(
            "won_on_points 2024-25, {}, column ELO: `1.2`: expected a probability from 0 to 1",
            sound.games()[0].facts.key
        )
    );
}

proptest! {
    /// A name means one model for ever: declarations in any order keep the order and the first time of each.
    #[test]
    fn declared_models_keep_their_order_and_time(steps in prop::collection::vec((0..6_usize, 0..4_usize), 0..30)) {
        let mut registry = Registry::default();
        let mut expected: Vec<(String, u64, bool)> = Vec::new();
        for (number, (which, what)) in (1_u64..).zip(steps) {
            let name = format!("m{which}");
            let content = [plain(), retired(true), retired(false), DeclaredAs::NoModel][what].clone();
            let known = expected.iter().position(|(known, ..)| *known == name);
            match registry.declare(&one(&name, content), &at(number)) {
                Err(_) => prop_assert!(what == 3 && known.is_some()),
                Ok(next) => {
                    registry = next;
                    if what < 3 {
                        let index = known.unwrap_or_else(|| {
                            expected.push((name, number, false));
                            expected.len() - 1
                        });
                        expected[index].2 = [expected[index].2, true, false][what];
                    }
                }
            }
        }
        let found = registry.own().map(|model| {
            (model.name.to_string(), model.declared.generation.get(), model.retired.is_some())
        });
        prop_assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}

fn names(list: &[&str]) -> BTreeSet<ModelName> {
    list.iter().map(|name| name.parse().expect("a name")).collect()
}

#[test]
fn the_default_model_is_the_first_with_a_value_in_the_order_of_the_rule() {
    let public = |is_public| model(move |it| it.public = Change::Set(is_public));
    let zeta = Registry::default().declare(&one("zeta", public(false)), &at(1)).expect("a model");
    let both = zeta.declare(&one("Alpha", public(true)), &at(2)).expect("another");
    let default = |registry: &Registry, shown_to, list: &[&str]| {
        registry.default_model(shown_to, &names(list)).map(|model| model.to_string())
    };
    for (valued, subscribers, everyone) in [
        (&["BLEND", "zeta", "Alpha", "XGB", "AI"][..], Some("BLEND"), Some("BLEND")),
        (&["zeta", "Alpha", "CATB"], Some("zeta"), Some("Alpha")),
        (&["zeta", "XGB"], Some("zeta"), Some("XGB")),
        (&["zeta"], Some("zeta"), None),
        (&["AI", "XT", "XGB", "LOGR", "LGB", "RF", "CATB"], Some("CATB"), Some("CATB")),
        (&["AI", "XT", "XGB", "LOGR", "LGB", "RF"], Some("RF"), Some("RF")),
        (&["AI", "XT", "XGB", "LOGR", "LGB"], Some("LGB"), Some("LGB")),
        (&["AI", "XT", "XGB", "LOGR"], Some("LOGR"), Some("LOGR")),
        (&["AI", "XT", "XGB"], Some("XGB"), Some("XGB")),
        (&["AI", "XT"], Some("XT"), Some("XT")),
        (&["AI"], Some("AI"), Some("AI")),
        (&[], None, None),
    ] {
        assert_eq!(default(&both, ShownTo::Subscribers, valued).as_deref(), subscribers, "{valued:?}");
        assert_eq!(default(&both, ShownTo::Everyone, valued).as_deref(), everyone, "{valued:?}");
    }
    let without = both.declare(&one("zeta", retired(true)), &at(3)).expect("retired");
    assert_eq!(default(&without, ShownTo::Subscribers, &["zeta", "AI"]).as_deref(), Some("AI"));
    assert_eq!(default(&without, ShownTo::Subscribers, &["zeta"]).as_deref(), Some("zeta"));
}

#[test]
fn a_headline_is_declared_by_its_name_alone_and_seen_by_those_who_see_the_model() {
    let headline = |registry: &Registry, name: &str| registry.declare(&release([], Some(name)), &at(2)).expect("one");
    assert_eq!(elo().headline_for(ShownTo::Subscribers), None);
    let hidden = headline(&elo(), "ELO");
    assert_eq!(hidden.headline_for(ShownTo::Subscribers), "ELO".parse().ok());
    assert_eq!(hidden.headline_for(ShownTo::Everyone), None);
    // BLEND by its name never gives way; without a word it does.
    let blend = headline(&elo(), "BLEND");
    assert_eq!(blend.headline_for(ShownTo::Everyone), "BLEND".parse().ok());
    assert_eq!(headline(&blend, "BLEND"), blend);
    let removed = Declarations { headline: Change::Remove, ..Declarations::default() };
    assert_eq!(blend.declare(&removed, &at(3)).expect("none").headline_for(ShownTo::Subscribers), None);
}

#[test]
fn the_first_model_without_a_word_on_public_is_told_apart_from_others() {
    let none = Registry::default();
    let first = |before: &Registry, declared: Declarations| {
        let after = before.declare(&declared, &at(2)).expect("declared");
        after.first_without_a_word_on_public(before, &declared).map(|model| model.to_string())
    };
    assert_eq!(first(&none, one("ELO", plain())).as_deref(), Some("ELO"));
    for word in [Change::Set(false), Change::Set(true), Change::Remove] {
        assert_eq!(first(&none, one("ELO", model(|it| it.public = word.clone()))), None, "{word:?}");
    }
    let two = release([("ELO".to_owned(), plain()), ("nn".to_owned(), plain())], None);
    assert_eq!(first(&none, two), None);
    assert_eq!((first(&elo(), one("ELO", plain())), first(&elo(), one("nn", plain()))), (None, None));
    assert_eq!(first(&none, one("BLEND", model(|it| it.title = Change::Set("B".to_owned())))), None);
    let public = elo().publicising("ELO".parse().expect("a name"));
    assert_eq!(public.own().map(|model| model.public).collect::<Vec<_>>(), [true]);
}

proptest! {
    /// The default is a model that is seen and has a value, and another value of a later model changes nothing.
    #[test]
    fn a_default_has_a_value_and_a_later_model_never_takes_its_place(bits in 0_u16..1024, more in 0_u16..1024) {
        const ORDER: [&str; 10] = ["BLEND", "m", "a", "CATB", "RF", "LGB", "LOGR", "XGB", "XT", "AI"];
        let m = Registry::default().declare(&one("m", plain()), &at(1)).expect("a model");
        let registry = m.declare(&one("a", plain()), &at(2)).expect("another");
        let chosen = |bits: u16| ORDER.into_iter().enumerate().filter(move |(bit, _)| bits & (1 << bit) != 0);
        let list = |bits: u16| chosen(bits).map(|(_, name)| name).collect::<Vec<_>>();
        let default = |bits: u16| registry.default_model(ShownTo::Subscribers, &names(&list(bits)));
        prop_assert_eq!(default(bits).map(|model| model.to_string()), list(bits).first().map(ToString::to_string));
        let later = chosen(bits).next().map_or(0, |(first, _)| more & !((1 << (first + 1)) - 1));
        prop_assert_eq!(default(bits | later), default(bits));
    }
}
