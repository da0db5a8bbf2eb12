//! The moves of odds and predictions, the changes since a generation, and the slate of a league, of the real server.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};

use super::histories::{AT_NOW, day, found};
use crate::folder::Folder;
use crate::service::{Service, Site};

const COLTS: &str = "nfl-2024-01-06-houston_texans-indianapolis_colts";
const RAVENS: &str = "nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens";
const RAVENS_START: &str = "2024-01-06T21:30:00Z";

/// The operations with moves: the address of the slate, and its query.
const SLATES: [(&str, &str); 4] = [
    ("odds/nfl", ""),
    ("predictions/nfl/won_on_points", "upcoming_only=false&model=BLEND"),
    ("predictions/nfl/won_on_spread", "upcoming_only=false&model=XGB"),
    ("predictions/nfl/over_under", "upcoming_only=false&model=BLEND"),
];

/// Numbers that look random and follow from their seed (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// The publications of a random log: the first in the morning, the last after the first game's start.
pub const PUBLICATIONS: i64 = 12;

/// Publishes a random log: odds alone or the whole slate, each with other prices and probabilities, and some games less. An even
/// number is of a league whose predictions do not depend on odds: newer odds change the lines of its predictions.
pub fn random_log(seed: u64) -> Site {
    let numbers = &mut Numbers(seed);
    let site = Site::on_one_machine();
    let first: DateTime<Utc> = "2024-01-06T15:00:00Z".parse().expect("an instant");
    for count in 0..PUBLICATIONS {
        let at = first + TimeDelta::minutes(40 * count);
        let folder = random_release(at, count > 0 && numbers.below(2) == 0, numbers);
        let folder = folder.edit("release.json", |text| {
            let mut manifest: Value = serde_json::from_str(text).expect("JSON");
            if count == 0 && seed.is_multiple_of(2) {
                manifest["odds_dependent"] = json!(false);
            }
            manifest.to_string()
        });
        let printed = site.place.ctl(["publish", folder.path().to_str().expect("text"), "--as-of", &at.to_rfc3339()]);
        assert!(printed.contains("published: "), "{printed}");
    }
    site
}

fn random_release(at: DateTime<Utc>, odds_alone: bool, numbers: &mut Numbers) -> Folder {
    let folder = Folder::copy_of("nfl-2023-week-18-slate");
    let read = (at - TimeDelta::minutes(5)).to_rfc3339();
    let mut manifest = json!({
        "sport": "nfl", "season": "2023-24", "slate_date": "2024-01-06", "slate": "active",
        "source_as_of": { "odds": read, "predictions": read },
    });
    if odds_alone {
        manifest["source_as_of"] = json!({ "odds": read });
        fs::remove_dir_all(folder.path().join("predictions")).expect("removed");
    }
    fs::write(folder.path().join("release.json"), manifest.to_string()).expect("written");
    let gone = |numbers: &mut Numbers| numbers.below(8) == 0;
    let folder = folder.edit("odds.json", |text| {
        let mut odds: Value = serde_json::from_str(text).expect("JSON");
        let games = odds["games"].as_array_mut().expect("games");
        games.retain(|_| !gone(numbers));
        for game in games {
            for name in ["home_money_line", "over_line", "home_point_spread_line"] {
                if numbers.below(3) == 0 {
                    game[name] = json!(-101 - i64::try_from(numbers.below(60)).expect("small"));
                }
            }
            game["last_updated"] = json!(format!("2024-01-06 09:{:02}:00", numbers.below(60)));
        }
        odds.to_string()
    });
    if odds_alone {
        return folder;
    }
    folder.edit("predictions/won_on_points.json", |text| {
        let mut games: Vec<Value> = serde_json::from_str(text).expect("JSON");
        games.retain(|_| !gone(numbers));
        for game in &mut games {
            if numbers.below(3) == 0 {
                game["BLEND"] = json!(f64::from(u16::try_from(400 + numbers.below(200)).expect("small")) / 1000.0);
            }
            if numbers.below(6) == 0 {
                game.as_object_mut().expect("a game").remove("XGB");
            }
        }
        json!(games).to_string()
    })
}

/// Returns the games of an answer without the time of the last reading, by their identities.
fn slate(answer: &Value) -> BTreeMap<String, Map<String, Value>> {
    let games = answer["games"].as_array().expect("games").iter();
    games.map(|game| (game["game_id"].as_str().expect("an identity").to_owned(), values(game))).collect()
}

fn values(game: &Value) -> Map<String, Value> {
    let mut game = game.as_object().expect("a game").clone();
    for head in ["generation", "published_at", "change", "last_updated"] {
        game.remove(head);
    }
    game
}

fn with(path: &str, query: &str) -> String {
    if query.is_empty() { format!("/api/v1/{path}") } else { format!("/api/v1/{path}?{query}") }
}

/// Returns the query of a list of moves: that of the slate, without its range of games.
fn of_moves(query: &str, more: &str) -> String {
    format!("{more}&{}", query.trim_start_matches("upcoming_only=false&")).trim_end_matches('&').to_owned()
}

/// Returns all moves after a generation, read page by page.
async fn moves(service: &Service, path: &str, query: &str, after: u64, limit: u64) -> Vec<Value> {
    let (mut moves, mut next) = (Vec::new(), Some(after));
    while let Some(after) = next {
        let query = of_moves(query, &format!("after_generation={after}&limit={limit}"));
        let page = found(service, &with(&format!("{path}/moves"), &query)).await;
        let rows = page["moves"].as_array().expect("moves").clone();
        let generations: BTreeSet<_> = rows.iter().map(|row| row["generation"].as_u64().expect("a number")).collect();
        assert!(generations.iter().all(|generation| *generation > after), "{page}");
        next = page["next"].as_u64();
        if let Some(next) = next {
            assert!(rows.len() as u64 >= limit && generations.last() == Some(&next), "a full page: {page}");
        }
        moves.extend(rows);
    }
    moves
}

fn apply(slate: &mut BTreeMap<String, Map<String, Value>>, moves: &[Value]) {
    for row in moves {
        let id = row["game_id"].as_str().expect("an identity").to_owned();
        let change = row["change"].as_str().expect("a word");
        let before = if change == "gone" { slate.remove(&id) } else { slate.insert(id, values(row)) };
        assert_eq!(before.is_none(), change == "new", "{row}");
        assert_ne!(before, Some(values(row)), "nothing moved: {row}");
    }
}

#[tokio::test]
async fn the_slate_at_a_generation_with_the_moves_after_it_is_the_slate_now() {
    for seed in 1..=4 {
        let mut numbers = Numbers(seed);
        let site = random_log(seed);
        let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-07T03:00:00Z")]).await;
        let mut kinds = BTreeSet::new();
        for (path, query) in SLATES {
            let now = slate(&found(&service, &with(path, query)).await);
            for after in 0..=PUBLICATIONS.unsigned_abs() {
                let then = match after {
                    0 => BTreeMap::new(),
                    after => slate(&found(&service, &with(path, &format!("generation={after}&{query}"))).await),
                };
                let limit = 1 + numbers.below(40);
                let moves = moves(&service, path, query, after, limit).await;
                kinds.extend(moves.iter().map(|row| row["change"].as_str().expect("a word").to_owned()));
                let late =
                    |row: &&Value| row["published_at"].as_str() > Some(RAVENS_START) && text(&row["game_id"]) == RAVENS;
                // Where predictions depend on odds: elsewhere they have their own lines again once odds leave a game out.
                if seed % 2 == 1 {
                    assert!(
                        moves.iter().filter(late).all(|row| row["change"] != "moved"),
                        "{path}: a game that has started"
                    );
                }
                let mut reached = then.clone();
                apply(&mut reached, &moves);
                assert_eq!(reached, now, "{path} after {after} with {limit} a page, seed {seed}");
                // The games that changed at all since then, in one step.
                let changed = found(&service, &with(path, &format!("changed_after={after}&{query}"))).await;
                let mut merged = then.clone();
                for id in changed["gone"].as_array().expect("a list") {
                    assert!(merged.remove(id.as_str().expect("an identity")).is_some(), "{path} after {after}: {id}");
                }
                for (id, game) in slate(&changed) {
                    assert_ne!(merged.insert(id, game.clone()), Some(game), "{path} after {after}");
                }
                assert_eq!(merged, now, "{path} after {after}, seed {seed}");
            }
        }
        assert_eq!(kinds, ["gone", "moved", "new"].map(str::to_owned).into(), "seed {seed}");
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Returns each move as its generation, change, game and home money line.
fn brief(page: &Value) -> Vec<(u64, &str, &str, Option<i64>)> {
    let rows = page["moves"].as_array().expect("moves").iter();
    rows.map(|row| {
        let generation = row["generation"].as_u64().expect("a number");
        (generation, text(&row["change"]), text(&row["game_id"]), row["home_money_line"].as_i64())
    })
    .collect()
}

/// The second entry has other prices of the Colts, the third again and of the Ravens after their start, the fourth lacks the Colts.
#[tokio::test]
async fn moves_of_odds_are_those_of_games_that_have_not_started() {
    let site = day();
    let service = site.app_with(&[AT_NOW]).await;
    let page = found(&service, "/api/v1/odds/nfl/moves?after_generation=1").await;
    let expected = [(2, "moved", COLTS, Some(110)), (3, "moved", COLTS, Some(-150)), (4, "gone", COLTS, None)];
    assert_eq!((brief(&page), &page["next"]), (expected.to_vec(), &Value::Null));
    let gone = &page["moves"][2];
    for (name, value) in gone.as_object().expect("a row") {
        let is_of_game = ["generation", "published_at", "change", "game_id", "date", "time", "away_team", "home_team"];
        assert_eq!(value.is_null(), !is_of_game.contains(&&**name) && name != "match_id", "{name} of {gone}");
    }
    assert_eq!(gone["time"], "20:15:00");
    let first = found(&service, "/api/v1/odds/nfl/moves?generation=1&limit=1000").await;
    assert!(brief(&first).iter().all(|(generation, change, ..)| (*generation, *change) == (1, "new")), "{first}");
    assert_eq!(first["moves"].as_array().map(Vec::len), Some(16));
    // Between two instants: after the slate of the first one, through that of the second.
    let between = "from=2024-01-06T15:00:00Z&to=2024-01-06T22:30:00.999Z";
    let some = found(&service, &format!("/api/v1/odds/nfl/moves?{between}")).await;
    assert!(brief(&some).iter().any(|row| row.0 == 3) && !brief(&some).iter().any(|row| row.0 == 4), "{some}");
    let pinned = found(&service, "/api/v1/odds/nfl/moves?after_generation=1&generation=2").await;
    assert_eq!(brief(&pinned), expected[..1]);
}

#[tokio::test]
async fn a_range_that_is_over_may_be_kept_and_the_newest_one_is_compared() {
    let site = day();
    let service = site.app_with(&[AT_NOW]).await;
    let kept = |answer: &crate::service::Answer| answer.header("cache-control") == Some("private, max-age=86400");
    let over = ["after_generation=1&limit=1", "after_generation=1&generation=3", "to=2024-01-06T20:00:00Z"];
    for query in over {
        assert!(kept(&service.get(&format!("/api/v1/odds/nfl/moves?{query}")).await), "{query}");
    }
    let markets = "/api/v1/predictions/nfl/won_on_points/moves?limit=1";
    assert!(!kept(&service.get(markets).await), "the default model can change");
    assert!(kept(&service.get(&format!("{markets}&model=BLEND")).await));
    for path in [
        "odds/nfl/moves?after_generation=1",
        "odds/nfl?changed_after=1",
        "slate/nfl?upcoming_only=false",
        "slate/nfl?upcoming_only=false&changed_after=2",
    ] {
        let answer = service.get(&format!("/api/v1/{path}")).await;
        assert!((answer.status, kept(&answer)) == (200, false), "{path}: {}", answer.text());
        assert_eq!(answer.header("x-generation"), Some("4"), "{path}");
        let etag = answer.header("etag").expect("a validator").to_owned();
        let again = service.keyed(&format!("/api/v1/{path}")).header("If-None-Match", &etag);
        assert_eq!(crate::service::Answer::to(again).await.status, 304, "{path}");
        let other =
            path.replace("=1", "=3").replace("=2", "=3").replace("nfl?upcoming_only=false", "nfl?upcoming_only=true");
        let other = service.keyed(&format!("/api/v1/{other}")).header("If-None-Match", &etag);
        assert_eq!(crate::service::Answer::to(other).await.status, 200, "another answer has another validator: {path}");
    }
}

#[tokio::test]
async fn a_request_for_moves_that_cannot_be_answered_says_why() {
    let site = day();
    let service = site.app_with(&[AT_NOW]).await;
    let refused = [
        (
            "odds/nfl/moves?after_generation=1&from=2024-01-06T15:00:00Z",
            "`after_generation` and `from` exclude each other",
        ),
        (
            "odds/nfl/moves?to=2024-01-06T15:00:00Z&generation=1",
            "`to` excludes `as_of` and `generation`: each of them ends the list",
        ),
        ("odds/nfl/moves?from=2024-01-07T00:00:00Z&to=2024-01-06T23:00:00Z", "`from` is after `to`"),
        ("odds/nfl/moves?after_generation=-1", "`after_generation` must be a whole number, 0 or more"),
        ("odds/nfl/moves?limit=1001", "`limit` must be a whole number from 1 to 1000"),
        ("odds/nfl/moves?format=csv&limit=3", "`limit` applies to JSON; tables return every row"),
        (
            "odds/nfl/moves?after_generation=3&generation=2",
            "`after_generation` is 3, but the answer is of generation 2: send 2 or less",
        ),
        (
            "odds/nfl?changed_after=4&generation=1",
            "`changed_after` is 4, but the answer is of generation 1: send 1 or less",
        ),
        (
            "corrections/nfl?since_generation=2&after_generation=1",
            "`since_generation` and `after_generation` exclude each other: the first generation that you lack, or the last one that you have",
        ),
    ];
    for (path, detail) in refused {
        assert_eq!(service.get(&format!("/api/v1/{path}")).await.failure(400), detail, "{path}");
    }
    for path in ["odds/nfl/moves?after_generation=5", "odds/nfl?changed_after=5", "slate/nfl?changed_after=5"] {
        let detail = service.get(&format!("/api/v1/{path}")).await.failure(404);
        assert_eq!(detail, "nfl has no generation 5: the newest is 4", "{path}");
    }
    for path in ["odds/nba/moves", "predictions/nba/over_under/moves", "slate/nba"] {
        let detail = service.get(&format!("/api/v1/{path}")).await.failure(404);
        assert!(detail.ends_with("published for nba") || detail.contains("published for nba"), "{detail}");
    }
    let same = ["since_generation=2", "after_generation=1"].map(|query| format!("/api/v1/corrections/nfl?{query}"));
    assert_eq!(found(&service, &same[0]).await, found(&service, &same[1]).await);
}

/// Returns the fields of a game in the predictions of a market that are not of the game itself.
fn of_market(game: &Map<String, Value>) -> Value {
    let mut game = game.clone();
    for name in ["game_id", "match_id", "date", "time", "away_team", "home_team"] {
        game.remove(name);
    }
    game.into()
}

#[tokio::test]
async fn a_slate_has_the_games_of_the_three_predictions_and_the_odds_beside_them() {
    let site = random_log(3);
    let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-07T03:00:00Z")]).await;
    for query in
        ["upcoming_only=false", "upcoming_only=true", "model=XGB", "generation=2", "as_of=2024-01-06T17:00:00Z"]
    {
        let answer = found(&service, &format!("/api/v1/slate/nfl?{query}")).await;
        let games = slate(&answer);
        let mut listed = BTreeSet::new();
        for (market, model_type) in
            [("moneyline", "won_on_points"), ("spread", "won_on_spread"), ("total", "over_under")]
        {
            let alone = found(&service, &format!("/api/v1/predictions/nfl/{model_type}?{query}")).await;
            for name in ["predictions_date", "model", "models_used"] {
                assert_eq!(answer["markets"][market][name], alone[name], "{query} {market} {name}");
            }
            let alone = slate(&alone);
            listed.extend(alone.keys().cloned());
            for (id, game) in &games {
                let expected = alone.get(id).map_or(Value::Null, of_market);
                assert_eq!(game[market], expected, "{query} {market} {id}");
            }
        }
        assert_eq!(games.keys().cloned().collect::<BTreeSet<_>>(), listed, "{query}");
        let moment = if query.contains("=2") { query } else { "" };
        let odds = found(&service, &format!("/api/v1/odds/nfl?{moment}")).await;
        assert_eq!(answer["odds_updated"], odds["last_updated"]);
        for (id, game) in &games {
            let quoted = odds["games"].as_array().expect("games").iter().find(|game| game["game_id"] == **id);
            let expected = quoted.map_or(Value::Null, |game| of_market(game.as_object().expect("a game")));
            assert_eq!(game["odds"], expected, "{query} {id}");
        }
        let starts: Vec<_> = answer["games"]
            .as_array()
            .expect("games")
            .iter()
            .map(|game| (game["date"].to_string(), game["time"].to_string()))
            .collect();
        assert!(starts.is_sorted(), "{starts:?}");
    }
}

#[tokio::test]
async fn the_changes_of_a_slate_merge_into_an_earlier_one() {
    let site = random_log(4);
    let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-07T03:00:00Z")]).await;
    // Whatever reading of the book a game has.
    let without_reading = |answer: &Value| {
        let mut games = slate(answer);
        for game in games.values_mut() {
            if let Some(odds) = game["odds"].as_object_mut() {
                odds.remove("last_updated");
            }
        }
        games
    };
    let now = without_reading(&found(&service, "/api/v1/slate/nfl?upcoming_only=false").await);
    let mut least = usize::MAX;
    for after in 1..=PUBLICATIONS {
        let then = found(&service, &format!("/api/v1/slate/nfl?upcoming_only=false&generation={after}")).await;
        let changed = found(&service, &format!("/api/v1/slate/nfl?upcoming_only=false&changed_after={after}")).await;
        let mut merged = without_reading(&then);
        for id in changed["gone"].as_array().expect("a list") {
            assert!(merged.remove(id.as_str().expect("an identity")).is_some(), "after {after}: {id}");
        }
        let changed = without_reading(&changed);
        least = least.min(changed.len());
        merged.extend(changed);
        assert_eq!(merged, now, "after {after}");
    }
    assert_eq!(least, 0, "nothing changed since the newest");
}

#[tokio::test]
async fn only_the_games_whose_served_lines_changed_are_listed() {
    let site = day();
    let service = site.app_with(&[AT_NOW]).await;
    let changed = async |path: &str| {
        let path = format!("/api/v1/{path}changed_after=1&generation=3");
        slate(&found(&service, &path).await).into_keys().collect::<Vec<_>>()
    };
    // Newer odds of the Ravens came after their start, and those of the Colts reach no models that depend on odds.
    assert_eq!(changed("odds/nfl?").await, [COLTS]);
    assert_eq!(changed("predictions/nfl/won_on_points?upcoming_only=false&").await, [""; 0]);
    assert_eq!(changed("slate/nfl?upcoming_only=false&").await, [COLTS]);
}
