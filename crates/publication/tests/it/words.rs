//! The words of feeds and sites beside a game, from the documents and answers of eight sources.

use sports_domain::FinalScore;
use sports_publication::{GameStatus, ReportedEnding, StatusKind, beside_score, without_score};

/// The words of each kind. MLB Stats API `detailedState`; ESPN `status.type.name` and `shortDetail`; NHL `gameState`; `SportsDataIO`
/// `Status`; Sportradar `status`; `MySportsFeeds` `playedStatus`; API-Sports short codes; newspapers' scoreboards.
const WORDS: [(StatusKind, &str, &[&str]); 14] = [
    (
        StatusKind::Over,
        "settled",
        &[
            "settled",
            "Settled",
            "Final",
            "FINAL",
            "F",
            "Final/10",
            "Final/OT",
            "Final - OT",
            "Final (OT)",
            "Final/2OT",
            "F/OT",
            "F/SO",
            "F/10",
            "F-11",
            "Game Over",
            "Completed Early",
            "Completed Early: Rain",
            "Final: Tied",
            "STATUS_FINAL",
            "complete",
            "COMPLETED",
            "closed",
            "official",
            "FT",
            "AOT",
            "Final/SO",
            "Final SO",
            "ended",
            "Finished",
            "F/2OT",
            "Final 3OT",
        ],
    ),
    (StatusKind::NotVerified, "provisional", &["provisional", "Final - Provisional"]),
    (StatusKind::NotVerified, "unverified", &["unverified", "UNOFFICIAL"]),
    (StatusKind::NotVerified, "protested", &["protested", "Final - Under Protest"]),
    (StatusKind::NotVerified, "under review", &["Under Review", "under_review", "COMPLETED_PENDING_REVIEW"]),
    (
        StatusKind::CalledOff,
        "postponed",
        &[
            "postponed",
            "Postponed",
            "PPD",
            "Ppd.",
            "Postponed: Rain",
            "STATUS_POSTPONED",
            "Rain Out",
            "Postponed due to COVID-19",
        ],
    ),
    (
        StatusKind::CalledOff,
        "cancelled",
        &["cancelled", "Canceled", "CANC", "STATUS_CANCELED", "unnecessary", "NotNecessary"],
    ),
    (StatusKind::CalledOff, "abandoned", &["abandoned", "ABD", "STATUS_ABANDONED"]),
    (StatusKind::CalledOff, "no contest", &["no contest", "No Contest", "no-contest"]),
    (StatusKind::CalledOff, "void", &["void", "Voided"]),
    (StatusKind::CalledOff, "suspended", &["suspended", "Susp", "Suspended: Darkness", "STATUS_SUSPENDED"]),
    (StatusKind::CalledOff, "forfeit", &["forfeit", "Forfeited", "STATUS_FORFEIT"]),
    (
        StatusKind::NotOver,
        "scheduled",
        &[
            "scheduled",
            "STATUS_SCHEDULED",
            "Pre-Game",
            "pregame",
            "Warmup",
            "TBD",
            "time-tbd",
            "if-necessary",
            "FUT",
            "Preview",
            "NS",
        ],
    ),
    (StatusKind::NotOver, "delayed", &["delayed", "Delayed: Rain", "Delayed Start", "STATUS_RAIN_DELAY", "wdelay"]),
];

/// The words of a game that is being played.
const DURING_PLAY: [&str; 27] = [
    "in progress",
    "In Progress",
    "InProgress",
    "inprogress",
    "STATUS_IN_PROGRESS",
    "live",
    "LIVE",
    "CRIT",
    "halftime",
    "Halftime",
    "HT",
    "intermission",
    "Q1",
    "q4",
    "1st Quarter",
    "End of 3rd",
    "End 2nd",
    "Top 5th",
    "Bot 9",
    "Mid 7th",
    "T5",
    "B9",
    "Q3 04:12",
    "12:34 - 2nd",
    "1st Half",
    "In Progress - Top 8th",
    "7:05 pm ET",
];

/// Words without a meaning of their own, and sentences that only begin with a known word.
const UNKNOWN: [&str; 11] =
    ["", "-", "W", "10", "OT", "SO", "post", "off", "final answer", "settled bet", "field unknown"];

#[test]
fn words_of_feeds_have_their_kind_and_the_word_of_the_record() {
    let during_play = DURING_PLAY.map(|written| (StatusKind::NotOver, "in progress", written));
    let listed =
        WORDS.iter().flat_map(|(kind, word, spellings)| spellings.iter().map(move |written| (*kind, *word, *written)));
    for (kind, word, written) in listed.chain(during_play) {
        assert_eq!(GameStatus::read(written), Some(GameStatus { kind, word }), "{written}");
    }
    for written in UNKNOWN {
        assert_eq!(GameStatus::read(written), None, "{written}");
    }
}

#[test]
fn a_word_of_the_record_is_read_as_itself() {
    for (kind, word, _) in WORDS {
        assert_eq!(GameStatus::read(word), Some(GameStatus { kind, word }));
    }
}

/// The two columns of the table of words: the record of a row with a score, and of one without.
#[test]
fn a_word_decides_the_ending_with_and_without_a_score() {
    let score = FinalScore { away: 45, home: 50 };
    for (written, with, without) in [
        ("Final/OT", Ok("settled"), Ok(Some("settled"))),
        ("provisional", Ok("provisional"), Err("both scores beside `provisional`")),
        ("PPD", Err("`PPD` says that the game is called off"), Ok(Some("postponed"))),
        ("suspended", Err("`suspended` says that the game is called off"), Ok(None)),
        ("End of 3rd", Err("`End of 3rd` says that the game is not over"), Ok(None)),
        ("field unknown", Err("a known word, in any spelling, beside a score"), Ok(Some("field unknown"))),
    ] {
        let beside = beside_score(score, written);
        match with {
            Ok(word) => assert_eq!(beside, Ok(word)),
            Err(part) => {
                let refused = beside.expect_err(written);
                let names_score = GameStatus::read(written).is_some();
                assert!(refused.contains(part) && refused.contains("45-50") == names_score, "{refused}");
            }
        }
        assert_eq!(without_score(written), without.map_err(str::to_owned), "{written}");
    }
}

#[test]
fn a_history_drops_nil_nil_beside_a_game_that_was_called_off() {
    let nil = Some(FinalScore { away: 0, home: 0 });
    let read = |score, written| ReportedEnding::in_history(score, written);
    let off = |status: Option<&str>| ReportedEnding { score: None, status: status.map(str::to_owned), void: None };
    assert_eq!(read(nil, Some("Postponed")), Ok((off(Some("postponed")), true)));
    assert_eq!(read(nil, Some("suspended")), Ok((off(None), true)));
    assert_eq!(read(None, Some("Postponed")), Ok((off(Some("postponed")), false)));
    let settled = ReportedEnding { score: nil, status: Some("settled".to_owned()), void: None };
    assert_eq!(read(nil, Some("final")), Ok((settled, false)));
    assert!(read(nil, Some("scheduled")).is_err() && read(Some(FinalScore { away: 0, home: 1 }), Some("ppd")).is_err());
}
