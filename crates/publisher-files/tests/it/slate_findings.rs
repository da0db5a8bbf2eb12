//! Mistakes of whole files in odds and predictions: named in one game, refused in most of two or more.

use sports_publication::SeasonArchives;
use sports_publication::findings::{Finding, FindingKind, Severity, examine};

use crate::folder::Folder;

/// The games of a slate.
const GAMES: [&str; 4] = ["bills,dolphins", "bears,packers", "lions,giants", "jets,ravens"];

/// Returns the text of a file with a game for each of the `lines`.
fn file(columns: &str, lines: &[String]) -> String {
    let rows = lines.iter().zip(GAMES).map(|(cells, teams)| format!("2024-09-15,13:00,{teams},{cells}\n"));
    format!("date,time,away_team,home_team,{columns}\n{}", rows.collect::<String>())
}

fn examined(folder: &Folder) -> Vec<Finding> {
    examine(&folder.release(), &SeasonArchives::new())
}

/// Returns the findings of odds with these cells.
fn odds(columns: &str, lines: &[String]) -> Vec<Finding> {
    examined(&Folder::for_sport("nfl").with("odds.csv", file(columns, lines)))
}

fn kinds(findings: &[Finding]) -> Vec<(FindingKind, Severity)> {
    findings.iter().map(|finding| (finding.kind, finding.severity)).collect()
}

/// Returns one of two rows for each game: the first for the first `count`.
fn rows(count: usize, of: usize, first: &str, others: &str) -> Vec<String> {
    // Equal lines in all games would be a finding of their own.
    (0..of).map(|index| format!("{},{}", if index < count { first } else { others }, index + 1)).collect()
}

const MONEY: &str = "away_money_line,home_money_line,match_id";

#[test]
fn prices_that_no_book_offers_are_named_in_one_game_and_refused_in_most() {
    for (lost, of, severity) in [
        (0, 4, None),
        (1, 1, Some(Severity::Warning)),
        (1, 4, Some(Severity::Warning)),
        (2, 4, Some(Severity::Warning)),
        (2, 2, Some(Severity::Refusal)),
        (3, 4, Some(Severity::Refusal)),
    ] {
        let found: Vec<_> = odds(MONEY, &rows(lost, of, "150,130", "-150,130"));
        let found: Vec<_> = found.into_iter().filter(|finding| finding.kind == FindingKind::Vig).collect();
        assert_eq!(
            found.iter().map(|finding| finding.severity).collect::<Vec<_>>(),
            Vec::from_iter(severity),
            "{lost} of {of}"
        );
        for text in found.iter().map(ToString::to_string) {
            assert!(
                text.contains(&format!("{lost} of {of} games: row 2, 2024-09-15 13:00:00 buffalo_bills at")),
                "{text}"
            );
            assert!(text.contains("were minus signs lost?"), "{text}");
            assert_eq!(text.contains("--allow vig"), severity == Some(Severity::Refusal), "{text}");
        }
    }
}

#[test]
fn a_spread_of_the_other_team_is_named_and_refused_in_most_games() {
    let columns = "away_money_line,home_money_line,home_point_spread,match_id";
    for (flipped, of, severity) in [
        (0, 3, None),
        (1, 1, Some(Severity::Warning)),
        (1, 3, Some(Severity::Warning)),
        (2, 3, Some(Severity::Refusal)),
    ] {
        let found = odds(columns, &rows(flipped, of, "150,-180,3.5", "155,-185,-3.5"));
        let found: Vec<_> = found.iter().filter(|finding| finding.kind == FindingKind::SpreadSigns).collect();
        assert_eq!(found.iter().map(|finding| finding.severity).collect::<Vec<_>>(), Vec::from_iter(severity));
        assert!(found.iter().all(|finding| finding.message.contains("column home_point_spread")), "{found:?}");
    }
}

#[test]
fn one_value_in_all_games_has_a_warning_from_four_games() {
    let of = |games: usize| {
        let lines: Vec<_> = (0..games).map(|index| format!("44.5,{index}")).collect();
        kinds(&odds("over_under,match_id", &lines))
    };
    assert_eq!(of(3), []);
    assert_eq!(of(4), [(FindingKind::EqualLines, Severity::Warning)]);
}

#[test]
fn files_of_a_release_are_judged_together() {
    let spreads = file("home_point_spread,BLEND", &["3.5,0.5".to_owned(), "4.5,0.5".to_owned()]);
    let money = file("away_money_line,home_money_line", &["150,-180".to_owned(), "155,-185".to_owned()]);
    let folder = || Folder::of_season("nfl", "2024-25", "").with("predictions/won_on_spread.csv", &spreads);
    assert_eq!(examined(&folder()), []);
    let both = examined(&folder().with("odds.csv", &money));
    assert_eq!(kinds(&both), [(FindingKind::SpreadSigns, Severity::Refusal)], "in the file that has the spreads");
    let begin =
        "predictions/won_on_spread.csv: spread-signs: column home_point_spread: the clear favourites by spread and by";
    assert!(both[0].to_string().starts_with(begin), "{}", both[0]);
    let totals = file("over_under", &["30.5".to_owned(), "40.5".to_owned()]);
    let wide = file("home_point_spread,BLEND", &["34,0.5".to_owned(), "3,0.5".to_owned()]);
    let both =
        Folder::of_season("nfl", "2024-25", "").with("odds.csv", totals).with("predictions/won_on_spread.csv", wide);
    let found = examined(&both);
    assert!(found.iter().any(|it| (it.kind, it.severity) == (FindingKind::LineBounds, Severity::Refusal)), "{found:?}");
    assert!(found.iter().all(|it| it.message.contains("buffalo_bills at")), "{found:?}");
}

#[test]
fn moneylines_against_the_spreads_of_another_file_are_named_by_their_own_columns() {
    let right = file(
        "away_money_line,home_money_line,home_point_spread",
        &["150,-180,-3.5".to_owned(), "155,-185,-4.5".to_owned()],
    );
    let exchanged =
        file("away_money_line,home_money_line,BLEND", &["-180,150,0.5".to_owned(), "-185,155,0.5".to_owned()]);
    let folder = Folder::of_season("nfl", "2024-25", "");
    let found = examined(&folder.with("odds.csv", right).with("predictions/won_on_points.csv", exchanged));
    let found: Vec<_> =
        found.iter().filter(|it| it.kind == FindingKind::SpreadSigns).map(ToString::to_string).collect();
    let begin = "predictions/won_on_points.csv: spread-signs: columns home_money_line and away_money_line: the clear favourites by \
                 spread, which other files have, and by moneyline differ in 2 of 2 games: row 2, ";
    assert!(found.len() == 1 && found[0].starts_with(begin), "{found:?}");
}

#[test]
fn predictions_at_other_prices_than_the_odds_have_a_warning_with_both() {
    let columns = "home_money_line,away_money_line,home_point_spread,BLEND";
    let of = |predicted: [&str; 3], columns: &str, quoted: &str| {
        let folder = Folder::of_season("nfl", "2024-25", "");
        let odds = ["-150,130,-3.5", quoted, "-200,170,-5.5"].map(str::to_owned);
        let odds = file("home_money_line,away_money_line,home_point_spread", &odds);
        let folder = folder.with("predictions/won_on_points.csv", file(columns, &predicted.map(str::to_owned)));
        let found = examined(&folder.with("odds.csv", odds));
        found.into_iter().filter(|finding| finding.kind == FindingKind::OtherPrices).collect::<Vec<_>>()
    };
    let same = ["-150,130,-3.5,0.5", "-170,145,-4,0.5", "-200,170,-5.5,0.5"];
    assert_eq!(of(same, columns, "-170,145,-4"), []);
    // A price that either file leaves out is no other price.
    assert_eq!(of(["0.5", "0.5", "0.5"], "BLEND", "-170,145,-4"), []);
    assert_eq!(of(same, columns, ",145,"), []);
    let invented = ["-150,130,-3.5,0.5", "300,145,-4,0.5", "-200,170,-6.5,0.5"];
    let [found] = of(invented, columns, "-170,145,-4").try_into().expect("one finding");
    assert_eq!(found.severity, Severity::Warning);
    let expected = "predictions/won_on_points.csv: other-prices: 2 of 3 games have other lines or prices than the odds of this \
                    release, the first is 2024-09-15 13:00:00 chicago_bears at green_bay_packers: home_money_line +300 here and \
                    -170 there; the record has those of the predictions";
    assert_eq!(found.to_string(), expected);
}
