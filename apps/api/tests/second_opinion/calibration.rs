//! Calibration compared with scikit-learn, model-diagnostics and `SciPy`, and with the figures of the design.

use serde_json::{Value, json};
use sports_testkit::programs::{fixture, real_data};

use crate::figures::object;
use crate::python;
use crate::site::{Site, real_seasons, release_of};

/// The Python packages of the opinion.
pub const PACKAGES: &str = "pandas, scipy, sklearn, model_diagnostics";

/// The tolerance of figures in closed form.
const CLOSED: f64 = 1e-6;

/// Asserts that the answer has everything in the opinion, with equal values. A figure from draws has a tolerance of
/// its own.
pub fn agree(ours: &Value, theirs: &Value, place: &str) {
    agree_within(CLOSED, ours, theirs, place);
}

/// Asserts the same with another tolerance of figures in closed form.
pub fn agree_within(closed: f64, ours: &Value, theirs: &Value, place: &str) {
    match theirs {
        Value::Object(drawn) if drawn.contains_key("about") => {
            let [about, within] = ["about", "within"].map(|part| drawn[part].as_f64().expect("a number"));
            let ours = ours.as_f64().unwrap_or_else(|| panic!("{place} is {ours}, there {about}"));
            assert!((ours - about).abs() <= within, "{place}: {ours} here, {about} there, within {within}");
        }
        Value::Object(theirs) => theirs.iter().for_each(|(name, theirs)| {
            agree_within(closed, ours.get(name).unwrap_or(&Value::Null), theirs, &format!("{place}.{name}"));
        }),
        Value::Array(theirs) => {
            let ours = ours.as_array().unwrap_or_else(|| panic!("{place} is no list"));
            assert_eq!(ours.len(), theirs.len(), "{place}");
            ours.iter()
                .zip(theirs)
                .enumerate()
                .for_each(|(index, (ours, theirs))| agree_within(closed, ours, theirs, &format!("{place}[{index}]")));
        }
        Value::Number(number) => {
            let theirs = number.as_f64().expect("a number");
            let ours = ours.as_f64().unwrap_or_else(|| panic!("{place} is {ours}, there {theirs}"));
            assert!((ours - theirs).abs() < closed, "{place}: {ours} here, {theirs} there");
        }
        theirs => assert_eq!(ours, theirs, "{place}"),
    }
}

/// Returns the models of a season's only source; null if no model has a forecast.
pub async fn models(site: &Site, market: &str, season: &str) -> Value {
    let mut answer = site.get(&format!("/api/v1/calibration/{market}?season={season}")).await;
    match answer["sources"].as_array().expect("sources").len() {
        0 => json!([]),
        1 => answer["sources"][0]["models"].take(),
        more => panic!("{market} {season} has {more} sources"),
    }
}

#[actix_web::test]
async fn fixtures_have_the_calibration_of_scikit_learn() {
    for name in ["edge-cases", "nfl-2023-week-18"] {
        let release = fixture(name).join("release");
        let Some(opinion) = python::answer("calibration.py", PACKAGES, &[release.as_os_str()]) else { return };
        let site = Site::publishing(&release).await;
        for (market, seasons) in object(&opinion["nfl"]) {
            for (season, opinion) in object(seasons) {
                let market = format!("nfl/{market}");
                agree(&models(&site, &market, season).await, opinion, &format!("{market} {season}"));
            }
        }
    }
}

#[actix_web::test]
async fn real_seasons_have_the_calibration_of_scikit_learn() {
    let Some(data) = real_seasons() else { return };
    let data = data.path();
    let Some(opinion) = python::answer("calibration.py", PACKAGES, &[data.as_os_str()]) else { return };
    assert_eq!(object(&opinion).len(), 5);
    for (sport, markets) in object(&opinion) {
        let folder = tempfile::tempdir().expect("a folder");
        release_of(data, sport, None, folder.path());
        let site = Site::publishing(folder.path()).await;
        assert_eq!(object(markets).len(), 3, "{sport}");
        for (market, seasons) in object(markets) {
            for (season, opinion) in object(seasons) {
                let market = format!("{sport}/{market}");
                agree(&models(&site, &market, season).await, opinion, &format!("{market} {season}"));
            }
        }
    }
}

/// Returns a figure with its tolerance.
fn about(about: f64, within: f64) -> Value {
    json!({ "about": about, "within": within })
}

/// Returns the entry of a model.
fn entry<'a>(models: &'a Value, name: &str) -> &'a Value {
    models.as_array().expect("models").iter().find(|model| model["model"] == name).expect(name)
}

/// The design's table, made with scikit-learn 1.9 and model-diagnostics 1.5. Figures with fewer decimals are compared
/// with those decimals.
#[actix_web::test]
async fn the_reference_seasons_have_the_figures_of_the_design() {
    let Some(data) = real_data() else { return };
    let closed = |figure| about(figure, 1e-6);
    let table = [
        (
            "nfl/won_on_points",
            "2023-24",
            285,
            [0.220_700, 0.632_037, 0.014_094, 0.039_180],
            0.002_06,
            [-0.002_6, 0.006_8],
            0.375,
        ),
        (
            "nfl/won_on_spread",
            "2023-24",
            271,
            [0.248_658, 0.690_458, 0.006_608, 0.007_947],
            -0.001_28,
            [-0.006_4, 0.004_0],
            0.637,
        ),
        (
            "mlb/won_on_points",
            "2017",
            2467,
            [0.241_326, 0.675_503, 0.002_192, 0.009_105],
            0.001_07,
            [0.000_2, 0.002_0],
            0.022,
        ),
    ];
    for (market, season, games, [brier, log_loss, mcb, dsc], difference, [low, high], p) in table {
        let folder = tempfile::tempdir().expect("a folder");
        release_of(&data, market.split_once('/').expect("a league").0, Some(season), folder.path());
        let models = models(&Site::publishing(folder.path()).await, market, season).await;
        let blend = entry(&models, "BLEND");
        let expected = json!({
            "games": games, "brier": closed(brier), "log_loss": closed(log_loss),
            "corp": { "mcb": closed(mcb), "dsc": closed(dsc) },
            "market": { "brier": { "difference": about(difference, 0.000_005), "p": about(p, 0.000_5) } },
        });
        agree(blend, &expected, &format!("{market} {season}"));
        let brier = &blend["market"]["brier"];
        // The tolerance of the draws, and half of the last decimal.
        let within = (brier["se"].as_f64().expect("dates") / 4.0).max(0.000_5) + 0.000_05;
        let ends = json!({ "low": about(low, within), "high": about(high, within) });
        agree(brier, &ends, &format!("{market} {season}"));
        if market == "nfl/won_on_points" {
            let picks = json!({ "wins": 195, "losses": 90, "wilson_low": about(0.628_1, 5e-5), "wilson_high": about(0.735_4, 5e-5) });
            agree(&blend["picks"], &picks, market);
            agree(
                blend,
                &json!({ "ece10": about(0.073_3, 5e-5), "ece10_if_perfect": { "mean": about(0.057_2, 0.002) } }),
                market,
            );
        }
        if season == "2017" {
            let decided: Vec<_> = ["LOGR", "CATB", "XT", "XGB"].map(|model| &entry(&models, model)["verdict"]).into();
            assert_eq!(decided, ["market_better"; 4]);
            let undecided: Vec<_> = ["BLEND", "LGB", "RF"].map(|model| &entry(&models, model)["verdict"]).into();
            assert_eq!(undecided, ["undecided"; 3]);
            agree(brier, &json!({ "p_holm": about(0.065_6, 5e-5) }), market);
        }
    }
}
