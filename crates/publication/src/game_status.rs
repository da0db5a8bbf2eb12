//! The words that sources have beside a game's score. All files are read by this one table.

use sports_domain::FinalScore;
use sports_transparency::StatusWord;

use crate::{Ending, ReportedEnding};

/// The kind of a source's word about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusKind {
    /// The game is over, and the score beside the word is its final.
    Over,
    /// The game is over, and its final may be changed yet.
    NotVerified,
    /// The game was not played, or not to its end.
    CalledOff,
    /// The game has not begun, or is being played.
    NotOver,
}

/// A source's word about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameStatus {
    pub kind: StatusKind,
    /// The word that the record keeps.
    pub word: &'static str,
}

/// The word for a game that was interrupted and goes on another day.
const SUSPENDED: &str = "suspended";

/// The word for a game that is being played.
const IN_PROGRESS: &str = "in progress";

/// Each word of the record with the words that sources have for it, in lower case and without separators. They are those of the
/// leagues' own sites and of feeds that publishers read.
const TABLE: [(StatusKind, &str, &str); 15] = {
    use StatusKind::{CalledOff, NotOver, NotVerified, Over};
    [
        (
            Over,
            Ending::SETTLED,
            "settled final f ft fulltime over gameover matchover complete completed closed ended finished matchfinished \
             gamefinished official played postgame endofgame aet aot fot fso finalot finalso",
        ),
        (NotVerified, "provisional", "provisional finalprovisional preliminary"),
        (NotVerified, "unverified", "unverified finalunverified unofficial unofficialfinal"),
        (NotVerified, "protested", "protested underprotest finalprotested finalunderprotest"),
        (
            NotVerified,
            "under review",
            "underreview finalunderreview pendingreview completepending completedpending completedpendingreview finalpending",
        ),
        (CalledOff, "postponed", "postponed ppd pstp pst postp rescheduled rainout rainedout snowedout"),
        (CalledOff, "cancelled", "cancelled canceled canc cancl cncl unnecessary notnecessary notneeded"),
        (CalledOff, "abandoned", "abandoned abd aban terminated"),
        (CalledOff, "no contest", "nocontest nogame nc"),
        (CalledOff, "void", "void voided annulled"),
        (CalledOff, SUSPENDED, "suspended susp suspd interrupted"),
        (CalledOff, "forfeit", "forfeit forfeited ff forf forfeiture walkover awarded"),
        (
            NotOver,
            "scheduled",
            "scheduled flexschedule created fut future upcoming notstarted ns pre pregame preview warmup tbd tba timetbd datetbd \
             ifnecessary unplayed lineups probable",
        ),
        (
            NotOver,
            IN_PROGRESS,
            "inprogress inprog inplay ingame live ongoing playing started underway active aprogress crit critical incomplete \
             pending open resumed resuming unfinished unsettled undecided notcompleted notcomplete notfinal notfinished \
             halftime half ht intermission int break bt endperiod endofperiod endofquarter endofregulation betweenrounds timeout \
             review umpirereview challenge managerchallenge playerchallenge instantreplay",
        ),
        (NotOver, "delayed", "delayed delay delayedstart raindelay weatherdelay wdelay odelay fdelay delayedopen"),
    ]
};

/// Parts of a phrase behind a word of any kind: its reason.
const REASONS: &str = "due to rain weather inclement snow wind cold fog lightning darkness wet grounds field conditions covid 19 power \
                       curfew early tie tied";

/// Parts of a phrase behind a word for a game that is over: how far it went.
const LENGTH: &str = "ot so aet overtime shootout after in extra innings inning regulation score";

/// Parts of a phrase about the part of a game that is being played, or about its start.
const PERIOD: &str = "q qtr quarter p per period h half i inn inning innings top t bottom bot btm b mid middle m end e start beginning \
                      of the am pm et est edt ot in";

const ORDINALS: &str = "st nd rd th first second third fourth";

fn is_in(list: &str, part: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == part)
}

impl GameStatus {
    /// Reads a word in any letter case, with any of blanks, `_`, `-` and `/` between its parts; `None` if the table has no such word.
    pub fn read(written: &str) -> Option<Self> {
        if written == Ending::SETTLED {
            return Some(Self { kind: StatusKind::Over, word: Ending::SETTLED });
        }
        let lower = written.to_ascii_lowercase();
        let mut parts = parts(&lower);
        if parts.first() == Some(&"status") {
            parts.remove(0);
        }
        let longest_first = (1..=parts.len()).rev();
        let mut heads = longest_first.filter_map(|length| {
            let status = Self::spelled(&parts[..length].concat())?;
            parts[length..].iter().all(|part| status.kind.may_continue(part)).then_some(status)
        });
        heads.next().or_else(|| is_period(&parts).then_some(Self { kind: StatusKind::NotOver, word: IN_PROGRESS }))
    }

    /// Returns true for a word for a game that was called off.
    pub fn is_called_off(written: &str) -> bool {
        Self::read(written).is_some_and(|status| status.kind == StatusKind::CalledOff)
    }

    fn spelled(joined: &str) -> Option<Self> {
        let found = TABLE.iter().find(|(_, _, spellings)| is_in(spellings, joined));
        found.map(|(kind, word, _)| Self { kind: *kind, word })
    }
}

impl StatusKind {
    /// Returns true for a part of a phrase that may stand behind a word of this kind.
    fn may_continue(self, part: &str) -> bool {
        is_in(REASONS, part)
            || match self {
                Self::Over | Self::NotVerified => is_in(LENGTH, part) || is_number(part),
                Self::CalledOff => false,
                Self::NotOver => is_in(LENGTH, part) || is_of_period(part),
            }
    }

    const fn phrase(self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::NotVerified => "over and not verified",
            Self::CalledOff => "called off",
            Self::NotOver => "not over",
        }
    }
}

/// Splits a phrase at anything but letters and digits, and between both.
fn parts(lower: &str) -> Vec<&str> {
    let words = lower.split(|symbol: char| !symbol.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words
        .flat_map(|word| word.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()))
        .filter_map(|part| str::from_utf8(part).ok())
        .collect()
}

fn is_number(part: &str) -> bool {
    part.bytes().all(|digit| digit.is_ascii_digit())
}

fn is_of_period(part: &str) -> bool {
    is_in(PERIOD, part) || is_in(ORDINALS, part) || is_number(part)
}

/// Returns true for a phrase such as `top 5th`, `Q3 04:12` or `7:05 pm ET`.
fn is_period(parts: &[&str]) -> bool {
    // A number by itself has no meaning, and `OT` alone is also the mark of a game that ended there.
    let names_period = parts.iter().any(|part| !is_number(part) && !["ot", "in", "of", "the"].contains(part));
    let names_place = parts.iter().any(|part| is_number(part) || is_in(ORDINALS, part) || *part == "ot");
    names_period && names_place && parts.iter().all(|part| is_of_period(part))
}

// The ending that a row reports by its score and its word.

/// Returns the status to record with a score, by the word beside it.
///
/// # Errors
///
/// The expected word, if this one is not of a game that is over.
pub fn beside_score(score: FinalScore, written: &str) -> Result<&'static str, String> {
    match GameStatus::read(written) {
        Some(GameStatus { kind: StatusKind::Over | StatusKind::NotVerified, word }) => Ok(word),
        Some(GameStatus { kind, .. }) => Err(format!(
            "a final: beside the score {score} (away-home), `{written}` says that the game is {}",
            kind.phrase()
        )),
        None => Err(format!(
            "a known word, in any spelling, beside a score: {}; {}",
            "a final is `final`, `F/OT`, `completed`, `closed`, `official` or `settled`",
            [StatusKind::NotVerified, StatusKind::CalledOff, StatusKind::NotOver].map(words_of).join("; ")
        )),
    }
}

/// Returns the words of a kind, for a message.
fn words_of(kind: StatusKind) -> String {
    let words = TABLE.iter().filter(|(of, ..)| *of == kind).map(|(_, word, _)| format!("`{word}`"));
    format!("{} are {}", kind.phrase(), words.collect::<Vec<_>>().join(", "))
}

/// Returns the status to record for a game without a score, by its word; `None` if the game stays open.
///
/// # Errors
///
/// The expected scores, if the word is of a final that is not verified, or the expected form of a word that the table lacks.
pub fn without_score(written: &str) -> Result<Option<&str>, String> {
    match GameStatus::read(written) {
        Some(GameStatus { kind: StatusKind::NotVerified, word }) => Err(format!("both scores beside `{word}`")),
        Some(GameStatus { kind: StatusKind::NotOver, .. } | GameStatus { word: SUSPENDED, .. }) => Ok(None),
        Some(GameStatus { word, .. }) => Ok(Some(word)),
        None if written.parse::<StatusWord>().is_ok() => Ok(Some(written)),
        None => Err(FORM.to_owned()),
    }
}

/// The expected form of a publisher's own word.
const FORM: &str = "a status of at most 64 lower-case letters, digits, spaces, `_` and `-`, but not `-` alone";

impl ReportedEnding {
    /// Returns the ending that a row of a history reports, and true if a score of 0-0 beside a word for a game that was called off
    /// is dropped: sources have it for games that were never played.
    ///
    /// # Errors
    ///
    /// The expected word or score, if the two contradict each other.
    pub fn in_history(score: Option<FinalScore>, written: Option<&str>) -> Result<(Self, bool), String> {
        let is_called_off = written.is_some_and(GameStatus::is_called_off);
        let is_dropped = is_called_off && score == Some(FinalScore { away: 0, home: 0 });
        let score = score.filter(|_| !is_dropped);
        let status = match (score, written) {
            (Some(score), Some(written)) => Some(beside_score(score, written)?),
            (None, Some(written)) => without_score(written)?,
            (_, None) => None,
        };
        Ok((Self { score, status: status.map(str::to_owned), void: None }, is_dropped))
    }
}
