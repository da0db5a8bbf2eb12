use proptest::prelude::*;
use sports_domain::Sport;

use super::support::Trial;

const HEADERS: [(&str, &str, Sport); 4] = [
    (
        "nflverse",
        "season,game_type,gameday,gametime,away_team,home_team,away_score,home_score,spread_line,total_line",
        Sport::Nfl,
    ),
    ("sportsbookreviewsonline", "Date,Rot,VH,Team,1st,Final,Open,Close,ML,2H", Sport::Ncaaf),
    ("sportsbookreviewsonline", "Date,VH,Team,Final,Open,Close,RunLine,,OpenOU,,CloseOU,", Sport::Mlb),
    (
        "kaggle-wide",
        "season;commence_time;away_team;home_team;season_type;home_odds;home_spread;over_prob",
        Sport::Ncaab,
    ),
];

/// Returns cells that are near to valid ones.
fn cell() -> impl Strategy<Value = String> {
    let words = [
        "2021",
        "907",
        "2021-09-09",
        "20:20",
        "V",
        "H",
        "N",
        "DAL",
        "TB",
        "-110",
        "1e9",
        "pk",
        "NL",
        "½",
        "-3½",
        "\"",
        "2021-09-09T00:00Z",
    ];
    prop_oneof![prop::sample::select(words.to_vec()).prop_map(str::to_owned), "[-+0-9.,eE%½:/TZ ]{0,12}", "\\PC{0,6}",]
}

proptest! {
    /// Any file is converted or refused; no file makes the program panic.
    #[test]
    fn any_cells_are_converted_or_refused(
        place in 0..HEADERS.len(),
        rows in prop::collection::vec(prop::collection::vec(cell(), 1..12), 0..8),
    ) {
        let (preset, header, sport) = HEADERS[place];
        let separator = if header.contains(';') { ";" } else { "," };
        let rows: Vec<_> = rows.iter().map(|row| row.join(separator)).collect();
        let text = format!("{header}\n{}\n", rows.join("\n"));
        let season = if sport == Sport::Mlb { "2021" } else { "2021-22" };
        let trial = Trial::of(sport).preset(preset).season(season).postseason_from("2022-01-15");
        drop(trial.run(&[("file.csv", text.as_bytes())]));
    }

    /// Any bytes are converted or refused.
    #[test]
    fn any_bytes_are_converted_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), is_parquet in any::<bool>()) {
        let bytes = if is_parquet { [b"PAR1".as_slice(), &bytes].concat() } else { bytes };
        drop(Trial::of(Sport::Nfl).preset("nflverse").run(&[("file", &bytes)]));
    }
}
