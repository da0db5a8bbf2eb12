//! Mistakes in slates and odds of 1, 4 and 16 games, each made of a right one.

use std::fs;
use std::path::Path;

use sports_testkit::foreign::{RealRow, real_rows};
use sports_testkit::programs::{TestFolder, real_data};

use super::mistakes::{LINES, Mistake, OF_SLATES, PROBABILITIES, STARTS};
use super::tables::{Table, manifest, silence, write};
use crate::slates::MARKETS;
use crate::support::{Completed, run};

const COLUMNS: &str = "date,time,away_team,home_team,home_money_line,away_money_line,home_point_spread,home_point_spread_line,\
                       away_point_spread_line,over_under,over_line,under_line,BLEND";

pub const PRICES: [&str; 4] = ["home_point_spread_line", "away_point_spread_line", "over_line", "under_line"];

/// Leagues with the season that the games are taken from.
const SEASONS: [(&str, &str); 6] = [
    ("nfl", "2021-22"),
    ("nba", "2018-19"),
    ("mlb", "2016"),
    ("ncaaf", "2018-19"),
    ("ncaab", "2019-20"),
    ("nhl", "2021-22"),
];

/// The files of a release in which lines arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Odds alone.
    Odds,
    /// Predictions with lines.
    Predictions,
    /// Odds, and predictions without lines.
    Both,
}

/// A slate of games at evening hours.
pub struct Slate {
    sport: &'static str,
    season: &'static str,
    pub table: Table,
}

impl Slate {
    /// Takes games of a league in the order of a real season, from one with a clear favourite: of four games, the visitors.
    fn real(data: &Path, (sport, season): (&'static str, &'static str), games: usize) -> Self {
        let rows =
            if sport == "nhl" { hockey(data) } else { real_rows(&data.join(format!("games/{sport}/{season}.csv"))) };
        let number = |row: &RealRow, column: &str| row[column].parse::<f64>().ok();
        let is_whole = |row: &RealRow| {
            ["home_money_line", "away_money_line", "over_under"].iter().all(|it| number(row, it).is_some())
        };
        let (side, price) = if games == 4 { (-1.0, "away_money_line") } else { (1.0, "home_money_line") };
        let is_clear = |row: &RealRow| {
            let line = number(row, "home_point_spread").map(|line| line * side);
            line.is_some_and(|line| (-7.5..=-2.5).contains(&line) || (line + 1.5).abs() < 0.1)
                && number(row, price).is_some_and(|price| (-400.0..=-160.0).contains(&price))
        };
        // From the third week on, when all clubs have played.
        let mut rows: Vec<_> =
            rows.into_iter().skip(30).filter(|row| is_whole(row)).skip_while(|row| !is_clear(row)).collect();
        let mut seen = Vec::new();
        rows.retain(|row| {
            let clubs = [&row["away_team"], &row["home_team"]].map(String::clone);
            let is_new = !seen.iter().any(|known: &[String; 2]| known.contains(&clubs[0]) && known.contains(&clubs[1]));
            seen.push(clubs);
            is_new
        });
        rows.truncate(games);
        for (index, row) in rows.iter_mut().enumerate() {
            row.insert("time".to_owned(), ["19:00", "19:40", "20:10", "22:05"][index % 4].to_owned());
            row.insert("BLEND".to_owned(), format!("0.5{index}"));
        }
        let mut table = Table::of(rows, COLUMNS);
        table.fill(&PRICES, "-110");
        Self { sport, season, table }
    }

    fn with(&self, make: impl FnOnce(&mut Table)) -> Self {
        let mut table = self.table.clone();
        make(&mut table);
        Self { table, ..*self }
    }

    /// Publishes the slate in the morning of a day's first game, or only rehearses it.
    fn publish(&self, place: &TestFolder, date: &str, form: Form, options: &[&str]) -> Completed {
        let without: Vec<_> = COLUMNS
            .split(',')
            .filter(|name| name.ends_with("line") || ["home_point_spread", "over_under"].contains(name))
            .collect();
        let ended = format!("{date}T09:50:00Z");
        let run_of = (form != Form::Odds).then_some(("morning", ended.as_str()));
        let mut files = vec![("release.json".to_owned(), manifest(self.sport, date, Some(self.season), run_of))];
        if form != Form::Predictions {
            files.push(("odds.csv".to_owned(), self.table.text(&["BLEND"])));
        }
        if form != Form::Odds {
            let text = self.table.text(if form == Form::Both { &without } else { &[] });
            files.extend(MARKETS.map(|market| (format!("predictions/{market}.csv"), text.clone())));
        }
        let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        let folder = write(place, "slate", &files);
        let as_of = format!("{date}T10:00:00Z");
        let arguments = ["publish", folder.to_str().expect("text"), "--as-of", &as_of];
        run(place, arguments.iter().chain(options))
    }

    fn date(&self) -> String {
        self.table.rows[0]["date"].clone()
    }
}

/// Makes games of the nhl, of which the real data has the clubs alone.
fn hockey(data: &Path) -> Vec<RealRow> {
    let clubs = fs::read_to_string(data.join("teams.csv")).expect("the list of teams");
    let clubs: Vec<_> = clubs.lines().filter_map(|line| line.strip_prefix("nhl,")?.split(',').next()).collect();
    let game = |index: usize| {
        let (away, home) = (clubs[2 * (index % 16)], clubs[2 * (index % 16) + 1]);
        let (favourite, underdog) = (165 + 5 * (index % 16), 140 + 5 * (index % 16));
        let is_home = index % 3 != 1;
        let sides = |home: String, away: String| if is_home { [home, away] } else { [away, home] };
        let [home_price, away_price] = sides(format!("-{favourite}"), underdog.to_string());
        let [home_line, away_line] = sides("150".to_owned(), "-175".to_owned());
        let spread = if is_home { "-1.5" } else { "1.5" };
        let total = ["5.5", "6", "6.5"][index % 3];
        let cells = [
            ("date", "2021-12-10"),
            ("away_team", away),
            ("home_team", home),
            ("home_money_line", &home_price),
            ("away_money_line", &away_price),
            ("home_point_spread", spread),
            ("home_point_spread_line", &home_line),
            ("away_point_spread_line", &away_line),
            ("over_under", total),
            ("over_line", "-110"),
            ("under_line", "-110"),
        ];
        cells.map(|(name, cell)| (name.to_owned(), cell.to_owned())).into_iter().collect()
    };
    (0..46).map(game).collect()
}

const SIZES: [usize; 3] = [1, 4, 16];

const FORMS: [Form; 3] = [Form::Odds, Form::Predictions, Form::Both];

/// Returns the mistakes that a slate passes over in silence.
fn silent(data: &Path, forms: &[Form], mistakes: &[Mistake]) -> Vec<String> {
    let mut silent = Vec::new();
    let place = TestFolder::fresh();
    for (of, size) in SEASONS.iter().flat_map(|of| SIZES.map(|size| (*of, size))) {
        let slate = Slate::real(data, of, size);
        assert_eq!(slate.table.rows.len(), size, "{of:?}");
        let day = slate.date();
        for (turn, form) in forms.iter().copied().enumerate() {
            let right = slate.publish(&place, &day, form, &["--dry-run"]);
            let expected = ["nothing was published in this store", "predictions need", "odds: no market predicts"];
            let unexpected = right.err.lines().filter(|line| !expected.iter().any(|known| line.contains(known)));
            assert_eq!((right.code, unexpected.collect::<Vec<_>>()), (Some(0), Vec::new()), "{} {size} {form:?}", of.0);
            // The forms take turns, by mistake and by size, so that each mistake arrives in each form.
            let of_turn = mistakes
                .iter()
                .enumerate()
                .filter(|(index, _)| (index + size.ilog2() as usize / 2) % forms.len() == turn);
            let is_shown = |it: &Mistake| it.fewest <= size && it.leagues.split(' ').any(|code| code == of.0);
            for (_, mistake) in of_turn.filter(|(_, mistake)| is_shown(mistake)) {
                let wrong = slate.with(mistake.make).publish(&place, &day, form, &["--dry-run"]);
                let complaint = silence(&right, &wrong, mistake.named);
                silent.extend(complaint.map(|it| format!("{} {size} {form:?}: {}: {it}", of.0, mistake.name)));
            }
        }
    }
    silent
}

#[test]
fn no_mistake_in_the_lines_of_a_slate_is_silent() {
    let Some(data) = real_data() else { return };
    let silent = silent(&data, &FORMS, &LINES);
    assert!(silent.is_empty(), "{}: {silent:#?}", silent.len());
}

#[test]
fn quarters_and_equal_values_of_a_slate_are_not_silent() {
    let Some(data) = real_data() else { return };
    let silent = silent(&data, &FORMS, &OF_SLATES);
    assert!(silent.is_empty(), "{}: {silent:#?}", silent.len());
}

#[test]
fn no_wrong_start_of_a_slate_is_silent() {
    let Some(data) = real_data() else { return };
    let silent = silent(&data, &FORMS, &STARTS);
    assert!(silent.is_empty(), "{}: {silent:#?}", silent.len());
}

#[test]
fn starts_of_a_slate_that_differ_from_the_record_are_not_silent() {
    let Some(data) = real_data() else { return };
    let mut silent = Vec::new();
    for (of, size) in SEASONS.iter().flat_map(|of| SIZES.map(|size| (*of, size))) {
        let (place, slate) = (TestFolder::fresh(), Slate::real(&data, of, size));
        let day = slate.date();
        assert_eq!(slate.publish(&place, &day, Form::Both, &[]).code, Some(0), "{of:?}");
        let right = slate.publish(&place, &day, Form::Both, &["--dry-run"]);
        for (form, hours) in
            [Form::Odds, Form::Both].into_iter().flat_map(|form| [-5, -3, -1, 1, 3, 5].map(|hours| (form, hours)))
        {
            let wrong = slate.with(|it| it.shift("time", hours)).publish(&place, &day, form, &["--dry-run"]);
            let first = &slate.table.rows[0];
            let complaint =
                silence(&right, &wrong, &["column time", &format!("{} at {}", first["away_team"], first["home_team"])]);
            silent.extend(complaint.map(|it| format!("{} {size} {form:?} {hours} hours: {it}", of.0)));
        }
    }
    assert!(silent.is_empty(), "{}: {silent:#?}", silent.len());
}

#[test]
fn no_wrong_scale_of_probabilities_is_silent() {
    let Some(data) = real_data() else { return };
    let silent = silent(&data, &[Form::Both], &PROBABILITIES);
    assert!(silent.is_empty(), "{}: {silent:#?}", silent.len());
}
