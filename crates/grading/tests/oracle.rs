//! A comparison of this crate's grading of real seasons, read directly from their files, with a grader in another
//! language and exact arithmetic. No store, archive or service is involved.
//!
//! It runs if `SPORTS_REAL_DATA` names a folder of real leagues.

mod files;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};
use sports_domain::{ModelColumn, ModelType, Sport};
use sports_grading::{MarketGame, UngradedReason, Verdict};

use files::{Game, games, probabilities, seasons};

/// Returns the folder of real leagues. Without the variable, prints a notice.
fn real_data() -> Option<PathBuf> {
    let Some(named) = env::var_os("SPORTS_REAL_DATA") else {
        eprintln!("skipped: set SPORTS_REAL_DATA to the folder of real leagues to run this");
        return None;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(named);
    assert!(folder.is_dir(), "SPORTS_REAL_DATA names {}, which is no folder", folder.display());
    Some(folder)
}

/// Runs the second grader and returns its output. Without python3, prints a notice, or panics if `REQUIRE_SERVICES`
/// is set.
fn second_opinion(data: &Path) -> Option<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/second_opinion.py");
    match Command::new("python3").arg(script).arg(data).stderr(Stdio::inherit()).output() {
        Ok(output) => {
            assert!(output.status.success(), "the second opinion failed");
            Some(serde_json::from_slice(&output.stdout).expect("JSON"))
        }
        Err(error) if env::var_os("REQUIRE_SERVICES").is_some() => panic!("python3 is required: {error}"),
        Err(error) => {
            eprintln!("skipped: the second opinion needs python3: {error}");
            None
        }
    }
}

/// The counts of one market of one season.
#[derive(Default)]
struct Tally<'a> {
    graded: usize,
    ungraded: [usize; UngradedReason::ALL.len()],
    records: [(u32, u32); ModelColumn::ALL.len()],
    dates: Vec<&'a str>,
    decided: Vec<&'a str>,
    played: Vec<&'a str>,
    unsettled: Vec<&'a str>,
}

impl<'a> Tally<'a> {
    fn add(&mut self, date: &'a str, game: &MarketGame<'_>) {
        self.dates.push(date);
        self.decided.extend((game.push() == Some(false)).then_some(date));
        self.played.extend(game.push().map(|_| date));
        match game.verdict() {
            Verdict::Graded(graded) => {
                self.graded += 1;
                for model in ModelColumn::ALL {
                    let (wins, losses) = &mut self.records[model.index()];
                    *wins += u32::from(graded.won(model) == Some(true));
                    *losses += u32::from(graded.won(model) == Some(false));
                }
            }
            Verdict::Ungraded(reason) => {
                self.ungraded[reason as usize] += 1;
                self.unsettled.extend((reason == UngradedReason::NoFinal).then_some(date));
            }
        }
    }

    fn json(&self) -> Value {
        let ungraded =
            UngradedReason::ALL.map(|reason| (reason.code().to_owned(), self.ungraded[reason as usize].into()));
        let models = ModelColumn::ALL.into_iter().filter_map(|model| {
            let (wins, losses) = self.records[model.index()];
            let is_listed = model != ModelColumn::Ai || wins + losses > 0;
            is_listed.then(|| (model.name().to_owned(), json!({ "wins": wins, "losses": losses })))
        });
        json!({
            "rows": self.dates.len(),
            "graded": self.graded,
            "decided": self.decided.len(),
            "pushes": self.ungraded[UngradedReason::Push as usize],
            "ungraded": Map::from_iter(ungraded),
            "models": models.collect::<Map<_, _>>(),
            "first_date": self.dates.iter().min(),
            "last_date": self.dates.iter().max(),
            "last_decided_date": self.decided.iter().max(),
            "last_played_with_line_date": self.played.iter().max(),
            "oldest_unsettled_date": self.unsettled.iter().min(),
        })
    }
}

/// Grades one market of one season with the probabilities of its file.
fn grade(data: &Path, model_type: ModelType, games: &[Game], sport: Sport, season: &str) -> Value {
    let forecasts = probabilities(data, sport, model_type, season);
    let mut tally = Tally::default();
    for game in games {
        let forecasts = forecasts.get(&game.key).copied().unwrap_or_default();
        tally.add(&game.key.date, &MarketGame::new(model_type, &game.lines, game.score, forecasts));
    }
    tally.json()
}

#[test]
fn real_seasons_are_graded_as_the_second_opinion_grades_them() {
    let Some(data) = real_data() else { return };
    let Some(opinion) = second_opinion(&data) else { return };
    let leagues = opinion.as_object().expect("leagues");
    assert_eq!(leagues.len(), 5);
    for (code, expected) in leagues {
        let sport: Sport = code.parse().expect("a sport");
        for season in seasons(&data, sport) {
            let games = games(&data, sport, &season);
            for model_type in ModelType::ALL {
                let graded = grade(&data, model_type, &games, sport, &season);
                assert_eq!(graded, expected[model_type.code()][&season], "{sport} {model_type} {season}");
            }
        }
        for model_type in ModelType::ALL {
            let graded = expected[model_type.code()].as_object().expect("seasons").len();
            assert_eq!(graded, seasons(&data, sport).len(), "{sport} {model_type}: a season was left out");
        }
    }
}
