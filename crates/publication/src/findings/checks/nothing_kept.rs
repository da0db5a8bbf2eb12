use crate::findings::season_games::SeasonGames;
use crate::findings::{Finding, FindingKind, Severity};

/// Words for parts of a season that a file may have alone, without being a mistake.
const NOT_COUNTED: [&str; 4] = ["preseason", "pre", "exhibition", "all-star"];

/// Refuses a season of which every row is left out, unless all rows are of a part that is known not to count.
pub(super) fn finding(season: &SeasonGames<'_>) -> Option<Finding> {
    let unknown = season.left_out.keys().any(|word| !NOT_COUNTED.contains(word));
    if !season.listed.is_empty() || !unknown {
        return None;
    }
    let word = |(word, count): (&&str, &usize)| {
        let hint = season_part(word).map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default();
        format!("{count} of `{word}`{hint}")
    };
    let words: Vec<_> = season.left_out.iter().map(word).collect();
    let message = format!("every row is left out: {}; `regular` and `postseason` count in game_type", words.join(", "));
    let (kind, severity, file) = (FindingKind::NothingKept, Severity::Refusal, season.file.to_owned());
    Some(Finding { kind, severity, season: season.season, file, message })
}

/// Returns the part of the season that a word of the trade means.
fn season_part(word: &str) -> Option<&'static str> {
    match word {
        "reg" | "r" | "rs" | "regular season" | "regular-season" | "regular_season" => Some("regular"),
        "post" | "wc" | "div" | "con" | "sb" | "playoff" | "playoffs" | "p" => Some("postseason"),
        _ => None,
    }
}
