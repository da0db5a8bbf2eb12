//! Endings that a settlement accepts or refuses.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{FinalScore, GameKey, Market, ModelType, Sport};
use sports_grading::{UngradedReason, Verdict};
use sports_publication::settle::{Permissions, SettleReport, settle};
use sports_publication::testing::{self, a_game, identify, key, place, season};
use sports_publication::{
    ArchivedGame, Ending, FinalRow, LeagueRecord, Located, SeasonArchive, SeasonArchives, SeasonCoverage,
};

const NO_PERMISSIONS: Permissions = Permissions { correct: false, allow_unknown: false };

fn after() -> DateTime<Utc> {
    "2024-11-25T12:00:00Z".parse().expect("an instant")
}

/// Returns archives of two markets with the same games, each with its identity.
fn archives(games: &[ArchivedGame]) -> SeasonArchives {
    let season = season(Sport::Nfl, "2024-25");
    let of = |model_type| {
        let market = Market::new(Sport::Nfl, model_type);
        let archive = SeasonArchive::new(market, season, games.to_vec()).expect("no key repeats");
        ((model_type, season), archive)
    };
    let archives = BTreeMap::from([of(ModelType::OverUnder), of(ModelType::WonOnSpread)]);
    let mut record = LeagueRecord { archives, ..LeagueRecord::default() };
    identify(Sport::Nfl, &mut record);
    record.archives
}

fn ended(key: GameKey, away: u16, home: u16) -> Located<FinalRow> {
    let ending = Ending::settled(FinalScore { away, home });
    Located {
        place: place(2),
        value: FinalRow { key, game_id: None, match_id: None, ending, void: None, remarks: Vec::new() },
    }
}

fn called_off(key: GameKey, status: &str) -> Located<FinalRow> {
    let ending = testing::called_off(status);
    Located {
        place: place(2),
        value: FinalRow { key, game_id: None, match_id: None, ending, void: None, remarks: Vec::new() },
    }
}

fn the_game() -> GameKey {
    key("2024-11-24", "13:00:00", "away_team", "home_team")
}

fn untimed() -> GameKey {
    GameKey { time: None, ..the_game() }
}

fn settled(
    games: &[ArchivedGame],
    row: Located<FinalRow>,
    permissions: Permissions,
) -> Result<(SeasonArchives, SettleReport), String> {
    let answer = settle(archives(games), &[row], permissions, after());
    answer.map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_final_is_added_in_every_market() {
    let (archives, report) =
        settled(&[a_game().unplayed().build()], ended(the_game(), 20, 24), NO_PERMISSIONS).expect("fits");
    assert_eq!((report.settled, report.corrected, report.unchanged), (1, 0, 0));
    for archive in archives.values() {
        let facts = &archive.games()[0].facts;
        assert_eq!(facts.score(), Some(FinalScore { away: 20, home: 24 }));
        assert_eq!(facts.settlement_status(), Some("settled"));
    }
}

#[test]
fn a_final_again_changes_nothing_and_another_one_needs_to_be_a_correction() {
    let games = [a_game().ending(20, 24).build()];
    let (same, report) = settled(&games, ended(the_game(), 20, 24), NO_PERMISSIONS).expect("fits");
    assert_eq!((same, report.unchanged), (archives(&games), 1));
    let refused = settled(&games, ended(the_game(), 21, 24), NO_PERMISSIONS).expect_err("contradicts");
    assert!(
        refused.ends_with("expected the ending on record, 20-24 (away-home), settled; --correct replaces it"),
        "{refused}"
    );
    let refused = settled(&games, called_off(the_game(), "cancelled"), NO_PERMISSIONS).expect_err("contradicts");
    assert!(refused.contains("`cancelled`"), "{refused}");
    let correct = Permissions { correct: true, ..NO_PERMISSIONS };
    let (corrected, report) = settled(&games, called_off(the_game(), "cancelled"), correct).expect("is allowed");
    assert_eq!(report.corrected, 1);
    assert!(corrected.values().all(|archive| archive.games()[0].facts.score().is_none()));
}

#[test]
fn a_postponed_game_can_be_played_after_all() {
    let postponed = a_game().called_off("postponed").build();
    let (_, report) = settled(&[postponed], ended(the_game(), 3, 0), NO_PERMISSIONS).expect("fits");
    assert_eq!(report.settled, 1);
}

#[test]
fn a_publishers_own_word_calls_a_game_off_and_it_awaits_no_final() {
    let game = a_game().unplayed().build();
    let oldest = |archives: &SeasonArchives| {
        archives.values().map(|archive| SeasonCoverage::from_archive(archive).oldest_unsettled_date).collect::<Vec<_>>()
    };
    let day = Some(game.facts.key.date);
    assert_eq!(oldest(&archives(std::slice::from_ref(&game))), [day, day]);
    for word in ["cancelled", "postponed", "abandoned"] {
        let (archives, report) =
            settled(std::slice::from_ref(&game), called_off(the_game(), word), NO_PERMISSIONS).expect("fits");
        let facts = &archives.values().next().expect("an archive").games()[0].facts;
        assert!(facts.is_called_off() && facts.is_over(), "{word}");
        assert_eq!((report.called_off, oldest(&archives)), (1, vec![None, None]), "{word}");
    }
}

#[test]
fn a_row_without_a_time_is_of_the_only_game_of_its_teams_that_day() {
    let (_, report) = settled(&[a_game().unplayed().build()], ended(untimed(), 20, 24), NO_PERMISSIONS).expect("fits");
    assert_eq!(report.settled, 1);
    let second = a_game().unplayed().with(|game| game.facts.key.time = "19:00:00".parse().ok()).build();
    let both = [a_game().unplayed().build(), second];
    let refused = settled(&both, ended(untimed(), 20, 24), NO_PERMISSIONS).expect_err("could be either");
    assert!(refused.contains("13:00:00") && refused.contains("19:00:00"), "{refused}");
    let allowed = settled(&both, ended(untimed(), 20, 24), Permissions { allow_unknown: true, ..NO_PERMISSIONS });
    assert!(allowed.is_err(), "which of two is no unknown game");
}

#[test]
fn a_game_on_no_record_is_refused_or_passed_over_by_name() {
    let unknown = key("2024-11-24", "13:00:00", "strangers", "other_strangers");
    let refused =
        settled(&[a_game().unplayed().build()], ended(unknown.clone(), 1, 0), NO_PERMISSIONS).expect_err("unknown");
    assert!(refused.contains("strangers at other_strangers") && refused.contains("--allow-unknown"), "{refused}");
    let allowed = Permissions { allow_unknown: true, ..NO_PERMISSIONS };
    let (same, report) =
        settled(&[a_game().unplayed().build()], ended(unknown.clone(), 1, 0), allowed).expect("passed");
    assert_eq!((report.unknown, same), (vec![unknown], archives(&[a_game().unplayed().build()])));
    assert_eq!(report.warnings, [""; 0]);
}

#[test]
fn a_remark_about_teams_is_shown_only_for_a_game_on_no_record() {
    let remark = "`Awy Team` is no team of nfl (did you mean `Away Team`?)";
    let odd = |key| {
        let mut row = ended(key, 1, 0);
        row.value.remarks = vec![remark.to_owned()];
        settled(&[a_game().unplayed().build()], row, NO_PERMISSIONS)
    };
    let refused = odd(key("2024-11-24", "13:00:00", "awy_team", "home_team")).expect_err("unknown");
    let of_minute = "2024-11-24 13:00:00 away_team at home_team is, at that start";
    assert!(refused.ends_with(&format!("a game on record; {remark}; {of_minute}")), "{refused}");
    let refused = odd(key("2024-11-24", "13:01:00", "awy_team", "home_team")).expect_err("unknown, and of no minute");
    assert!(refused.contains(&format!("a game on record; {remark}; --allow-unknown")), "{refused}");
    assert!(odd(the_game()).is_ok());
}

#[test]
fn a_row_passed_over_names_the_game_it_is_likely_to_be() {
    let allowed = Permissions { allow_unknown: true, ..NO_PERMISSIONS };
    let table = [
        (key("2024-11-24", "13:00:00", "home_team", "away_team"), ", with home and away the other way round"),
        (key("2024-11-24", "00:30:00", "away_team", "home_team"), ""),
    ];
    for (given, how) in table {
        let (_, report) =
            settled(&[a_game().unplayed().build()], ended(given.clone(), 1, 0), allowed).expect("passed over");
        let expected = format!("games/test.csv, row 2: {given} is not on record; {} is{how}", the_game());
        assert_eq!((report.unknown, report.warnings), (vec![given], vec![expected]));
    }
}

#[test]
fn a_final_comes_after_the_start_and_a_cancellation_may_come_before_it() {
    let game = a_game().unplayed().build();
    let before = "2024-11-24T17:59:00Z".parse().expect("an instant");
    let early = settle(archives(std::slice::from_ref(&game)), &[ended(the_game(), 1, 0)], NO_PERMISSIONS, before);
    assert!(early.expect_err("not played yet")[0].to_string().contains("has not"));
    let off =
        settle(archives(&[game]), &[called_off(the_game(), "cancelled")], NO_PERMISSIONS, before).expect("is known");
    assert_eq!(off.1.called_off, 1);
}

#[test]
fn two_rows_cannot_be_of_one_game() {
    let rows = [ended(the_game(), 20, 24), ended(untimed(), 20, 24)];
    let refused = settle(archives(&[a_game().unplayed().build()]), &rows, NO_PERMISSIONS, after()).expect_err("twice");
    assert!(refused[0].to_string().contains("each game once"));
}

#[test]
fn a_provisional_final_is_confirmed_without_being_a_correction() {
    let provisional = |away, home| {
        let ending = Ending::Final { score: FinalScore { away, home }, status: "unverified".to_owned() };
        Located {
            place: place(2),
            value: FinalRow { key: the_game(), game_id: None, match_id: None, ending, void: None, remarks: Vec::new() },
        }
    };
    let (archives, report) =
        settled(&[a_game().unplayed().build()], provisional(20, 24), NO_PERMISSIONS).expect("fits");
    let games = archives.values().next().expect("an archive").games().to_vec();
    assert_eq!(report.settled, 1);
    let (confirmed, report) = settled(&games, ended(the_game(), 20, 24), NO_PERMISSIONS).expect("says the same score");
    assert_eq!((report.settled, report.corrected, report.unchanged), (1, 0, 0));
    let facts = confirmed.values().next().expect("an archive").games()[0].facts.clone();
    assert_eq!(facts.settlement_status(), Some("settled"));
    // Another score contradicts the final on record, and so does a provisional status after `settled`.
    let other = settled(&games, ended(the_game(), 21, 24), NO_PERMISSIONS).expect_err("another score");
    assert!(
        other.contains("`21-24 (away-home), settled`") && other.contains("20-24 (away-home), unverified"),
        "{other}"
    );
    let settled_games = confirmed.values().next().expect("an archive").games().to_vec();
    assert!(settled(&settled_games, provisional(20, 24), NO_PERMISSIONS).is_err());
}

#[test]
fn void_markets_of_a_final_are_ungraded_and_stay_until_a_row_states_others() {
    let stating = |void: Option<&str>| {
        let mut row = ended(the_game(), 5, 3);
        row.value.void = void.map(|list| list.parse().expect("markets"));
        row
    };
    let reasons = |archives: &SeasonArchives| {
        let game = |archive: &SeasonArchive| archive.games()[0].market_game(archive.market().model_type).verdict();
        archives.values().map(|archive| (archive.games()[0].facts.is_settled(), game(archive))).collect::<Vec<_>>()
    };
    let games = |archives: &SeasonArchives| archives.values().next().expect("an archive").games().to_vec();
    let with_lines = a_game().blend(0.6).unplayed().build();
    let (void, report) = settled(&[with_lines], stating(Some("total")), NO_PERMISSIONS).expect("fits");
    assert_eq!(report.settled, 1);
    let facts = games(&void)[0].facts.clone();
    assert_eq!((facts.settlement_status(), facts.score().is_some()), (Some("settled void over_under"), true));
    let no_final = Verdict::Ungraded(UngradedReason::NoFinal);
    let [total, spread] = reasons(&void).try_into().expect("two markets");
    assert!(total == (true, no_final) && spread.0 && spread.1 != no_final, "{spread:?}");

    let (again, report) = settled(&games(&void), stating(None), NO_PERMISSIONS).expect("states no markets");
    assert_eq!((again, report.unchanged), (void.clone(), 1));
    for other in ["none", "total spread"] {
        let refused = settled(&games(&void), stating(Some(other)), NO_PERMISSIONS).expect_err("contradicts");
        assert!(refused.contains("5-3 (away-home), settled void over_under; --correct"), "{refused}");
    }
    let correct = Permissions { correct: true, ..NO_PERMISSIONS };
    let (lifted, _) = settled(&games(&void), stating(Some("none")), correct).expect("is allowed");
    assert_eq!(games(&lifted)[0].facts.settlement_status(), Some("settled"));
    assert!(reasons(&lifted).iter().all(|(is_settled, verdict)| *is_settled && *verdict != no_final));
}

#[test]
fn games_called_off_are_counted_apart() {
    let (_, report) =
        settled(&[a_game().unplayed().build()], called_off(the_game(), "postponed"), NO_PERMISSIONS).expect("is known");
    assert_eq!((report.settled, report.called_off), (0, 1));
}

#[test]
fn a_called_off_game_that_gets_a_final_is_named() {
    let (off, first) =
        settled(&[a_game().unplayed().build()], called_off(the_game(), "postponed"), NO_PERMISSIONS).expect("is known");
    let games = off.values().next().expect("an archive").games().to_vec();
    let (_, played) = settled(&games, ended(the_game(), 20, 24), NO_PERMISSIONS).expect("was played after all");
    assert_eq!((first.revived, played.revived, played.settled), (vec![], vec![the_game()], 1));
}

#[test]
fn a_game_with_home_and_away_swapped_is_shown_as_on_record() {
    let swapped = key("2024-11-24", "13:00:00", "home_team", "away_team");
    let refused = settled(&[a_game().unplayed().build()], ended(swapped, 24, 20), NO_PERMISSIONS).expect_err("unknown");
    let game = "2024-11-24 13:00:00 away_team at home_team";
    assert!(refused.ends_with(&format!("{game} is, with home and away the other way round")), "{refused}");
}

#[test]
fn a_game_with_one_team_in_common_is_not_the_other_way_round() {
    for (away, home) in [("home_team", "strangers"), ("strangers", "away_team")] {
        let final_key = key("2024-11-24", "13:00:00", away, home);
        let refused =
            settled(&[a_game().unplayed().build()], ended(final_key, 24, 20), NO_PERMISSIONS).expect_err("unknown");
        assert!(refused.ends_with("--allow-unknown passes such rows over"), "{refused}");
    }
}

#[test]
fn a_club_is_known_by_any_of_its_names() {
    let named = |away, home| key("2024-11-24", "13:00:00", away, home);
    let game =
        a_game().unplayed().with(|game| game.facts.key = named("oakland_raiders", "washington_redskins")).build();
    let reported = named("las_vegas_raiders", "washington_commanders");
    let (_, report) = settled(std::slice::from_ref(&game), ended(reported, 20, 24), NO_PERMISSIONS).expect("fits");
    assert_eq!(report.settled, 1);
    let swapped = named("washington_commanders", "las_vegas_raiders");
    let refused = settled(&[game], ended(swapped, 20, 24), NO_PERMISSIONS).expect_err("swapped");
    assert!(refused.contains("oakland_raiders at washington_redskins is, with home and away"), "{refused}");
}

/// Archives of a doubleheader of mlb: one start is known, and one game has none.
fn day_of_two() -> SeasonArchives {
    let (season, market) = (season(Sport::Mlb, "2024"), Market::new(Sport::Mlb, ModelType::OverUnder));
    let game = |key: GameKey| a_game().unplayed().with(|game| game.facts.key = key).build();
    let archive = SeasonArchive::new(market, season, vec![game(the_game()), game(untimed())]).expect("no key repeats");
    let archives = BTreeMap::from([((ModelType::OverUnder, season), archive)]);
    let mut record = LeagueRecord { archives, ..LeagueRecord::default() };
    identify(Sport::Mlb, &mut record);
    record.archives
}

#[test]
fn a_game_without_a_start_has_the_final_that_the_others_of_its_day_leave() {
    let at = |time: &str| key("2024-11-24", time, "away_team", "home_team");
    let finals = |archives: &SeasonArchives| {
        let games = archives.values().flat_map(SeasonArchive::games);
        games.map(|game| (game.facts.key.time.is_some(), game.facts.score())).collect::<Vec<_>>()
    };
    let score = |away, home| Some(FinalScore { away, home });
    let both = vec![(true, score(3, 4)), (false, score(5, 4))];
    let settled = |archives, rows: &[Located<FinalRow>]| settle(archives, rows, NO_PERMISSIONS, after());
    for start in [at("16:40:00"), at("23:33:00"), at("00:00:00")] {
        let rows = [ended(the_game(), 3, 4), ended(start.clone(), 5, 4)];
        let (whole, _) = settled(day_of_two(), &rows).expect("one is left");
        assert_eq!(finals(&whole), both, "{start}");
        let (first, _) = settled(day_of_two(), &rows[..1]).expect("by its start");
        let (whole, _) = settled(first, &rows[1..]).expect("the other is over");
        assert_eq!(finals(&whole), both, "{start}");
    }
    // The first one may have been delayed.
    let refused = settled(day_of_two(), &[ended(at("16:40:00"), 5, 4)]).expect_err("of which game?");
    assert!(refused[0].to_string().contains("a game on record; there is"), "{refused:?}");
    let of_one = [ended(at("15:00:00"), 5, 4), ended(at("18:40:00"), 3, 4)];
    assert!(settled(day_of_two(), &of_one).is_err());
    let named = |mut row: Located<FinalRow>, id: &str| {
        row.value.game_id = Some(id.to_owned());
        row
    };
    let ids: Vec<_> = day_of_two()
        .values()
        .next()
        .expect("an archive")
        .games()
        .iter()
        .map(|game| game.facts.game_id.clone())
        .collect();
    let [one, other] = [0, 1].map(|place: usize| ids[place].clone().expect("an identity"));
    let rows = [named(ended(untimed(), 3, 4), &one), named(ended(untimed(), 5, 4), &other)];
    assert_eq!(finals(&settled(day_of_two(), &rows).expect("by their ids").0), both);
}

#[test]
fn a_final_with_a_start_before_the_standing_forecast_needs_that_start_on_record() {
    let forecast_at = "2024-11-24T16:45:00Z".parse().expect("an instant");
    let game = |key: GameKey| a_game().unplayed().live("a run", forecast_at).with(|game| game.facts.key = key).build();
    let at = |time: &str| ended(key("2024-11-24", time, "away_team", "home_team"), 20, 24);
    let refused = settled(&[game(untimed())], at("11:30:00"), NO_PERMISSIONS).expect_err("was made in play");
    assert!(
        refused.contains("2024-11-24T16:45:00Z, after it: publish the game at this start in `games/`"),
        "{refused}"
    );
    for (key, row) in [
        (untimed(), at("11:46:00")),
        (untimed(), at("00:00:00")),
        (untimed(), ended(untimed(), 20, 24)),
        // The start on record decides.
        (the_game(), at("11:30:00")),
    ] {
        assert!(settled(&[game(key.clone())], row, NO_PERMISSIONS).is_ok(), "{key}");
    }
}
