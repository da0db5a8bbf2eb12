//! The meaning of column names, by kind of file.

use sports_domain::LineColumn;
use sports_publication::season_table::{ColumnGroup as Group, TIME};
use strsim::damerau_levenshtein;

use crate::columns::{Field, FileKind, InputColumn, TIMES, columns_of, computed};
use crate::table::LONGEST_NAME;

/// The refusal of forecasts in a file of all markets.
pub(crate) const FORECASTS_ELSEWHERE: &str = "forecasts in probabilities/ or results/, where they belong to one market";

/// The meaning of a name in a header, in one kind of file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Known(Field),
    /// A publisher's own column, kept as it is; the name is the known column that it may misspell.
    Extra(Option<&'static str>),
    /// A column that is not read, with the reason.
    Ignored(String),
    /// A column that does not belong in such a file, with the expected form.
    Refused(&'static str),
    /// A known name in other letter case.
    Misspelt(&'static str, Option<Field>),
}

/// Returns the meaning of `name` in a file of `kind`.
pub(crate) fn meaning(kind: FileKind, name: &str) -> Meaning {
    if TIMES.contains(&name) {
        return Meaning::Known(TIME.into());
    }
    if let Some(column) = columns_of(kind).iter().find(|column| column.name == name) {
        return Meaning::Known(column.field);
    }
    let is_name = |column: &&InputColumn| column.name == name;
    match kind {
        FileKind::Odds | FileKind::Finals => misspelt(kind, kind, name).unwrap_or_else(|| unlisted(kind, name)),
        _ if computed(kind).any(|computed| computed == name) => ignored("the service computes it"),
        _ => match columns_of(FileKind::Results).iter().find(is_name) {
            Some(column) => elsewhere(kind, column.field),
            None => misspelt(kind, FileKind::Results, name).unwrap_or_else(|| extra(kind, name)),
        },
    }
}

fn ignored(why: &str) -> Meaning {
    Meaning::Ignored(why.to_owned())
}

/// Returns the meaning of a column that belongs to files of another kind.
fn elsewhere(kind: FileKind, field: Field) -> Meaning {
    let group = field.season_column().map(|column| column.group);
    match (kind, group) {
        // Publishers repeat this column in every row; the values are read from games/ or results/.
        (FileKind::Probabilities, Some(Group::GameType)) => ignored("it is taken from games/ or results/"),
        (FileKind::Predictions, Some(Group::Score | Group::Settlement)) => {
            Meaning::Refused("finals in games/ or results/, or in a file for `sportsctl settle`")
        }
        (FileKind::Predictions, _) => {
            Meaning::Refused("no such column: the service itself records when a prediction came and from which release")
        }
        (FileKind::Games, _) => Meaning::Refused(FORECASTS_ELSEWHERE),
        _ => Meaning::Refused("what was posted and played in games/ or results/"),
    }
}

/// Returns the meaning of an unknown column in odds or finals, which do not keep extra columns.
fn unlisted(kind: FileKind, name: &str) -> Meaning {
    if LineColumn::ALL.iter().any(|line| line.name() == name) {
        return ignored(if kind == FileKind::Odds {
            "odds are of now, openers have no place in them"
        } else {
            "finals have no lines"
        });
    }
    Meaning::Ignored(
        resembled(kind, name)
            .map_or_else(|| format!("{} have no such column", kind.word()), |known| format!("it is not `{known}`")),
    )
}

fn extra(kind: FileKind, name: &str) -> Meaning {
    Meaning::Extra(resembled(kind, name))
}

/// Returns the column that an unknown name resembles: by its spelling, or because the trade calls the column so.
fn resembled(kind: FileKind, name: &str) -> Option<&'static str> {
    let known = || columns_of(kind).iter().map(|column| column.name);
    nearest(name, known()).or_else(|| trade_name(name).filter(|meant| known().any(|known| known == *meant)))
}

/// Returns [`Meaning::Misspelt`] if the name equals, except for letter case, a column of `kind` or `among`, or a column
/// that the service computes for `kind`.
fn misspelt(kind: FileKind, among: FileKind, name: &str) -> Option<Meaning> {
    let listed = columns_of(kind).iter().chain(columns_of(among)).map(|column| (column.name, Some(column.field)));
    let times = TIMES.into_iter().map(|time| (time, Some(TIME.into())));
    let computed = computed(kind).map(|name| (name, None));
    let mut known = listed.chain(times).chain(computed);
    known.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(known, field)| Meaning::Misspelt(known, field))
}

/// Names of the trade, and the columns that they usually are.
const NAMES: [(&str, &[&str]); 22] = [
    ("date", &["gameday", "game_date", "match_date", "schedule_date"]),
    ("time_est", &["gametime", "game_time", "kickoff", "kick_off", "start_time", "tipoff"]),
    ("away_team", &["visitor", "visitor_team", "team_away"]),
    ("home_team", &["team_home"]),
    ("away_score", &["score_away", "away_points", "away_pts", "visitor_score"]),
    ("home_score", &["score_home", "home_points", "home_pts"]),
    ("game_type", &["season_type"]),
    ("settlement_status", &["game_status"]),
    ("home_money_line", &["home_moneyline", "moneyline_home", "home_ml", "ml_home", "home_odds", "odds_home"]),
    ("away_money_line", &["away_moneyline", "moneyline_away", "away_ml", "ml_away", "away_odds", "odds_away"]),
    ("open_home_money_line", &["home_ml_open", "home_moneyline_open", "home_odds_open", "open_home_odds"]),
    ("open_away_money_line", &["away_ml_open", "away_moneyline_open", "away_odds_open", "open_away_odds"]),
    ("home_point_spread", &["spread", "spread_line", "home_spread", "spread_home", "point_spread", "spread_favorite"]),
    ("away_point_spread", &["away_spread", "spread_away"]),
    ("home_point_spread_line", &["home_spread_odds", "spread_home_odds", "home_spread_price"]),
    ("away_point_spread_line", &["away_spread_odds", "spread_away_odds", "away_spread_price"]),
    ("open_home_point_spread", &["spread_open", "open_spread", "home_spread_open", "open_home_spread"]),
    ("over_under", &["total", "total_line", "ou", "ou_line", "over_under_line", "totals"]),
    ("open_over_under", &["total_open", "open_total", "total_line_open", "open_total_line"]),
    ("over_line", &["over_odds", "odds_over", "over_price"]),
    ("under_line", &["under_odds", "odds_under", "under_price"]),
    ("match_id", &["game_pk", "event_id"]),
];

/// Returns the column that a name of the trade usually is: `ml_home` is `home_money_line`. Letter case does not count.
pub fn trade_name(name: &str) -> Option<&'static str> {
    let known = |(_, others): &&(&str, &[&str])| others.iter().any(|other| other.eq_ignore_ascii_case(name));
    NAMES.iter().find(known).map(|(column, _)| *column)
}

/// The minimum length of a candidate: shorter names are too close to each other for a guess.
const SHORTEST: usize = 4;

/// The minimum length for two typing errors; below it only one is allowed, so that `note` is not taken for `date`.
const LONG_NAME: usize = 7;

/// Returns the known name closest to `name`, within the allowed number of typing errors; ignores letter case.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let name = name.to_lowercase();
    let known = known.into_iter().filter(|_| name.len() <= LONGEST_NAME);
    known
        .map(|candidate| (damerau_levenshtein(&name, &candidate.to_lowercase()), candidate))
        .filter(|(typos, candidate)| *typos == 0 || *typos <= most_typos(&name, candidate))
        .min_by_key(|(typos, _)| *typos)
        .map(|(_, candidate)| candidate)
}

/// Returns the number of typing errors allowed between two names, by the length of the shorter name.
fn most_typos(name: &str, candidate: &str) -> usize {
    match name.len().min(candidate.len()) {
        LONG_NAME.. => 2,
        _ if candidate.len() >= SHORTEST => 1,
        _ => 0,
    }
}

/// Returns ` (did you mean …?)` for a phrase to end with, or an empty string.
pub fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(name, known).map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use sports_domain::ModelName;
    use sports_publication::registry::is_reserved;

    use super::*;
    use crate::columns::{FileKind, columns_of};

    #[test]
    fn no_model_can_have_the_name_of_a_column_with_a_meaning() {
        for kind in [FileKind::Games, FileKind::Probabilities, FileKind::Results, FileKind::Predictions] {
            let known = columns_of(kind).iter().map(|column| column.name).chain(computed(kind)).chain(TIMES);
            let is_model = |name: &str| name.parse().is_ok_and(|name: ModelName| name.column().is_some());
            let free: Vec<_> = known.filter(|name| !is_reserved(name) && !is_model(name)).collect();
            assert_eq!(free, [""; 0]);
        }
    }

    #[test]
    fn every_name_of_the_trade_is_for_a_column_of_games_and_no_column_itself() {
        let columns = columns_of(FileKind::Games);
        for (column, others) in NAMES {
            assert!(columns.iter().any(|known| known.name == column), "{column}");
            assert!(others.iter().all(|other| columns.iter().all(|known| known.name != *other)), "{others:?}");
        }
        assert_eq!((trade_name("ML_Home"), trade_name("stadium")), (Some("home_money_line"), None));
    }

    #[test]
    fn a_misspelt_name_is_found_and_another_word_is_not() {
        let known = ["games", "probabilities", "results", "RF"];
        assert_eq!(nearest("gamse", known), Some("games"));
        assert_eq!(nearest("Probability", known), None);
        assert_eq!(nearest("result", known), Some("results"));
        assert_eq!(nearest("rf", known), Some("RF"));
        assert_eq!(nearest("xx", known), None);
    }

    #[test]
    fn a_short_word_does_not_misspell_another_short_word() {
        let known = ["date", "time", "season", "over_line"];
        for word in ["note", "type", "tier", "state"] {
            assert_eq!(nearest(word, known), None, "{word}");
        }
        assert_eq!(nearest("dat", known), Some("date"));
        assert_eq!(nearest("tiem", known), Some("time"));
        assert_eq!(nearest("saeson", known), Some("season"));
        assert_eq!(nearest("overline_", known), Some("over_line"));
    }
}
