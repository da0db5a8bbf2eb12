//! One id is one game, in a release and on record.

use sports_publication::Release;
use sports_publication::live::Record;

use crate::told::{MARKET, after, morning, publish, quoting, telling};

#[test]
fn one_id_is_one_game_in_all_files_of_a_release() {
    let both = |odds: &[(&str, &str, f64)], games: &[(&str, Option<&str>)]| {
        publish(&Release { odds: quoting(odds).odds, ..telling(games) }, Record::default(), morning())
    };
    let refused = both(&[("13:05:00", "a", 41.5)], &[("13:00:00", Some("a"))]).expect_err("two starts");
    assert!(refused.contains("one game for each match_id") && refused.contains("13:05:00"), "{refused}");
    let refused = both(&[("13:00:00", "a", 41.5)], &[("13:00:00", Some("b"))]).expect_err("two names");
    assert!(refused.contains("one match_id for each game") && refused.contains("`a`"), "{refused}");
    assert!(both(&[("13:00:00", "a", 41.5)], &[("13:00:00", Some("a"))]).is_ok());
}

#[test]
fn an_id_on_record_is_of_no_other_teams() {
    let known = || after(&[("13:00:00", Some("a"))]);
    let mut told = telling(&[("13:00:00", Some("a"))]);
    let row = &mut told.predictions.get_mut(&MARKET).expect("told").rows[0].value.game.key;
    std::mem::swap(&mut row.away, &mut row.home);
    let refused = publish(&told, known(), morning()).expect_err("home and away exchanged");
    assert!(refused.contains("an id no other game has") && refused.contains("cancelled"), "{refused}");
    // Once that game has begun, its id may be a number of the day.
    let evening = "2024-11-24T18:00:00Z".parse().expect("an instant");
    assert!(publish(&told, known(), evening).is_ok());
}
